//! Any bytes as a model of the learned detector are refused, or read, written back and evaluated to probabilities.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::model::check_bytes(bytes));
