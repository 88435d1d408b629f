//! Any bytes as a stream are refused, or read, written back exactly and cleaned to finite poses.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::stream::check_bytes(bytes));
