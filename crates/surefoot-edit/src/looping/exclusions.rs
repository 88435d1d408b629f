//! Frames that belong to no cycle: rest poses and still stretches.

use surefoot_core::math::PI;
use surefoot_core::{Motion, Pose};

use super::Settings;

/// Largest rotation of any joint but the root in a rest pose, in radians: 2°. Captured poses differ from the rest pose by
/// tens of degrees.
const REST_ROTATION: f64 = 2.0 * PI / 180.0;

/// Largest share of rest poses that are left out. A motion with more of them moves by its root alone.
const MAX_REST_SHARE: f64 = 0.3;

/// Mean speed of the joints below which a stretch is still, as a share of the 90th percentile of the motion. Someone who
/// stands sways at a hundredth of the speed of a walk.
const STILL_SHARE: f64 = 0.2;

/// Mean speed of the joints below which a stretch is frozen, in metres per second. The sway of someone who stands is
/// faster.
const FROZEN_SPEED: f64 = 0.002;

/// Shortest frozen stretch that keeps a cycle from being used, in seconds. Captures repeat single frames.
const FROZEN_SECONDS: f64 = 0.25;

/// What can be asked about a stretch of frames.
pub(super) struct Exclusions {
    /// Distance moved by the joints up to each frame, in metres.
    pub moved: Vec<f64>,
    /// Number of rest poses before each frame.
    rest: Vec<usize>,
    /// Number of frames of frozen stretches before each frame.
    frozen_frames: Vec<usize>,
    /// Steps per frame below which a stretch is still, and frozen, in metres.
    still: f64,
    frozen: f64,
}

impl Exclusions {
    pub fn new(motion: &Motion, settings: &Settings) -> Self {
        let steps = super::seam::steps(motion, &settings.map.weights(motion));
        let mut moved = vec![0.0];
        for step in &steps {
            moved.push(moved[moved.len() - 1] + step);
        }
        let frozen = FROZEN_SPEED / motion.fps;
        let frozen_frames = sums(frozen_stretches(&steps, frozen, FROZEN_SECONDS * motion.fps));
        let mut sorted = steps;
        sorted.sort_by(f64::total_cmp);
        let fast = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(0.0);
        let is_rest: Vec<bool> = motion.poses.iter().map(|pose| is_rest(pose, motion)).collect();
        let count = is_rest.iter().filter(|is| **is).count();
        let is_known = count as f64 <= MAX_REST_SHARE * motion.frames() as f64;
        let rest = sums(is_rest.into_iter().map(|is| is && is_known));
        Self { moved, rest, frozen_frames, still: STILL_SHARE * fast, frozen }
    }

    /// Mean movement per frame from one frame to another, in metres.
    pub fn mean_step(&self, first: usize, last: usize) -> f64 {
        (self.moved[last] - self.moved[first]) / (last - first).max(1) as f64
    }

    /// Whether a stretch has a rest pose, or hardly moves at all.
    pub fn is_excluded(&self, first: usize, last: usize) -> bool {
        self.rest[last + 1] > self.rest[first] || self.mean_step(first, last) < self.frozen
    }

    /// Whether a stretch is still, compared with the rest of the motion, or freezes in between.
    pub fn is_still(&self, first: usize, last: usize) -> bool {
        self.mean_step(first, last) < self.still || self.frozen_frames[last] > self.frozen_frames[first]
    }
}

/// The number of true values before each index.
fn sums(values: impl IntoIterator<Item = bool>) -> Vec<usize> {
    let mut sums = vec![0];
    for value in values {
        sums.push(sums[sums.len() - 1] + usize::from(value));
    }
    sums
}

/// Which steps belong to a stretch of at least `shortest` frames without movement.
fn frozen_stretches(steps: &[f64], frozen: f64, shortest: f64) -> Vec<bool> {
    let runs = steps.chunk_by(|a, b| (*a < frozen) == (*b < frozen));
    let is_frozen =
        |run: &[f64]| run.first().is_some_and(|step| *step < frozen) && run.len() as f64 >= shortest;
    runs.flat_map(|run| core::iter::repeat_n(is_frozen(run), run.len())).collect()
}

/// Whether all joints but the roots have their rest rotation.
fn is_rest(pose: &Pose, motion: &Motion) -> bool {
    let skeleton = &motion.skeleton;
    let bends = |joint: surefoot_core::JointId| {
        let rotation = pose.rotations[joint.index()];
        rotation.angle_between(surefoot_core::Quat::IDENTITY) > REST_ROTATION
    };
    // A motion of a few joints is no body.
    skeleton.len() > 4 && !skeleton.ids().filter(|&joint| skeleton.parent(joint).is_some()).any(bends)
}
