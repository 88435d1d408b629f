//! Parses a plants file and checks what does not depend on the motion.

use super::error::{PlantPosition, PlantsError};
use super::{Entry, GROUND, PlantsFile, VERSION};
use crate::ground::{GROUND_RANGE, is_ground_velocity};
use crate::json::{self, short};
use crate::json_lines;
use serde_json::{Map, Value};
use surefoot_core::{FootPoint, Hold, HoldKind, PlantKind, Vec3};

/// Bytes that a plants file may have for each frame of its motion, beside those of any file. A plant takes 130 bytes and
/// lasts ten frames or more.
const BYTES_PER_FRAME: usize = 64;

impl PlantsFile {
    /// Reads the plants of a motion with this many frames. A file that is longer than that of such a motion is refused.
    pub fn read_for(bytes: &[u8], frames: usize) -> Result<Self, PlantsError> {
        let most = json::LONGEST + BYTES_PER_FRAME * frames;
        match bytes.len() > most {
            true => Err(PlantsError::TooLong { found: bytes.len(), most }),
            false => Self::read(bytes),
        }
    }

    /// Parses a plants file.
    ///
    /// Feet, frames and frame rate are compared with the motion later, by [`plants`](Self::plants).
    pub fn read(bytes: &[u8]) -> Result<Self, PlantsError> {
        let bytes = json::without_bom(bytes);
        let document: Value = serde_json::from_slice(bytes).map_err(not_json)?;
        let Value::Object(document) = document else {
            return Err(PlantsError::Version { found: None });
        };
        check_version(&document)?;
        let motion = object(&document, "motion")?;
        let frames = whole(motion, None, "frames")?;
        let fps = rate(motion)?;
        let entries = entries(&document, bytes)?;
        for entry in &entries {
            if entry.last >= frames {
                return Err(PlantsError::FrameOutOfRange { at: entry.at, last: entry.last, frames });
            }
        }
        refuse_overlaps(&entries)?;
        let ground = optional_vector(&document, None, GROUND)?;
        if ground.is_some_and(|ground| !ground.to_array().into_iter().all(is_ground_velocity)) {
            return Err(wrong(None, GROUND, document.get(GROUND), GROUND_RANGE));
        }
        Ok(Self { frames, fps, entries, ground, document })
    }
}

fn not_json(error: serde_json::Error) -> PlantsError {
    let problem = json::problem(&error);
    PlantsError::NotJson { line: error.line(), column: error.column(), problem }
}

fn check_version(document: &Map<String, Value>) -> Result<(), PlantsError> {
    match document.get("surefoot") {
        Some(Value::String(version)) if version == VERSION => Ok(()),
        found => Err(PlantsError::Version { found: found.map(short) }),
    }
}

fn entries(document: &Map<String, Value>, bytes: &[u8]) -> Result<Vec<Entry>, PlantsError> {
    let list = match document.get("plants") {
        Some(Value::Array(list)) => list,
        found => return Err(wrong(None, "plants", found, "a list of plants")),
    };
    // Valid: the JSON parser has refused everything that is not UTF-8.
    let lines = json_lines::of_list(core::str::from_utf8(bytes).unwrap_or_default(), "plants");
    let numbered = list.iter().enumerate();
    numbered
        .map(|(plant, value)| {
            // A key spelled with escapes is not found in the text; then line 1 is reported.
            let at = PlantPosition { plant, line: lines.get(plant).copied().unwrap_or(1) };
            entry(value, at)
        })
        .collect()
}

fn entry(value: &Value, at: PlantPosition) -> Result<Entry, PlantsError> {
    let Value::Object(object) = value else {
        return Err(PlantsError::NotAnObject { at, found: short(value) });
    };
    let (first, last) = (whole(object, Some(at), "first")?, whole(object, Some(at), "last")?);
    if first > last {
        return Err(PlantsError::FirstAfterLast { at, first, last });
    }
    let (point, point_name) = point(object, at)?;
    Ok(Entry {
        at,
        foot: text(object, at, "foot")?.to_owned(),
        point,
        point_name,
        first,
        last,
        confidence: confidence(object, at)?,
        spot: optional_vector(object, Some(at), "spot")?,
        kind: kind(object, at)?,
        hold: hold(object, at)?,
        object: object.clone(),
    })
}

/// The point of a plant, and its name.
fn point(object: &Map<String, Value>, at: PlantPosition) -> Result<(FootPoint, &'static str), PlantsError> {
    const POINTS: [(FootPoint, &str); 4] = [
        (FootPoint::Heel, "heel"),
        (FootPoint::Ball, "ball"),
        (FootPoint::Toe, "toe"),
        (FootPoint::Ball, "palm"),
    ];
    let found = text(object, at, "point")?;
    (POINTS.into_iter().find(|(_, name)| *name == found))
        .ok_or_else(|| PlantsError::UnknownPoint { at, found: found.to_owned() })
}

fn kind(object: &Map<String, Value>, at: PlantPosition) -> Result<Option<PlantKind>, PlantsError> {
    let found = match object.get("kind") {
        None | Some(Value::Null) => return Ok(None),
        found => found,
    };
    let kind = found.and_then(Value::as_str).and_then(PlantKind::from_name);
    kind.map(Some).ok_or_else(|| wrong(Some(at), "kind", found, "plant or skate"))
}

/// What a plant holds of its point: all of it, unless the file says otherwise.
fn hold(object: &Map<String, Value>, at: PlantPosition) -> Result<Hold, PlantsError> {
    let present = |field: &str| object.get(field).filter(|value| !value.is_null());
    let kind = match present("hold") {
        None => HoldKind::Full,
        found => (found.and_then(Value::as_str).and_then(HoldKind::from_name))
            .ok_or_else(|| wrong(Some(at), "hold", found, "full, pivot, height or ground"))?,
    };
    let strength = match present("strength") {
        None => 1.0,
        found => (found.and_then(Value::as_f64).filter(|strength| (0.0..=1.0).contains(strength)))
            .ok_or_else(|| wrong(Some(at), "strength", found, "a number from 0 to 1"))?,
    };
    Ok(Hold { kind, strength })
}

fn confidence(object: &Map<String, Value>, at: PlantPosition) -> Result<Option<f64>, PlantsError> {
    match object.get("confidence") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => match number.as_f64() {
            Some(found) if (0.0..=1.0).contains(&found) => Ok(Some(found)),
            found => Err(PlantsError::Confidence { at, found: found.unwrap_or(f64::NAN) }),
        },
        found => Err(wrong(Some(at), "confidence", found, "a number from 0 to 1")),
    }
}

/// A field with three numbers; `None` if it is missing or null.
fn optional_vector(
    object: &Map<String, Value>,
    at: Option<PlantPosition>,
    field: &'static str,
) -> Result<Option<Vec3>, PlantsError> {
    let found = match object.get(field) {
        None | Some(Value::Null) => return Ok(None),
        Some(found) => found,
    };
    match json::numbers(found) {
        Some(numbers) => Ok(Some(Vec3::from_array(numbers))),
        None => Err(wrong(at, field, Some(found), "three numbers")),
    }
}

fn object<'a>(
    document: &'a Map<String, Value>,
    field: &'static str,
) -> Result<&'a Map<String, Value>, PlantsError> {
    match document.get(field) {
        Some(Value::Object(object)) => Ok(object),
        found => Err(wrong(None, field, found, "frames and fps in braces")),
    }
}

fn text<'a>(
    object: &'a Map<String, Value>,
    at: PlantPosition,
    field: &'static str,
) -> Result<&'a str, PlantsError> {
    match object.get(field) {
        Some(Value::String(text)) => Ok(text),
        found => Err(wrong(Some(at), field, found, "a word")),
    }
}

fn whole(
    object: &Map<String, Value>,
    at: Option<PlantPosition>,
    field: &'static str,
) -> Result<usize, PlantsError> {
    let found = object.get(field);
    match json::whole(found) {
        Some(number) => Ok(number),
        None => Err(wrong(at, field, found, "a whole number from 0")),
    }
}

fn rate(motion: &Map<String, Value>) -> Result<f64, PlantsError> {
    let found = motion.get("fps");
    match found.and_then(Value::as_f64) {
        Some(fps) if fps > 0.0 && fps.is_finite() => Ok(fps),
        _ => Err(wrong(None, "fps", found, "a number above 0")),
    }
}

fn wrong(
    at: Option<PlantPosition>,
    field: &'static str,
    found: Option<&Value>,
    expected: &'static str,
) -> PlantsError {
    PlantsError::Field { at, field, found: found.map(short), expected }
}

/// Refuses two plants of the same point with a frame in common.
fn refuse_overlaps(entries: &[Entry]) -> Result<(), PlantsError> {
    let mut order: Vec<&Entry> = entries.iter().collect();
    order.sort_by_key(|entry| (&entry.foot, entry.point, entry.first));
    for pair in order.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let same_point = before.foot == after.foot && before.point == after.point;
        if same_point && after.first <= before.last {
            let (other, later) =
                if before.at.plant < after.at.plant { (before, after) } else { (after, before) };
            return Err(PlantsError::Overlap {
                at: later.at,
                other: other.at,
                foot: later.foot.clone(),
                point: later.point_name,
                frame: after.first,
            });
        }
    }
    Ok(())
}
