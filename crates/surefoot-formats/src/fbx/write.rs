//! Writes a motion into the curves of a binary FBX file.
//!
//! A curve with a key at each frame gets new values where they change. Any other curve gets a key at each frame, with
//! automatic tangents. A property without a curve gets one.

use std::collections::BTreeMap;

use surefoot_core::{Motion, Vec3};

use super::Fbx;
use super::arrays;
use super::records::{Changes, NewProperties, NewRecord, Property, Record, Records};
use crate::source::{MotionSource, WriteError, check_motion};
use crate::space::Space;

/// Units of time per second.
const TICKS: f64 = 46_186_158_000.0;
/// Distance of a key from a frame, in frames, that is rounding of the key's time.
const ON_FRAME: f64 = 0.02;
/// Cubic interpolation with automatic tangents.
const CUBIC_AUTO: i32 = 0x108;
/// The data of an automatic tangent: slopes, weights and velocities that readers compute themselves.
const TANGENT: [f32; 4] = [0.0, 0.0, f32::from_bits(0x0d05_0d05), 0.0];
/// Change of a value, in the file's unit or degrees, that a float does not show.
const INVISIBLE: f64 = 1e-7;

/// A property of a joint with its values at each frame.
struct Edit {
    joint: usize,
    property: &'static str,
    values: Vec<Vec3>,
    captured: Vec<Vec3>,
}

pub(super) fn write(file: &Fbx, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    check_motion(&file.scene.skeleton, motion)?;
    if motion.frames() == 0 {
        return Ok(file.bytes.clone());
    }
    if motion.frames() != file.frames() || motion.fps != file.scene.fps {
        return Err(WriteError::Refused(format!(
            "the motion has {} frames at {} per second, but the FBX file has {} at {}, and surefoot changes keys only: write \
             it as .glb or .bvh",
            motion.frames(),
            motion.fps,
            file.frames(),
            file.scene.fps
        )));
    }
    let edits = edits(file, motion, space)?;
    if edits.is_empty() {
        return Ok(file.bytes.clone());
    }
    let records = Records::editable(&file.bytes)?;
    let mut writer = Writer::new(file, &records)?;
    for edit in &edits {
        writer.edit(edit)?;
    }
    Ok(records.write(&file.bytes, &writer.changes))
}

impl Records {
    /// The records of a file whose curves can be edited.
    pub(super) fn editable(bytes: &[u8]) -> Result<Self, WriteError> {
        let refused = |reason: String| {
            let what = "whose curves cannot be edited in place: write it as .glb or .bvh";
            Err(WriteError::Refused(format!("{reason}, {what}")))
        };
        if !bytes.starts_with(b"Kaydara FBX Binary") {
            return refused("it is an ASCII FBX file".into());
        }
        let records = Self::read(bytes).map_err(|error| WriteError::Refused(error.0))?;
        match records.version < 7000 {
            true => refused(format!("it is an FBX file of version {}", records.version)),
            false => Ok(records),
        }
    }
}

fn edits(file: &Fbx, motion: &Motion, space: &Space) -> Result<Vec<Edit>, WriteError> {
    let scene = &file.scene;
    let mut moved: BTreeMap<(usize, bool), Edit> = BTreeMap::new();
    for (frame, pose) in motion.poses.iter().enumerate() {
        let captured = &scene.frames[frame];
        let (captured_pose, shapes) = file.pose(captured);
        let pose = space.pose_to_file(pose, &captured_pose);
        if pose == captured_pose {
            continue;
        }
        let mut nodes = captured.clone();
        scene.transforms.to_nodes(&pose, &captured_pose, &shapes, &mut nodes);
        for (joint, (old, new)) in
            captured.iter().zip(&nodes).enumerate().filter(|(_, (old, new))| old != new)
        {
            let fbx = &scene.joints[joint];
            if !fbx.is_exact {
                let name = &scene.skeleton.joints()[joint].name;
                return Err(WriteError::Refused(format!(
                    "node {name:?}: its transform has parts that cannot be written, such as a scale that does not pass to \
                     its children"
                )));
            }
            let near = scene.rotations[frame][joint];
            let (old_translation, _) = fbx.values(old, near);
            let (translation, degrees) = fbx.values(new, near);
            let mut put = |is_rotation: bool, property, value: Vec3, of: &dyn Fn(usize) -> Vec3| {
                let start = || {
                    let captured: Vec<Vec3> = (0..motion.frames()).map(of).collect();
                    Edit { joint, property, values: captured.clone(), captured }
                };
                moved.entry((joint, is_rotation)).or_insert_with(start).values[frame] = value;
            };
            if new.rotation != old.rotation {
                put(true, "Lcl Rotation", degrees, &|frame| scene.rotations[frame][joint]);
            }
            if (translation - old_translation).abs().max_element() > INVISIBLE {
                let value = |frame: usize| fbx.values(&scene.frames[frame][joint], Vec3::ZERO).0;
                put(false, "Lcl Translation", translation, &value);
            }
        }
    }
    Ok(moved.into_values().collect())
}

/// The objects of a file by their numbers, and the changes so far.
pub(super) struct Writer<'a> {
    file: &'a Fbx,
    bytes: &'a [u8],
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

const AXES: [&str; 3] = ["d|X", "d|Y", "d|Z"];

impl<'a> Writer<'a> {
    pub fn new(file: &'a Fbx, records: &'a Records) -> Result<Self, WriteError> {
        let bytes = &file.bytes[..];
        let find = |name: &str| {
            let found = records.top.iter().find(|record| record.is_named(bytes, name));
            found.ok_or_else(|| WriteError::Refused(format!("the file has no {name}, expected them")))
        };
        let mut writer = Self {
            file,
            bytes,
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
        for object in &self.objects.children {
            let properties = object.properties(self.bytes);
            let Some(Property::Integer(id)) = properties.first() else { continue };
            self.next_id = self.next_id.max(*id);
            if object.is_named(self.bytes, "AnimationCurve") {
                self.curves.insert(*id, object);
            } else if object.is_named(self.bytes, "AnimationLayer") {
                layers.push(*id);
            }
        }
        for connection in &self.connections.children {
            let properties = connection.properties(self.bytes);
            let [_, Property::Integer(child), Property::Integer(parent), rest @ ..] = &properties[..] else {
                continue;
            };
            match rest {
                [Property::Text(name), ..] => match AXES.iter().position(|axis| axis.as_bytes() == *name) {
                    Some(axis) => drop(self.curve_of.insert((*parent, axis), *child)),
                    None => self.curve_nodes.entry((*parent, name)).or_default().push(*child),
                },
                _ if *parent == self.file.scene.stack && layers.contains(child) => self.layers.push(*child),
                _ if layers.contains(parent) => self.layers_of.entry(*child).or_default().push(*parent),
                _ => {}
            }
        }
    }

    pub fn new_id(&mut self) -> i64 {
        self.next_id += 1;
        self.next_id
    }

    fn edit(&mut self, edit: &Edit) -> Result<(), WriteError> {
        let name = &self.file.scene.skeleton.joints()[edit.joint].name;
        let node = self.file.scene.ids[edit.joint];
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
        for axis in 0..3 {
            let is_new = edit
                .values
                .iter()
                .zip(&edit.captured)
                .any(|(new, old)| (new[axis] - old[axis]).abs() > INVISIBLE);
            match self.curve_of.get(&(curve_node, axis)).and_then(|curve| self.curves.get(curve)).copied() {
                Some(curve) if is_new => self.change_curve(curve, edit, axis)?,
                None if is_new => self.add_curve(curve_node, edit, axis),
                _ => {}
            }
        }
        Ok(())
    }

    /// The time of a frame.
    pub fn ticks(&self, frame: usize) -> i64 {
        ((self.file.scene.start + frame as f64 / self.file.scene.fps) * TICKS).round() as i64
    }

    fn change_curve(&mut self, curve: &Record, edit: &Edit, axis: usize) -> Result<(), WriteError> {
        let lost = || WriteError::Refused("a curve of the file has no keys that can be read".into());
        let part = |name: &str| curve.child(self.bytes, name).ok_or_else(lost);
        let (times, values) = (part("KeyTime")?, part("KeyValueFloat")?);
        let (keys, is_compressed) = arrays::read::<8>(self.bytes, times, b'l').ok_or_else(lost)?;
        let (mut numbers, values_compressed) =
            arrays::read::<4>(self.bytes, values, b'f').ok_or_else(lost)?;
        let frame_ticks = TICKS / self.file.scene.fps;
        let is_on = |(frame, key): (usize, &[u8; 8])| {
            (i64::from_le_bytes(*key) - self.ticks(frame)).abs() as f64 <= ON_FRAME * frame_ticks
        };
        let frames = edit.values.len();
        if keys.len() == frames && numbers.len() == frames && keys.iter().enumerate().all(is_on) {
            for (frame, number) in numbers.iter_mut().enumerate() {
                if (edit.values[frame][axis] - edit.captured[frame][axis]).abs() > INVISIBLE {
                    *number = (edit.values[frame][axis] as f32).to_le_bytes();
                }
            }
            let new = arrays::written(b'f', numbers.into_iter(), values_compressed);
            self.changes.properties.insert(values.start, new);
            return Ok(());
        }
        for (name, new) in self.key_arrays(edit, axis, is_compressed) {
            self.changes.properties.insert(part(name)?.start, new);
        }
        Ok(())
    }

    /// The arrays of a curve with a key at each frame.
    fn key_arrays(
        &self,
        edit: &Edit,
        axis: usize,
        is_compressed: bool,
    ) -> [(&'static str, NewProperties); 5] {
        let frames = edit.values.len();
        let times = (0..frames).map(|frame| self.ticks(frame).to_le_bytes());
        let values = edit.values.iter().map(|value| (value[axis] as f32).to_le_bytes());
        [
            ("KeyTime", arrays::written(b'l', times, is_compressed)),
            ("KeyValueFloat", arrays::written(b'f', values, is_compressed)),
            ("KeyAttrFlags", arrays::written(b'i', [CUBIC_AUTO.to_le_bytes()].into_iter(), false)),
            ("KeyAttrDataFloat", arrays::written(b'f', TANGENT.map(f32::to_le_bytes).into_iter(), false)),
            ("KeyAttrRefCount", arrays::written(b'i', [(frames as i32).to_le_bytes()].into_iter(), false)),
        ]
    }

    fn add_curve(&mut self, curve_node: i64, edit: &Edit, axis: usize) {
        let id = self.new_id();
        let child = |name, properties| NewRecord { name, properties, children: Vec::new() };
        let mut children = vec![
            child("Default", properties(&[Value::Double(edit.captured[0][axis])])),
            child("KeyVer", properties(&[Value::Int(4009)])),
        ];
        children.extend(self.key_arrays(edit, axis, false).map(|(name, properties)| child(name, properties)));
        let own = properties(&[Value::Long(id), Value::Text(b"\0\x01AnimCurve"), Value::Text(b"")]);
        self.add_object(NewRecord { name: "AnimationCurve", properties: own, children });
        self.connect(b"OP", id, curve_node, Some(AXES[axis].as_bytes()));
    }

    fn add_curve_node(&mut self, node: i64, edit: &Edit) -> Result<i64, WriteError> {
        let Some(&layer) = self.layers.first() else {
            return Err(WriteError::Refused(
                "the file has no animation that the motion could be written into".into(),
            ));
        };
        let id = self.new_id();
        let is_rotation = edit.property == "Lcl Rotation";
        let name: &[u8] = if is_rotation { b"R\0\x01AnimCurveNode" } else { b"T\0\x01AnimCurveNode" };
        let default = |axis: usize| NewRecord {
            name: "P",
            properties: properties(&[
                Value::Text(AXES[axis].as_bytes()),
                Value::Text(b"Number"),
                Value::Text(b""),
                Value::Text(b"A"),
                Value::Double(edit.captured[0][axis]),
            ]),
            children: Vec::new(),
        };
        let table = NewRecord {
            name: "Properties70",
            properties: NewProperties::default(),
            children: (0..3).map(default).collect(),
        };
        let own = properties(&[Value::Long(id), Value::Text(name), Value::Text(b"")]);
        self.add_object(NewRecord { name: "AnimationCurveNode", properties: own, children: vec![table] });
        self.connect(b"OO", id, layer, None);
        self.connect(b"OP", id, node, Some(edit.property.as_bytes()));
        Ok(id)
    }

    pub fn connect(&mut self, kind: &[u8], child: i64, parent: i64, property: Option<&[u8]>) {
        let mut values = vec![Value::Text(kind), Value::Long(child), Value::Long(parent)];
        values.extend(property.map(Value::Text));
        let record = NewRecord { name: "C", properties: properties(&values), children: Vec::new() };
        self.add(self.connections.start, record);
    }

    pub fn add_object(&mut self, record: NewRecord) {
        self.add(self.objects.start, record);
    }

    pub fn add(&mut self, to: usize, record: NewRecord) {
        self.changes.added.entry(to).or_default().push(record);
    }
}

/// A property that is written.
pub(super) enum Value<'v> {
    Int(i32),
    Long(i64),
    Double(f64),
    Text(&'v [u8]),
}

pub(super) fn properties(values: &[Value]) -> NewProperties {
    let mut bytes = Vec::new();
    for value in values {
        match value {
            Value::Int(number) => bytes.extend([&b"I"[..], &number.to_le_bytes()].concat()),
            Value::Long(number) => bytes.extend([&b"L"[..], &number.to_le_bytes()].concat()),
            Value::Double(number) => bytes.extend([&b"D"[..], &number.to_le_bytes()].concat()),
            Value::Text(text) => bytes.extend([&b"S"[..], &(text.len() as u32).to_le_bytes(), text].concat()),
        }
    }
    NewProperties { bytes, count: values.len() as u64 }
}
