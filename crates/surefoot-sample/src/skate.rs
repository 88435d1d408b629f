//! Damage, the way captures are damaged. Only the root's place and the joints' turns change;
//! frames, frame rate and bones stay, and so do the true plants.
//!
//! Every damage is a function of time, so that it is the same at every frame rate.

use crate::noise::{Random, Wander};
use crate::recipe::{SampleError, Skate};
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos, sin};
use surefoot_core::{Motion, Pose};

/// Refuses an amount that is out of its range.
pub(crate) fn check(skate: Skate) -> Result<(), SampleError> {
    let (least, most) = match skate {
        Skate::Scale(_) => (0.1, 10.0),
        Skate::Drift(_) => (0.0, 1.0),
        Skate::Noise(_) => (0.0, 0.1),
        Skate::Blend(_) => (0.0, 1.0),
    };
    if (least..=most).contains(&skate.amount()) {
        return Ok(());
    }
    Err(SampleError::Amount { skate, least, most })
}

/// Damages a motion; another seed does it in another way.
pub fn damage(motion: &mut Motion, skate: Skate, seed: u64) {
    match skate {
        Skate::Scale(times) => scale(motion, times),
        Skate::Drift(metres) => drift(motion, metres, seed),
        Skate::Noise(metres) => shake(motion, metres, seed),
        Skate::Blend(share) => blend(motion, share),
    }
}

fn scale(motion: &mut Motion, times: f64) {
    let Some(first) = motion.poses.first().map(|pose| pose.offsets[0]) else {
        return;
    };
    for pose in &mut motion.poses {
        let root = &mut pose.offsets[0];
        root.x = first.x + (root.x - first.x) * times;
        root.z = first.z + (root.z - first.z) * times;
    }
}

/// The frequencies of slow drift, in hertz: it takes seconds to get anywhere.
const SLOW: (f64, f64) = (0.05, 0.35);
/// The frequencies of loose markers, in hertz: what filtering at 6 to 10 Hz lets through.
const QUICK: (f64, f64) = (1.0, 8.0);
/// How far a drifting body turns with each metre it drifts, in radians.
const DRIFT_TURNS: f64 = 1.0;
/// How far a shaken joint turns for each metre the root is shaken by, in radians: 2 mm go with
/// a quarter of a degree, and peaks of three times that.
const SHAKE_TURNS: f64 = 2.0;
/// The share of a shake that comes and goes slowly, as soft tissue does, against the quick part.
const SLOW_SHARE: f64 = 0.7;

fn drift(motion: &mut Motion, metres: f64, seed: u64) {
    let mut random = Random::new(seed, 10);
    let [x, z, yaw] = core::array::from_fn(|_| Wander::new(&mut random, SLOW.0, SLOW.1));
    let fps = motion.fps;
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        // Nothing has drifted when the capture begins.
        let gone = |wander: &Wander| metres * (wander.at(frame as f64 / fps) - wander.at(0.0));
        pose.offsets[0] += Vec3::new(gone(&x), 0.0, gone(&z));
        pose.rotations[0] = axis_rotation(1, DRIFT_TURNS * gone(&yaw)) * pose.rotations[0];
    }
}

/// Three quick and three slow wanders, for the three axes.
struct Shake {
    quick: [Wander; 3],
    slow: [Wander; 3],
}

impl Shake {
    fn new(random: &mut Random) -> Self {
        Self {
            quick: core::array::from_fn(|_| Wander::new(random, QUICK.0, QUICK.1)),
            slow: core::array::from_fn(|_| Wander::new(random, SLOW.0, SLOW.1)),
        }
    }

    fn at(&self, time: f64) -> Vec3 {
        let axis = |k: usize| self.quick[k].at(time) + SLOW_SHARE * self.slow[k].at(time);
        Vec3::new(axis(0), axis(1), axis(2))
    }
}

fn shake(motion: &mut Motion, metres: f64, seed: u64) {
    let mut random = Random::new(seed, 11);
    let root = Shake::new(&mut random);
    let joints: Vec<Shake> = motion.skeleton.ids().map(|_| Shake::new(&mut random)).collect();
    let fps = motion.fps;
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / fps;
        pose.offsets[0] += root.at(time) * metres;
        for (rotation, joint) in pose.rotations.iter_mut().zip(&joints) {
            let turn = joint.at(time) * (SHAKE_TURNS * metres);
            *rotation *= small_turn(turn);
        }
    }
}

/// The turn by these small angles about X, Y and Z.
fn small_turn(angles: Vec3) -> Quat {
    axis_rotation(1, angles.y) * axis_rotation(0, angles.x) * axis_rotation(2, angles.z)
}

/// Seconds from one fade to the next.
const FADES_EVERY: f64 = 5.0;
/// How far the copy is out of step, at most, and how long it takes to be so both ways, in seconds.
const OUT_OF_STEP: f64 = 0.22;
const PACE_CHANGES_EVERY: f64 = 3.7;
/// Where the copy is put beside the original, in metres.
const BESIDE: Vec3 = Vec3::new(0.06, 0.0, -0.04);

fn blend(motion: &mut Motion, share: f64) {
    let before = motion.clone();
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / before.fps;
        let late = OUT_OF_STEP * (0.5 + 0.5 * sin(2.0 * PI * time / PACE_CHANGES_EVERY));
        let copy = pose_between(&before, time - late);
        let weight = share * (0.5 - 0.5 * cos(2.0 * PI * time / FADES_EVERY));
        fade(pose, &copy, weight);
    }
}

/// The pose at any time in seconds, between the two frames around it. The motion has a frame.
pub fn pose_between(motion: &Motion, time: f64) -> Pose {
    let last = motion.poses.len() - 1;
    let at = (time * motion.fps).clamp(0.0, last as f64);
    let frame = (at as usize).min(last.saturating_sub(1));
    let mut pose = motion.poses[frame].clone();
    let next = &motion.poses[(frame + 1).min(last)];
    mix(&mut pose, next, at - frame as f64);
    pose
}

fn fade(pose: &mut Pose, copy: &Pose, weight: f64) {
    mix(pose, copy, weight);
    pose.offsets[0] += BESIDE * weight;
}

fn mix(pose: &mut Pose, other: &Pose, weight: f64) {
    pose.offsets[0] = pose.offsets[0].lerp(other.offsets[0], weight);
    for (rotation, other) in pose.rotations.iter_mut().zip(&other.rotations) {
        *rotation = rotation.slerp(*other, weight);
    }
}
