//! The JSON messages between page and session.
//!
//! The TypeScript side is `studio/src/messages.ts`; field names have to match.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use surefoot_core::{
    FootPoint, Footplants, Hold, HoldKind, JointId, JointPoint, Leg, Plant, PlantKind, Skeleton, Vec3,
};
use surefoot_formats::stream::StreamSettings;
use surefoot_infer::LegOverride;

/// A request of the page. The bytes of a file may follow.
///
/// One struct for all requests: a tagged enum would generate a second deserialiser for every field and
/// make the WebAssembly module larger.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct PageRequest {
    /// The kind of request:
    /// - `sample`: returns the bytes of the sample walk;
    /// - `format`: returns the format of the file of which the beginning follows;
    /// - `open`: opens the motion file that follows, with the files that belong to it;
    /// - `about`: returns skeleton, legs, floor and settings of the open file;
    /// - `detect`: returns detected plants and ground velocity;
    /// - `read_plants`: reads the plants file that follows;
    /// - `clean`: cleans with these plants and returns the frames that changed;
    /// - `joint_offset`: converts a world position to an offset in a joint, in the unit of the file;
    /// - `positions`: returns positions of all joints, heel, ball and toe of each leg, and the other points of the
    ///   body, as f32;
    /// - `mesh`: returns the mesh of the character; empty without one;
    /// - `bones`: returns the matrices of the mesh's bones, as f32;
    /// - `curves`: returns the curves under the timeline, as f32;
    /// - `figures`: returns figures measured in the written file;
    /// - `write`: returns the file `motion`, `plants`, `table`, `rig` or `report`.
    pub kind: String,
    /// File name, for `open` and `read_plants`.
    pub name: String,
    /// Options of the file and the detection, for `open`.
    pub file: FileOptions,
    /// Cleaning options, for `open`.
    pub cleaning: StreamSettings,
    /// All plants, for `clean`.
    pub plants: Vec<PlantMessage>,
    /// Ground velocity in metres per second, for `clean`; absent for ground at rest.
    pub ground: Option<[f64; 3]>,
    /// Joint index, for `joint_offset`.
    pub joint: usize,
    /// Frame, for `joint_offset`.
    pub frame: usize,
    /// World position in metres, for `joint_offset`.
    pub position: [f64; 3],
    /// Whether `positions`, `bones` and `curves` are those after cleaning.
    pub after: bool,
    /// First frame of `positions`, `bones` and `curves`.
    pub start: usize,
    /// The frame after the last frame of `positions`, `bones` and `curves`.
    pub end: usize,
    /// The kind of file, for `write`.
    pub output: String,
    /// Whether the request ends in a panic after its work, as a bug would end it. Only the tests of the page
    /// set this.
    pub trap: bool,
}

/// Options of a file set by the user, with the values of the command-line flags.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct FileOptions {
    /// The animation of a file with several, by its name or its number from 0.
    pub animation: Option<String>,
    /// The joint order of an array of positions.
    pub joints: Option<String>,
    /// The form of the rotations of a file of arrays.
    pub rotations: Option<String>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// Unit of the file.
    pub unit: Option<OptionValue>,
    /// The axis that points up.
    pub up: Option<OptionValue>,
    /// The floor; a floor read from a file is in `floor_file`.
    pub floor: Option<OptionValue>,
    /// Floor file.
    pub floor_file: Option<FileMessage>,
    /// Unit of the floor file.
    pub floor_unit: Option<OptionValue>,
    /// The axis of the floor file that points up.
    pub floor_up: Option<OptionValue>,
    /// Size of a pixel of the floor file.
    pub floor_cell: Option<OptionValue>,
    /// The heights of black and white in the floor file.
    pub floor_height: Option<OptionValue>,
    /// Position of the first pixel of the floor file.
    pub floor_origin: Option<OptionValue>,
    /// A rig file.
    pub rig: Option<FileMessage>,
    /// Legs picked by hand; they override those of the rig file.
    pub legs: Option<Vec<LegMessage>>,
    /// Settings of the detector by their names.
    #[serde(flatten)]
    pub detection: StreamSettings,
}

/// A value of an option: text or a number.
pub type OptionValue = Value;

/// Parses the value of an option.
pub fn parse_value<T>(
    value: &Option<OptionValue>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    match value {
        None => Ok(None),
        Some(Value::String(text)) => parse(text).map(Some).map_err(|why| format!("{text:?}: {why}")),
        Some(other) => parse(&other.to_string()).map(Some).map_err(|why| format!("{other}: {why}")),
    }
}

/// A file dropped on the page.
#[derive(Clone, Debug, Deserialize)]
pub struct FileMessage {
    /// The file name.
    pub name: String,
    bytes: String,
}

impl FileMessage {
    /// The content; the page sends each byte as one character.
    pub fn bytes(&self) -> Result<Vec<u8>, String> {
        let bytes = self.bytes.chars().map(|letter| u8::try_from(u32::from(letter)));
        bytes.collect::<Result<_, _>>().map_err(|_| {
            format!(
                "{}: the content has a character above U+00FF, expected one character per byte",
                self.name
            )
        })
    }
}

/// A leg in a message: joints by index. Absent points are inferred.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct LegMessage {
    side: String,
    hip: u32,
    knee: u32,
    ankle: u32,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    heel: Option<PointMessage>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    ball: Option<PointMessage>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    toe: Option<PointMessage>,
}

/// A point in the space of a joint, in the unit of the file.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct PointMessage {
    joint: u32,
    offset: [f64; 3],
}

impl From<JointPoint> for PointMessage {
    fn from(point: JointPoint) -> Self {
        Self { joint: point.joint.0, offset: point.offset.to_array() }
    }
}

impl LegMessage {
    /// A leg set by the user.
    pub fn from_override(leg: &LegOverride) -> Self {
        Self {
            side: leg.side.clone(),
            hip: leg.hip.0,
            knee: leg.knee.0,
            ankle: leg.ankle.0,
            heel: leg.heel.map(PointMessage::from),
            ball: leg.ball.map(PointMessage::from),
            toe: leg.toe.map(PointMessage::from),
        }
    }

    /// An inferred leg.
    pub fn from_leg(leg: &Leg) -> Self {
        let points = [leg.heel, leg.ball, leg.toe].map(|point| Some(PointMessage::from(point)));
        let [heel, ball, toe] = points;
        Self { side: leg.side.clone(), hip: leg.hip.0, knee: leg.knee.0, ankle: leg.ankle.0, heel, ball, toe }
    }

    /// Checks the joints and points against the skeleton and converts the leg.
    pub fn to_override(&self, skeleton: &Skeleton) -> Result<LegOverride, String> {
        let Self { side, hip, knee, ankle, .. } = self;
        if hip == knee || knee == ankle || hip == ankle {
            let name = |joint: u32| skeleton.joints().get(joint as usize).map(|joint| joint.name.as_str());
            let twice = if hip == knee || hip == ankle { *hip } else { *knee };
            let twice = name(twice).unwrap_or("a joint");
            return Err(format!(
                "{side} leg: {twice:?} is used twice, expected different joints for hip, knee and ankle"
            ));
        }
        let points = [self.heel, self.ball, self.toe];
        let joints = points.iter().flatten().map(|point| point.joint).chain([*hip, *knee, *ankle]);
        if joints.into_iter().any(|joint| joint as usize >= skeleton.len()) {
            return Err(format!("{side} leg: a joint index is outside the skeleton"));
        }
        if points.iter().flatten().any(|point| point.offset.iter().any(|number| !number.is_finite())) {
            return Err(format!("{side} leg: a point has a number that is not finite"));
        }
        let point = |point: PointMessage| JointPoint {
            joint: JointId(point.joint),
            offset: Vec3::from_array(point.offset),
        };
        let [heel, ball, toe] = points.map(|message| message.map(point));
        let [hip, knee, ankle] = [*hip, *knee, *ankle].map(JointId);
        Ok(LegOverride { side: side.clone(), hip, knee, ankle, heel, ball, toe })
    }
}

/// A plant in a message; `last` is included.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PlantMessage {
    leg: usize,
    point: Point,
    first: usize,
    last: usize,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    spot: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    confidence: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    kind: Option<Kind>,
    /// What the plant holds; `None` for all of its point.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    hold: Option<HoldMessage>,
    /// From 0 to 1; `None` for 1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    strength: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Point {
    Heel,
    Ball,
    Toe,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum HoldMessage {
    Full,
    Pivot,
    Height,
    Ground,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Plant,
    Skate,
}

/// Converts plants to messages.
pub fn plants_to_message(plants: &Footplants) -> Vec<PlantMessage> {
    let message = |plant: &Plant| PlantMessage {
        leg: plant.leg,
        point: match plant.point {
            FootPoint::Heel => Point::Heel,
            FootPoint::Ball => Point::Ball,
            FootPoint::Toe => Point::Toe,
        },
        first: plant.frames.start,
        last: plant.frames.end.saturating_sub(1),
        spot: plant.spot.map(|spot| spot.to_array()),
        confidence: plant.confidence,
        kind: plant.kind.map(|kind| match kind {
            PlantKind::Plant => Kind::Plant,
            PlantKind::Skate => Kind::Skate,
        }),
        hold: match plant.hold.kind {
            HoldKind::Full => None,
            HoldKind::Pivot => Some(HoldMessage::Pivot),
            HoldKind::Height => Some(HoldMessage::Height),
            HoldKind::Ground => Some(HoldMessage::Ground),
        },
        strength: Some(plant.hold.strength).filter(|strength| *strength != 1.0),
    };
    plants.plants.iter().map(message).collect()
}

/// Converts messages to plants, for a motion with this number of legs and frames.
pub fn plants_from_message(
    plants: &[PlantMessage],
    legs: usize,
    frames: usize,
) -> Result<Footplants, String> {
    let convert = |plant: &PlantMessage| {
        if plant.leg >= legs || plant.first > plant.last || plant.last >= frames {
            let PlantMessage { leg, first, last, .. } = plant;
            return Err(format!(
                "a plant of leg {leg}, frames {first}–{last}, \
                 does not fit a motion with {legs} legs and {frames} frames"
            ));
        }
        let strength = plant.strength.unwrap_or(1.0);
        if !(0.0..=1.0).contains(&strength) {
            return Err(format!("a plant has a strength of {strength}, expected 0 to 1"));
        }
        Ok(Plant {
            leg: plant.leg,
            point: match plant.point {
                Point::Heel => FootPoint::Heel,
                Point::Ball => FootPoint::Ball,
                Point::Toe => FootPoint::Toe,
            },
            frames: plant.first..plant.last + 1,
            spot: plant.spot.map(Vec3::from_array),
            confidence: plant.confidence,
            kind: plant.kind.map(|kind| match kind {
                Kind::Plant => PlantKind::Plant,
                Kind::Skate => PlantKind::Skate,
            }),
            hold: Hold {
                kind: match plant.hold {
                    None | Some(HoldMessage::Full) => HoldKind::Full,
                    Some(HoldMessage::Pivot) => HoldKind::Pivot,
                    Some(HoldMessage::Height) => HoldKind::Height,
                    Some(HoldMessage::Ground) => HoldKind::Ground,
                },
                strength,
            },
        })
    };
    let plants: Result<Vec<Plant>, String> = plants.iter().map(convert).collect();
    let mut plants = Footplants { plants: plants? };
    plants.sort();
    Ok(plants)
}
