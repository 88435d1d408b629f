//! Any bytes as a path file, an SVG drawing or SVG path data are refused, or read and written back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::path::check_bytes(bytes));
