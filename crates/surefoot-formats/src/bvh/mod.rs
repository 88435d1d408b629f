//! BVH: a skeleton as nested blocks, then a table of numbers, one row a frame.
//!
//! A [`Bvh`] is the file itself and what was understood of it. Its text is kept as it was read,
//! so that writing can copy all that did not change.
//!
//! `read.rs` reads it: `skeleton.rs` the blocks, `table.rs` the frames, `numbers.rs` the numbers,
//! `rate.rs` the frame rate. `write.rs` writes it: `plan.rs` says which channels a changed motion
//! needs, `euler.rs` which angles, `print.rs` how a number is spelled, and `new_file.rs` starts
//! from nothing.

use surefoot_core::math::rotate_about_local_axis;
use surefoot_core::{JointId, Motion, Pose, Quat, Skeleton};
use surefoot_infer::{Excerpt, Inferred};

use crate::space::Space;

mod error;
mod euler;
mod numbers;
mod plan;
mod print;
mod rate;
mod read;
mod skeleton;
mod table;
mod write;
mod new_file;

pub use error::{BvhError, Place, Problem};
pub use new_file::from_motion;
pub use print::fixed6;
pub use write::BvhWriteError;

/// What one column of the table says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The joint it moves.
    pub joint: JointId,
    /// What it does to it.
    pub kind: ChannelKind,
}

/// What a channel does to its joint. Axes are 0, 1 and 2 for X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Replaces one part of the joint's offset.
    Position(usize),
    /// Turns the joint about one of its axes, in degrees.
    Rotation(usize),
    /// Something else, such as a scale: kept in the file, not understood.
    Other,
}

/// Something odd in a file that could be read all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line it stands on, from 1.
    pub line: usize,
    /// What was found and what was made of it.
    pub text: String,
}

/// A BVH file: its text, and what was understood of it.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    text: Vec<u8>,
    skeleton: Skeleton,
    channels: Vec<Channel>,
    /// For each joint, its channels' places in `channels`.
    channels_of: Vec<core::ops::Range<usize>>,
    /// One row of numbers a frame, one column a channel.
    values: Vec<f64>,
    frames: usize,
    rate: Inferred<f64>,
    notes: Vec<Note>,
    marks: read::Marks,
}

/// How many poses an excerpt holds at most, and how many times joints.
///
/// Enough for every inference, and understood in milliseconds however long the file is.
const EXCERPT_FRAMES: usize = 6_000;
const EXCERPT_JOINTS: usize = 400_000;
/// A longer motion is looked at in this many stretches of consecutive frames.
const EXCERPT_STRETCHES: usize = 24;

impl Bvh {
    /// Reads a file's bytes.
    ///
    /// The bytes are kept, one `f64` is added per number, and nothing else grows with the file.
    pub fn read(text: Vec<u8>) -> Result<Self, BvhError> {
        read::read(text)
    }

    /// The file as it was read.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text of the file, without a copy.
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

    /// How many frames the file holds, whatever it says.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Frames per second, and where that comes from.
    pub fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    /// Reads the file as having this many frames per second, whatever it says.
    pub fn set_rate(&mut self, fps: f64) {
        self.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
    }

    /// What was odd.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// The numbers of one frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        let width = self.channels.len();
        &self.values[frame * width..(frame + 1) * width]
    }

    /// The pose of one frame in the file's unit and axes, into lists that are used again.
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
            skeleton: self.skeleton_in(space),
            fps: self.rate.value,
            poses: (0..self.frames).map(pose).collect(),
        }
    }

    /// Enough of the motion to understand it by, in the file's unit and axes.
    pub fn excerpt(&self) -> Excerpt {
        let frames = self.excerpt_frames();
        let pose = |&frame: &usize| {
            let mut pose = Pose::default();
            self.pose_into(frame, &mut pose);
            pose
        };
        let poses = frames.iter().map(pose).collect();
        Excerpt { motion: Motion { skeleton: self.skeleton.clone(), fps: self.rate.value, poses }, frames }
    }

    fn excerpt_frames(&self) -> Vec<usize> {
        let most = (EXCERPT_JOINTS / self.skeleton.len().max(1)).clamp(1, EXCERPT_FRAMES);
        if self.frames <= most {
            return (0..self.frames).collect();
        }
        let stretches = EXCERPT_STRETCHES.min(most.div_ceil(8));
        let length = most / stretches;
        let start = |stretch: usize| match stretches {
            1 => 0,
            _ => (self.frames - length) * stretch / (stretches - 1),
        };
        (0..stretches).flat_map(|stretch| start(stretch)..start(stretch) + length).collect()
    }

    fn skeleton_in(&self, space: &Space) -> Skeleton {
        let joints = self.skeleton.joints().iter().map(|joint| surefoot_core::Joint {
            offset: space.position_from_file(joint.offset),
            end: joint.end.map(|end| space.position_from_file(end)),
            ..joint.clone()
        });
        Skeleton::new(joints.collect()).unwrap_or_default()
    }

    /// The pose that a row of numbers stands for.
    fn pose_of_row(&self, row: &[f64], space: &Space, pose: &mut Pose) {
        pose.offsets.clear();
        pose.rotations.clear();
        pose.offsets.reserve_exact(self.skeleton.len());
        pose.rotations.reserve_exact(self.skeleton.len());
        for (joint, channels) in self.skeleton.joints().iter().zip(&self.channels_of) {
            let mut offset = joint.offset;
            let mut rotation = Quat::IDENTITY;
            for (channel, &value) in self.channels[channels.clone()].iter().zip(&row[channels.clone()]) {
                match channel.kind {
                    ChannelKind::Position(axis) => offset[axis] = value,
                    ChannelKind::Rotation(axis) => rotation = rotate_about_local_axis(rotation, axis, value),
                    ChannelKind::Other => {}
                }
            }
            pose.offsets.push(space.position_from_file(offset));
            pose.rotations.push(space.rotation_from_file(rotation));
        }
    }
}
