//! The plants of a file: detected, or read from a plants file.

use std::path::Path;

use surefoot_contact::{MovingFoot, Settings, detect_with_moving_feet, ground_velocity, moving_feet};
use surefoot_core::{Clip, Footplants, Leg, Plant, Vec3};
use surefoot_edit::glitches::without_glitches;
#[cfg(feature = "arrays")]
use surefoot_formats::arrays::{read_labels, write_labels};
use surefoot_formats::c3d::is_c3d;
use surefoot_formats::plants::{PlantsError, PlantsFile, read_csv, write_csv};
use surefoot_formats::source::Format;
#[cfg(any(feature = "fbx", feature = "gltf"))]
use surefoot_formats::{SourceFile, source::ReadOptions};

use super::error::Error;
use super::motion_file::{MotionFile, PlantsSource};
use super::notes::moving_feet_notes;

impl MotionFile {
    /// The settings of the detector for this file.
    pub fn detection_settings(&self) -> Settings {
        Settings { first_frame: self.clip.first_frame, ..self.detection.clone() }
    }

    /// Detects when each heel and ball is planted.
    pub fn detect_plants(&mut self) -> Result<(), Error> {
        self.require_legs().map_err(Error::NoLegs)?;
        self.update_held_limbs();
        let (motion, floor) = (without_glitches(&self.clip), self.detection_floor());
        let settings = self.detection_settings();
        let (plants, moving) = detect_with_moving_feet(&motion, &self.clip.legs, floor.as_ref(), &settings);
        self.set_plants_and_moving_feet(plants, &moving);
        Ok(())
    }

    /// Takes plants from a detector of your choice. A ground that moves under them, as on a treadmill, is
    /// recognised, and feet that are dragged or carried are named in notes.
    pub fn set_detected_plants(&mut self, plants: Footplants) {
        let (Clip { motion, legs, .. }, floor) = (&self.clip, self.detection_floor());
        let moving = moving_feet(motion, legs, floor.as_ref(), &self.detection_settings());
        self.set_plants_and_moving_feet(plants, &moving);
    }

    fn set_plants_and_moving_feet(&mut self, plants: Footplants, moving: &[MovingFoot]) {
        let velocity = self.detect_ground_velocity(&plants);
        let plants = if velocity.is_some() { without_hands(plants, &self.clip.legs) } else { plants };
        let notes = moving_feet_notes(moving, &self.clip.legs, self.detection_floor().as_ref());
        self.replace_plants(plants, velocity, PlantsSource::Detected, notes);
    }

    /// Takes plants that a person or another program has given. Plants in an inserted T-pose are shortened or
    /// dropped, with a note.
    pub fn set_plants(&mut self, plants: Footplants, ground_velocity: Option<Vec3>) {
        let (plants, notes) = without_inserted_frames(plants, &self.clip);
        self.replace_plants(plants, ground_velocity, PlantsSource::Given, notes);
    }

    /// The velocity of the ground under these plants, as on a treadmill. `None` where it is at rest.
    pub fn detect_ground_velocity(&self, plants: &Footplants) -> Option<Vec3> {
        let (Clip { motion, legs, .. }, floor) = (&self.clip, self.detection_floor());
        ground_velocity(motion, legs, floor.as_ref(), plants)
    }

    /// Replaces the plants and everything that depends on them.
    pub fn replace_plants(
        &mut self,
        plants: Footplants,
        ground_velocity: Option<Vec3>,
        source: PlantsSource,
        notes: Vec<String>,
    ) {
        self.clip.plants = plants;
        self.clip.ground_velocity = ground_velocity;
        self.plants_source = source;
        self.plants_notes = notes;
        self.build_floor();
    }

    /// Reads a plants file, JSON or CSV. For a C3D file, plants are detected and then corrected by its events.
    pub fn read_plants(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.require_legs().map_err(Error::NoLegs)?;
        if is_c3d(bytes) {
            return self.read_events(name, bytes);
        }
        let (plants, velocity) = match parse_plants(name, bytes, &self.clip) {
            Ok(parsed) => parsed,
            Err(error) => self
                .parse_plants_of_hands(name, bytes)
                .ok_or_else(|| Error::Plants { name: name.to_owned(), error })?,
        };
        self.set_plants(plants, velocity);
        Ok(())
    }

    /// Reads a plants file that also has plants of hands; then the arms join the legs of the clip. `None` where that is
    /// not the reason why the file does not fit.
    fn parse_plants_of_hands(&mut self, name: &str, bytes: &[u8]) -> Option<(Footplants, Option<Vec3>)> {
        let legs = self.legs_and_arms();
        let before = core::mem::replace(&mut self.clip.legs, legs);
        let parsed = parse_plants(name, bytes, &self.clip).ok();
        if parsed.is_none() {
            self.clip.legs = before;
        }
        parsed
    }

    /// Detects plants unless some are known.
    pub fn ensure_plants(&mut self) -> Result<(), Error> {
        if self.plants_source == PlantsSource::None { self.detect_plants() } else { Ok(()) }
    }
}

/// Plants without those of hands: what a hand rests on does not move with the ground.
fn without_hands(mut plants: Footplants, legs: &[Leg]) -> Footplants {
    plants.plants.retain(|plant| !legs[plant.leg].is_arm());
    plants
}

/// The plants in a file, and the velocity of the ground: labels in a NumPy array, plants stored in a glTF or
/// FBX file, CSV where
/// the name ends in `.csv` or the text starts like a table, else JSON.
pub fn parse_plants(
    name: &str,
    bytes: &[u8],
    clip: &Clip,
) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let Clip { motion, legs, .. } = clip;
    match Format::of(bytes) {
        #[cfg(feature = "arrays")]
        Format::Arrays => return Ok((read_labels(bytes, legs, motion.frames())?, None)),
        #[cfg(feature = "gltf")]
        Format::Gltf => return stored_plants(bytes, clip, "extras of its animation"),
        #[cfg(feature = "fbx")]
        Format::Fbx => return stored_plants(bytes, clip, "properties of its first joint"),
        _ => {}
    }
    // A table starts with the name of a column. Standard input has no name.
    let first = bytes.iter().find(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'{' | b'['));
    if is_csv(Path::new(name)) || first.is_some_and(u8::is_ascii_alphabetic) {
        return read_csv(bytes, legs, motion.frames());
    }
    read_plants_file(bytes, clip)
}

fn read_plants_file(bytes: &[u8], clip: &Clip) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let Clip { motion, legs, .. } = clip;
    let file = PlantsFile::read_for(bytes, motion.frames())?;
    Ok((file.plants(legs, motion.frames(), motion.fps)?, file.ground()))
}

/// The plants that are stored in a part of a motion file.
#[cfg(any(feature = "fbx", feature = "gltf"))]
fn stored_plants(bytes: &[u8], clip: &Clip, part: &str) -> Result<(Footplants, Option<Vec3>), PlantsError> {
    let wrong = |problem: String| PlantsError::Labels { problem };
    let source = SourceFile::read(bytes.to_vec(), &ReadOptions::default());
    let source = source.map_err(|error| wrong(error.to_string()))?;
    let Some(plants) = source.stored_plants() else {
        return Err(wrong(format!("found no plants in the {part}, expected some")));
    };
    read_plants_file(&plants, clip)
}

/// The bytes of a plants file: labels where the name ends in `.npy`, CSV where it ends in `.csv`, else JSON.
pub fn plants_bytes(name: &Path, clip: &Clip) -> Vec<u8> {
    #[cfg(feature = "arrays")]
    if name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy")) {
        return write_labels(&clip.plants, &clip.legs, clip.motion.frames());
    }
    plants_text(name, clip).into_bytes()
}

/// The text of a plants file: CSV where the name ends in `.csv`, else JSON.
pub fn plants_text(name: &Path, clip: &Clip) -> String {
    let Clip { motion, legs, plants, ground_velocity, .. } = clip;
    if is_csv(name) {
        return write_csv(plants, legs, motion.frames(), *ground_velocity);
    }
    let mut file = PlantsFile::new(plants, legs, motion.frames(), motion.fps);
    file.set_ground(*ground_velocity);
    file.write()
}

fn is_csv(name: &Path) -> bool {
    name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// A plant as people name it: `left heel, frames 12–40`.
pub fn plant_name(legs: &[Leg], plant: &Plant) -> String {
    let Plant { leg, point, frames, .. } = plant;
    let last = frames.end.saturating_sub(1);
    format!("{} {}, frames {}–{last}", legs[*leg].side, legs[*leg].point_name(*point), frames.start)
}

/// Plants without the frames before the performance, and a note for each that was shortened.
pub fn without_inserted_frames(plants: Footplants, clip: &Clip) -> (Footplants, Vec<String>) {
    let first = clip.first_frame;
    let mut notes = Vec::new();
    let mut kept = Footplants::default();
    for mut plant in plants.plants {
        if plant.frames.start < first {
            let name = plant_name(&clip.legs, &plant);
            notes.push(format!("{name}: not held in frame 0, which is a T-pose inserted by an exporter"));
            plant.frames.start = first;
        }
        if !plant.frames.is_empty() {
            kept.plants.push(plant);
        }
    }
    (kept, notes)
}
