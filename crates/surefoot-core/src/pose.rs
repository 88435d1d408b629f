//! Poses and forward kinematics, from local to world space.

use crate::leg::JointPoint;
use crate::math::{Quat, Vec3};
use crate::skeleton::{JointId, Skeleton};

/// Offset and rotation of every joint relative to its parent, at one frame.
///
/// Both lists have one entry per joint. The offset of a root is its world position. Other offsets
/// equal the skeleton's, unless the capture moves the joint or the bone is stretched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// The position of each joint in the local frame of its parent, in metres.
    pub offsets: Vec<Vec3>,
    /// The rotation of each joint relative to its parent.
    pub rotations: Vec<Quat>,
}

impl Pose {
    /// The rest pose: no rotation, and the offsets of the skeleton.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            offsets: skeleton.joints().iter().map(|joint| joint.offset).collect(),
            rotations: vec![Quat::IDENTITY; skeleton.len()],
        }
    }

    /// Copies another pose without a new allocation.
    pub fn copy_from(&mut self, other: &Self) {
        self.offsets.clone_from(&other.offsets);
        self.rotations.clone_from(&other.rotations);
    }

    /// Moves every joint without a parent, and with them the whole body.
    pub fn translate_roots(&mut self, skeleton: &Skeleton, by: Vec3) {
        for (offset, joint) in self.offsets.iter_mut().zip(skeleton.joints()) {
            if joint.parent.is_none() {
                *offset += by;
            }
        }
    }

    /// Computes the world pose of every joint into `world`, which can be reused from frame to frame.
    pub fn forward_kinematics(&self, skeleton: &Skeleton, world: &mut WorldPose) {
        world.resize(skeleton);
        for (index, joint) in skeleton.joints().iter().enumerate() {
            self.place_joint(index, joint.parent, world);
        }
    }

    /// Computes the world pose of some joints; the others keep their values.
    ///
    /// `joints` must contain all ancestors, parents first, as from [`Skeleton::with_ancestors`].
    pub fn forward_kinematics_of(&self, skeleton: &Skeleton, joints: &[JointId], world: &mut WorldPose) {
        world.resize(skeleton);
        for &joint in joints {
            self.place_joint(joint.index(), skeleton.parent(joint), world);
        }
    }

    #[inline]
    fn place_joint(&self, index: usize, parent: Option<JointId>, world: &mut WorldPose) {
        let (position, rotation) = match parent {
            None => (self.offsets[index], self.rotations[index]),
            Some(parent) => {
                let parent = parent.index();
                let parent_rotation = world.rotations[parent];
                (
                    world.positions[parent] + parent_rotation * self.offsets[index],
                    parent_rotation * self.rotations[index],
                )
            }
        };
        world.positions[index] = position;
        world.rotations[index] = rotation;
    }

    /// The world pose of every joint.
    pub fn world(&self, skeleton: &Skeleton) -> WorldPose {
        let mut world = WorldPose::default();
        self.forward_kinematics(skeleton, &mut world);
        world
    }
}

/// World position and rotation of every joint of a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldPose {
    /// The world position of each joint, in metres.
    pub positions: Vec<Vec3>,
    /// The world rotation of each joint.
    pub rotations: Vec<Quat>,
}

impl WorldPose {
    fn resize(&mut self, skeleton: &Skeleton) {
        self.positions.resize(skeleton.len(), Vec3::ZERO);
        self.rotations.resize(skeleton.len(), Quat::IDENTITY);
    }

    /// The world position of a joint.
    pub fn joint(&self, id: JointId) -> Vec3 {
        self.positions[id.index()]
    }

    /// The world position of a point on a joint.
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
    fn a_rotated_joint_moves_its_descendants() {
        let skeleton = two_bones();
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[0] = axis_rotation(2, PI / 2.0);
        pose.rotations[1] = axis_rotation(2, PI / 2.0);
        let world = pose.world(&skeleton);
        assert!((world.positions[1] - Vec3::Y).length() < 1e-15);
        assert!((world.positions[2] - Vec3::new(-1.0, 1.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn partial_kinematics_equals_full_kinematics() {
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
        let (all, mut world) = (pose.world(&skeleton), WorldPose::default());
        pose.forward_kinematics_of(&skeleton, &some, &mut world);
        for joint in some {
            assert_eq!(world.joint(joint), all.joint(joint));
            assert_eq!(world.rotations[joint.index()], all.rotations[joint.index()]);
        }
        assert_eq!(world.joint(JointId(4)), Vec3::ZERO);
    }

    #[test]
    fn a_point_rotates_with_its_joint() {
        let skeleton = two_bones();
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[2] = axis_rotation(2, PI / 2.0);
        let point = JointPoint { joint: JointId(2), offset: Vec3::X };
        assert!((pose.world(&skeleton).point(&point) - Vec3::new(2.0, 1.0, 0.0)).length() < 1e-15);
    }
}
