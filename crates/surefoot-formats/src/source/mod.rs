//! A motion file of any format: one type to read, inspect and write all of them.
//!
//! [`SourceFile::read`] recognises the format by the content and returns the file with its bytes. Every format
//! implements [`MotionSource`], whose writer changes the tracks that differ and copies all other bytes.

use core::ops::{Deref, DerefMut};
use std::sync::Arc;

use surefoot_core::{Motion, Skeleton, UpAxis};
use surefoot_infer::{Excerpt, Inferred, SkinMesh};

#[cfg(feature = "acclaim")]
use crate::acclaim::Acclaim;
#[cfg(feature = "arrays")]
use crate::arrays::Arrays;
use crate::bvh::{Bvh, CopiedJoints};
#[cfg(feature = "fbx")]
use crate::fbx::Fbx;
#[cfg(feature = "gltf")]
use crate::gltf::Gltf;
use crate::mesh::CharacterMesh;
use crate::space::Space;
#[cfg(feature = "usd")]
use crate::usd::Usd;

mod error;
mod format;
mod memory;

pub(crate) use error::check_motion;
pub use error::{ReadError, WriteError};
pub use format::Format;
pub use memory::{MOST_JOINTS, TooLarge, most_frames_of_edit};

/// What every motion format provides.
pub trait MotionSource {
    /// The format.
    fn format(&self) -> Format;

    /// The bytes of the file.
    fn bytes(&self) -> &[u8];

    /// The size of the file and the files that belong to it, in bytes.
    fn size(&self) -> usize {
        self.bytes().len()
    }

    /// The joints, in the file's unit and axes.
    fn skeleton(&self) -> &Skeleton;

    /// The number of frames.
    fn frames(&self) -> usize;

    /// Frames per second, with the reason.
    fn rate(&self) -> &Inferred<f64>;

    /// Overrides the frame rate. A file with a key for each frame plays at that rate; a file with keys at times is
    /// sampled at that rate.
    fn set_rate(&mut self, fps: f64);

    /// Irregularities that were found while reading, one sentence each.
    fn notes(&self) -> Vec<String>;

    /// The unit and up axis that the file or its format states. `None` where both have to be inferred.
    fn stated_space(&self) -> Option<StatedSpace> {
        None
    }

    /// Whether the file holds rotations. Where it holds positions alone, rotations are derived from them.
    fn has_rotations(&self) -> bool {
        true
    }

    /// The animated properties of each joint.
    fn tracks(&self) -> Vec<JointTracks>;

    /// The animations and skins in the file; empty for a format that holds one motion and nothing else.
    fn contents(&self) -> Contents;

    /// The meshes that follow the joints, on which the soles of the feet are found.
    fn skin_meshes(&self) -> Vec<SkinMesh> {
        Vec::new()
    }

    /// The whole motion in metres, Y up.
    fn motion(&self, space: &Space) -> Motion;

    /// The poses that inference uses, in the file's unit and axes.
    fn excerpt(&self) -> Excerpt;

    /// The whole motion in metres, Y up. `excerpt` is the one of this file, whose poses are used where it is whole.
    fn motion_of_excerpt(&self, _excerpt: Excerpt, space: &Space) -> Motion {
        self.motion(space)
    }

    /// The meshes that the joints move, for drawing; `None` for a file without any. `load_beside` loads the images that
    /// are files of their own.
    fn mesh(&self, _space: &Space, _load_beside: LoadBeside) -> Option<CharacterMesh> {
        None
    }

    /// The bytes of the file with its motion replaced: tracks that do not change are copied byte for byte.
    ///
    /// `space` must be the space that the motion was converted with.
    fn write(&self, motion: &Motion, space: &Space) -> Result<Vec<u8>, WriteError>;

    /// The plants file, as JSON, that is stored in the motion file; `None` without one.
    fn stored_plants(&self) -> Option<Vec<u8>> {
        None
    }

    /// The bytes of the file with a plants file, as JSON, stored in it.
    fn write_plants(&self, _plants: &str) -> Result<Vec<u8>, WriteError> {
        Err(WriteError::Refused(format!("{} files cannot hold plants", self.format())))
    }
}

/// The unit and up axis that a file or its format states.
#[derive(Clone, Debug, PartialEq)]
pub struct StatedSpace {
    /// Metres per unit.
    pub unit_m: f64,
    /// The axis that points up.
    pub up: UpAxis,
    /// Who states them, as a clause.
    pub reason: String,
}

/// The animated properties of a joint, in the order of the file.
pub type JointTracks = Vec<Track>;

/// An animated property of a joint. Axes are 0, 1 and 2 for X, Y and Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Track {
    /// One component of the position.
    Position(usize),
    /// The angle about one axis.
    Angle(usize),
    /// The position.
    Translation,
    /// The rotation as a whole.
    Rotation,
    /// The scale.
    Scale,
    /// Another property, which has no effect on poses.
    Other,
}

/// The animations and skins in a file.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Contents {
    /// All animations of the file.
    pub animations: Vec<Animation>,
    /// The index of the animation that was read.
    pub chosen: usize,
    /// The skins of the file.
    pub skins: Vec<Skin>,
}

/// An animation in a file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Animation {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its length in seconds.
    pub seconds: f64,
    /// The number of its tracks.
    pub tracks: usize,
}

/// A skin in a file: a mesh that follows the joints.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Skin {
    /// The name of the skin, or else of its mesh; empty if neither has one.
    pub name: String,
    /// The number of joints that it follows.
    pub joints: usize,
    /// The number of its vertices.
    pub vertices: usize,
}

/// Loads a file by its name relative to another; `None` if there is no such file.
pub type LoadBeside<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// How a file is read.
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The name of the file, by which files that belong to it are found.
    pub name: Option<&'a str>,
    /// The animation to read, by its name or its number from 0. `None` chooses the first one that moves joints.
    pub animation: Option<&'a str>,
    /// Loads a file that belongs to this one, by its name relative to this one: the buffer of a `.gltf`.
    pub load_beside: Option<LoadBeside<'a>>,
    /// What arrays do not state.
    pub arrays: Option<&'a ArrayOptions>,
}

/// What a file of arrays does not state, given by the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayOptions {
    /// The bytes of a file with the skeleton: a motion file, or a JSON or npz file with offsets and parents.
    pub skeleton: Option<Arc<[u8]>>,
    /// The joint order of positions, such as `smpl-22`.
    pub joints: Option<String>,
    /// The form of rotations, such as `xyzw`.
    pub rotations: Option<String>,
}

impl ArrayOptions {
    /// These options, completed by others where these state nothing.
    pub fn or(self, other: Self) -> Self {
        Self {
            skeleton: self.skeleton.or(other.skeleton),
            joints: self.joints.or(other.joints),
            rotations: self.rotations.or(other.rotations),
        }
    }
}

/// A motion file of any format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SourceFile {
    /// BVH.
    Bvh(Box<Bvh>),
    /// glTF 2.0.
    #[cfg(feature = "gltf")]
    Gltf(Box<Gltf>),
    /// FBX.
    #[cfg(feature = "fbx")]
    Fbx(Box<Fbx>),
    /// An Acclaim pair.
    #[cfg(feature = "acclaim")]
    Acclaim(Box<Acclaim>),
    /// NumPy arrays.
    #[cfg(feature = "arrays")]
    Arrays(Box<Arrays>),
    /// USD.
    #[cfg(feature = "usd")]
    Usd(Box<Usd>),
}

impl SourceFile {
    /// Reads a file, whose format is recognised by its content.
    #[cfg_attr(
        not(any(
            feature = "acclaim",
            feature = "arrays",
            feature = "fbx",
            feature = "gltf",
            feature = "usd"
        )),
        allow(unused_variables)
    )]
    pub fn read(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
        match Format::of(&bytes) {
            Format::Bvh => Bvh::read(bytes).map(Self::from).map_err(|error| ReadError::Bvh(Box::new(error))),
            #[cfg(feature = "gltf")]
            Format::Gltf => {
                Gltf::read(bytes, options).map(|gltf| Self::Gltf(Box::new(gltf))).map_err(ReadError::Gltf)
            }
            #[cfg(feature = "acclaim")]
            Format::AcclaimMotion => Acclaim::read(bytes, options)
                .map(|pair| Self::Acclaim(Box::new(pair)))
                .map_err(|error| ReadError::Acclaim(Box::new(error))),
            #[cfg(feature = "arrays")]
            Format::Arrays => Arrays::read(bytes, options)
                .map(|arrays| Self::Arrays(Box::new(arrays)))
                .map_err(ReadError::Arrays),
            #[cfg(feature = "fbx")]
            Format::Fbx => {
                Fbx::read(bytes, options).map(|fbx| Self::Fbx(Box::new(fbx))).map_err(ReadError::Fbx)
            }
            #[cfg(feature = "usd")]
            Format::Usd => Usd::read(bytes, options)
                .map(|usd| Self::Usd(Box::new(usd)))
                .map_err(|error| ReadError::Usd(Box::new(error))),
            format => Err(ReadError::Unsupported(format)),
        }
    }

    /// Checks that the poses of the motion are in proportion to the size of the file. Call it before
    /// [`MotionSource::motion`], and after the rate has changed.
    pub fn check_size(&self) -> Result<(), ReadError> {
        TooLarge::check(self.skeleton().len(), self.frames(), self.size()).map_err(ReadError::TooLarge)
    }

    /// The bytes of the file with its motion replaced, and the joints that were copied, for [`Self::motion_written_over`].
    pub fn write_and_list_copies(
        &self,
        motion: &Motion,
        space: &Space,
    ) -> Result<(Vec<u8>, CopiedJoints), WriteError> {
        match self {
            Self::Bvh(bvh) => bvh.write_and_list_copies(motion, space),
            #[allow(unreachable_patterns, reason = "BVH is the only format of some builds")]
            other => other.write(motion, space).map(|bytes| (bytes, CopiedJoints::default())),
        }
    }

    /// The whole motion of this file, which was made by writing `written` over `original`. Equals
    /// [`MotionSource::motion`], and does not compute again what was copied.
    pub fn motion_written_over(
        &self,
        original: &Self,
        written: Motion,
        copied: &CopiedJoints,
        space: &Space,
    ) -> Motion {
        match (self, original) {
            (Self::Bvh(bvh), Self::Bvh(original)) => {
                bvh.motion_written_over(original, written, copied, space)
            }
            #[allow(unreachable_patterns, reason = "BVH is the only format of some builds")]
            _ => self.motion(space),
        }
    }

    /// Reads bytes that [`MotionSource::write`] has made of this file: the same animation, with the same files beside.
    pub fn read_back(&self, bytes: Vec<u8>) -> Result<Self, ReadError> {
        match self {
            Self::Bvh(_) => Self::read(bytes, &ReadOptions::default()),
            #[cfg(feature = "gltf")]
            Self::Gltf(gltf) => {
                gltf.read_back(bytes).map(|gltf| Self::Gltf(Box::new(gltf))).map_err(ReadError::Gltf)
            }
            #[cfg(feature = "fbx")]
            Self::Fbx(fbx) => {
                fbx.read_back(bytes).map(|fbx| Self::Fbx(Box::new(fbx))).map_err(ReadError::Fbx)
            }
            #[cfg(feature = "acclaim")]
            Self::Acclaim(pair) => pair
                .read_back(bytes)
                .map(|pair| Self::Acclaim(Box::new(pair)))
                .map_err(|error| ReadError::Acclaim(Box::new(error))),
            #[cfg(feature = "arrays")]
            Self::Arrays(arrays) => arrays
                .read_back(bytes)
                .map(|arrays| Self::Arrays(Box::new(arrays)))
                .map_err(ReadError::Arrays),
            #[cfg(feature = "usd")]
            Self::Usd(usd) => usd
                .read_back(bytes)
                .map(|usd| Self::Usd(Box::new(usd)))
                .map_err(|error| ReadError::Usd(Box::new(error))),
        }
    }

    /// The same, for a file that is needed no longer: its memory is freed before the bytes are read.
    pub fn into_read_back(self, bytes: Vec<u8>) -> Result<Self, ReadError> {
        match self {
            Self::Bvh(bvh) => {
                drop(bvh);
                Self::read(bytes, &ReadOptions::default())
            }
            #[allow(unreachable_patterns, reason = "BVH is the only format of some builds")]
            other => other.read_back(bytes),
        }
    }

    /// The bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Bvh(bvh) => bvh.into_text(),
            #[cfg(feature = "gltf")]
            Self::Gltf(gltf) => gltf.into_bytes(),
            #[cfg(feature = "fbx")]
            Self::Fbx(fbx) => fbx.into_bytes(),
            #[cfg(feature = "acclaim")]
            Self::Acclaim(pair) => pair.into_bytes(),
            #[cfg(feature = "arrays")]
            Self::Arrays(arrays) => arrays.into_bytes(),
            #[cfg(feature = "usd")]
            Self::Usd(usd) => usd.into_bytes(),
        }
    }

    /// The BVH file, if this is one.
    pub fn as_bvh(&self) -> Option<&Bvh> {
        match self {
            Self::Bvh(bvh) => Some(bvh),
            #[allow(unreachable_patterns, reason = "BVH is the only format of some builds")]
            _ => None,
        }
    }
}

impl Default for SourceFile {
    /// A file without bytes and joints.
    fn default() -> Self {
        Self::from(Bvh::default())
    }
}

impl From<Bvh> for SourceFile {
    fn from(bvh: Bvh) -> Self {
        Self::Bvh(Box::new(bvh))
    }
}

impl Deref for SourceFile {
    type Target = dyn MotionSource;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Bvh(bvh) => &**bvh,
            #[cfg(feature = "gltf")]
            Self::Gltf(gltf) => &**gltf,
            #[cfg(feature = "fbx")]
            Self::Fbx(fbx) => &**fbx,
            #[cfg(feature = "acclaim")]
            Self::Acclaim(pair) => &**pair,
            #[cfg(feature = "arrays")]
            Self::Arrays(arrays) => &**arrays,
            #[cfg(feature = "usd")]
            Self::Usd(usd) => &**usd,
        }
    }
}

impl DerefMut for SourceFile {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Bvh(bvh) => &mut **bvh,
            #[cfg(feature = "gltf")]
            Self::Gltf(gltf) => &mut **gltf,
            #[cfg(feature = "fbx")]
            Self::Fbx(fbx) => &mut **fbx,
            #[cfg(feature = "acclaim")]
            Self::Acclaim(pair) => &mut **pair,
            #[cfg(feature = "arrays")]
            Self::Arrays(arrays) => &mut **arrays,
            #[cfg(feature = "usd")]
            Self::Usd(usd) => &mut **usd,
        }
    }
}

impl core::fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ReadOptions").field("animation", &self.animation).finish_non_exhaustive()
    }
}
