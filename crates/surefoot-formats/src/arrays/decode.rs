//! Poses from the numbers of arrays.

use surefoot_core::{Pose, Quat, Skeleton, Vec3};

use super::array_file::ArrayFile;
use super::error::ArraysError;
use super::joint_orders::Place;
use super::layout::Layout;
use super::position_poses::{self, PositionPoses, positions_in_row};

/// What an array of joint positions holds beside rotations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PositionsKind {
    /// The file has none, or none that fits its rotations.
    #[default]
    None,
    /// Positions in the world.
    World,
    /// Positions within the parents: offsets that may change from frame to frame.
    Local,
}

/// The motion that arrays hold, in the file's unit and axes.
pub(super) struct Decoded {
    pub skeleton: Skeleton,
    pub poses: Vec<Pose>,
    pub positions: PositionsKind,
    pub notes: Vec<String>,
}

/// Reads the poses.
pub(super) fn decode(
    file: &ArrayFile,
    bytes: &[u8],
    layout: &Layout,
    fps: f64,
) -> Result<Decoded, ArraysError> {
    let numbers = |array: usize, width: usize| finite_numbers(file, bytes, array, width);
    let positions = layout.positions.map(|array| numbers(array, 3)).transpose()?;
    match positions {
        Some(positions) if layout.rotations.is_empty() => Ok(of_positions(layout, &positions, fps)),
        positions => of_rotations(file, bytes, layout, positions),
    }
}

/// The numbers of an array, which must be finite. Errors name the frame and the joint.
fn finite_numbers(
    file: &ArrayFile,
    bytes: &[u8],
    array: usize,
    width: usize,
) -> Result<Vec<f64>, ArraysError> {
    let numbers = file.numbers(bytes, array)?;
    let Some(at) = numbers.iter().position(|number| !number.is_finite()) else { return Ok(numbers) };
    let info = &file.arrays[array];
    // One row per frame: the array has as many numbers per row as the rest of its shape.
    let row = info.shape_of(2)[1..].iter().product::<usize>().max(1);
    let (frame, joint) = (at / row, at % row / width);
    let text = format!("frame {frame}, joint {joint}: found {}, expected a finite number", numbers[at]);
    Err(ArraysError(text).in_array(&info.name))
}

fn of_positions(layout: &Layout, numbers: &[f64], fps: f64) -> Decoded {
    let row = numbers.len() / layout.frames.max(1);
    let rows = numbers.chunks_exact(row.max(1)).take(layout.frames);
    let frames: Vec<Vec<Vec3>> = rows.map(|row| positions_in_row(&layout.body, row)).collect();
    let PositionPoses { offsets, poses } = position_poses::poses(&layout.body, &frames, fps);
    let skeleton = layout.body.skeleton(&offsets);
    Decoded { skeleton, poses, positions: PositionsKind::World, notes: Vec::new() }
}

fn of_rotations(
    file: &ArrayFile,
    bytes: &[u8],
    layout: &Layout,
    positions: Option<Vec<f64>>,
) -> Result<Decoded, ArraysError> {
    let Layout { body, frames, .. } = layout;
    let mut offsets: Vec<Vec3> = body.joints.iter().map(|joint| joint.offset).collect();
    let rotations = vec![Quat::IDENTITY; body.joints.len()];
    let mut poses = vec![Pose { offsets: offsets.clone(), rotations }; *frames];
    read_rotations(file, bytes, layout, &mut poses)?;
    if let Some(root) = layout.root {
        let numbers = finite_numbers(file, bytes, root, 3)?;
        let base = if layout.root_from_rest { offsets[0] } else { Vec3::ZERO };
        for (pose, row) in poses.iter_mut().zip(numbers.chunks_exact(3)) {
            pose.offsets[0] = base + Vec3::from_slice(row);
        }
    }
    let mut decoded = Decoded {
        skeleton: body.skeleton(&offsets),
        poses,
        positions: PositionsKind::None,
        notes: Vec::new(),
    };
    if let Some(numbers) = positions {
        read_positions(layout, &numbers, &mut decoded, &mut offsets);
        decoded.skeleton = body.skeleton(&offsets);
    }
    Ok(decoded)
}

fn read_rotations(
    file: &ArrayFile,
    bytes: &[u8],
    layout: &Layout,
    poses: &mut [Pose],
) -> Result<(), ArraysError> {
    let mut is_read = vec![false; layout.body.joints.len()];
    for part in &layout.rotations {
        let width = part.form.width();
        let numbers = finite_numbers(file, bytes, part.array, width)?;
        for (joint, at) in layout.joints_of(part) {
            if core::mem::replace(&mut is_read[joint], true) {
                continue;
            }
            for (frame, pose) in poses.iter_mut().enumerate() {
                let from = (frame * part.count + at) * width;
                pose.rotations[joint] = part.form.decode(&numbers[from..from + width]);
            }
        }
    }
    Ok(())
}

impl Layout {
    /// The joints of the body in an array of rotations, each with its place in a row.
    pub fn joints_of(&self, part: &super::layout::RotationArray) -> impl Iterator<Item = (usize, usize)> {
        let range = part.first..part.first + part.count;
        let used = self.used;
        let first = part.first;
        self.body.joints.iter().enumerate().filter_map(move |(joint, body)| match body.place {
            Place::Stored(at) if at < used && range.contains(&at) => Some((joint, at - first)),
            _ => None,
        })
    }
}

/// Uses positions beside rotations: as offsets if they lie within the parents, or as a copy of the world positions.
fn read_positions(layout: &Layout, numbers: &[f64], decoded: &mut Decoded, offsets: &mut [Vec3]) {
    let Layout { body, frames, .. } = layout;
    let row = numbers.len() / (*frames).max(1);
    let rows: Vec<Vec<Vec3>> =
        numbers.chunks_exact(row.max(1)).take(*frames).map(|row| positions_in_row(body, row)).collect();
    let (Some(first), false) = (rows.first(), rows.len() < *frames) else { return };
    // A frame in the middle differs from the first where a body moves.
    let checked = [0, rows.len() / 2];
    let error = |place: &dyn Fn(usize, usize) -> Vec3| -> f64 {
        let joints = (1..body.joints.len()).flat_map(|joint| checked.map(|frame| (frame, joint)));
        joints.map(|(frame, joint)| rows[frame][joint].distance(place(frame, joint))).fold(0.0, f64::max)
    };
    let local = match body.has_lengths {
        true => error(&|_, joint| offsets[joint]),
        false => error(&|_, joint| first[joint]),
    };
    if layout.root.is_none() {
        decoded.poses.iter_mut().zip(&rows).for_each(|(pose, row)| pose.offsets[0] = row[0]);
    }
    let worlds = checked.map(|frame| decoded.poses[frame].world(&decoded.skeleton));
    let world = error(&|frame, joint| worlds[usize::from(frame != 0)].positions[joint]);
    let size = offsets.iter().skip(1).map(|offset| offset.length()).sum::<f64>();
    if !body.has_lengths || local <= world && local < 0.05 * size {
        decoded.positions = PositionsKind::Local;
        for (pose, row) in decoded.poses.iter_mut().zip(&rows) {
            pose.offsets[1..].copy_from_slice(&row[1..]);
        }
        if !body.has_lengths {
            offsets[1..].copy_from_slice(&first[1..]);
        }
    } else if world < 0.05 * size {
        decoded.positions = PositionsKind::World;
    } else {
        decoded
            .notes
            .push("the joint positions beside the rotations do not fit them and stay as they are".into());
    }
}
