//! Whether two names stand for one file.

#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};

use crate::folder;

/// What two names of one file have in common, whether or not the file exists.
#[derive(Debug, PartialEq, Eq)]
pub struct FileIdentity(Identity);

#[derive(Debug, PartialEq, Eq)]
enum Identity {
    /// The device and number of an existing file: the same for all its hard links.
    #[cfg(unix)]
    Numbers(u64, u64),
    /// The path of the folder without links, and the name in it.
    Path(PathBuf),
}

impl FileIdentity {
    /// The identity of the file with this name.
    pub fn of(name: &Path) -> Self {
        #[cfg(unix)]
        if let Ok(metadata) = fs::metadata(name) {
            use std::os::unix::fs::MetadataExt;
            return Self(Identity::Numbers(metadata.dev(), metadata.ino()));
        }
        // A link to a file that does not exist is refused later.
        let in_folder = || Some(folder(name).canonicalize().ok()?.join(name.file_name()?));
        let path = name.canonicalize().ok().or_else(in_folder);
        Self(Identity::Path(path.unwrap_or_else(|| name.to_path_buf())))
    }
}
