//! Converts events to intervals of frames in which a foot is down or up.
//!
//! A foot is down from a strike to the next off and up from an off to the next strike. Before its
//! first event, after its last, and between two events of the same kind its state is unknown:
//! labs mark only the steps they analyse.

use surefoot_core::FrameRange;
use surefoot_core::math::floor;

use super::{C3d, EventKind, Side};

/// The intervals of one foot.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FootIntervals {
    /// The foot.
    pub side: Side,
    /// The intervals with a known state, in order of time.
    pub intervals: Vec<FootInterval>,
}

/// An interval during which a foot is known to be down or up.
#[derive(Clone, Debug, PartialEq)]
pub struct FootInterval {
    /// The frames of the motion.
    pub frames: FrameRange,
    /// Whether the foot is on the floor.
    pub is_down: bool,
}

/// Error of applying the events of a C3D file to a motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum C3dFitError {
    /// The file has no foot strike and no foot off.
    NoSteps {
        /// The number of other events.
        others: usize,
    },
    /// The C3D file and the motion have different durations.
    Length {
        /// Duration of the C3D file, in seconds.
        c3d: f64,
        /// Duration of the motion, in seconds.
        motion: f64,
    },
    /// All events are before or after the motion.
    Outside {
        /// The first and the last event, in seconds since the first frame of the motion.
        events: (f64, f64),
        /// Duration of the motion, in seconds.
        motion: f64,
    },
}

impl core::fmt::Display for C3dFitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoSteps { others: 0 } => {
                write!(f, "the file has no events, expected foot strikes and foot offs")
            }
            Self::NoSteps { others } => write!(
                f,
                "none of the {others} events is a foot strike or foot off of the left or right foot"
            ),
            Self::Length { c3d, motion } => {
                write!(f, "the file lasts {c3d:.2} s and the motion {motion:.2} s, expected equal durations")
            }
            Self::Outside { events: (first, last), motion } => write!(
                f,
                "the events are at {first:.2} to {last:.2} s of the motion, which lasts {motion:.2} s"
            ),
        }
    }
}

impl core::error::Error for C3dFitError {}

/// Largest difference of duration between a C3D file and a motion of the same trial, in seconds.
/// Programs that fit a skeleton to markers lose a frame or two.
const DURATION_TOLERANCE: f64 = 0.05;
/// Further difference as a fraction of the duration, for frame rates that were rounded.
const DURATION_TOLERANCE_SHARE: f64 = 0.005;

/// An event at most this far after a frame counts as at the frame, in frames. Times are rounded to
/// single precision.
const TIME_TOLERANCE: f64 = 0.01;

/// The intervals of the left and the right foot, in frames of a motion.
///
/// The trial consists of the frames from `first_frame` on, at `fps`. Without `start` the motion
/// begins with the C3D file and both must have the same duration; `start` gives its beginning in
/// seconds since the start of the recording.
pub fn foot_intervals(
    c3d: &C3d,
    frames: usize,
    first_frame: usize,
    fps: f64,
    start: Option<f64>,
) -> Result<[FootIntervals; 2], C3dFitError> {
    let motion = frames.saturating_sub(first_frame) as f64 / fps;
    let tolerance = DURATION_TOLERANCE + 1.0 / c3d.rate + DURATION_TOLERANCE_SHARE * motion;
    if start.is_none() && (c3d.seconds() - motion).abs() > tolerance {
        return Err(C3dFitError::Length { c3d: c3d.seconds(), motion });
    }
    let start = start.unwrap_or_else(|| c3d.start());
    let times = [Side::Left, Side::Right].map(|side| {
        let is_step = |event: &&super::Event| event.side == Some(side) && event.kind != EventKind::Other;
        let steps = c3d.events.iter().filter(is_step);
        steps.map(|event| (event.seconds - start, event.kind)).collect::<Vec<_>>()
    });
    let all = || times.iter().flatten().map(|(seconds, _)| *seconds);
    if all().next().is_none() {
        return Err(C3dFitError::NoSteps { others: c3d.events.len() });
    }
    if all().all(|seconds| !(0.0..=motion).contains(&seconds)) {
        let first = all().fold(f64::INFINITY, f64::min);
        return Err(C3dFitError::Outside {
            events: (first, all().fold(f64::NEG_INFINITY, f64::max)),
            motion,
        });
    }
    // The first frame at or after an event. Events outside the motion are clamped to its ends.
    let frame = |seconds: f64| {
        let frame = -floor(-(seconds * fps - TIME_TOLERANCE)) + first_frame as f64;
        frame.clamp(first_frame.min(frames) as f64, frames as f64) as usize
    };
    let intervals = |times: &[(f64, EventKind)]| {
        let between = |pair: &[(f64, EventKind)]| {
            let frames = frame(pair[0].0)..frame(pair[1].0);
            let is_known = pair[0].1 != pair[1].1 && !frames.is_empty();
            is_known.then_some(FootInterval { frames, is_down: pair[0].1 == EventKind::FootStrike })
        };
        times.windows(2).filter_map(between).collect::<Vec<_>>()
    };
    let [left, right] = times;
    Ok([
        FootIntervals { side: Side::Left, intervals: intervals(&left) },
        FootIntervals { side: Side::Right, intervals: intervals(&right) },
    ])
}
