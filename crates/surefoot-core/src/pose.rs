//! One pose, and forward kinematics: from joint space to world space.

use crate::leg::JointPoint;
use crate::math::{Quat, Vec3};
use crate::skeleton::{JointId, Skeleton};

/// How every joint sits in its parent at one frame.
///
/// Both lists have one entry per joint. A root's offset is its place in the world. Any other
/// offset is the skeleton's own unless the capture moves that joint or a bone is stretched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Where each joint sits in its parent, in metres.
    pub offsets: Vec<Vec3>,
    /// How each joint is turned in its parent.
    pub rotations: Vec<Quat>,
}

impl Pose {
    /// Nothing turned, nothing stretched: the skeleton as its file draws it.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            offsets: skeleton.joints().iter().map(|joint| joint.offset).collect(),
            rotations: vec![Quat::IDENTITY; skeleton.len()],
        }
    }

    /// Becomes the same as another pose, in the room it has.
    pub fn copy_from(&mut self, other: &Self) {
        self.offsets.clone_from(&other.offsets);
        self.rotations.clone_from(&other.rotations);
    }

    /// Puts every joint in the world, into lists that are used again from frame to frame.
    pub fn forward_kinematics(&self, skeleton: &Skeleton, placed: &mut WorldPose) {
        placed.make_room(skeleton);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            self.place_joint(index, joint.parent, placed);
        }
    }

    /// Puts some joints in the world, in the same way; the others stay where they were.
    ///
    /// `joints` are those of [`Skeleton::with_ancestors`]: a leg is a few joints of a body that may have a hundred.
    pub fn forward_kinematics_of(&self, skeleton: &Skeleton, joints: &[JointId], placed: &mut WorldPose) {
        placed.make_room(skeleton);
        for &joint in joints {
            self.place_joint(joint.index(), skeleton.parent(joint), placed);
        }
    }

    #[inline]
    fn place_joint(&self, index: usize, parent: Option<JointId>, placed: &mut WorldPose) {
        let (position, rotation) = match parent {
            None => (self.offsets[index], self.rotations[index]),
            Some(parent) => {
                let parent = parent.index();
                let turn = placed.rotations[parent];
                (placed.positions[parent] + turn * self.offsets[index], turn * self.rotations[index])
            }
        };
        placed.positions[index] = position;
        placed.rotations[index] = rotation;
    }

    /// Every joint in the world.
    pub fn world(&self, skeleton: &Skeleton) -> WorldPose {
        let mut placed = WorldPose::default();
        self.forward_kinematics(skeleton, &mut placed);
        placed
    }
}

/// Every joint of one pose in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldPose {
    /// Where each joint is.
    pub positions: Vec<Vec3>,
    /// How each joint is turned.
    pub rotations: Vec<Quat>,
}

impl WorldPose {
    fn make_room(&mut self, skeleton: &Skeleton) {
        self.positions.resize(skeleton.len(), Vec3::ZERO);
        self.rotations.resize(skeleton.len(), Quat::IDENTITY);
    }

    /// Where a joint is.
    pub fn joint(&self, id: JointId) -> Vec3 {
        self.positions[id.index()]
    }

    /// Where a point on a joint is.
    pub fn point(&self, point: &JointPoint) -> Vec3 {
        self.joint(point.joint) + self.rotations[point.joint.index()] * point.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{PI, axis_rotation};
    use crate::skeleton::Joint;

    fn two_bones() -> Skeleton {
        let joint = |parent: Option<u32>, offset| Joint {
            name: String::new(),
            parent: parent.map(JointId),
            offset,
            end: None,
        };
        Skeleton::new(vec![joint(None, Vec3::ZERO), joint(Some(0), Vec3::X), joint(Some(1), Vec3::X)])
            .unwrap()
    }

    #[test]
    fn a_turned_joint_carries_all_below_it() {
        let skeleton = two_bones();
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = axis_rotation(2, PI / 2.0);
        pose.rotations[1] = axis_rotation(2, PI / 2.0);
        let placed = pose.world(&skeleton);
        assert!((placed.positions[1] - Vec3::Y).length() < 1e-15);
        assert!((placed.positions[2] - Vec3::new(-1.0, 1.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn some_joints_are_placed_as_all_are() {
        let joint = |parent: Option<u32>| Joint {
            name: String::new(),
            parent: parent.map(JointId),
            offset: Vec3::X,
            end: None,
        };
        let parents = [None, Some(0), Some(0), Some(2), Some(1), None];
        let skeleton = Skeleton::new(parents.map(joint).to_vec()).unwrap();
        let some = skeleton.with_ancestors([JointId(3), JointId(2)]);
        assert_eq!(some, [JointId(0), JointId(2), JointId(3)]);
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = axis_rotation(2, 0.3);
        pose.rotations[2] = axis_rotation(1, 0.7);
        let (all, mut placed) = (pose.world(&skeleton), WorldPose::default());
        pose.forward_kinematics_of(&skeleton, &some, &mut placed);
        for joint in some {
            assert_eq!(placed.joint(joint), all.joint(joint));
            assert_eq!(placed.rotations[joint.index()], all.rotations[joint.index()]);
        }
        assert_eq!(placed.joint(JointId(4)), Vec3::ZERO);
    }

    #[test]
    fn a_point_turns_with_its_joint() {
        let skeleton = two_bones();
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[2] = axis_rotation(2, PI / 2.0);
        let point = JointPoint { joint: JointId(2), offset: Vec3::X };
        assert!((pose.world(&skeleton).point(&point) - Vec3::new(2.0, 1.0, 0.0)).length() < 1e-15);
    }
}
