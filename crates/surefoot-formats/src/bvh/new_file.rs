//! Writes a motion as a new BVH file: a text without frames, to which `write.rs` adds them all.

use surefoot_core::{JointId, Motion, Pose, Skeleton, Vec3};

use super::Bvh;
use super::fixed6::fixed6;
use crate::source::{WriteError, check_motion};
use crate::space::Space;

/// Writes a motion as a new BVH file in the unit and axes of `space`.
pub fn from_motion(motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    let (mut text, order) = skeleton_text(&motion.skeleton, space);
    text.extend_from_slice(format!("MOTION\nFrames: 0\nFrame Time: {:.9}\n", 1.0 / motion.fps).as_bytes());
    let expected = motion.skeleton.len();
    let empty = match Bvh::read(text) {
        Ok(empty) if empty.skeleton.len() == expected => empty,
        // A skeleton without joints, or with offsets beyond the largest number, cannot be read.
        _ => {
            return Err(WriteError::OtherSkeleton { found: expected, expected: 0 });
        }
    };
    if order.iter().copied().eq(motion.skeleton.ids()) {
        return empty.write(motion, space);
    }
    let in_order = |pose: &Pose| Pose {
        offsets: order.iter().map(|joint| pose.offsets[joint.index()]).collect(),
        rotations: order.iter().map(|joint| pose.rotations[joint.index()]).collect(),
    };
    check_motion(&empty.skeleton, motion)?;
    let poses = motion.poses.iter().map(in_order).collect();
    empty.write(&Motion { skeleton: empty.skeleton.clone(), fps: motion.fps, poses }, space)
}

/// The `HIERARCHY` section of a skeleton and the order of its joints in it, which is depth first.
fn skeleton_text(skeleton: &Skeleton, space: &Space) -> (Vec<u8>, Vec<JointId>) {
    let mut out = b"HIERARCHY\n".to_vec();
    let mut order = Vec::with_capacity(skeleton.len());
    let mut children = vec![Vec::new(); skeleton.len()];
    for joint in skeleton.ids() {
        if let Some(parent) = skeleton.parent(joint) {
            children[parent.index()].push(joint);
        }
    }
    let roots = skeleton.ids().filter(|&joint| skeleton.parent(joint).is_none());
    // A stack of joints with their depth: to open (true) or to close (false).
    let mut todo: Vec<(JointId, usize, bool)> = roots.map(|root| (root, 0, true)).collect();
    todo.reverse();
    while let Some((joint, depth, opens)) = todo.pop() {
        if !opens {
            line(&mut out, depth, "}");
            continue;
        }
        order.push(joint);
        let ends_here = children[joint.index()].is_empty();
        open_joint(&mut out, skeleton, space, joint, depth, ends_here);
        todo.push((joint, depth, false));
        todo.extend(children[joint.index()].iter().rev().map(|&child| (child, depth + 1, true)));
    }
    (out, order)
}

/// Opens a joint's block, with six channels for a root and three for every other joint.
fn open_joint(
    out: &mut Vec<u8>,
    skeleton: &Skeleton,
    space: &Space,
    id: JointId,
    depth: usize,
    ends_here: bool,
) {
    let joint = skeleton.joint(id);
    let name: String =
        joint.name.chars().map(|c| if c.is_control() || "{}".contains(c) { '_' } else { c }).collect();
    let (word, channels) = match joint.parent {
        None => ("ROOT", "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"),
        Some(_) => ("JOINT", "CHANNELS 3 Zrotation Xrotation Yrotation"),
    };
    line(out, depth, &format!("{word} {name}"));
    line(out, depth, "{");
    offset_line(out, depth + 1, space.position_to_file(joint.offset));
    line(out, depth + 1, channels);
    if joint.end.is_some() || ends_here {
        line(out, depth + 1, "End Site");
        line(out, depth + 1, "{");
        offset_line(out, depth + 2, space.position_to_file(joint.end.unwrap_or(Vec3::ZERO)));
        line(out, depth + 1, "}");
    }
}

fn line(out: &mut Vec<u8>, depth: usize, text: &str) {
    /// Deepest indentation: in a chain of a thousand joints it would exceed the text itself.
    const DEEPEST: usize = 64;
    out.extend(core::iter::repeat_n(b'\t', depth.min(DEEPEST)));
    out.extend_from_slice(text.as_bytes());
    out.push(b'\n');
}

fn offset_line(out: &mut Vec<u8>, depth: usize, offset: Vec3) {
    let mut text = b"OFFSET".to_vec();
    for value in offset.to_array() {
        text.push(b' ');
        fixed6(value, &mut text);
    }
    line(out, depth, &String::from_utf8_lossy(&text));
}
