//! One palm through the whole performance.

use crate::leg_length::leg_length;
use crate::signal::min_run;
use crate::tracks::velocities;
use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{Floor, Leg, Motion, WorldPose};

/// Height of a palm above the floor below which it can rest on the floor, in leg lengths: 14 cm in an adult. The bone of
/// the hand is a few centimetres above the skin, and floors are off by as much. The hands of a standing person are at 0.8.
pub(super) const FLOOR_HEIGHT: f64 = 0.16;

/// Half-width of the window of a velocity, in seconds. Longer than for feet: a palm is at the end of the whole trunk and
/// arm, whose jitter adds up.
pub(super) const HALF_WINDOW: f64 = 0.05;

/// A palm, its shoulder and its hand. Lengths in leg lengths, frames counted from the first of the performance.
pub(super) struct PalmTrack {
    /// Index of the arm.
    pub leg: usize,
    pub fps: f64,
    pub palms: Vec<Vec3>,
    pub shoulders: Vec<Vec3>,
    /// World rotations of the hand.
    pub hands: Vec<Quat>,
    /// Speed of the palm, in leg lengths per second.
    pub speeds: Vec<f64>,
    /// Height of the palm above the floor; empty without a floor.
    pub heights: Vec<f64>,
}

impl PalmTrack {
    /// The tracks of all arms.
    pub fn of_arms(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, first_frame: usize) -> Vec<Self> {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let arms = || legs.iter().enumerate().filter(|(_, leg)| leg.is_arm());
        let (Some(first), Some(_)) = (poses.first(), arms().next()) else { return Vec::new() };
        let feet = Leg::without_arms(legs);
        let first = first.world(&motion.skeleton);
        // A clip with arms alone has no legs to measure; an arm is two thirds as long.
        let unit = match feet.first() {
            Some(leg) => 1.0 / leg_length(&first, leg),
            None => arms().next().map_or(1.0, |(_, arm)| 1.0 / (1.5 * leg_length(&first, arm))),
        };
        let joints = motion.skeleton.with_ancestors(arms().flat_map(|(_, arm)| arm.joints()));
        let mut tracks: Vec<Self> =
            arms().map(|(leg, _)| Self::empty(leg, motion.fps, poses.len())).collect();
        let mut world = WorldPose::default();
        for pose in poses {
            pose.forward_kinematics_of(&motion.skeleton, &joints, &mut world);
            for (track, (_, arm)) in tracks.iter_mut().zip(arms()) {
                let palm = world.point(&arm.ball);
                track.palms.push(palm * unit);
                track.shoulders.push(world.joint(arm.hip) * unit);
                track.hands.push(world.rotations[arm.ankle.index()]);
                track.heights.extend(floor.map(|floor| floor.above(palm) * unit));
            }
        }
        let half = min_run(HALF_WINDOW, motion.fps);
        for track in &mut tracks {
            track.speeds = velocities(&track.palms, half, motion.fps).into_iter().map(Vec3::length).collect();
        }
        tracks
    }

    /// Whether the palm is at the height of the floor.
    pub fn is_low(&self, frame: usize) -> bool {
        self.heights.get(frame).is_some_and(|height| height.abs() < FLOOR_HEIGHT)
    }

    fn empty(leg: usize, fps: f64, frames: usize) -> Self {
        let positions = || Vec::with_capacity(frames);
        Self {
            leg,
            fps,
            palms: positions(),
            shoulders: positions(),
            hands: Vec::with_capacity(frames),
            speeds: Vec::new(),
            heights: Vec::new(),
        }
    }
}
