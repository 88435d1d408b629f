//! Plants files: when each foot point is held in place, for people and programs to edit.
//!
//! The main format is JSON with one plant per line (`read.rs`, `write.rs`). Unknown fields keep
//! their value and position when a file is edited. The other format is a CSV table with one row
//! per frame (`csv.rs`), as used by machine learning data sets.

mod error;
mod read;
mod write;
mod csv;

#[cfg(feature = "arrays")]
pub(crate) use csv::{label_columns, plants_of_labels};
pub use csv::{read_csv, write_csv};
pub use error::{PlantPosition, PlantsError};

use serde_json::{Map, Value};
use surefoot_core::{FootPoint, Footplants, Hold, Leg, Plant, PlantKind, Vec3};

/// The supported version.
pub const VERSION: &str = "plants/1";

/// The field with the velocity of the ground.
const GROUND: &str = "ground_m_per_s";

/// Largest difference between two frame rates that count as the same, as a fraction.
///
/// Accepts 29.97 for 30 and 120 computed from a rounded frame time; refuses 24 for 25.
const SAME_RATE: f64 = 0.005;

/// A parsed plants file, with its unknown fields.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantsFile {
    frames: usize,
    fps: f64,
    entries: Vec<Entry>,
    ground: Option<Vec3>,
    /// The whole document.
    document: Map<String, Value>,
}

/// One plant as written in the file.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: PlantPosition,
    foot: String,
    point: FootPoint,
    /// The name of the point in the file: `palm` for the ball of an arm.
    point_name: &'static str,
    first: usize,
    last: usize,
    confidence: Option<f64>,
    spot: Option<Vec3>,
    kind: Option<PlantKind>,
    hold: Hold,
    /// The whole object, with unknown fields.
    object: Map<String, Value>,
}

impl PlantsFile {
    /// Creates a file for the plants of a motion with `frames` frames at `fps`.
    pub fn new(plants: &Footplants, legs: &[Leg], frames: usize, fps: f64) -> Self {
        let mut file = Self { frames, fps, entries: Vec::new(), ground: None, document: Map::new() };
        file.set(plants, legs);
        file
    }

    /// The number of frames of the motion that the file belongs to.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The frame rate of the motion that the file belongs to.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// The feet named in the file, each once, in the file's order.
    pub fn feet(&self) -> Vec<&str> {
        let mut feet: Vec<&str> = Vec::new();
        for entry in &self.entries {
            if !feet.contains(&entry.foot.as_str()) {
                feet.push(&entry.foot);
            }
        }
        feet
    }

    /// Resolves the plants for a motion with these legs, frames and frame rate.
    pub fn plants(&self, legs: &[Leg], frames: usize, fps: f64) -> Result<Footplants, PlantsError> {
        if self.frames != frames {
            return Err(PlantsError::Frames { found: self.frames, motion: frames });
        }
        // Written so that NaN differs from every rate.
        let same_rate = (self.fps - fps).abs() <= SAME_RATE * fps;
        if !same_rate {
            return Err(PlantsError::Fps { found: self.fps, motion: fps });
        }
        let plants = self.entries.iter().map(|entry| entry.plant(legs));
        let mut plants = Footplants { plants: plants.collect::<Result<_, _>>()? };
        plants.sort();
        Ok(plants)
    }

    /// The velocity of the ground under the plants, in metres per second, Y up, as on a treadmill;
    /// `None` for ground at rest.
    pub fn ground(&self) -> Option<Vec3> {
        self.ground
    }

    /// Sets the velocity of the ground.
    pub fn set_ground(&mut self, velocity: Option<Vec3>) {
        self.ground = velocity;
    }

    /// Replaces the plants.
    ///
    /// A new plant inherits the unknown fields of the old plant of the same point with which it
    /// shares the most frames.
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

/// The index of the old plant from which `entry` inherits unknown fields.
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
            at: PlantPosition::default(),
            foot: legs[plant.leg].side.clone(),
            point: plant.point,
            point_name: legs[plant.leg].point_name(plant.point),
            first: plant.frames.start,
            last: plant.frames.end.saturating_sub(1),
            confidence: plant.confidence,
            spot: plant.spot,
            kind: plant.kind,
            hold: plant.hold,
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
        let leg = leg.ok_or_else(unknown)?;
        // A foot has no palm, and a hand neither ball nor toes.
        let is_toe_of_hand = legs[leg].is_arm() && self.point == FootPoint::Toe;
        if is_toe_of_hand || legs[leg].point_name(self.point) != self.point_name {
            return Err(PlantsError::UnknownPoint { at: self.at, found: self.point_name.into() });
        }
        Ok(Plant {
            leg,
            point: self.point,
            frames: self.first..self.last + 1,
            spot: self.spot,
            confidence: self.confidence,
            kind: self.kind,
            hold: self.hold,
        })
    }
}
