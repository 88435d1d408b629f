//! The positions of a body's legs at one frame, in leg lengths, and the direction it faces.

use super::MotionHeader;
use crate::leg_length::leg_length;
use surefoot_core::{Floor, JointId, Leg, Pose, Skeleton, Vec3, WorldPose};

/// Number of foot points that the model looks at: heel, ball and toe tip.
pub(super) const POINTS: usize = 3;

/// One leg at one frame, in leg lengths.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegFrame {
    /// Heel, ball and toe tip.
    pub points: [Vec3; POINTS],
    pub ankle: Vec3,
    pub hip: Vec3,
    /// The midpoint of the hips of its pair of legs.
    pub pelvis: Vec3,
    /// The direction the body faces, along the floor.
    pub forward: Vec3,
}

/// The world positions of one leg at one frame, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LegPositions {
    /// Heel, ball and toe tip.
    pub points: [Vec3; POINTS],
    pub hip: Vec3,
}

/// The legs of a body, with buffers for forward kinematics.
#[derive(Clone, Debug)]
pub(super) struct Body {
    legs: Vec<Leg>,
    /// The inverse length of each leg, in 1/m.
    scales: Vec<f64>,
    /// The floor's normal.
    pub up: Vec3,
    /// The joints that the legs depend on.
    joints: Vec<JointId>,
    world: WorldPose,
    /// The legs in the last pose, in metres.
    pub positions: Vec<LegPositions>,
}

impl Body {
    pub fn new(header: &MotionHeader) -> Self {
        let MotionHeader { skeleton, legs, floor, .. } = *header;
        Self {
            legs: legs.to_vec(),
            scales: vec![1.0; legs.len()],
            up: floor.map_or(Vec3::Y, Floor::up),
            joints: skeleton.with_ancestors(legs.iter().flat_map(Leg::joints)),
            world: Pose::rest(skeleton).world(skeleton),
            positions: vec![LegPositions::default(); legs.len()],
        }
    }

    pub fn leg_count(&self) -> usize {
        self.legs.len()
    }

    /// The other leg of a leg's pair, or the leg itself where it has none. Legs are ordered left, right, left, right.
    pub fn other(&self, leg: usize) -> usize {
        if (leg ^ 1) < self.legs.len() { leg ^ 1 } else { leg }
    }

    /// Measures the legs in a pose, which sets the unit of length.
    pub fn measure_legs(&mut self, pose: &Pose, skeleton: &Skeleton) {
        pose.forward_kinematics(skeleton, &mut self.world);
        for (scale, leg) in self.scales.iter_mut().zip(&self.legs) {
            *scale = 1.0 / leg_length(&self.world, leg);
        }
    }

    /// Computes every leg of a pose.
    pub fn pose_legs(&mut self, pose: &Pose, skeleton: &Skeleton, frames: &mut [LegFrame]) {
        pose.forward_kinematics_of(skeleton, &self.joints, &mut self.world);
        for (index, frame) in frames.iter_mut().enumerate() {
            let (leg, scale) = (&self.legs[index], self.scales[index]);
            let other = &self.legs[self.other(index)];
            let [own_hip, other_hip] = [leg.hip, other.hip].map(|hip| self.world.joint(hip));
            let points = [&leg.heel, &leg.ball, &leg.toe].map(|point| self.world.point(point));
            self.positions[index] = LegPositions { points, hip: own_hip };
            let points = points.map(|point| point * scale);
            let left_to_right = if index % 2 == 0 { other_hip - own_hip } else { own_hip - other_hip };
            *frame = LegFrame {
                points,
                ankle: self.world.joint(leg.ankle) * scale,
                hip: own_hip * scale,
                pelvis: (own_hip + other_hip) * (0.5 * scale),
                forward: facing(left_to_right, points[1] - points[0], self.up),
            };
        }
    }
}

/// Returns the direction perpendicular to the line from hip to hip, along the floor. Where that line
/// is vertical or the leg has no partner, returns the direction of the foot.
fn facing(left_to_right: Vec3, heel_to_ball: Vec3, up: Vec3) -> Vec3 {
    let forward = up.cross(left_to_right);
    if forward.length() > 1e-9 {
        return forward.normalize();
    }
    (heel_to_ball - up * heel_to_ball.dot(up)).normalize_or_zero()
}
