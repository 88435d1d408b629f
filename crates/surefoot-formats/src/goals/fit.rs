//! Resolves the goals of a file for a motion: names to joints, the file's axes to Y up.

use super::error::GoalsError;
use super::{Entry, GoalPath, GoalPosition, GoalsFile, PathSource, Point};
use crate::rig::labels::Labels;
use crate::space::Space;
use surefoot_core::math::ceil;
use surefoot_core::{JointId, JointPoint, Quat, Skeleton, Vec3};

/// The largest number of goals of a motion, where each frame of a goal counts: half an hour at 120 fps. A keyframe takes
/// a tenth of a millisecond, and a goal a few hundred bytes.
pub const MAX_GOALS: usize = 250_000;

/// A goal for one frame of a motion, in metres, Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// Position in the goals file, for messages. A goal that lasts for several frames gives as many goals at one
    /// position.
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
        let mut goals: Vec<Goal> = Vec::new();
        for entry in &self.entries {
            let (first, last) = entry.frame_range(self, frames)?;
            if last - first >= MAX_GOALS - goals.len() {
                return Err(GoalsError::TooMany { at: entry.at, most: MAX_GOALS });
            }
            let goal = entry.fit(&labels, skeleton, space)?;
            for frame in first..=last {
                let position = match &entry.path {
                    None => goal.position,
                    // Goals are in metres: only the axes are converted.
                    Some(path) => {
                        Some(space.direction_from_file(entry.position_on(self.path(entry, path)?, frame)?))
                    }
                };
                goals.push(Goal { frame, position, ..goal.clone() });
            }
        }
        Ok(goals)
    }

    /// The curve of a path.
    fn path<'a>(&'a self, entry: &Entry, source: &'a PathSource) -> Result<&'a GoalPath, GoalsError> {
        match source {
            PathSource::Points(path) => Ok(path),
            PathSource::File(file) => match self.paths.iter().find(|(name, _)| name == file) {
                Some((_, path)) => Ok(path),
                None => Err(GoalsError::NoPath { at: entry.at, file: file.clone() }),
            },
        }
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
    /// The first and the last frame, within a motion of this many frames and within the path.
    fn frame_range(&self, file: &GoalsFile, frames: usize) -> Result<(usize, usize), GoalsError> {
        let at = self.at;
        let path = self.path.as_ref().map(|path| file.path(self, path)).transpose()?.map(GoalPath::frames);
        let (first, last) = match (self.frames, path) {
            (Some(given), Some(path)) if (given.0 as f64) < path.0 || given.1 as f64 > path.1 => {
                return Err(GoalsError::OutsidePath { at, frames: given, path });
            }
            (Some(given), _) => given,
            // The whole frames of the path. A path that begins before frame 0, or between two frames and ends there, is
            // refused below.
            (None, Some((start, end))) if start >= 0.0 && ceil(start) <= end => {
                (ceil(start) as usize, end as usize)
            }
            (None, Some(path)) => {
                return Err(GoalsError::OutsidePath { at, frames: (0, frames.max(1) - 1), path });
            }
            (None, None) => (0, 0),
        };
        if last >= frames {
            return Err(GoalsError::FrameOutOfRange { at, frame: last, frames });
        }
        Ok((first, last))
    }

    /// The position on a path, in the file's axes.
    fn position_on(&self, path: &GoalPath, frame: usize) -> Result<Vec3, GoalsError> {
        let position = path.at(frame as f64);
        let problem = || GoalsError::Field {
            at: Some(self.at),
            field: "path",
            found: Some(position.to_string()),
            expected: "positions in metres",
        };
        if position.is_finite() { Ok(position) } else { Err(problem()) }
    }

    /// The goal at its first frame, without a position on a path.
    fn fit(&self, labels: &Labels, skeleton: &Skeleton, space: &Space) -> Result<Goal, GoalsError> {
        let at = self.at;
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
            frame: 0,
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
