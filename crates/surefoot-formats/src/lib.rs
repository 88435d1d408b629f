//! Reads and writes motion files and the files that belong to them.
//!
//! This is the only crate that converts units and axes. Readers accept the dialects that programs
//! write and report irregularities as notes; an unreadable file is an error that states where, what was
//! found and what was expected. Writers copy everything that did not change byte for byte. All
//! functions work on bytes in memory; none opens a file.

mod excerpt;
mod ground;
#[cfg(any(feature = "arrays", feature = "usd"))]
mod half;
mod json;
mod json_lines;
#[cfg(any(feature = "fbx", feature = "gltf"))]
mod node_joints;
#[cfg(any(feature = "fbx", feature = "gltf", feature = "usd"))]
mod node_transforms;
#[cfg(any(feature = "fbx", feature = "gltf"))]
mod skin_budget;
#[cfg(feature = "acclaim")]
pub mod acclaim;
#[cfg(feature = "arrays")]
pub mod arrays;
pub mod bvh;
pub mod c3d;
pub mod contacts;
#[cfg(feature = "fbx")]
pub mod fbx;
pub mod floor;
#[cfg(feature = "gltf")]
pub mod gltf;
pub mod goals;
pub mod mesh;
pub mod path;
pub mod plants;
pub mod rig;
pub mod source;
pub mod space;
pub mod stream;
#[cfg(feature = "usd")]
pub mod usd;
#[cfg(any(feature = "arrays", feature = "usd"))]
#[cfg_attr(
    not(feature = "arrays"),
    allow(dead_code, reason = "only archives of arrays are unpacked and created")
)]
mod zip;

pub use excerpt::excerpt_frames;
pub use source::{SourceFile, WriteError};
pub use space::Space;
