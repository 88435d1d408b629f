//! The frame of reference of ground that moves, as on a treadmill: plants are held relative to the ground.
//!
//! Converts captured poses from the room to the ground before they are cleaned, and clean poses back. The arithmetic is
//! that of [`surefoot_solve::clean`], so that a stream gives the same bits.

use std::collections::VecDeque;

use surefoot_core::{Pose, Skeleton, Vec3};

/// Farthest that the ground may have moved since frame 0, in metres: the largest coordinate of a stream. Rounding is then
/// 0.1 µm.
const FARTHEST: f64 = 1e9;

/// Converts the poses of a stream between the room and its ground.
pub struct GroundFrame {
    skeleton: Skeleton,
    /// In metres per second.
    velocity: Vec3,
    fps: f64,
    /// The captured poses in the room that have not been returned, oldest first.
    captured: VecDeque<Pose>,
    /// Poses whose memory can be used again.
    unused: Vec<Pose>,
    pose: Pose,
}

impl GroundFrame {
    /// The frame of ground with this velocity, in metres per second.
    pub fn new(skeleton: &Skeleton, fps: f64, velocity: Vec3) -> Self {
        let (captured, unused) = (VecDeque::new(), Vec::new());
        Self { skeleton: skeleton.clone(), velocity, fps, captured, unused, pose: Pose::default() }
    }

    /// Whether the ground is near enough in the frame of this number, which counts from frame 0 of the motion.
    pub fn is_near(&self, number: usize) -> bool {
        (self.velocity * self.seconds(number)).abs().max_element() <= FARTHEST
    }

    fn seconds(&self, number: usize) -> f64 {
        number as f64 / self.fps
    }

    /// A captured pose relative to the ground. Poses come in order.
    pub fn relative_to_ground(&mut self, number: usize, captured: &Pose) -> &Pose {
        let mut copy = self.unused.pop().unwrap_or_default();
        copy.copy_from(captured);
        self.captured.push_back(copy);
        self.pose.copy_from(captured);
        self.pose.translate_roots(&self.skeleton, -self.velocity * self.seconds(number));
        &self.pose
    }

    /// Moves a clean pose into the room. A pose that cleaning did not change becomes the captured one, bit by bit.
    pub fn move_into_room(&mut self, number: usize, clean: &mut Pose) {
        let Some(captured) = self.captured.pop_front() else { return };
        let seconds = self.seconds(number);
        self.pose.copy_from(&captured);
        self.pose.translate_roots(&self.skeleton, -self.velocity * seconds);
        if *clean == self.pose {
            clean.copy_from(&captured);
        } else {
            clean.translate_roots(&self.skeleton, self.velocity * seconds);
        }
        self.unused.push(captured);
    }
}
