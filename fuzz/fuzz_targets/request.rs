//! Any bytes as a request to the studio are refused with a status, or have the token and come from its own page.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::request::check_bytes(bytes));
