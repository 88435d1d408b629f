//! The header of a stream: skeleton, legs, floor and settings, as JSON in both encodings.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use surefoot_core::{Joint, JointId, JointPoint, Plane, Skeleton, Vec3};
use surefoot_infer::LegOverride;

use super::error::StreamProblem;
use super::{MOST_JOINTS, VERSION, check};
use crate::ground::{GROUND_RANGE, is_ground_velocity};
use crate::json::shorten;
use crate::rig::labels::Labels;

/// The header of a stream. Every field is optional if it is known from elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Frames per second.
    pub fps: Option<f64>,
    /// The skeleton, in metres, Y up.
    pub skeleton: Option<Skeleton>,
    /// The legs, which need a skeleton.
    pub legs: Option<Vec<StreamLeg>>,
    /// The floor: `None` if it is not stated, `Some(None)` if there is none.
    pub floor: Option<Option<Plane>>,
    /// The velocity of the ground, in metres per second, as on a treadmill; `None` for ground at rest.
    pub ground_velocity: Option<Vec3>,
    /// Whether joints other than the root may have other offsets in a frame than in the skeleton.
    pub joint_translations: Option<bool>,
    /// Whether binary frames have room for toe tips, holds, strengths and labels of skate.
    pub holds: Option<bool>,
    /// The length of the longest plant, in frames.
    pub longest_plant: Option<usize>,
    /// The settings of the cleaner.
    pub settings: StreamSettings,
    /// The latency of clean frames; only in the output of a cleaner.
    pub lookahead: Option<Lookahead>,
}

/// A leg of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamLeg {
    /// Its joints and any foot points, in metres.
    pub given: LegOverride,
    /// The axis of the knee hinge, in the local frame of the knee's parent joint.
    pub knee_axis: Option<Vec3>,
    /// The direction up from the sole, in the local frame of the ankle.
    pub sole_up: Option<Vec3>,
    /// The axis of the toe hinge, in the local frame of the toe's parent joint.
    pub toe_axis: Option<Vec3>,
}

/// The look-ahead of a cleaner, which is the latency of its output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lookahead {
    /// In frames.
    pub frames: usize,
    /// In seconds.
    pub seconds: f64,
}

/// Settings of the cleaner by their names; those left out have the values of the preset. The library knows the names.
pub type StreamSettings = BTreeMap<String, SettingValue>;

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a setting is a number or a word")]
pub enum SettingValue {
    /// A number in SI units.
    Number(f64),
    /// A word, or a number with its unit.
    Word(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderText {
    surefoot: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fps: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lookahead: Option<Lookahead>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    settings: StreamSettings,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    longest_plant: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "stated")]
    floor: Option<Option<FloorText>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ground_m_per_s: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    joint_translations: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    holds: Option<bool>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toe_axis: Option<[f64; 3]>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PointText {
    joint: String,
    offset: [f64; 3],
}

/// Distinguishes `null` (`Some(None)`) from a missing field (`None`).
fn stated<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<FloorText>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// Converts an error of the JSON parser. An error at the end of a line without a line break means
/// that the input was truncated.
pub(super) fn not_json(error: &serde_json::Error, text: &[u8]) -> StreamProblem {
    // The parser reports a truncated number as invalid, at its last character.
    let at_end = error.is_eof() || error.column() >= text.len();
    if at_end && !text.ends_with(b"\n") {
        return StreamProblem::Truncated { found: text.len(), expected: None };
    }
    if error.is_eof() {
        let problem = "the line ends before its braces are closed".into();
        return StreamProblem::Json { column: text.trim_ascii_end().len(), problem };
    }
    let column = error.column();
    // Some programs write numbers that JSON does not have.
    let near = &text[column.saturating_sub(2).min(text.len())..text.len().min(column + 8)];
    if let Some(word) = ["NaN", "Infinity"].into_iter().find(|word| has(near, word.as_bytes())) {
        return StreamProblem::Json { column, problem: format!("found {word}, expected a number") };
    }
    let message = error.to_string();
    // The message ends with the position, which is reported separately.
    let problem = message.split(" at line ").next().unwrap_or(&message);
    StreamProblem::Json { column, problem: short_message(problem) }
}

fn has(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|part| part == word)
}

/// Shortens a message of the JSON parser, which quotes values of any length.
fn short_message(problem: &str) -> String {
    /// Most characters of a message.
    const LONGEST: usize = 300;
    match problem.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &problem[..at]),
        None => problem.to_owned(),
    }
}

/// Reads a header.
pub(super) fn read(bytes: &[u8]) -> Result<Header, StreamProblem> {
    /// The version, which every version of the format has.
    #[derive(Deserialize)]
    struct VersionText {
        surefoot: Option<Value>,
    }
    let version: VersionText = serde_json::from_slice(bytes).map_err(|error| not_json(&error, bytes))?;
    match version.surefoot {
        Some(Value::String(version)) if version == VERSION => {}
        found => {
            return Err(StreamProblem::Version { found: found.map(|found| shorten(&found.to_string())) });
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
        ground_velocity: text.ground_m_per_s.map(ground_velocity).transpose()?,
        joint_translations: text.joint_translations,
        holds: text.holds,
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

fn ground_velocity(found: [f64; 3]) -> Result<Vec3, StreamProblem> {
    if found.into_iter().all(is_ground_velocity) {
        return Ok(Vec3::from_array(found));
    }
    let found = Some(format!("{found:?}"));
    Err(StreamProblem::Field { field: "ground_m_per_s", found, expected: GROUND_RANGE })
}

fn read_floor(floor: FloorText) -> Result<Plane, StreamProblem> {
    let offset = check::position(|| "the floor".into(), [0.0, floor.offset_m, 0.0])?.y;
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
        let context = || format!("joint {index}");
        Ok(Joint {
            name: joint.name,
            parent: joint.parent.map(JointId),
            offset: check::position(context, joint.offset)?,
            end: joint.end.map(|end| check::position(context, end)).transpose()?,
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
            return Err(StreamProblem::DuplicateSide { side: shorten(&leg.side) });
        }
        read.push(read_leg(leg, &labels)?);
    }
    Ok(read)
}

fn read_leg(leg: LegText, labels: &Labels) -> Result<StreamLeg, StreamProblem> {
    let joint = |label: &str| labels.joint(label).ok_or_else(|| unknown_joint(&leg.side, label, labels));
    let point = |on: &Option<PointText>| {
        let read = |on: &PointText| -> Result<JointPoint, StreamProblem> {
            let context = || format!("a point of the {} foot", shorten(&leg.side));
            let offset = check::position(context, on.offset)?;
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
        toe_axis: direction("toe_axis", leg.toe_axis).transpose()?,
    })
}

fn unknown_joint(side: &str, label: &str, labels: &Labels) -> StreamProblem {
    /// Longest name for which similar ones are searched: the time grows with its length.
    const LONGEST: usize = 100;
    let similar = if label.len() <= LONGEST { labels.similar(label) } else { Vec::new() };
    StreamProblem::UnknownJoint { side: shorten(side), found: shorten(label), similar }
}

/// The text of a header, on one line.
pub(super) fn write(header: &Header) -> Vec<u8> {
    let labels = header.skeleton.as_ref().map(Labels::new);
    let floor = |floor: &Plane| FloorText { normal: floor.normal.to_array(), offset_m: floor.offset };
    let legs = header.legs.as_ref().zip(labels.as_ref());
    let text = HeaderText {
        surefoot: VERSION.into(),
        fps: header.fps,
        lookahead: header.lookahead,
        settings: header.settings.clone(),
        longest_plant: header.longest_plant,
        ground_m_per_s: header.ground_velocity.map(|velocity| velocity.to_array()),
        joint_translations: header.joint_translations,
        holds: header.holds,
        floor: header.floor.as_ref().map(|stated| stated.as_ref().map(floor)),
        legs: legs.map(|(legs, labels)| legs.iter().map(|leg| leg_text(leg, labels)).collect()),
        joints: header.skeleton.as_ref().map(|skeleton| skeleton.joints().iter().map(joint_text).collect()),
    };
    // Cannot fail: the values are strings and numbers.
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
    let StreamLeg { given, knee_axis, sole_up, toe_axis } = leg;
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
        toe_axis: toe_axis.map(|axis| axis.to_array()),
    }
}
