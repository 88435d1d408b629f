//! Finds the tracks that a motion changes, and writes them.

use surefoot_core::{Motion, Pose};

use super::Gltf;
use super::frame_times::FrameTimes;
use super::new_keys::{keys_at_frames, keys_in_place, rebuilt_keys};
use super::splice::Splice;
use super::track::{Interpolation, Path, Value};
use crate::node_transforms::NodeTransform;
use crate::source::{MotionSource, WriteError, check_motion};
use crate::space::Space;

/// A property of a joint with new values.
struct Edit {
    joint: usize,
    path: Path,
    /// The new value at each frame; `None` where it is as captured.
    values: Vec<Option<Value>>,
}

/// The bytes of a file with its motion replaced.
pub(super) fn write(file: &Gltf, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    check_motion(&file.rig.skeleton, motion)?;
    let frames = motion.frames();
    if frames == 0 {
        // A track needs a key. The motion that replaces this one brings its own.
        return Ok(file.bytes.clone());
    }
    let is_retimed = frames != file.frames() || motion.fps != file.times.rate.value;
    let times = if is_retimed { file.times.with_frames(frames, motion.fps) } else { file.times.clone() };
    let edits = edits(file, motion, space, is_retimed);
    if edits.is_empty() {
        return Ok(file.bytes.clone());
    }
    let Some(animation) = file.animation else {
        return Err(WriteError::Refused(
            "the file has no animation that the motion could be written into".into(),
        ));
    };
    let mut splice = Splice::new(file, animation);
    for edit in &edits {
        write_track(file, &mut splice, edit, &times, is_retimed)?;
    }
    splice.finish()
}

/// The properties that a motion changes. Of a motion with other frames, all properties that have a track.
fn edits(file: &Gltf, motion: &Motion, space: &Space, is_retimed: bool) -> Vec<Edit> {
    let (count, frames) = (file.rig.joints.len(), motion.frames());
    let mut values: Vec<[Option<Vec<Option<Value>>>; 3]> = vec![Default::default(); count];
    for (frame, pose) in motion.poses.iter().enumerate() {
        let captured = file.nodes(frame.min(file.frames() - 1));
        let nodes = edited_nodes(file, pose, &captured, space);
        for (joint, (old, new)) in captured.iter().zip(&nodes).enumerate() {
            let all = |path: Path| is_retimed && file.rig.joints[joint].tracks[path as usize].is_some();
            let mut put = |path: Path, is_changed: bool, value: Value| {
                if is_changed || all(path) {
                    values[joint][path as usize].get_or_insert_with(|| vec![None; frames])[frame] =
                        Some(value);
                }
            };
            put(Path::Translation, new.translation != old.translation, vector_value(new.translation));
            put(Path::Rotation, new.rotation != old.rotation, new.rotation.to_array());
            put(Path::Scale, false, vector_value(new.scale));
        }
    }
    let mut edits = Vec::new();
    for (joint, values) in values.into_iter().enumerate() {
        for (path, values) in [Path::Translation, Path::Rotation, Path::Scale].into_iter().zip(values) {
            edits.extend(values.map(|values| Edit { joint, path, values }));
        }
    }
    edits
}

/// The transforms of the joints that have this pose.
fn edited_nodes(file: &Gltf, pose: &Pose, captured: &[NodeTransform], space: &Space) -> Vec<NodeTransform> {
    let (captured_pose, shapes) = file.pose(captured);
    let pose = space.pose_to_file(pose, &captured_pose);
    let mut nodes = captured.to_vec();
    if pose != captured_pose {
        file.rig.transforms.to_nodes(&pose, &captured_pose, shapes.as_deref(), &mut nodes);
    }
    nodes
}

fn vector_value(v: surefoot_core::Vec3) -> Value {
    [v.x, v.y, v.z, 0.0]
}

/// Writes one track: in place if its keys allow it, else with new keys after all other data.
fn write_track(
    file: &Gltf,
    splice: &mut Splice,
    edit: &Edit,
    times: &FrameTimes,
    is_retimed: bool,
) -> Result<(), WriteError> {
    let joint = &file.rig.joints[edit.joint];
    let track = joint.tracks[edit.path as usize].map(|track| &file.tracks[track]);
    let Some(track) = track else {
        let rest = rest_value(&joint.rest, edit.path);
        let keys = keys_at_frames(times, edit.path, edit.values.iter().map(|value| value.unwrap_or(rest)));
        return splice.add_channel(joint.node, edit.path, &keys);
    };
    if is_retimed {
        // All frames have a value.
        let keys = keys_at_frames(times, edit.path, edit.values.iter().flatten().copied());
        return splice.replace_track(track, Interpolation::Linear, &keys);
    }
    match keys_in_place(track, times, &edit.values).filter(|_| splice.can_overwrite(track)) {
        Some(keys) => {
            splice.overwrite_keys(track, times, &edit.values, &keys);
            Ok(())
        }
        None => {
            let keys = rebuilt_keys(track, times, &edit.values);
            splice.replace_track(track, track.interpolation, &keys)
        }
    }
}

fn rest_value(rest: &NodeTransform, path: Path) -> Value {
    match path {
        Path::Translation => vector_value(rest.translation),
        Path::Rotation => rest.rotation.to_array(),
        Path::Scale => vector_value(rest.scale),
    }
}
