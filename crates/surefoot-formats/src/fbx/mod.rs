//! FBX, read with `ufbx` and written by changing the keys of curves in the bytes of the file.
//!
//! Reading: `scene.rs` finds the joints, `samples.rs` evaluates their transforms at every frame, and `skin.rs` finds the
//! vertices that follow them; `mesh.rs` reads whole meshes, for drawing. Writing: `write.rs` finds the properties that
//! change, `curves.rs` and since version 6 `takes.rs` their curves; `joint.rs` and `euler.rs` convert transforms to the
//! values of curves, and `contacts.rs` stores plants. `records.rs` has the tree of records, `binary.rs` and `text.rs` its two
//! encodings, and `arrays.rs` packs the keys. All other bytes are copied; only the offsets in the headers of binary records
//! move.

use core::fmt;

use surefoot_core::{Motion, Pose, Skeleton};
use surefoot_infer::{Excerpt, Inferred, SkinMesh};

use crate::excerpt::excerpt_frames;
use crate::mesh::CharacterMesh;
use crate::node_transforms::{NodeTransform, Shape};
use crate::source::{
    Contents, Format, JointTracks, LoadBeside, MotionSource, ReadOptions, StatedSpace, WriteError,
};
use crate::space::Space;

mod arrays;
mod binary;
mod contacts;
mod curves;
mod euler;
mod joint;
mod mesh;
mod records;
mod samples;
mod scene;
mod skin;
mod takes;
mod text;
mod write;

use scene::FbxScene;

/// Error of reading an FBX file: where, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FbxError(pub(crate) String);

impl fmt::Display for FbxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for FbxError {}

/// An FBX file and the animation that was read from it.
#[derive(Clone, Debug, Default)]
pub struct Fbx {
    bytes: Vec<u8>,
    scene: FbxScene,
    rate: Inferred<f64>,
}

impl Fbx {
    /// Reads the bytes of a file.
    pub fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, FbxError> {
        Self::with_rate(bytes, options.animation, None)
    }

    fn with_rate(bytes: Vec<u8>, animation: Option<&str>, fps: Option<f64>) -> Result<Self, FbxError> {
        let scene = FbxScene::read(&bytes, animation, fps)?;
        let rate = match fps {
            Some(value) => Inferred { value, confidence: 1.0, reason: "given".into() },
            None => Inferred {
                value: scene.fps,
                confidence: 0.95,
                reason: "the settings of the file state it".into(),
            },
        };
        Ok(Self { bytes, scene, rate })
    }

    /// Reads bytes that this file was written to, with its animation and rate.
    pub(crate) fn read_back(&self, bytes: Vec<u8>) -> Result<Self, FbxError> {
        Self::with_rate(bytes, self.animation().as_deref(), Some(self.rate.value))
    }

    fn animation(&self) -> Option<String> {
        let Contents { animations, chosen, .. } = &self.scene.contents;
        (!animations.is_empty()).then(|| chosen.to_string())
    }

    /// The bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn pose(&self, nodes: &[NodeTransform]) -> (Pose, Option<Vec<Shape>>) {
        let mut pose = Pose::default();
        let shapes = self.scene.transforms.pose(nodes, &mut pose);
        (pose, shapes)
    }
}

impl MotionSource for Fbx {
    fn format(&self) -> Format {
        Format::Fbx
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn skeleton(&self) -> &Skeleton {
        &self.scene.skeleton
    }

    fn frames(&self) -> usize {
        self.scene.frames.len()
    }

    fn rate(&self) -> &Inferred<f64> {
        &self.rate
    }

    fn set_rate(&mut self, fps: f64) {
        if fps == self.rate.value {
            return;
        }
        // The bytes have been read before, so that only a motion too long for the memory fails, and keeps its rate.
        if let Ok(sampled) = Self::with_rate(self.bytes.clone(), self.animation().as_deref(), Some(fps)) {
            *self = sampled;
        }
    }

    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    fn stated_space(&self) -> Option<StatedSpace> {
        self.scene.space.clone()
    }

    fn tracks(&self) -> Vec<JointTracks> {
        self.scene.tracks.clone()
    }

    fn contents(&self) -> Contents {
        self.scene.contents.clone()
    }

    fn skin_meshes(&self) -> Vec<SkinMesh> {
        self.scene.skins.clone()
    }

    fn motion(&self, space: &Space) -> Motion {
        let pose = |nodes: &Vec<NodeTransform>| space.pose_from_file(self.pose(nodes).0);
        Motion {
            skeleton: space.skeleton_from_file(&self.scene.skeleton),
            fps: self.rate.value,
            poses: self.scene.frames.iter().map(pose).collect(),
        }
    }

    fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.frames(), self.scene.joints.len());
        let poses = frames.iter().map(|&frame| self.pose(&self.scene.frames[frame]).0).collect();
        let motion = Motion { skeleton: self.scene.skeleton.clone(), fps: self.rate.value, poses };
        Excerpt { motion, frames }
    }

    fn mesh(&self, space: &Space, load_beside: LoadBeside) -> Option<CharacterMesh> {
        mesh::mesh(self, space, load_beside)
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        write::write(self, motion, space)
    }

    fn stored_plants(&self) -> Option<Vec<u8>> {
        self.scene.plants.clone()
    }

    fn write_plants(&self, plants: &str) -> Result<Vec<u8>, WriteError> {
        contacts::write(self, plants.trim())
    }
}
