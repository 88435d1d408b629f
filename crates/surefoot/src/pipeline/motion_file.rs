//! A motion file: its content, the inferences from it, and its clip.

use core::fmt;
use std::path::{Component, Path, PathBuf};

use surefoot_core::{Clip, Floor, Leg};
use surefoot_formats::bvh::Bvh;
use surefoot_formats::source::{LoadBeside, ReadOptions};
use surefoot_formats::{SourceFile, Space};
use surefoot_infer::Inference;

use super::error::Error;
use super::load_options::{FloorOption, LoadOptions};
use super::parameters::Parameters;
use crate::printable;

/// A motion file that has been loaded.
///
/// Keeps the file's bytes, so that a clean motion can be written with everything that did not change copied byte for
/// byte. The format is recognised by the content.
#[derive(Clone, Debug)]
pub struct MotionFile {
    /// The name of the file, for messages.
    pub name: String,
    /// The content of the file.
    pub source: SourceFile,
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
        let beside = |name: &str| load_beside(path, name);
        Self::read(path.display().to_string(), bytes, options, Some(&beside))
    }

    /// Reads the bytes of a file that needs no file beside it.
    pub fn from_bytes(name: String, bytes: Vec<u8>, options: &LoadOptions) -> Result<Self, Error> {
        Self::read(name, bytes, options, None)
    }

    /// Reads the bytes of a file. `load_beside` loads a file that belongs to it, such as the buffer of a `.gltf`, by its
    /// name relative to this file.
    pub fn read(
        name: String,
        bytes: Vec<u8>,
        options: &LoadOptions,
        load_beside: Option<LoadBeside>,
    ) -> Result<Self, Error> {
        let read = ReadOptions {
            name: Some(&name),
            animation: options.animation.as_deref(),
            load_beside,
            arrays: Some(&options.arrays),
        };
        match SourceFile::read(bytes, &read) {
            Ok(source) => Self::from_source(name, source, options),
            Err(error) => Err(Error::Read { name, error }),
        }
    }

    /// Builds a motion file from a parsed BVH file, and infers what the options do not state.
    pub fn from_bvh(name: String, bvh: Bvh, options: &LoadOptions) -> Result<Self, Error> {
        Self::from_source(name, bvh.into(), options)
    }

    /// Builds a motion file from a parsed file, and infers what the options do not state.
    ///
    /// A motion whose poses would take far more memory than its file is an error.
    pub fn from_source(name: String, mut source: SourceFile, options: &LoadOptions) -> Result<Self, Error> {
        if let Some(fps) = options.fps {
            source.set_rate(fps);
        }
        if let Err(error) = source.check_size() {
            return Err(Error::Read { name, error });
        }
        let excerpt = source.excerpt();
        let inference = options.infer(&source, &excerpt);
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
            motion: source.motion_of_excerpt(excerpt, &space),
            floor,
            first_frame: usize::from(inference.inserted_t_pose.value),
            legs,
            ..Clip::default()
        };
        let (plants_source, plants_notes) = (PlantsSource::None, Vec::new());
        let detection = surefoot_contact::Settings::default();
        Ok(Self { name, source, inference, clip, floor_source, plants_source, plants_notes, detection })
    }

    /// Changes the settings of the detector to the given values. If hands are to be held, the arms join the legs of the
    /// clip.
    pub fn set_detection(&mut self, parameters: &Parameters) {
        parameters.apply_to_detection(&mut self.detection);
        self.update_held_limbs();
    }

    /// Adds the arms to the legs of the clip if hands are to be held, and removes them if not.
    pub fn update_held_limbs(&mut self) {
        self.clip.legs = match self.detection.hold.holds_hands() {
            true => self.legs_and_arms(),
            false => Leg::without_arms(&self.clip.legs).to_vec(),
        };
    }

    /// The legs and arms of the body, in metres, Y up.
    pub(crate) fn legs_and_arms(&self) -> Vec<Leg> {
        let arms = self.space().legs_from_file(&self.inference.arms.value);
        Leg::without_arms(&self.clip.legs).iter().cloned().chain(arms).collect()
    }

    /// The file's unit and up axis.
    pub fn space(&self) -> Space {
        Space { unit_m: self.inference.unit_m.value, up: self.inference.up.value }
    }

    /// From the first frame to the last, in seconds.
    pub fn seconds(&self) -> f64 {
        self.source.frames().saturating_sub(1) as f64 / self.source.rate().value
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

/// Loads a file that another file names, from the folder of that file. `*.asf` is the only file there with that ending.
/// `None` if there is no such file.
pub fn load_beside(path: &Path, name: &str) -> Option<Vec<u8>> {
    if let Some(ending) = name.strip_prefix("*.") {
        return load_only(path.parent()?, ending);
    }
    let named = Path::new(name);
    let is_inside = named.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let beside = path.parent()?.join(named);
    // A motion file must not make a program read a device or a file elsewhere.
    if is_inside && beside.is_file() { std::fs::read(beside).ok() } else { None }
}

/// Loads the only file of a folder with an ending. `None` if there is none, or more than one.
fn load_only(folder: &Path, ending: &str) -> Option<Vec<u8>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let has_ending = |path: &PathBuf| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    let mut files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).filter(has_ending);
    let (only, None) = (files.next()?, files.next()) else { return None };
    if only.is_file() { std::fs::read(only).ok() } else { None }
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
