//! Any bytes as a rig file are refused, or read to joints of the skeleton and finite numbers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::rig::check_bytes(bytes));
