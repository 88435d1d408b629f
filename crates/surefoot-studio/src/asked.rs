//! What the page asks for, and what it says of plants, as JSON.

use serde::{Deserialize, Serialize};
use surefoot_core::{FootPoint, Footplants, Plant, Vec3};
use surefoot_solve::{FootRoll, Form, Settings};

/// Something that the page asks for; bytes may follow it.
// Asked once a change, and never kept.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub enum Asked {
    /// The sample walk; answers with its bytes.
    Sample,
    /// A motion file, whose bytes follow.
    Open {
        /// Its name.
        name: String,
        /// What a person says of it.
        #[serde(default)]
        told: Told,
        /// How it is cleaned.
        #[serde(default)]
        how: How,
    },
    /// The plants that are found.
    Detect,
    /// The plants in a file, whose bytes follow.
    ReadPlants {
        /// Its name.
        name: String,
    },
    /// Cleans with these plants; answers with the frames that were solved again.
    Clean {
        /// All plants.
        plants: Vec<PagePlant>,
    },
    /// The places of all joints, then heel, ball and toe of each leg, frame by frame, as f32.
    Places {
        /// After, or before.
        after: bool,
        /// The first frame.
        start: usize,
        /// The one after the last.
        end: usize,
    },
    /// The curves under the timeline, as f32.
    Curves {
        /// After, or before.
        after: bool,
        /// The first frame.
        start: usize,
        /// The one after the last.
        end: usize,
    },
    /// What is measured of the clean text, read again.
    Figures,
    /// A file: `motion`, `plants`, `table`, `rig` or `report`.
    Write {
        /// Which.
        what: String,
    },
}

/// What a person says of a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Told {
    /// Frames per second.
    pub fps: Option<f64>,
    /// Metres in one unit.
    pub unit: Option<f64>,
    /// The axis that points up.
    pub up: Option<String>,
    /// `level`, `none`, `plants`, or a height in metres.
    pub floor: Option<String>,
    /// A rig file's text.
    pub rig: Option<String>,
    /// A floor's mesh: an OBJ file's text.
    pub mesh: Option<String>,
    /// Slower than this a point comes to stand, in legs per second.
    pub starts_below: Option<f64>,
    /// Plants shorter than this are dropped, in seconds.
    pub shortest_plant: Option<f64>,
}

/// How a motion is cleaned.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct How {
    stretch: Option<f64>,
    roll: Option<String>,
    spots: Option<f64>,
    ankles: Option<f64>,
    root: Option<f64>,
    knee: Option<f64>,
    blend: Option<f64>,
    snap: Option<f64>,
    form: Option<String>,
}

impl How {
    /// The same as the cleaner takes it.
    pub fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings {
            stretch: self.stretch.unwrap_or(default.stretch),
            roll: if self.roll.as_deref() == Some("flat") { FootRoll::Flat } else { default.roll },
            spots: self.spots.unwrap_or(default.spots),
            ankles: self.ankles.unwrap_or(default.ankles),
            root: self.root.unwrap_or(default.root),
            knee: self.knee.unwrap_or(default.knee),
            blend: self.blend.unwrap_or(default.blend),
            snap: self.snap.unwrap_or(default.snap),
            form: if self.form.as_deref() == Some("paper") { Form::Paper } else { default.form },
            ..Settings::default()
        }
    }
}

/// A plant as the page has it: both frames are held.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PagePlant {
    leg: usize,
    point: Point,
    first: usize,
    last: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    spot: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    confidence: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Point {
    Heel,
    Ball,
}

/// Plants for the page.
pub fn to_page(plants: &Footplants) -> Vec<PagePlant> {
    let of = |plant: &Plant| PagePlant {
        leg: plant.leg,
        point: match plant.point {
            FootPoint::Heel => Point::Heel,
            FootPoint::Ball => Point::Ball,
        },
        first: plant.frames.start,
        last: plant.frames.end.saturating_sub(1),
        spot: plant.spot.map(|spot| spot.to_array()),
        confidence: plant.confidence,
    };
    plants.plants.iter().map(of).collect()
}

/// Plants from the page.
pub fn from_page(plants: &[PagePlant]) -> Footplants {
    let of = |plant: &PagePlant| Plant {
        leg: plant.leg,
        point: match plant.point {
            Point::Heel => FootPoint::Heel,
            Point::Ball => FootPoint::Ball,
        },
        frames: plant.first..plant.last.saturating_add(1),
        spot: plant.spot.map(Vec3::from_array),
        confidence: plant.confidence,
    };
    let mut plants = Footplants { plants: plants.iter().map(of).collect() };
    plants.sort();
    plants
}
