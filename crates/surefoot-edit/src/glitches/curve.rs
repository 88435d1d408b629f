//! The curve of one joint through the frames around a gap: a cubic through two frames on either side.
//!
//! Rotations are vectors in the exponential map of the frame before the gap, so that they can be added.

use surefoot_core::math::{acos, sincos};
use surefoot_core::{FrameRange, JointId, Motion, Pose, Quat, Vec3};

/// Position and rotation of a joint relative to the frame before the gap: metres and radians.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    pub offset: Vec3,
    pub rotation: Vec3,
}

impl Placement {
    /// A joint of a pose relative to the same joint of another pose.
    pub fn relative(pose: &Pose, base: &Pose, joint: usize) -> Self {
        Self {
            offset: pose.offsets[joint] - base.offsets[joint],
            rotation: rotation_vector(base.rotations[joint].conjugate() * pose.rotations[joint]),
        }
    }
}

/// The angle between two rotations, in radians.
pub(super) fn angle_between(a: Quat, b: Quat) -> f64 {
    rotation_vector(a.conjugate() * b).length()
}

fn rotation_vector(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let sin = axis.length();
    // Near the identity the half angle is its sine.
    let half =
        if rotation.w > 0.9 { surefoot_core::math::asin(sin.min(1.0)) } else { acos(rotation.w.min(1.0)) };
    if sin < 1e-12 { axis * 2.0 } else { axis * (2.0 * half / sin) }
}

fn rotation_of(vector: Vec3) -> Quat {
    let angle = vector.length();
    if angle < 1e-12 {
        return Quat::IDENTITY;
    }
    let (sin, cos) = sincos(0.5 * angle);
    let axis = vector * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos).normalize()
}

/// The two frames before a gap and the two after it. At the ends of a motion the nearest frame counts twice.
pub(super) fn nodes(gap: &FrameRange, frames: usize) -> [usize; 4] {
    let before = gap.start.saturating_sub(1);
    let after = gap.end.min(frames - 1);
    [before.saturating_sub(1), before, after, (after + 1).min(frames - 1)]
}

/// The placement of a joint at a frame of a gap, relative to the frame before the gap, by the cubic through the frames
/// around.
pub(super) fn predicted(motion: &Motion, joint: usize, gap: &FrameRange, frame: usize) -> Placement {
    let nodes = nodes(gap, motion.frames());
    let base = &motion.poses[nodes[1]];
    let mut sum = Placement::default();
    for (node, weight) in nodes.into_iter().zip(weights(&nodes, frame)) {
        if node != nodes[1] && weight != 0.0 {
            let placement = Placement::relative(&motion.poses[node], base, joint);
            sum.offset += placement.offset * weight;
            sum.rotation += placement.rotation * weight;
        }
    }
    sum
}

/// The weights of Lagrange's cubic; of the line between the inner nodes where an outer node is missing.
fn weights(nodes: &[usize; 4], frame: usize) -> [f64; 4] {
    let at = |node: usize| nodes[node] as f64;
    let frame = frame as f64;
    if nodes[0] == nodes[1] || nodes[2] == nodes[3] {
        let share = (frame - at(1)) / (at(2) - at(1)).max(1.0);
        return [0.0, 1.0 - share, share, 0.0];
    }
    core::array::from_fn(|node| {
        let factor = |other: usize| (frame - at(other)) / (at(node) - at(other));
        (0..4).filter(|other| *other != node).map(factor).product()
    })
}

/// Offset and rotation of a joint at a frame of a gap, from the frames around.
pub(super) fn interpolated(motion: &Motion, joint: JointId, gap: &FrameRange, frame: usize) -> (Vec3, Quat) {
    let at = joint.index();
    let base = &motion.poses[nodes(gap, motion.frames())[1]];
    let Placement { offset, rotation } = predicted(motion, at, gap, frame);
    (base.offsets[at] + offset, (base.rotations[at] * rotation_of(rotation)).normalize())
}
