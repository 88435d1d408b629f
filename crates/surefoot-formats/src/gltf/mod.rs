//! glTF 2.0: `.glb` files, and `.gltf` files with their buffers.
//!
//! A [`Gltf`] keeps the bytes of the file. A motion is written into a copy of them: keys are overwritten where they lie,
//! new tracks are appended to the buffer, and the JSON text is changed only where it names them. Meshes, materials,
//! extensions, other animations and all other bytes stay as they are.
//!
//! Reading: `container.rs` finds the JSON text and the buffers, which `meshopt.rs` unpacks, `document.rs` the objects,
//! `accessor.rs` their numbers,
//! `track.rs` the keys, `frame_times.rs` the frames, `rig.rs` the joints, `skin.rs` the vertices that follow them and
//! `mesh.rs` whole meshes, for drawing, with `looks.rs`. Writing: `write.rs` finds the tracks that
//! change, `new_keys.rs` their keys, and `splice.rs` changes the bytes, with `json_spans.rs`. `new_file.rs` writes a file
//! from scratch.

use surefoot_core::{Motion, Pose, Skeleton, UpAxis};
use surefoot_infer::{Excerpt, Inferred, SkinMesh};

use crate::excerpt::excerpt_frames;
use crate::mesh::CharacterMesh;
use crate::node_transforms::{NodeTransform, Shape};
use crate::source::{
    Animation, Contents, Format, JointTracks, LoadBeside, MotionSource, ReadOptions, Skin, StatedSpace,
    Track as TrackKind, WriteError,
};
use crate::space::Space;

mod accessor;
mod base64;
mod container;
mod document;
mod error;
mod frame_times;
mod json_spans;
mod looks;
mod mesh;
mod meshopt;
mod new_file;
mod new_keys;
mod rig;
mod skin;
mod splice;
mod track;
mod write;

pub use error::GltfError;
pub use new_file::from_motion;

use accessor::Accessors;
use container::{BufferBytes, Container};
use document::Document;
use frame_times::FrameTimes;
use rig::Rig;
use track::{Moment, Track, TrackReader};

/// Memory for the poses of a motion beyond 20 times the size of its file, in bytes. A few keys can be hours apart.
const POSES_BYTES: usize = 1 << 29;

/// A glTF file and the animation that was read from it.
#[derive(Clone, Debug, Default)]
pub struct Gltf {
    bytes: Vec<u8>,
    container: Container,
    document: Document,
    buffers: Vec<BufferBytes>,
    /// The animation that was read; `None` for a file without animations, whose motion is its rest pose.
    animation: Option<usize>,
    tracks: Vec<Track>,
    rig: Rig,
    times: FrameTimes,
}

impl Gltf {
    /// Reads the bytes of a file.
    pub fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, GltfError> {
        let container = Container::new(&bytes)?;
        let mut document = container.document(&bytes)?;
        let mut buffers = container.buffers(&document, options);
        meshopt::unpack(&bytes, &mut document, &mut buffers);
        let accessors = Accessors { bytes: &bytes, document: &document, buffers: &buffers };
        let (animation, tracks) = match options.animation {
            Some(wanted) => named_animation(accessors, wanted)?,
            None => first_animation(accessors)?,
        };
        let rig = Rig::new(&document, &tracks)?;
        let used = |track: &Track| rig.joints.iter().any(|joint| joint.node == track.node);
        let moving: Vec<Track> = tracks.iter().filter(|track| used(track)).cloned().collect();
        let times = FrameTimes::new(&moving);
        let file = Self { bytes, container, document, buffers, animation, tracks, rig, times };
        file.check_size()?;
        Ok(file)
    }

    /// Reads bytes that this file was written to, with its animation and its buffers beside it.
    pub(crate) fn read_back(&self, bytes: Vec<u8>) -> Result<Self, GltfError> {
        let beside = |name: &str| {
            let buffers = self.document.buffers.iter().zip(&self.buffers);
            let named = |buffer: &document::Buffer| {
                buffer.uri.as_ref().is_some_and(|uri| container::percent_decoded(uri) == name)
            };
            buffers.filter(|(buffer, _)| named(buffer)).find_map(|(_, bytes)| match bytes {
                BufferBytes::Beside(bytes) => Some(bytes.clone()),
                _ => None,
            })
        };
        let animation = self.animation.map(|animation| animation.to_string());
        Self::read(
            bytes,
            &ReadOptions {
                animation: animation.as_deref(),
                load_beside: Some(&beside),
                ..ReadOptions::default()
            },
        )
    }

    /// The bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn accessors(&self) -> Accessors<'_> {
        Accessors { bytes: &self.bytes, document: &self.document, buffers: &self.buffers }
    }

    fn check_size(&self) -> Result<(), GltfError> {
        let bytes_per_joint =
            core::mem::size_of::<surefoot_core::Vec3>() + core::mem::size_of::<surefoot_core::Quat>();
        let (frames, joints) = (self.times.frames(), self.rig.joints.len());
        let needed = frames.saturating_mul(joints).saturating_mul(bytes_per_joint);
        if needed <= POSES_BYTES.saturating_add(20 * self.bytes.len()) {
            return Ok(());
        }
        let seconds = self.times.end - self.times.start;
        let found =
            format!("{seconds} s between the first key and the last, {frames} frames of {joints} joints");
        Err(GltfError::new("the animation", found, "a motion that fits into memory"))
    }

    /// The transforms of the joints at a frame.
    fn nodes(&self, frame: usize) -> Vec<NodeTransform> {
        let mut moment = Moment::new(self.times.time(frame), self.times.tolerance());
        self.rig.joints.iter().map(|joint| joint.transform(&self.tracks, &mut moment)).collect()
    }

    /// The pose at a frame in the file's unit and axes, and the shapes of its joints where any has a scale.
    fn pose(&self, nodes: &[NodeTransform]) -> (Pose, Option<Vec<Shape>>) {
        let mut pose = Pose::default();
        let shapes = self.rig.transforms.pose(nodes, &mut pose);
        (pose, shapes)
    }

    fn skins(&self) -> Vec<Skin> {
        let skin = |(n, skin): (usize, &document::Skin)| {
            let meshes = self.document.nodes.iter().filter(|node| node.skin == Some(n));
            let meshes = meshes.filter_map(|node| self.document.meshes.get(node.mesh?));
            let name = skin.name.clone().or_else(|| meshes.clone().find_map(|mesh| mesh.name.clone()));
            let positions =
                meshes.flat_map(|mesh| &mesh.primitives).filter_map(|one| one.attributes.get("POSITION"));
            let counts =
                positions.filter_map(|&index| self.document.accessors.get(index)).map(|one| one.count);
            let vertices = counts.fold(0, usize::saturating_add);
            Skin { name: name.unwrap_or_default(), joints: skin.joints.len(), vertices }
        };
        self.document.skins.iter().enumerate().map(skin).collect()
    }

    fn animations(&self) -> Vec<Animation> {
        let mut reader = TrackReader::new(self.accessors());
        let mut one = |(n, animation): (usize, &document::Animation)| {
            let tracks = reader.tracks(n).unwrap_or_default();
            let times = FrameTimes::new(&tracks);
            let name = animation.name.clone().unwrap_or_default();
            Animation { name, seconds: times.end - times.start, tracks: animation.channels.len() }
        };
        self.document.animations.iter().enumerate().map(&mut one).collect()
    }
}

/// The animation of a name or number.
fn named_animation(accessors: Accessors, wanted: &str) -> Result<(Option<usize>, Vec<Track>), GltfError> {
    let animations = &accessors.document.animations;
    let by_name = animations.iter().position(|animation| animation.name.as_deref() == Some(wanted));
    let by_number = wanted.parse().ok().filter(|&number: &usize| number < animations.len());
    let Some(index) = by_name.or(by_number) else {
        let name = |(n, animation): (usize, &document::Animation)| match &animation.name {
            Some(name) => format!("{name:?}"),
            None => n.to_string(),
        };
        let names: Vec<String> = animations.iter().enumerate().map(name).take(20).collect();
        let expected = if names.is_empty() { "a file with animations".into() } else { names.join(", ") };
        return Err(GltfError::new("animations", format!("none that is called {wanted:?}"), expected));
    };
    Ok((Some(index), TrackReader::new(accessors).tracks(index)?))
}

/// The first animation that moves a node, else the first one.
fn first_animation(accessors: Accessors) -> Result<(Option<usize>, Vec<Track>), GltfError> {
    let mut reader = TrackReader::new(accessors);
    let mut first = None;
    for index in 0..accessors.document.animations.len() {
        let tracks = reader.tracks(index)?;
        let is_moving = tracks.iter().any(|track| track.times.len() > 1);
        if is_moving {
            return Ok((Some(index), tracks));
        }
        first.get_or_insert((index, tracks));
    }
    Ok(first.map_or_else(|| (None, Vec::new()), |(index, tracks)| (Some(index), tracks)))
}

impl MotionSource for Gltf {
    fn format(&self) -> Format {
        Format::Gltf
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn size(&self) -> usize {
        let beside = self.buffers.iter().map(|buffer| match buffer {
            BufferBytes::Beside(bytes) => bytes.len(),
            _ => 0,
        });
        beside.sum::<usize>() + self.bytes.len()
    }

    fn skeleton(&self) -> &Skeleton {
        &self.rig.skeleton
    }

    fn frames(&self) -> usize {
        self.times.frames()
    }

    fn rate(&self) -> &Inferred<f64> {
        &self.times.rate
    }

    fn set_rate(&mut self, fps: f64) {
        if fps != self.times.rate.value {
            self.times.rate = Inferred { value: fps, confidence: 1.0, reason: "given".into() };
        }
    }

    fn notes(&self) -> Vec<String> {
        self.rig.notes.clone()
    }

    fn stated_space(&self) -> Option<StatedSpace> {
        let up = UpAxis { axis: 1, negative: false };
        Some(StatedSpace { unit_m: 1.0, up, reason: "glTF files are in metres, Y up".into() })
    }

    fn tracks(&self) -> Vec<JointTracks> {
        let kinds = [TrackKind::Translation, TrackKind::Rotation, TrackKind::Scale];
        let tracks = |joint: &rig::RigJoint| {
            joint.tracks.iter().zip(kinds).filter_map(|(track, kind)| track.map(|_| kind)).collect()
        };
        self.rig.joints.iter().map(tracks).collect()
    }

    fn contents(&self) -> Contents {
        Contents { animations: self.animations(), chosen: self.animation.unwrap_or(0), skins: self.skins() }
    }

    fn skin_meshes(&self) -> Vec<SkinMesh> {
        skin::meshes(self)
    }

    fn motion(&self, space: &Space) -> Motion {
        let pose = |frame| space.pose_from_file(self.pose(&self.nodes(frame)).0);
        Motion {
            skeleton: space.skeleton_from_file(&self.rig.skeleton),
            fps: self.times.rate.value,
            poses: (0..self.frames()).map(pose).collect(),
        }
    }

    fn excerpt(&self) -> Excerpt {
        let frames = excerpt_frames(self.frames(), self.rig.joints.len());
        let poses = frames.iter().map(|&frame| self.pose(&self.nodes(frame)).0).collect();
        let motion = Motion { skeleton: self.rig.skeleton.clone(), fps: self.times.rate.value, poses };
        Excerpt { motion, frames }
    }

    fn mesh(&self, space: &Space, load_beside: LoadBeside) -> Option<CharacterMesh> {
        mesh::mesh(self, space, load_beside)
    }

    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError> {
        write::write(self, motion, space)
    }

    fn stored_plants(&self) -> Option<Vec<u8>> {
        let json = &self.bytes[self.container.json.clone()];
        let animations = json_spans::member(json, json_spans::root(json), "animations")?;
        let animation = json_spans::elements(json, animations).get(self.animation?)?.clone();
        let extras =
            json_spans::member(json, animation, "extras").filter(|extras| json[extras.start] == b'{')?;
        Some(json[json_spans::member(json, extras, splice::PLANTS)?].to_vec())
    }

    fn write_plants(&self, plants: &str) -> Result<Vec<u8>, WriteError> {
        let Some(animation) = self.animation else {
            return Err(WriteError::Refused("the file has no animation that could hold plants".into()));
        };
        let mut splice = splice::Splice::new(self, animation);
        splice.set_plants(plants.trim())?;
        splice.finish()
    }
}
