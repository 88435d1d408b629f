//! Writes a motion into the curves of an FBX file.
//!
//! `curves.rs` changes the curves of files since version 7000, and `takes.rs` those of version 6. A curve with a key at each
//! frame gets new values where they change. Any other curve gets a key at each frame, with automatic tangents. A property
//! without a curve gets one.

use std::collections::BTreeMap;

use surefoot_core::{Motion, Vec3};

use super::Fbx;
use super::curves::CurveWriter;
use super::records::{Changes, Records};
use super::takes::TakeWriter;
use crate::source::{MotionSource, WriteError, check_motion};
use crate::space::Space;

/// Distance of a key from a frame, in frames, that is rounding of the key's time.
const ON_FRAME: f64 = 0.02;
/// Change of a value, in the file's unit or degrees, that a float does not show.
const INVISIBLE: f64 = 1e-7;
/// First version whose objects have numbers and connections.
const CONNECTIONS_SINCE: u32 = 7000;
/// First version whose takes are written.
const TAKES_SINCE: u32 = 6000;

/// A property of a joint with its values at each frame.
pub(super) struct Edit {
    pub joint: usize,
    pub property: &'static str,
    pub values: Vec<Vec3>,
    pub captured: Vec<Vec3>,
}

impl Edit {
    /// Whether the value of an axis at a frame differs from the captured one.
    pub fn is_change(&self, frame: usize, axis: usize) -> bool {
        (self.values[frame][axis] - self.captured[frame][axis]).abs() > INVISIBLE
    }

    /// Whether an axis changes at any frame.
    pub fn changes(&self, axis: usize) -> bool {
        (0..self.values.len()).any(|frame| self.is_change(frame, axis))
    }
}

pub(super) fn write(file: &Fbx, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    check_motion(&file.scene.skeleton, motion)?;
    if motion.frames() == 0 {
        return Ok(file.bytes.clone());
    }
    if motion.frames() != file.frames() || motion.fps != file.scene.fps {
        return Err(WriteError::Refused(format!(
            "the motion has {} frames at {} per second, but the FBX file has {} at {}, and surefoot changes keys only: write \
             it as .glb or .bvh",
            motion.frames(),
            motion.fps,
            file.frames(),
            file.scene.fps
        )));
    }
    let edits = edits(file, motion, space)?;
    if edits.is_empty() {
        return Ok(file.bytes.clone());
    }
    let records = file.records()?;
    let changes = match file.has_takes() {
        true => changes_of_take(file, &records, &edits)?,
        false => changes_of_curves(file, &records, &edits)?,
    };
    Ok(records.write(&file.bytes, &changes))
}

fn changes_of_curves(file: &Fbx, records: &Records, edits: &[Edit]) -> Result<Changes, WriteError> {
    let mut writer = CurveWriter::new(file, records)?;
    edits.iter().try_for_each(|edit| writer.edit(edit))?;
    Ok(writer.changes)
}

fn changes_of_take(file: &Fbx, records: &Records, edits: &[Edit]) -> Result<Changes, WriteError> {
    let mut writer = TakeWriter::new(file, records)?;
    edits.iter().try_for_each(|edit| writer.edit(edit))?;
    Ok(writer.changes)
}

impl Fbx {
    /// The records of a file whose curves can be edited.
    pub(super) fn records(&self) -> Result<Records, WriteError> {
        let version = self.scene.version;
        if version < TAKES_SINCE {
            return Err(WriteError::Refused(format!(
                "it is an FBX file of version {version}, whose curves cannot be edited in place: write it as .glb or .bvh"
            )));
        }
        let records = Records::read(&self.bytes).map_err(|error| WriteError::Refused(error.0))?;
        Ok(Records { version, ..records })
    }

    /// Whether the curves are in takes, as before version 7000.
    pub(super) fn has_takes(&self) -> bool {
        self.scene.version < CONNECTIONS_SINCE
    }

    /// The time of a frame.
    pub(super) fn ticks(&self, frame: usize) -> i64 {
        ((self.scene.start + frame as f64 / self.scene.fps) * self.scene.ticks_per_second).round() as i64
    }

    /// Whether these are the times of the frames.
    pub(super) fn are_frames(&self, times: &[i64], frames: usize) -> bool {
        let frame_ticks = self.scene.ticks_per_second / self.scene.fps;
        let is_on = |(frame, &time): (usize, &i64)| {
            time.saturating_sub(self.ticks(frame)).saturating_abs() as f64 <= ON_FRAME * frame_ticks
        };
        times.len() == frames && times.iter().enumerate().all(is_on)
    }
}

fn edits(file: &Fbx, motion: &Motion, space: &Space) -> Result<Vec<Edit>, WriteError> {
    let scene = &file.scene;
    let mut moved: BTreeMap<(usize, bool), Edit> = BTreeMap::new();
    for (frame, pose) in motion.poses.iter().enumerate() {
        let captured = &scene.frames[frame];
        let (captured_pose, shapes) = file.pose(captured);
        let pose = space.pose_to_file(pose, &captured_pose);
        if pose == captured_pose {
            continue;
        }
        let mut nodes = captured.clone();
        scene.transforms.to_nodes(&pose, &captured_pose, shapes.as_deref(), &mut nodes);
        for (joint, (old, new)) in
            captured.iter().zip(&nodes).enumerate().filter(|(_, (old, new))| old != new)
        {
            let fbx = &scene.joints[joint];
            if !fbx.is_exact {
                let name = &scene.skeleton.joints()[joint].name;
                return Err(WriteError::Refused(format!(
                    "node {name:?}: its transform has parts that cannot be written, such as a scale that does not pass to \
                     its children"
                )));
            }
            let near = scene.rotations[frame][joint];
            let (old_translation, _) = fbx.values(old, near);
            let (translation, degrees) = fbx.values(new, near);
            let mut put = |is_rotation: bool, property, value: Vec3, of: &dyn Fn(usize) -> Vec3| {
                let start = || {
                    let captured: Vec<Vec3> = (0..motion.frames()).map(of).collect();
                    Edit { joint, property, values: captured.clone(), captured }
                };
                moved.entry((joint, is_rotation)).or_insert_with(start).values[frame] = value;
            };
            if new.rotation != old.rotation {
                put(true, "Lcl Rotation", degrees, &|frame| scene.rotations[frame][joint]);
            }
            if (translation - old_translation).abs().max_element() > INVISIBLE {
                let value = |frame: usize| fbx.values(&scene.frames[frame][joint], Vec3::ZERO).0;
                put(false, "Lcl Translation", translation, &value);
            }
        }
    }
    Ok(moved.into_values().collect())
}
