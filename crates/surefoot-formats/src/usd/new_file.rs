//! Writes a motion as a new `.usda` file: a skeleton and its animation, without a mesh.

use core::fmt::Write;
use std::collections::HashSet;

use surefoot_core::{Motion, Skeleton, Vec3};

use crate::source::{WriteError, check_motion};

/// Writes a motion, in metres, Y up, as a new `.usda` file with one sample for each frame.
pub fn from_motion(motion: &Motion) -> Result<Vec<u8>, WriteError> {
    check_motion(&motion.skeleton, motion)?;
    if motion.frames() == 0 || motion.skeleton.is_empty() {
        return Err(WriteError::Refused("a USD file needs a joint and a frame".into()));
    }
    let (fps, last) = (motion.fps, motion.frames() - 1);
    let paths = joint_paths(&motion.skeleton);
    let joints = list(paths.iter().map(|path| format!("\"{path}\"")));
    let (rest, bind) = transforms(&motion.skeleton);
    let mut text = format!(
        "#usda 1.0\n(\n    defaultPrim = \"Character\"\n    endTimeCode = {last}\n    framesPerSecond = {fps}\n    \
         metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {fps}\n    upAxis = \"Y\"\n)\n\n\
         def SkelRoot \"Character\"\n{{\n    def Skeleton \"Skeleton\" (\n        \
         prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {{\n        \
         uniform matrix4d[] bindTransforms = {bind}\n        uniform token[] joints = {joints}\n        \
         uniform matrix4d[] restTransforms = {rest}\n        \
         rel skel:animationSource = </Character/Skeleton/Motion>\n\n        \
         def SkelAnimation \"Motion\"\n        {{\n            uniform token[] joints = {joints}\n"
    );
    // Of the two signs of a rotation, the one that is nearer to the frame before: not all readers take the shorter way.
    let mut previous = motion.poses[0].rotations.clone();
    samples(&mut text, motion, "quatf[] rotations", |frame, joint| {
        let own = motion.poses[frame].rotations[joint];
        let q = if own.dot(previous[joint]) < 0.0 { -own } else { own };
        previous[joint] = q;
        format!("({}, {}, {}, {})", q.w as f32, q.x as f32, q.y as f32, q.z as f32)
    });
    let ones = list((0..paths.len()).map(|_| "(1, 1, 1)".into()));
    let _ = writeln!(text, "            half3[] scales = {ones}");
    samples(&mut text, motion, "float3[] translations", |frame, joint| {
        tuple(motion.poses[frame].offsets[joint])
    });
    text.push_str("        }\n    }\n}\n");
    Ok(text.into_bytes())
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn tuple(v: Vec3) -> String {
    format!("({}, {}, {})", v.x as f32, v.y as f32, v.z as f32)
}

fn samples(text: &mut String, motion: &Motion, name: &str, mut value: impl FnMut(usize, usize) -> String) {
    let _ = writeln!(text, "            {name}.timeSamples = {{");
    for frame in 0..motion.frames() {
        let values = list((0..motion.skeleton.len()).map(|joint| value(frame, joint)));
        let _ = writeln!(text, "                {frame}: {values},");
    }
    text.push_str("            }\n");
}

/// The paths of the joints: `Hips/LeftUpLeg`. Names are those of prims: letters, digits and underscores.
fn joint_paths(skeleton: &Skeleton) -> Vec<String> {
    let mut paths: Vec<String> = Vec::with_capacity(skeleton.len());
    let mut taken = HashSet::new();
    for joint in skeleton.joints() {
        let letter = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
        let mut name: String = joint.name.chars().map(letter).collect();
        if name.starts_with(|first: char| first.is_ascii_digit()) || name.is_empty() {
            name.insert(0, '_');
        }
        let above = joint.parent.map_or(String::new(), |parent| format!("{}/", paths[parent.index()]));
        let mut path = format!("{above}{name}");
        while !taken.insert(path.clone()) {
            path.push('_');
        }
        paths.push(path);
    }
    paths
}

/// The matrices of the rest pose, each relative to its parent, and in the world.
fn transforms(skeleton: &Skeleton) -> (String, String) {
    let matrix =
        |v: Vec3| format!("( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), ({}, {}, {}, 1) )", v.x, v.y, v.z);
    let mut world: Vec<Vec3> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        world.push(joint.parent.map_or(Vec3::ZERO, |parent| world[parent.index()]) + joint.offset);
    }
    let rest = list(skeleton.joints().iter().map(|joint| matrix(joint.offset)));
    (rest, list(world.into_iter().map(matrix)))
}
