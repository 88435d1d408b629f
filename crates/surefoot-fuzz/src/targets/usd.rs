//! Any bytes as a USD file are refused, or read, inferred and written back unchanged.

use surefoot_formats::Space;
use surefoot_formats::source::{MotionSource, ReadOptions, SourceFile};
use surefoot_formats::usd::Usd;
use surefoot_infer::{Overrides, infer_with_skins};

use crate::round_trip;

/// Checks one input. Layers that it names are the input itself.
pub fn check_bytes(bytes: &[u8]) {
    let beside = |_: &str| Some(bytes.to_vec());
    let options = ReadOptions { load_beside: Some(&beside), ..ReadOptions::default() };
    let Ok(file) = Usd::read(bytes.to_vec(), &options) else { return };
    infer_with_skins(&file.excerpt(), &Overrides::default(), &file.skin_meshes());
    let motion = file.motion(&Space::METRES_Y_UP);
    if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
        assert!(written == bytes, "an unchanged motion changed the file");
    }
    if let Ok(file) = SourceFile::read(bytes.to_vec(), &ReadOptions::default()) {
        round_trip::check(&file);
    }
}
