//! Any bytes as an Acclaim pair are refused, or read, inferred and written back unchanged.
//!
//! The bytes before the first zero byte are the skeleton, those after it the motion.

use surefoot_formats::Space;
use surefoot_formats::acclaim::Acclaim;
use surefoot_formats::source::{MotionSource, ReadOptions, SourceFile};
use surefoot_infer::{Overrides, infer};

use crate::round_trip;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (skeleton, motion) = (&bytes[..end], &bytes[(end + 1).min(bytes.len())..]);
    let beside = |_: &str| Some(skeleton.to_vec());
    let options = ReadOptions { load_beside: Some(&beside), ..ReadOptions::default() };
    let Ok(file) = Acclaim::read(motion.to_vec(), &options) else { return };
    infer(&file.excerpt(), &Overrides::default());
    let read = file.motion(&Space::METRES_Y_UP);
    assert!(file.write(&read, &Space::METRES_Y_UP).expect("a file accepts its own motion") == motion);
    if let Ok(file) = SourceFile::read(motion.to_vec(), &options) {
        round_trip::check(&file);
    }
}
