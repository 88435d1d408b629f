//! Any bytes as a goals file are refused, or read and resolved for a skeleton.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::goals::check_bytes(bytes));
