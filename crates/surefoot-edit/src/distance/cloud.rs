//! Point clouds: the weighted world positions of all joints, frame by frame.

use surefoot_core::math::sqrt;
use surefoot_core::{JointId, Leg, Motion, Quat, Skeleton, Vec3, WorldPose};

use crate::body_root::{joints_above_body, pelvis_of};

/// Number of frames that are interleaved in memory, one per SIMD lane.
pub(super) const LANES: usize = 4;

/// Joint weights that sum to 1.
///
/// Each joint gets half the length of every bone that it belongs to, so that the twenty short bones
/// of a hand do not outweigh the body.
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
    normalize(weights)
}

/// Joint weights of the body alone: joints above the pelvis, such as a root on the ground, weigh nothing, and the
/// distance to them is no bone.
pub fn weights_of_body(skeleton: &Skeleton, legs: &[Leg]) -> Vec<f64> {
    let above = joints_above_body(skeleton, legs);
    let pelvis = pelvis_of(skeleton, legs);
    let joint = |id: JointId| {
        let mut joint = skeleton.joint(id).clone();
        if id == pelvis || above.contains(&id) {
            joint.offset = Vec3::ZERO;
        }
        joint
    };
    let Ok(body) = Skeleton::new(skeleton.ids().map(joint).collect()) else {
        return weights_by_bone(skeleton);
    };
    let mut weights = weights_by_bone(&body);
    above.iter().for_each(|joint| weights[joint.index()] = 0.0);
    normalize(weights)
}

/// Scales weights to sum to 1. Weights that sum to zero become uniform.
pub(super) fn normalize(mut weights: Vec<f64>) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let even = 1.0 / weights.len().max(1) as f64;
    weights.iter_mut().for_each(|weight| *weight = if sum > 0.0 { *weight / sum } else { even });
    weights
}

/// The point clouds of a motion.
pub(super) struct Clouds {
    pub frames: usize,
    pub joints: usize,
    /// Every position times the square root of its weight. Layout: blocks of `LANES` frames, in each
    /// block the joints, for each joint x, z and y, for each coordinate the lanes. The last block is
    /// padded with zeros.
    pub points: Vec<f64>,
    /// Prefix sums over frames of weighted x, z and squared distance to the origin; one entry more
    /// than frames.
    pub sums: Vec<[f64; 3]>,
}

impl Clouds {
    /// The clouds of every `stride`th frame, rotated by `upright` and moved by `-middle`. Far from the
    /// origin, differences of large squares would lose precision.
    pub fn new(motion: &Motion, weights: &[f64], upright: Quat, middle: Vec3, stride: usize) -> Self {
        let frames = motion.frames().div_ceil(stride);
        let joints = weights.len();
        let mut clouds = Self {
            frames,
            joints,
            points: vec![0.0; frames.div_ceil(LANES) * LANES * joints * 3],
            sums: vec![[0.0; 3]],
        };
        let mut world = WorldPose::default();
        for (frame, pose) in motion.poses.iter().step_by(stride).enumerate() {
            pose.forward_kinematics(&motion.skeleton, &mut world);
            let mut sums = clouds.sums[frame];
            for (joint, (&weight, &point)) in weights.iter().zip(&world.positions).enumerate() {
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

    /// The points of one frame by joint: x, z, y, each times the square root of its weight.
    pub fn row(&self, frame: usize) -> Vec<[f64; 3]> {
        let at = |joint: usize| ((frame / LANES) * self.joints + joint) * 3 * LANES + frame % LANES;
        (0..self.joints).map(|joint| [0, 1, 2].map(|part| self.points[at(joint) + part * LANES])).collect()
    }

    /// The sums over the frames from `from` up to, not including, `to`.
    pub fn sum(&self, from: usize, to: usize) -> [f64; 3] {
        [0, 1, 2].map(|n| self.sums[to][n] - self.sums[from][n])
    }
}

/// The mean horizontal position of the first joint, subtracted before squares are summed.
pub(super) fn middle(motion: &Motion, upright: Quat) -> Vec3 {
    let sum: Vec3 = motion.poses.iter().filter_map(|pose| pose.offsets.first()).sum();
    let middle = upright * (sum / motion.poses.len().max(1) as f64);
    // Heights are not aligned by the fit, so they stay absolute.
    Vec3::new(middle.x, 0.0, middle.z)
}
