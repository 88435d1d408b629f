//! A motion as clouds of points, one a frame: its joints in the world, each by its weight.

use surefoot_core::math::sqrt;
use surefoot_core::{Motion, Quat, Skeleton, Vec3, WorldPose};

/// How many frames stand side by side in memory, so that one joint of all is done at a time.
pub(super) const LANES: usize = 4;

/// How much each joint counts; they sum to 1.
///
/// Each bone counts by its length, half for each of its ends: a hand of twenty short bones is then no
/// more than a hand.
pub fn weights_by_bone(skeleton: &Skeleton) -> Vec<f64> {
    let mut weights = vec![0.0; skeleton.len()];
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let length = joint.offset.length();
        if let Some(parent) = joint.parent {
            weights[parent.index()] += 0.5 * length;
            weights[index] += 0.5 * length;
        }
        weights[index] += joint.end.map_or(0.0, |end| 0.5 * end.length());
    }
    normalised(weights)
}

/// The same weights, summing to 1; all alike where they sum to nothing.
pub(super) fn normalised(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { even });
    weights
}

/// The clouds of a motion.
pub(super) struct Clouds {
    pub frames: usize,
    pub joints: usize,
    /// Every point times the root of its weight: frames in blocks of `LANES`, in a block joint by
    /// joint, of a joint x, z and y, of each the lanes. The last block is filled up with zeros.
    pub points: Vec<f64>,
    /// Sums over the frames before each, and one more: x, z, and the square of the distance to the
    /// origin, of all points by weight.
    pub sums: Vec<[f64; 3]>,
}

impl Clouds {
    /// Every `stride`th frame of a motion, turned by `upright` and moved by `-middle`: far from the
    /// origin, small differences of large squares would lose their digits.
    pub fn new(motion: &Motion, weights: &[f64], upright: Quat, middle: Vec3, stride: usize) -> Self {
        let frames = motion.frames().div_ceil(stride);
        let joints = weights.len();
        let mut clouds = Self {
            frames,
            joints,
            points: vec![0.0; frames.div_ceil(LANES) * LANES * joints * 3],
            sums: vec![[0.0; 3]],
        };
        let mut placed = WorldPose::default();
        for (frame, pose) in motion.poses.iter().step_by(stride).enumerate() {
            pose.forward_kinematics(&motion.skeleton, &mut placed);
            let mut sums = clouds.sums[frame];
            for (joint, (&weight, &point)) in weights.iter().zip(&placed.positions).enumerate() {
                let point = upright * point - middle;
                let at = ((frame / LANES) * joints + joint) * 3 * LANES + frame % LANES;
                let root = sqrt(weight);
                for (part, value) in [point.x, point.z, point.y].into_iter().enumerate() {
                    clouds.points[at + part * LANES] = root * value;
                }
                let more = [point.x, point.z, point.length_squared()];
                (0..3).for_each(|n| sums[n] += weight * more[n]);
            }
            clouds.sums.push(sums);
        }
        clouds
    }

    /// One frame's points by joint: x, z, y, each times the root of its weight.
    pub fn row(&self, frame: usize) -> Vec<[f64; 3]> {
        let at = |joint: usize| ((frame / LANES) * self.joints + joint) * 3 * LANES + frame % LANES;
        (0..self.joints).map(|joint| [0, 1, 2].map(|part| self.points[at(joint) + part * LANES])).collect()
    }

    /// The sums over some frames.
    pub fn sum(&self, from: usize, to: usize) -> [f64; 3] {
        [0, 1, 2].map(|n| self.sums[to][n] - self.sums[from][n])
    }
}

/// The mean place of the first joint, seen upright: what is taken off before squares are taken.
pub(super) fn middle(motion: &Motion, upright: Quat) -> Vec3 {
    let sum: Vec3 = motion.poses.iter().filter_map(|pose| pose.offsets.first()).sum();
    let middle = upright * (sum / motion.poses.len().max(1) as f64);
    // Heights are compared as they are.
    Vec3::new(middle.x, 0.0, middle.z)
}
