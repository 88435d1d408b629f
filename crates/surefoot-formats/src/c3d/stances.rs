//! Which frames of a motion do the events speak of?
//!
//! From a strike to the next off a foot is down, from an off to the next strike it is up. Before
//! a foot's first event, after its last, and between two of the same kind, nothing is known:
//! labs note the steps they need and no others.

use surefoot_core::FrameRange;
use surefoot_core::math::floor;

use super::{C3d, EventKind, Side};

/// What the events say of one foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootIntervals {
    /// Whose foot.
    pub side: Side,
    /// What is known, in the order of time.
    pub intervals: Vec<FootInterval>,
}

/// Frames of which it is known whether a foot is down.
#[derive(Clone, Debug, PartialEq)]
pub struct FootInterval {
    /// The frames, of the motion.
    pub frames: FrameRange,
    /// Down, or up.
    pub is_down: bool,
}

/// Why events cannot be put on a motion.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum C3dFitError {
    /// No foot comes down or leaves.
    NoSteps {
        /// How many events of other kinds there are.
        others: usize,
    },
    /// The C3D file and the motion are not equally long.
    Length {
        /// The C3D file's length, in seconds.
        c3d: f64,
        /// The motion's.
        motion: f64,
    },
    /// All events are before the motion or after it.
    Outside {
        /// The first and the last, in seconds from the motion's first frame.
        events: (f64, f64),
        /// The motion's length, in seconds.
        motion: f64,
    },
}

impl core::fmt::Display for C3dFitError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoSteps { others: 0 } => write!(f, "it has no events, expected foot strikes and foot offs"),
            Self::NoSteps { others } => {
                write!(
                    f,
                    "none of its {others} events is a foot strike or foot off of the left or right foot"
                )
            }
            Self::Length { c3d, motion } => {
                write!(f, "it lasts {c3d:.2} s and the motion {motion:.2} s, expected the same trial")
            }
            Self::Outside { events: (first, last), motion } => write!(
                f,
                "its events are from {first:.2} to {last:.2} s of the motion, which lasts {motion:.2} s"
            ),
        }
    }
}

impl core::error::Error for C3dFitError {}

/// By how much a C3D file and a motion may differ in length and still be the same trial: seconds,
/// and a share for rates that were rounded. Programs that fit a body lose a frame or two.
const SLACK: f64 = 0.05;
const SLACK_SHARE: f64 = 0.005;

/// An event this near after a frame is at it, in frames. Times are rounded to single floats.
const AT: f64 = 0.01;

/// What is known of each foot, left first, on the frames of a motion.
///
/// The motion's frames from `first_frame` on are the trial, at `fps`. Its first is the C3D file's
/// first, and both must be equally long; or `start` says at what second of the C3D file's own
/// time it is.
pub fn foot_intervals(
    c3d: &C3d,
    frames: usize,
    first_frame: usize,
    fps: f64,
    start: Option<f64>,
) -> Result<[FootIntervals; 2], C3dFitError> {
    let motion = frames.saturating_sub(first_frame) as f64 / fps;
    if start.is_none() && (c3d.seconds() - motion).abs() > SLACK + 1.0 / c3d.rate + SLACK_SHARE * motion {
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
    // A frame is after an event from the first that is not before it. Far events end at the ends.
    let frame = |seconds: f64| {
        let frame = -floor(-(seconds * fps - AT)) + first_frame as f64;
        frame.clamp(first_frame.min(frames) as f64, frames as f64) as usize
    };
    let known = |times: &[(f64, EventKind)]| {
        let between = |pair: &[(f64, EventKind)]| {
            let frames = frame(pair[0].0)..frame(pair[1].0);
            let is_known = pair[0].1 != pair[1].1 && !frames.is_empty();
            is_known.then_some(FootInterval { frames, is_down: pair[0].1 == EventKind::FootStrike })
        };
        times.windows(2).filter_map(between).collect::<Vec<_>>()
    };
    let [left, right] = times;
    Ok([
        FootIntervals { side: Side::Left, intervals: known(&left) },
        FootIntervals { side: Side::Right, intervals: known(&right) },
    ])
}
