//! USD: `.usda`, `.usdc` and `.usdz` files with a UsdSkel animation.
//!
//! Reading: `files.rs` opens the file, its package and the layers beside it, `text/` and `binary/` read layers, `stage.rs`
//! puts them together, `scene.rs` finds skeleton and animation, `tracks.rs` and `times.rs` evaluate it, and `xform.rs` the
//! transforms above. Writing: `write.rs` finds the samples that change; the layers change these in their bytes and copy
//! all others. `new_file.rs` writes a motion as a new text file.

use surefoot_core::{Motion, Skeleton, UpAxis};
use surefoot_infer::{Excerpt, Inferred, SkinMesh};

use crate::excerpt::excerpt_frames;
use crate::source::{
    Animation, Contents, Format, JointTracks, LoadBeside, MotionSource, ReadOptions, Skin, StatedSpace,
    Track, WriteError,
};
use crate::space::{Space, UNIT_RANGE};

mod binary;
mod error;
mod files;
mod layer;
mod new_file;
mod scene;
mod stage;
mod text;
mod times;
mod tracks;
mod write;
mod xform;

pub use error::UsdError;
pub use new_file::from_motion;

use files::{Files, Origin};
use scene::{Animations, Scene};
use stage::Stage;

/// Time codes per second of a file that states none, as USD defines.
const USUAL_RATE: f64 = 24.0;
/// Rates that are taken from a file.
const RATES: core::ops::RangeInclusive<f64> = 1e-3..=1e6;

/// A USD file and the animation that was read from it.
#[derive(Clone, Debug, Default)]
pub struct Usd {
    files: Files,
    scene: Scene,
    animations: Vec<Animation>,
    chosen: usize,
    rate: Inferred<f64>,
    space: Option<StatedSpace>,
    skins: Vec<(Skin, SkinMesh)>,
}

impl Usd {
    /// Reads the bytes of a file. Layers that it names are members of its package, or files beside it.
    pub fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, UsdError> {
        Self::with_layers(bytes, options.name, options.animation, options.load_beside)
    }

    fn with_layers(
        bytes: Vec<u8>,
        name: Option<&str>,
        animation: Option<&str>,
        beside: Option<LoadBeside>,
    ) -> Result<Self, UsdError> {
        let mut files = Files::open(bytes, name)?;
        let root = &files.layers[0];
        let codes = root.metadata_number("timeCodesPerSecond").or(root.metadata_number("framesPerSecond"));
        let codes = codes.filter(|rate| RATES.contains(rate));
        let space = stated_space(root);
        let stage = Stage::new(&mut files, beside)?;
        let found = Animations::new(&stage, codes.unwrap_or(USUAL_RATE), animation)?;
        let scene = Scene::read(&stage, found.nodes[found.chosen])?;
        drop(stage);
        let rate = rate(codes, scene.times.step);
        let (animations, chosen) = (found.list, found.chosen);
        Ok(Self { files, scene, animations, chosen, rate, space, skins: Vec::new() })
    }

    /// Reads bytes that this file was written to, with its animation, its rate and the layers beside it.
    pub(crate) fn read_back(&self, bytes: Vec<u8>) -> Result<Self, UsdError> {
        let beside = |name: &str| {
            let layers = self.files.layers.iter().zip(&self.files.origins);
            let mut found = layers.filter(|(layer, origin)| **origin == Origin::Beside && layer.name == name);
            found.next().map(|(layer, _)| layer.data.to_vec())
        };
        let mut file = Self::with_layers(bytes, None, Some(&self.scene.animation), Some(&beside))?;
        file.set_rate(self.rate.value);
        Ok(file)
    }

    /// The bytes of the file, without a copy where no other clone of the file is left.
    pub fn into_bytes(self) -> Vec<u8> {
        let Files { main, layers, .. } = self.files;
        // Layers refer to the bytes of the file.
        drop(layers);
        std::sync::Arc::unwrap_or_clone(main)
    }
}

/// The frames per second: those of the time codes, divided by the step between two frames.
fn rate(codes: Option<f64>, step: f64) -> Inferred<f64> {
    let value = codes.unwrap_or(USUAL_RATE) / step;
    // Steps of 0.2 are not exact in binary.
    let whole = value.round();
    let value = if (value - whole).abs() < 1e-9 * whole { whole } else { value };
    let reason = match codes {
        Some(codes) => format!("the file states {codes} time codes per second"),
        None => format!("the file states no time codes per second, for which USD defines {USUAL_RATE}"),
    };
    Inferred { value, confidence: if codes.is_some() { 0.99 } else { 0.8 }, reason }
}

/// Unit and up axis. USD defines 0.01 m for a file that states no unit; many such files are in metres.
fn stated_space(root: &layer::Layer) -> Option<StatedSpace> {
    let unit_m = root.metadata_number("metersPerUnit").filter(|unit| UNIT_RANGE.contains(unit))?;
    let axis = match root.metadata_word("upAxis").as_deref() {
        Some("Z") => 2,
        _ => 1,
    };
    let up = UpAxis { axis, negative: false };
    Some(StatedSpace { unit_m, up, reason: "the file states it".into() })
}

impl MotionSource for Usd {
    fn format(&self) -> Format {
        Format::Usd
    }

    fn bytes(&self) -> &[u8] {
        &self.files.main
    }

    fn size(&self) -> usize {
        self.files.size()
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
        if fps != self.rate.value {
            self.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
        }
    }

    fn notes(&self) -> Vec<String> {
        let missing = |(name, reason): &(String, String)| format!("layer {name:?} was not read: {reason}");
        self.scene.notes.iter().cloned().chain(self.files.missing.iter().map(missing)).collect()
    }

    fn stated_space(&self) -> Option<StatedSpace> {
        self.space.clone()
    }

    fn tracks(&self) -> Vec<JointTracks> {
        let mut tracks = vec![Vec::new(); self.scene.skeleton.len()];
        for &joint in self.scene.joint_of.iter().flatten() {
            tracks[joint] = vec![Track::Translation, Track::Rotation, Track::Scale];
        }
        tracks
    }

    fn contents(&self) -> Contents {
        let skins = self.skins.iter().map(|(skin, _)| skin.clone()).collect();
        Contents { animations: self.animations.clone(), chosen: self.chosen, skins }
    }

    fn skin_meshes(&self) -> Vec<SkinMesh> {
        self.skins.iter().map(|(_, mesh)| mesh.clone()).collect()
    }

    fn motion(&self, space: &Space) -> Motion {
        Motion {
            skeleton: space.skeleton_from_file(&self.scene.skeleton),
            fps: self.rate.value,
            poses: (0..self.frames()).map(|frame| space.pose_from_file(self.scene.pose(frame))).collect(),
        }
    }

    fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.frames(), self.scene.skeleton.len());
        let poses = frames.iter().map(|&frame| self.scene.pose(frame)).collect();
        let motion = Motion { skeleton: self.scene.skeleton.clone(), fps: self.rate.value, poses };
        Excerpt { motion, frames }
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        write::write(self, motion, space)
    }
}
