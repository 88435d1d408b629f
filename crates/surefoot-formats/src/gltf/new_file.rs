//! Writes a motion as a new `.glb` file: a node for each joint and one animation, without a mesh.

use core::fmt::Write;

use surefoot_core::{Motion, Skeleton, Vec3};

use crate::json::quoted;
use crate::source::{WriteError, check_motion};

/// Writes a motion, in metres, Y up, as a new `.glb` file.
///
/// The joints are those of a skin without a mesh, so that programs import them as bones. Bones that keep their length
/// have no translation track.
pub fn from_motion(motion: &Motion) -> Result<Vec<u8>, WriteError> {
    check_motion(&motion.skeleton, motion)?;
    if motion.frames() == 0 || motion.skeleton.is_empty() {
        return Err(WriteError::Refused("a glTF file needs a joint and a frame".into()));
    }
    let mut file = NewFile::default();
    let times: Vec<f32> = (0..motion.frames()).map(|frame| (frame as f64 / motion.fps) as f32).collect();
    let input = file.accessor("SCALAR", 1, &times);
    for joint in 0..motion.skeleton.len() {
        let rotations = motion.poses.iter().map(|pose| pose.rotations[joint]);
        let mut previous = motion.poses[0].rotations[joint];
        let near = rotations.map(|q| {
            previous = if q.dot(previous) < 0.0 { -q } else { q };
            previous
        });
        let values: Vec<f32> = near.flat_map(|q| q.to_array()).map(|number| number as f32).collect();
        file.track(joint, "rotation", input, &values);
        let rest = motion.skeleton.joints()[joint].offset;
        if motion.poses.iter().any(|pose| pose.offsets[joint] != rest) {
            let values = motion.poses.iter().flat_map(|pose| pose.offsets[joint].to_array());
            let values: Vec<f32> = values.map(|number| number as f32).collect();
            file.track(joint, "translation", input, &values);
        }
    }
    Ok(file.finish(&motion.skeleton))
}

/// A file in the making.
#[derive(Default)]
struct NewFile {
    buffer: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    samplers: Vec<String>,
    channels: Vec<String>,
}

impl NewFile {
    fn accessor(&mut self, kind: &str, components: usize, values: &[f32]) -> usize {
        let (offset, length, view) = (self.buffer.len(), 4 * values.len(), self.views.len());
        self.buffer.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.views.push(format!("{{\"buffer\":0,\"byteOffset\":{offset},\"byteLength\":{length}}}"));
        let count = values.len() / components;
        let mut text =
            format!("{{\"bufferView\":{view},\"componentType\":5126,\"count\":{count},\"type\":\"{kind}\"");
        if let ("SCALAR", Some(first), Some(last)) = (kind, values.first(), values.last()) {
            let _ = write!(text, ",\"min\":[{first}],\"max\":[{last}]");
        }
        self.accessors.push(text + "}");
        self.accessors.len() - 1
    }

    fn track(&mut self, node: usize, path: &str, input: usize, values: &[f32]) {
        let (kind, components) = if path == "rotation" { ("VEC4", 4) } else { ("VEC3", 3) };
        let output = self.accessor(kind, components, values);
        let sampler = self.samplers.len();
        self.samplers.push(format!("{{\"input\":{input},\"output\":{output}}}"));
        let target = format!("{{\"node\":{node},\"path\":\"{path}\"}}");
        self.channels.push(format!("{{\"sampler\":{sampler},\"target\":{target}}}"));
    }

    fn finish(self, skeleton: &Skeleton) -> Vec<u8> {
        let Self { buffer, views, accessors, samplers, channels } = self;
        let (nodes, roots) = nodes(skeleton);
        let joints: Vec<String> = (0..skeleton.len()).map(|joint| joint.to_string()).collect();
        let mut json = format!(
            "{{\"asset\":{{\"version\":\"2.0\",\"generator\":\"surefoot\"}},\"scene\":0,\
             \"scenes\":[{{\"nodes\":[{}]}}],\"nodes\":[{}],\"skins\":[{{\"joints\":[{}]}}],\
             \"animations\":[{{\"name\":\"motion\",\"samplers\":[{}],\"channels\":[{}]}}],\
             \"accessors\":[{}],\"bufferViews\":[{}],\"buffers\":[{{\"byteLength\":{}}}]}}",
            roots.join(","),
            nodes.join(","),
            joints.join(","),
            samplers.join(","),
            channels.join(","),
            accessors.join(","),
            views.join(","),
            buffer.len()
        )
        .into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
        for (kind, content) in [(b"JSON", &json), (b"BIN\0", &buffer)] {
            bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
            bytes.extend_from_slice(kind);
            bytes.extend_from_slice(content);
        }
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    }
}

/// The text of each node, and the indices of the roots. End sites are nodes after all joints.
fn nodes(skeleton: &Skeleton) -> (Vec<String>, Vec<String>) {
    let mut children = vec![Vec::new(); skeleton.len()];
    let mut roots = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        match joint.parent {
            Some(parent) => children[parent.index()].push(index.to_string()),
            None => roots.push(index.to_string()),
        }
    }
    let mut ends = Vec::new();
    for (joint, children) in skeleton.joints().iter().zip(&mut children) {
        if let Some(end) = joint.end {
            children.push((skeleton.len() + ends.len()).to_string());
            ends.push(node(&format!("{}_end", joint.name), end, &[]));
        }
    }
    let joints = skeleton.joints().iter().zip(&children);
    let joints = joints.map(|(joint, children)| node(&joint.name, joint.offset, children));
    (joints.chain(ends).collect(), roots)
}

fn node(name: &str, offset: Vec3, children: &[String]) -> String {
    let offset = offset.to_array().map(|number| (number as f32).to_string()).join(",");
    let children = match children.is_empty() {
        true => String::new(),
        false => format!(",\"children\":[{}]", children.join(",")),
    };
    format!("{{\"name\":{},\"translation\":[{offset}]{children}}}", quoted(name))
}
