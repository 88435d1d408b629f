//! Any bytes as a BVH file are refused, or read, inferred and written back unchanged, apart from a wrong number of frames.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::bvh::check_bytes(bytes));
