//! A file to write, checked before the work starts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The treatment of an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// The existing file is kept, and writing fails.
    Keep,
    /// The existing file is overwritten.
    Overwrite,
}

/// A file to write.
#[derive(Clone, Debug)]
pub struct Target {
    pub(crate) path: PathBuf,
    pub(crate) existing: Existing,
}

/// Why a file cannot be written to.
#[derive(Debug)]
#[non_exhaustive]
pub enum TargetError {
    /// The file exists, and is to be kept.
    Exists,
    /// The file exists and is write-protected, or belongs to someone else.
    WriteProtected,
    /// The file is a folder, a device or something else that a new file must not replace.
    NotAFile,
    /// The name is a link to a file that does not exist.
    DanglingLink,
    /// The file cannot be examined.
    Io(io::Error),
}

impl From<TargetError> for io::Error {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Exists => io::ErrorKind::AlreadyExists.into(),
            TargetError::WriteProtected => {
                Self::new(io::ErrorKind::PermissionDenied, "it is write-protected")
            }
            TargetError::NotAFile => Self::new(io::ErrorKind::InvalidInput, "it is not a file"),
            TargetError::DanglingLink => {
                Self::new(io::ErrorKind::InvalidInput, "it is a link to a file that does not exist")
            }
            TargetError::Io(error) => error,
        }
    }
}

impl Target {
    /// Checks a file to write. Its folder has been checked to exist.
    ///
    /// A link stands for the file that it points to.
    pub fn check(name: &Path, existing: Existing) -> Result<Self, TargetError> {
        let new = || Ok(Self { path: name.to_path_buf(), existing });
        match fs::symlink_metadata(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return new(),
            Err(error) => return Err(TargetError::Io(error)),
            Ok(_) => {}
        }
        let metadata = fs::metadata(name).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => TargetError::DanglingLink,
            _ => TargetError::Io(error),
        })?;
        if !metadata.is_file() {
            return Err(TargetError::NotAFile);
        }
        if existing == Existing::Keep {
            return Err(TargetError::Exists);
        }
        // The administrator can open every file; the mode still states what its owner wants.
        if metadata.permissions().readonly() {
            return Err(TargetError::WriteProtected);
        }
        match fs::File::options().write(true).open(name) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(TargetError::WriteProtected);
            }
            Err(error) => return Err(TargetError::Io(error)),
        }
        Ok(Self { path: name.canonicalize().map_err(TargetError::Io)?, existing })
    }

    /// The file, behind any links.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
