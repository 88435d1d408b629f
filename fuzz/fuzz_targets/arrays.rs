//! Any bytes as arrays are refused, or read, inferred and written back unchanged.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::arrays::check_bytes(bytes));
