//! NumPy arrays: `.npz` and `.npy` files with rotations and a skeleton, or with joint positions alone.
//!
//! An [`Arrays`] keeps the bytes of the file. A motion is written into copies of the arrays that change, number by number;
//! all other members of the archive are copied byte for byte.
//!
//! Reading: `zip.rs` reads the directory of an archive, `npy.rs` an array, and `array_file.rs` finds arrays by name.
//! `layout.rs` recognises what they hold, with `joint_orders.rs`, `body.rs` and `rate.rs`; `decode.rs` makes poses of them,
//! with `rotation_form.rs` and, for positions alone, `position_poses.rs`. Writing: `write.rs`, and `new_file.rs` for a file
//! from scratch.

use surefoot_core::{Motion, Skeleton};
use surefoot_infer::{Excerpt, Inferred};

use crate::excerpt::excerpt_frames;
use crate::source::{Animation, Contents, Format, JointTracks, MotionSource, ReadOptions, Track, WriteError};
use crate::space::Space;

mod array_file;
mod body;
mod decode;
mod error;
mod joint_orders;
mod labels;
mod layout;
mod names;
mod new_file;
mod npy;
mod position_poses;
mod rate;
mod rotation_form;
mod write;

pub use error::ArraysError;
pub use labels::{read_labels, write_labels};
pub use new_file::{npy_from_motion, npz_from_motion};

use array_file::ArrayFile;
use decode::{Decoded, PositionsKind, decode};
use layout::Layout;

/// A file of arrays and the motion that was read from it.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    bytes: Vec<u8>,
    arrays: ArrayFile,
    layout: Layout,
    positions: PositionsKind,
    rate: Inferred<f64>,
    /// The motion in the file's unit and axes. Its frame rate is that of the field `rate`.
    motion: Motion,
    notes: Vec<String>,
}

impl Arrays {
    /// Reads the bytes of a file.
    pub fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ArraysError> {
        let arrays = ArrayFile::read(&bytes)?;
        let layout = Layout::of(&arrays, &bytes, options)?;
        Self::with_layout(bytes, arrays, layout)
    }

    fn with_layout(bytes: Vec<u8>, arrays: ArrayFile, layout: Layout) -> Result<Self, ArraysError> {
        if layout.frames == 0 {
            return Err(ArraysError("the arrays have no frames, expected at least one".into()));
        }
        let rate = rate::rate(&arrays, &bytes, layout.order.map(|order| order.name))?;
        let Decoded { skeleton, poses, positions, mut notes } = decode(&arrays, &bytes, &layout, rate.value)?;
        notes.splice(0..0, layout.notes.iter().cloned());
        let motion = Motion { skeleton, fps: rate.value, poses };
        notes.extend(half_precision_note(&arrays, &layout));
        Ok(Self { bytes, arrays, layout, positions, rate, motion, notes })
    }

    /// Reads bytes that this file was written to.
    pub(crate) fn read_back(&self, bytes: Vec<u8>) -> Result<Self, ArraysError> {
        let arrays = ArrayFile::read(&bytes)?;
        let mut layout = self.layout.clone();
        let array = layout.rotations.first().map(|one| one.array).or(layout.positions);
        if let Some(array) = array {
            let (before, after) = (&self.arrays.arrays[array].header, &arrays.arrays[array].header);
            let row = before.len().unwrap_or(0) / layout.frames.max(1);
            layout.frames = after.len().unwrap_or(0) / row.max(1);
        }
        Self::with_layout(bytes, arrays, layout)
    }

    /// The bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Says so where numbers are so short that planted feet move visibly.
fn half_precision_note(arrays: &ArrayFile, layout: &Layout) -> Option<String> {
    let used = layout.rotations.iter().map(|one| one.array).chain(layout.root).chain(layout.positions);
    let half = used.map(|array| &arrays.arrays[array]).find(|array| array.header.size == 2)?;
    let name = &half.name;
    Some(format!("the array {name:?} has half precision: a position 2 m from the origin is rounded to 1 mm"))
}

impl MotionSource for Arrays {
    fn format(&self) -> Format {
        Format::Arrays
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn skeleton(&self) -> &Skeleton {
        &self.motion.skeleton
    }

    fn frames(&self) -> usize {
        self.motion.frames()
    }

    fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    fn set_rate(&mut self, fps: f64) {
        if fps != self.rate.value {
            self.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
        }
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn has_rotations(&self) -> bool {
        !self.layout.rotations.is_empty()
    }

    fn tracks(&self) -> Vec<JointTracks> {
        let has_rotations = self.has_rotations();
        let tracks = |joint: usize| {
            let has_position = match (joint, self.positions) {
                (0, _) => self.layout.root.is_some() || self.positions != PositionsKind::None,
                (_, PositionsKind::Local) => true,
                (_, PositionsKind::World) => !has_rotations,
                (_, PositionsKind::None) => false,
            };
            let position = has_position.then_some(Track::Translation);
            position.into_iter().chain(has_rotations.then_some(Track::Rotation)).collect()
        };
        (0..self.motion.skeleton.len()).map(tracks).collect()
    }

    fn contents(&self) -> Contents {
        let candidates = &self.layout.candidates;
        // The only array of a file needs no name.
        if candidates.len() < 2 {
            return Contents::default();
        }
        let one = |&at: &usize| {
            let array = &self.arrays.arrays[at];
            let shape = array.shape_of(3);
            let frames = shape.first().copied().unwrap_or(0).saturating_sub(1);
            let tracks = shape.get(1).copied().unwrap_or(0);
            Animation { name: array.name.clone(), seconds: frames as f64 / self.rate.value, tracks }
        };
        let chosen = candidates.iter().position(|&at| Some(at) == self.layout.positions).unwrap_or(0);
        Contents { animations: candidates.iter().map(one).collect(), chosen, skins: Vec::new() }
    }

    fn motion(&self, space: &Space) -> Motion {
        Motion {
            skeleton: space.skeleton_from_file(&self.motion.skeleton),
            fps: self.rate.value,
            poses: self.motion.poses.iter().map(|pose| space.pose_from_file(pose.clone())).collect(),
        }
    }

    fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.motion.frames(), self.motion.skeleton.len());
        let poses = frames.iter().map(|&frame| self.motion.poses[frame].clone()).collect();
        let motion = Motion { skeleton: self.motion.skeleton.clone(), fps: self.rate.value, poses };
        Excerpt { motion, frames }
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        write::write(self, motion, space)
    }
}
