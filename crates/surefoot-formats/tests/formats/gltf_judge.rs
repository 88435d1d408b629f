//! World positions of nodes, computed from the bytes of a glTF file by multiplying 4 × 4 matrices.
//!
//! A reader of its own, as simple as the specification allows, to judge what the library reads and writes.

use serde_json::Value;
use surefoot_core::math::{acos, sin};

type Matrix = [[f64; 4]; 4];

/// A parsed file and the bytes of its buffers.
pub struct Judge {
    pub document: Value,
    pub buffers: Vec<Vec<u8>>,
}

impl Judge {
    /// Parses a `.glb`, or a `.gltf` with the bytes of its first buffer.
    pub fn new(bytes: &[u8], first_buffer: Option<&[u8]>) -> Self {
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let (document, chunk): (Value, Vec<u8>) = if bytes.starts_with(b"glTF") {
            assert_eq!(number(8), bytes.len(), "the header states the length of the file");
            let json = 20..20 + number(12);
            assert_eq!((number(12) % 4, number(json.end) % 4), (0, 0), "chunks have whole words");
            let bin = json.end + 8..json.end + 8 + number(json.end);
            (serde_json::from_slice(&bytes[json]).unwrap(), bytes[bin].to_vec())
        } else {
            (serde_json::from_slice(bytes).unwrap(), first_buffer.unwrap_or_default().to_vec())
        };
        let mut buffers = vec![chunk];
        for buffer in document["buffers"].as_array().unwrap().iter().skip(1) {
            let (_, data) = buffer["uri"].as_str().unwrap().split_once(";base64,").unwrap();
            buffers.push(decode(data));
        }
        for (buffer, bytes) in document["buffers"].as_array().unwrap().iter().zip(&buffers) {
            assert!(index(&buffer["byteLength"]) <= bytes.len(), "a buffer has the bytes that it states");
        }
        Self { document, buffers }
    }

    /// The numbers of an accessor, one list for each element.
    pub fn accessor(&self, n: usize) -> Vec<Vec<f64>> {
        let accessor = &self.document["accessors"][n];
        let components = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let count = index(&accessor["count"]);
        let kind = index(&accessor["componentType"]);
        let view = |view: &Value, offset: &Value, size: usize, element: usize| {
            let view = &self.document["bufferViews"][index(view)];
            let stride = view["byteStride"].as_u64().unwrap_or(size as u64) as usize;
            let start = index(&view["byteOffset"]) + index(offset) + element * stride;
            self.buffers[index(&view["buffer"])][start..start + size].to_vec()
        };
        let size = if kind == 5126 { 4 } else { 2 };
        let numbers = |bytes: Vec<u8>| -> Vec<f64> {
            let number = |bytes: &[u8]| match kind {
                5126 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
                _ => f64::from(i16::from_le_bytes(bytes.try_into().unwrap())) / 32767.0,
            };
            bytes.chunks(size).map(number).collect()
        };
        let mut values: Vec<Vec<f64>> = match accessor.get("bufferView") {
            None => vec![vec![0.0; components]; count],
            Some(own) => (0..count)
                .map(|element| numbers(view(own, &accessor["byteOffset"], size * components, element)))
                .collect(),
        };
        if let Some(sparse) = accessor.get("sparse") {
            for n in 0..index(&sparse["count"]) {
                let at = view(&sparse["indices"]["bufferView"], &sparse["indices"]["byteOffset"], 2, n);
                let new = view(
                    &sparse["values"]["bufferView"],
                    &sparse["values"]["byteOffset"],
                    size * components,
                    n,
                );
                values[usize::from(u16::from_le_bytes([at[0], at[1]]))] = numbers(new);
            }
        }
        values
    }

    /// The world position of every node at a time of an animation.
    pub fn positions(&self, animation: usize, time: f64) -> Vec<[f64; 3]> {
        let nodes = self.document["nodes"].as_array().unwrap();
        let mut local: Vec<Value> = nodes.clone();
        let animation = &self.document["animations"][animation];
        for channel in animation["channels"].as_array().unwrap() {
            let sampler = &animation["samplers"][index(&channel["sampler"])];
            let path = channel["target"]["path"].as_str().unwrap();
            let node = &mut local[index(&channel["target"]["node"])];
            assert!(node.get("matrix").is_none(), "an animated node must not have a matrix");
            node[path] = self.sample(sampler, path == "rotation", time).into();
        }
        let mut world: Vec<Option<Matrix>> = vec![None; nodes.len()];
        let parents = parents(nodes);
        (0..nodes.len()).map(|node| position(&place(node, &local, &parents, &mut world))).collect()
    }

    fn sample(&self, sampler: &Value, is_rotation: bool, time: f64) -> Vec<f64> {
        let times: Vec<f64> = self.accessor(index(&sampler["input"])).into_iter().map(|t| t[0]).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "times rise");
        let values = self.accessor(index(&sampler["output"]));
        let kind = sampler["interpolation"].as_str().unwrap_or("LINEAR");
        let value = |key: usize, part: usize| {
            if kind == "CUBICSPLINE" { &values[3 * key + part] } else { &values[key] }
        };
        let after = times.iter().position(|&t| t > time).unwrap_or(times.len());
        if after == 0 || after == times.len() {
            return normalised(value(after.max(1) - 1, 1).clone(), is_rotation);
        }
        let (from, to, length) = (after - 1, after, times[after] - times[after - 1]);
        let t = (time - times[from]) / length;
        let mix = |weights: [f64; 4], parts: [&Vec<f64>; 4]| -> Vec<f64> {
            (0..parts[0].len())
                .map(|n| weights.iter().zip(parts).map(|(w, part)| w * part[n]).sum())
                .collect()
        };
        let (a, b) = (value(from, 1), value(to, 1));
        let value = match kind {
            "STEP" => a.clone(),
            "CUBICSPLINE" => {
                let (t2, t3) = (t * t, t * t * t);
                let weights = [
                    2.0 * t3 - 3.0 * t2 + 1.0,
                    length * (t3 - 2.0 * t2 + t),
                    3.0 * t2 - 2.0 * t3,
                    length * (t3 - t2),
                ];
                mix(weights, [a, value(from, 2), b, value(to, 0)])
            }
            _ if is_rotation => {
                let (a, b) = (&normalised(a.clone(), true), &normalised(b.clone(), true));
                let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let angle = acos(dot.abs().min(1.0));
                if angle < 1e-6 {
                    a.clone()
                } else {
                    let weights = [sin((1.0 - t) * angle), dot.signum() * sin(t * angle), 0.0, 0.0];
                    mix(weights, [a, b, a, a])
                }
            }
            _ => mix([1.0 - t, t, 0.0, 0.0], [a, b, a, a]),
        };
        normalised(value, is_rotation)
    }
}

fn parents(nodes: &[Value]) -> Vec<Option<usize>> {
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parents[index(child)] = Some(parent);
        }
    }
    parents
}

fn place(node: usize, local: &[Value], parents: &[Option<usize>], world: &mut [Option<Matrix>]) -> Matrix {
    if let Some(done) = world[node] {
        return done;
    }
    let own = matrix(&local[node]);
    let placed = match parents[node] {
        Some(parent) => product(&place(parent, local, parents, world), &own),
        None => own,
    };
    world[node] = Some(placed);
    placed
}

fn matrix(node: &Value) -> Matrix {
    let list = |key: &str, default: &[f64]| -> Vec<f64> {
        node.get(key).map_or(default.to_vec(), |list| {
            list.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect()
        })
    };
    if node.get("matrix").is_some() {
        let m = list("matrix", &[]);
        return core::array::from_fn(|row| core::array::from_fn(|column| m[4 * column + row]));
    }
    let (t, s) = (list("translation", &[0.0; 3]), list("scale", &[1.0; 3]));
    let q = normalised(list("rotation", &[0.0, 0.0, 0.0, 1.0]), true);
    let [x, y, z, w] = [q[0], q[1], q[2], q[3]];
    let r = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    core::array::from_fn(|row| match row {
        3 => [0.0, 0.0, 0.0, 1.0],
        _ => [r[row][0] * s[0], r[row][1] * s[1], r[row][2] * s[2], t[row]],
    })
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|row| core::array::from_fn(|column| (0..4).map(|n| a[row][n] * b[n][column]).sum()))
}

fn position(m: &Matrix) -> [f64; 3] {
    [m[0][3], m[1][3], m[2][3]]
}

fn normalised(value: Vec<f64>, is_rotation: bool) -> Vec<f64> {
    let length = if is_rotation { value.iter().map(|n| n * n).sum::<f64>().sqrt() } else { 1.0 };
    value.into_iter().map(|n| n / length).collect()
}

/// A number that is an index; 0 if it is missing.
fn index(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}

/// Decodes base64.
fn decode(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits = text.bytes().filter(|&byte| byte != b'=').flat_map(|byte| {
        let value = digits.iter().position(|&digit| digit == byte).unwrap();
        (0..6).rev().map(move |bit| value >> bit & 1)
    });
    let bits: Vec<usize> = bits.collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit) as u8).collect()
}

/// Encodes bytes as base64, three at a time.
pub fn encode(bytes: &[u8]) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    assert_eq!(bytes.len() % 3, 0);
    let four = |three: &[u8]| {
        let bits = usize::from(three[0]) << 16 | usize::from(three[1]) << 8 | usize::from(three[2]);
        [18, 12, 6, 0].map(|shift| char::from(digits[bits >> shift & 63]))
    };
    bytes.chunks(3).flat_map(four).collect()
}
