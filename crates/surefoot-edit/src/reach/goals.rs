//! What must be where, when?

use core::fmt;
use surefoot_core::math::floor;
use surefoot_core::{JointId, JointPoint, Motion, Pose, Quat, Skeleton, Vec3, WorldPose};

/// What a goal's place and turn are given in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// The world.
    World,
    /// Another joint of the same body, which is solved along with it: clapping.
    Joint(JointId),
    /// Something that stays where it is at that frame, such as a joint of another body.
    WorldPose {
        /// Where it is.
        position: Vec3,
        /// How it is turned.
        rotation: Quat,
    },
}

impl Within {
    /// A joint of another motion, so many seconds after its first frame.
    ///
    /// Between two frames it is turned and moved evenly; before the first and after the last it
    /// stays as it is there.
    pub fn other(motion: &Motion, joint: JointId, seconds: f64) -> Self {
        let last = motion.frames().saturating_sub(1);
        let at = (seconds * motion.fps).clamp(0.0, last as f64);
        // A rate that is no whole multiple of another misses its frames by some rounding.
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
            rotation: super::turns::between(one.rotations[n], two.rotations[n], between),
        }
    }
}

/// One thing that must be so at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// When.
    pub frame: usize,
    /// Which point of the body.
    pub point: JointPoint,
    /// Where the point must be, in metres; `None` if any place will do.
    pub place: Option<Vec3>,
    /// How the point's joint must be turned; `None` if any way will do.
    pub turn: Option<Quat>,
    /// What place and turn are given in.
    pub within: Within,
    /// The first joint that may turn for it; `None` for what the settings say.
    pub chain_from: Option<JointId>,
}

impl Goal {
    /// A place in the world for a point.
    pub fn place(frame: usize, point: JointPoint, place: Vec3) -> Self {
        Self { frame, point, place: Some(place), turn: None, within: Within::World, chain_from: None }
    }

    /// Where the goal's point must be and how its joint must be turned, in the world.
    pub(crate) fn wanted(&self, placed: &WorldPose) -> (Option<Vec3>, Option<Quat>) {
        let (position, rotation) = match self.within {
            Within::World => (Vec3::ZERO, Quat::IDENTITY),
            Within::Joint(joint) => (placed.joint(joint), placed.rotations[joint.index()]),
            Within::WorldPose { position, rotation } => (position, rotation),
        };
        (self.place.map(|place| position + rotation * place), self.turn.map(|turn| rotation * turn))
    }

    /// The joint of the same body that it is relative to.
    pub fn relative_to(&self) -> Option<JointId> {
        match self.within {
            Within::Joint(joint) => Some(joint),
            _ => None,
        }
    }
}

/// Why goals cannot even be tried.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReachError {
    /// A goal at a frame that the motion does not have.
    NoSuchFrame {
        /// Which goal, from 0.
        goal: usize,
        /// Its frame.
        frame: usize,
        /// How many there are.
        frames: usize,
    },
    /// A joint that the skeleton does not have.
    NoSuchJoint {
        /// The joint.
        joint: JointId,
    },
    /// A goal that holds a number that is not finite, or a turn of no length.
    NotFinite {
        /// Which goal, from 0.
        goal: usize,
    },
    /// A goal with neither a place nor a turn.
    Nothing {
        /// Which goal, from 0.
        goal: usize,
    },
    /// A goal relative to the joint that is to meet it.
    ToItself {
        /// Which goal, from 0.
        goal: usize,
        /// The joint's name.
        joint: String,
    },
    /// A chain that begins at a joint which the goal's point does not hang from.
    NotBelow {
        /// Which goal, from 0.
        goal: usize,
        /// The name of the point's joint.
        joint: String,
        /// The name of the joint the chain was to begin at.
        chain_from: String,
    },
    /// A pose that does not fit the skeleton or holds a number that is not finite.
    Pose {
        /// Its frame.
        frame: usize,
    },
    /// A setting out of its range.
    Setting {
        /// Its name.
        name: &'static str,
        /// What it is.
        found: f64,
        /// What it may be.
        expected: &'static str,
    },
}

impl fmt::Display for ReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchFrame { goal, frame, frames: 0 } => {
                write!(f, "goal {goal} is at frame {frame}, but there are no frames")
            }
            Self::NoSuchFrame { goal, frame, frames } => {
                write!(f, "goal {goal} is at frame {frame}, but the frames are 0 to {}", frames - 1)
            }
            Self::NoSuchJoint { joint } => write!(f, "there is no joint {}", joint.0),
            Self::NotFinite { goal } => write!(f, "goal {goal} holds a number that is not finite"),
            Self::Nothing { goal } => write!(f, "goal {goal} has neither a place nor a turn"),
            Self::ToItself { goal, joint } => {
                write!(f, "goal {goal} is relative to {joint}, the very joint that is to meet it")
            }
            Self::NotBelow { goal, joint, chain_from } => {
                write!(
                    f,
                    "the chain of goal {goal} is to begin at {chain_from}, but {joint} does not hang from it"
                )
            }
            Self::Pose { frame } => {
                write!(f, "the pose of frame {frame} does not fit the skeleton, or is not finite")
            }
            Self::Setting { name, found, expected } => write!(f, "{name} is {found}, expected {expected}"),
        }
    }
}

impl core::error::Error for ReachError {}

/// Refuses what cannot be meant.
pub(super) fn check(motion: &Motion, goals: &[Goal]) -> Result<(), ReachError> {
    let skeleton = &motion.skeleton;
    if !(motion.fps > 0.0 && motion.fps.is_finite()) {
        return Err(ReachError::Setting { name: "fps", found: motion.fps, expected: "a rate above 0" });
    }
    for (frame, pose) in motion.poses.iter().enumerate() {
        let fits = pose.offsets.len() == skeleton.len() && pose.rotations.len() == skeleton.len();
        let finite = || {
            pose.offsets.iter().all(|offset| offset.is_finite())
                && pose.rotations.iter().all(|rotation| rotation.is_finite())
        };
        if !fits || !finite() {
            return Err(ReachError::Pose { frame });
        }
    }
    goals.iter().enumerate().try_for_each(|(n, goal)| check_one(motion, n, goal))
}

fn check_one(motion: &Motion, n: usize, goal: &Goal) -> Result<(), ReachError> {
    let skeleton = &motion.skeleton;
    let frames = motion.frames();
    if goal.frame >= frames {
        return Err(ReachError::NoSuchFrame { goal: n, frame: goal.frame, frames });
    }
    let joints = [Some(goal.point.joint), goal.relative_to(), goal.chain_from];
    check_joints(skeleton, joints.into_iter().flatten())?;
    if goal.place.is_none() && goal.turn.is_none() {
        return Err(ReachError::Nothing { goal: n });
    }
    let is_turn = |turn: Quat| turn.is_finite() && (turn.length() - 1.0).abs() < 1e-6;
    let placed = match goal.within {
        Within::WorldPose { position, rotation } => position.is_finite() && is_turn(rotation),
        _ => true,
    };
    let given = goal.place.is_none_or(Vec3::is_finite) && goal.turn.is_none_or(is_turn);
    if !placed || !given || !goal.point.offset.is_finite() {
        return Err(ReachError::NotFinite { goal: n });
    }
    if goal.relative_to() == Some(goal.point.joint) {
        return Err(ReachError::ToItself { goal: n, joint: skeleton.joint(goal.point.joint).name.clone() });
    }
    Ok(())
}

/// Refuses joints that are not there.
pub(super) fn check_joints(
    skeleton: &Skeleton,
    joints: impl IntoIterator<Item = JointId>,
) -> Result<(), ReachError> {
    match joints.into_iter().find(|joint| joint.index() >= skeleton.len()) {
        Some(joint) => Err(ReachError::NoSuchJoint { joint }),
        None => Ok(()),
    }
}
