//! Finds the samples that a motion changes, and writes them into the layer that holds the animation.

use surefoot_core::{Motion, Pose, Quat};

use super::files::Origin;
use super::layer::{Precision, Property};
use super::scene::Scene;
use super::tracks::{Sampler, Track, Values};
use super::{Usd, binary, text};
use crate::node_transforms::NodeTransform;
use crate::source::{WriteError, check_motion};
use crate::space::Space;

/// Relative difference of two frame rates that is rounding.
const SAME_RATE: f64 = 1e-4;
/// Difference of a position that was read again, in metres and relative, and of the cosine of half an angle.
const WRITTEN: f64 = 1e-5;
/// Bytes to which the files of a package are aligned.
const PACKAGE_ALIGNMENT: usize = 64;

/// Changes of the samples of an attribute. Numbers are in the order of the layer.
#[derive(Clone, Debug)]
pub(super) struct TrackEdit {
    pub prim: usize,
    pub property: usize,
    pub values: Values,
    pub changed: Vec<SampleEdit>,
    /// Samples that are added, with their times, in order.
    pub added: Vec<(f64, Vec<f64>)>,
}

impl TrackEdit {
    /// The numbers of a joint.
    pub fn width(&self) -> usize {
        if self.values == Values::Rotations { 4 } else { 3 }
    }
}

/// A sample and its numbers that change, by their places in it.
#[derive(Clone, Debug)]
pub(super) struct SampleEdit {
    pub sample: usize,
    pub numbers: Vec<(usize, f64)>,
}

/// The bytes of the file with the motion.
pub(super) fn write(file: &Usd, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
    let scene = &file.scene;
    check_motion(&scene.skeleton, motion)?;
    let refused = |text: String| Err(WriteError::Refused(text));
    if motion.frames() == 0 {
        return Ok(file.files.main.to_vec());
    }
    if motion.frames() != scene.frames.len() || (motion.fps / file.rate.value - 1.0).abs() > SAME_RATE {
        return refused(format!(
            "the motion has {} frames at {} per second, but the USD file has {} at {}, and surefoot changes samples only: \
             write it as a new .usda, .glb or .bvh",
            motion.frames(),
            motion.fps,
            scene.frames.len(),
            file.rate.value
        ));
    }
    let frames: Vec<Option<Vec<NodeTransform>>> =
        motion.poses.iter().enumerate().map(|(frame, pose)| edited(scene, frame, pose, space)).collect();
    if frames.iter().all(Option::is_none) {
        return Ok(file.files.main.to_vec());
    }
    if !scene.times.is_even {
        let name = &scene.animation;
        return refused(format!(
            "{name}: its samples are not at even times, which cannot be edited in place: bake it"
        ));
    }
    check_joints(scene, &frames)?;
    let mut edits: Vec<(usize, TrackEdit)> = Vec::new();
    for track in [scene.translations, scene.rotations].into_iter().flatten() {
        edits.extend(track_edit(file, track, &frames)?.map(|edit| (track.place.layer, edit)));
    }
    let bytes = write_layers(file, edits)?;
    check_written(file, &bytes, motion, space)?;
    Ok(bytes)
}

/// Checks that the file that was changed in place has the motion. In a damaged file values can overlap, and below a scale
/// of 0 no number gives a position.
fn check_written(file: &Usd, bytes: &[u8], motion: &Motion, space: &Space) -> Result<(), WriteError> {
    let is_near = |found: &Pose, expected: &Pose| {
        let offsets = found.offsets.iter().zip(&expected.offsets);
        let rotations = found.rotations.iter().zip(&expected.rotations);
        offsets.clone().all(|(a, b)| a.distance(*b) <= WRITTEN * (1.0 + b.length()))
            && rotations.clone().all(|(a, b)| a.dot(*b).abs() >= 1.0 - WRITTEN)
    };
    let is_same = |again: &Usd| {
        let frames = again.scene.frames.len();
        let found = (0..frames).map(|frame| space.pose_from_file(again.scene.pose(frame)));
        again.scene.joints == file.scene.joints
            && frames == motion.frames()
            && found.zip(&motion.poses).all(|(found, expected)| is_near(&found, expected))
    };
    match file.read_back(bytes.to_vec()).is_ok_and(|again| is_same(&again)) {
        true => Ok(()),
        false => Err(WriteError::Refused(
            "the file has values that overlap or numbers that cannot hold the motion, so that it is not changed in place: \
             convert it with `usdcat -o out.usda`"
                .into(),
        )),
    }
}

/// The transforms of the joints in another pose; `None` if nothing changes.
fn edited(scene: &Scene, frame: usize, pose: &Pose, space: &Space) -> Option<Vec<NodeTransform>> {
    let mut nodes = scene.frames[frame].clone();
    scene.with_transforms(frame, |transforms| {
        let mut captured = Pose::default();
        let shapes = transforms.pose(&nodes, &mut captured);
        let pose = space.pose_to_file(pose, &captured);
        if pose != captured {
            transforms.to_nodes(&pose, &captured, shapes.as_deref(), &mut nodes);
        }
    });
    (nodes != scene.frames[frame]).then_some(nodes)
}

/// Checks that the animation has all joints that change.
fn check_joints(scene: &Scene, frames: &[Option<Vec<NodeTransform>>]) -> Result<(), WriteError> {
    let mut is_animated = vec![false; scene.joints.len()];
    scene.joint_of.iter().flatten().for_each(|&joint| is_animated[joint] = true);
    for (old, new) in scene.frames.iter().zip(frames) {
        let Some(new) = new else { continue };
        let still = (0..old.len()).find(|&joint| !is_animated[joint] && old[joint] != new[joint]);
        if let Some(joint) = still {
            let (name, path) = (&scene.joints[joint], &scene.animation);
            return Err(WriteError::Refused(format!(
                "{path} has no joint {name:?}, which has to move, expected all joints of the legs and above them"
            )));
        }
    }
    Ok(())
}

/// What changes in an attribute; `None` if nothing does.
fn track_edit(
    file: &Usd,
    track: Track,
    frames: &[Option<Vec<NodeTransform>>],
) -> Result<Option<TrackEdit>, WriteError> {
    let scene = &file.scene;
    let property = track.property(&file.files);
    let mut edit = TrackEdit {
        prim: track.place.prim,
        property: track.place.property,
        values: track.values,
        changed: Vec::new(),
        added: Vec::new(),
    };
    let is_text = file.files.layers[track.place.layer].is_text();
    let joints = TrackJoints { scene, values: track.values, is_text, precision: property.precision };
    let mut sampler = Sampler::new(&file.files, track);
    let mut captured = |frame: usize| {
        let values = sampler.at(scene.times.time(frame));
        values.map_err(|error| WriteError::Refused(error.to_string()))
    };
    let mut changes = vec![Vec::new(); frames.len()];
    for (frame, nodes) in frames.iter().enumerate() {
        if let Some(nodes) = nodes {
            changes[frame] = joints.changes(frame, nodes, &captured(frame)?);
        }
    }
    let sample_of = sample_of_frames(property, scene);
    for gap in gaps(&sample_of) {
        // Values between two samples are interpolated: a change of one of them, or a new one in between, moves all.
        let around = gap.start.saturating_sub(1)..(gap.end + 1).min(frames.len());
        if changes[around].iter().all(Vec::is_empty) {
            continue;
        }
        for frame in gap {
            let numbers = joints.numbers(&captured(frame)?, &changes[frame]);
            edit.added.push((scene.times.time(frame), numbers));
        }
    }
    for (frame, numbers) in changes.into_iter().enumerate() {
        if let (Some(sample), false) = (sample_of[frame], numbers.is_empty()) {
            edit.changed.push(SampleEdit { sample, numbers });
        }
    }
    Ok((!edit.changed.is_empty() || !edit.added.is_empty()).then_some(edit))
}

/// For each frame, the sample of a property.
fn sample_of_frames(property: &Property, scene: &Scene) -> Vec<Option<usize>> {
    let mut sample_of = vec![None; scene.frames.len()];
    for (sample, (time, _)) in property.samples.iter().enumerate() {
        if let Some(frame) = scene.times.frame_at(*time) {
            sample_of[frame] = Some(sample);
        }
    }
    sample_of
}

/// The runs of frames without a sample.
fn gaps(sample_of: &[Option<usize>]) -> Vec<core::ops::Range<usize>> {
    let mut gaps: Vec<core::ops::Range<usize>> = Vec::new();
    for frame in (0..sample_of.len()).filter(|&frame| sample_of[frame].is_none()) {
        match gaps.last_mut().filter(|gap| gap.end == frame) {
            Some(gap) => gap.end += 1,
            None => gaps.push(frame..frame + 1),
        }
    }
    gaps
}

/// The joints of an attribute.
struct TrackJoints<'s> {
    scene: &'s Scene,
    values: Values,
    is_text: bool,
    precision: Precision,
}

impl TrackJoints<'_> {
    /// The numbers that change at a frame, by their places, in the order of the layer. `stored` are those of the file.
    fn changes(&self, frame: usize, nodes: &[NodeTransform], stored: &[f64]) -> Vec<(usize, f64)> {
        let mut changes = Vec::new();
        let captured = &self.scene.frames[frame];
        for (place, joint) in self.scene.joint_of.iter().enumerate() {
            let Some(joint) = *joint else { continue };
            let (old, new) = (&captured[joint], &nodes[joint]);
            match self.values {
                Values::Rotations if old.rotation != new.rotation => {
                    // Rotations of the file may be of any length, and have either sign.
                    let own = Quat::from_slice(&stored[4 * place..4 * place + 4]);
                    let is_near = own.dot(new.rotation) >= 0.0;
                    let rotation = if is_near { new.rotation } else { -new.rotation };
                    self.put(&mut changes, 4 * place, &self.ordered(own), &self.ordered(rotation));
                }
                Values::Numbers if old.translation != new.translation => {
                    let own = &stored[3 * place..3 * place + 3];
                    self.put(&mut changes, 3 * place, own, &new.translation.to_array());
                }
                _ => {}
            }
        }
        changes
    }

    /// A rotation in the order of the layer: w is first in a text, and last in a binary layer.
    fn ordered(&self, rotation: Quat) -> [f64; 4] {
        let mut numbers = rotation.to_array();
        if self.is_text {
            numbers.rotate_right(1);
        }
        numbers
    }

    fn put(&self, changes: &mut Vec<(usize, f64)>, first: usize, old: &[f64], new: &[f64]) {
        for (n, (old, new)) in old.iter().zip(new).enumerate() {
            if self.precision.round(*old) != self.precision.round(*new) {
                changes.push((first + n, *new));
            }
        }
    }

    /// All numbers of a new sample.
    fn numbers(&self, captured: &[f64], changes: &[(usize, f64)]) -> Vec<f64> {
        let mut numbers = captured.to_vec();
        if self.values == Values::Rotations && self.is_text {
            numbers.as_chunks_mut::<4>().0.iter_mut().for_each(|q| q.rotate_right(1));
        }
        for &(place, number) in changes {
            numbers[place] = number;
        }
        numbers
    }
}

/// Writes the changes of each layer.
fn write_layers(file: &Usd, edits: Vec<(usize, TrackEdit)>) -> Result<Vec<u8>, WriteError> {
    let mut layers: Vec<usize> = edits.iter().map(|(layer, _)| *layer).collect();
    layers.sort_unstable();
    layers.dedup();
    let mut members = Vec::new();
    for layer in layers {
        let own: Vec<TrackEdit> =
            edits.iter().filter(|(of, _)| *of == layer).map(|(_, edit)| edit.clone()).collect();
        let source = &file.files.layers[layer];
        let bytes = match source.is_text() {
            true => text::write(source, &own)?,
            false => binary::write(source, &own)?,
        };
        match file.files.origins[layer] {
            Origin::File => return Ok(bytes),
            Origin::Member(member) => members.push((member, bytes)),
            Origin::Beside => {
                let name = &source.name;
                return Err(WriteError::Refused(format!(
                    "the animation is in {name:?}, another file, which is not changed: clean that file, or make one file \
                     of all layers with `usdcat --flatten`"
                )));
            }
        }
    }
    if members.is_empty() {
        return Ok(file.files.main.to_vec());
    }
    let package = file.files.package.as_ref();
    let bytes = package.and_then(|package| package.replace(&file.files.main, &members, PACKAGE_ALIGNMENT));
    bytes.ok_or_else(|| WriteError::Refused("the package would get too large for its headers".into()))
}
