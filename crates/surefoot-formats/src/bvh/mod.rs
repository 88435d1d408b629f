//! BVH: a hierarchy of joints as nested blocks, then a table of numbers with one row per frame.
//!
//! A [`Bvh`] keeps the text of the file beside the parsed values, so that the writer can copy
//! everything that did not change byte for byte.
//!
//! Reading: `read.rs` splits the text into words, `hierarchy.rs` parses the blocks, `motion.rs`
//! the header of the table, `table.rs` the numbers and `frame_rate.rs` interprets the frame time.
//! Writing: `write.rs` merges a motion into the text, `columns.rs` decides which channels the
//! motion needs, `euler.rs` solves for the angles, `fixed6.rs` prints numbers, `read_back.rs` gives
//! the motion in what was written and `new_file.rs` writes a file from scratch.

use surefoot_core::math::rotate_about_local_axis;
use surefoot_core::{JointId, Motion, Pose, Quat, Skeleton, Vec3};
use surefoot_infer::{Excerpt, Inferred};

use crate::excerpt::excerpt_frames;
use crate::source::{Contents, Format, JointTracks, MotionSource, Track, WriteError};
use crate::space::Space;

mod columns;
mod error;
pub(crate) mod euler;
mod fixed6;
mod frame_rate;
mod hierarchy;
mod motion;
mod new_file;
mod read;
mod read_back;
mod table;
mod write;

pub use error::{BvhError, BvhProblem, TextPosition};
pub use fixed6::fixed6;
pub use new_file::from_motion;
pub use read_back::CopiedJoints;

/// One column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The joint that the channel animates.
    pub joint: JointId,
    /// The meaning of the channel's number.
    pub kind: ChannelKind,
}

/// The meaning of a channel's number. Axes are 0, 1 and 2 for X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Replaces one component of the joint's offset, in the file's unit.
    Position(usize),
    /// Rotates the joint about one of its axes, in degrees.
    Rotation(usize),
    /// Another channel, such as a scale: copied to the output, without effect on poses.
    Other,
}

/// An irregularity in a file that could still be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The line, from 1.
    pub line: usize,
    /// What was found and how it was read.
    pub text: String,
}

/// A BVH file: its text and the values parsed from it.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    text: Vec<u8>,
    skeleton: Skeleton,
    channels: Vec<Channel>,
    /// For each joint, the range of its channels in `channels`.
    channels_of: Vec<core::ops::Range<usize>>,
    /// The numbers of the table, row by row.
    values: Vec<f64>,
    frames: usize,
    rate: Inferred<f64>,
    notes: Vec<Note>,
    spans: read::Spans,
}

impl Bvh {
    /// Parses the bytes of a file.
    ///
    /// Memory beyond the bytes themselves is one `f64` per number of the table.
    pub fn read(text: Vec<u8>) -> Result<Self, BvhError> {
        read::read(text)
    }

    /// The bytes of the file.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The bytes of the file, without a copy.
    pub fn into_text(self) -> Vec<u8> {
        self.text
    }

    /// The joints, in the file's unit and axes.
    pub fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    /// The columns of the table.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The number of frames in the table, which `Frames:` may state wrongly.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Frames per second, with the reason.
    pub fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    /// Overrides the frame rate of the file.
    pub fn set_rate(&mut self, fps: f64) {
        self.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
    }

    /// The irregularities found while reading.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The numbers of one frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        let width = self.channels.len();
        &self.values[frame * width..(frame + 1) * width]
    }

    /// Writes the pose of one frame into `pose`, in the file's unit and axes.
    pub fn pose_into(&self, frame: usize, pose: &mut Pose) {
        self.pose_of_row(self.row(frame), &Space::METRES_Y_UP, pose);
    }

    /// The whole motion in metres, Y up.
    pub fn motion(&self, space: &Space) -> Motion {
        let pose = |frame| {
            let mut pose = Pose::default();
            self.pose_of_row(self.row(frame), space, &mut pose);
            pose
        };
        Motion {
            skeleton: space.skeleton_from_file(&self.skeleton),
            fps: self.rate.value,
            poses: (0..self.frames).map(pose).collect(),
        }
    }

    /// The poses that inference uses, in the file's unit and axes.
    ///
    /// A short motion is returned whole, a long one as evenly spread runs of frames.
    pub fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.frames, self.skeleton.len());
        let pose = |&frame: &usize| {
            let mut pose = Pose::default();
            self.pose_into(frame, &mut pose);
            pose
        };
        let poses = frames.iter().map(pose).collect();
        Excerpt { motion: Motion { skeleton: self.skeleton.clone(), fps: self.rate.value, poses }, frames }
    }

    /// Writes the pose of a row of the table into `pose`, in metres, Y up.
    fn pose_of_row(&self, row: &[f64], space: &Space, pose: &mut Pose) {
        pose.offsets.clear();
        pose.rotations.clear();
        pose.offsets.reserve_exact(self.skeleton.len());
        pose.rotations.reserve_exact(self.skeleton.len());
        for joint in 0..self.skeleton.len() {
            let (offset, rotation) = self.joint_of_row(joint, row, space);
            pose.offsets.push(offset);
            pose.rotations.push(rotation);
        }
    }

    /// The offset and rotation of a joint in a row of the table, in metres, Y up.
    #[inline(always)]
    fn joint_of_row(&self, joint: usize, row: &[f64], space: &Space) -> (Vec3, Quat) {
        let own = self.channels_of[joint].clone();
        let mut offset = self.skeleton.joints()[joint].offset;
        let mut rotation = Quat::IDENTITY;
        for (channel, &value) in self.channels[own.clone()].iter().zip(&row[own]) {
            match channel.kind {
                ChannelKind::Position(axis) => offset[axis] = value,
                ChannelKind::Rotation(axis) => rotation = rotate_about_local_axis(rotation, axis, value),
                ChannelKind::Other => {}
            }
        }
        (space.position_from_file(offset), space.rotation_from_file(rotation))
    }
}

impl MotionSource for Bvh {
    fn format(&self) -> Format {
        Format::Bvh
    }

    fn bytes(&self) -> &[u8] {
        &self.text
    }

    fn skeleton(&self) -> &Skeleton {
        &self.skeleton
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    fn set_rate(&mut self, fps: f64) {
        Self::set_rate(self, fps);
    }

    fn notes(&self) -> Vec<String> {
        self.notes.iter().map(|note| format!("line {}: {}", note.line, note.text)).collect()
    }

    fn tracks(&self) -> Vec<JointTracks> {
        let track = |channel: &Channel| match channel.kind {
            ChannelKind::Position(axis) => Track::Position(axis),
            ChannelKind::Rotation(axis) => Track::Angle(axis),
            ChannelKind::Other => Track::Other,
        };
        self.channels_of.iter().map(|own| self.channels[own.clone()].iter().map(track).collect()).collect()
    }

    fn contents(&self) -> Contents {
        Contents::default()
    }

    fn motion(&self, space: &Space) -> Motion {
        Self::motion(self, space)
    }

    fn excerpt(&self) -> Excerpt {
        Self::excerpt(self)
    }

    fn motion_of_excerpt(&self, mut excerpt: Excerpt, space: &Space) -> Motion {
        if excerpt.frames.len() != self.frames {
            return self.motion(space);
        }
        excerpt.motion.skeleton = space.skeleton_from_file(&self.skeleton);
        excerpt.motion.poses.iter_mut().for_each(|pose| space.convert_from_file(pose));
        excerpt.motion
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        Self::write(self, motion, space)
    }
}
