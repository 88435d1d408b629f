//! Acclaim: a skeleton (`.asf`) and a motion (`.amc`), as in the CMU library.
//!
//! The motion is the file that is read and written; its skeleton is a file beside it. Numbers that do not change are
//! copied byte for byte, and the skeleton is never changed: bones keep their lengths, and knees, ankles and toes keep to
//! their degrees of freedom.
//!
//! Reading: `words.rs` splits the text, `skeleton.rs` parses the skeleton and `table.rs` the frames. Writing: `fit.rs`
//! finds the angles, and `write.rs` replaces them in the text.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Motion, Pose, Quat, Skeleton};
use surefoot_infer::{Excerpt, Inferred};

use crate::excerpt::excerpt_frames;
use crate::source::{Contents, Format, JointTracks, MotionSource, ReadOptions, Track, WriteError};
use crate::space::Space;

mod error;
mod fit;
mod skeleton;
mod table;
mod words;
mod write;

pub use error::AcclaimError;

use skeleton::{AcclaimSkeleton, Bone, Freedom};
use table::Table;

/// Frames per second of the CMU library, from which nearly all Acclaim files come.
const USUAL_RATE: f64 = 120.0;

/// An Acclaim pair.
#[derive(Clone, Debug, Default)]
pub struct Acclaim {
    text: Vec<u8>,
    skeleton: AcclaimSkeleton,
    table: Table,
    rate: Inferred<f64>,
}

impl Acclaim {
    /// Reads the bytes of a motion file. Its skeleton is a file beside it with the same name or its beginning, as `02.asf`
    /// for `02_01.amc`, or the only one there.
    pub fn read(text: Vec<u8>, options: &ReadOptions) -> Result<Self, AcclaimError> {
        let names = skeleton_names(options.name.unwrap_or_default());
        let load = |name: &String| options.load_beside.and_then(|load| load(name));
        let Some(skeleton) = names.iter().find_map(load) else {
            let problem = format!("no skeleton was found beside the motion, expected {}", names.join(" or "));
            return Err(AcclaimError { position: None, problem });
        };
        Self::with_skeleton(text, AcclaimSkeleton::read(&skeleton)?)
    }

    fn with_skeleton(text: Vec<u8>, skeleton: AcclaimSkeleton) -> Result<Self, AcclaimError> {
        let table = Table::read(&text, &skeleton)?;
        let rate = match table.rate {
            Some(rate) => Inferred { value: rate, confidence: 0.99, reason: "the file states it".into() },
            None => Inferred {
                value: USUAL_RATE,
                confidence: 0.6,
                reason: "the file states no rate; the CMU library has 120 frames per second".into(),
            },
        };
        Ok(Self { text, skeleton, table, rate })
    }

    /// Reads bytes that this file was written to.
    pub(crate) fn read_back(&self, text: Vec<u8>) -> Result<Self, AcclaimError> {
        Self::with_skeleton(text, self.skeleton.clone())
    }

    /// The bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    /// Radians per angle of the motion.
    fn radians(&self) -> f64 {
        if self.table.is_in_radians { 1.0 } else { core::f64::consts::PI / 180.0 }
    }

    /// The pose of a row in the file's unit and axes.
    fn pose_of_row(&self, row: &[f64]) -> Pose {
        let mut pose = Pose::default();
        let joints = self.skeleton.skeleton.joints().iter();
        for ((bone, columns), joint) in self.skeleton.bones.iter().zip(&self.table.columns).zip(joints) {
            let values = &row[columns.clone()];
            let mut offset = joint.offset;
            for (freedom, value) in bone.freedoms.iter().zip(values) {
                if let Freedom::Translation(axis) = freedom {
                    offset[*axis] += value;
                }
            }
            pose.offsets.push(offset);
            pose.rotations.push(rotation(bone, values, self.radians()));
        }
        pose
    }
}

/// The rotation of a bone: the degrees of freedom, of which the first listed is applied first, in the bone's axes.
fn rotation(bone: &Bone, values: &[f64], radians: f64) -> Quat {
    let mut own = Quat::IDENTITY;
    for (freedom, value) in bone.freedoms.iter().zip(values) {
        if let Freedom::Rotation(axis) = freedom {
            own = axis_rotation(*axis, value * radians) * own;
        }
    }
    bone.axes * own * bone.axes.conjugate()
}

/// The names that the skeleton of a motion can have.
fn skeleton_names(motion: &str) -> Vec<String> {
    let file = motion.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut names = Vec::new();
    while !stem.is_empty() {
        names.extend(["asf", "ASF"].map(|ending| format!("{stem}.{ending}")));
        stem = stem.rsplit_once(['_', '-', '.']).map_or("", |(stem, _)| stem);
    }
    names.push("*.asf".into());
    names
}

impl MotionSource for Acclaim {
    fn format(&self) -> Format {
        Format::AcclaimMotion
    }

    fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn skeleton(&self) -> &Skeleton {
        &self.skeleton.skeleton
    }

    fn frames(&self) -> usize {
        self.table.frames
    }

    fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    fn set_rate(&mut self, fps: f64) {
        self.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
    }

    fn notes(&self) -> Vec<String> {
        let is_limited = |bone: &&Bone| bone.freedoms.len() < 3 && !bone.freedoms.is_empty();
        match self.skeleton.bones.iter().filter(is_limited).count() {
            0 => Vec::new(),
            count => vec![format!(
                "{count} bones have fewer than three degrees of freedom: a written motion keeps to them, and what they cost \
                 shows in its figures"
            )],
        }
    }

    fn tracks(&self) -> Vec<JointTracks> {
        let track = |freedom: &Freedom| match freedom {
            Freedom::Rotation(axis) => Track::Angle(*axis),
            Freedom::Translation(axis) => Track::Position(*axis),
            Freedom::Length => Track::Other,
        };
        self.skeleton.bones.iter().map(|bone| bone.freedoms.iter().map(track).collect()).collect()
    }

    fn contents(&self) -> Contents {
        Contents::default()
    }

    fn motion(&self, space: &Space) -> Motion {
        let pose = |frame| space.pose_from_file(self.pose_of_row(self.table.row(frame)));
        Motion {
            skeleton: space.skeleton_from_file(&self.skeleton.skeleton),
            fps: self.rate.value,
            poses: (0..self.table.frames).map(pose).collect(),
        }
    }

    fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.table.frames, self.skeleton.bones.len());
        let poses = frames.iter().map(|&frame| self.pose_of_row(self.table.row(frame))).collect();
        let motion = Motion { skeleton: self.skeleton.skeleton.clone(), fps: self.rate.value, poses };
        Excerpt { motion, frames }
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        write::write(self, motion, space)
    }
}
