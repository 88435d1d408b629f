//! Any bytes as a C3D file are refused, or read and converted to intervals of frames.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::c3d::check_bytes(bytes));
