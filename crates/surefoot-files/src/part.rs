//! A file that has been written completely under a temporary name.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::attributes::{Replacement, adopt};
use crate::disk::Disk;
use crate::target::{Existing, Target};
use crate::{folder, signals};

/// The start of the name of every temporary file and journal.
pub(crate) const PREFIX: &str = ".surefoot-";
/// The end of the name of a temporary file.
pub(crate) const PART: &str = ".part";
/// The end of the name of a journal.
pub(crate) const JOURNAL: &str = ".journal";
/// The end of the second name of a file that is being overwritten.
pub(crate) const OLD: &str = ".old";

/// A complete file under a temporary name, locked as long as this value lives, then removed if it still exists.
pub(crate) struct Part<'d> {
    disk: &'d dyn Disk,
    pub path: PathBuf,
    pub target: PathBuf,
    pub existing: Existing,
    pub replacement: Replacement,
    /// Holds the lock.
    file: File,
}

impl<'d> Part<'d> {
    /// Writes the bytes of a target and flushes them to the disk.
    pub fn write(disk: &'d dyn Disk, target: &Target, bytes: &[u8]) -> io::Result<Self> {
        let mut part = Self::create(disk, target)?;
        part.append(bytes)?;
        part.sync()?;
        Ok(part)
    }

    /// Creates the empty temporary file of a target.
    pub fn create(disk: &'d dyn Disk, target: &Target) -> io::Result<Self> {
        let (path, file) = create(disk, folder(&target.path))?;
        let Target { path: name, existing } = target.clone();
        let mut part = Self { disk, path, target: name, existing, replacement: Replacement::Rename, file };
        if existing == Existing::Overwrite
            && let Ok(replaced) = fs::metadata(&part.target)
        {
            part.replacement = adopt(&part.file, &replaced);
        }
        Ok(part)
    }

    /// Writes bytes at the end.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk.write(&mut self.file, bytes)
    }

    /// Flushes the file to the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.disk.sync(&self.file)
    }
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        // The name does not exist any more if the file was renamed.
        let _ = self.disk.remove(&self.path);
        signals::forget(&self.path);
    }
}

/// Creates a locked file with a new temporary name.
pub(crate) fn create(disk: &dyn Disk, folder: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let path = folder.join(temporary_name(PART));
        signals::remember(&path);
        let file = match disk.create(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            created => created.inspect_err(|_| signals::forget(&path))?,
        };
        // Another process may find the file before it is locked, and remove it.
        match file.try_lock() {
            Ok(()) if path.exists() => return Ok((path, file)),
            Err(fs::TryLockError::Error(_)) => return Ok((path, file)), // A disk without locks.
            _ => signals::forget(&path),
        }
    }
}

/// A name that no other file has, with this ending.
pub(crate) fn temporary_name(ending: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    format!("{PREFIX}{:x}-{time:x}-{count:x}{ending}", std::process::id())
}
