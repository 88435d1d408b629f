//! Rectification by support phase.

mod plant_kinds;
mod properties;
mod skate_runs;

use surefoot_core::math::sincos;
use surefoot_core::{FootPoint, FrameRange, Motion, Quat, Vec3};

use crate::fixtures::*;

/// Number of frames of a hand-made step.
const FRAMES: usize = 60;

/// The frame at which its support changes.
const SUPPORT_CHANGE: usize = 30;

/// The frames in which it skates.
const SKATING: FrameRange = 22..40;

/// Whether the left and the right foot support the body.
type Feet = [bool; 2];

/// A body that slides forward with bent knees while it skates; feet that do not support it are in the air.
fn step(before: Feet, after: Feet, skating: FrameRange) -> Case {
    let mut plants = Vec::new();
    for leg in 0..2 {
        let frames = match (before[leg], after[leg]) {
            (true, true) => 0..FRAMES,
            (true, false) => 0..SUPPORT_CHANGE,
            (false, true) => SUPPORT_CHANGE..FRAMES,
            (false, false) => continue,
        };
        plants.extend([FootPoint::Heel, FootPoint::Ball].map(|point| plant(leg, point, frames.clone())));
    }
    let last = skating.end;
    let case = by_hand(Build::default(), FRAMES, plants, |frame, pose| {
        for leg in 0..2 {
            let supports = |frame: usize| if frame < SUPPORT_CHANGE { before[leg] } else { after[leg] };
            let down = (0..FRAMES).filter(|&at| supports(at)).map(|at| at.abs_diff(frame)).min();
            // A free foot is lifted within ten frames.
            let lift = down.unwrap_or(FRAMES).min(10) as f64 / 10.0;
            let bend = 0.5 + 0.3 * lift;
            let joint = JOINTS_PER_LEG * leg + HIP;
            pose.rotations[joint] = pitch(-bend - 0.1 * lift);
            pose.rotations[joint + 1] = pitch(2.0 * bend);
            pose.rotations[joint + 2] = pitch(0.1 * lift - bend);
        }
        // A supporting foot is flat on the floor.
        let (sin, cos) = sincos(0.5);
        pose.offsets[0].y += 0.84 * (cos - 1.0) - 0.04 * sin;
        let slid = frame.clamp(skating.start, last) - skating.start;
        pose.offsets[0] += Vec3::new(0.001, 0.0, 0.004) * slid as f64;
    });
    Case { name: format!("{before:?} to {after:?}"), ..case }
}

fn ankle(motion: &Motion, frame: usize, leg: usize) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).positions[JOINTS_PER_LEG * leg + ANKLE]
}

fn heel(case: &Case, motion: &Motion, frame: usize, leg: usize) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).point(&case.clip.legs[leg].heel)
}

/// The joint rotations of a leg at a frame.
fn leg_rotations(motion: &Motion, frame: usize, leg: usize) -> &[Quat] {
    let first = JOINTS_PER_LEG * leg + HIP;
    &motion.poses[frame].rotations[first..first + JOINTS_PER_LEG]
}

/// Every case of the thesis, for either foot: the support before and after the run.
const CASES: [(Feet, Feet); 9] = [
    ([true, false], [false, true]),
    ([false, true], [true, false]),
    ([true, false], [true, false]),
    ([false, true], [false, true]),
    ([true, true], [true, true]),
    ([true, true], [true, false]),
    ([true, true], [false, true]),
    ([true, false], [true, true]),
    ([false, true], [true, true]),
];
