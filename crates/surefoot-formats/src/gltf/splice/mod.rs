//! Changes of a glTF file: keys that are overwritten, tracks that are appended, and the JSON text that names them.
//! `assemble.rs` makes the bytes of the changed file, in which all others are copied.

use core::fmt::Write;
use core::ops::Range;

use super::Gltf;
use super::accessor::FLOAT;
use super::container::BufferBytes;
use super::document::Primitive;
use super::frame_times::FrameTimes;
use super::json_spans::{elements, member, root};
use super::new_keys::{Changes, NewKeys, stored_key};
use super::track::{Interpolation, Path, Track};
use crate::node_transforms::NodeTransform;
use crate::source::WriteError;

mod assemble;

/// The name of the plants in the extras of an animation.
pub(super) const PLANTS: &str = "plants";

/// Bytes that replace others in a buffer.
struct Patch {
    buffer: usize,
    start: usize,
    bytes: Vec<u8>,
}

/// Changes of a file that have not been made yet.
pub(super) struct Splice<'a> {
    file: &'a Gltf,
    animation: usize,
    json: &'a [u8],
    /// Ranges of the JSON text and what replaces them.
    edits: Vec<(Range<usize>, String)>,
    patches: Vec<Patch>,
    /// Bytes after all others.
    appended: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    samplers: Vec<String>,
    channels: Vec<String>,
    /// The accessors of times that were appended; most tracks have the same.
    times: Vec<(Vec<f32>, usize)>,
    /// The nodes whose matrix was replaced by its parts, since only these can be animated.
    without_matrix: Vec<usize>,
}

impl<'a> Splice<'a> {
    pub fn new(file: &'a Gltf, animation: usize) -> Self {
        Self {
            file,
            animation,
            json: &file.bytes[file.container.json.clone()],
            edits: Vec::new(),
            patches: Vec::new(),
            appended: Vec::new(),
            views: Vec::new(),
            accessors: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
            times: Vec::new(),
            without_matrix: Vec::new(),
        }
    }

    /// Whether the keys of a track can be overwritten: they are floats that nothing else uses, in this file.
    pub fn can_overwrite(&self, track: &Track) -> bool {
        let document = &self.file.document;
        let output = document.animations[self.animation].samplers[track.sampler].output;
        let accessor = &document.accessors[output];
        let Some(place) = self.file.accessors().place(output) else { return false };
        let is_inside = matches!(
            self.file.buffers.get(place.buffer),
            Some(BufferBytes::Chunk(_) | BufferBytes::Embedded(_))
        );
        let overlaps = |other: usize| {
            other != output
                && self.file.accessors().place(other).is_some_and(|other| {
                    other.buffer == place.buffer && other.start < place.end && place.start < other.end
                })
        };
        accessor.component_type == FLOAT
            && accessor.sparse.is_none()
            && is_inside
            && self.sampler_uses(track.sampler) == 1
            && self.accessor_uses(output) == 1
            && !(0..document.accessors.len()).any(overlaps)
    }

    /// The channels that use a sampler of the animation.
    fn sampler_uses(&self, sampler: usize) -> usize {
        let channels = &self.file.document.animations[self.animation].channels;
        channels.iter().filter(|channel| channel.sampler == sampler).count()
    }

    /// The places in the document that use an accessor.
    fn accessor_uses(&self, accessor: usize) -> usize {
        let document = &self.file.document;
        let samplers = document.animations.iter().flat_map(|animation| &animation.samplers);
        let of_samplers = samplers.flat_map(|sampler| [sampler.input, sampler.output]);
        let of_primitive = |one: &'a Primitive| {
            let targets = one.targets.iter().flat_map(|target| target.values());
            one.attributes.values().chain(targets).chain(&one.indices).copied()
        };
        let of_meshes = document.meshes.iter().flat_map(|mesh| &mesh.primitives).flat_map(of_primitive);
        let of_skins = document.skins.iter().filter_map(|skin| skin.inverse_bind_matrices);
        of_samplers.chain(of_meshes).chain(of_skins).filter(|&used| used == accessor).count()
    }

    /// Overwrites keys where they lie. `keys` has the changed frames and their keys.
    pub fn overwrite_keys(
        &mut self,
        track: &Track,
        times: &FrameTimes,
        changes: &Changes,
        keys: &[(usize, usize)],
    ) {
        let output = self.file.document.animations[self.animation].samplers[track.sampler].output;
        let Some(place) = self.file.accessors().place(output) else { return };
        let (components, per_key) = (track.path.components(), track.interpolation.values_per_key());
        let (mut values, mut stored) = (track.values.to_vec(), Vec::new());
        for &(frame, key) in keys {
            stored.clear();
            stored_key(track, times, changes, frame, &mut stored);
            values[key * per_key * components..][..stored.len()].copy_from_slice(&stored);
            for (part, numbers) in stored.chunks_exact(components).enumerate() {
                let start = place.start + (key * per_key + part) * place.stride;
                self.patch(place.buffer, start, numbers);
            }
        }
        self.replace_bounds(output, components, &track.values, &values);
    }

    /// Overwrites floats in a buffer. Keys that follow each other become one patch.
    fn patch(&mut self, buffer: usize, start: usize, numbers: &[f32]) {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        match self.patches.last_mut() {
            Some(last) if last.buffer == buffer && last.start + last.bytes.len() == start => {
                last.bytes.extend(bytes);
            }
            _ => self.patches.push(Patch { buffer, start, bytes: bytes.collect() }),
        }
    }

    /// Replaces `min` and `max` of an accessor where they are stated and have changed.
    fn replace_bounds(&mut self, accessor: usize, components: usize, before: &[f32], after: &[f32]) {
        let Some(span) = self.element("accessors", accessor) else { return };
        let stated = ["min", "max"].map(|key| member(self.json, span.clone(), key));
        if stated.iter().all(Option::is_none) {
            return;
        }
        let (old, new) = (bounds(before, components), bounds(after, components));
        for (value, old, new) in stated
            .into_iter()
            .zip([(old.0, new.0), (old.1, new.1)])
            .map(|(value, (old, new))| (value, old, new))
        {
            if let Some(value) = value.filter(|_| old != new) {
                self.edits.push((value, numbers_text(&new)));
            }
        }
    }

    /// Replaces all keys of a track.
    pub fn replace_track(
        &mut self,
        track: &Track,
        interpolation: Interpolation,
        keys: &NewKeys,
    ) -> Result<(), WriteError> {
        let (input, output) = self.append_keys(track.path, keys);
        let samplers =
            self.animation_array("samplers").map(|array| elements(self.json, array)).unwrap_or_default();
        let span = samplers.get(track.sampler).cloned().ok_or_else(lost)?;
        if self.sampler_uses(track.sampler) == 1 && interpolation == track.interpolation {
            for (key, index) in [("input", input), ("output", output)] {
                let value = member(self.json, span.clone(), key).ok_or_else(lost)?;
                self.edits.push((value, index.to_string()));
            }
            return Ok(());
        }
        let sampler = self.append_sampler(input, output, interpolation);
        let channels =
            self.animation_array("channels").map(|array| elements(self.json, array)).unwrap_or_default();
        let channel = channels.get(track.channel).cloned().ok_or_else(lost)?;
        let value = member(self.json, channel, "sampler").ok_or_else(lost)?;
        self.edits.push((value, sampler.to_string()));
        Ok(())
    }

    /// Adds a track to a node that has none for this property.
    pub fn add_channel(&mut self, node: usize, path: Path, keys: &NewKeys) -> Result<(), WriteError> {
        self.replace_matrix(node)?;
        let (input, output) = self.append_keys(path, keys);
        let sampler = self.append_sampler(input, output, Interpolation::Linear);
        let target = format!("{{\"node\":{node},\"path\":\"{}\"}}", path.name());
        self.channels.push(format!("{{\"sampler\":{sampler},\"target\":{target}}}"));
        Ok(())
    }

    fn append_sampler(&mut self, input: usize, output: usize, interpolation: Interpolation) -> usize {
        let name = match interpolation {
            Interpolation::Linear => "LINEAR",
            Interpolation::Step => "STEP",
            Interpolation::CubicSpline => "CUBICSPLINE",
        };
        self.samplers.push(format!("{{\"input\":{input},\"output\":{output},\"interpolation\":\"{name}\"}}"));
        self.file.document.animations[self.animation].samplers.len() + self.samplers.len() - 1
    }

    /// Appends the times and values of keys. Returns the indices of their accessors.
    fn append_keys(&mut self, path: Path, keys: &NewKeys) -> (usize, usize) {
        let input = match self.times.iter().find(|(times, _)| *times == keys.times) {
            Some((_, index)) => *index,
            None => {
                let index = self.append_accessor("SCALAR", 1, &keys.times);
                self.times.push((keys.times.clone(), index));
                index
            }
        };
        let kind = if path == Path::Rotation { "VEC4" } else { "VEC3" };
        (input, self.append_accessor(kind, path.components(), &keys.values))
    }

    fn append_accessor(&mut self, kind: &str, components: usize, values: &[f32]) -> usize {
        let (buffer, start) = self.append_place();
        let offset = start + self.appended.len();
        let bytes = float_bytes(values);
        self.views
            .push(format!("{{\"buffer\":{buffer},\"byteOffset\":{offset},\"byteLength\":{}}}", bytes.len()));
        self.appended.extend_from_slice(&bytes);
        let document = &self.file.document;
        let (view, count) = (document.buffer_views.len() + self.views.len() - 1, values.len() / components);
        let mut text = format!(
            "{{\"bufferView\":{view},\"componentType\":{FLOAT},\"count\":{count},\"type\":\"{kind}\""
        );
        if kind == "SCALAR" {
            // The specification requires the bounds of times.
            let (min, max) = bounds(values, 1);
            let _ = write!(text, ",\"min\":{},\"max\":{}", numbers_text(&min), numbers_text(&max));
        }
        text.push('}');
        self.accessors.push(text);
        document.accessors.len() + self.accessors.len() - 1
    }

    /// The buffer that new data is appended to, and the offset of the new data in it: the binary chunk, or a new buffer.
    fn append_place(&self) -> (usize, usize) {
        match self.chunk() {
            Some(chunk) => (0, chunk.len().next_multiple_of(4)),
            None => (self.file.document.buffers.len(), 0),
        }
    }

    /// The bytes of the file that are the buffer in the binary chunk.
    fn chunk(&self) -> Option<Range<usize>> {
        match self.file.buffers.first() {
            Some(BufferBytes::Chunk(range)) => Some(range.clone()),
            _ => None,
        }
    }

    /// Replaces the matrix of a node by translation, rotation and scale: a node with a matrix must not be animated.
    fn replace_matrix(&mut self, node: usize) -> Result<(), WriteError> {
        if self.file.document.nodes[node].matrix.is_none() || self.without_matrix.contains(&node) {
            return Ok(());
        }
        self.without_matrix.push(node);
        let joint = self.file.rig.joints.iter().find(|joint| joint.node == node).ok_or_else(lost)?;
        let NodeTransform { translation, rotation, scale } = joint.rest;
        let span = self.element("nodes", node).ok_or_else(lost)?;
        let matrix = member(self.json, span.clone(), "matrix").ok_or_else(lost)?;
        let quote =
            self.json[..matrix.start].windows(8).rposition(|word| word == b"\"matrix\"").ok_or_else(lost)?;
        let [t, r, s] =
            [&translation.to_array()[..], &rotation.to_array(), &scale.to_array()].map(numbers_text);
        self.edits.push((quote..matrix.end, format!("\"translation\":{t},\"rotation\":{r},\"scale\":{s}")));
        Ok(())
    }

    /// Puts plants into the extras of the animation, in place of those that it has.
    pub fn set_plants(&mut self, plants: &str) -> Result<(), WriteError> {
        let animation = self.element("animations", self.animation).ok_or_else(lost)?;
        let Some(extras) = member(self.json, animation.clone(), "extras") else {
            let start = animation.start + 1;
            self.edits.push((start..start, format!("\"extras\":{{\"{PLANTS}\":{plants}}},")));
            return Ok(());
        };
        if self.json[extras.start] != b'{' {
            return Err(WriteError::Refused(
                "the extras of the animation are no object, expected one".into(),
            ));
        }
        let edit = match member(self.json, extras.clone(), PLANTS) {
            Some(value) => (value, plants.to_owned()),
            None => {
                let is_empty = super::json_spans::members(self.json, extras.clone()).is_empty();
                let comma = if is_empty { "" } else { "," };
                (extras.start + 1..extras.start + 1, format!("\"{PLANTS}\":{plants}{comma}"))
            }
        };
        self.edits.push(edit);
        Ok(())
    }

    fn element(&self, array: &str, index: usize) -> Option<Range<usize>> {
        let array = member(self.json, root(self.json), array)?;
        elements(self.json, array).get(index).cloned()
    }

    fn animation_array(&self, name: &str) -> Option<Range<usize>> {
        member(self.json, self.element("animations", self.animation)?, name)
    }
}

/// An object that was parsed is not in the text: it has a name with escapes, such as `"\u0069nput"`.
fn lost() -> WriteError {
    WriteError::Refused(
        "the JSON text writes the name of a property with escapes, which cannot be edited".into(),
    )
}

fn float_bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// The smallest and largest of each component.
fn bounds(values: &[f32], components: usize) -> (Vec<f32>, Vec<f32>) {
    let column = |n: usize| values.iter().skip(n).step_by(components).copied();
    let min = (0..components).map(|n| column(n).fold(f32::INFINITY, f32::min)).collect();
    let max = (0..components).map(|n| column(n).fold(f32::NEG_INFINITY, f32::max)).collect();
    (min, max)
}

fn numbers_text<T: core::fmt::Display>(numbers: &[T]) -> String {
    let numbers: Vec<String> = numbers.iter().map(T::to_string).collect();
    format!("[{}]", numbers.join(","))
}
