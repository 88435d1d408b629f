//! How does every edit end? With planted feet held.
//!
//! All is done as one who stands on the ground sees it, without frames that are no performance, and as
//! a motion without end where the take is a loop; what comes back is a take as the file has it.

use core::fmt;

use surefoot_core::{Footplants, FrameRange, Motion};
use surefoot_solve::{Label, Note, Report, Scene, Settings, SetupError, clean, rectify, support_labels};

use crate::looped::{self, Loop};
use crate::pair::PairError;
use crate::take::Take;

/// Which method holds planted feet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The five phases.
    #[default]
    Phases,
    /// By who carries the body.
    Support,
}

/// A clean take, and what it took.
#[derive(Clone, Debug, Default)]
pub struct Cleaned {
    /// The take. A plant that is held across a loop's seam is two in it.
    pub take: Take,
    /// What each plant took, in the take's frames. Across a loop's seam a plant is one.
    pub report: Report,
    /// How far a loop is from itself a round later, in metres.
    pub periodic_m: Option<f64>,
    /// What each frame was found to be, by [`Method::Support`].
    pub labels: Vec<Label>,
}

/// Why a take cannot be cleaned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EndError {
    /// The motion is none.
    Motion(PairError),
    /// A period of no frames, or of more than the motion has.
    Period {
        /// What it is said to be.
        period: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// A loop that travels over a floor that is not the same everywhere.
    Floor,
    /// A loop, by [`Method::Support`].
    Support,
    /// The cleaner does not take it.
    Setup(SetupError),
}

impl fmt::Display for EndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Motion(error) => error.fmt(f),
            Self::Period { period, frames } => {
                write!(f, "a period of {period} frames, but the motion has {frames}")
            }
            Self::Floor => write!(f, "a loop that travels needs a plane to go on, along which it goes"),
            Self::Support => write!(f, "a loop can be cleaned in phases only, not by support"),
            Self::Setup(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EndError {}

impl From<SetupError> for EndError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

impl Take {
    /// How every edit ends: planted feet are held, in five phases.
    pub fn cleaned(&self, settings: &Settings) -> Result<Cleaned, EndError> {
        self.cleaned_by(Method::Phases, settings)
    }

    /// The same by a method of one's own choice.
    pub fn cleaned_by(&self, method: Method, settings: &Settings) -> Result<Cleaned, EndError> {
        let seen = self.from_ground();
        let (performed, plants) = seen.performed();
        let scene = seen.scene();
        let solved = match (&self.looped, method) {
            (Some(_), Method::Support) => return Err(EndError::Support),
            (Some(looped), Method::Phases) => around(&performed, &scene, &plants, looped, settings)?,
            (None, _) => along(method, performed, &scene, plants, settings)?,
        };
        let Solved { motion, plants, report, periodic_m, labels } = solved;
        let (take, report) = self.put_back(&seen, motion, &plants, report);
        Ok(Cleaned { take, report, periodic_m, labels })
    }

    /// The take that a clean performance makes of this one, and what that took: in the take's frames, as
    /// the room sees it. `seen` is the take as its ground sees it, and so are performance and plants.
    pub fn put_back(
        &self,
        seen: &Self,
        performed: Motion,
        plants: &Footplants,
        mut report: Report,
    ) -> (Self, Report) {
        report.plants.iter_mut().for_each(|plant| later(&mut plant.frames, self.first_frame));
        report.notes.iter_mut().for_each(|note| note_later(note, self.first_frame));
        let clean = seen.performing(performed, plants);
        let motion = self.back_in_room(&seen.motion, clean.motion);
        (Self { motion, plants: clean.plants, ..self.clone() }.cut_at_seam(), report)
    }

    /// A clean motion as the room sees it; poses that were left alone come back to the last bit.
    fn back_in_room(&self, seen: &Motion, clean: Motion) -> Motion {
        let Some(ground) = self.ground else { return clean };
        let mut motion = clean.with_added_velocity(ground);
        let each = clean.poses.iter().zip(&seen.poses).zip(&self.motion.poses);
        for (pose, ((clean, seen), captured)) in motion.poses.iter_mut().zip(each) {
            if clean == seen {
                pose.clone_from(captured);
            }
        }
        motion
    }
}

/// A performance that has been cleaned.
struct Solved {
    motion: Motion,
    plants: Footplants,
    report: Report,
    periodic_m: Option<f64>,
    labels: Vec<Label>,
}

fn along(
    method: Method,
    motion: Motion,
    scene: &Scene,
    plants: Footplants,
    settings: &Settings,
) -> Result<Solved, EndError> {
    let (labels, (motion, report)) = match method {
        Method::Phases => (Vec::new(), clean(&motion, scene, &plants, settings)?),
        Method::Support => {
            (support_labels(&motion, scene, &plants, settings)?, rectify(&motion, scene, &plants, settings)?)
        }
    };
    Ok(Solved { motion, plants, report, periodic_m: None, labels })
}

fn around(
    motion: &Motion,
    scene: &Scene,
    plants: &Footplants,
    looped: &Loop,
    settings: &Settings,
) -> Result<Solved, EndError> {
    let looped::Cleaned { motion, report, plants, periodic_m } =
        looped::clean(motion, scene, plants, looped, settings)?;
    Ok(Solved { motion, plants, report, periodic_m: Some(periodic_m), labels: Vec::new() })
}

fn later(frames: &mut FrameRange, by: usize) {
    *frames = frames.start + by..frames.end + by;
}

/// Makes a note speak of frames that are so many later.
pub fn note_later(note: &mut Note, by: usize) {
    match note {
        Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } | Note::NotHeld { frames, .. } => {
            later(frames, by);
        }
        Note::OffFloor { frame, .. } => *frame += by,
        _ => {}
    }
}
