//! The header: whose frames these are, and how they are to be cleaned. JSON in both forms.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use surefoot_core::{Joint, JointId, JointPoint, Plane, Skeleton, Vec3};
use surefoot_infer::LegOverride;

use super::error::{StreamProblem, short};
use super::{MOST_JOINTS, VERSION, check};
use crate::rig::names::Labels;

/// What a stream says before its first frame. All of it may be left out where something else tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Frames per second.
    pub fps: Option<f64>,
    /// The body, in metres, Y up.
    pub skeleton: Option<Skeleton>,
    /// The legs; without a skeleton there are none.
    pub legs: Option<Vec<StreamLeg>>,
    /// The floor: `Some(None)` is said to be none, `None` is not said.
    pub floor: Option<Option<Plane>>,
    /// The longest plant that will come, in frames.
    pub longest_plant: Option<usize>,
    /// How it is to be cleaned, or was.
    pub settings: StreamSettings,
    /// Of clean frames: how late they come.
    pub lookahead: Option<Lookahead>,
}

/// A leg, as far as it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamLeg {
    /// Its joints and points, in metres.
    pub given: LegOverride,
    /// The axis the knee turns about, as seen from the joint that the knee hangs from.
    pub knee_axis: Option<Vec3>,
    /// Which way is up from the sole, as seen from the ankle.
    pub sole_up: Option<Vec3>,
}

/// How late clean frames come.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookahead {
    /// In frames.
    pub frames: usize,
    /// In seconds.
    pub seconds: f64,
}

/// How a stream is to be cleaned, as far as it is given. Times in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamSettings {
    /// What the others are where they are not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// Whether a plant's spot is the mean of all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole_plants: Option<bool>,
    /// How much of a plant's beginning its spot is the mean of, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spots: Option<f64>,
    /// How far a planted foot's added turn is faded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ankles: Option<f64>,
    /// Half the width over which the root's correction is smoothed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<f64>,
    /// Half the width over which the knee's correction is smoothed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<f64>,
    /// How far corrections are faded into the frames around a plant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blend: Option<f64>,
    /// The most that bones may be stretched, as a fraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stretch: Option<f64>,
    /// What becomes of a foot's roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<StreamRoll>,
    /// How near to the floor a plant is put on it, in metres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snap: Option<f64>,
}

/// Settings that go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Looks ahead as little as it can.
    Live,
    /// As a file is cleaned: looks at whole plants.
    Clean,
    /// The method as published.
    Paper,
}

/// What becomes of a foot's roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StreamRoll {
    /// It stays.
    Kept,
    /// The foot is laid flat.
    Flat,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderText {
    surefoot: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fps: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lookahead: Option<Lookahead>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    settings: StreamSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    longest_plant: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "said")]
    floor: Option<Option<FloorText>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    legs: Option<Vec<LegText>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    joints: Option<Vec<JointText>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FloorText {
    normal: [f64; 3],
    offset_m: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JointText {
    name: String,
    parent: Option<u32>,
    offset: [f64; 3],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    end: Option<[f64; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LegText {
    side: String,
    hip: String,
    knee: String,
    ankle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heel: Option<PointText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<PointText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toe: Option<PointText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    knee_axis: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sole_up: Option<[f64; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PointText {
    joint: String,
    offset: [f64; 3],
}

/// Tells `null` from nothing at all.
fn said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<FloorText>>, D::Error> {
    Option::deserialize(from).map(Some)
}

fn is_nothing(settings: &StreamSettings) -> bool {
    *settings == StreamSettings::default()
}

/// What the JSON reader says of a record, and where. One that stops without a line break was cut.
pub(super) fn not_json(error: &serde_json::Error, text: &[u8]) -> StreamProblem {
    // A number cut in its midst is said to be wrong, at the very end.
    let at_end = error.is_eof() || error.column() >= text.len();
    if at_end && !text.ends_with(b"\n") {
        return StreamProblem::Cut { found: text.len(), expected: None };
    }
    if error.is_eof() {
        let problem = "the line ends before its braces are closed".into();
        return StreamProblem::Json { column: text.trim_ascii_end().len(), problem };
    }
    let column = error.column();
    // Some programs write as JSON what JSON does not know.
    let near = &text[column.saturating_sub(2).min(text.len())..text.len().min(column + 8)];
    if let Some(word) = ["NaN", "Infinity"].into_iter().find(|word| has(near, word.as_bytes())) {
        return StreamProblem::Json { column, problem: format!("found {word}, expected a number") };
    }
    let said = error.to_string();
    // It says where a second time, at the end.
    let problem = said.split(" at line ").next().unwrap_or(&said);
    StreamProblem::Json { column, problem: short_of_reader(problem) }
}

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// A JSON reader quotes what it found, however long.
fn short_of_reader(problem: &str) -> String {
    const LONGEST: usize = 300;
    match problem.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &problem[..at]),
        None => problem.to_owned(),
    }
}

/// Reads a header.
pub(super) fn read(bytes: &[u8]) -> Result<Header, StreamProblem> {
    /// Of any version: just which.
    #[derive(Deserialize)]
    struct Which {
        surefoot: Option<Value>,
    }
    let which: Which = serde_json::from_slice(bytes).map_err(|error| not_json(&error, bytes))?;
    match which.surefoot {
        Some(Value::String(version)) if version == VERSION => {}
        found => {
            return Err(StreamProblem::Version { found: found.map(|found| short(&found.to_string())) });
        }
    }
    let text: HeaderText = serde_json::from_slice(bytes).map_err(|error| not_json(&error, bytes))?;
    let skeleton = text.joints.map(skeleton).transpose()?;
    let legs = match (text.legs, &skeleton) {
        (Some(legs), Some(skeleton)) => Some(read_legs(legs, skeleton)?),
        (Some(_), None) => {
            let expected = "the joints that the legs name";
            return Err(StreamProblem::Field { field: "joints", found: None, expected });
        }
        (None, _) => None,
    };
    Ok(Header {
        fps: text.fps.map(fps).transpose()?,
        skeleton,
        legs,
        floor: text.floor.map(|floor| floor.map(read_floor).transpose()).transpose()?,
        longest_plant: text.longest_plant,
        settings: text.settings,
        lookahead: text.lookahead,
    })
}

fn fps(found: f64) -> Result<f64, StreamProblem> {
    if found > 0.0 && found <= 10_000.0 {
        return Ok(found);
    }
    let expected = "more than 0 and up to 10000 frames per second";
    Err(StreamProblem::Field { field: "fps", found: Some(found.to_string()), expected })
}

fn read_floor(floor: FloorText) -> Result<Plane, StreamProblem> {
    let offset = check::place(|| "the floor".into(), [0.0, floor.offset_m, 0.0])?.y;
    Ok(Plane { normal: check::direction("normal", floor.normal)?, offset })
}

fn skeleton(joints: Vec<JointText>) -> Result<Skeleton, StreamProblem> {
    if joints.len() > MOST_JOINTS {
        return Err(StreamProblem::TooManyJoints { found: joints.len() });
    }
    if joints.is_empty() {
        let expected = "at least one joint";
        return Err(StreamProblem::Field { field: "joints", found: Some("[]".into()), expected });
    }
    let joint = |(index, joint): (usize, JointText)| -> Result<Joint, StreamProblem> {
        let of = || format!("joint {index}");
        Ok(Joint {
            name: joint.name,
            parent: joint.parent.map(JointId),
            offset: check::place(of, joint.offset)?,
            end: joint.end.map(|end| check::place(of, end)).transpose()?,
        })
    };
    let joints: Vec<Joint> = joints.into_iter().enumerate().map(joint).collect::<Result<_, _>>()?;
    Ok(Skeleton::new(joints)?)
}

fn read_legs(legs: Vec<LegText>, skeleton: &Skeleton) -> Result<Vec<StreamLeg>, StreamProblem> {
    let labels = Labels::new(skeleton);
    let mut read: Vec<StreamLeg> = Vec::new();
    for leg in legs {
        if read.iter().any(|other| other.given.side == leg.side) {
            return Err(StreamProblem::SameSide { side: short(&leg.side) });
        }
        read.push(read_leg(leg, &labels)?);
    }
    Ok(read)
}

fn read_leg(leg: LegText, labels: &Labels) -> Result<StreamLeg, StreamProblem> {
    let joint = |label: &str| labels.joint(label).ok_or_else(|| no_such_joint(&leg.side, label, labels));
    let point = |on: &Option<PointText>| {
        let read = |on: &PointText| -> Result<JointPoint, StreamProblem> {
            let offset = check::place(|| format!("a point of the {} foot", short(&leg.side)), on.offset)?;
            Ok(JointPoint { joint: joint(&on.joint)?, offset })
        };
        on.as_ref().map(read).transpose()
    };
    let direction = |field, found: Option<[f64; 3]>| found.map(|found| check::direction(field, found));
    Ok(StreamLeg {
        given: LegOverride {
            hip: joint(&leg.hip)?,
            knee: joint(&leg.knee)?,
            ankle: joint(&leg.ankle)?,
            heel: point(&leg.heel)?,
            ball: point(&leg.ball)?,
            toe: point(&leg.toe)?,
            side: leg.side.clone(),
        },
        knee_axis: direction("knee_axis", leg.knee_axis).transpose()?,
        sole_up: direction("sole_up", leg.sole_up).transpose()?,
    })
}

fn no_such_joint(side: &str, label: &str, labels: &Labels) -> StreamProblem {
    // Looking for names like it takes long where it is long; nobody means a name of a page.
    const LONGEST: usize = 100;
    let near = if label.len() <= LONGEST { labels.nearest(label) } else { Vec::new() };
    StreamProblem::NoSuchJoint { side: short(side), found: short(label), near }
}

/// A header's text, on one line.
pub(super) fn write(header: &Header) -> Vec<u8> {
    let labels = header.skeleton.as_ref().map(Labels::new);
    let floor = |floor: &Plane| FloorText { normal: floor.normal.to_array(), offset_m: floor.offset };
    let legs = header.legs.as_ref().zip(labels.as_ref());
    let text = HeaderText {
        surefoot: VERSION.into(),
        fps: header.fps,
        lookahead: header.lookahead,
        settings: header.settings,
        longest_plant: header.longest_plant,
        floor: header.floor.as_ref().map(|said| said.as_ref().map(floor)),
        legs: legs.map(|(legs, labels)| legs.iter().map(|leg| leg_text(leg, labels)).collect()),
        joints: header.skeleton.as_ref().map(|skeleton| skeleton.joints().iter().map(joint_text).collect()),
    };
    // Words and numbers make JSON without fail.
    serde_json::to_vec(&text).unwrap_or_default()
}

fn joint_text(joint: &Joint) -> JointText {
    JointText {
        name: joint.name.clone(),
        parent: joint.parent.map(|parent| parent.0),
        offset: joint.offset.to_array(),
        end: joint.end.map(|end| end.to_array()),
    }
}

fn leg_text(leg: &StreamLeg, labels: &Labels) -> LegText {
    let StreamLeg { given, knee_axis, sole_up } = leg;
    let point = |on: &JointPoint| PointText { joint: labels.label(on.joint), offset: on.offset.to_array() };
    LegText {
        side: given.side.clone(),
        hip: labels.label(given.hip),
        knee: labels.label(given.knee),
        ankle: labels.label(given.ankle),
        heel: given.heel.as_ref().map(point),
        ball: given.ball.as_ref().map(point),
        toe: given.toe.as_ref().map(point),
        knee_axis: knee_axis.map(|axis| axis.to_array()),
        sole_up: sole_up.map(|up| up.to_array()),
    }
}
