//! Any bytes as a request to the studio are refused with a status, or have the token and come from its own page.

use surefoot_studio::server::read_head;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let mut rest = bytes;
    match read_head(&mut rest, 8123, TOKEN) {
        Ok(_) => {
            let text = String::from_utf8_lossy(bytes);
            assert!(text.contains(TOKEN));
            assert!(text.contains("127.0.0.1:8123") || text.contains("localhost:8123"));
        }
        Err(error) => assert!(error.status.starts_with('4') && !error.message.is_empty()),
    }
}
