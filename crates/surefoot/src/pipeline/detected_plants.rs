//! The plants of a file as a table and as a value that can be written as JSON.

use serde::Serialize;
use surefoot_contact::{Method, ground_speed_change};
use surefoot_core::{Clip, Leg, Plant, PlantKind, Vec3};

use super::motion_file::MotionFile;
use super::notes::changing_ground;
use crate::printable;

/// The plants of a file: the value that `detect --json` prints.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DetectedPlants<'a> {
    /// The name of the motion file.
    pub motion: &'a str,
    /// The name of the plants file.
    pub plants_file: &'a str,
    /// The detection method.
    pub method: &'static str,
    /// The number of frames.
    pub frames: usize,
    /// Frames per second.
    pub fps: f64,
    /// The velocity of the ground in metres per second, Y up; `null` if it is at rest.
    pub ground_m_per_s: Option<[f64; 3]>,
    /// The speeds at the first and last plant, if the ground speeds up or slows down evenly; else `null`.
    pub ground_changes_m_per_s: Option<[f64; 2]>,
    /// The plants, by foot and time.
    pub plants: Vec<DetectedPlant<'a>>,
    /// Warnings about the motion file, and notes about feet that are dragged or carried.
    pub warnings: Vec<String>,
}

/// One plant.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DetectedPlant<'a> {
    /// The side of the leg, or the hand.
    pub foot: &'a str,
    /// The foot point: `heel` or `ball`; of a hand `palm`.
    pub point: &'static str,
    /// The first frame.
    pub first: usize,
    /// The last frame.
    pub last: usize,
    /// The duration.
    pub seconds: f64,
    /// The confidence from 0 to 1, if the detector gives one.
    pub confidence: Option<f64>,
    /// Whether the foot stands (`plant`) or slides (`skate`) as captured, if the detector distinguishes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

impl MotionFile {
    /// The plants of the clip, with the name of the plants file that they are written to and the method that found them.
    pub fn detected_plants<'a>(&'a self, plants_file: &'a str, method: Method) -> DetectedPlants<'a> {
        let Clip { motion, legs, floor, plants, ground_velocity, .. } = &self.clip;
        let changes = ground_velocity
            .and_then(|velocity| ground_speed_change(motion, legs, floor.as_ref(), plants, velocity));
        DetectedPlants {
            motion: &self.name,
            plants_file,
            method: method.as_str(),
            frames: motion.frames(),
            fps: motion.fps,
            ground_m_per_s: ground_velocity.map(|velocity| velocity.to_array()),
            ground_changes_m_per_s: changes,
            plants: plants.plants.iter().map(|plant| detected_plant(plant, legs, motion.fps)).collect(),
            warnings: self.warnings().into_iter().chain(self.plants_notes.clone()).collect(),
        }
    }
}

impl DetectedPlants<'_> {
    /// Sorts the plants so that those of the lowest confidence come first, for review.
    pub fn sort_by_confidence(&mut self) {
        let confidence = |plant: &DetectedPlant| plant.confidence.unwrap_or(1.0);
        self.plants.sort_by(|a, b| confidence(a).total_cmp(&confidence(b)));
    }

    /// The plants as a text table.
    pub fn table(&self) -> String {
        table(self)
    }
}

fn detected_plant<'a>(plant: &Plant, legs: &'a [Leg], fps: f64) -> DetectedPlant<'a> {
    DetectedPlant {
        foot: &legs[plant.leg].side,
        point: legs[plant.leg].point_name(plant.point),
        first: plant.frames.start,
        last: plant.frames.end - 1,
        seconds: plant.frames.len() as f64 / fps,
        confidence: plant.confidence,
        kind: plant.kind.map(PlantKind::as_str),
    }
}

fn table(detected: &DetectedPlants) -> String {
    if detected.plants.is_empty() {
        return format!("{}: no contact was detected\n", printable(detected.motion));
    }
    let foot = detected.plants.iter().map(|plant| plant.foot.chars().count()).max().unwrap_or(0).max(4) + 3;
    let has_kinds = detected.plants.iter().any(|plant| plant.kind.is_some());
    let mut text = format!(
        "{}\n  {:foot$}{:8}{:>7}{:>7}{:>10}{:>12}{}\n",
        printable(detected.motion),
        "foot",
        "point",
        "first",
        "last",
        "length",
        "confidence",
        if has_kinds { "   kind" } else { "" }
    );
    for DetectedPlant { foot: side, point, first, last, seconds, confidence, kind } in &detected.plants {
        let confidence = confidence.map_or(String::new(), |value| format!("{:.0} %", 100.0 * value));
        let side = printable(side);
        let kind = kind.map_or(String::new(), |kind| format!("   {kind}"));
        text +=
            &format!("  {side:foot$}{point:8}{first:>7}{last:>7}{seconds:>8.2} s{confidence:>12}{kind}\n");
    }
    if let Some(velocity) = detected.ground_m_per_s {
        let speed = Vec3::from_array(velocity).length();
        text += &format!("  the ground moves at {speed:.2} m/s, as on a treadmill\n");
        if let Some(speeds) = detected.ground_changes_m_per_s {
            text += &format!("  {}\n", changing_ground(speeds, Vec3::from_array(velocity)));
        }
    }
    text
}
