//! A rig that follows the skeleton of the person.
//!
//! In the T-pose of the person every joint of the rig has a position `at` and a world rotation `axes`. The rest pose of
//! the rig, in which all rotations are zero, follows from them: the offset of a joint is axes(parent)⁻¹·(at −
//! at(parent)). Local axes, A-poses and mirrored limbs are all choices of `axes`.

use crate::sample::Sample;
use surefoot_core::math::{Quat, Vec3, atan2, axis_rotation};
use surefoot_core::{Joint, JointId, JointPoint, Leg, Motion, Pose, Skeleton, WorldPose};

/// The joint above the hips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum RootJoint {
    /// None: the hips are the root.
    None,
    /// A joint at the origin that never moves; the hips carry the motion.
    Still {
        /// The offset of the hips in the file, which is far from any pose.
        hips_offset: Vec3,
    },
    /// A joint on the ground below the hips that turns with them.
    BelowHips,
}

/// A joint of the rig.
#[derive(Clone, Debug)]
pub(super) struct RigJoint {
    pub name: String,
    pub parent: Option<usize>,
    /// Its position in the T-pose of the person, in metres.
    pub at: Vec3,
    /// Its world rotation in the T-pose of the person.
    pub axes: Quat,
    /// The end site relative to the joint, in the T-pose of the person.
    pub end: Option<Vec3>,
    /// The joints of the person that it follows, and the share of the second.
    pub follows: (JointId, JointId, f64),
    /// The joint of the person at its place.
    pub same_as: Option<JointId>,
}

/// A rig for the person.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub joints: Vec<RigJoint>,
    pub root: RootJoint,
    /// The hip joint of the rig relative to that of the person, in the T-pose.
    pub hips_shift: Vec3,
    /// Size, as a multiple of the person.
    pub scale: f64,
}

impl Rig {
    /// The person's own skeleton as a rig.
    pub fn of(skeleton: &Skeleton) -> Self {
        let rest = Pose::rest(skeleton).world(skeleton);
        let joint = |id: JointId| RigJoint {
            name: skeleton.joint(id).name.clone(),
            parent: skeleton.parent(id).map(JointId::index),
            at: rest.joint(id),
            axes: Quat::IDENTITY,
            end: skeleton.joint(id).end,
            follows: (id, id, 0.0),
            same_as: Some(id),
        };
        Self {
            joints: skeleton.ids().map(joint).collect(),
            root: RootJoint::None,
            hips_shift: Vec3::ZERO,
            scale: 1.0,
        }
    }

    /// The index of a joint by name. The names are those of this crate, so a missing one is a mistake here.
    pub fn find(&self, name: &str) -> usize {
        let found = self.joints.iter().position(|joint| joint.name == name);
        found.unwrap_or_else(|| panic!("the rig has no joint {name}"))
    }

    /// Inserts a joint between a joint and its parent, at a share of the bone and of the rotation.
    pub fn insert_above(&mut self, name: &str, new: &str, along: f64, turn: f64) {
        let below = self.find(name);
        let above = self.joints[below].parent.unwrap_or(below);
        let (low, high) = (self.joints[above].clone(), self.joints[below].clone());
        let joint = RigJoint {
            name: new.into(),
            parent: Some(above),
            at: low.at.lerp(high.at, along),
            follows: (low.follows.0, high.follows.0, turn),
            end: None,
            same_as: None,
            ..low
        };
        self.insert(below, joint);
        self.joints[below + 1].parent = Some(below);
    }

    /// Inserts a joint before the joint at `index`; parents are counted anew.
    fn insert(&mut self, index: usize, joint: RigJoint) {
        for other in &mut self.joints {
            other.parent = other.parent.map(|parent| if parent >= index { parent + 1 } else { parent });
        }
        self.joints.insert(index, joint);
    }

    /// Adds a leaf on the bone from a joint to another, such as a twist joint.
    pub fn add_leaf(&mut self, name: &str, to: &str, new: &str) {
        let (parent, end) = (self.find(name), self.find(to));
        let at = self.joints[parent].at.lerp(self.joints[end].at, 0.5);
        let joint = RigJoint {
            name: new.into(),
            parent: Some(parent),
            at,
            end: None,
            same_as: None,
            ..self.joints[parent].clone()
        };
        self.joints.push(joint);
    }

    /// Removes a joint; its children move to its parent.
    pub fn remove(&mut self, name: &str) {
        let index = self.find(name);
        let parent = self.joints.remove(index).parent;
        for other in &mut self.joints {
            other.parent = match other.parent {
                Some(of) if of == index => parent,
                Some(of) if of > index => Some(of - 1),
                of => of,
            };
        }
    }

    /// Sets the axes of a joint and of all joints below it.
    pub fn turn_below(&mut self, name: &str, axes: Quat) {
        let mut is_below = vec![false; self.joints.len()];
        is_below[self.find(name)] = true;
        for index in 0..self.joints.len() {
            is_below[index] |= self.joints[index].parent.is_some_and(|parent| is_below[parent]);
            if is_below[index] {
                self.joints[index].axes = axes;
            }
        }
    }

    /// Moves the performance to the rig: motion, legs, plants and stairs.
    pub fn perform(&self, sample: Sample) -> Sample {
        let skeleton = self.skeleton();
        let mut world = WorldPose::default();
        let poses = sample.motion.poses.iter().map(|pose| {
            pose.forward_kinematics(&sample.motion.skeleton, &mut world);
            self.pose(&skeleton, &world)
        });
        let poses = poses.collect();
        let mut plants = sample.plants;
        for plant in &mut plants.plants {
            plant.spot = plant.spot.map(|spot| spot * self.scale);
        }
        Sample {
            motion: Motion { skeleton, fps: sample.motion.fps, poses },
            legs: sample.legs.iter().map(|leg| self.leg(leg)).collect(),
            plants,
            stairs: sample.stairs.iter().map(|corners| corners.map(|corner| corner * self.scale)).collect(),
            floor: sample.floor,
        }
    }

    /// The number of joints above the hips.
    fn roots(&self) -> usize {
        usize::from(self.root != RootJoint::None)
    }

    fn skeleton(&self) -> Skeleton {
        let hips_offset = match self.root {
            RootJoint::None | RootJoint::BelowHips => self.joints[0].at * self.scale,
            RootJoint::Still { hips_offset } => hips_offset,
        };
        let root_name = if self.root == RootJoint::BelowHips { "root" } else { "joint_Root" };
        let root = Joint { name: root_name.into(), parent: None, offset: Vec3::ZERO, end: None };
        let joint = |joint: &RigJoint| {
            let above = joint.parent.map(|parent| &self.joints[parent]);
            Joint {
                name: joint.name.clone(),
                parent: match joint.parent {
                    Some(parent) => Some(JointId((parent + self.roots()) as u32)),
                    None => (self.roots() > 0).then_some(JointId(0)),
                },
                offset: above
                    .map_or(hips_offset, |above| above.axes.conjugate() * (joint.at - above.at) * self.scale),
                end: joint.end.map(|end| joint.axes.conjugate() * end * self.scale),
            }
        };
        let roots = core::iter::repeat_n(root, self.roots());
        Skeleton::new(roots.chain(self.joints.iter().map(joint)).collect()).expect("parents come first")
    }

    fn pose(&self, skeleton: &Skeleton, person: &WorldPose) -> Pose {
        let mut pose = Pose::rest(skeleton);
        let root = self.root_pose(person);
        if let Some((position, rotation)) = root {
            (pose.offsets[0], pose.rotations[0]) = (position, rotation);
        }
        let (root_position, root_rotation) = root.unwrap_or((Vec3::ZERO, Quat::IDENTITY));
        let world: Vec<Quat> = self.joints.iter().map(|joint| joint.world(person)).collect();
        for (index, joint) in self.joints.iter().enumerate() {
            let above = joint.parent.map_or(root_rotation, |parent| world[parent]);
            pose.rotations[index + self.roots()] = (above.conjugate() * world[index]).normalize();
        }
        let hips = person.positions[0] + person.rotations[0] * self.hips_shift;
        pose.offsets[self.roots()] = root_rotation.conjugate() * (hips * self.scale - root_position);
        pose
    }

    fn root_pose(&self, person: &WorldPose) -> Option<(Vec3, Quat)> {
        match self.root {
            RootJoint::None => None,
            RootJoint::Still { .. } => Some((Vec3::ZERO, Quat::IDENTITY)),
            RootJoint::BelowHips => {
                let (hips, forward) = (person.positions[0] * self.scale, person.rotations[0] * Vec3::Z);
                let yaw = axis_rotation(1, atan2(forward.x, forward.z));
                Some((Vec3::new(hips.x, 0.0, hips.z), yaw))
            }
        }
    }

    fn leg(&self, leg: &Leg) -> Leg {
        let index = |joint: JointId| {
            let found = self.joints.iter().position(|other| other.same_as == Some(joint));
            found.expect("a rig keeps the joints of the legs")
        };
        let id = |joint: JointId| JointId((index(joint) + self.roots()) as u32);
        let point = |point: JointPoint| JointPoint {
            joint: id(point.joint),
            offset: self.joints[index(point.joint)].axes.conjugate() * point.offset * self.scale,
        };
        Leg {
            side: leg.side.clone(),
            limb: leg.limb,
            hip: id(leg.hip),
            knee: id(leg.knee),
            ankle: id(leg.ankle),
            heel: point(leg.heel),
            ball: point(leg.ball),
            toe: point(leg.toe),
        }
    }
}

impl RigJoint {
    fn world(&self, person: &WorldPose) -> Quat {
        let (first, second, share) = self.follows;
        let (first, second) = (person.rotations[first.index()], person.rotations[second.index()]);
        (if share > 0.0 { first.slerp(second, share) } else { first }) * self.axes
    }
}
