//! Any bytes as a plants file, JSON or CSV, are refused, or read, written and read again to the same plants.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::plants::check_bytes(bytes));
