//! Closes a cycle into a loop.
//!
//! Half of the gap is added to the end and half to the start. Each half fades in over the blend
//! window with a cubic that also removes half of the velocity difference.

use surefoot_core::{Footplants, Leg, Loop, Motion, Plant, Pose, Quat, Vec3};

use super::cycle::Cycle;
use super::seam::{JointRatios, steps_and_changes};
use super::{LoopStart, Settings, plants, settings_for};
use crate::body_root::BodyRoot;
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
    pair::check_time("blend window", settings.ease_of(cycle))?;
    if let Some(body) = BodyRoot::of(motion, legs) {
        let mut closed = close(&body.gather(motion), footplants, legs, cycle, settings)?;
        closed.edit.motion = body.scatter(closed.edit.motion);
        return Ok(closed);
    }
    let last = cycle.last.min(motion.frames() - 1);
    let first = cycle.first.min(last);
    let period = (last - first).max(1);
    let looping = Loop { period, travel: cycle.travel };
    let mut poses: Vec<Pose> = motion.poses[first..=last].to_vec();
    if first == last {
        poses.push(cycle.travel.pose(&poses[0], &motion.skeleton));
    }
    let ease = ((settings.ease_of(cycle) * motion.fps).round().clamp(0.0, 1e6) as usize).min(period / 2);
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
    let motion = start_at(&closed, &looping, start);
    let plants = plants::start_at(&closed, legs, &inside, &looping, start);
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
    if let Some(body) = BodyRoot::of(&clip.motion, &clip.legs) {
        let gathered = Clip { motion: body.gather(&clip.motion), ..clip.clone() };
        let (mut clip, later) = restart_at_quietest_frame(&gathered, settings)?;
        clip.motion = body.scatter(clip.motion);
        return Ok((clip, later));
    }
    let clean = surefoot_solve::clean(clip, settings)?.clip.relative_to_ground().performance().motion;
    let later = quietest(&clean, &looping, &settings_for(clip));
    if later == 0 {
        return Ok((clip.clone(), 0));
    }
    let Clip { motion, plants, .. } = clip.performance();
    let mut shifted = start_at(&motion, &looping, later);
    // Keep the number of frames: the input may or may not repeat its first frame at the end.
    shifted.poses.truncate(motion.frames());
    let plants = plants::start_at(&motion, &clip.legs, &plants, &looping, later);
    Ok((clip.with_performance(shifted, &plants), later))
}

/// The quietest frame of a loop: the one with the smallest speed and acceleration, of the whole body relative to
/// their medians over the loop, and of every joint relative to its 95th percentile.
fn quietest(motion: &Motion, looping: &Loop, settings: &Settings) -> usize {
    let weights = settings.map.weights(motion);
    let (steps, changes) = steps_and_changes(motion, looping, &weights);
    let joints = JointRatios::new(motion, looping, &weights);
    let median = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2].max(1e-9)
    };
    let (step, change) = (median(&steps), median(&changes));
    let count = steps.len();
    let activity = |frame: usize| {
        let before = (frame + count - 1) % count;
        let whole = (steps[before] / step).max(changes[before] / change).max(changes[frame] / change);
        whole.max(joints.largest(frame))
    };
    (0..count).min_by(|&a, &b| activity(a).total_cmp(&activity(b))).unwrap_or(0)
}

/// The same loop from another frame on, with that frame repeated at the end.
fn start_at(motion: &Motion, looping: &Loop, start: usize) -> Motion {
    let pose = |frame: usize| {
        let periods = (frame / looping.period) as isize;
        looping.travel.repeated(periods).pose(&motion.poses[frame % looping.period], &motion.skeleton)
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
        let half = (VELOCITY * motion.fps).round().max(1.0) as usize;
        // Central differences if the capture continues on both sides, otherwise one-sided ones.
        let is_inside = first >= half && last + half < poses.len();
        let velocity = |pose: &dyn Fn(usize) -> Pose, frame: usize, ends: bool| {
            let (from, to) = match (is_inside, ends) {
                (true, _) => (frame - half, frame + half),
                (false, true) => (frame.saturating_sub(1), frame),
                (false, false) => (frame, (frame + 1).min(poses.len() - 1)),
            };
            let (a, b, count) = (pose(from), pose(to), (to - from).max(1) as f64);
            let linear = a.offsets.iter().zip(&b.offsets).map(|(a, b)| (*b - *a) / count);
            let rotations = a.rotations.iter().zip(&b.rotations);
            let angular = rotations.map(|(a, b)| log(a.conjugate() * *b) / count);
            linear.zip(angular).collect::<Vec<_>>()
        };
        let captured = |frame: usize| poses[frame].clone();
        let next_period = |frame: usize| travel.pose(&poses[frame], &motion.skeleton);
        let (end, start) = (captured(last), next_period(first));
        let velocities_at_end = velocity(&captured, last, true);
        let velocities_at_start = velocity(&next_period, first, false);
        let joints = (0..motion.skeleton.len()).map(|joint| {
            let rotation = log(end.rotations[joint].conjugate() * start.rotations[joint]);
            let (linear, angular) = velocities_at_end[joint];
            let (next_linear, next_angular) = velocities_at_start[joint];
            [
                start.offsets[joint] - end.offsets[joint],
                rotation,
                next_linear - linear,
                next_angular - angular,
            ]
        });
        let joints = joints.collect();
        let roots = motion.skeleton.joints().iter().map(|joint| joint.parent.is_none()).collect();
        Self { joints, roots }
    }

    /// Whether end and start are equal, to 1 µm and 1 µrad.
    fn is_closed(&self) -> bool {
        self.joints.iter().all(|[offset, rotation, ..]| offset.length() < 1e-6 && rotation.length() < 1e-6)
    }

    /// Eases the end towards the start; `share` is 1 at the seam.
    fn tail(&self, pose: &mut Pose, share: f64, ease: usize) {
        let (value, slope) = cubic(share, ease);
        for (joint, [offset, rotation, linear, angular]) in self.joints.iter().enumerate() {
            pose.offsets[joint] += *offset * (0.5 * value) + *linear * (0.5 * slope);
            rotate_by(&mut pose.rotations[joint], *rotation * (0.5 * value) + *angular * (0.5 * slope));
        }
    }

    /// Eases the start towards the end. Differences of a root are in the space of the end, so they are
    /// rotated back.
    fn head(&self, pose: &mut Pose, share: f64, ease: usize, travel: &surefoot_core::RigidTransform) {
        let (value, slope) = cubic(share, ease);
        for (joint, [offset, rotation, linear, angular]) in self.joints.iter().enumerate() {
            let change = *offset * (-0.5 * value) + *linear * (0.5 * slope);
            pose.offsets[joint] +=
                if self.roots[joint] { travel.rotation.conjugate() * change } else { change };
            rotate_by(&mut pose.rotations[joint], *rotation * (-0.5 * value) + *angular * (0.5 * slope));
        }
    }
}

fn rotate_by(rotation: &mut Quat, by: Vec3) {
    if by != Vec3::ZERO {
        *rotation = (*rotation * exp(by)).normalize();
    }
}

/// Two cubic Hermite basis functions: one from 0 to 1 with zero slopes, one with value 0 at both
/// ends and slope 1 per frame at the second.
fn cubic(share: f64, ease: usize) -> (f64, f64) {
    let t = share;
    (t * t * (3.0 - 2.0 * t), ease as f64 * t * t * (t - 1.0))
}
