//! How are a cycle's end and its start made to meet?
//!
//! Half of what they are apart goes to the end and half to the start, each eased in over some time
//! with a cubic that also takes half of the difference of their velocities.

use surefoot_core::{Footplants, Leg, Loop, Motion, Plant, Pose, Quat, Vec3};

use super::cycle::Cycle;
use super::seam::around;
use super::{Begin, Settings, plants, settings_of};
use crate::edited::{Edited, SHORTEST};
use crate::mix::{exp, log};
use crate::pair::{self, PairError};
use surefoot_core::Clip;
use surefoot_solve::CleanError;

/// The time over which velocities are taken, to each side, in seconds: a capture's frames shake.
const VELOCITY: f64 = 0.03;

/// A closed loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Closed {
    /// The motion: a period, and its first frame once more, moved on. Plants may end after it: those
    /// are held across the seam.
    pub edited: Edited,
    /// What makes it a loop.
    pub looped: Loop,
    /// The captured frame that it begins with.
    pub begins: usize,
}

/// Closes a cycle of a motion.
pub fn close(
    motion: &Motion,
    footplants: &Footplants,
    legs: &[Leg],
    cycle: &Cycle,
    settings: &Settings,
) -> Result<Closed, PairError> {
    pair::check_one(motion, 0)?;
    let last = cycle.last.min(motion.frames() - 1);
    let first = cycle.first.min(last);
    let period = (last - first).max(1);
    let looped = Loop { period, travel: cycle.travel };
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
    let mut inside = plants::within(footplants, first, period, SHORTEST * motion.fps);
    let is_eased = |plant: &&mut Plant| plant.frames.start <= ease || plant.frames.end + ease >= period;
    if !gap.is_nothing() {
        // Where feet were eased elsewhere, spots are where they stood before.
        inside.plants.iter_mut().filter(is_eased).for_each(|plant| plant.spot = None);
    }
    let closed = Motion { poses, ..motion.clone() };
    let begins = match settings.begin {
        Begin::First => 0,
        Begin::Quietest => quietest(&closed, &looped, settings),
    };
    let motion = turned(&closed, &looped, begins);
    let plants = plants::turned(&closed, legs, &inside, &looped, begins);
    let changed = 0..motion.frames();
    Ok(Closed { edited: Edited { motion, plants, changed }, looped, begins: first + begins })
}

/// A loop begun anew where it goes on most quietly once it is clean, and how many frames later that is:
/// cleaning moves the quietest place a little.
pub fn begun_quietly(clip: &Clip, settings: &surefoot_solve::Settings) -> Result<(Clip, usize), CleanError> {
    let Some(looped) = clip.looping else { return Ok((clip.clone(), 0)) };
    let clean = surefoot_solve::clean(clip, settings)?.clip.relative_to_ground().performance().motion;
    let later = quietest(&clean, &looped, &settings_of(clip));
    if later == 0 {
        return Ok((clip.clone(), 0));
    }
    let Clip { motion, plants, .. } = clip.performance();
    let mut begun = turned(&motion, &looped, later);
    // As many frames as before: the first may not be there again at the end.
    begun.poses.truncate(motion.frames());
    let plants = plants::turned(&motion, &clip.legs, &plants, &looped, later);
    Ok((clip.with_performance(begun, &plants), later))
}

/// The frame at which the loop goes on most quietly: both its step and its change of step are the
/// smallest share of what they are as a rule.
fn quietest(motion: &Motion, looped: &Loop, settings: &Settings) -> usize {
    let (steps, turns) = around(motion, looped, &settings.map.weights(motion));
    let median = |values: &[f64]| {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2].max(1e-9)
    };
    let (step, turn) = (median(&steps), median(&turns));
    let count = steps.len();
    let loud = |frame: usize| {
        let before = (frame + count - 1) % count;
        (steps[before] / step).max(turns[before] / turn).max(turns[frame] / turn)
    };
    (0..count).min_by(|&a, &b| loud(a).total_cmp(&loud(b))).unwrap_or(0)
}

/// The same loop from another frame on, and that once more at the end.
fn turned(motion: &Motion, looped: &Loop, begins: usize) -> Motion {
    let pose = |frame: usize| {
        let round = (frame / looped.period) as isize;
        looped.travel.repeated(round).pose(&motion.poses[frame % looped.period], &motion.skeleton)
    };
    Motion { poses: (begins..=begins + looped.period).map(pose).collect(), ..motion.clone() }
}

/// What a joint's end lacks to be at its start: places and turns, and both a frame.
struct Gap {
    joints: Vec<[Vec3; 4]>,
    roots: Vec<bool>,
}

impl Gap {
    fn new(motion: &Motion, first: usize, last: usize, travel: &surefoot_core::RigidTransform) -> Self {
        let poses = &motion.poses;
        let far = (VELOCITY * motion.fps).round().max(1.0) as usize;
        // About both frames if the capture goes on there; else of the frames next to them.
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

    /// Whether end and start meet already, to a thousandth of a millimetre and a millionth of a radian.
    fn is_nothing(&self) -> bool {
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

    /// Eases the start towards the end. What a root lacks is seen from the end, so it is turned back.
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

/// The cubic that goes from 0 to 1, level at both ends; and the one that is 0 at both and has slope 1
/// a frame at the second.
fn cubic(share: f64, ease: usize) -> (f64, f64) {
    let t = share;
    (t * t * (3.0 - 2.0 * t), ease as f64 * t * t * (t - 1.0))
}
