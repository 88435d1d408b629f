//! `surefoot.Cleaner`: a pose in, a clean pose out, with a fixed latency.

use numpy::ndarray::{Array1, Array2};
use numpy::{PyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::core::{Clip as CoreClip, Vec3};
use surefoot::solve::{self, ActivePlant, ActivePlants};
use surefoot::stream::{StreamDetector, StreamSetup};
use surefoot::{FolderSettings, Motion, Pose};

use crate::arrays::{unit_rotation, vector};
use crate::clip::Clip;
use crate::errors::value_error;
use crate::options::CleanKeywords;

/// Cleans poses one at a time, for live capture, game engines and reinforcement learning.
///
/// `Cleaner(clip)` takes skeleton, legs and floor from a clip in metres, Y up. `push` takes a pose and returns the
/// clean pose of `lookahead` frames earlier, or None for the first `lookahead` poses. Without `contacts` the plants are
/// detected as the poses arrive. Keywords are those of `Clip.clean`; the windows are those of `live=True`.
///
/// >>> clip = surefoot.load("walk.bvh")
/// >>> cleaner = surefoot.Cleaner(clip)
/// >>> clean = [cleaner.push(*pose) for pose in zip(clip.rotations, clip.root)]
/// >>> clean = [pose for pose in clean if pose is not None] + cleaner.finish()
/// >>> len(clean) == clip.frames
/// True
#[pyclass(module = "surefoot", unsendable)]
pub struct Cleaner {
    cleaner: solve::Cleaner,
    detector: Option<StreamDetector>,
    rest: Pose,
    legs: usize,
    /// The plant that each point is in, to number the next.
    active: Vec<ActivePlants>,
    last_plant: u32,
    pose: Pose,
}

/// Rotations (J, 4) and root (3,) of a clean pose.
type CleanPose<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl Cleaner {
    #[new]
    #[pyo3(signature = (clip, *, detect = true, **settings))]
    fn new(
        py: Python<'_>,
        clip: &Bound<'_, Clip>,
        detect: bool,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let keywords = CleanKeywords::take_all(settings)?.with_live();
        let settings = keywords.settings(&FolderSettings::default());
        let clip: CoreClip = clip.get().with_clip(py, Clone::clone);
        let setup = StreamSetup::from_file(&clip).map_err(value_error)?;
        let cleaner = solve::Cleaner::with_shapes(&setup.clip, &setup.shapes, usize::MAX, &settings);
        let legs = clip.legs.len();
        let Motion { skeleton, .. } = &setup.clip.motion;
        Ok(Self {
            cleaner: cleaner.map_err(value_error)?,
            detector: detect.then(|| StreamDetector::new(&setup.clip)),
            rest: Pose::rest(skeleton),
            pose: Pose::rest(skeleton),
            active: vec![ActivePlants::default(); legs],
            last_plant: 0,
            legs,
        })
    }

    /// The latency: the number of frames between a pose and its clean counterpart.
    #[getter]
    fn lookahead(&self) -> usize {
        self.cleaner.lookahead() + self.detector.as_ref().map_or(0, StreamDetector::lookahead)
    }

    /// Takes a pose: rotations (J, 4) as quaternions w, x, y, z, and the position of the root (3,).
    ///
    /// With `detect=False`, `contacts` are the four labels of this pose: left heel, left ball, right heel, right ball.
    /// A pose that is refused is not taken: the next one takes its place.
    #[pyo3(signature = (rotations, root, contacts = None))]
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        rotations: &Bound<'py, PyAny>,
        root: &Bound<'py, PyAny>,
        contacts: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Option<CleanPose<'py>>> {
        let numpy = py.import("numpy")?;
        let doubles = |values: &Bound<'py, PyAny>| {
            numpy.call_method1("ascontiguousarray", (values, numpy.getattr("float64")?))
        };
        self.read_pose(&doubles(rotations)?, &doubles(root)?)?;
        match (&mut self.detector, contacts) {
            (Some(_), Some(_)) => {
                return Err(value_error(
                    "contacts: expected none, because the cleaner detects them; pass detect=False",
                ));
            }
            (None, Some(contacts)) => {
                let contacts = doubles(contacts)?;
                let contacts: PyReadonlyArray1<'_, f64> = contacts.extract()?;
                self.number_plants(contacts.as_slice()?)?;
            }
            (None, None) => self.number_plants(&vec![0.0; 2 * self.legs])?,
            (Some(_), None) => {}
        }
        let known = match &mut self.detector {
            Some(detector) => detector.push(&self.pose),
            None => Some((&self.pose, &self.active[..])),
        };
        let Some((pose, plants)) = known else { return Ok(None) };
        let clean = self.cleaner.push(pose, plants).map_err(value_error)?;
        Ok(clean.map(|pose| clean_pose(py, pose)))
    }

    /// Ends the stream and returns the poses that are left, in order.
    fn finish<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<CleanPose<'py>>> {
        let mut poses = Vec::new();
        while let Some((pose, plants)) = self.detector.as_mut().and_then(StreamDetector::finish) {
            let clean = self.cleaner.push(pose, plants).map_err(value_error)?;
            poses.extend(clean.map(|pose| clean_pose(py, pose)));
        }
        while let Some(pose) = self.cleaner.finish() {
            poses.push(clean_pose(py, pose));
        }
        Ok(poses)
    }
}

impl Cleaner {
    fn read_pose(&mut self, rotations: &Bound<'_, PyAny>, root: &Bound<'_, PyAny>) -> PyResult<()> {
        let joints = self.rest.rotations.len();
        let wrong =
            |name: &str, shape: &str| value_error(format!("{name}: expected an array of shape {shape}"));
        let rotations: PyReadonlyArray2<'_, f64> =
            rotations.extract().map_err(|_| wrong("rotations", &format!("({joints}, 4)")))?;
        let root: PyReadonlyArray1<'_, f64> = root.extract().map_err(|_| wrong("root", "(3,)"))?;
        let (rotations, root) = (rotations.as_array(), root.as_array());
        if rotations.shape() != [joints, 4] {
            return Err(wrong("rotations", &format!("({joints}, 4)")));
        }
        if root.len() != 3 || root.iter().any(|value| !value.is_finite()) {
            return Err(wrong("root", "(3,), of finite numbers"));
        }
        for (joint, numbers) in rotations.outer_iter().enumerate() {
            self.pose.rotations[joint] =
                unit_rotation(core::array::from_fn(|n| numbers[n])).ok_or_else(|| {
                    value_error(format!(
                        "joint {joint}: found {:?}, expected a rotation w, x, y, z",
                        numbers.to_vec()
                    ))
                })?;
        }
        self.pose.offsets[0] = vector(root);
        Ok(())
    }

    /// Continues the plant of a point that was planted before, and starts a plant for one that was not.
    fn number_plants(&mut self, labels: &[f64]) -> PyResult<()> {
        if labels.len() != 2 * self.legs {
            let (found, expected) = (labels.len(), 2 * self.legs);
            return Err(value_error(format!("contacts: found {found} values, expected {expected}")));
        }
        let last = &mut self.last_plant;
        let mut next = |label: f64, before: Option<ActivePlant>| {
            (label >= 0.5).then(|| {
                before.unwrap_or_else(|| {
                    *last = last.wrapping_add(1);
                    ActivePlant { id: *last, ..ActivePlant::default() }
                })
            })
        };
        for (active, labels) in self.active.iter_mut().zip(labels.chunks(2)) {
            *active = ActivePlants {
                heel: next(labels[0], active.heel),
                ball: next(labels[1], active.ball),
                toe: None,
            };
        }
        Ok(())
    }
}

fn clean_pose<'py>(py: Python<'py>, pose: &Pose) -> CleanPose<'py> {
    let rotations: Vec<f64> = pose.rotations.iter().flat_map(|q| [q.w, q.x, q.y, q.z]).collect();
    let rotations = Array2::from_shape_vec((pose.rotations.len(), 4), rotations).unwrap_or_default();
    let root: Vec3 = pose.offsets.first().copied().unwrap_or_default();
    let root = Array1::from_vec(root.to_array().to_vec());
    (PyArray::from_owned_array(py, rotations), PyArray::from_owned_array(py, root))
}
