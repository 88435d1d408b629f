//! The NDJSON encoding: a frame or the end as a line of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use surefoot_core::Vec3;

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
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected true, false, a plant's number, or its \"plant\" and \"spot\" in braces"
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
    #[serde(default)]
    spot: Option<[f64; 3]>,
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
    frame.held.resize(layout.sides.len(), [None; 2]);
    for (foot, FootText { heel, ball }) in held {
        let Some(leg) = layout.sides.iter().position(|side| *side == foot) else {
            return Err(StreamProblem::UnknownFoot { found: shorten(&foot), feet: layout.sides.clone() });
        };
        for (point, (text, name)) in [(heel, "heel"), (ball, "ball")].into_iter().enumerate() {
            let context = || format!("the spot of the {foot} {name}");
            frame.held[leg][point] = text.map(|text| held_point(text, context)).transpose()?.flatten();
        }
    }
    Ok(())
}

fn held_point(text: HeldText, context: impl FnOnce() -> String) -> Result<Option<HeldPoint>, StreamProblem> {
    let (plant, spot) = match text {
        HeldText::Is(held) => (if held { PLANT_OF_TRUE } else { 0 }, None),
        HeldText::Plant(plant) => (plant, None),
        HeldText::Spot(SpotText { plant, spot }) => (plant, spot),
    };
    let spot = spot.map(|spot| check::position(context, spot)).transpose()?;
    Ok(Some(HeldPoint { plant, spot }).filter(|_| plant != 0))
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
        let [heel, ball] = held.map(|held| held.map(held_text));
        put(out, &FootText { heel, ball });
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
    match held.spot {
        None => HeldText::Plant(held.plant),
        Some(spot) => HeldText::Spot(SpotText { plant: held.plant, spot: Some(spot.to_array()) }),
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
