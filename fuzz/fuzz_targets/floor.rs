//! Any bytes as a floor are refused, or give a surface whose queries are consistent.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::floor::check_bytes(bytes));
