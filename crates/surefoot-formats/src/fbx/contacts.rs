//! Plants in an FBX file, as user properties of its first joint.
//!
//! `surefoot_plants` holds the plants file as text. For engines, each held point also has a property of its own, such as
//! `left_heel`, whose stepped curve is 1 while the point is planted and 0 otherwise.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Fbx;
use super::arrays::Numbers;
use super::curves::{CurveWriter, KeyArrays};
use super::records::{Property, Record, Value};
use super::scene::ObjectId;
use crate::source::{MotionSource, WriteError};

/// The name of the property that holds the plants file.
pub(super) const PLANTS: &str = "surefoot_plants";
/// A curve that keeps the value of a key up to the next one.
const STEPPED: i32 = 0x2;

/// What the curves show of a plants file.
#[derive(Deserialize)]
struct Plants {
    plants: Vec<Plant>,
}

#[derive(Deserialize)]
struct Plant {
    foot: String,
    point: String,
    first: usize,
    last: usize,
}

/// The bytes of a file in which these plants replace the stored ones.
pub(super) fn write(file: &Fbx, text: &str) -> Result<Vec<u8>, WriteError> {
    let refused = |reason: String| WriteError::Refused(reason);
    let plants: Plants = serde_json::from_str(text)
        .map_err(|error| refused(format!("the plants are no plants file: {error}")))?;
    let records = file.records()?;
    if file.has_takes() {
        return Err(refused(
            "an FBX file before version 7 cannot hold plants: write them to a .json file".into(),
        ));
    }
    let mut writer = CurveWriter::new(file, &records)?;
    let node = file.scene.ids.first().and_then(ObjectId::number).unwrap_or_default();
    let has_id =
        |record: &&Record| records.properties(&file.bytes, record).next() == Some(Property::Integer(node));
    let model = records.find(&file.bytes, "Objects");
    let model = model.and_then(|objects| objects.children.iter().find(has_id));
    let Some(table) = model.and_then(|model| model.child(&file.bytes, "Properties70")) else {
        return Err(refused("the first joint has no list of properties that could hold plants".into()));
    };
    let mut contacts = Contacts { file, writer: &mut writer, table, node };
    contacts.set_text(text);
    for (name, values) in contact_values(&plants, file.frames()) {
        contacts.set_curve(&name, &values)?;
    }
    Ok(records.write(&file.bytes, &writer.changes))
}

/// For each held point, whether it is planted at each frame.
fn contact_values(plants: &Plants, frames: usize) -> BTreeMap<String, Vec<bool>> {
    let mut values: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for Plant { foot, point, first, last } in &plants.plants {
        let name = format!("{foot}_{point}").replace(' ', "_");
        let own = values.entry(name).or_insert_with(|| vec![false; frames]);
        let held = own.iter_mut().skip(*first).take((last + 1).saturating_sub(*first));
        held.for_each(|held| *held = true);
    }
    values
}

/// The properties of a node that hold plants.
struct Contacts<'w, 'a> {
    file: &'a Fbx,
    writer: &'w mut CurveWriter<'a>,
    /// The list of properties of the node.
    table: &'a Record,
    node: i64,
}

impl<'a> Contacts<'_, 'a> {
    /// The property of a name.
    fn property(&self, name: &str) -> Option<&'a Record> {
        let is_named = |record: &&Record| {
            let own = self.writer.records.properties(&self.file.bytes, record).next();
            own == Some(Property::Text(name.as_bytes()))
        };
        self.table.children.iter().find(is_named)
    }

    fn set_text(&mut self, text: &str) {
        let words: [&[u8]; 5] = [PLANTS.as_bytes(), b"KString", b"", b"U", text.as_bytes()];
        let words = words.map(Value::Text);
        match self.property(PLANTS) {
            Some(old) => {
                let new = self.writer.records.encode(&words);
                self.writer.changes.properties.insert(old.start, new);
            }
            None => self.add_property(&words),
        }
    }

    fn add_property(&mut self, values: &[Value]) {
        let record = self.writer.records.record("P", values, Vec::new());
        self.writer.changes.add(self.table.start, record);
    }

    fn set_curve(&mut self, name: &str, values: &[bool]) -> Result<(), WriteError> {
        let is_change = |frame: usize| frame == 0 || values[frame] != values[frame - 1];
        let frames: Vec<usize> = (0..values.len()).filter(|&frame| is_change(frame)).collect();
        let times = frames.iter().map(|&frame| self.file.ticks(frame)).collect();
        let numbers = frames.iter().map(|&frame| f32::from(u8::from(values[frame]))).collect();
        let flags = (STEPPED, Numbers::Tangents([0.0; 4]));
        let keys = self.writer.key_arrays(times, numbers, flags, false);
        match self.curve(name) {
            Some(curve) => self.replace_keys(curve, keys),
            None => self.add_curve(name, keys),
        }
    }

    /// The curve of a property, if it has one.
    fn curve(&self, name: &str) -> Option<&'a Record> {
        let curve_node = self.writer.curve_nodes.get(&(self.node, name.as_bytes()))?.first()?;
        let channel = format!("d|{name}");
        let curve = self.writer.curve_nodes.get(&(*curve_node, channel.as_bytes()))?.first()?;
        self.writer.curves.get(curve).copied()
    }

    fn replace_keys(&mut self, curve: &Record, keys: KeyArrays) -> Result<(), WriteError> {
        for (name, new) in keys {
            let part = curve.child(&self.file.bytes, name).ok_or_else(|| {
                WriteError::Refused(format!("a curve of contacts has no {name}, expected one"))
            })?;
            self.writer.changes.properties.insert(part.start, new);
        }
        Ok(())
    }

    fn add_curve(&mut self, name: &str, keys: KeyArrays) -> Result<(), WriteError> {
        let Some(&layer) = self.writer.layers.first() else {
            return Err(WriteError::Refused("the file has no animation that could hold contacts".into()));
        };
        if self.property(name).is_none() {
            let texts: [&[u8]; 4] = [name.as_bytes(), b"Number", b"", b"A+U"];
            let values: Vec<Value> = texts.into_iter().map(Value::Text).chain([Value::Double(0.0)]).collect();
            self.add_property(&values);
        }
        let channel = format!("d|{name}");
        let curve_node = self.writer.add_curve_node_object(name.as_bytes(), &[(&channel, 0.0)]);
        let curve = self.writer.add_curve_object(0.0, keys);
        self.writer.connect(b"OO", curve_node, layer, None);
        self.writer.connect(b"OP", curve_node, self.node, Some(name.as_bytes()));
        self.writer.connect(b"OP", curve, curve_node, Some(channel.as_bytes()));
        Ok(())
    }
}
