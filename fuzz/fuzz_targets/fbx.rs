//! Any bytes as an FBX file are refused, or read, inferred and written back unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::fbx::check_bytes(bytes));
