//! Any bytes as arrays are refused, or read, inferred and written back unchanged.

use surefoot_formats::Space;
use surefoot_formats::arrays::Arrays;
use surefoot_formats::source::{MotionSource, ReadOptions, SourceFile};
use surefoot_infer::{Overrides, infer};

use crate::round_trip;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(file) = Arrays::read(bytes.to_vec(), &ReadOptions::default()) else { return };
    infer(&file.excerpt(), &Overrides::default());
    let motion = file.motion(&Space::METRES_Y_UP);
    if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
        assert!(written == bytes, "an unchanged motion changed the file");
    }
    if let Ok(file) = SourceFile::read(bytes.to_vec(), &ReadOptions::default()) {
        round_trip::check(&file);
    }
}
