//! What the page asks for, and what it says of plants, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use surefoot_core::{FootPoint, Footplants, JointId, JointPoint, Leg, Plant, Skeleton, Vec3};
use surefoot_infer::LegOverride;
use surefoot_solve::{FootRoll, Settings};

/// Something that the page asks for; bytes may follow it. One struct for all: an enum with a tag would put a
/// second reader of everything into the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// What for:
    /// `sample`, the sample walk's bytes;
    /// `open`, a motion file, whose bytes follow;
    /// `about`, what is known of it;
    /// `detect`, the plants that are found, and the ground they stand on;
    /// `read_plants`, those in a file, whose bytes follow;
    /// `clean`, with these plants: the frames that were solved again;
    /// `point_on`, where on a joint a place is, in the joint's own frame and the file's unit;
    /// `places`, of all joints, then heel, ball and toe of each leg, frame by frame, as f32;
    /// `curves`, those under the timeline, as f32;
    /// `figures`, what is measured of the clean text, read again;
    /// `write`, a file: `motion`, `plants`, `table`, `rig` or `report`.
    pub ask: String,
    /// A file's name, to open or read.
    pub name: String,
    /// What a person says of a file, to open.
    pub told: Told,
    /// How it is cleaned, to open.
    pub how: How,
    /// All plants, to clean.
    pub plants: Vec<PagePlant>,
    /// How fast their ground goes, in metres per second; left out where it stands.
    pub ground: Option<[f64; 3]>,
    /// The joint of a point.
    pub joint: usize,
    /// In which frame.
    pub frame: usize,
    /// Where, in metres.
    pub place: [f64; 3],
    /// Places and curves after, or before.
    pub after: bool,
    /// Of the first frame.
    pub start: usize,
    /// To the one before this.
    pub end: usize,
    /// Which file to write.
    pub what: String,
}

/// What a person says of a file. Words are those of the command's flags.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Told {
    /// Frames per second.
    pub fps: Option<f64>,
    /// The file's unit.
    pub unit: Option<Word>,
    /// The axis that points up.
    pub up: Option<Word>,
    /// The floor; a file's name is not one of its words, that is `floor_file`.
    pub floor: Option<Word>,
    /// A floor's file.
    pub floor_file: Option<PageFile>,
    /// The unit of that file.
    pub floor_unit: Option<Word>,
    /// The axis of that file that points up.
    pub floor_up: Option<Word>,
    /// The side of a pixel of that file.
    pub floor_cell: Option<Word>,
    /// The heights of black and white in that file.
    pub floor_height: Option<Word>,
    /// Where its first pixel lies.
    pub floor_origin: Option<Word>,
    /// A rig file.
    pub rig: Option<PageFile>,
    /// Legs picked by hand; they go before the rig's.
    pub legs: Option<Vec<PageLeg>>,
    /// How plants are found.
    pub method: Option<String>,
    /// From where to where they go: `rest` or `touch`.
    pub edges: Option<String>,
    /// Slower than this a point comes to stand, in legs per second.
    pub starts_below: Option<f64>,
    /// At its edges a plant's point is no farther than this from where it stands, in legs.
    pub strays: Option<f64>,
    /// Plants shorter than this are dropped, in seconds.
    pub shortest_plant: Option<f64>,
}

/// A word, which may be a bare number.
pub type Word = Value;

/// What a word means to `parse`.
pub fn read_word<T>(word: &Option<Word>, parse: fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    match word {
        None => Ok(None),
        Some(Value::String(text)) => parse(text).map(Some).map_err(|why| format!("{text:?}: {why}")),
        Some(other) => parse(&other.to_string()).map(Some).map_err(|why| format!("{other}: {why}")),
    }
}

/// A file that was dropped on the page.
#[derive(Clone, Debug, Deserialize)]
pub struct PageFile {
    /// Its name.
    pub name: String,
    bytes: String,
}

impl PageFile {
    /// What is in it: the page has a letter for each byte.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let bytes = self.bytes.chars().map(|letter| u8::try_from(u32::from(letter)));
        bytes.collect::<Result<_, _>>().map_err(|_| format!("{}: not bytes, but letters", self.name))
    }
}

/// A leg as the page has it: joints by number, points that are left out are found.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PageLeg {
    side: String,
    hip: u32,
    knee: u32,
    ankle: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    heel: Option<PagePoint>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ball: Option<PagePoint>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    toe: Option<PagePoint>,
}

/// A point on a joint, in the joint's own frame and the file's unit.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct PagePoint {
    joint: u32,
    offset: [f64; 3],
}

impl From<JointPoint> for PagePoint {
    fn from(point: JointPoint) -> Self {
        Self { joint: point.joint.0, offset: point.offset.to_array() }
    }
}

impl PageLeg {
    /// A leg that a person gave.
    pub fn of_given(leg: &LegOverride) -> Self {
        Self {
            side: leg.side.clone(),
            hip: leg.hip.0,
            knee: leg.knee.0,
            ankle: leg.ankle.0,
            heel: leg.heel.map(PagePoint::from),
            ball: leg.ball.map(PagePoint::from),
            toe: leg.toe.map(PagePoint::from),
        }
    }

    /// A leg that was found, with its points or without.
    pub fn of_found(leg: &Leg) -> Self {
        let points = [leg.heel, leg.ball, leg.toe].map(|point| Some(PagePoint::from(point)));
        let [heel, ball, toe] = points;
        Self { side: leg.side.clone(), hip: leg.hip.0, knee: leg.knee.0, ankle: leg.ankle.0, heel, ball, toe }
    }

    /// The same as a person gives it, if the skeleton has such joints and points are anywhere.
    pub fn given(&self, skeleton: &Skeleton) -> Result<LegOverride, String> {
        let Self { side, hip, knee, ankle, .. } = self;
        if hip == knee || knee == ankle || hip == ankle {
            let name = |joint: u32| skeleton.joints().get(joint as usize).map(|joint| joint.name.as_str());
            let twice = if hip == knee || hip == ankle { *hip } else { *knee };
            let twice = name(twice).unwrap_or("a joint");
            return Err(format!("{side} leg: {twice:?} cannot be two of hip, knee and ankle at once"));
        }
        let points = [self.heel, self.ball, self.toe];
        let joints = points.iter().flatten().map(|point| point.joint).chain([*hip, *knee, *ankle]);
        if joints.into_iter().any(|joint| joint as usize >= skeleton.len()) {
            return Err(format!("{side} leg: the skeleton has no such joint"));
        }
        if points.iter().flatten().any(|point| point.offset.iter().any(|number| !number.is_finite())) {
            return Err(format!("{side} leg: a point needs finite numbers"));
        }
        let point = |point: PagePoint| JointPoint {
            joint: JointId(point.joint),
            offset: Vec3::from_array(point.offset),
        };
        let [heel, ball, toe] = points.map(|on| on.map(point));
        let [hip, knee, ankle] = [*hip, *knee, *ankle].map(JointId);
        Ok(LegOverride { side: side.clone(), hip, knee, ankle, heel, ball, toe })
    }
}

/// How a motion is cleaned.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct How {
    /// `live` or `paper`, as the command's flags.
    preset: Option<String>,
    stretch: Option<f64>,
    roll: Option<String>,
    spots: Option<f64>,
    ankles: Option<f64>,
    root: Option<f64>,
    knee: Option<f64>,
    blend: Option<f64>,
    snap: Option<f64>,
}

impl How {
    /// What holds where nothing else is said.
    pub fn base(&self) -> Settings {
        match self.preset.as_deref() {
            Some("live") => Settings::live(),
            Some("paper") => Settings::paper(),
            _ => Settings::default(),
        }
    }

    /// The same as the cleaner takes it.
    pub fn settings(&self) -> Settings {
        let base = self.base();
        Settings {
            stretch_limit: self.stretch.unwrap_or(base.stretch_limit),
            foot_roll: if self.roll.as_deref() == Some("flat") { FootRoll::Flat } else { base.foot_roll },
            spot_window: self.spots.unwrap_or(base.spot_window),
            ankle_window: self.ankles.unwrap_or(base.ankle_window),
            root_window: self.root.unwrap_or(base.root_window),
            knee_window: self.knee.unwrap_or(base.knee_window),
            blend_window: self.blend.unwrap_or(base.blend_window),
            snap_distance: self.snap.unwrap_or(base.snap_distance),
            ..base
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

/// Plants from the page, for a motion of so many legs and frames.
pub fn from_page(plants: &[PagePlant], legs: usize, frames: usize) -> Result<Footplants, String> {
    let of = |plant: &PagePlant| {
        if plant.leg >= legs || plant.first > plant.last || plant.last >= frames {
            let PagePlant { leg, first, last, .. } = plant;
            let of = format!("{legs} legs and {frames} frames");
            return Err(format!(
                "a plant of leg {leg}, frames {first}–{last}, does not fit a motion of {of}"
            ));
        }
        Ok(Plant {
            leg: plant.leg,
            point: match plant.point {
                Point::Heel => FootPoint::Heel,
                Point::Ball => FootPoint::Ball,
            },
            frames: plant.first..plant.last + 1,
            spot: plant.spot.map(Vec3::from_array),
            confidence: plant.confidence,
        })
    };
    let plants: Result<Vec<Plant>, String> = plants.iter().map(of).collect();
    let mut plants = Footplants { plants: plants? };
    plants.sort();
    Ok(plants)
}
