//! Forward kinematics of the captured legs: positions and rotations in world space.
//!
//! Only the joints between the root and the foot points are computed. Two legs with equally long joint
//! chains, as on most bodies, run in the two lanes of a SIMD register.

use surefoot_core::{JointId, Pose, Quat, Vec3};

use super::leg::CapturedLeg;
use super::two_lane::{Quatx2, Vec3x2};
use crate::setup::{FootPointSetup, LegSetup, Setup};
use crate::stream::slots::LegSlot;

/// A captured pose.
#[derive(Clone, Copy)]
pub(crate) struct CapturedPose<'a> {
    pub pose: &'a Pose,
    /// Whether joints other than the root have other offsets than in the skeleton.
    pub has_own_offsets: bool,
}

/// Computes the captured legs of one frame.
pub(crate) fn forward_kinematics(legs: &mut [LegSlot], setup: &Setup, pose: CapturedPose) {
    for pair in &setup.pairs {
        match legs.get_disjoint_mut(pair.legs) {
            Ok([first, second]) => pair.solve(pose, [&mut first.captured, &mut second.captured]),
            // A leg without a partner: both lanes are this leg.
            Err(_) => pair.solve(pose, [&mut legs[pair.legs[0]].captured, &mut CapturedLeg::default()]),
        }
    }
}

/// Positions and rotations of a joint of each leg, in world space or relative to the parent.
#[derive(Clone, Copy)]
struct Transforms {
    positions: Vec3x2,
    rotations: Quatx2,
}

/// A joint of each leg.
#[derive(Clone, Debug)]
struct JointPair {
    joints: [usize; 2],
    /// Offsets of the skeleton.
    offsets: Vec3x2,
}

impl JointPair {
    fn new(joints: [JointId; 2], offsets: &[Vec3]) -> Self {
        let joints = joints.map(JointId::index);
        Self { joints, offsets: Vec3x2::new(joints.map(|joint| offsets[joint])) }
    }

    /// Offsets and rotations of the pose, relative to the parents.
    #[inline(always)]
    fn local_in_pose(&self, pose: CapturedPose) -> Transforms {
        Transforms { positions: self.offsets_in_pose(pose), rotations: self.rotations(pose) }
    }

    /// Offsets and rotations relative to the parents, with the skeleton's offsets where the pose does not change them.
    #[inline(always)]
    fn local(&self, pose: CapturedPose) -> Transforms {
        let rotations = self.rotations(pose);
        let positions = if pose.has_own_offsets { self.own_offsets(pose) } else { self.offsets };
        Transforms { positions, rotations }
    }

    #[inline(always)]
    fn rotations(&self, pose: CapturedPose) -> Quatx2 {
        Quatx2::new(self.joints.map(|joint| pose.pose.rotations[joint]))
    }

    #[inline(always)]
    fn offsets_in_pose(&self, pose: CapturedPose) -> Vec3x2 {
        Vec3x2::new(self.joints.map(|joint| pose.pose.offsets[joint]))
    }

    #[cold]
    #[inline(never)]
    fn own_offsets(&self, pose: CapturedPose) -> Vec3x2 {
        self.offsets_in_pose(pose)
    }

    /// Points in the space of these joints, in the space of their parents.
    #[inline(always)]
    fn to_parents(&self, points: Vec3x2, pose: CapturedPose) -> Vec3x2 {
        let Transforms { positions, rotations } = self.local(pose);
        positions + rotations.rotate(points)
    }

    /// These joints in world space, below parents in world space.
    #[inline(always)]
    fn below(&self, parents: Transforms, pose: CapturedPose) -> Transforms {
        let local = self.local(pose);
        Transforms {
            positions: parents.positions + parents.rotations.rotate(local.positions),
            rotations: parents.rotations * local.rotations,
        }
    }
}

/// A foot point of each leg.
#[derive(Clone, Debug)]
struct PointPair {
    /// The joints below the ankle whose rotation moves the point, from the last up.
    moving_joints: Vec<JointPair>,
    /// The point in the space of the first of them, or of the ankle.
    local: Vec3x2,
    /// The joint that the point coincides with, if it does.
    at_joint: Option<JointPair>,
}

impl PointPair {
    fn new([first, second]: [&FootPointSetup; 2], offsets: &[Vec3]) -> Self {
        let local =
            |point: &FootPointSetup| point.at_joint.map_or(point.offset, |joint| offsets[joint.index()]);
        Self {
            moving_joints: joint_pairs([&first.moving_joints, &second.moving_joints], offsets),
            local: Vec3x2::new([local(first), local(second)]),
            at_joint: (first.at_joint.zip(second.at_joint))
                .map(|(first, second)| JointPair::new([first, second], offsets)),
        }
    }

    /// The points in world space.
    #[inline(always)]
    fn positions(&self, ankles: Transforms, pose: CapturedPose) -> Vec3x2 {
        let mut points = match &self.at_joint {
            Some(joint) if pose.has_own_offsets => joint.local(pose).positions,
            _ => self.local,
        };
        points = match &self.moving_joints[..] {
            [] => points,
            [joint] => joint.to_parents(points, pose),
            joints => joints.iter().fold(points, |points, joint| joint.to_parents(points, pose)),
        };
        ankles.positions + ankles.rotations.rotate(points)
    }
}

/// Two legs with equally long joint chains, or one leg in both lanes.
#[derive(Clone, Debug)]
pub(crate) struct LegPair {
    legs: [usize; 2],
    /// From the root to the parent of the hip.
    above_hip: Vec<JointPair>,
    hip: JointPair,
    thigh: Vec<JointPair>,
    shin: Vec<JointPair>,
    knee_axis: Vec3x2,
    heel: PointPair,
    ball: PointPair,
    toe: PointPair,
}

impl LegPair {
    /// All legs; two that follow each other share a pair if their chains are equally long. `offsets` are
    /// those of the skeleton.
    pub fn all(legs: &[LegSetup], offsets: &[Vec3]) -> Vec<Self> {
        let mut pairs: Vec<[usize; 2]> = Vec::new();
        for (n, leg) in legs.iter().enumerate() {
            match pairs.last_mut() {
                Some([first, second]) if first == second && legs[*first].has_chains_like(leg) => *second = n,
                _ => pairs.push([n; 2]),
            }
        }
        pairs.into_iter().map(|pair| Self::new(pair, pair.map(|n| &legs[n]), offsets)).collect()
    }

    fn new(indices: [usize; 2], legs: [&LegSetup; 2], offsets: &[Vec3]) -> Self {
        Self {
            legs: indices,
            above_hip: joint_pairs(legs.map(|leg| &leg.above_hip[..]), offsets),
            hip: JointPair::new(legs.map(|leg| leg.leg.hip), offsets),
            thigh: joint_pairs(legs.map(|leg| &leg.thigh[..]), offsets),
            shin: joint_pairs(legs.map(|leg| &leg.shin[..]), offsets),
            knee_axis: Vec3x2::new(legs.map(|leg| leg.hinge.axis)),
            heel: PointPair::new(legs.map(|leg| &leg.heel), offsets),
            ball: PointPair::new(legs.map(|leg| &leg.ball), offsets),
            toe: PointPair::new(legs.map(|leg| &leg.toe), offsets),
        }
    }

    fn solve(&self, pose: CapturedPose, [first, second]: [&mut CapturedLeg; 2]) {
        // The offset of a root always comes from the pose.
        let (above, hip_pose) = match self.above_hip.split_first() {
            Some((root, rest)) => (follow_chain(root.local_in_pose(pose), rest, pose).end, pose),
            None => (origin(), CapturedPose { has_own_offsets: true, ..pose }),
        };
        [first.hip_parent, second.hip_parent] = above.rotations.split();
        let hip = self.hip.below(above, hip_pose);
        [first.hip, second.hip] = hip.positions.split();
        let knee = follow_chain(hip, &self.thigh, pose);
        [first.knee, second.knee] = knee.end.positions.split();
        [first.knee_axis, second.knee_axis] = knee.parent_rotations.rotate(self.knee_axis).split();
        let ankle = follow_chain(knee.end, &self.shin, pose);
        [first.ankle_parent, second.ankle_parent] = ankle.parent_rotations.split();
        [first.ankle, second.ankle] = ankle.end.positions.split();
        [first.ankle_rotation, second.ankle_rotation] = ankle.end.rotations.split();
        [first.heel, second.heel] = self.heel.positions(ankle.end, pose).split();
        [first.ball, second.ball] = self.ball.positions(ankle.end, pose).split();
        [first.toe, second.toe] = self.toe.positions(ankle.end, pose).split();
    }
}

/// The parent of a hip that is the root.
fn origin() -> Transforms {
    Transforms { positions: Vec3x2::new([Vec3::ZERO; 2]), rotations: Quatx2::new([Quat::IDENTITY; 2]) }
}

fn joint_pairs([first, second]: [&[JointId]; 2], offsets: &[Vec3]) -> Vec<JointPair> {
    first.iter().zip(second).map(|(first, second)| JointPair::new([*first, *second], offsets)).collect()
}

/// The end of a joint chain, and the rotations of the parents of its last joints.
struct ChainEnd {
    parent_rotations: Quatx2,
    end: Transforms,
}

#[inline(always)]
fn follow_chain(start: Transforms, chain: &[JointPair], pose: CapturedPose) -> ChainEnd {
    match chain {
        [] => ChainEnd { parent_rotations: start.rotations, end: start },
        [joints] => ChainEnd { parent_rotations: start.rotations, end: joints.below(start, pose) },
        _ => follow_long_chain(start, chain, pose),
    }
}

#[cold]
#[inline(never)]
fn follow_long_chain(start: Transforms, chain: &[JointPair], pose: CapturedPose) -> ChainEnd {
    let mut at = ChainEnd { parent_rotations: start.rotations, end: start };
    for joints in chain {
        at = ChainEnd { parent_rotations: at.end.rotations, end: joints.below(at.end, pose) };
    }
    at
}
