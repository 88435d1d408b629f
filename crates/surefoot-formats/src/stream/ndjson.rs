//! The NDJSON encoding: a frame or the end as a line of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use surefoot_core::{Hold, HoldKind, PlantKind, Vec3};

use super::error::StreamProblem;
use super::header::not_json;
use super::{End, Frame, HeldPoint, Layout, check};
use crate::json::shorten;

/// The plant number of `true`: the same plant for as long as the point is held.
const PLANT_OF_TRUE: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LineText {
    frame: Option<u64>,
    root: Option<[f64; 3]>,
    rotations: Option<Vec<[f64; 4]>>,
    #[serde(default)]
    offsets: Vec<[f64; 4]>,
    held: Option<HeldFeet>,
    end: Option<End>,
}

/// The held points of each foot, by the name of the foot.
type HeldFeet = BTreeMap<String, FootText>;

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FootText {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heel: Option<HeldText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ball: Option<HeldText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toe: Option<HeldText>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected true, false, a plant's number, or its \"plant\", \"spot\", \"hold\" and \"strength\" in braces"
)]
enum HeldText {
    Is(bool),
    Plant(u32),
    Spot(SpotText),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpotText {
    #[serde(default = "plant_of_true")]
    plant: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    spot: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hold: Option<HoldText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strength: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<KindText>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KindText {
    Plant,
    Skate,
}

impl KindText {
    fn kind(self) -> PlantKind {
        match self {
            Self::Plant => PlantKind::Plant,
            Self::Skate => PlantKind::Skate,
        }
    }

    fn of(kind: PlantKind) -> Self {
        match kind {
            PlantKind::Plant => Self::Plant,
            PlantKind::Skate => Self::Skate,
        }
    }
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HoldText {
    Full,
    Pivot,
    Height,
    Ground,
}

impl HoldText {
    fn kind(self) -> HoldKind {
        match self {
            Self::Full => HoldKind::Full,
            Self::Pivot => HoldKind::Pivot,
            Self::Height => HoldKind::Height,
            Self::Ground => HoldKind::Ground,
        }
    }

    /// `None` for a point that is held fully.
    fn of(kind: HoldKind) -> Option<Self> {
        match kind {
            HoldKind::Full => None,
            HoldKind::Pivot => Some(Self::Pivot),
            HoldKind::Height => Some(Self::Height),
            HoldKind::Ground => Some(Self::Ground),
        }
    }
}

fn plant_of_true() -> u32 {
    PLANT_OF_TRUE
}

/// The record of a line.
pub(super) enum Line {
    Frame {
        number: Option<u64>,
        /// Whether the line has the field `held`.
        has_held: bool,
    },
    End(End),
}

/// Parses a line. A frame is written to `frame`, except for its number.
pub(super) fn read(line: &[u8], layout: &Layout, frame: &mut Frame) -> Result<Line, StreamProblem> {
    // The JSON parser would also accept a list of the values without their names.
    if !line.trim_ascii_start().starts_with(b"{") {
        let found = Some(shorten(&String::from_utf8_lossy(line.trim_ascii())));
        return Err(StreamProblem::Field { field: "frame", found, expected: "fields in braces" });
    }
    let text: LineText = serde_json::from_slice(line).map_err(|error| not_json(&error, line))?;
    if let Some(end) = text.end {
        return Ok(Line::End(end));
    }
    let (number, has_held) = (text.frame, text.held.is_some());
    let held = read_pose(text, layout, frame)?;
    read_held(held.unwrap_or_default(), layout, frame)?;
    Ok(Line::Frame { number, has_held })
}

/// Writes the pose of a frame to `frame` and returns its field `held`.
fn read_pose(text: LineText, layout: &Layout, frame: &mut Frame) -> Result<Option<HeldFeet>, StreamProblem> {
    let missing = |field, expected| StreamProblem::Field { field, found: None, expected };
    let root = text.root.ok_or_else(|| missing("root", "the position of joint 0 in metres"))?;
    let rotations = text.rotations.ok_or_else(|| missing("rotations", "x, y, z, w for every joint"))?;
    let joints = layout.skeleton.len();
    if rotations.len() != joints {
        return Err(StreamProblem::Rotations { found: rotations.len(), expected: joints });
    }
    let pose = &mut frame.pose;
    pose.rotations.clear();
    for (joint, rotation) in rotations.into_iter().enumerate() {
        pose.rotations.push(check::rotation(joint, rotation)?);
    }
    pose.offsets.clear();
    pose.offsets.extend(layout.skeleton.joints().iter().map(|joint| joint.offset));
    pose.offsets[0] = check::position(|| "root".into(), root)?;
    for [joint, x, y, z] in text.offsets {
        let index = joint as usize;
        if index as f64 != joint || index >= joints {
            return Err(StreamProblem::OffsetOfUnknownJoint { found: joint, joints });
        }
        pose.offsets[index] = check::position(|| format!("joint {index}"), [x, y, z])?;
    }
    Ok(text.held)
}

fn read_held(held: HeldFeet, layout: &Layout, frame: &mut Frame) -> Result<(), StreamProblem> {
    frame.held.clear();
    frame.held.resize(layout.sides.len(), [None; 3]);
    for (foot, FootText { heel, ball, toe }) in held {
        let Some(leg) = layout.sides.iter().position(|side| *side == foot) else {
            return Err(StreamProblem::UnknownFoot { found: shorten(&foot), feet: layout.sides.clone() });
        };
        for (point, (text, name)) in [(heel, "heel"), (ball, "ball"), (toe, "toe")].into_iter().enumerate() {
            let context = || format!("the {foot} {name}");
            frame.held[leg][point] = text.map(|text| held_point(text, context)).transpose()?.flatten();
        }
    }
    Ok(())
}

/// The held point of a text; `name` names it in errors.
fn held_point(text: HeldText, name: impl Fn() -> String) -> Result<Option<HeldPoint>, StreamProblem> {
    let without_braces = |plant| HeldPoint { plant, spot: None, hold: Hold::default(), kind: None };
    let held = match text {
        HeldText::Is(held) => without_braces(if held { PLANT_OF_TRUE } else { 0 }),
        HeldText::Plant(plant) => without_braces(plant),
        HeldText::Spot(SpotText { plant, spot, hold, strength, kind }) => {
            let context = || format!("the spot of {}", name());
            let spot = spot.map(|spot| check::position(context, spot)).transpose()?;
            let strength = check::strength(&name, strength.unwrap_or(1.0))?;
            let hold = Hold { kind: hold.map_or(HoldKind::Full, HoldText::kind), strength };
            HeldPoint { plant, spot, hold, kind: kind.map(KindText::kind) }
        }
    };
    Ok(Some(held).filter(|held| held.plant != 0))
}

/// Appends the line of a frame.
pub(super) fn write(frame: &Frame, layout: &Layout, out: &mut Vec<u8>) {
    let pose = &frame.pose;
    out.extend_from_slice(format!("{{\"frame\":{},\"root\":", frame.number).as_bytes());
    put(out, &pose.offsets.first().unwrap_or(&Vec3::ZERO).to_array());
    out.extend_from_slice(b",\"rotations\":[");
    for (joint, rotation) in pose.rotations.iter().enumerate() {
        if joint > 0 {
            out.push(b',');
        }
        put(out, &rotation.to_array());
    }
    out.push(b']');
    write_offsets(frame, layout, out);
    out.extend_from_slice(b",\"held\":{");
    let mut is_first = true;
    for (side, held) in
        layout.sides.iter().zip(&frame.held).filter(|(_, held)| held.iter().any(Option::is_some))
    {
        if !is_first {
            out.push(b',');
        }
        is_first = false;
        put(out, side);
        out.push(b':');
        let [heel, ball, toe] = held.map(|held| held.map(held_text));
        put(out, &FootText { heel, ball, toe });
    }
    out.extend_from_slice(b"}}\n");
}

/// Appends the offsets that differ from the skeleton's in any bit.
fn write_offsets(frame: &Frame, layout: &Layout, out: &mut Vec<u8>) {
    let bits = |v: Vec3| v.to_array().map(f64::to_bits);
    let joints = layout.skeleton.joints().iter().zip(&frame.pose.offsets).enumerate();
    let moved = joints.skip(1).filter(|(_, (joint, offset))| bits(joint.offset) != bits(**offset));
    let mut is_first = true;
    for (index, (_, offset)) in moved {
        out.extend_from_slice(if is_first { b",\"offsets\":[" } else { b"," });
        is_first = false;
        out.extend_from_slice(format!("[{index},").as_bytes());
        let numbers = out.len();
        put(out, &offset.to_array());
        // The joint and its offset share one list: drop the second bracket.
        out.remove(numbers);
    }
    if !is_first {
        out.push(b']');
    }
}

fn held_text(held: HeldPoint) -> HeldText {
    let HeldPoint { plant, spot, hold, kind } = held;
    match (spot, kind, hold == Hold::default()) {
        (None, None, true) => HeldText::Plant(plant),
        _ => HeldText::Spot(SpotText {
            plant,
            spot: spot.map(|spot| spot.to_array()),
            hold: HoldText::of(hold.kind),
            strength: Some(hold.strength).filter(|strength| *strength != 1.0),
            kind: kind.map(KindText::of),
        }),
    }
}

/// Appends the line of the end.
pub(super) fn write_end(end: &End, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"end\":");
    put(out, end);
    out.extend_from_slice(b"}\n");
}

fn put(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Cannot fail: the values are strings and numbers, and the output is memory.
    let _ = serde_json::to_writer(out, value);
}
