//! Writes a motion into the text of its `.amc` file, changing only the numbers that differ.

use surefoot_core::{Motion, Pose};

use super::Acclaim;
use super::fit::Fit;
use super::skeleton::Freedom;
use super::words::Lines;
use crate::bvh::fixed6;
use crate::source::{WriteError, check_motion};
use crate::space::Space;

/// Change of a number that six decimals do not show.
const INVISIBLE: f64 = 5e-7;
/// Relative change of an offset that is rounding and not stretch: that of floats, in which other formats store it.
const RIGID: f64 = 1e-6;

/// The bytes of a file with its motion replaced.
pub(super) fn write(file: &Acclaim, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    check_motion(&file.skeleton.skeleton, motion)?;
    let mut out = Vec::with_capacity(file.text.len() + file.text.len() / 8);
    let start = file.table.spans.first().map_or(file.text.len(), |span| span.start);
    out.extend_from_slice(&file.text[..start]);
    let mut last = vec![0.0; file.table.columns.last().map_or(0, |last| last.end)];
    for (frame, pose) in motion.poses.iter().enumerate() {
        let is_captured = frame < file.table.frames;
        let captured_row = if is_captured { file.table.row(frame).to_vec() } else { last };
        let row = edited_row(file, frame, pose, &captured_row, space)?;
        match is_captured {
            true => copy_frame(file, frame, &row, &mut out),
            false => add_frame(file, frame, &row, &mut out),
        }
        last = row;
    }
    // What follows the last frame, such as a comment, belongs to its span.
    Ok(out)
}

/// The numbers of a frame with another pose.
fn edited_row(
    file: &Acclaim,
    frame: usize,
    pose: &Pose,
    captured_row: &[f64],
    space: &Space,
) -> Result<Vec<f64>, WriteError> {
    let mut row = captured_row.to_vec();
    let captured = file.pose_of_row(captured_row);
    let pose = space.pose_to_file(pose, &captured);
    if pose == captured {
        return Ok(row);
    }
    for (bone, columns) in file.table.columns.iter().enumerate() {
        let change = pose.offsets[bone] - captured.offsets[bone];
        let mut left = change;
        for (column, freedom) in columns.clone().zip(&file.skeleton.bones[bone].freedoms) {
            if let Freedom::Translation(axis) = freedom {
                row[column] += change[*axis];
                left[*axis] = 0.0;
            }
        }
        if left.length() > RIGID * (1.0 + captured.offsets[bone].length()) {
            let name = &file.skeleton.bones[bone].name;
            return Err(WriteError::Refused(format!(
                "frame {frame}: the motion moves bone {name:?} within its parent, but bones of an Acclaim file keep their \
                 length: clean with `stretch` 0"
            )));
        }
    }
    let is_changed: Vec<bool> =
        pose.rotations.iter().zip(&captured.rotations).map(|(new, old)| new != old).collect();
    let (skeleton, columns) = (&file.skeleton, &file.table.columns);
    Fit { skeleton, columns, radians: file.radians(), pose: &pose, is_changed: &is_changed }.solve(&mut row);
    Ok(row)
}

/// Copies the text of a frame with the numbers that differ replaced.
fn copy_frame(file: &Acclaim, frame: usize, row: &[f64], out: &mut Vec<u8>) {
    let span = file.table.spans[frame].clone();
    let captured = file.table.row(frame);
    let is_new = |column: usize| (row[column] - captured[column]).abs() > INVISIBLE;
    let text = &file.text[span];
    if !(0..row.len()).any(is_new) {
        return out.extend_from_slice(text);
    }
    let mut lines = Lines::new(text);
    let (mut words, mut copied) = (Vec::new(), 0);
    while lines.next(&mut words) {
        let name = String::from_utf8_lossy(&text[words[0].clone()]);
        let bone = file.skeleton.bones.iter().position(|bone| bone.name == name);
        let Some(bone) = bone.filter(|_| words.len() > 1) else { continue };
        for (word, column) in words[1..].iter().zip(file.table.columns[bone].clone()) {
            if is_new(column) {
                out.extend_from_slice(&text[copied..word.start]);
                fixed6(row[column], out);
                copied = word.end;
            }
        }
    }
    out.extend_from_slice(&text[copied..]);
}

/// Adds a frame after all others, with its bones in the order of the skeleton.
fn add_frame(file: &Acclaim, frame: usize, row: &[f64], out: &mut Vec<u8>) {
    let newline: &[u8] =
        if file.text.windows(2).take(4096).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
    if !out.ends_with(b"\n") {
        out.extend_from_slice(newline);
    }
    out.extend_from_slice((frame + 1).to_string().as_bytes());
    out.extend_from_slice(newline);
    for (bone, columns) in file.skeleton.bones.iter().zip(&file.table.columns) {
        if columns.is_empty() {
            continue;
        }
        out.extend_from_slice(bone.name.as_bytes());
        for column in columns.clone() {
            out.push(b' ');
            fixed6(row[column], out);
        }
        out.extend_from_slice(newline);
    }
}
