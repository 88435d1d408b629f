//! Changes the curves of files since version 7000: objects with numbers, and connections between them.

use std::collections::BTreeMap;

use super::Fbx;
use super::arrays::{self, Numbers};
use super::records::{Changes, NewProperties, NewRecord, Property, Record, Records, Value};
use super::scene::ObjectId;
use super::write::Edit;
use crate::source::WriteError;

/// Cubic interpolation with automatic tangents.
const CUBIC_AUTO: i32 = 0x108;
/// The data of an automatic tangent: slopes, weights and velocities that readers compute themselves.
const TANGENT: [f32; 4] = [0.0, 0.0, f32::from_bits(0x0d05_0d05), 0.0];
const AXES: [&str; 3] = ["d|X", "d|Y", "d|Z"];

/// The keys of a curve, by the names of the records that hold them.
pub(super) type KeyArrays = [(&'static str, NewProperties); 5];

/// The objects of a file by their numbers, and the changes so far.
pub(super) struct CurveWriter<'a> {
    file: &'a Fbx,
    bytes: &'a [u8],
    pub records: &'a Records,
    objects: &'a Record,
    connections: &'a Record,
    /// The records of curves, by their numbers.
    pub curves: BTreeMap<i64, &'a Record>,
    /// The curve nodes of a node's property, and the curves of a curve node's property.
    pub curve_nodes: BTreeMap<(i64, &'a [u8]), Vec<i64>>,
    /// The curve of an axis of a curve node.
    curve_of: BTreeMap<(i64, usize), i64>,
    /// The layers that a curve node is on.
    layers_of: BTreeMap<i64, Vec<i64>>,
    /// The layers of the animation, the base layer first.
    pub layers: Vec<i64>,
    next_id: i64,
    pub changes: Changes,
}

impl<'a> CurveWriter<'a> {
    pub fn new(file: &'a Fbx, records: &'a Records) -> Result<Self, WriteError> {
        let bytes = &file.bytes[..];
        let find = |name: &str| {
            let found = records.find(bytes, name);
            found.ok_or_else(|| WriteError::Refused(format!("the file has no {name}, expected them")))
        };
        let mut writer = Self {
            file,
            bytes,
            records,
            objects: find("Objects")?,
            connections: find("Connections")?,
            curves: BTreeMap::new(),
            curve_nodes: BTreeMap::new(),
            curve_of: BTreeMap::new(),
            layers_of: BTreeMap::new(),
            layers: Vec::new(),
            next_id: 0,
            changes: Changes::default(),
        };
        writer.index();
        Ok(writer)
    }

    fn index(&mut self) {
        let mut layers = Vec::new();
        let records = self.records;
        for object in &self.objects.children {
            let Some(Property::Integer(id)) = records.properties(self.bytes, object).next() else { continue };
            self.next_id = self.next_id.max(id);
            if object.is_named(self.bytes, "AnimationCurve") {
                self.curves.insert(id, object);
            } else if object.is_named(self.bytes, "AnimationLayer") {
                layers.push(id);
            }
        }
        let stack = self.file.scene.stack.number();
        for connection in &self.connections.children {
            let mut properties = records.properties(self.bytes, connection).skip(1);
            let (Some(Property::Integer(child)), Some(Property::Integer(parent))) =
                (properties.next(), properties.next())
            else {
                continue;
            };
            match properties.next() {
                Some(Property::Text(name)) => match AXES.iter().position(|axis| axis.as_bytes() == name) {
                    Some(axis) => drop(self.curve_of.insert((parent, axis), child)),
                    None => self.curve_nodes.entry((parent, name)).or_default().push(child),
                },
                _ if Some(parent) == stack && layers.contains(&child) => self.layers.push(child),
                _ if layers.contains(&parent) => self.layers_of.entry(child).or_default().push(parent),
                _ => {}
            }
        }
    }

    pub fn new_id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    /// Changes the curves of a property of a joint.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), WriteError> {
        let name = &self.file.scene.skeleton.joints()[edit.joint].name;
        let node = self.file.scene.ids[edit.joint].number().unwrap_or_default();
        let own = self.curve_nodes.get(&(node, edit.property.as_bytes())).cloned().unwrap_or_default();
        let layers = |id: &i64| {
            self.layers_of.get(id).into_iter().flatten().filter(|layer| self.layers.contains(layer))
        };
        let own: Vec<i64> = own.into_iter().filter(|id| layers(id).count() > 0).collect();
        let base = self.layers.first().copied();
        let curve_node = match own[..] {
            [] => self.add_curve_node(node, edit)?,
            [one] if layers(&one).all(|layer| Some(*layer) == base) => one,
            _ => {
                return Err(WriteError::Refused(format!(
                    "node {name:?}, {}: it is animated on several layers, which cannot be edited in place: merge the layers",
                    edit.property
                )));
            }
        };
        for axis in (0..3).filter(|&axis| edit.changes(axis)) {
            match self.curve_of.get(&(curve_node, axis)).and_then(|curve| self.curves.get(curve)).copied() {
                Some(curve) => self.change_curve(curve, edit, axis)?,
                None => self.add_curve(curve_node, edit, axis),
            }
        }
        Ok(())
    }

    fn change_curve(&mut self, curve: &Record, edit: &Edit, axis: usize) -> Result<(), WriteError> {
        let lost = || WriteError::Refused("a curve of the file has no keys that can be read".into());
        let part = |name: &str| curve.child(self.bytes, name).ok_or_else(lost);
        let (times, values) = (part("KeyTime")?, part("KeyValueFloat")?);
        let (keys, is_compressed) = arrays::longs(self.records, self.bytes, times).ok_or_else(lost)?;
        let frames = edit.values.len();
        if self.file.are_frames(&keys, frames) {
            let change = |frame: usize| edit.is_change(frame, axis).then(|| edit.values[frame][axis] as f32);
            let new = arrays::with_floats_changed(self.records, self.bytes, values, frames, change);
            self.changes.properties.insert(values.start, new.ok_or_else(lost)?);
            return Ok(());
        }
        for (name, new) in self.keys_at_frames(edit, axis, is_compressed) {
            self.changes.properties.insert(part(name)?.start, new);
        }
        Ok(())
    }

    /// The arrays of a curve with a key at each frame.
    fn keys_at_frames(&self, edit: &Edit, axis: usize, is_compressed: bool) -> KeyArrays {
        let frames = edit.values.len();
        let times = (0..frames).map(|frame| self.file.ticks(frame)).collect();
        let values = edit.values.iter().map(|value| value[axis] as f32).collect();
        let flags = (CUBIC_AUTO, Numbers::Tangents(TANGENT));
        self.key_arrays(times, values, flags, is_compressed)
    }

    /// The arrays of a curve whose keys all have the same interpolation and tangents.
    pub fn key_arrays(
        &self,
        times: Vec<i64>,
        values: Vec<f32>,
        (flags, tangent): (i32, Numbers),
        is_compressed: bool,
    ) -> KeyArrays {
        let written = |numbers, is_compressed| arrays::written(self.records, &numbers, is_compressed);
        let count = vec![times.len() as i32];
        [
            ("KeyTime", written(Numbers::Longs(times), is_compressed)),
            ("KeyValueFloat", written(Numbers::Floats(values), is_compressed)),
            ("KeyAttrFlags", written(Numbers::Ints(vec![flags]), false)),
            ("KeyAttrDataFloat", written(tangent, false)),
            ("KeyAttrRefCount", written(Numbers::Ints(count), false)),
        ]
    }

    fn add_curve(&mut self, curve_node: i64, edit: &Edit, axis: usize) {
        let keys = self.keys_at_frames(edit, axis, false);
        let curve = self.add_curve_object(edit.captured[0][axis], keys);
        self.connect(b"OP", curve, curve_node, Some(AXES[axis].as_bytes()));
    }

    /// Adds a curve, and returns its number.
    pub fn add_curve_object(&mut self, default: f64, keys: KeyArrays) -> i64 {
        let id = self.new_id();
        let mut children = vec![
            self.records.record("Default", &[Value::Double(default)], Vec::new()),
            self.records.record("KeyVer", &[Value::Int(4009)], Vec::new()),
        ];
        let leaf = |(name, properties)| NewRecord { name, properties, children: Vec::new() };
        children.extend(keys.map(leaf));
        let own = [Value::Long(id), Value::Object(b"", "AnimCurve"), Value::Text(b"")];
        let curve = self.records.record("AnimationCurve", &own, children);
        self.add_object(curve);
        id
    }

    fn add_curve_node(&mut self, node: i64, edit: &Edit) -> Result<i64, WriteError> {
        let Some(&layer) = self.layers.first() else {
            return Err(WriteError::Refused(
                "the file has no animation that the motion could be written into".into(),
            ));
        };
        let name: &[u8] = if edit.property == "Lcl Rotation" { b"R" } else { b"T" };
        let defaults: Vec<(&str, f64)> =
            AXES.iter().enumerate().map(|(axis, name)| (*name, edit.captured[0][axis])).collect();
        let id = self.add_curve_node_object(name, &defaults);
        self.connect(b"OO", id, layer, None);
        self.connect(b"OP", id, node, Some(edit.property.as_bytes()));
        Ok(id)
    }

    /// Adds a curve node of these properties with their defaults, and returns its number.
    pub fn add_curve_node_object(&mut self, name: &[u8], defaults: &[(&str, f64)]) -> i64 {
        let id = self.new_id();
        let default = |&(name, value): &(&str, f64)| {
            let texts: [&[u8]; 4] = [name.as_bytes(), b"Number", b"", b"A"];
            let values: Vec<Value> =
                texts.into_iter().map(Value::Text).chain([Value::Double(value)]).collect();
            self.records.record("P", &values, Vec::new())
        };
        let table = self.records.record("Properties70", &[], defaults.iter().map(default).collect());
        let own = [Value::Long(id), Value::Object(name, "AnimCurveNode"), Value::Text(b"")];
        let curve_node = self.records.record("AnimationCurveNode", &own, vec![table]);
        self.add_object(curve_node);
        id
    }

    pub fn connect(&mut self, kind: &[u8], child: i64, parent: i64, property: Option<&[u8]>) {
        let mut values = vec![Value::Text(kind), Value::Long(child), Value::Long(parent)];
        values.extend(property.map(Value::Text));
        self.changes.add(self.connections.start, self.records.record("C", &values, Vec::new()));
    }

    fn add_object(&mut self, record: NewRecord) {
        self.changes.add(self.objects.start, record);
    }
}

impl ObjectId {
    /// The number, which all objects have since version 7000.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(_) => None,
        }
    }
}
