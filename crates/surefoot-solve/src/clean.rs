//! Cleans a whole clip: planted feet are held, everything else changes as little as possible.
//!
//! The work is done in the ground's frame of reference, on the frames of the performance, and around the seam
//! of a loop. The result is a clip as its file stores it: in the room's frame of reference, with inserted
//! frames untouched.

use core::fmt;

use surefoot_core::{Clip, Footplants, FrameRange, Leg, Motion, Plant, Pose};

use crate::cleaner::clean_performance;
use crate::looping;
use crate::report::{Note, Report};
use crate::settings::{Form, Method, Settings};
use crate::setup::SetupError;
use crate::support::{SupportLabel, label_frames, rectify};
use crate::torso;

/// A clean clip and what cleaning it cost.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CleanResult {
    /// The clean clip. A plant that spans the seam of a loop is split into two.
    pub clip: Clip,
    /// The cost of each plant, and notes about plants that could not be held. A plant that spans the seam of a loop
    /// counts once.
    pub report: Report,
    /// The largest distance between a joint and the same joint one cycle later, next to the seam of a loop, in metres.
    pub periodic_m: Option<f64>,
    /// Which feet support the body in each frame of the performance, by [`Method::Support`].
    pub labels: Vec<SupportLabel>,
}

/// Why a clip cannot be cleaned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CleanError {
    /// A loop without frames.
    NoFrames,
    /// A loop whose period is 0 or longer than its motion.
    Period {
        /// The period, in frames.
        period: usize,
        /// The frames of the performance.
        frames: usize,
    },
    /// A loop that travels over a floor that differs from one cycle to the next.
    LoopFloor,
    /// A loop with [`Method::Support`] in its published form, which handles only motions with a beginning and an end.
    LoopBySupport,
    /// The body, the floor, a pose or a setting cannot be used.
    Setup(SetupError),
}

impl fmt::Display for CleanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFrames => write!(f, "the loop has no frames"),
            Self::Period { period, frames } => {
                write!(f, "the loop has a period of {period} frames, but the motion has {frames} frames")
            }
            Self::LoopFloor => {
                write!(f, "a loop that travels needs a plane as its floor, and must travel along that plane")
            }
            Self::LoopBySupport => {
                write!(f, "loops cannot be cleaned with the method `support` in its published form")
            }
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CleanError {}

impl From<SetupError> for CleanError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

/// Holds the plants of a clip.
///
/// Cleaning never fails because of the motion: plants that cannot be held are listed in the report. Errors are about an
/// invalid body, floor or setting.
///
/// Where hands are planted, the torso bends towards them first. A [`Cleaner`](crate::Cleaner) moves root and limbs only.
pub fn clean(clip: &Clip, settings: &Settings) -> Result<CleanResult, CleanError> {
    if clip.ground_velocity.is_some() {
        let at_rest = clip.relative_to_ground();
        let mut result = clean(&at_rest, settings)?;
        result.clip.motion = into_room(clip, &at_rest.motion, result.clip.motion);
        result.clip.ground_velocity = clip.ground_velocity;
        return Ok(result);
    }
    let is_rectified = settings.method == Method::Support && settings.form == Form::Paper;
    if let Some(looping) = &clip.looping {
        if is_rectified {
            return Err(CleanError::LoopBySupport);
        }
        let cleaned = looping::clean_loop(&clip.performance(), looping, settings)?;
        let result = with_performance(clip, cleaned.poses, &cleaned.plants, cleaned.report);
        return Ok(CleanResult { periodic_m: Some(cleaned.periodic_m), ..result });
    }
    let plants = performance_plants(clip);
    if is_rectified && clip.legs.iter().any(Leg::is_arm) {
        // Hands do not support the body in this form; notes report their plants as not held.
        let legs = Leg::without_arms(&clip.legs).to_vec();
        let feet = Clip { legs, ..clip.clone() };
        let (poses, report) = rectify(&feet, &plants, settings)?;
        let labels = label_frames(&feet, &plants, settings)?;
        return Ok(CleanResult { labels, ..with_performance(clip, poses, &plants, report) });
    }
    let (poses, report) = match is_rectified {
        true => rectify(clip, &plants, settings)?,
        false => {
            let leaning = torso::lean(clip, &plants).filter(|_| settings.form == Form::Improved);
            clean_performance(leaning.as_ref().unwrap_or(clip), &plants, settings)?
        }
    };
    let labels = match settings.method {
        Method::Phases => Vec::new(),
        Method::Support => label_frames(clip, &plants, settings)?,
    };
    Ok(CleanResult { labels, ..with_performance(clip, poses, &plants, report) })
}

/// The plants of a clip, counted from the first frame of its performance.
fn performance_plants(clip: &Clip) -> Footplants {
    let earlier = |frame: usize| frame.saturating_sub(clip.first_frame);
    let shifted = |plant: &Plant| Plant {
        frames: earlier(plant.frames.start)..earlier(plant.frames.end),
        ..plant.clone()
    };
    Footplants { plants: clip.plants.plants.iter().map(shifted).collect() }
}

/// The result of cleaning `clip`, from its clean performance and from plants and a report that count from the
/// first frame of the performance.
pub fn with_performance(
    clip: &Clip,
    performance: Vec<Pose>,
    plants: &Footplants,
    mut report: Report,
) -> CleanResult {
    report.shift_frames(clip.first_frame);
    let Motion { skeleton, fps, .. } = &clip.motion;
    let performance = Motion { poses: performance, skeleton: skeleton.clone(), fps: *fps };
    let clip = clip.with_performance(performance, plants).split_plants_at_seam();
    CleanResult { clip, report, ..CleanResult::default() }
}

/// A clean motion in the room's frame of reference. Poses that cleaning left alone are copied from the clip, so
/// that they do not change by rounding.
pub fn into_room(clip: &Clip, at_rest: &Motion, clean: Motion) -> Motion {
    let Some(velocity) = clip.ground_velocity else { return clean };
    let mut motion = clean.with_added_velocity(velocity);
    let each = clean.poses.iter().zip(&at_rest.poses).zip(&clip.motion.poses);
    for (pose, ((clean, at_rest), captured)) in motion.poses.iter_mut().zip(each) {
        if clean == at_rest {
            pose.clone_from(captured);
        }
    }
    motion
}

impl Report {
    /// Moves all frame numbers to `by` frames later.
    pub fn shift_frames(&mut self, by: usize) {
        self.plants.iter_mut().for_each(|plant| shift(&mut plant.frames, by));
        self.notes.iter_mut().for_each(|note| note.shift_frames(by));
    }
}

impl Note {
    /// Moves all frame numbers to `by` frames later.
    pub fn shift_frames(&mut self, by: usize) {
        match self {
            Self::OutOfReach { frames, .. }
            | Self::FootLengthMismatch { frames, .. }
            | Self::NotHeld { frames, .. } => {
                shift(frames, by);
            }
            Self::OffFloor { frame, .. } => *frame += by,
        }
    }
}

fn shift(frames: &mut FrameRange, by: usize) {
    *frames = frames.start + by..frames.end + by;
}
