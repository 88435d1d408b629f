//! Poses from arrays and back: rotations as quaternions w, x, y, z, positions as x, y, z.

use numpy::ndarray::{Array1, Array2, Array3, ArrayView1, ArrayView2, ArrayView3, Axis};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;
use surefoot::core::{Clip as CoreClip, Joint, JointId, Quat, Vec3, WorldPose};
use surefoot::formats::{Space, excerpt_frames};
use surefoot::infer::{Excerpt, Inference, Overrides, infer};
use surefoot::{Motion, Pose, Skeleton, parse};

use crate::array_floor::{ArrayFloor, FloorArgument};
use crate::clip::Clip;
use crate::content::ArrayMotion;
use crate::errors::{Found, format_error, value_error};
use crate::options::{NumberOrWord, leg_overrides};

/// A rotation shorter or longer than 1 by more than this is normalised. Smaller differences are rounding, and stay.
const UNIT_TOLERANCE: f64 = 1e-6;

/// The arrays of a motion.
pub struct MotionArrays<'a> {
    pub rotations: ArrayView3<'a, f64>,
    pub root: ArrayView2<'a, f64>,
    pub offsets: ArrayView2<'a, f64>,
    pub parents: ArrayView1<'a, i64>,
    pub translations: Option<ArrayView3<'a, f64>>,
    pub ends: Option<ArrayView2<'a, f64>>,
}

/// A clip from arrays. `surefoot.from_arrays` documents it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the Python function has the keywords")]
#[pyo3(signature = (rotations, root, offsets, parents, translations, ends, fps, up, unit, names, legs, floor, skip_t_pose, like))]
pub fn clip_from_arrays(
    py: Python<'_>,
    rotations: PyReadonlyArray3<'_, f64>,
    root: PyReadonlyArray2<'_, f64>,
    offsets: PyReadonlyArray2<'_, f64>,
    parents: PyReadonlyArray1<'_, i64>,
    translations: Option<PyReadonlyArray3<'_, f64>>,
    ends: Option<PyReadonlyArray2<'_, f64>>,
    fps: f64,
    up: &str,
    unit: NumberOrWord,
    names: Vec<String>,
    legs: Option<Vec<(String, u32, u32, u32)>>,
    floor: Option<FloorArgument<'_>>,
    skip_t_pose: bool,
    like: Option<Py<Clip>>,
) -> PyResult<Clip> {
    let fps = parse::fps_of_number(fps).map_err(value_error)?;
    let unit_m = match unit {
        NumberOrWord::Word(word) if word == "auto" => Ok(None),
        NumberOrWord::Number(unit) => parse::unit_of_metres(unit).map(Some),
        NumberOrWord::Word(unit) => parse::unit(&unit).map(Some),
    };
    let up = parse::up_axis(up).map_err(|error| value_error(format!("up: {error}")))?;
    let floor = ArrayFloor::new(floor)?;
    let arrays = MotionArrays {
        rotations: rotations.as_array(),
        root: root.as_array(),
        offsets: offsets.as_array(),
        parents: parents.as_array(),
        translations: translations.as_ref().map(|array| array.as_array()),
        ends: ends.as_ref().map(|array| array.as_array()),
    };
    let legs = legs.map(|legs| leg_overrides(legs, names.len())).transpose()?;
    let overrides =
        Overrides { unit_m: unit_m.map_err(value_error)?, up: Some(up), floor: None, legs, arms: None };
    py.detach(|| {
        if let Some(like) = &like {
            return like.get().with_arrays(arrays.motion(names, fps)?);
        }
        let (motion, inference) = infer_motion(arrays.motion(names, fps)?, &overrides);
        let space = Space { unit_m: inference.unit_m.value, up };
        let (warnings, arms) = (inference.warnings.clone(), space.legs_from_file(&inference.arms.value));
        let clip = clip_of(motion, inference, &space, floor, skip_t_pose)?;
        Ok(Clip::from_motion(ArrayMotion { clip, arms, has_plants: false, warnings }, space))
    })
}

/// Infers what the arrays do not state, from an excerpt of a long motion and from all of a short one.
fn infer_motion(motion: Motion, overrides: &Overrides) -> (Motion, Inference) {
    let frames = excerpt_frames(motion.frames(), motion.skeleton.len());
    if frames.len() == motion.frames() {
        let whole = Excerpt { motion, frames };
        let inference = infer(&whole, overrides);
        return (whole.motion, inference);
    }
    let poses = frames.iter().map(|&frame| motion.poses[frame].clone()).collect();
    let part = Motion { skeleton: motion.skeleton.clone(), fps: motion.fps, poses };
    let inference = infer(&Excerpt { motion: part, frames }, overrides);
    (motion, inference)
}

/// Converts a motion to metres, Y up, with the legs and the floor that were inferred or given.
fn clip_of(
    mut motion: Motion,
    inference: Inference,
    space: &Space,
    floor: ArrayFloor,
    skip_t_pose: bool,
) -> PyResult<CoreClip> {
    let legs = inference.legs.map_err(|error| {
        let expected = Some("joints of a leg: pass legs={\"left\": (hip, knee, ankle), …}".into());
        let found = (!error.candidates.is_empty()).then(|| error.candidates.join("; "));
        format_error("no legs were found", &Found { line: None, found, expected })
    })?;
    let inferred = inference.floor.map(|plane| space.plane_from_file(plane.value));
    if *space != Space::METRES_Y_UP {
        motion.skeleton = space.skeleton_from_file(&motion.skeleton);
        motion.poses.iter_mut().for_each(|pose| space.convert_from_file(pose));
    }
    Ok(CoreClip {
        legs: space.legs_from_file(&legs.value),
        motion,
        floor: floor.floor(inferred, space)?,
        first_frame: usize::from(skip_t_pose && inference.inserted_t_pose.value),
        ..CoreClip::default()
    })
}

impl MotionArrays<'_> {
    /// The motion in the unit and axes of the arrays.
    pub fn motion(&self, names: Vec<String>, fps: f64) -> PyResult<Motion> {
        let skeleton = self.skeleton(names)?;
        let rest: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
        // Flat numbers are read several times as fast as an axis of a view.
        let rotations = self.rotations.as_standard_layout();
        let rotations = rotations.as_slice().unwrap_or_default();
        let joints = skeleton.len().max(1);
        let poses = rotations.chunks_exact(4 * joints).enumerate().map(|(frame, rotations)| {
            Ok(Pose {
                offsets: self.pose_offsets(frame, &rest)?,
                rotations: pose_rotations(frame, rotations)?,
            })
        });
        Ok(Motion { poses: poses.collect::<PyResult<_>>()?, skeleton, fps })
    }

    fn skeleton(&self, names: Vec<String>) -> PyResult<Skeleton> {
        let joint = |(index, name): (usize, String)| {
            let parent = u32::try_from(self.parents[index]).ok().map(JointId);
            let end = self.ends.map(|ends| vector(ends.index_axis(Axis(0), index)));
            let offset = vector(self.offsets.index_axis(Axis(0), index));
            // A joint without an end has NaN there.
            Joint { name, parent, offset, end: end.filter(|end| end.is_finite()) }
        };
        Skeleton::new(names.into_iter().enumerate().map(joint).collect()).map_err(value_error)
    }

    /// The offsets of a frame: those of the rest pose where no translations were given.
    fn pose_offsets(&self, frame: usize, rest: &[Vec3]) -> PyResult<Vec<Vec3>> {
        let mut offsets: Vec<Vec3> = match &self.translations {
            Some(all) => all.index_axis(Axis(0), frame).outer_iter().map(vector).collect(),
            None => rest.to_vec(),
        };
        if let Some(root) = offsets.first_mut() {
            *root = vector(self.root.index_axis(Axis(0), frame));
        }
        // The offsets of a skeleton are finite, apart from the root's, which was replaced.
        let given = if self.translations.is_some() { offsets.len() } else { 1 };
        match offsets.iter().take(given).position(|offset| !offset.is_finite()) {
            Some(joint) => {
                Err(value_error(format!("frame {frame}, joint {joint}: the position is not finite")))
            }
            None => Ok(offsets),
        }
    }
}

/// The rotations of a frame from four numbers for each joint.
fn pose_rotations(frame: usize, numbers: &[f64]) -> PyResult<Vec<Quat>> {
    let rotations = numbers.chunks_exact(4).enumerate().map(|(joint, numbers)| {
        unit_rotation([numbers[0], numbers[1], numbers[2], numbers[3]]).ok_or_else(|| {
            value_error(format!(
                "frame {frame}, joint {joint}: found {numbers:?}, expected a rotation w, x, y, z"
            ))
        })
    });
    rotations.collect()
}

/// Three numbers as a vector.
pub fn vector(numbers: ArrayView1<'_, f64>) -> Vec3 {
    Vec3::new(numbers[0], numbers[1], numbers[2])
}

/// A quaternion w, x, y, z of length 1. `None` for one without a direction.
pub fn unit_rotation([w, x, y, z]: [f64; 4]) -> Option<Quat> {
    let rotation = Quat::from_xyzw(x, y, z, w);
    // The length itself is then closer to 1 than this, and its root need not be taken.
    if (rotation.length_squared() - 1.0).abs() <= UNIT_TOLERANCE {
        return Some(rotation);
    }
    let length = rotation.length();
    match (length - 1.0).abs() {
        error if error <= UNIT_TOLERANCE => Some(rotation),
        // Also where a number is NaN: no comparison with it is true.
        _ if length > 0.5 && length < 2.0 => Some(rotation.normalize()),
        _ => None,
    }
}

/// The rotation of every joint in every frame, in the axes of `space`.
pub fn rotations(motion: &Motion, space: &Space) -> Array3<f64> {
    let mut numbers = vec![0.0; motion.frames() * motion.skeleton.len() * 4];
    let all = motion.poses.iter().flat_map(|pose| &pose.rotations);
    let components = |q: Quat| [q.w, q.x, q.y, q.z];
    // The loop without a conversion is several times faster.
    if *space == Space::METRES_Y_UP {
        numbers.chunks_exact_mut(4).zip(all).for_each(|(out, q)| out.copy_from_slice(&components(*q)));
    } else {
        let converted = all.map(|q| components(space.rotation_to_file(*q)));
        numbers.chunks_exact_mut(4).zip(converted).for_each(|(out, q)| out.copy_from_slice(&q));
    }
    shaped(numbers, (motion.frames(), motion.skeleton.len(), 4))
}

/// The offset of every joint from its parent in every frame, in the unit and axes of `space`; the root's is its
/// position.
pub fn translations(motion: &Motion, space: &Space) -> Array3<f64> {
    let mut numbers = Vec::with_capacity(motion.frames() * motion.skeleton.len() * 3);
    for offset in motion.poses.iter().flat_map(|pose| &pose.offsets) {
        numbers.extend(space.position_to_file(*offset).to_array());
    }
    shaped(numbers, (motion.frames(), motion.skeleton.len(), 3))
}

/// The position of the first joint in every frame.
pub fn root(motion: &Motion, space: &Space) -> Array2<f64> {
    let roots = motion.poses.iter().map(|pose| pose.offsets.first().copied().unwrap_or_default());
    let numbers: Vec<f64> = roots.flat_map(|root| space.position_to_file(root).to_array()).collect();
    Array2::from_shape_vec((motion.frames(), 3), numbers).unwrap_or_default()
}

/// The world position of every joint in every frame.
pub fn positions(motion: &Motion, space: &Space) -> Array3<f64> {
    let mut numbers = Vec::with_capacity(motion.frames() * motion.skeleton.len() * 3);
    let mut world = WorldPose::default();
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        for position in &world.positions {
            numbers.extend(space.position_to_file(*position).to_array());
        }
    }
    shaped(numbers, (motion.frames(), motion.skeleton.len(), 3))
}

/// The rest offset of every joint.
pub fn offsets(skeleton: &Skeleton, space: &Space) -> Array2<f64> {
    let joints = skeleton.joints().iter();
    let numbers: Vec<f64> =
        joints.flat_map(|joint| space.position_to_file(joint.offset).to_array()).collect();
    Array2::from_shape_vec((skeleton.len(), 3), numbers).unwrap_or_default()
}

/// The parent of every joint; −1 for a root.
pub fn parents(skeleton: &Skeleton) -> Array1<i64> {
    skeleton.joints().iter().map(|joint| joint.parent.map_or(-1, |parent| i64::from(parent.0))).collect()
}

fn shaped(numbers: Vec<f64>, shape: (usize, usize, usize)) -> Array3<f64> {
    Array3::from_shape_vec(shape, numbers).unwrap_or_default()
}
