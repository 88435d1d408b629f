//! Errors of reading and writing a motion file of any format.

use core::fmt;

use surefoot_core::{Motion, Skeleton};

use super::{Format, TooLarge};
#[cfg(feature = "acclaim")]
use crate::acclaim::AcclaimError;
#[cfg(feature = "arrays")]
use crate::arrays::ArraysError;
use crate::bvh::{BvhError, TextPosition};
#[cfg(feature = "fbx")]
use crate::fbx::FbxError;
#[cfg(feature = "gltf")]
use crate::gltf::GltfError;
#[cfg(feature = "usd")]
use crate::usd::UsdError;

/// Why a motion file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// A BVH file is wrong.
    Bvh(Box<BvhError>),
    /// An Acclaim pair is wrong, or its skeleton is missing.
    #[cfg(feature = "acclaim")]
    Acclaim(Box<AcclaimError>),
    /// The arrays of a file are wrong, or hold no motion.
    #[cfg(feature = "arrays")]
    Arrays(ArraysError),
    /// An FBX file is wrong.
    #[cfg(feature = "fbx")]
    Fbx(FbxError),
    /// A glTF file is wrong.
    #[cfg(feature = "gltf")]
    Gltf(GltfError),
    /// A USD file is wrong, or holds no animation of a skeleton.
    #[cfg(feature = "usd")]
    Usd(Box<UsdError>),
    /// The file has a format that has no joints to move, or that this program was built without.
    Unsupported(Format),
    /// The motion would take too much memory for the size of its file.
    TooLarge(TooLarge),
}

impl ReadError {
    /// The position in a text file.
    pub fn position(&self) -> Option<&TextPosition> {
        match self {
            Self::Bvh(error) => Some(&error.position),
            #[cfg(feature = "acclaim")]
            Self::Acclaim(error) => error.position.as_ref(),
            _ => None,
        }
    }

    /// What the problem is, without its position in a text file.
    pub fn problem(&self) -> String {
        match self {
            Self::Bvh(error) => error.problem.to_string(),
            #[cfg(feature = "acclaim")]
            Self::Acclaim(error) => error.problem.clone(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bvh(error) => error.fmt(f),
            #[cfg(feature = "arrays")]
            Self::Arrays(error) => error.fmt(f),
            #[cfg(feature = "fbx")]
            Self::Fbx(error) => error.fmt(f),
            #[cfg(feature = "gltf")]
            Self::Gltf(error) => error.fmt(f),
            #[cfg(feature = "usd")]
            Self::Usd(error) => error.fmt(f),
            #[cfg(feature = "acclaim")]
            Self::Acclaim(error) => error.fmt(f),
            Self::TooLarge(error) => error.fmt(f),
            Self::Unsupported(Format::C3d) => {
                write!(f, "it is a C3D file, which has markers but no joints to move")
            }
            Self::Unsupported(Format::AcclaimSkeleton) => {
                write!(f, "it is the skeleton of an Acclaim pair, expected the motion: the .amc file")
            }
            Self::Unsupported(format) => {
                write!(f, "it is a {format} file, which this build of surefoot does not read")
            }
        }
    }
}

impl core::error::Error for ReadError {}

/// Why a motion could not be written into a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The motion has another number of joints than the file.
    OtherSkeleton {
        /// Joints of the motion, or of one of its poses.
        found: usize,
        /// Joints of the file.
        expected: usize,
    },
    /// The offset or rotation of a joint is NaN or infinite.
    NotFinite {
        /// The frame, from 0.
        frame: usize,
        /// The joint's name.
        joint: String,
    },
    /// The format cannot hold the motion; the sentence says why.
    Refused(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSkeleton { found, expected } => {
                write!(f, "the motion has {found} joints, but the file has {expected}")
            }
            Self::NotFinite { frame, joint } => {
                write!(f, "frame {frame}: the offset or rotation of joint {joint:?} is not finite")
            }
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl core::error::Error for WriteError {}

/// Checks that a motion has the joints of a file, and finite numbers.
pub(crate) fn check_motion(skeleton: &Skeleton, motion: &Motion) -> Result<(), WriteError> {
    let expected = skeleton.len();
    let other = |found| Err(WriteError::OtherSkeleton { found, expected });
    if motion.skeleton.len() != expected {
        return other(motion.skeleton.len());
    }
    for (frame, pose) in motion.poses.iter().enumerate() {
        if pose.offsets.len() != expected || pose.rotations.len() != expected {
            return other(pose.offsets.len().min(pose.rotations.len()));
        }
        let is_bad = |&n: &usize| !pose.offsets[n].is_finite() || !pose.rotations[n].is_finite();
        if let Some(index) = (0..expected).find(is_bad) {
            let joint = skeleton.joints()[index].name.clone();
            return Err(WriteError::NotFinite { frame, joint });
        }
    }
    Ok(())
}
