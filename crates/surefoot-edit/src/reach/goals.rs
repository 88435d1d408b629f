//! Goals: positions and rotations of points at keyframes, and their validation.

use core::fmt;
use std::collections::BTreeMap;
use surefoot_core::math::floor;
use surefoot_core::{JointId, JointPoint, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};

/// The space in which position and rotation of a goal are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GoalSpace {
    /// World space.
    World,
    /// The space of another joint of the same body. Both ends are solved together, as for clapping.
    Joint(JointId),
    /// A fixed transform, such as that of a joint of another body at this frame.
    WorldPose {
        /// World position of its origin.
        position: Vec3,
        /// World rotation.
        rotation: Quat,
    },
}

impl GoalSpace {
    /// The transform of a joint of another motion at a time, in seconds from its first frame.
    ///
    /// The transform is interpolated between frames and clamped to the first and the last frame.
    pub fn of_other_motion(motion: &Motion, joint: JointId, seconds: f64) -> Self {
        let last = motion.frames().saturating_sub(1);
        let at = (seconds * motion.fps).clamp(0.0, last as f64);
        // Converting between frame rates leaves rounding errors: snap to the nearest frame.
        let nearest = floor(at + 0.5);
        let at = if (at - nearest).abs() < 1e-6 { nearest } else { at };
        let first = floor(at) as usize;
        let [one, two] = [first, (first + 1).min(last)].map(|frame| match motion.poses.get(frame) {
            Some(pose) => pose.world(&motion.skeleton),
            None => Pose::rest(&motion.skeleton).world(&motion.skeleton),
        });
        let (between, n) = (at - first as f64, joint.index());
        Self::WorldPose {
            position: one.positions[n].lerp(two.positions[n], between),
            rotation: super::rotation_vector::slerp(one.rotations[n], two.rotations[n], between),
        }
    }
}

/// A position, a rotation or both for a point of the body at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// The keyframe.
    pub frame: usize,
    /// The point of the body.
    pub point: JointPoint,
    /// Goal position of the point, in metres; `None` if it is free.
    pub position: Option<Vec3>,
    /// Goal rotation of the point's joint; `None` if it is free.
    pub rotation: Option<Quat>,
    /// The space of `position` and `rotation`.
    pub space: GoalSpace,
    /// The first joint of the chain; `None` for that of the settings.
    pub chain_from: Option<JointId>,
    /// Weight of the error where not all goals of a frame can be met. 1 by default.
    pub weight: f64,
}

impl Goal {
    /// A goal position in world space.
    pub fn at_position(frame: usize, point: JointPoint, position: Vec3) -> Self {
        let (position, space) = (Some(position), GoalSpace::World);
        Self { frame, point, position, rotation: None, space, chain_from: None, weight: 1.0 }
    }

    /// The goal position and rotation in world space.
    pub(crate) fn in_world(&self, world: &WorldPose) -> (Option<Vec3>, Option<Quat>) {
        let (origin, axes) = match self.space {
            GoalSpace::World => (Vec3::ZERO, Quat::IDENTITY),
            GoalSpace::Joint(joint) => (world.joint(joint), world.rotations[joint.index()]),
            GoalSpace::WorldPose { position, rotation } => (position, rotation),
        };
        (
            self.position.map(|position| origin + axes * position),
            self.rotation.map(|rotation| axes * rotation),
        )
    }

    /// The joint of the same body to which the goal is relative.
    pub fn relative_to(&self) -> Option<JointId> {
        match self.space {
            GoalSpace::Joint(joint) => Some(joint),
            _ => None,
        }
    }
}

/// Why goals, motion or settings are invalid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReachError {
    /// The frame of a goal is outside the motion.
    NoSuchFrame {
        /// Index of the goal, from 0.
        goal: usize,
        /// Its frame.
        frame: usize,
        /// Number of frames of the motion.
        frames: usize,
    },
    /// A joint index is outside the skeleton.
    NoSuchJoint {
        /// The joint.
        joint: JointId,
    },
    /// A goal contains a number that is not finite or a quaternion that is not of unit length.
    NotFinite {
        /// Index of the goal, from 0.
        goal: usize,
    },
    /// A goal has neither a position nor a rotation.
    Nothing {
        /// Index of the goal, from 0.
        goal: usize,
    },
    /// A goal is relative to its own joint.
    ToItself {
        /// Index of the goal, from 0.
        goal: usize,
        /// The joint's name.
        joint: String,
    },
    /// The first joint of a chain is not an ancestor of the goal's joint.
    NotBelow {
        /// Index of the goal, from 0.
        goal: usize,
        /// The name of the point's joint.
        joint: String,
        /// The name of the requested first joint.
        chain_from: String,
    },
    /// One frame has more goals than can be met together.
    TooMany {
        /// The frame.
        frame: usize,
        /// The number of its goals.
        found: usize,
    },
    /// A pose does not fit the skeleton or contains a number that is not finite.
    Pose {
        /// Its frame.
        frame: usize,
    },
    /// A setting is out of range.
    Setting {
        /// Its name.
        name: &'static str,
        /// Its value.
        found: f64,
        /// The allowed values.
        expected: &'static str,
    },
}

/// Most goals of one frame. All goals of a frame are solved together, so that memory grows with the square of their
/// number and time with its cube. A body has fewer joints that could have a goal each.
const MOST_GOALS_OF_A_FRAME: usize = 100;

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFrame { goal, frame, frames: 0 } => {
                write!(f, "goal {goal} is at frame {frame}, but the motion has no frames")
            }
            Self::NoSuchFrame { goal, frame, frames } => {
                write!(f, "goal {goal} is at frame {frame}, but the motion has frames 0 to {}", frames - 1)
            }
            Self::NoSuchJoint { joint } => write!(f, "joint {} does not exist in the skeleton", joint.0),
            Self::NotFinite { goal } => write!(
                f,
                "goal {goal} contains a number that is not finite, or a rotation that is not a unit quaternion"
            ),
            Self::Nothing { goal } => {
                write!(f, "goal {goal} has neither a position nor a rotation, expected at least one")
            }
            Self::ToItself { goal, joint } => {
                write!(f, "goal {goal} of {joint} is relative to {joint} itself, expected another joint")
            }
            Self::NotBelow { goal, joint, chain_from } => {
                write!(f, "the chain of goal {goal} starts at {chain_from}, but {joint} is not below it")
            }
            Self::TooMany { frame, found } => {
                write!(f, "frame {frame} has {found} goals, expected at most {MOST_GOALS_OF_A_FRAME}")
            }
            Self::Pose { frame } => {
                write!(f, "the pose of frame {frame} does not fit the skeleton or is not finite")
            }
            Self::Setting { name, found, expected } => write!(f, "{name} is {found}, expected {expected}"),
        }
    }
}

impl core::error::Error for ReachError {}

/// Validates a motion and its goals.
pub(super) fn check(motion: &Motion, goals: &[Goal]) -> Result<(), ReachError> {
    let skeleton = &motion.skeleton;
    if !(motion.fps > 0.0 && motion.fps.is_finite()) {
        return Err(ReachError::Setting { name: "fps", found: motion.fps, expected: "a rate above 0" });
    }
    for (frame, pose) in motion.poses.iter().enumerate() {
        let has_all_joints = pose.offsets.len() == skeleton.len() && pose.rotations.len() == skeleton.len();
        let is_finite = || {
            pose.offsets.iter().all(|offset| offset.is_finite())
                && pose.rotations.iter().all(|rotation| rotation.is_finite())
        };
        if !has_all_joints || !is_finite() {
            return Err(ReachError::Pose { frame });
        }
    }
    goals.iter().enumerate().try_for_each(|(n, goal)| check_one(motion, n, goal))?;
    let mut counts = BTreeMap::<usize, usize>::new();
    goals.iter().for_each(|goal| *counts.entry(goal.frame).or_default() += 1);
    match counts.into_iter().find(|&(_, found)| found > MOST_GOALS_OF_A_FRAME) {
        Some((frame, found)) => Err(ReachError::TooMany { frame, found }),
        None => Ok(()),
    }
}

fn check_one(motion: &Motion, n: usize, goal: &Goal) -> Result<(), ReachError> {
    let skeleton = &motion.skeleton;
    let frames = motion.frames();
    if goal.frame >= frames {
        return Err(ReachError::NoSuchFrame { goal: n, frame: goal.frame, frames });
    }
    let joints = [Some(goal.point.joint), goal.relative_to(), goal.chain_from];
    check_joints(skeleton, joints.into_iter().flatten())?;
    if goal.position.is_none() && goal.rotation.is_none() {
        return Err(ReachError::Nothing { goal: n });
    }
    let is_unit = |rotation: Quat| rotation.is_finite() && (rotation.length() - 1.0).abs() < 1e-6;
    let space_is_valid = match goal.space {
        GoalSpace::WorldPose { position, rotation } => position.is_finite() && is_unit(rotation),
        _ => true,
    };
    let goal_is_valid = goal.position.is_none_or(Vec3::is_finite) && goal.rotation.is_none_or(is_unit);
    let weight_is_valid = goal.weight > 0.0 && goal.weight.is_finite();
    if !space_is_valid || !goal_is_valid || !weight_is_valid || !goal.point.offset.is_finite() {
        return Err(ReachError::NotFinite { goal: n });
    }
    if goal.relative_to() == Some(goal.point.joint) {
        return Err(ReachError::ToItself { goal: n, joint: skeleton.joint(goal.point.joint).name.clone() });
    }
    Ok(())
}

/// Returns an error for the first joint that the skeleton does not have.
pub(super) fn check_joints(
    skeleton: &Skeleton,
    joints: impl IntoIterator<Item = JointId>,
) -> Result<(), ReachError> {
    match joints.into_iter().find(|joint| joint.index() >= skeleton.len()) {
        Some(joint) => Err(ReachError::NoSuchJoint { joint }),
        None => Ok(()),
    }
}
