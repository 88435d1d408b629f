//! A motion: a skeleton, a frame rate and one pose per frame.

use crate::math::Vec3;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// A skeleton with one pose per frame.
///
/// In metres, Y up. Before the unit and axes of a file are known, in those of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The skeleton.
    pub skeleton: Skeleton,
    /// Frames per second; above zero.
    pub fps: f64,
    /// One pose per frame.
    pub poses: Vec<Pose>,
}

impl Motion {
    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.poses.len()
    }

    /// The time from the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        self.poses.len().saturating_sub(1) as f64 / self.fps
    }

    /// The motion with a constant velocity added to its roots, in metres per second, from the first
    /// frame on: a walk on a treadmill as seen from the belt. The opposite velocity undoes it.
    pub fn with_added_velocity(&self, velocity: Vec3) -> Self {
        let mut moved = self.clone();
        for (frame, pose) in moved.poses.iter_mut().enumerate() {
            pose.translate_roots(&self.skeleton, velocity * (frame as f64 / self.fps));
        }
        moved
    }
}
