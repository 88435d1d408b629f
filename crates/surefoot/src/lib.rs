//! Planted feet stay put.

pub use surefoot_core as core;
pub use surefoot_formats as formats;
pub use surefoot_sample as sample;
