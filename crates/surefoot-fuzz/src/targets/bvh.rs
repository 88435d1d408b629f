//! Any bytes as a BVH file are refused, or read, inferred and written back unchanged, apart from a wrong number of frames.

use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_formats::source::{ReadOptions, SourceFile};
use surefoot_infer::{Overrides, infer};

use crate::round_trip;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(bvh) = Bvh::read(bytes.to_vec()) else { return };
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    assert!(inference.unit_m.value.is_finite() && inference.unit_m.value > 0.0);
    if let Some(floor) = &inference.floor {
        assert!(floor.value.normal.is_finite() && floor.value.offset.is_finite());
    }
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let motion = bvh.motion(&space);
    let written = bvh.write(&motion, &space).expect("a file accepts its own motion");
    assert_eq!(written, bvh.write_copy());
    // Only a wrong number of frames is corrected.
    if bvh.notes().iter().all(|note| !note.text.starts_with("Frames ")) {
        assert_eq!(written, bytes);
    }
    assert_eq!(Bvh::read(written).expect("a written file can be read").frames(), bvh.frames());
    if let Ok(file) = SourceFile::read(bytes.to_vec(), &ReadOptions::default()) {
        round_trip::check(&file);
    }
}
