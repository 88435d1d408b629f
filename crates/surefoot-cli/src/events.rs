//! Foot strike and foot off events of a C3D file, applied to a motion.

use std::path::Path;

use surefoot_contact::{ContactOverride, apply_overrides};
use surefoot_core::{Clip, Footplants};
use surefoot_formats::c3d::{C3d, C3dFitError, foot_intervals};

use crate::input::{self, Input};
use crate::problem::Problem;

/// The intervals in which the events of a C3D file determine whether a foot is down.
pub struct Events {
    /// Frames in which a foot is known to be down or up.
    given: Vec<ContactOverride>,
}

impl Events {
    /// Reads the events of a file. `start` is the time in the C3D file at which the motion begins, in seconds; without
    /// it the two must have the same length.
    pub fn read(file: &Path, clip: &Clip, start: Option<f64>) -> Result<Self, Problem> {
        let Input { name, bytes, .. } = input::read(file)?;
        Self::from_bytes(&name, &bytes, clip, start)
    }

    /// Reads the events from the bytes of a file.
    pub fn from_bytes(name: &str, bytes: &[u8], clip: &Clip, start: Option<f64>) -> Result<Self, Problem> {
        let c3d = C3d::read(bytes).map_err(|error| Problem::new(format!("{name}: {error}")))?;
        let frames = clip.motion.frames();
        let times = foot_intervals(&c3d, frames, clip.first_frame, clip.motion.fps, start);
        let times = times.map_err(|error| {
            let problem = Problem::new(format!("{name} does not fit: {error}"));
            match error {
                C3dFitError::Length { .. } => problem.help(
                    "`detect --events-start SECONDS` sets the time in the C3D file at which the motion begins",
                ),
                _ => problem,
            }
        })?;
        let mut given = Vec::new();
        for foot in times {
            let leg = clip.legs.iter().position(|leg| leg.side == foot.side.as_str());
            let Some(leg) = leg.filter(|_| !foot.intervals.is_empty()) else { continue };
            given.extend(foot.intervals.into_iter().map(|interval| ContactOverride {
                leg,
                frames: interval.frames,
                is_down: interval.is_down,
            }));
        }
        if given.is_empty() {
            let legs: Vec<&str> = clip.legs.iter().map(|leg| leg.side.as_str()).collect();
            let none = format!("{name}: no foot strike followed by a foot off, of {}", legs.join(" or "));
            return Err(Problem::new(none));
        }
        Ok(Self { given })
    }

    /// Corrects detected plants where the events determine the contact.
    pub fn correct(&self, found: &Footplants, clip: &Clip) -> Footplants {
        let Clip { motion, legs, floor, first_frame, .. } = clip;
        apply_overrides(found, motion, legs, floor.as_ref(), *first_frame, &self.given)
    }

    /// A sentence about the events.
    pub fn summary(&self, name: &str, clip: &Clip) -> String {
        let frames: usize = self.given.iter().map(|given| given.frames.len()).sum();
        let all = clip.legs.len() * (clip.motion.frames() - clip.first_frame);
        let share = 100.0 * frames as f64 / all.max(1) as f64;
        let stances = self.given.iter().filter(|given| given.is_down).count();
        format!(
            "{name}: {stances} stances; its events cover {share:.0} % of the frames, the rest is detected"
        )
    }
}
