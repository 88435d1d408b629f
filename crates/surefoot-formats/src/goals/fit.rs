//! Resolves the goals of a file for a motion: names to joints, the file's axes to Y up.

use super::error::GoalsError;
use super::{Entry, GoalPosition, GoalsFile, Point};
use crate::rig::labels::Labels;
use crate::space::Space;
use surefoot_core::{JointId, JointPoint, Quat, Skeleton, Vec3};

/// A goal for one frame of a motion, in metres, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Position in the goals file, for messages.
    pub at: GoalPosition,
    /// The frame at which the goal is met.
    pub frame: usize,
    /// The point that meets the goal.
    pub point: JointPoint,
    /// The target position, in world space or relative to `relative_to`.
    pub position: Option<Vec3>,
    /// The target as an offset from the captured position.
    pub shift: Option<Vec3>,
    /// The target orientation of the joint, in world space or relative to `relative_to`.
    pub orientation: Option<Quat>,
    /// The reference frame of the goal; `None` for world space.
    pub relative_to: Option<RelativeTo>,
    /// The first joint of the IK chain; `None` for the default chain.
    pub chain_from: Option<JointId>,
}

/// The reference frame of a goal.
#[derive(Clone, Debug, PartialEq)]
pub enum RelativeTo {
    /// A joint of the same motion.
    Joint(JointId),
    /// A joint of another motion.
    OtherMotion {
        /// The path of the other motion, as written in the goals file.
        motion: String,
        /// The name of the joint.
        joint: String,
    },
}

/// Limits of a joint's rotation from rest, per component of its rotation vector, in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The joint.
    pub joint: JointId,
    /// The lower limits.
    pub lower: Vec3,
    /// The upper limits.
    pub upper: Vec3,
}

impl GoalsFile {
    /// Resolves the goals for a motion with this skeleton and number of frames.
    ///
    /// `skeleton` is in the unit and axes of its file, which `space` describes.
    pub fn goals(&self, skeleton: &Skeleton, space: &Space, frames: usize) -> Result<Vec<Goal>, GoalsError> {
        let labels = Labels::new(skeleton);
        self.entries.iter().map(|entry| entry.fit(&labels, skeleton, space, frames)).collect()
    }

    /// Resolves the joint limits for a skeleton.
    pub fn limits(&self, skeleton: &Skeleton, space: &Space) -> Result<Vec<Limit>, GoalsError> {
        let labels = Labels::new(skeleton);
        let fit = |limit: &super::LimitEntry| {
            let converted = |degrees: Vec3| space.direction_from_file(degrees).map(f64::to_radians);
            // Converting negates some axes, which exchanges their lower and upper limit.
            let (one, other) = (converted(limit.min), converted(limit.max));
            let joint = joint(&labels, limit.at, &limit.joint, None)?;
            Ok(Limit { joint, lower: one.min(other), upper: one.max(other) })
        };
        self.limits.iter().map(fit).collect()
    }

    /// Resolves the joint that a goal is relative to, if it is a joint of another motion with
    /// this skeleton.
    pub fn other_motion_joint(
        &self,
        goal: &Goal,
        skeleton: &Skeleton,
    ) -> Result<Option<JointId>, GoalsError> {
        match &goal.relative_to {
            Some(RelativeTo::OtherMotion { motion, joint: name }) => {
                joint(&Labels::new(skeleton), goal.at, name, Some(motion)).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// The joint called `name`, or an error with similar names.
fn joint(labels: &Labels, at: GoalPosition, name: &str, motion: Option<&str>) -> Result<JointId, GoalsError> {
    labels.joint(name).ok_or_else(|| GoalsError::UnknownJoint {
        at,
        found: name.to_owned(),
        similar: labels.similar(name),
        motion: motion.map(str::to_owned),
    })
}

impl Entry {
    fn fit(
        &self,
        labels: &Labels,
        skeleton: &Skeleton,
        space: &Space,
        frames: usize,
    ) -> Result<Goal, GoalsError> {
        let at = self.at;
        if self.frame >= frames {
            return Err(GoalsError::FrameOutOfRange { at, frame: self.frame, frames });
        }
        let find = |name: &String| joint(labels, at, name, None);
        let id = find(&self.joint)?;
        let offset = match self.point {
            Point::Offset(offset) => space.direction_from_file(offset),
            Point::End => {
                let no_bone_end = || GoalsError::NoBoneEnd { at, joint: self.joint.clone() };
                space.position_from_file(skeleton.joint(id).end.ok_or_else(no_bone_end)?)
            }
        };
        let relative_to = match &self.relative_to {
            None => None,
            Some(relative) => Some(match &relative.motion {
                None => RelativeTo::Joint(find(&relative.joint)?),
                Some(motion) => {
                    RelativeTo::OtherMotion { motion: motion.clone(), joint: relative.joint.clone() }
                }
            }),
        };
        Ok(Goal {
            at,
            frame: self.frame,
            point: JointPoint { joint: id, offset },
            // Goals are in metres: only the axes are converted.
            position: self.position.map(|position| space.direction_from_file(position)),
            shift: self.shift.map(|shift| space.direction_from_file(shift)),
            orientation: self.orientation.map(|rotation| space.rotation_from_file(rotation)),
            relative_to,
            chain_from: self.chain_from.as_ref().map(find).transpose()?,
        })
    }
}
