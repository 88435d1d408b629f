//! Any bytes as a USD file are refused, or read, inferred and written back unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::usd::check_bytes(bytes));
