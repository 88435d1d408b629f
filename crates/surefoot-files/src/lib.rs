//! Sets of files that appear whole and together, or not at all.
//!
//! [`write_set`] writes every file, and [`OpenFile`] a file piece by piece, under a temporary name beside its target
//! and flushes it to the disk (`part.rs`). If that succeeds for all files, it renames them (`commit.rs`). A set of
//! several files first gets a journal in its folder (`journal.rs`), so that a later run completes what a kill
//! interrupted; a run that was killed before has changed nothing. [`recover`] completes such sets, and removes the
//! temporary files of processes that are gone. Every operation goes through [`Disk`], which tests replace by one that
//! fails.
//!
//! [`read_file`] reads a file whole, and notices one that is cut short or changes meanwhile (`read.rs`).
//!
//! The temporary files of a living process are locked. So a process that ended in any way has released them, and no
//! process number has to be trusted.

mod attributes;
mod commit;
mod disk;
mod identity;
mod journal;
mod part;
mod read;
mod recover;
mod signals;
mod target;

use std::io;
use std::path::{Path, PathBuf};

pub use disk::{Disk, RealDisk};
pub use identity::FileIdentity;
pub use read::{FileStamp, ReadDisk, read_file, read_file_on, read_stream};
pub use recover::recover;
pub use target::{Existing, Target, TargetError};

/// Why a file could not be written. No file of its set has changed.
#[derive(Debug)]
#[non_exhaustive]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The reason. [`io::ErrorKind::AlreadyExists`] for a file that appeared since its target was checked.
    pub error: io::Error,
}

/// Writes all files, or none of them.
pub fn write_set(files: &[(&Target, &[u8])]) -> Result<(), WriteError> {
    write_set_on(&RealDisk, files)
}

/// Writes all files, or none of them, on the given disk.
pub fn write_set_on(disk: &dyn Disk, files: &[(&Target, &[u8])]) -> Result<(), WriteError> {
    signals::clean_up_on_signals();
    let mut parts = Vec::new();
    for (target, bytes) in files {
        let written = part::Part::write(disk, target, bytes);
        parts.push(written.map_err(|error| WriteError { path: target.path.clone(), error })?);
    }
    // A signal that arrives from here on waits until the set is complete.
    let _lock = signals::hold();
    commit::commit(disk, parts)
}

/// A file of a set that is written piece by piece, under a temporary name until [`commit_set`] gives it its own.
///
/// A file that is dropped before is removed.
pub struct OpenFile(part::Part<'static>);

impl OpenFile {
    /// Creates the temporary file of a target.
    pub fn create(target: &Target) -> Result<Self, WriteError> {
        signals::clean_up_on_signals();
        let created = part::Part::create(&RealDisk, target);
        created.map(Self).map_err(|error| WriteError { path: target.path.clone(), error })
    }
}

impl io::Write for OpenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.append(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Gives all files their names, or none of them.
pub fn commit_set(files: Vec<OpenFile>) -> Result<(), WriteError> {
    for OpenFile(part) in &files {
        part.sync().map_err(|error| WriteError { path: part.target.clone(), error })?;
    }
    let _lock = signals::hold();
    commit::commit(&RealDisk, files.into_iter().map(|OpenFile(part)| part).collect())
}

/// Registers a file that Ctrl-C and SIGTERM remove.
pub fn remove_on_signal(path: &Path) {
    signals::clean_up_on_signals();
    signals::remember(path);
}

/// The folder that a file is in.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
