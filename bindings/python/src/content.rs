//! What a clip holds: a file that was loaded, a clean file, or a motion from arrays.

use pyo3::prelude::*;
use surefoot::contact::{self, Hold, ground_velocity};
use surefoot::core::{Clip as CoreClip, Footplants, Leg, Vec3};
use surefoot::edit::glitches::without_glitches;
use surefoot::formats::SourceFile;
use surefoot::formats::source::ReadOptions;
use surefoot::measure::Figures;
use surefoot::{
    FileChannels, LoadOptions, MotionFile, PlantsSource, Settings, note_text, parse_plants, solve,
    without_inserted_frames,
};

use crate::errors::{from_error, value_error};

/// Where a clip comes from.
pub enum Content {
    /// A file that was loaded.
    File(Box<MotionFile>),
    /// A clean file.
    Written { bytes: Vec<u8>, clip: Box<CoreClip> },
    /// Arrays.
    Motion(Box<ArrayMotion>),
}

/// A motion from arrays, and what was inferred from it.
#[derive(Default)]
pub struct ArrayMotion {
    pub clip: CoreClip,
    /// The arms, which join the legs of the clip where hands are held.
    pub arms: Vec<Leg>,
    pub has_plants: bool,
    pub warnings: Vec<String>,
}

impl ArrayMotion {
    /// Adds the arms to the legs of the clip if hands are to be held, and removes them if not.
    fn update_held_limbs(&mut self, hold: Hold) {
        self.clip.legs = Leg::without_arms(&self.clip.legs).to_vec();
        if hold.holds_hands() {
            self.clip.legs.extend_from_slice(&self.arms);
        }
    }
}

impl Content {
    pub fn clip(&self) -> &CoreClip {
        match self {
            Self::File(file) => &file.clip,
            Self::Written { clip, .. } => clip,
            Self::Motion(motion) => &motion.clip,
        }
    }

    /// The arms of the body, which join the legs of the clip where hands are held.
    pub fn arms(&self) -> Vec<Leg> {
        match self {
            Self::File(file) => file.space().legs_from_file(&file.inference.arms.value),
            Self::Written { clip, .. } => clip.legs.iter().filter(|leg| leg.is_arm()).cloned().collect(),
            Self::Motion(motion) => motion.arms.clone(),
        }
    }

    /// The settings of the detector, which the `surefoot.toml` of a file has changed.
    pub fn detection(&self) -> contact::Settings {
        match self {
            Self::File(file) => file.detection.clone(),
            _ => contact::Settings::default(),
        }
    }

    /// Detects plants unless some are known.
    pub fn ensure_plants(&mut self) -> PyResult<()> {
        self.ensure_plants_with(|_| {})
    }

    /// Detects plants with changed settings, unless some are known.
    pub fn ensure_plants_with(&mut self, change: impl FnOnce(&mut contact::Settings)) -> PyResult<()> {
        let has_plants = match self {
            Self::File(file) => file.plants_source != PlantsSource::None,
            Self::Written { .. } => true,
            Self::Motion(motion) => motion.has_plants,
        };
        if has_plants {
            return Ok(());
        }
        let mut settings = self.detection();
        change(&mut settings);
        self.detect(&settings)
    }

    /// Detects plants anew.
    pub fn detect(&mut self, settings: &contact::Settings) -> PyResult<()> {
        match self {
            Self::File(file) => {
                file.require_legs().map_err(|error| from_error(surefoot::Error::NoLegs(error)))?;
                file.detection.hold = settings.hold;
                file.update_held_limbs();
            }
            Self::Written { clip, .. } => {
                if settings.hold.holds_hands() && !clip.legs.iter().any(Leg::is_arm) {
                    return Err(value_error(
                        "hold: the clip is clean and has no arms; detect hands before `clean`",
                    ));
                }
            }
            Self::Motion(motion) => motion.update_held_limbs(settings.hold),
        }
        let floor = match &*self {
            Self::File(file) => file.detection_floor(),
            other => other.clip().floor.clone(),
        };
        let clip = self.clip();
        let settings = contact::Settings { first_frame: clip.first_frame, ..settings.clone() };
        let motion = without_glitches(clip);
        let plants = contact::detect(&motion, &clip.legs, floor.as_ref(), &settings);
        match self {
            Self::File(file) => file.set_detected_plants(plants),
            Self::Written { clip, .. } => clip.plants = plants,
            Self::Motion(motion) => {
                let ArrayMotion { clip, has_plants, .. } = &mut **motion;
                clip.ground_velocity = ground_velocity(&clip.motion, &clip.legs, floor.as_ref(), &plants);
                (clip.plants, *has_plants) = (plants, true);
            }
        }
        Ok(())
    }

    /// Sets plants that a person or another program has given, and the velocity of the ground under them.
    pub fn set_plants(&mut self, plants: Footplants, ground_velocity: Option<Vec3>) {
        match self {
            Self::File(file) => file.set_plants(plants, ground_velocity),
            Self::Written { clip, .. } => clip.plants = plants,
            Self::Motion(motion) => {
                let ArrayMotion { clip, has_plants, .. } = &mut **motion;
                let (plants, _) = without_inserted_frames(plants, clip);
                (clip.plants, clip.ground_velocity, *has_plants) = (plants, ground_velocity, true);
            }
        }
    }

    /// Reads plants from the content of a plants file, JSON or CSV, or for a file the events of a C3D file.
    pub fn read_plants(&mut self, name: &str, bytes: &[u8]) -> PyResult<()> {
        if let Self::File(file) = self {
            return file.read_plants(name, bytes).map_err(from_error);
        }
        let read = parse_plants(name, bytes, self.clip());
        let (plants, ground_velocity) =
            read.map_err(|error| from_error(surefoot::Error::Plants { name: name.to_owned(), error }))?;
        self.set_plants(plants, ground_velocity);
        Ok(())
    }
}

/// Content, figures and notes of a cleaned clip.
pub type CleanParts = (Content, Option<Figures>, Vec<String>);

/// Cleans a file.
pub fn clean_file(file: &mut MotionFile, settings: &Settings) -> PyResult<CleanParts> {
    let mut notes = file.clip_notes();
    let clean = file.clean(settings).map_err(from_error)?;
    notes.extend(clean.notes.iter().map(|note| note.text.clone()));
    let mut clip = clean.clip;
    if let Some(velocity) = clean.ground_velocity {
        clip.motion = clip.motion.with_added_velocity(velocity);
        clip.ground_velocity = Some(velocity);
    }
    Ok((Content::Written { bytes: clean.bytes, clip: Box::new(clip) }, Some(clean.figures), notes))
}

/// Cleans a motion from arrays, which has no file to write into.
pub fn clean_motion(motion: &ArrayMotion, settings: &Settings) -> PyResult<CleanParts> {
    let clean = solve::clean(&motion.clip, settings).map_err(value_error)?;
    let notes = clean.report.notes.iter().map(|note| note_text(&motion.clip.legs, note)).collect();
    let motion =
        ArrayMotion { clip: clean.clip, arms: motion.arms.clone(), has_plants: true, warnings: Vec::new() };
    Ok((Content::Motion(Box::new(motion)), None, notes))
}

/// The joints that have other channels after than before; `None` unless both are files.
pub fn channels_changed(before: &Content, after: &Content) -> Option<Vec<String>> {
    // A file of this clip that was written can be read; one that needs another file beside it cannot be compared.
    let source = |content: &Content| match content {
        Content::File(file) => Some(file.source.clone()),
        Content::Written { bytes, .. } => SourceFile::read(bytes.clone(), &ReadOptions::default()).ok(),
        Content::Motion(_) => None,
    };
    let (before, after) = (source(before)?, source(after)?);
    Some(FileChannels::of(&before).changed_in(&after))
}

/// A clean file as a motion file, with the legs, floor and plants that it was cleaned with.
pub fn reloaded(name: &str, bytes: Vec<u8>, clip: &CoreClip) -> PyResult<MotionFile> {
    let mut file = MotionFile::from_bytes(name.into(), bytes, &LoadOptions::default()).map_err(from_error)?;
    file.clip.legs.clone_from(&clip.legs);
    file.clip.floor.clone_from(&clip.floor);
    file.set_plants(clip.plants.clone(), clip.ground_velocity);
    Ok(file)
}
