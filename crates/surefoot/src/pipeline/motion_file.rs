//! A motion file: its text, the inferences from it, and its clip.

use core::fmt;
use std::path::Path;

use surefoot_core::{Clip, Floor};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::Inference;

use super::error::Error;
use super::load_options::{FloorOption, LoadOptions};
use crate::printable;

/// A motion file that has been loaded.
///
/// Keeps the file's text, so that a clean motion can be written with everything that did not change copied byte for
/// byte.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// The name of the file, for messages.
    pub name: String,
    /// The text and numbers of the file.
    pub bvh: Bvh,
    /// Legs, unit, up axis and floor, each with a confidence and a reason; in the file's own unit and axes.
    pub inference: Inference,
    /// The motion in metres, Y up, with its legs, its floor and, once they are known, its plants.
    pub clip: Clip,
    /// Where the floor of the clip comes from.
    pub floor_source: FloorSource,
    /// Where the plants of the clip come from.
    pub plants_source: PlantsSource,
    /// Notes of the reader of the plants file, one sentence each.
    pub plants_notes: Vec<String>,
    /// The settings of the detector, apart from the first frame of the performance, which the clip states.
    pub detection: surefoot_contact::Settings,
}

/// Where the floor of a clip comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FloorSource {
    /// The plane that was inferred or given, if there is one.
    #[default]
    Plane,
    /// A height field or mesh from the file of this name.
    File(String),
    /// Built from the plants. Until they are known it is the inferred plane.
    Plants,
}

/// Where the plants of a clip come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlantsSource {
    /// The clip has no plants yet.
    #[default]
    None,
    /// They were detected.
    Detected,
    /// A person or another program has given them.
    Given,
}

impl MotionFile {
    /// Loads a file with everything inferred.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// Loads a file with options that override the inference.
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, Error> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| Error::Io { path: path.to_owned(), error })?;
        Self::from_bytes(path.display().to_string(), bytes, options)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(name: String, bytes: Vec<u8>, options: &LoadOptions) -> Result<Self, Error> {
        match Bvh::read(bytes) {
            Ok(bvh) => Ok(Self::from_bvh(name, bvh, options)),
            Err(error) => Err(Error::Bvh { name, error: Box::new(error) }),
        }
    }

    /// Builds a motion file from a parsed file, and infers what the options do not state.
    pub fn from_bvh(name: String, mut bvh: Bvh, options: &LoadOptions) -> Self {
        if let Some(fps) = options.fps {
            bvh.set_rate(fps);
        }
        let excerpt = bvh.excerpt();
        let inference = options.infer(&excerpt);
        let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
        let plane = inferred_floor(&inference);
        let (floor, floor_source) = match &options.floor {
            Some(FloorOption::Surface { name, floor }) => {
                (Some(floor.clone()), FloorSource::File(name.clone()))
            }
            Some(FloorOption::FromPlants) => (plane, FloorSource::Plants),
            _ => (plane, FloorSource::Plane),
        };
        let legs =
            inference.legs.as_ref().map_or_else(|_| Vec::new(), |legs| space.legs_from_file(&legs.value));
        let clip = Clip {
            // The poses of an excerpt that is the whole motion have been computed already.
            motion: match excerpt.frames.len() == bvh.frames() {
                true => space.motion_from_file(excerpt.motion),
                false => bvh.motion(&space),
            },
            floor,
            first_frame: usize::from(inference.inserted_t_pose.value),
            legs,
            ..Clip::default()
        };
        let (plants_source, plants_notes) = (PlantsSource::None, Vec::new());
        let detection = surefoot_contact::Settings::default();
        Self { name, bvh, inference, clip, floor_source, plants_source, plants_notes, detection }
    }

    /// The file's unit and up axis.
    pub fn space(&self) -> Space {
        Space { unit_m: self.inference.unit_m.value, up: self.inference.up.value }
    }

    /// From the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        self.bvh.frames().saturating_sub(1) as f64 / self.bvh.rate().value
    }

    /// Returns an error with the best candidates where no legs were found.
    pub fn require_legs(&self) -> Result<(), NoLegs> {
        /// How many candidates are listed.
        const LISTED: usize = 3;
        let Err(no_legs) = &self.inference.legs else { return Ok(()) };
        let candidates = no_legs.candidates.iter().take(LISTED).map(|candidate| printable(candidate));
        Err(NoLegs { name: self.name.clone(), candidates: candidates.collect() })
    }

    /// The floor above which plants are detected: the clip's, unless that is built from the plants.
    pub fn detection_floor(&self) -> Option<Floor> {
        match self.floor_source {
            FloorSource::Plants => inferred_floor(&self.inference),
            _ => self.clip.floor.clone(),
        }
    }

    /// Builds the floor from the plants, if that was requested. Without plants the floor is the inferred plane.
    pub(crate) fn build_floor(&mut self) {
        if self.floor_source == FloorSource::Plants {
            let Clip { motion, legs, plants, first_frame, .. } = &self.clip;
            let built = Floor::from_plants(motion, legs, plants, *first_frame);
            self.clip.floor = built.or_else(|| inferred_floor(&self.inference));
        }
    }
}

/// The inferred plane in metres, Y up. `None` without legs: the floor is inferred from where the feet are.
fn inferred_floor(inference: &Inference) -> Option<Floor> {
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let plane = inference.floor.as_ref().filter(|_| inference.legs.is_ok())?;
    Some(space.plane_from_file(plane.value).into())
}

/// A file in which no legs were found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NoLegs {
    /// The file's name.
    pub name: String,
    /// The best candidates for a leg, each with the reason for its rejection.
    pub candidates: Vec<String>,
}

impl fmt::Display for NoLegs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no legs were found in {}", printable(&self.name))
    }
}

impl std::error::Error for NoLegs {}
