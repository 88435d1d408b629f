//! Moves a motion to another path over the ground.
//!
//! After Gleicher (2001). [`fit`] fits a smooth path to the track of the pelvis. Every frame is then
//! moved and rotated from its point on that path to the corresponding point on the new path. Sway of
//! the pelvis and all other detail are relative to the path and do not change. Spots of plants move
//! with the path; the feet skate afterwards, so clean the result with
//! [`clean`](surefoot_solve::clean).
//!
//! ```
//! use surefoot_core::math::PI;
//! use surefoot_edit::follow::{Preserve, bend_path, fit, follow};
//! use surefoot_sample::{Recipe, make};
//! use surefoot_solve::clean;
//!
//! let clip = make(&Recipe::default())?.into_clip();
//! let own = fit(&clip).expect("it walks");
//! let followed = follow(&clip, &own, &bend_path(&own.path, PI / 2.0)?, Preserve::Stride)?;
//! let clean = clean(&followed.clip, &Default::default())?.clip;
//! # assert_eq!(clean.motion.frames(), clip.motion.frames());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod path;
mod fit;
mod path_edits;

use surefoot_core::math::{Quat, Vec3, atan2, axis_rotation, floor, nearest_equivalent_angle};
use surefoot_core::{Footplants, FrameRange, Motion, Plane, Plant, Pose};

use crate::body_root::BodyRoot;
use crate::resample::most_frames;
use path::PathPoint;
use surefoot_core::Clip;

pub use fit::{FittedPath, NoPath, fit};
pub use path::{GroundPosition, Path, PathError};
pub use path_edits::{align_start, bend_path, path_through, scale_path};

/// Quantity that is preserved when the new path is shorter or longer than the old one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preserve {
    /// Stride length and duration: the body stops short of the end of a longer path and continues
    /// straight on after the end of a shorter one.
    Stride,
    /// Speed: the body follows the whole path, in more or fewer frames.
    Speed,
    /// Duration: the body follows the whole path in the same number of frames, with longer or shorter
    /// strides.
    Time,
}

/// A motion along another path.
#[derive(Clone, Debug)]
pub struct FollowResult {
    /// The motion, with plants and floor, not yet cleaned.
    pub clip: Clip,
    /// Lengths of the old and the new path, in metres.
    pub lengths: [f64; 2],
    /// Distance covered along the new path, in metres.
    pub distance: f64,
    /// Stride length relative to the original.
    pub stride_scale: f64,
}

/// Smallest and largest length of strides, as multiples of the captured ones. Legs reach no further, and a path in pixels
/// or kilometres is off by more.
const STRIDE_RANGE: [f64; 2] = [0.1, 5.0];

/// Smallest and largest duration at the captured speed, as multiples of the captured one. The body moves in slow motion
/// or in fast motion, so that more is a path in another unit.
const DURATION_RANGE: [f64; 2] = [0.02, 50.0];

/// Longest path on which strides keep their length, in metres: one that a body could walk in a day.
const MAX_LENGTH: f64 = 1e5;

/// Checks that a path fits the motion.
fn check_length(clip: &Clip, [own, new]: [f64; 2], preserve: Preserve) -> Result<(), PathError> {
    let expected = match preserve {
        Preserve::Stride => [0.0, MAX_LENGTH],
        Preserve::Speed => DURATION_RANGE.map(|times| times * own),
        Preserve::Time => STRIDE_RANGE.map(|times| times * own),
    };
    if !(expected[0]..=expected[1]).contains(&new) {
        return Err(PathError::Length { found: new, expected });
    }
    let (frames, most) = (clip.motion.frames() as f64 * new / own, most_frames(&clip.motion));
    match preserve == Preserve::Speed && frames > most as f64 {
        true => Err(PathError::TooManyFrames { found: frames, most }),
        false => Ok(()),
    }
}

/// Moves a motion to another path. On its own path the motion is unchanged, bit for bit.
///
/// A path that is longer or shorter than legs and time allow is an error.
pub fn follow(
    clip: &Clip,
    own: &FittedPath,
    path: &Path,
    preserve: Preserve,
) -> Result<FollowResult, PathError> {
    check_length(clip, [own.path.length(), path.length()], preserve)?;
    if let Some(body) = BodyRoot::of(&clip.motion, &clip.legs) {
        let gathered = Clip { motion: body.gather(&clip.motion), ..clip.clone() };
        let mut result = follow(&gathered, own, path, preserve)?;
        result.clip.motion = body.scatter(result.clip.motion);
        return Ok(result);
    }
    let lengths = [own.path.length(), path.length()];
    let ratio = lengths[1] / lengths[0];
    let stride = if preserve == Preserve::Stride { 1.0 } else { ratio };
    let is_own = own.path == *path;
    let plane = clip.floor.as_ref().and_then(|floor| floor.as_plane()).copied();
    let angles = heading_changes(clip, own, path, stride);
    let moves: Vec<Option<PathTransform>> = (own.metres.iter().zip(&angles))
        .map(|(&metres, &angle)| {
            (!is_own).then(|| PathTransform::new(own.path.at(metres), path.at(metres * stride), angle, plane))
        })
        .collect();
    let mut motion = clip.motion.clone();
    let first = clip.first_frame.min(motion.frames());
    for (pose, by) in motion.poses[first..].iter_mut().zip(&moves) {
        if let Some(by) = by {
            by.pose(pose, &clip.motion);
        }
    }
    let spot = |plant: &Plant| {
        let stance = stance(plant, &clip.plants.plants);
        let middle = stance.start.midpoint(stance.end.max(1) - 1);
        let by = middle.checked_sub(first).and_then(|frame| moves.get(frame)).copied().flatten();
        plant.spot.map(|spot| by.map_or(spot, |by| by.position(spot)))
    };
    // Along another path other feet slide.
    let moved_plant = |plant: &Plant| Plant { spot: spot(plant), kind: None, ..plant.clone() };
    let plants = clip.plants.plants.iter().map(moved_plant).collect();
    let moved = Clip { motion, plants: Footplants { plants }, ..clip.clone() };
    let distance = own.metres.last().map_or(0.0, |metres| metres * stride);
    let clip = if preserve == Preserve::Speed && !is_own { retime(&moved, ratio) } else { moved };
    Ok(FollowResult { clip, lengths, distance, stride_scale: stride })
}

/// Radius of curvature below which a path counts as turning on the spot, in leg lengths. A larger
/// value would also smooth the headings of tight curves.
const PIVOT_RADIUS: f64 = 0.3;

/// The rotation of each frame from the heading of the old path to that of the new one, in radians.
///
/// Where a path turns on the spot, its heading may change by half a circle within a centimetre, and
/// not at the same place on both paths. The rotation is interpolated linearly across such frames.
fn heading_changes(clip: &Clip, own: &FittedPath, path: &Path, stride: f64) -> Vec<f64> {
    let radius = PIVOT_RADIUS * crate::retarget::leg_length(&clip.motion.skeleton, &clip.legs);
    let heading = |at: &PathPoint| atan2(at.direction[0], at.direction[1]);
    let mut angles: Vec<f64> = Vec::with_capacity(own.metres.len());
    // The last frame with a reliable heading.
    let mut reliable: Option<usize> = None;
    for (frame, &metres) in own.metres.iter().enumerate() {
        let (from, to) = (own.path.at(metres), path.at(metres * stride));
        let last = reliable.map_or(0.0, |frame| angles[frame]);
        let angle = nearest_equivalent_angle(heading(&to) - heading(&from), last);
        angles.push(angle);
        let on_spot = [(&own.path, metres), (path, metres * stride)]
            .iter()
            .any(|(path, metres)| path.bend(*metres, 0.5 * radius) > 1.0);
        if on_spot && frame + 1 < own.metres.len() {
            continue;
        }
        let first = reliable.map_or(0, |frame| frame + 1);
        for (n, between) in (first..frame).enumerate() {
            let part = (n + 1) as f64 / (frame + 1 - first) as f64;
            angles[between] = if reliable.is_some() { last + (angle - last) * part } else { angle };
        }
        reliable = Some(frame);
    }
    angles
}

/// The frames of the stance that contains a plant.
///
/// Heel and ball plants of one stance move by the same transform, so that their distance stays the
/// length of the foot.
fn stance(plant: &Plant, plants: &[Plant]) -> FrameRange {
    let mut stance = plant.frames.clone();
    loop {
        let overlaps = |other: &&Plant| {
            other.leg == plant.leg && other.frames.start < stance.end && stance.start < other.frames.end
        };
        let all = plants.iter().filter(overlaps);
        let wider =
            all.fold(stance.clone(), |all, one| all.start.min(one.frames.start)..all.end.max(one.frames.end));
        if wider == stance {
            return stance;
        }
        stance = wider;
    }
}

/// The transform from a point of the old path to a point of the new one.
#[derive(Clone, Copy)]
struct PathTransform {
    from: Vec3,
    to: Vec3,
    rotation: Quat,
    plane: Option<Plane>,
}

impl PathTransform {
    fn new(from: PathPoint, to: PathPoint, angle: f64, plane: Option<Plane>) -> Self {
        let position = |at: &PathPoint| Vec3::new(at.position[0], 0.0, at.position[1]);
        Self { from: position(&from), to: position(&to), rotation: axis_rotation(1, angle), plane }
    }

    /// Transforms a position and preserves its height above the floor plane.
    fn position(&self, position: Vec3) -> Vec3 {
        let mut result = self.to + self.rotation * (position - self.from);
        if let Some(plane) = self.plane.filter(|plane| plane.normal.y > 1e-3) {
            result.y += (plane.above(position) - plane.above(result)) / plane.normal.y;
        }
        result
    }

    fn pose(&self, pose: &mut Pose, motion: &Motion) {
        for (index, joint) in motion.skeleton.joints().iter().enumerate() {
            if joint.parent.is_none() {
                pose.offsets[index] = self.position(pose.offsets[index]);
                pose.rotations[index] = self.rotation * pose.rotations[index];
            }
        }
    }
}

/// Resamples the performance to `ratio` times its duration.
fn retime(clip: &Clip, ratio: f64) -> Clip {
    let first = clip.first_frame.min(clip.motion.frames());
    let (before, performance) = clip.motion.poses.split_at(first);
    let Some(last) = performance.len().checked_sub(1).filter(|&last| last > 0) else { return clip.clone() };
    let frames = (floor(last as f64 * ratio + 0.5) as usize).max(1);
    let slower = frames as f64 / last as f64;
    let pose = |frame: usize| {
        let at = (frame as f64 / slower).min(last as f64);
        let low = (floor(at) as usize).min(last - 1);
        between(&performance[low], &performance[low + 1], at - low as f64)
    };
    let poses = before.iter().cloned().chain((0..=frames).map(pose)).collect();
    let edge = |frame: usize| {
        first + (floor(frame.saturating_sub(first) as f64 * slower + 0.5) as usize).min(frames + 1)
    };
    let plant =
        |plant: &Plant| Plant { frames: edge(plant.frames.start)..edge(plant.frames.end), ..plant.clone() };
    let plants = clip.plants.plants.iter().map(plant).filter(|plant| !plant.frames.is_empty()).collect();
    Clip { motion: Motion { poses, ..clip.motion.clone() }, plants: Footplants { plants }, ..clip.clone() }
}

fn between(a: &Pose, b: &Pose, part: f64) -> Pose {
    Pose {
        offsets: a.offsets.iter().zip(&b.offsets).map(|(a, b)| a.lerp(*b, part)).collect(),
        rotations: a.rotations.iter().zip(&b.rotations).map(|(a, b)| a.slerp(*b, part)).collect(),
    }
}
