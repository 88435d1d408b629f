//! Foot strike and foot off events of a C3D file, applied to a motion.

use core::fmt;

use surefoot_contact::{ContactOverride, apply_overrides};
use surefoot_core::{Clip, Footplants};
use surefoot_formats::c3d::{C3d, C3dError, C3dFitError, foot_intervals};

use super::error::Error;
use super::motion_file::MotionFile;

/// The intervals in which the events of a C3D file determine whether a foot is down.
#[derive(Clone, Debug)]
pub struct ContactEvents {
    /// The file's name.
    name: String,
    /// Frames in which a foot is known to be down or up.
    given: Vec<ContactOverride>,
}

/// Why the events of a C3D file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventsError {
    /// The file cannot be read.
    Read(C3dError),
    /// The events do not fit the motion.
    Fit(C3dFitError),
    /// No foot of these sides has a foot strike followed by a foot off.
    NoStance(Vec<String>),
}

impl fmt::Display for EventsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Fit(error) => error.fmt(f),
            Self::NoStance(sides) => {
                write!(f, "no foot strike followed by a foot off, of {}", sides.join(" or "))
            }
        }
    }
}

impl std::error::Error for EventsError {}

impl ContactEvents {
    /// Reads the events from the bytes of a file.
    ///
    /// `start` is the time in the C3D file at which the motion begins, in seconds; without it the two must have the
    /// same length.
    pub fn read(name: &str, bytes: &[u8], clip: &Clip, start: Option<f64>) -> Result<Self, Error> {
        match intervals(bytes, clip, start) {
            Ok(given) => Ok(Self { name: name.to_owned(), given }),
            Err(error) => Err(Error::Events { name: name.to_owned(), error }),
        }
    }

    /// Corrects detected plants where the events determine the contact.
    pub fn correct(&self, found: &Footplants, clip: &Clip) -> Footplants {
        let Clip { motion, legs, floor, first_frame, .. } = clip;
        apply_overrides(found, motion, legs, floor.as_ref(), *first_frame, &self.given)
    }

    /// A sentence about the events.
    pub fn summary(&self, clip: &Clip) -> String {
        let frames: usize = self.given.iter().map(|given| given.frames.len()).sum();
        let all = clip.legs.len() * (clip.motion.frames() - clip.first_frame);
        let share = 100.0 * frames as f64 / all.max(1) as f64;
        let stances = self.given.iter().filter(|given| given.is_down).count();
        format!(
            "{}: {stances} stances; its events cover {share:.0} % of the frames, the rest is detected",
            self.name
        )
    }
}

fn intervals(bytes: &[u8], clip: &Clip, start: Option<f64>) -> Result<Vec<ContactOverride>, EventsError> {
    let c3d = C3d::read(bytes).map_err(EventsError::Read)?;
    let frames = clip.motion.frames();
    let feet = foot_intervals(&c3d, frames, clip.first_frame, clip.motion.fps, start);
    let mut given = Vec::new();
    for foot in feet.map_err(EventsError::Fit)? {
        let Some(leg) = clip.legs.iter().position(|leg| leg.side == foot.side.as_str()) else { continue };
        let intervals = foot.intervals.into_iter();
        given.extend(intervals.map(|interval| ContactOverride {
            leg,
            frames: interval.frames,
            is_down: interval.is_down,
        }));
    }
    if given.is_empty() {
        return Err(EventsError::NoStance(clip.legs.iter().map(|leg| leg.side.clone()).collect()));
    }
    Ok(given)
}

impl MotionFile {
    /// Detects plants and corrects them by the foot strikes and foot offs of a C3D file.
    pub(crate) fn read_events(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        let events = ContactEvents::read(name, bytes, &self.clip, None)?;
        self.detect_plants()?;
        let detected_ground = self.clip.ground_velocity;
        let plants = events.correct(&self.clip.plants, &self.clip);
        self.set_plants(plants, detected_ground);
        self.plants_notes = vec![events.summary(&self.clip)];
        Ok(())
    }
}
