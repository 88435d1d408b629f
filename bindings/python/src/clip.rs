//! `surefoot.Clip`: a motion with its legs, floor and plants, from a file, from arrays, or cleaned.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use numpy::{PyArray, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use surefoot::contact;
use surefoot::formats::Space;
use surefoot::{FolderSettings, parse, plants_bytes};

use crate::arrays;
use crate::clip_state::{Cache, State};
use crate::content::Content;
use crate::errors::value_error;
use crate::labels::{contacts, plants_of};
use crate::options::CleanKeywords;
use crate::values::{cached, json, leg_dict, plant_dict, write_whole};

/// A motion with its legs, floor and plants.
///
/// `surefoot.load` reads one from a file, `surefoot.from_arrays` makes one from arrays, and `clean` returns one whose
/// planted feet stay in place. Arrays are read-only and made once. The arrays of a clip from a file are in metres, Y up;
/// those of a clip made from arrays keep the unit and axes that were given.
///
/// >>> clip = surefoot.load("walk.bvh")
/// >>> clip
/// <Clip walk.bvh: 361 frames at 60 fps, 24 joints>
/// >>> clean = clip.clean()
/// >>> clean.figures["drift_max_m"]["after"] < 1e-5
/// True
#[pyclass(module = "surefoot", frozen)]
pub struct Clip {
    pub(crate) name: String,
    /// The unit and axes of the arrays.
    pub(crate) space: Space,
    pub(crate) toml: FolderSettings,
    pub(crate) state: Mutex<State>,
    /// The clip that this one is the result of cleaning.
    pub(crate) before: Option<Py<Clip>>,
    pub(crate) cache: Cache,
}

#[pymethods]
impl Clip {
    /// The name of the file, or "motion" for arrays.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Frames per second.
    #[getter]
    fn fps(&self, py: Python<'_>) -> f64 {
        self.with_clip(py, |clip| clip.motion.fps)
    }

    /// The number of frames.
    #[getter]
    fn frames(&self, py: Python<'_>) -> usize {
        self.with_clip(py, |clip| clip.motion.frames())
    }

    /// One unit of the arrays in metres: 1 for files.
    #[getter]
    fn unit(&self) -> f64 {
        self.space.unit_m
    }

    /// The names of the joints, parents first.
    #[getter]
    fn names(&self, py: Python<'_>) -> Vec<String> {
        self.with_clip(py, |clip| {
            clip.motion.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
        })
    }

    /// The parent of every joint, shape (J,); -1 for a root.
    #[getter]
    fn parents(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.parents, || self.with_clip(py, |clip| arrays::parents(&clip.motion.skeleton)))
    }

    /// The rest offset of every joint from its parent, shape (J, 3).
    #[getter]
    fn offsets(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.offsets, || {
            self.with_clip(py, |clip| arrays::offsets(&clip.motion.skeleton, &self.space))
        })
    }

    /// The rotation of every joint relative to its parent as quaternions w, x, y, z, shape (T, J, 4).
    #[getter]
    fn rotations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.rotations, || {
            self.with_clip(py, |clip| arrays::rotations(&clip.motion, &self.space))
        })
    }

    /// The offset of every joint from its parent in every frame, shape (T, J, 3); the root's is its position.
    ///
    /// Equal to `offsets` in every frame, except for the root, for joints that the capture translates, and for bones
    /// that were allowed to stretch.
    #[getter]
    fn translations(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.translations, || {
            self.with_clip(py, |clip| arrays::translations(&clip.motion, &self.space))
        })
    }

    /// The position of the root, shape (T, 3).
    #[getter]
    fn root(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.root, || self.with_clip(py, |clip| arrays::root(&clip.motion, &self.space)))
    }

    /// The world position of every joint, shape (T, J, 3).
    ///
    /// >>> surefoot.load("walk.bvh").positions.shape
    /// (361, 24, 3)
    #[getter]
    fn positions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        cached(py, &self.cache.positions, || {
            self.with_clip(py, |clip| arrays::positions(&clip.motion, &self.space))
        })
    }

    /// The legs: side, the indices of hip, knee and ankle, and the heel, ball and toe as points on joints.
    ///
    /// A point is the index of its joint and an offset in the axes of that joint.
    #[getter]
    fn legs<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let legs = self.with_clip(py, |clip| clip.legs.clone());
        legs.iter().map(|leg| leg_dict(py, leg, &self.space)).collect()
    }

    /// Notes about the motion and the result, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        let state = self.state();
        match &state.content {
            Content::File(file) => file.clip_notes(),
            _ => state.notes.clone(),
        }
    }

    /// Warnings about the file and about inferred values of low confidence.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        match &self.state().content {
            Content::File(file) => file.warnings(),
            Content::Motion(motion) => motion.warnings.clone(),
            Content::Written { .. } => Vec::new(),
        }
    }

    /// The plants: foot, point, first and last frame, confidence, what each holds of its point: "hold" and
    /// "strength", and its label "kind", "plant", "skate" or None, as in a plants file. Empty until `detect`, `clean` or `set_contacts`.
    #[getter]
    fn plants<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (plants, legs) = self.with_clip(py, |clip| (clip.plants.clone(), clip.legs.clone()));
        plants.plants.iter().map(|plant| plant_dict(py, plant, &legs)).collect()
    }

    /// Contact labels, shape (T, 4): left heel, left ball, right heel, right ball.
    ///
    /// Values are the confidence of the detector while a point is planted, 1 for plants that were set, and 0 elsewhere.
    /// Bodies with more legs have two columns for each, in the order of `legs`. Plants are detected where none are
    /// known.
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        py.detach(|| self.state().content.ensure_plants())?;
        Ok(PyArray::from_owned_array(py, self.with_clip(py, contacts)))
    }

    /// Detects when each heel and ball is planted, and returns `contacts`.
    ///
    /// `method` is "learned", "speed-height", "zero-crossing", "knn" or "svm"; `edges` is "rest" for the plants that
    /// `clean` holds, or "touch" for contact from heel strike to toe off, as a force plate measures it; `hold` is
    /// "feet", "hands" or "feet,hands". With hands, the arms follow the legs in `legs` and in the columns of
    /// `contacts`, where a palm is in the second column of its arm, and `clean` holds them too.
    ///
    /// >>> labels = surefoot.load("walk.bvh").detect()
    /// >>> labels.shape, labels.dtype
    /// ((361, 4), dtype('float32'))
    #[pyo3(signature = (*, method = None, edges = None, hold = None))]
    fn detect<'py>(
        &self,
        py: Python<'py>,
        method: Option<&str>,
        edges: Option<&str>,
        hold: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let mut settings = self.state().content.detection();
        if let Some(name) = method {
            let names = contact::Method::ALL.map(contact::Method::as_str).join(", ");
            settings.detector = contact::Method::from_name(name)
                .ok_or_else(|| value_error(format!("method: found {name:?}, expected one of {names}")))?;
        }
        if let Some(edges) = edges {
            settings.edges = parse::edges(edges).map_err(|error| value_error(format!("edges: {error}")))?;
        }
        if let Some(name) = hold {
            let names = contact::Hold::ALL.map(contact::Hold::as_str).join(" or ");
            settings.hold = contact::Hold::from_name(name)
                .ok_or_else(|| value_error(format!("hold: found {name:?}, expected {names}")))?;
        }
        py.detach(|| {
            let mut state = self.state();
            state.figures = None;
            state.content.detect(&settings)
        })?;
        self.contacts(py)
    }

    /// Sets the plants from labels of shape (T, 4): left heel, left ball, right heel, right ball.
    ///
    /// Values of 0.5 and more are planted.
    ///
    /// >>> clip = surefoot.load("walk.bvh")
    /// >>> clip.set_contacts(clip.detect() > 0.9)
    fn set_contacts(&self, py: Python<'_>, labels: &Bound<'_, PyAny>) -> PyResult<()> {
        let numpy = py.import("numpy")?;
        let labels = numpy.call_method1("ascontiguousarray", (labels, numpy.getattr("float64")?))?;
        let labels: PyReadonlyArray2<'_, f64> = labels
            .extract()
            .map_err(|_| value_error("labels: expected an array of shape (frames, 2 * legs)"))?;
        let labels = labels.as_array();
        let mut state = self.state();
        let clip = state.content.clip();
        let expected = [clip.motion.frames(), 2 * clip.legs.len()];
        if labels.shape() != expected {
            let found = labels.shape();
            return Err(value_error(format!("labels: found shape {found:?}, expected {expected:?}")));
        }
        state.figures = None;
        state.content.set_plants(plants_of(labels), None);
        Ok(())
    }

    /// Reads plants from a plants file, JSON or CSV, or the events of a C3D file.
    fn load_plants(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = std::fs::read(&path)?;
        py.detach(|| self.read_plants(&path.display().to_string(), &bytes))
    }

    /// Reads plants from the text of a plants file in JSON.
    ///
    /// >>> clip = surefoot.load("walk.bvh")
    /// >>> clip.loads_plants(clip.dumps_plants())
    fn loads_plants(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        py.detach(|| self.read_plants("plants", text.as_bytes()))
    }

    /// The plants as the text of a plants file in JSON, with the velocity of the ground. Detects plants where none are
    /// known.
    fn dumps_plants(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.plants_text(Path::new("plants.json")))
    }

    /// Writes the plants as JSON, or as CSV where the name ends in .csv.
    fn save_plants(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let mut state = self.state();
            state.content.ensure_plants()?;
            write_whole(&path, &plants_bytes(&path, state.content.clip()))
        })
    }

    /// Removes footskate: holds every planted heel and ball at one spot.
    ///
    /// Detects plants where none are known. The settings and their defaults are those of `surefoot clean`, and for a
    /// file the result has the bytes of `surefoot clean`:
    ///
    /// - `stretch`: largest stretch of thigh and shin, as 0.03 or "3%"; "auto" is 3 % for files whose joints have
    ///   translations and 0 for all others
    /// - `method`: "phases" or "support"
    /// - `roll`: "kept", or "flat" to lay planted feet flat on the floor
    /// - `skate_speed`: for "support", the speed above which a planted foot skates, in m/s
    /// - `paper`: the method as published
    /// - `live`: the short look-ahead of a live stream
    ///
    /// and every other setting of the cleaner and the detector by the name of its flag, as `blend_window=0.3`.
    ///
    /// >>> clean = surefoot.load("walk.bvh").clean(stretch=0)
    /// >>> clean.save("walk.clean.bvh")
    #[pyo3(signature = (**settings))]
    fn clean(slf: &Bound<'_, Self>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let keywords = CleanKeywords::take_all(settings)?;
        let (py, before) = (slf.py(), slf.clone().unbind());
        let clean = py.detach(|| before.get().cleaned(&keywords))?;
        Ok(clean.after(before))
    }

    /// The figures of the clip, as `surefoot measure --json` prints them: metres, seconds and radians.
    ///
    /// The figures of a cleaned clip compare it with the clip before and were measured in the written bytes.
    #[getter(figures)]
    fn figures_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let figures = py.detach(|| self.figures())?;
        json(py, &figures)
    }

    /// Measures the clip, alone or against the clip `before` it was cleaned or generated anew.
    ///
    /// Legs, floor and plants are those of the clip before. Where both are files, `channels_changed` lists the joints
    /// that have other channels than before.
    ///
    /// >>> clip = surefoot.load("walk.bvh")
    /// >>> clip.clean().measure(before=clip)["new_slides"]
    /// []
    #[pyo3(signature = (*, before = None))]
    fn measure<'py>(&self, py: Python<'py>, before: Option<Py<Self>>) -> PyResult<Bound<'py, PyAny>> {
        let is_known = |before: &Py<Self>| self.before.as_ref().is_some_and(|known| known.is(before));
        match before {
            Some(before) if !is_known(&before) => {
                let figures = py.detach(|| self.compare(before.get()))?;
                json(py, &figures)
            }
            _ => self.figures_dict(py),
        }
    }

    /// The report of a cleaned clip, as one HTML page.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.report_page())
    }

    /// The bytes of the file that `save` writes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyBytes>> {
        let bytes = py.detach(|| self.bytes())?;
        Ok(pyo3::types::PyBytes::new(py, &bytes))
    }

    /// Writes the motion, whole or not at all, in the format of the file it was loaded from; arrays as BVH.
    ///
    /// A file of this name is replaced.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write_whole(&path, &self.bytes()?))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.frames(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (frames, fps, joints) =
            self.with_clip(py, |clip| (clip.motion.frames(), clip.motion.fps, clip.motion.skeleton.len()));
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy();
        format!("<Clip {name}: {frames} frames at {} fps, {joints} joints>", (fps * 1000.0).round() / 1000.0)
    }
}
