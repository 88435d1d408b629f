//! Pages and figures of the book that the tests compute again.

use std::path::{Path, PathBuf};

/// A file of the book.
pub fn book(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src").join(path)
}

/// Compares a text with a file; with `UPDATE_EXPECT=1` in the environment, rewrites the file.
pub fn expect_current(path: &Path, current: &str) {
    if std::fs::read_to_string(path).unwrap_or_default() == current {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_EXPECT").is_some(),
        "{} differs: run UPDATE_EXPECT=1 cargo test -p surefoot",
        path.display()
    );
    std::fs::write(path, current).unwrap();
}
