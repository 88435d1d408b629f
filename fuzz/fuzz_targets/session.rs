//! Any bytes as requests to a studio session: a session after edits writes what a new session writes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| surefoot_fuzz::targets::session::check_bytes(bytes));
