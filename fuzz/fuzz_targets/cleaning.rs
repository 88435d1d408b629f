//! Any bytes as edits of plants: a stream, a batch and the incremental cleaner give the same bits.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::cleaning::check_bytes(bytes));
