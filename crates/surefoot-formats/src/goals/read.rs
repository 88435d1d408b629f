//! Parses a goals file and checks what does not depend on the motion.

use super::error::{GoalPosition, GoalsError};
use super::path::GoalPath;
use super::{Entry, GoalsFile, LimitEntry, PathSource, Point, Relative, VERSION, csv};
use crate::json::{self, short};
use crate::json_lines;
use crate::rig::labels::edit_distance;
use serde_json::{Map, Value};
use surefoot_core::{Quat, Vec3};

/// The fields of a goal.
const GOAL_FIELDS: [&str; 10] = [
    "frame",
    "frames",
    "joint",
    "point",
    "position",
    "shift",
    "path",
    "orientation",
    "relative_to",
    "chain_from",
];
/// The fields of `relative_to`.
const RELATIVE_FIELDS: [&str; 2] = ["joint", "motion"];
/// The fields of a limit.
const LIMIT_FIELDS: [&str; 3] = ["joint", "min", "max"];

impl GoalsFile {
    /// Parses a goals file.
    ///
    /// The file is JSON, or a CSV table with the columns `frame`, `joint`, `x`, `y` and `z`.
    /// Joints and frames are checked later, by [`goals`](Self::goals).
    pub fn read(bytes: &[u8]) -> Result<Self, GoalsError> {
        let bytes = json::without_bom(bytes);
        if csv::is_table(bytes) {
            return csv::read(bytes);
        }
        // A table has a line for each frame, and its values take little more memory than its text.
        if let Some(problem) = json::too_long(bytes.len()) {
            return Err(GoalsError::TooLong { problem });
        }
        let document: Value = serde_json::from_slice(bytes).map_err(|error| GoalsError::NotJson {
            line: error.line(),
            column: error.column(),
            problem: json::problem(&error),
        })?;
        let Value::Object(document) = document else {
            return Err(GoalsError::Version { found: None });
        };
        match document.get("surefoot") {
            Some(Value::String(version)) if version == VERSION => {}
            found => return Err(GoalsError::Version { found: found.map(short) }),
        }
        let goals = match document.get("goals") {
            Some(Value::Array(goals)) => goals,
            found => return Err(wrong(None, "goals", found, "a list of goals")),
        };
        let limits = match document.get("limits") {
            None | Some(Value::Null) => &Vec::new(),
            Some(Value::Array(limits)) => limits,
            found => return Err(wrong(None, "limits", found, "a list of limits")),
        };
        // Valid: the JSON parser has refused everything that is not UTF-8.
        let text = core::str::from_utf8(bytes).unwrap_or_default();
        Ok(Self {
            entries: each(goals, &json_lines::of_list(text, "goals"), "goal", entry)?,
            limits: each(limits, &json_lines::of_list(text, "limits"), "limit", limit)?,
            paths: Vec::new(),
        })
    }
}

/// Parses every element of a list. `lines` are the lines on which the elements begin.
fn each<T>(
    list: &[Value],
    lines: &[usize],
    kind: &'static str,
    read: impl Fn(&Map<String, Value>, GoalPosition) -> Result<T, GoalsError>,
) -> Result<Vec<T>, GoalsError> {
    let element = |(number, value): (usize, &Value)| {
        // A key spelled with escapes is not found in the text; then line 1 is reported.
        let at = GoalPosition { kind, number, line: lines.get(number).copied().unwrap_or(1) };
        match value {
            Value::Object(object) => read(object, at),
            other => Err(GoalsError::NotAnObject { at, found: short(other) }),
        }
    };
    list.iter().enumerate().map(element).collect()
}

fn entry(object: &Map<String, Value>, at: GoalPosition) -> Result<Entry, GoalsError> {
    refuse_misspelt(object, at, &GOAL_FIELDS)?;
    let entry = Entry {
        at,
        frames: frames(object, at)?,
        joint: name(object, at, "joint")?,
        point: point(object, at)?,
        path: path(object, at)?,
        position: vector(object, at, "position")?,
        shift: vector(object, at, "shift")?,
        orientation: orientation(object, at)?,
        relative_to: relative_to(object, at)?,
        chain_from: optional_name(object, at, "chain_from")?,
    };
    let (has_position, has_shift, has_path) =
        (entry.position.is_some(), entry.shift.is_some(), entry.path.is_some());
    for (conflict, one, other) in [
        (has_position && has_shift, "position", "shift"),
        (has_position && has_path, "position", "path"),
        (has_shift && has_path, "shift", "path"),
        (has_shift && entry.relative_to.is_some(), "shift", "relative_to"),
    ] {
        if conflict {
            return Err(GoalsError::ConflictingFields { at, one, other });
        }
    }
    if !has_position && !has_shift && !has_path && entry.orientation.is_none() {
        return Err(GoalsError::NoTarget { at });
    }
    Ok(entry)
}

/// `frame`, `frames` or, with a path, neither.
fn frames(object: &Map<String, Value>, at: GoalPosition) -> Result<Option<(usize, usize)>, GoalsError> {
    let is_given = |field: &str| object.get(field).filter(|value| !value.is_null());
    match (is_given("frame"), is_given("frames")) {
        (Some(_), Some(_)) => Err(GoalsError::ConflictingFields { at, one: "frame", other: "frames" }),
        (None, Some(Value::Array(pair))) if pair.len() == 2 => {
            let [first, last] = [0, 1].map(|n| json::whole(pair.get(n)));
            let pair = first.zip(last).filter(|(first, last)| first <= last);
            let expected = "the first and the last frame, such as [40, 90]";
            pair.map(Some).ok_or_else(|| wrong(Some(at), "frames", object.get("frames"), expected))
        }
        (None, Some(found)) => {
            Err(wrong(Some(at), "frames", Some(found), "the first and the last frame, such as [40, 90]"))
        }
        (None, None) if is_given("path").is_some() => Ok(None),
        (found, None) => match json::whole(found) {
            Some(frame) => Ok(Some((frame, frame))),
            None => Err(wrong(Some(at), "frame", object.get("frame"), "a whole number from 0")),
        },
    }
}

fn path(object: &Map<String, Value>, at: GoalPosition) -> Result<Option<PathSource>, GoalsError> {
    let expected = "points [frame, x, y, z] in order of their frames, or the name of a CSV file";
    match object.get("path") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(file)) => Ok(Some(PathSource::File(file.clone()))),
        Some(found @ Value::Array(points)) => {
            let point = |value: &Value| {
                let [frame, x, y, z] = json::numbers(value)?;
                Some((frame, Vec3::new(x, y, z)))
            };
            let points: Option<Vec<(f64, Vec3)>> = points.iter().map(point).collect();
            let path = points.and_then(GoalPath::through);
            path.map(|path| Some(PathSource::Points(path)))
                .ok_or_else(|| wrong(Some(at), "path", Some(found), expected))
        }
        found => Err(wrong(Some(at), "path", found, expected)),
    }
}

fn limit(object: &Map<String, Value>, at: GoalPosition) -> Result<LimitEntry, GoalsError> {
    refuse_misspelt(object, at, &LIMIT_FIELDS)?;
    let needed =
        |field| vector(object, at, field)?.ok_or_else(|| wrong(Some(at), field, None, "three numbers"));
    let (min, max) = (needed("min")?, needed("max")?);
    for (axis, word) in ["x", "y", "z"].into_iter().enumerate() {
        if min[axis] > max[axis] {
            return Err(GoalsError::MinAboveMax { at, axis: word });
        }
    }
    Ok(LimitEntry { at, joint: name(object, at, "joint")?, min, max })
}

fn point(object: &Map<String, Value>, at: GoalPosition) -> Result<Point, GoalsError> {
    match object.get("point") {
        None | Some(Value::Null) => Ok(Point::Offset(Vec3::ZERO)),
        Some(Value::String(word)) if word == "end" => Ok(Point::End),
        Some(found) => match json::numbers(found) {
            Some(offset) => Ok(Point::Offset(Vec3::from_array(offset))),
            None => Err(wrong(Some(at), "point", Some(found), "three numbers, or \"end\"")),
        },
    }
}

fn orientation(object: &Map<String, Value>, at: GoalPosition) -> Result<Option<Quat>, GoalsError> {
    let found = match object.get("orientation") {
        None | Some(Value::Null) => return Ok(None),
        Some(found) => found,
    };
    let rotation = json::numbers(found).map(Quat::from_array);
    // Hand-written quaternions are rounded: a length within 1 % of 1 is normalised.
    match rotation.filter(|rotation| (rotation.length() - 1.0).abs() < 0.01) {
        Some(rotation) => Ok(Some(rotation.normalize())),
        None => Err(wrong(Some(at), "orientation", Some(found), "a quaternion [x, y, z, w] of length 1")),
    }
}

fn relative_to(object: &Map<String, Value>, at: GoalPosition) -> Result<Option<Relative>, GoalsError> {
    match object.get("relative_to") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(relative)) => {
            refuse_misspelt(relative, at, &RELATIVE_FIELDS)?;
            let joint = name(relative, at, "joint")?;
            Ok(Some(Relative { joint, motion: optional_name(relative, at, "motion")? }))
        }
        found => Err(wrong(Some(at), "relative_to", found, "a joint in braces")),
    }
}

fn vector(
    object: &Map<String, Value>,
    at: GoalPosition,
    field: &'static str,
) -> Result<Option<Vec3>, GoalsError> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(found) => match json::numbers(found) {
            Some(numbers) => Ok(Some(Vec3::from_array(numbers))),
            None => Err(wrong(Some(at), field, Some(found), "three numbers")),
        },
    }
}

fn name(object: &Map<String, Value>, at: GoalPosition, field: &'static str) -> Result<String, GoalsError> {
    optional_name(object, at, field)?.ok_or_else(|| wrong(Some(at), field, None, "a name"))
}

fn optional_name(
    object: &Map<String, Value>,
    at: GoalPosition,
    field: &'static str,
) -> Result<Option<String>, GoalsError> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name.clone())),
        found => Err(wrong(Some(at), field, found, "a name")),
    }
}

/// Refuses unknown fields that resemble a known one: ignoring them would change the goal.
fn refuse_misspelt(
    object: &Map<String, Value>,
    at: GoalPosition,
    known: &[&'static str],
) -> Result<(), GoalsError> {
    for found in object.keys().filter(|key| !known.contains(&key.as_str())) {
        let lower = found.to_lowercase();
        if let Some(similar) = known.iter().find(|known| edit_distance(&lower, known) <= 2) {
            return Err(GoalsError::MisspeltField { at, found: found.clone(), similar });
        }
    }
    Ok(())
}

fn wrong(
    at: Option<GoalPosition>,
    field: &'static str,
    found: Option<&Value>,
    expected: &'static str,
) -> GoalsError {
    GoalsError::Field { at, field, found: found.map(short), expected }
}
