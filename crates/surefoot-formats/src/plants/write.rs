//! Writes a plants file with one plant per line.

use super::{Entry, GROUND, PlantsFile, VERSION};
use serde_json::{Map, Value, json};
use surefoot_core::Hold;

impl PlantsFile {
    /// The text of the file.
    pub fn write(&self) -> String {
        let mut document = self.document.clone();
        document.insert("surefoot".into(), VERSION.into());
        let mut motion = match document.get("motion") {
            Some(Value::Object(motion)) => motion.clone(),
            _ => Map::new(),
        };
        set(&mut motion, "frames", json!(self.frames));
        set(&mut motion, "fps", json!(self.fps));
        document.insert("motion".into(), motion.into());
        set_or_remove(&mut document, GROUND, self.ground.map(|velocity| json!(velocity.to_array())));
        let plants: Vec<Value> = self.entries.iter().map(|entry| entry.to_object().into()).collect();
        document.insert("plants".into(), plants.into());
        text(&document)
    }
}

impl Entry {
    /// The plant as JSON, with its unknown fields.
    fn to_object(&self) -> Map<String, Value> {
        let mut object = self.object.clone();
        set(&mut object, "foot", json!(self.foot));
        set(&mut object, "point", json!(self.point_name));
        set(&mut object, "first", json!(self.first));
        set(&mut object, "last", json!(self.last));
        set_or_remove(&mut object, "confidence", self.confidence.map(|confidence| json!(confidence)));
        set_or_remove(&mut object, "spot", self.spot.map(|spot| json!(spot.to_array())));
        set_or_remove(&mut object, "kind", self.kind.map(|kind| json!(kind.as_str())));
        let Hold { kind, strength } = self.hold;
        let full = Hold::default();
        set_or_keep(&mut object, "hold", json!(kind.as_str()), kind == full.kind);
        set_or_keep(&mut object, "strength", json!(strength), strength == full.strength);
        object
    }
}

/// Sets a field, unless it has an equal number in another spelling: 12.0 for 12.
fn set(object: &mut Map<String, Value>, field: &str, value: Value) {
    let same = |before: &Value| numbers(before).is_some_and(|before| Some(before) == numbers(&value));
    if !object.get(field).is_some_and(same) {
        object.insert(field.into(), value);
    }
}

/// Sets a field, unless it has its default value and was left out before.
fn set_or_keep(object: &mut Map<String, Value>, field: &str, value: Value, is_default: bool) {
    if !is_default || object.get(field).is_some_and(|before| !before.is_null()) {
        set(object, field, value);
    }
}

fn set_or_remove(object: &mut Map<String, Value>, field: &str, value: Option<Value>) {
    match value {
        Some(value) => set(object, field, value),
        None => {
            object.shift_remove(field);
        }
    }
}

/// The numbers of a value that is a number or a list of numbers.
fn numbers(value: &Value) -> Option<Vec<f64>> {
    match value {
        Value::Array(list) => list.iter().map(Value::as_f64).collect(),
        _ => value.as_f64().map(|number| vec![number]),
    }
}

/// The text of a document: every field on a line, and every plant on its own.
fn text(document: &Map<String, Value>) -> String {
    let fields: Vec<String> =
        document.iter().map(|(name, value)| format!("{}: {}", json!(name), field(name, value))).collect();
    format!("{{ {} }}\n", fields.join(",\n  "))
}

fn field(name: &str, value: &Value) -> String {
    match value {
        Value::Array(plants) if name == "plants" && !plants.is_empty() => {
            let lines: Vec<String> = plants.iter().map(one_line).collect();
            format!("[\n    {} ]", lines.join(",\n    "))
        }
        _ => one_line(value),
    }
}

fn one_line(value: &Value) -> String {
    let within = |list: Vec<String>, open, close| match list.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open} {} {close}", list.join(", ")),
    };
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Object(object) => within(
            object.iter().map(|(name, value)| format!("{}: {}", json!(name), one_line(value))).collect(),
            '{',
            '}',
        ),
        _ => value.to_string(),
    }
}
