//! Changes the curves of files of version 6, which are in takes: a channel for each axis of each property of a model.

use super::Fbx;
use super::records::{Changes, Encoding, NewProperties, NewRecord, Property, Record, Records, Value};
use super::scene::ObjectId;
use super::text;
use super::write::Edit;
use crate::source::WriteError;

/// The version of keys whose layout is written, and which files that state none have.
const KEY_VERSION: i32 = 4005;
const AXES: [&str; 3] = ["X", "Y", "Z"];

/// The models of a take and the changes so far.
pub(super) struct TakeWriter<'a> {
    file: &'a Fbx,
    bytes: &'a [u8],
    records: &'a Records,
    take: &'a Record,
    pub changes: Changes,
}

/// A key: its time, and the place of its value among the properties of the record.
struct Key {
    time: i64,
    value: usize,
}

impl<'a> TakeWriter<'a> {
    pub fn new(file: &'a Fbx, records: &'a Records) -> Result<Self, WriteError> {
        let bytes = &file.bytes[..];
        let mut writer = Self { file, bytes, records, take: &records.top[0], changes: Changes::default() };
        let takes = records.top.iter().filter(|record| record.is_named(bytes, "Takes"));
        let mut takes = takes.flat_map(|takes| &takes.children);
        let take = takes.find(|take| take.is_named(bytes, "Take") && writer.has_id(take, &file.scene.stack));
        writer.take = take.ok_or_else(|| {
            WriteError::Refused("the file has no take that the motion could be written into".into())
        })?;
        Ok(writer)
    }

    /// Whether the first property of a record is the name of an object.
    fn has_id(&self, record: &Record, id: &ObjectId) -> bool {
        let ObjectId::Name(name) = id else { return false };
        self.records.properties(self.bytes, record).next() == Some(Property::Text(name))
    }

    fn channel<'r>(&self, record: &'r Record, name: &str) -> Option<&'r Record> {
        let is_wanted = |child: &&Record| {
            let own = || self.records.properties(self.bytes, child).next();
            child.is_named(self.bytes, "Channel") && own() == Some(Property::Text(name.as_bytes()))
        };
        record.children.iter().find(is_wanted)
    }

    /// Changes the channels of a property of a joint.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), WriteError> {
        let id = &self.file.scene.ids[edit.joint];
        let models = self.take.children.iter().filter(|child| child.is_named(self.bytes, "Model"));
        let model = models.into_iter().find(|model| self.has_id(model, id));
        let transform = model.and_then(|model| self.channel(model, "Transform"));
        let name = if edit.property == "Lcl Rotation" { "R" } else { "T" };
        let channel = transform.and_then(|transform| self.channel(transform, name));
        let Some(channel) = channel else {
            let Some(model) = model else { return self.add_model(edit, name) };
            match transform {
                Some(transform) => self.changes.add(transform.start, self.new_channel(edit, name)),
                None => self.changes.add(model.start, self.new_transform(self.new_channel(edit, name))),
            }
            return Ok(());
        };
        let axes = self.axes(channel).ok_or_else(|| {
            let name = &self.file.scene.skeleton.joints()[edit.joint].name;
            let property = edit.property;
            WriteError::Refused(format!(
                "node {name:?}, {property}: found no channels X, Y and Z in its take, expected them"
            ))
        })?;
        for axis in 0..3 {
            match axes.get(axis) {
                Some(curve) if edit.changes(axis) => self.change_curve(curve, edit, axis)?,
                Some(_) => {}
                None => self.changes.add(channel.start, self.new_axis(edit, axis)),
            }
        }
        Ok(())
    }

    /// The channels of the axes of a property, of which the last ones may be missing: readers count them.
    fn axes<'r>(&self, channel: &'r Record) -> Option<Vec<&'r Record>> {
        let has_values =
            |record: &Record| ["Key", "Default"].iter().any(|name| record.child(self.bytes, name).is_some());
        let is_axis = |child: &&Record| child.is_named(self.bytes, "Channel") && has_values(child);
        let axes: Vec<&Record> = channel.children.iter().filter(is_axis).collect();
        let is_named = |(axis, name): (&&Record, &str)| {
            self.records.properties(self.bytes, axis).next() == Some(Property::Text(name.as_bytes()))
        };
        let are_named = axes.len() <= 3 && axes.iter().zip(AXES).all(is_named);
        (are_named && !has_values(channel)).then_some(axes)
    }

    fn change_curve(&mut self, curve: &Record, edit: &Edit, axis: usize) -> Result<(), WriteError> {
        let lost = || WriteError::Refused("a curve of the file has no keys that can be read".into());
        let frames = edit.values.len();
        let Some(own) = curve.child(self.bytes, "Key") else {
            self.key_records(edit, axis).into_iter().for_each(|record| self.changes.add(curve.start, record));
            return Ok(());
        };
        let version = curve.child(self.bytes, "KeyVer");
        let stated = version.and_then(|version| self.records.properties(self.bytes, version).next());
        let stated = match stated {
            Some(Property::Integer(number)) if number > 0 => number,
            _ => i64::from(KEY_VERSION),
        };
        let located = self.records.located(self.bytes, own);
        let keys = keys(&located, stated).ok_or_else(lost)?;
        let times: Vec<i64> = keys.iter().map(|key| key.time).collect();
        if self.file.are_frames(&times, frames) {
            let (mut new, mut copied) = (Vec::new(), own.properties.start);
            for (frame, key) in keys.iter().enumerate().filter(|(frame, _)| edit.is_change(*frame, axis)) {
                let place = &located[key.value].1;
                new.extend_from_slice(&self.bytes[copied..place.start]);
                new.extend(self.number(self.bytes[place.start], edit.values[frame][axis]));
                copied = place.end;
            }
            new.extend_from_slice(&self.bytes[copied..own.properties.end]);
            self.changes.properties.insert(own.start, NewProperties { bytes: new, count: own.count });
            return Ok(());
        }
        for NewRecord { name, properties, .. } in self.key_records(edit, axis) {
            match curve.child(self.bytes, name) {
                Some(record) => drop(self.changes.properties.insert(record.start, properties)),
                None if name == "KeyVer" => {}
                None => return Err(lost()),
            }
        }
        Ok(())
    }

    /// The bytes of a number, of the kind that `kind` is the first byte of.
    fn number(&self, kind: u8, value: f64) -> Vec<u8> {
        match (self.records.encoding, kind) {
            (Encoding::Binary, b'F') => [&b"F"[..], &(value as f32).to_le_bytes()].concat(),
            _ => self.records.encode(&[Value::Double(value)]).bytes,
        }
    }

    /// The records of a curve with a key at each frame.
    fn key_records(&self, edit: &Edit, axis: usize) -> [NewRecord; 3] {
        let frames = edit.values.len();
        let value = |frame: usize| edit.values[frame][axis];
        // The slope through the neighbours, per second.
        let slope = |frame: usize| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(frames - 1));
            (value(after) - value(before)) * self.file.scene.fps / (after - before).max(1) as f64
        };
        let key = |frame: usize| {
            [
                Value::Long(self.file.ticks(frame)),
                Value::Double(value(frame)),
                Value::Letter(b'U'),
                Value::Letter(b's'),
                Value::Double(slope(frame)),
                Value::Double(slope((frame + 1).min(frames - 1))),
                Value::Letter(b'n'),
            ]
        };
        let keys = match self.records.encoding {
            Encoding::Binary => self.records.encode(&(0..frames).flat_map(key).collect::<Vec<_>>()),
            Encoding::Text => {
                let text = |frame| String::from_utf8_lossy(&text::encode(&key(frame))).replace(' ', "");
                NewProperties { bytes: text::list((0..frames).map(text)), count: 0 }
            }
        };
        [
            self.records.record("KeyVer", &[Value::Int(KEY_VERSION)], Vec::new()),
            self.records.record("KeyCount", &[Value::Int(frames as i32)], Vec::new()),
            NewRecord { name: "Key", properties: keys, children: Vec::new() },
        ]
    }

    fn new_axis(&self, edit: &Edit, axis: usize) -> NewRecord {
        let default = [Value::Double(edit.captured[0][axis])];
        let mut children = vec![self.records.record("Default", &default, Vec::new())];
        if edit.changes(axis) {
            children.extend(self.key_records(edit, axis));
        }
        self.records.record("Channel", &[Value::Text(AXES[axis].as_bytes())], children)
    }

    /// A channel of a translation or rotation.
    fn new_channel(&self, edit: &Edit, name: &'static str) -> NewRecord {
        let mut children: Vec<NewRecord> = (0..3).map(|axis| self.new_axis(edit, axis)).collect();
        let layer = if name == "T" { 1 } else { 2 };
        children.push(self.records.record("LayerType", &[Value::Int(layer)], Vec::new()));
        self.records.record("Channel", &[Value::Text(name.as_bytes())], children)
    }

    fn new_transform(&self, channel: NewRecord) -> NewRecord {
        self.records.record("Channel", &[Value::Text(b"Transform")], vec![channel])
    }

    fn add_model(&mut self, edit: &Edit, name: &'static str) -> Result<(), WriteError> {
        let ObjectId::Name(id) = &self.file.scene.ids[edit.joint] else {
            return Err(WriteError::Refused("a joint of the file has no name, expected one".into()));
        };
        let transform = self.new_transform(self.new_channel(edit, name));
        let version = NewRecord {
            name: "Version",
            properties: NewProperties { bytes: self.number(b'D', 1.1), count: 1 },
            children: Vec::new(),
        };
        let model = self.records.record("Model", &[Value::Text(id)], vec![version, transform]);
        self.changes.add(self.take.start, model);
        Ok(())
    }
}

/// The keys of a list of times, values, kinds of interpolation and what each of them has beside.
fn keys(list: &[(Property, core::ops::Range<usize>)], version: i64) -> Option<Vec<Key>> {
    let letter = |at: usize| match list.get(at)?.0 {
        Property::Letter(letter) => Some(letter),
        _ => None,
    };
    let mut keys = Vec::new();
    let mut at = 0;
    while at < list.len() {
        let Property::Integer(time) = list[at].0 else { return None };
        let (Property::Integer(_) | Property::Number(_)) = list.get(at + 1)?.0 else { return None };
        keys.push(Key { time, value: at + 1 });
        let interpolation = letter(at + 2)?;
        at += 3;
        let mut weights = 0;
        match interpolation {
            b'L' => {}
            b'C' => at += usize::from(version >= 4004),
            b'U' => {
                let slope = letter(at)?;
                at += 1;
                (at, weights) = match slope {
                    b's' | b'b' => (at + 2, usize::from(version != 4003)),
                    b'a' => (at, usize::from(version > 4004)),
                    b'p' | b'q' => (at + 2, if version > 4004 { 2 } else { 1 }),
                    b't' => (at + 3, 0),
                    b'd' => (at + 1, 1),
                    _ => return None,
                };
            }
            _ => return None,
        }
        for _ in 0..weights {
            let weight = letter(at)?;
            at += match weight {
                b'a' => 3,
                b'l' | b'r' => 2,
                _ => 1,
            };
        }
    }
    Some(keys)
}
