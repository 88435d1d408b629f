//! Closes a cycle into a loop.
//!
//! Half of the gap is added to the end and half to the start. Each half fades in over the blend
//! window with a cubic that also removes half of the velocity difference.

use surefoot_core::{Footplants, Leg, Loop, Motion, Plant, Pose, Quat, Vec3};

use super::cycle::Cycle;
use super::seam::around;
use super::{LoopStart, Settings, plants, settings_for};
use crate::edit_result::{EditResult, MIN_PLANT_SECONDS};
use crate::interpolate::{exp, log};
use crate::pair::{self, PairError};
use surefoot_core::Clip;
use surefoot_solve::CleanError;

/// Half the window over which velocities at the seam are estimated, in seconds. Shorter windows
/// pick up capture noise, longer ones smooth real accelerations.
const VELOCITY: f64 = 0.03;

/// A closed loop.
#[derive(Clone, Debug, PartialEq)]
pub struct ClosedLoop {
    /// One period and its first frame again, one period later. Plants that end after the motion
    /// continue across the seam.
    pub edit: EditResult,
    /// Period and travel of the loop.
    pub looping: Loop,
    /// The captured frame at which the loop starts.
    pub start_frame: usize,
}

/// Closes a cycle of a motion.
pub fn close(
    motion: &Motion,
    footplants: &Footplants,
    legs: &[Leg],
    cycle: &Cycle,
    settings: &Settings,
) -> Result<ClosedLoop, PairError> {
    pair::check_one(motion, 0)?;
    let last = cycle.last.min(motion.frames() - 1);
    let first = cycle.first.min(last);
    let period = (last - first).max(1);
    let looping = Loop { period, travel: cycle.travel };
    let mut poses: Vec<Pose> = motion.poses[first..=last].to_vec();
    if first == last {
        poses.push(cycle.travel.pose(&poses[0], &motion.skeleton));
    }
    let ease = ((settings.ease * motion.fps).round().clamp(0.0, 1e6) as usize).min(period / 2);
    let gap = Gap::new(motion, first, last, &cycle.travel);
    for at in 0..=ease {
        let share = if ease == 0 { 1.0 } else { 1.0 - at as f64 / ease as f64 };
        gap.head(&mut poses[at], share, ease, &cycle.travel);
        if at > 0 {
            gap.tail(&mut poses[period - at], share, ease);
        }
    }
    poses[period] = cycle.travel.pose(&poses[0], &motion.skeleton);
    let mut inside = plants::within(footplants, first, period, MIN_PLANT_SECONDS * motion.fps);
    let is_eased = |plant: &&mut Plant| plant.frames.start <= ease || plant.frames.end + ease >= period;
    if !gap.is_closed() {
        // Spots refer to the feet before the blend: recompute them.
        inside.plants.iter_mut().filter(is_eased).for_each(|plant| plant.spot = None);
    }
    let closed = Motion { poses, ..motion.clone() };
    let start = match settings.start {
        LoopStart::First => 0,
        LoopStart::Quietest => quietest(&closed, &looping, settings),
    };
    let motion = turned(&closed, &looping, start);
    let plants = plants::turned(&closed, legs, &inside, &looping, start);
    let changed = 0..motion.frames();
    Ok(ClosedLoop { edit: EditResult { motion, plants, changed }, looping, start_frame: first + start })
}

/// Moves the start of a loop to the quietest frame of the cleaned motion.
///
/// Returns the loop and the number of frames by which its start moved. Cleaning changes the motion
/// slightly, so this frame can differ from the quietest one before cleaning.
pub fn restart_at_quietest_frame(
    clip: &Clip,
    settings: &surefoot_solve::Settings,
) -> Result<(Clip, usize), CleanError> {
    let Some(looping) = clip.looping else { return Ok((clip.clone(), 0)) };
    let clean = surefoot_solve::clean(clip, settings)?.clip.relative_to_ground().performance().motion;
    let later = quietest(&clean, &looping, &settings_for(clip));
    if later == 0 {
        return Ok((clip.clone(), 0));
    }
    let Clip { motion, plants, .. } = clip.performance();
    let mut begun = turned(&motion, &looping, later);
    // Keep the number of frames: the input may or may not repeat its first frame at the end.
    begun.poses.truncate(motion.frames());
    let plants = plants::turned(&motion, &clip.legs, &plants, &looping, later);
    Ok((clip.with_performance(begun, &plants), later))
}

/// The quietest frame of a loop: the one with the smallest speed and acceleration, each relative to
/// its median over the loop.
fn quietest(motion: &Motion, looping: &Loop, settings: &Settings) -> usize {
    let (steps, turns) = around(motion, looping, &settings.map.weights(motion));
    let median = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2].max(1e-9)
    };
    let (step, turn) = (median(&steps), median(&turns));
    let count = steps.len();
    let loudness = |frame: usize| {
        let before = (frame + count - 1) % count;
        (steps[before] / step).max(turns[before] / turn).max(turns[frame] / turn)
    };
    (0..count).min_by(|&a, &b| loudness(a).total_cmp(&loudness(b))).unwrap_or(0)
}

/// The same loop from another frame on, with that frame repeated at the end.
fn turned(motion: &Motion, looping: &Loop, start: usize) -> Motion {
    let pose = |frame: usize| {
        let round = (frame / looping.period) as isize;
        looping.travel.repeated(round).pose(&motion.poses[frame % looping.period], &motion.skeleton)
    };
    Motion { poses: (start..=start + looping.period).map(pose).collect(), ..motion.clone() }
}

/// For each joint the difference from end to start: position, rotation, and the velocities of both
/// per frame.
struct Gap {
    joints: Vec<[Vec3; 4]>,
    roots: Vec<bool>,
}

impl Gap {
    fn new(motion: &Motion, first: usize, last: usize, travel: &surefoot_core::RigidTransform) -> Self {
        let poses = &motion.poses;
        let far = (VELOCITY * motion.fps).round().max(1.0) as usize;
        // Central differences if the capture continues on both sides, otherwise one-sided ones.
        let is_inside = first >= far && last + far < poses.len();
        let velocity = |pose: &dyn Fn(usize) -> Pose, frame: usize, ends: bool| {
            let (from, to) = match (is_inside, ends) {
                (true, _) => (frame - far, frame + far),
                (false, true) => (frame.saturating_sub(1), frame),
                (false, false) => (frame, (frame + 1).min(poses.len() - 1)),
            };
            let (a, b, count) = (pose(from), pose(to), (to - from).max(1) as f64);
            let moved = a.offsets.iter().zip(&b.offsets).map(|(a, b)| (*b - *a) / count);
            let turned = a.rotations.iter().zip(&b.rotations);
            let turned = turned.map(|(a, b)| log(a.conjugate() * *b) / count);
            moved.zip(turned).collect::<Vec<_>>()
        };
        let captured = |frame: usize| poses[frame].clone();
        let placed = |frame: usize| travel.pose(&poses[frame], &motion.skeleton);
        let (end, start) = (captured(last), placed(first));
        let (leaving, coming) = (velocity(&captured, last, true), velocity(&placed, first, false));
        let joints = (0..motion.skeleton.len()).map(|joint| {
            let turn = log(end.rotations[joint].conjugate() * start.rotations[joint]);
            let ((moved, turned), (next_moved, next_turned)) = (leaving[joint], coming[joint]);
            [start.offsets[joint] - end.offsets[joint], turn, next_moved - moved, next_turned - turned]
        });
        let joints = joints.collect();
        let roots = motion.skeleton.joints().iter().map(|joint| joint.parent.is_none()).collect();
        Self { joints, roots }
    }

    /// Whether end and start are equal, to 1 µm and 1 µrad.
    fn is_closed(&self) -> bool {
        self.joints.iter().all(|[place, turn, ..]| place.length() < 1e-6 && turn.length() < 1e-6)
    }

    /// Eases the end towards the start; `share` is 1 at the seam.
    fn tail(&self, pose: &mut Pose, share: f64, ease: usize) {
        let (value, slope) = cubic(share, ease);
        for (joint, [place, turn, speed, spin]) in self.joints.iter().enumerate() {
            pose.offsets[joint] += *place * (0.5 * value) + *speed * (0.5 * slope);
            turn_by(&mut pose.rotations[joint], *turn * (0.5 * value) + *spin * (0.5 * slope));
        }
    }

    /// Eases the start towards the end. Differences of a root are in the space of the end, so they are
    /// rotated back.
    fn head(&self, pose: &mut Pose, share: f64, ease: usize, travel: &surefoot_core::RigidTransform) {
        let (value, slope) = cubic(share, ease);
        for (joint, [place, turn, speed, spin]) in self.joints.iter().enumerate() {
            let moved = *place * (-0.5 * value) + *speed * (0.5 * slope);
            pose.offsets[joint] +=
                if self.roots[joint] { travel.rotation.conjugate() * moved } else { moved };
            turn_by(&mut pose.rotations[joint], *turn * (-0.5 * value) + *spin * (0.5 * slope));
        }
    }
}

fn turn_by(turn: &mut Quat, by: Vec3) {
    if by != Vec3::ZERO {
        *turn = (*turn * exp(by)).normalize();
    }
}

/// Two cubic Hermite basis functions: one from 0 to 1 with zero slopes, one with value 0 at both
/// ends and slope 1 per frame at the second.
fn cubic(share: f64, ease: usize) -> (f64, f64) {
    let t = share;
    (t * t * (3.0 - 2.0 * t), ease as f64 * t * t * (t - 1.0))
}
