//! Any bytes as an FBX file are refused, or read, inferred and written back unchanged.

use surefoot_formats::Space;
use surefoot_formats::fbx::Fbx;
use surefoot_formats::source::{MotionSource, ReadOptions};
use surefoot_infer::{Overrides, infer_with_skins};

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(file) = Fbx::read(bytes.to_vec(), &ReadOptions::default()) else { return };
    infer_with_skins(&file.excerpt(), &Overrides::default(), &file.skin_meshes());
    let motion = file.motion(&Space::METRES_Y_UP);
    if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
        assert!(written == bytes, "an unchanged motion changed the file");
    }
}
