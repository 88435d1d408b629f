//! Writes a motion into copies of the arrays, changing only the numbers that differ.

use std::collections::BTreeMap;

use surefoot_core::{Motion, Pose, Vec3};

use super::Arrays;
use super::decode::PositionsKind;
use super::joint_orders::Place;
use super::npy::Header;
use crate::source::{WriteError, check_motion};
use crate::space::Space;

/// Relative change of an offset that is rounding and not stretch.
const RIGID: f64 = 1e-9;
/// Relative difference of two frame rates that a file may round.
const SAME_RATE: f64 = 1e-4;

/// The bytes of a file with its motion replaced.
pub(super) fn write(file: &Arrays, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    check_motion(&file.motion.skeleton, motion)?;
    let refused = |text: String| Err(WriteError::Refused(text));
    let (stated, wanted) = (file.rate.value, motion.fps);
    if (wanted / stated - 1.0).abs() > SAME_RATE {
        return refused(format!("the arrays have {stated} frames per second, but the motion has {wanted}"));
    }
    if let Some(other) = other_array_with_frames(file).filter(|_| motion.frames() != file.layout.frames) {
        let (frames, name) = (motion.frames(), other);
        let rows = file.layout.frames;
        return refused(format!(
            "the motion has {frames} frames, but the array {name:?}, whose meaning is not known, has {rows} rows"
        ));
    }
    let mut edit = Edit { file, arrays: BTreeMap::new(), frames: motion.frames() };
    let mut last = None;
    for (frame, pose) in motion.poses.iter().enumerate() {
        let Some(captured) = file.motion.poses.get(frame).or(file.motion.poses.last()) else { continue };
        if frame >= file.layout.frames {
            last = Some(frame);
        }
        let pose = space.pose_to_file(pose, captured);
        if pose != *captured {
            edit.frame(frame, &pose, captured)?;
        }
    }
    if last.is_some() || motion.frames() < file.layout.frames {
        edit.all_arrays()?;
    }
    edit.finish()
}

/// An array that is not part of the motion, but has a row for each frame.
fn other_array_with_frames(file: &Arrays) -> Option<&str> {
    let layout = &file.layout;
    let is_ours = |at: usize| {
        layout.root == Some(at)
            || layout.positions == Some(at)
            || layout.rotations.iter().any(|one| one.array == at)
    };
    let arrays = file.arrays.arrays.iter().enumerate();
    let mut others = arrays.filter(|(at, array)| {
        !is_ours(*at) && array.header.shape.len() > 1 && array.header.shape[0] == layout.frames
    });
    others.next().map(|(_, array)| array.name.as_str())
}

/// An array that is being changed.
struct EditedArray {
    /// The header and the bytes of the changed array.
    header: Header,
    npy: Vec<u8>,
    /// The captured numbers in C order; the last row is repeated for frames beyond them.
    captured: Vec<f64>,
    row: usize,
}

impl EditedArray {
    fn set(&mut self, frame: usize, at: usize, value: f64) {
        self.header.set(&mut self.npy, frame * self.row + at, value);
    }

    fn captured_row(&self, frame: usize) -> &[f64] {
        let last = (self.captured.len() / self.row.max(1)).saturating_sub(1);
        &self.captured[frame.min(last) * self.row..][..self.row]
    }

    /// Adds a change to a vector of a frame.
    fn add(&mut self, frame: usize, at: usize, change: Vec3) {
        for axis in 0..3 {
            if change[axis] != 0.0 {
                let value = self.captured_row(frame)[at + axis] + change[axis];
                self.set(frame, at + axis, value);
            }
        }
    }
}

struct Edit<'a> {
    file: &'a Arrays,
    arrays: BTreeMap<usize, EditedArray>,
    frames: usize,
}

impl Edit<'_> {
    /// The array for changes, copied from the file at the first one.
    fn array(&mut self, array: usize) -> Result<&mut EditedArray, WriteError> {
        if !self.arrays.contains_key(&array) {
            let edited = self.copy(array)?;
            self.arrays.insert(array, edited);
        }
        self.arrays.get_mut(&array).ok_or_else(|| WriteError::Refused("the array is missing".into()))
    }

    fn copy(&self, array: usize) -> Result<EditedArray, WriteError> {
        let Arrays { arrays, bytes, layout, .. } = self.file;
        let refused = |error: super::ArraysError| WriteError::Refused(error.to_string());
        let npy = arrays.npy(bytes, array).map_err(refused)?;
        let header = arrays.arrays[array].header.clone();
        let captured = header.numbers(&npy);
        let row = captured.len() / layout.frames.max(1);
        if self.frames == layout.frames {
            return Ok(EditedArray { header, npy, captured, row });
        }
        let mut npy = header.bytes_with_rows(layout.frames, self.frames);
        let header = Header::read(&npy).map_err(refused)?;
        npy.resize(header.start + self.frames * row * header.size, 0);
        let mut edited = EditedArray { header, npy, captured, row };
        for frame in 0..self.frames {
            for at in 0..row {
                let value = edited.captured_row(frame)[at];
                edited.set(frame, at, value);
            }
        }
        Ok(edited)
    }

    /// Takes all arrays of the motion, whose number of rows changes.
    fn all_arrays(&mut self) -> Result<(), WriteError> {
        let layout = &self.file.layout;
        let rotations = layout.rotations.iter().map(|one| one.array);
        for array in rotations.chain(layout.root).chain(layout.positions) {
            self.array(array)?;
        }
        Ok(())
    }

    fn frame(&mut self, frame: usize, pose: &Pose, captured: &Pose) -> Result<(), WriteError> {
        let file = self.file;
        for part in &file.layout.rotations {
            for (joint, at) in file.layout.joints_of(part) {
                let rotation = pose.rotations[joint];
                if rotation != captured.rotations[joint] {
                    let (array, width) = (self.array(part.array)?, part.form.width());
                    let near = array.captured_row(frame)[at * width..][..width].to_vec();
                    for (n, value) in part.form.encode(rotation, &near).into_iter().enumerate() {
                        array.set(frame, at * width + n, value);
                    }
                }
            }
        }
        if !file.layout.rotations.is_empty() {
            self.offsets(frame, pose, captured)?;
        }
        if file.positions == PositionsKind::World {
            self.world_positions(frame, pose, captured)?;
        }
        Ok(())
    }

    /// Writes the positions of joints within their parents, and of the root.
    fn offsets(&mut self, frame: usize, pose: &Pose, captured: &Pose) -> Result<(), WriteError> {
        let layout = &self.file.layout;
        for (joint, body) in layout.body.joints.iter().enumerate() {
            let change = pose.offsets[joint] - captured.offsets[joint];
            if change == Vec3::ZERO {
                continue;
            }
            let Place::Stored(at) = body.place else { continue };
            if let (PositionsKind::Local, Some(positions)) = (self.file.positions, layout.positions) {
                self.array(positions)?.add(frame, 3 * at, change);
            }
            match (joint, layout.root) {
                (0, Some(root)) => self.array(root)?.add(frame, 0, change),
                _ if self.file.positions == PositionsKind::Local => {}
                // The root of a file without its own array is in the world positions.
                (0, None) if self.file.positions == PositionsKind::World => {}
                (0, None) => {
                    let text = "the arrays have no position of the root, which the motion moves";
                    return Err(WriteError::Refused(text.into()));
                }
                _ if change.length() <= RIGID * (1.0 + captured.offsets[joint].length()) => {}
                _ => {
                    let name = &body.name;
                    return Err(WriteError::Refused(format!(
                        "frame {frame}: the motion moves joint {name:?} within its parent, but the bones of the arrays \
                         keep their length: clean with `stretch` 0"
                    )));
                }
            }
        }
        Ok(())
    }

    fn world_positions(&mut self, frame: usize, pose: &Pose, captured: &Pose) -> Result<(), WriteError> {
        let Some(positions) = self.file.layout.positions else { return Ok(()) };
        let skeleton = &self.file.motion.skeleton;
        let (after, before) = (pose.world(skeleton), captured.world(skeleton));
        let file = self.file;
        for (joint, body) in file.layout.body.joints.iter().enumerate() {
            let change = after.positions[joint] - before.positions[joint];
            if let Place::Stored(at) = body.place {
                self.array(positions)?.add(frame, 3 * at, change);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, WriteError> {
        let Arrays { arrays, bytes, .. } = self.file;
        let changes = self.arrays.into_iter().map(|(array, edited)| (array, edited.npy)).collect();
        let too_large = || WriteError::Refused("the archive would get too large for its headers".into());
        arrays.replace(bytes, changes).ok_or_else(too_large)
    }
}
