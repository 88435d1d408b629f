//! Resampling: a clip at another frame rate.
//!
//! Rotations and positions follow cubic curves through the captured frames: in the exponential map of each frame for
//! rotations, with the slopes of Catmull and Rom. Linear interpolation would give every captured frame a kink, which shows as a
//! jerk of knees. Frames that fall on captured frames are equal to them. Every frame is a pose at its own time; motion
//! faster than the new rate is not filtered.

use core::fmt;

use surefoot_core::math::{ceil, floor};
use surefoot_core::{Clip, Footplants, Motion, Plant, Pose, Quat, Vec3};

use crate::interpolate::{exp, log};

/// Largest number of joint poses to which an edit lengthens a motion: frames times joints. It is 18 minutes at 120 fps
/// for a body of 46 joints; its poses take 340 MB, and cleaning and writing them about a gigabyte.
pub const MAX_JOINT_POSES: usize = 6_000_000;

/// The largest number of frames of a motion that an edit makes of this one.
pub fn most_frames(motion: &Motion) -> usize {
    (MAX_JOINT_POSES / motion.skeleton.len().max(1)).max(motion.frames())
}

/// Distance from a captured frame below which a time counts as that frame, in frames.
const WHOLE_FRAME: f64 = 1e-6;

/// Why a motion cannot be resampled.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResampleError {
    /// A frame rate that is not a positive number.
    Rate(f64),
    /// The result would have more frames than [`most_frames`].
    TooManyFrames {
        /// The number of frames.
        found: f64,
        /// The largest number of frames for this motion.
        most: usize,
    },
}

impl fmt::Display for ResampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate(found) => write!(f, "found {found} frames per second, expected a positive number"),
            Self::TooManyFrames { found, most } => {
                write!(f, "resampled, the motion would have {found:.0} frames, expected at most {most}")
            }
        }
    }
}

impl core::error::Error for ResampleError {}

/// A clip at another frame rate. Frames before the performance are kept as they are.
///
/// Plants keep their times, to the frames within them, and their spots. A loop stays one if its period is a whole number of new frames.
pub fn resample(clip: &Clip, fps: f64) -> Result<Clip, ResampleError> {
    let first = clip.first_frame.min(clip.motion.frames());
    let times = Times::new(&clip.motion, first, fps)?;
    let performance = &clip.motion.poses[first..];
    let poses = clip.motion.poses[..first].iter().cloned();
    let poses = poses.chain((0..times.frames).map(|frame| pose_at(performance, times.captured(frame))));
    let motion = Motion { poses: poses.collect(), skeleton: clip.motion.skeleton.clone(), fps };
    let plant = |plant: &Plant| {
        let inside = plant.frames.start.saturating_sub(first)..plant.frames.end.saturating_sub(first);
        let frames = times.first_within(inside.start)..times.last_within(inside.end.max(1) - 1) + 1;
        let frames = frames.start + first..(frames.end + first).min(first + times.frames);
        Plant { frames, ..plant.clone() }
    };
    let plants = clip.plants.plants.iter().map(plant).filter(|plant| !plant.frames.is_empty()).collect();
    let looping = clip.looping.and_then(|mut looping| {
        let period = looping.period as f64 * times.ratio;
        looping.period = floor(period + 0.5) as usize;
        ((period - looping.period as f64).abs() < 1e-3).then_some(looping)
    });
    Ok(Clip { motion, plants: Footplants { plants }, looping, ..clip.clone() })
}

/// The frames of a resampled motion and their times.
struct Times {
    /// New frames per captured frame.
    ratio: f64,
    frames: usize,
}

impl Times {
    fn new(motion: &Motion, first: usize, fps: f64) -> Result<Self, ResampleError> {
        if !(fps.is_finite() && fps > 0.0) {
            return Err(ResampleError::Rate(fps));
        }
        let ratio = fps / motion.fps;
        let last = (motion.frames() - first).saturating_sub(1);
        let frames = floor(last as f64 * ratio + WHOLE_FRAME) + 1.0;
        let most = most_frames(motion);
        if frames > most as f64 {
            return Err(ResampleError::TooManyFrames { found: frames, most });
        }
        let has_frames = motion.frames() > first;
        Ok(Self { ratio, frames: if has_frames { frames as usize } else { 0 } })
    }

    /// The captured frame at the time of a new one, usually fractional.
    fn captured(&self, frame: usize) -> f64 {
        frame as f64 / self.ratio
    }

    /// The first new frame that is not before a captured one.
    fn first_within(&self, captured: usize) -> usize {
        ceil(captured as f64 * self.ratio - WHOLE_FRAME) as usize
    }

    /// The last new frame that is not after a captured one.
    fn last_within(&self, captured: usize) -> usize {
        floor(captured as f64 * self.ratio + WHOLE_FRAME) as usize
    }
}

/// The pose at a fractional frame; that of the captured frame at whole ones.
fn pose_at(poses: &[Pose], at: f64) -> Pose {
    let last = poses.len() - 1;
    let nearest = floor(at + 0.5) as usize;
    if (at - nearest as f64).abs() < WHOLE_FRAME || at >= last as f64 {
        return poses[nearest.min(last)].clone();
    }
    let low = floor(at) as usize;
    let share = at - low as f64;
    let around = [low.saturating_sub(1), low, low + 1, (low + 2).min(last)].map(|frame| &poses[frame]);
    let joints = 0..poses[low].offsets.len();
    Pose {
        offsets: joints.clone().map(|n| position(around.map(|pose| pose.offsets[n]), share)).collect(),
        rotations: joints.map(|n| rotation(around.map(|pose| pose.rotations[n]), share)).collect(),
    }
}

/// The cubic through the middle two positions with the slopes of Catmull and Rom.
fn position([before, from, to, after]: [Vec3; 4], share: f64) -> Vec3 {
    if from == to && before == from && after == to {
        return from;
    }
    from + cubic(to - from, (to - before) * 0.5, (after - from) * 0.5, share)
}

/// The same for rotations, in the exponential map of the second one.
fn rotation([before, from, to, after]: [Quat; 4], share: f64) -> Quat {
    if from == to && before == from && after == to {
        return from;
    }
    let vector = |rotation: Quat| log(from.conjugate() * rotation);
    let (before, to, after) = (vector(before), vector(to), vector(after));
    (from * exp(cubic(to, (to - before) * 0.5, after * 0.5, share))).normalize()
}

/// The cubic Hermite curve from 0 to `to` with these slopes at its ends.
fn cubic(to: Vec3, slope: Vec3, end_slope: Vec3, t: f64) -> Vec3 {
    let (square, cube) = (t * t, t * t * t);
    to * (3.0 * square - 2.0 * cube) + slope * (cube - 2.0 * square + t) + end_slope * (cube - square)
}
