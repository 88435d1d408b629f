//! Any bytes as an Acclaim pair are refused, or read, inferred and written back unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::acclaim::check_bytes(bytes));
