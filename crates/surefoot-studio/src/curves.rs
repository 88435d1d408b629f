//! The curves under the timeline, as numbers for each frame.

use surefoot_core::math::acos;
use surefoot_core::{FrameRange, Pose, Vec3, WorldPose};

use surefoot_edit::body_root::body_position;

use crate::open_file::OpenFile;

/// Number of curves per leg: heights of heel and ball, their speeds, knee angle, stretch of the shin.
pub const CURVES_PER_LEG: usize = 6;

/// The curve values of each frame: the root correction in metres, then the [`CURVES_PER_LEG`] values of
/// each leg in metres, metres per second, degrees and percent.
pub fn curves(open: &OpenFile, after: bool, frames: FrameRange) -> Vec<f32> {
    let clip = &open.at_rest;
    let (legs, fps, floor) = (&clip.legs, clip.motion.fps, &open.floor);
    let mut world = WorldPose::default();
    let mut previous: Option<Vec<[Vec3; 2]>> = None;
    let mut curves = Vec::with_capacity(frames.len() * (1 + CURVES_PER_LEG * legs.len()));
    for frame in frames.start.saturating_sub(1)..frames.end {
        open.pose(after, frame).forward_kinematics(&clip.motion.skeleton, &mut world);
        let points: Vec<[Vec3; 2]> =
            legs.iter().map(|leg| [world.point(&leg.heel), world.point(&leg.ball)]).collect();
        if frame >= frames.start {
            let [pose, captured] = [after, false].map(|after| open.pose(after, frame));
            let body = |pose: &Pose| body_position(pose, &clip.motion.skeleton, legs);
            curves.push((body(&pose) - body(&captured)).length() as f32);
            for (n, leg) in legs.iter().enumerate() {
                let speed = |point: usize| {
                    let distance = previous
                        .as_ref()
                        .map_or(0.0, |previous| (points[n][point] - previous[n][point]).length());
                    (distance * fps) as f32
                };
                let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
                let cos = (hip - knee).normalize_or_zero().dot((ankle - knee).normalize_or_zero());
                let length = |pose: &Pose| pose.offsets[leg.ankle.index()].length();
                let stretch = length(&pose) / length(&captured).max(1e-9) - 1.0;
                curves.extend([
                    floor.above(points[n][0]) as f32,
                    floor.above(points[n][1]) as f32,
                    speed(0),
                    speed(1),
                ]);
                curves.extend([acos(cos.clamp(-1.0, 1.0)).to_degrees() as f32, 100.0 * stretch as f32]);
            }
        }
        previous = Some(points);
    }
    curves
}
