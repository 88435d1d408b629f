//! Any bytes as a glTF file are refused, or read, inferred and written back unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::gltf::check_bytes(bytes));
