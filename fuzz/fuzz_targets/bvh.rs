//! Any bytes as a BVH file: read or refused, understood, and written back untouched.
#![no_main]

use libfuzzer_sys::fuzz_target;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;

fuzz_target!(|bytes: &[u8]| {
    let Ok(bvh) = Bvh::read(bytes.to_vec()) else { return };
    let excerpt = bvh.excerpt();
    assert!(excerpt.frames.len() <= bvh.frames());
    let space = Space::METRES_Y_UP;
    let motion = bvh.motion(&space);
    assert_eq!(bvh.write(&motion, &space).expect("its own motion fits"), bytes);
});
