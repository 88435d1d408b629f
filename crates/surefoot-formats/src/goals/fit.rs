//! Do goals fit a motion? Names become joints, and the file's axes become ours.

use super::error::GoalsError;
use super::{At, Entry, GoalsFile, Point};
use crate::rig::names::Labels;
use crate::space::Space;
use surefoot_core::{JointId, JointPoint, Quat, Skeleton, Vec3};

/// A goal for a motion in metres, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Where it stands in its file.
    pub at: At,
    /// When.
    pub frame: usize,
    /// Which point of the body.
    pub point: JointPoint,
    /// Where it must be: in the world, or in what it is relative to.
    pub position: Option<Vec3>,
    /// How far it must be from where it is in the capture.
    pub shift: Option<Vec3>,
    /// How its joint must be turned: in the world, or in what it is relative to.
    pub orientation: Option<Quat>,
    /// What it is relative to.
    pub relative_to: Option<RelativeTo>,
    /// The first joint that may turn for it.
    pub chain_from: Option<JointId>,
}

/// What a goal is relative to.
#[derive(Clone, Debug, PartialEq)]
pub enum RelativeTo {
    /// Another joint of the same body.
    Joint(JointId),
    /// A joint of another motion.
    OtherMotion {
        /// The motion, as the file names it.
        motion: String,
        /// The joint's name.
        joint: String,
    },
}

/// How far a joint may turn from its rest, part by part of its rotation vector, in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// The joint.
    pub joint: JointId,
    /// The least.
    pub lower: Vec3,
    /// The most.
    pub upper: Vec3,
}

impl GoalsFile {
    /// Its goals, if they fit a motion of this skeleton and so many frames.
    ///
    /// The skeleton is the file's, in its unit and axes; `space` says which those are.
    pub fn goals(&self, skeleton: &Skeleton, space: &Space, frames: usize) -> Result<Vec<Goal>, GoalsError> {
        let labels = Labels::new(skeleton);
        self.entries.iter().map(|entry| entry.fit(&labels, skeleton, space, frames)).collect()
    }

    /// Its limits, if their joints are the skeleton's.
    pub fn limits(&self, skeleton: &Skeleton, space: &Space) -> Result<Vec<Limit>, GoalsError> {
        let labels = Labels::new(skeleton);
        let fit = |limit: &super::LimitEntry| {
            let turned = |degrees: Vec3| space.direction_from_file(degrees).map(f64::to_radians);
            // Our axes may be the file's, the other way round.
            let (one, other) = (turned(limit.min), turned(limit.max));
            let joint = joint(&labels, limit.at, &limit.joint, None)?;
            Ok(Limit { joint, lower: one.min(other), upper: one.max(other) })
        };
        self.limits.iter().map(fit).collect()
    }

    /// The joint of another motion that a goal is relative to.
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

/// The joint of this name; else the names near to it.
fn joint(labels: &Labels, at: At, name: &str, motion: Option<&str>) -> Result<JointId, GoalsError> {
    labels.joint(name).ok_or_else(|| GoalsError::UnknownJoint {
        at,
        found: name.to_owned(),
        near: labels.nearest(name),
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
            return Err(GoalsError::Outside { at, frame: self.frame, frames });
        }
        let own = |name: &String| joint(labels, at, name, None);
        let id = own(&self.joint)?;
        let offset = match self.point {
            Point::Offset(offset) => space.direction_from_file(offset),
            Point::End => {
                let none = || GoalsError::NoEnd { at, joint: self.joint.clone() };
                space.position_from_file(skeleton.joint(id).end.ok_or_else(none)?)
            }
        };
        let relative_to = match &self.relative_to {
            None => None,
            Some(relative) => Some(match &relative.motion {
                None => RelativeTo::Joint(own(&relative.joint)?),
                Some(motion) => {
                    RelativeTo::OtherMotion { motion: motion.clone(), joint: relative.joint.clone() }
                }
            }),
        };
        Ok(Goal {
            at,
            frame: self.frame,
            point: JointPoint { joint: id, offset },
            // Metres already: only the axes are the file's.
            position: self.position.map(|position| space.direction_from_file(position)),
            shift: self.shift.map(|shift| space.direction_from_file(shift)),
            orientation: self.orientation.map(|turn| space.rotation_from_file(turn)),
            relative_to,
            chain_from: self.chain_from.as_ref().map(own).transpose()?,
        })
    }
}
