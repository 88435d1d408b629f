//! Damage of the kinds that captures have. Only the root and the joint rotations change; frames, frame
//! rate, bones and true plants stay.
//!
//! All damage is a function of time, so it is the same at every frame rate.

use crate::random::{Random, SmoothNoise};
use crate::recipe::{SampleError, Skate};
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos, sin};
use surefoot_core::{Motion, Pose};

/// Returns an error if the amount is out of range.
pub(crate) fn check(skate: Skate) -> Result<(), SampleError> {
    let (min, max) = match skate {
        Skate::Scale(_) => (0.1, 10.0),
        Skate::Drift(_) => (0.0, 1.0),
        Skate::Noise(_) => (0.0, 0.1),
        Skate::Blend(_) => (0.0, 1.0),
    };
    if (min..=max).contains(&skate.amount()) {
        return Ok(());
    }
    Err(SampleError::Amount { skate, min, max })
}

/// Damages a motion. The seed draws the random parts.
pub fn damage(motion: &mut Motion, skate: Skate, seed: u64) {
    match skate {
        Skate::Scale(factor) => scale_path(motion, factor),
        Skate::Drift(metres) => add_drift(motion, metres, seed),
        Skate::Noise(metres) => add_noise(motion, metres, seed),
        Skate::Blend(weight) => blend_with_copy(motion, weight),
    }
}

fn scale_path(motion: &mut Motion, factor: f64) {
    let Some(first) = motion.poses.first().map(|pose| pose.offsets[0]) else {
        return;
    };
    for pose in &mut motion.poses {
        let root = &mut pose.offsets[0];
        root.x = first.x + (root.x - first.x) * factor;
        root.z = first.z + (root.z - first.z) * factor;
    }
}

/// Frequency band of slow drift, in hertz.
const SLOW_BAND: (f64, f64) = (0.05, 0.35);
/// Frequency band of loose markers, in hertz: what the usual filters of 6 to 10 Hz let through.
const FAST_BAND: (f64, f64) = (1.0, 8.0);
/// Yaw of a drifting body, in radians per metre of drift.
const DRIFT_YAW: f64 = 1.0;
/// Rotation noise of a joint, in radians per metre of noise at the root: 2 mm go with a quarter of a
/// degree, and peaks are three times that.
const NOISE_ROTATION: f64 = 2.0;
/// Amplitude of the slow part of the noise relative to the fast part, as with soft tissue.
const SLOW_AMPLITUDE: f64 = 0.7;

fn add_drift(motion: &mut Motion, metres: f64, seed: u64) {
    let mut random = Random::new(seed, 10);
    let [x, z, yaw] = core::array::from_fn(|_| SmoothNoise::new(&mut random, SLOW_BAND.0, SLOW_BAND.1));
    let fps = motion.fps;
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        // The drift starts at 0 in the first frame.
        let drift = |noise: &SmoothNoise| metres * (noise.at(frame as f64 / fps) - noise.at(0.0));
        pose.offsets[0] += Vec3::new(drift(&x), 0.0, drift(&z));
        pose.rotations[0] = axis_rotation(1, DRIFT_YAW * drift(&yaw)) * pose.rotations[0];
    }
}

/// Fast and slow noise in three axes.
struct MarkerNoise {
    fast: [SmoothNoise; 3],
    slow: [SmoothNoise; 3],
}

impl MarkerNoise {
    fn new(random: &mut Random) -> Self {
        Self {
            fast: core::array::from_fn(|_| SmoothNoise::new(random, FAST_BAND.0, FAST_BAND.1)),
            slow: core::array::from_fn(|_| SmoothNoise::new(random, SLOW_BAND.0, SLOW_BAND.1)),
        }
    }

    fn at(&self, time: f64) -> Vec3 {
        let axis = |k: usize| self.fast[k].at(time) + SLOW_AMPLITUDE * self.slow[k].at(time);
        Vec3::new(axis(0), axis(1), axis(2))
    }
}

fn add_noise(motion: &mut Motion, metres: f64, seed: u64) {
    let mut random = Random::new(seed, 11);
    let root = MarkerNoise::new(&mut random);
    let joints: Vec<MarkerNoise> = motion.skeleton.ids().map(|_| MarkerNoise::new(&mut random)).collect();
    let fps = motion.fps;
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / fps;
        pose.offsets[0] += root.at(time) * metres;
        for (rotation, joint) in pose.rotations.iter_mut().zip(&joints) {
            let angles = joint.at(time) * (NOISE_ROTATION * metres);
            *rotation *= small_rotation(angles);
        }
    }
}

/// The rotation by small angles about X, Y and Z.
fn small_rotation(angles: Vec3) -> Quat {
    axis_rotation(1, angles.y) * axis_rotation(0, angles.x) * axis_rotation(2, angles.z)
}

/// Period of the blend weight, in seconds.
const BLEND_PERIOD: f64 = 5.0;
/// Largest delay of the copy, in seconds.
const MAX_DELAY: f64 = 0.22;
/// Period of the delay, in seconds.
const DELAY_PERIOD: f64 = 3.7;
/// Offset of the copy from the original, in metres.
const COPY_OFFSET: Vec3 = Vec3::new(0.06, 0.0, -0.04);

fn blend_with_copy(motion: &mut Motion, max_weight: f64) {
    let before = motion.clone();
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / before.fps;
        let delay = MAX_DELAY * (0.5 + 0.5 * sin(2.0 * PI * time / DELAY_PERIOD));
        let copy = pose_between(&before, time - delay);
        let weight = max_weight * (0.5 - 0.5 * cos(2.0 * PI * time / BLEND_PERIOD));
        blend(pose, &copy, weight);
        pose.offsets[0] += COPY_OFFSET * weight;
    }
}

/// Returns the pose at a time in seconds, interpolated between two frames. The motion must have a frame.
pub fn pose_between(motion: &Motion, time: f64) -> Pose {
    let last = motion.poses.len() - 1;
    let at = (time * motion.fps).clamp(0.0, last as f64);
    let frame = (at as usize).min(last.saturating_sub(1));
    let mut pose = motion.poses[frame].clone();
    let next = &motion.poses[(frame + 1).min(last)];
    blend(&mut pose, next, at - frame as f64);
    pose
}

fn blend(pose: &mut Pose, other: &Pose, weight: f64) {
    pose.offsets[0] = pose.offsets[0].lerp(other.offsets[0], weight);
    for (rotation, other) in pose.rotations.iter_mut().zip(&other.rotations) {
        *rotation = rotation.slerp(*other, weight);
    }
}
