//! Plants: who is held, and when, as a file that people and programs edit.
//!
//! The main form is JSON, one plant a line; `INTERFACE` shows it. What a file holds beyond what
//! surefoot knows is kept, in its place, when the plants are changed and written again. The other
//! form is a table (`csv.rs`), one row a frame, as the data sets of the field have it.
//!
//! `read.rs` reads the JSON, `write.rs` writes it.

mod error;
mod read;
mod write;
mod csv;

pub use csv::{read_csv, write_csv};
pub use error::{At, PlantsError};

use serde_json::{Map, Value};
use surefoot_core::{FootPoint, Footplants, Leg, Plant, Vec3};

/// The version this reads and writes.
pub const VERSION: &str = "plants/1";

/// The field that says how fast the ground goes.
const GROUND: &str = "ground_m_per_s";

/// By how much two frame rates may differ and still be the same, as a share.
///
/// 29.97 and 30 are, and what is left of 120 after a frame time of six digits; 24 and 25 are not.
const SAME_RATE: f64 = 0.005;

/// A plants file: what it says, and all else that stands in it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantsFile {
    frames: usize,
    fps: f64,
    entries: Vec<Entry>,
    ground: Option<Vec3>,
    /// The whole file.
    document: Map<String, Value>,
}

/// One plant as the file has it.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: At,
    foot: String,
    point: FootPoint,
    first: usize,
    last: usize,
    confidence: Option<f64>,
    spot: Option<Vec3>,
    /// The plant's object, whole.
    object: Map<String, Value>,
}

impl PlantsFile {
    /// A file for the plants of a motion of `frames` frames at `fps`.
    pub fn new(plants: &Footplants, legs: &[Leg], frames: usize, fps: f64) -> Self {
        let mut file = Self { frames, fps, entries: Vec::new(), ground: None, document: Map::new() };
        file.set(plants, legs);
        file
    }

    /// How many frames the motion has that it belongs to.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The frame rate of that motion.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// The feet it names, each once, in the file's order.
    pub fn feet(&self) -> Vec<&str> {
        let mut feet: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !feet.contains(&entry.foot.as_str()) {
                feet.push(&entry.foot);
            }
        }
        feet
    }

    /// Its plants, if they fit a motion of these legs, frames and frame rate.
    pub fn plants(&self, legs: &[Leg], frames: usize, fps: f64) -> Result<Footplants, PlantsError> {
        if self.frames != frames {
            return Err(PlantsError::Frames { found: self.frames, motion: frames });
        }
        // A rate that is no number is not the same as any.
        let same_rate = (self.fps - fps).abs() <= SAME_RATE * fps;
        if !same_rate {
            return Err(PlantsError::Fps { found: self.fps, motion: fps });
        }
        let plants = self.entries.iter().map(|entry| entry.plant(legs));
        let mut plants = Footplants { plants: plants.collect::<Result<_, _>>()? };
        plants.sort();
        Ok(plants)
    }

    /// How fast the ground goes that the plants stand on, in metres per second, Y up; `None` where it
    /// stands.
    pub fn ground(&self) -> Option<Vec3> {
        self.ground
    }

    /// Says how fast the ground goes.
    pub fn set_ground(&mut self, velocity: Option<Vec3>) {
        self.ground = velocity;
    }

    /// Puts these plants in place of its own.
    ///
    /// A plant keeps the unknown fields of the one it came from: the one of the same point that
    /// it shares most frames with.
    pub fn set(&mut self, plants: &Footplants, legs: &[Leg]) {
        let mut before = core::mem::take(&mut self.entries);
        for plant in &plants.plants {
            let mut entry = Entry::of(plant, legs);
            if let Some(origin) = origin(&entry, &before) {
                entry.object = before.remove(origin).object;
            }
            self.entries.push(entry);
        }
    }
}

/// The place in `before` of the plant that `entry` came from.
fn origin(entry: &Entry, before: &[Entry]) -> Option<usize> {
    let shared = |other: &Entry| {
        let end = entry.last.min(other.last) + 1;
        end.saturating_sub(entry.first.max(other.first))
    };
    let same_point = |other: &Entry| other.foot == entry.foot && other.point == entry.point;
    (0..before.len())
        .filter(|&k| same_point(&before[k]) && shared(&before[k]) > 0)
        .max_by_key(|&k| (shared(&before[k]), core::cmp::Reverse(k)))
}

impl Entry {
    fn of(plant: &Plant, legs: &[Leg]) -> Self {
        Self {
            at: At::default(),
            foot: legs[plant.leg].side.clone(),
            point: plant.point,
            first: plant.frames.start,
            last: plant.frames.end.saturating_sub(1),
            confidence: plant.confidence,
            spot: plant.spot,
            object: Map::new(),
        }
    }

    fn plant(&self, legs: &[Leg]) -> Result<Plant, PlantsError> {
        let leg = legs.iter().position(|leg| leg.side == self.foot);
        let unknown = || PlantsError::UnknownFoot {
            at: self.at,
            found: self.foot.clone(),
            feet: legs.iter().map(|leg| leg.side.clone()).collect(),
        };
        Ok(Plant {
            leg: leg.ok_or_else(unknown)?,
            point: self.point,
            frames: self.first..self.last + 1,
            spot: self.spot,
            confidence: self.confidence,
        })
    }
}
