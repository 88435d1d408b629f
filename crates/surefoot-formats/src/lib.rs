//! Motion files to [`Motion`](surefoot_core::Motion) and back, without harm.
//!
//! The only place that converts units and axes. Readers take what is out there and say what they
//! made of it; what cannot be meant is an error that says where, what was found and what was
//! expected. Writers change only what changed. Nothing here opens a file: bytes in, bytes out.

mod json;
mod lines;
pub mod bvh;
pub mod c3d;
pub mod contacts;
pub mod floor;
pub mod goals;
pub mod plants;
pub mod rig;
pub mod space;
pub mod stream;

pub use space::Space;
