//! Writes a motion as new arrays: a `.npz` file with rotations, skeleton and positions, or a `.npy` file of positions.

use surefoot_core::{Motion, Vec3};

use super::npy::header_bytes;
use crate::source::{WriteError, check_motion};
use crate::zip::new_archive;

/// Writes a motion, in metres, Y up, as a new `.npz` file.
///
/// It has `rotations` (frames, joints, 4) as quaternions with the real part first, `root_positions` (frames, 3),
/// `positions` (frames, joints, 3) in the world, `offsets` (joints, 3), `parents`, `names` and `fps`. A motion whose joints
/// move within their parents has `local_positions` (frames, joints, 3) instead of `positions`.
pub fn npz_from_motion(motion: &Motion) -> Result<Vec<u8>, WriteError> {
    check(motion)?;
    let joints = motion.skeleton.joints();
    let (frames, count) = (motion.frames(), joints.len());
    let rotations =
        motion.poses.iter().flat_map(|pose| pose.rotations.iter().flat_map(|q| [q.w, q.x, q.y, q.z]));
    let moves = |pose: &surefoot_core::Pose| {
        joints
            .iter()
            .zip(&pose.offsets)
            .any(|(joint, offset)| joint.parent.is_some() && joint.offset != *offset)
    };
    let (name, positions) = match motion.poses.iter().any(moves) {
        true => ("local_positions", vectors(motion.poses.iter().flat_map(|pose| &pose.offsets))),
        false => ("positions", world_positions(motion)),
    };
    let parents = joints.iter().map(|joint| joint.parent.map_or(-1, |parent| parent.0 as i32));
    let letters = joints.iter().map(|joint| joint.name.chars().count()).max().unwrap_or(0).max(1);
    let name_bytes = joints.iter().flat_map(|joint| {
        let padding = core::iter::repeat('\0');
        joint.name.chars().chain(padding).take(letters).flat_map(|letter| (letter as u32).to_le_bytes())
    });
    let roots = vectors(motion.poses.iter().filter_map(|pose| pose.offsets.first()));
    let files = [
        ("rotations", array("<f4", &[frames, count, 4], floats(rotations))),
        ("root_positions", array("<f4", &[frames, 3], roots)),
        (name, array("<f4", &[frames, count, 3], positions)),
        ("offsets", array("<f4", &[count, 3], vectors(joints.iter().map(|joint| &joint.offset)))),
        ("parents", array("<i4", &[count], parents.flat_map(i32::to_le_bytes).collect())),
        ("names", array(&format!("<U{letters}"), &[count], name_bytes.collect())),
        ("fps", array("<f8", &[], motion.fps.to_le_bytes().to_vec())),
    ];
    Ok(new_archive(&files.map(|(name, npy)| (format!("{name}.npy"), npy))))
}

/// Writes the joint positions of a motion, in metres, Y up, as a new `.npy` file (frames, joints, 3).
pub fn npy_from_motion(motion: &Motion) -> Result<Vec<u8>, WriteError> {
    check(motion)?;
    Ok(array("<f4", &[motion.frames(), motion.skeleton.len(), 3], world_positions(motion)))
}

fn check(motion: &Motion) -> Result<(), WriteError> {
    check_motion(&motion.skeleton, motion)?;
    if motion.frames() == 0 || motion.skeleton.is_empty() {
        return Err(WriteError::Refused("arrays need a joint and a frame".into()));
    }
    // The headers of the archive have sizes of 32 bits.
    let bytes = motion.frames().saturating_mul(motion.skeleton.len()).saturating_mul(28);
    match bytes < u32::MAX as usize {
        true => Ok(()),
        false => {
            Err(WriteError::Refused(format!("the arrays would have {bytes} bytes, expected less than 4 GiB")))
        }
    }
}

fn array(descr: &str, shape: &[usize], data: Vec<u8>) -> Vec<u8> {
    let mut npy = header_bytes(descr, false, shape);
    npy.extend(data);
    npy
}

fn floats(numbers: impl Iterator<Item = f64>) -> Vec<u8> {
    numbers.flat_map(|number| (number as f32).to_le_bytes()).collect()
}

fn vectors<'a>(vectors: impl Iterator<Item = &'a Vec3>) -> Vec<u8> {
    floats(vectors.flat_map(|vector| vector.to_array()))
}

fn world_positions(motion: &Motion) -> Vec<u8> {
    let worlds = motion.poses.iter().map(|pose| pose.world(&motion.skeleton));
    worlds.flat_map(|world| vectors(world.positions.iter())).collect()
}
