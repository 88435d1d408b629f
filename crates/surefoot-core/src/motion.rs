//! A motion: one skeleton, a frame rate, one pose per frame.

use crate::math::Vec3;
use crate::pose::Pose;
use crate::skeleton::Skeleton;

/// One skeleton in motion.
///
/// Metres and Y up, unless it comes straight from a file and its unit and axes are still to be
/// found out: then lengths and axes are the file's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// The body.
    pub skeleton: Skeleton,
    /// Frames per second; above zero.
    pub fps: f64,
    /// One pose per frame.
    pub poses: Vec<Pose>,
}

impl Motion {
    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.poses.len()
    }

    /// From the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        self.poses.len().saturating_sub(1) as f64 / self.fps
    }

    /// The motion with a velocity added, in metres a second, from its first frame on: a body on a treadmill as
    /// seen from the belt, or the other way round. The opposite velocity takes it back.
    pub fn with_added_velocity(&self, velocity: Vec3) -> Self {
        let mut carried = self.clone();
        for (frame, pose) in carried.poses.iter_mut().enumerate() {
            let by = velocity * (frame as f64 / self.fps);
            for (offset, joint) in pose.offsets.iter_mut().zip(self.skeleton.joints()) {
                if joint.parent.is_none() {
                    *offset += by;
                }
            }
        }
        carried
    }
}
