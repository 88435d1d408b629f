//! Makes small glTF files, one for each way in which a file can store an animation.

use serde_json::{Value, json};

/// A glTF file in the making: a document and one buffer.
pub struct Maker {
    pub document: Value,
    pub buffer: Vec<u8>,
}

/// Frames per second of the files.
pub const FPS: f64 = 25.0;

impl Maker {
    /// Hips, thigh, shin and foot, each a child of the one before, and an animation without tracks.
    pub fn new() -> Self {
        let node = |name: &str, y: f64, child: Option<usize>| match child {
            Some(child) => json!({"name": name, "translation": [0.0, y, 0.0], "children": [child]}),
            None => json!({"name": name, "translation": [0.0, y, 0.0]}),
        };
        let nodes = [
            node("hips", 1.0, Some(1)),
            node("thigh", -0.1, Some(2)),
            node("shin", -0.4, Some(3)),
            node("foot", -0.4, None),
        ];
        let document = json!({
            "asset": {"version": "2.0"},
            "extras": {"kept": [1, 2.50, "}]"]},
            "nodes": nodes,
            "animations": [{"name": "walk", "channels": [], "samplers": []}],
            "accessors": [],
            "bufferViews": [],
        });
        Self { document, buffer: b"other data, which must stay".to_vec() }
    }

    /// The usual tracks: a path of the hips and rotations of all joints, with a key for each of `frames` frames.
    pub fn with_tracks(frames: usize) -> Self {
        let mut maker = Self::new();
        let times = frame_times(frames);
        let path = times.iter().flat_map(|t| [0.3 * t, 1.0 + 0.02 * t, -0.1 * t]).collect::<Vec<f32>>();
        maker.track(0, "translation", "LINEAR", &times, &path);
        for node in 0..4 {
            let values: Vec<f32> = times.iter().flat_map(|&t| turn(node, t)).collect();
            maker.track(node, "rotation", "LINEAR", &times, &values);
        }
        maker
    }

    /// Appends bytes as a buffer view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 7);
        let (offset, length) = (self.buffer.len(), bytes.len());
        self.buffer.extend_from_slice(bytes);
        push(
            &mut self.document["bufferViews"],
            json!({"buffer": 0, "byteOffset": offset, "byteLength": length}),
        )
    }

    /// Appends an accessor of floats, with its bounds.
    pub fn floats(&mut self, kind: &str, components: usize, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let column = |n: usize| values.iter().skip(n).step_by(components).copied();
        let min: Vec<f32> = (0..components).map(|n| column(n).fold(f32::INFINITY, f32::min)).collect();
        let max: Vec<f32> = (0..components).map(|n| column(n).fold(f32::NEG_INFINITY, f32::max)).collect();
        let count = values.len() / components;
        self.accessor(
            json!({"bufferView": view, "componentType": 5126, "count": count, "type": kind, "min": min, "max": max}),
        )
    }

    pub fn accessor(&mut self, accessor: Value) -> usize {
        push(&mut self.document["accessors"], accessor)
    }

    /// Packs all buffer views so far as `EXT_meshopt_compression` does, each difference in a byte.
    pub fn pack(&mut self) {
        let views = self.document["bufferViews"].as_array().unwrap().clone();
        let mut plain = 0;
        for (n, view) in views.into_iter().enumerate() {
            let [offset, length] =
                ["byteOffset", "byteLength"].map(|key| view[key].as_u64().unwrap() as usize);
            let packed = packed(&self.buffer[offset..offset + length], 4);
            let start = self.buffer.len();
            self.buffer.extend_from_slice(&packed);
            let extension = json!({
                "buffer": 0, "byteOffset": start, "byteLength": packed.len(), "byteStride": 4,
                "count": length / 4, "mode": "ATTRIBUTES",
            });
            self.document["bufferViews"][n] = json!({
                "buffer": 1, "byteOffset": plain, "byteLength": length,
                "extensions": {"EXT_meshopt_compression": extension},
            });
            plain += length;
        }
        let fallback = json!({"EXT_meshopt_compression": {"fallback": true}});
        self.document["buffers"] = json!([{"byteLength": plain, "extensions": fallback}]);
        self.document["extensionsUsed"] = json!(["EXT_meshopt_compression"]);
        self.document["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    }

    /// Adds a track of floats.
    pub fn track(&mut self, node: usize, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
        let input = self.floats("SCALAR", 1, times);
        let (kind, components) = if path == "rotation" { ("VEC4", 4) } else { ("VEC3", 3) };
        let output = self.floats(kind, components, values);
        self.channel(node, path, interpolation, input, output);
    }

    /// Adds a channel and its sampler.
    pub fn channel(&mut self, node: usize, path: &str, interpolation: &str, input: usize, output: usize) {
        let animation = &mut self.document["animations"][0];
        let sampler = push(
            &mut animation["samplers"],
            json!({"input": input, "output": output, "interpolation": interpolation}),
        );
        push(&mut animation["channels"], json!({"sampler": sampler, "target": {"node": node, "path": path}}));
    }

    /// Puts a node above the hips.
    pub fn armature(&mut self, mut node: Value) {
        node["children"] = json!([0]);
        push(&mut self.document["nodes"], node);
    }

    /// The file as a `.glb`, with a chunk of another kind at its end.
    pub fn glb(&self) -> Vec<u8> {
        let mut document = self.document.clone();
        let mut buffers = vec![json!({"byteLength": self.buffer.len()})];
        buffers.extend(self.document["buffers"].as_array().into_iter().flatten().cloned());
        document["buffers"] = json!(buffers);
        let mut json = serde_json::to_vec(&document).unwrap();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.buffer.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, content) in [(b"JSON", &json[..]), (b"BIN\0", &bin), (b"MORE", b"kept")] {
            bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
            bytes.extend_from_slice(kind);
            bytes.extend_from_slice(content);
        }
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    /// The file as a `.gltf` whose buffer has this URI.
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        let mut document = self.document.clone();
        document["buffers"] = json!([{"byteLength": self.buffer.len(), "uri": uri}]);
        serde_json::to_vec_pretty(&document).unwrap()
    }
}

fn packed(bytes: &[u8], stride: usize) -> Vec<u8> {
    let mut out = vec![0xa0];
    let mut last = vec![0_u8; stride];
    for block in bytes.chunks(256 * stride) {
        let groups = (block.len() / stride).div_ceil(16);
        for (place, last) in last.iter_mut().enumerate() {
            out.resize(out.len() + groups.div_ceil(4), 0xff);
            let end = out.len() + 16 * groups;
            for element in block.chunks(stride) {
                let difference = element[place].wrapping_sub(*last) as i8;
                out.push(((difference << 1) ^ (difference >> 7)) as u8);
                *last = element[place];
            }
            out.resize(end, 0);
        }
    }
    // The first element differs from zeros.
    out.resize(out.len() + stride.max(32), 0);
    out
}

fn push(array: &mut Value, element: Value) -> usize {
    let array = array.as_array_mut().unwrap();
    array.push(element);
    array.len() - 1
}

/// The times of frames.
pub fn frame_times(frames: usize) -> Vec<f32> {
    (0..frames).map(|frame| (frame as f64 / FPS) as f32).collect()
}

/// The rotation of a node at a time, a swing about X and a little about Z.
pub fn turn(node: usize, time: f32) -> [f32; 4] {
    let half = 0.2 + 0.15 * (3.0 * time + node as f32).sin();
    let (x, z) = (half.sin(), 0.1 * half);
    let length = (x * x + z * z + half.cos() * half.cos()).sqrt();
    [x / length, 0.0, z / length, half.cos() / length]
}
