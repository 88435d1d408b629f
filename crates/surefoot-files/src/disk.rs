//! The operations on files that writing a set needs, so that tests can make each of them fail.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The operations of a disk. Each can fail, and leaves the disk as it was if it fails, apart from a torn write.
pub trait Disk {
    /// Creates a file that must not exist.
    fn create(&self, path: &Path) -> io::Result<File>;
    /// Writes all bytes at the current position.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;
    /// Flushes a file to the disk.
    fn sync(&self, file: &File) -> io::Result<()>;
    /// Renames a file, which replaces another one.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames a file. A file that exists is an error.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file a second name.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Opens an existing file for writing in place.
    fn open(&self, path: &Path) -> io::Result<File>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The disk of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn create(&self, path: &Path) -> io::Result<File> {
        // Mode 0666 before the umask, as for any new file.
        File::options().read(true).write(true).create_new(true).open(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        let from = tempfile::TempPath::try_from_path(from)?;
        from.persist_noclobber(to).map_err(|failed| {
            // The file stays where it is; its owner removes it.
            let _ = failed.path.keep();
            failed.error
        })
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        File::options().read(true).write(true).open(path)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}
