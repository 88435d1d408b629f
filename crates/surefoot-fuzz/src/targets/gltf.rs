//! Any bytes as a glTF file are refused, or read, inferred and written back unchanged.

use surefoot_formats::Space;
use surefoot_formats::gltf::Gltf;
use surefoot_formats::source::{MotionSource, ReadOptions, SourceFile};
use surefoot_infer::{Overrides, infer_with_skins};

use crate::round_trip;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(file) = Gltf::read(bytes.to_vec(), &ReadOptions::default()) else { return };
    // A few keys can be hours apart.
    if file.frames() > 10_000 {
        return;
    }
    infer_with_skins(&file.excerpt(), &Overrides::default(), &file.skin_meshes());
    let motion = file.motion(&Space::METRES_Y_UP);
    if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
        assert!(written == bytes, "an unchanged motion changed the file");
    }
    if let Ok(file) = SourceFile::read(bytes.to_vec(), &ReadOptions::default()) {
        round_trip::check(&file);
    }
}
