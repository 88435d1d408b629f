//! A motion along another path, planted feet and all.
//!
//! After Gleicher (2001). A smooth path is fitted to the way the body goes; every frame is moved
//! and turned from the frame of that path to the frame of the new one, as far along it. What the
//! path does not have, the sway of the pelvis and all detail, stays. Plants come along, and what
//! then skates is left to the cleaner: [`clean`](surefoot_solve::clean).
//!
//! | file | question |
//! |---|---|
//! | `fit.rs` | which path does the body walk? |
//! | `path.rs` | where is a path, so many metres along? |
//! | `bent.rs` | what is its own path, turned, scaled or through other places? |
//!
//! ```
//! use surefoot_core::math::PI;
//! use surefoot_edit::follow::{Keep, fit, follow, turned};
//! use surefoot_sample::{Recipe, make};
//! use surefoot_solve::clean;
//!
//! let clip = make(&Recipe::default())?.into_clip();
//! let walked = fit(&clip).expect("it walks");
//! let followed = follow(&clip, &walked, &turned(&walked.path, PI / 2.0)?, Keep::Stride);
//! let clean = clean(&followed.clip, &Default::default())?.clip;
//! # assert_eq!(clean.motion.frames(), clip.motion.frames());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod path;
mod fit;
mod bent;

use surefoot_core::math::{Quat, Vec3, atan2, axis_rotation, floor, nearest_equivalent_angle};
use surefoot_core::{Footplants, FrameRange, Motion, Plane, Plant, Pose};

use path::At;
use surefoot_core::Clip;

pub use bent::{scaled, starting_as, through, turned};
pub use fit::{Stands, Walked, fit};
pub use path::{Path, PathError, Place};

/// What stays as it was when the new path is shorter or longer than the old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Steps are as long as they were: the body gets as far along the path as they carry it, and
    /// goes straight on where the path ends before.
    Stride,
    /// The body is as fast as it was and goes the whole path, in more frames or fewer.
    Speed,
    /// It goes the whole path in as many frames, in longer steps or shorter.
    Time,
}

/// A motion along another path.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The motion, with plants and floor, not yet cleaned.
    pub clip: Clip,
    /// Lengths of the old path and the new.
    pub lengths: [f64; 2],
    /// How far the body goes along the new one, in metres.
    pub gone: f64,
    /// How many times as long its steps are.
    pub stride: f64,
}

/// Puts a motion on another path. On its own it is as it was, to the bit.
pub fn follow(clip: &Clip, walked: &Walked, path: &Path, keep: Keep) -> Followed {
    let lengths = [walked.path.length(), path.length()];
    let ratio = lengths[1] / lengths[0];
    let stride = if keep == Keep::Stride { 1.0 } else { ratio };
    let is_own = walked.path == *path;
    let plane = clip.floor.as_ref().and_then(|floor| floor.as_plane()).copied();
    let turns = turns(clip, walked, path, stride);
    let moves: Vec<Option<Move>> = (walked.metres.iter().zip(&turns))
        .map(|(&metres, &turn)| {
            (!is_own).then(|| Move::new(walked.path.at(metres), path.at(metres * stride), turn, plane))
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
        plant.spot.map(|spot| by.map_or(spot, |by| by.place(spot)))
    };
    let plants =
        clip.plants.plants.iter().map(|plant| Plant { spot: spot(plant), ..plant.clone() }).collect();
    let moved = Clip { motion, plants: Footplants { plants }, ..clip.clone() };
    let gone = walked.metres.last().map_or(0.0, |metres| metres * stride);
    let clip = if keep == Keep::Speed && !is_own { retimed(&moved, ratio) } else { moved };
    Followed { clip, lengths, gone, stride }
}

/// A path of a smaller radius than this, in legs, turns on the spot.
const PIVOT: f64 = 0.3;

/// How far each frame is turned, in radians: from the old path's heading to the new one's.
///
/// On the spot a path has no heading, and what there is of one turns by half a circle within a
/// centimetre, on the old path not quite where it does on the new. There the turn goes on evenly from
/// what it is before to what it is after.
fn turns(clip: &Clip, walked: &Walked, path: &Path, stride: f64) -> Vec<f64> {
    let radius = PIVOT * crate::retarget::leg_length(&clip.motion.skeleton, &clip.legs);
    let heading = |at: &At| atan2(at.along[0], at.along[1]);
    let mut turns: Vec<f64> = Vec::with_capacity(walked.metres.len());
    // The last frame on a path that has a heading.
    let mut sure: Option<usize> = None;
    for (frame, &metres) in walked.metres.iter().enumerate() {
        let (from, to) = (walked.path.at(metres), path.at(metres * stride));
        let last = sure.map_or(0.0, |sure| turns[sure]);
        let turn = nearest_equivalent_angle(heading(&to) - heading(&from), last);
        turns.push(turn);
        let on_spot = [(&walked.path, metres), (path, metres * stride)]
            .iter()
            .any(|(path, metres)| path.bend(*metres, 0.5 * radius) > 1.0);
        if on_spot && frame + 1 < walked.metres.len() {
            continue;
        }
        let first = sure.map_or(0, |sure| sure + 1);
        for (n, between) in (first..frame).enumerate() {
            let part = (n + 1) as f64 / (frame + 1 - first) as f64;
            turns[between] = if sure.is_some() { last + (turn - last) * part } else { turn };
        }
        sure = Some(frame);
    }
    turns
}

/// The frames for which a foot stands without a break: heel and ball of one stance are moved as one,
/// so that they stay as far apart as the foot is long.
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

/// From a frame of the old path to a frame of the new.
#[derive(Clone, Copy)]
struct Move {
    from: Vec3,
    to: Vec3,
    turn: Quat,
    plane: Option<Plane>,
}

impl Move {
    fn new(from: At, to: At, turn: f64, plane: Option<Plane>) -> Self {
        let place = |at: &At| Vec3::new(at.place[0], 0.0, at.place[1]);
        Self { from: place(&from), to: place(&to), turn: axis_rotation(1, turn), plane }
    }

    /// A place is as high over a plane as it was.
    fn place(&self, place: Vec3) -> Vec3 {
        let mut moved = self.to + self.turn * (place - self.from);
        if let Some(plane) = self.plane.filter(|plane| plane.normal.y > 1e-3) {
            moved.y += (plane.above(place) - plane.above(moved)) / plane.normal.y;
        }
        moved
    }

    fn pose(&self, pose: &mut Pose, motion: &Motion) {
        for (index, joint) in motion.skeleton.joints().iter().enumerate() {
            if joint.parent.is_none() {
                pose.offsets[index] = self.place(pose.offsets[index]);
                pose.rotations[index] = self.turn * pose.rotations[index];
            }
        }
    }
}

/// The same in so many times the time, between frames by the shortest turns.
fn retimed(clip: &Clip, ratio: f64) -> Clip {
    let first = clip.first_frame.min(clip.motion.frames());
    let (before, performed) = clip.motion.poses.split_at(first);
    let Some(last) = performed.len().checked_sub(1).filter(|&last| last > 0) else { return clip.clone() };
    let frames = (floor(last as f64 * ratio + 0.5) as usize).max(1);
    let slower = frames as f64 / last as f64;
    let pose = |frame: usize| {
        let at = (frame as f64 / slower).min(last as f64);
        let low = (floor(at) as usize).min(last - 1);
        between(&performed[low], &performed[low + 1], at - low as f64)
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
