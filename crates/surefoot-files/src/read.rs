//! Reads a file whole, or returns an error: never a part of it, and never a mix of two versions.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

/// Largest input without a stated length, in bytes: a pipe or a device may never end.
const LONGEST_STREAM: u64 = 4 << 30;

/// Bytes that are read at a time.
const PIECE: u64 = 1 << 20;

/// Room beside the bytes of a file. Without it the standard library looks for the end of the file with an allocation
/// that ends the process where it fails.
const SPARE: usize = 64;

/// What the disk states about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Its length in bytes; `None` for a pipe, a device and a file that does not state it.
    pub length: Option<u64>,
    /// When it was changed last, where the disk states it.
    pub modified: Option<SystemTime>,
}

/// The operations of a disk that reading needs, so that tests can make each of them fail.
pub trait ReadDisk {
    /// What the disk states about a file.
    fn stamp(&self, path: &Path) -> io::Result<FileStamp>;
    /// Opens a file.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Read>>;
}

impl ReadDisk for crate::RealDisk {
    fn stamp(&self, path: &Path) -> io::Result<FileStamp> {
        let metadata = fs::metadata(path)?;
        // Files of the system itself, as below /proc, have the length 0 and are not empty.
        let length = Some(metadata.len()).filter(|&length| metadata.is_file() && length > 0);
        Ok(FileStamp { length, modified: metadata.modified().ok() })
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(File::open(path)?))
    }
}

/// Reads all of a file. A file that ends early, or changes meanwhile, is an error.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    read_file_on(&crate::RealDisk, path, &mut |_| {})
}

/// Reads all of a file from the given disk. `progress` is called with the number of bytes so far.
pub fn read_file_on(disk: &dyn ReadDisk, path: &Path, progress: &mut dyn FnMut(u64)) -> io::Result<Vec<u8>> {
    let before = disk.stamp(path)?;
    let file = disk.open(path)?;
    let Some(length) = before.length else { return read_stream(file, progress) };
    // One byte more shows that the file has grown.
    let bytes = read_up_to(file, length, length + 1, progress)?;
    if (bytes.len() as u64) < length && disk.stamp(path)? == before {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            format!("it ended after {} of {length} bytes", bytes.len()),
        ));
    }
    match bytes.len() as u64 == length && disk.stamp(path)? == before {
        true => Ok(bytes),
        false => Err(io::Error::other("it changed while it was read")),
    }
}

/// Reads a pipe, a device or stdin to its end.
pub fn read_stream(stream: impl Read, progress: &mut dyn FnMut(u64)) -> io::Result<Vec<u8>> {
    read_stream_up_to(LONGEST_STREAM, stream, progress)
}

fn read_stream_up_to(most: u64, stream: impl Read, progress: &mut dyn FnMut(u64)) -> io::Result<Vec<u8>> {
    let bytes = read_up_to(stream, 0, most + 1, progress)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it does not end within {} MB", most >> 20),
        )),
        false => Ok(bytes),
    }
}

fn read_up_to(
    mut file: impl Read,
    expected: u64,
    most: u64,
    progress: &mut dyn FnMut(u64),
) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // The stated length may be wrong or larger than the memory.
    let too_large =
        |_| io::Error::new(io::ErrorKind::OutOfMemory, "it is too large for the available memory");
    let length = usize::try_from(expected).unwrap_or(usize::MAX).saturating_add(SPARE);
    bytes.try_reserve_exact(length).map_err(too_large)?;
    while (bytes.len() as u64) < most {
        let piece = PIECE.min(most - bytes.len() as u64);
        if expected == 0 {
            bytes.try_reserve(piece as usize + SPARE).map_err(too_large)?;
        }
        // Interrupted reads are repeated.
        if file.by_ref().take(piece).read_to_end(&mut bytes)? == 0 {
            break;
        }
        progress(bytes.len() as u64);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_without_an_end_is_refused() {
        let most = 5 << 20;
        let error = read_stream_up_to(most, io::repeat(b'x'), &mut |_| {}).unwrap_err();
        assert_eq!(error.to_string(), "it does not end within 5 MB");
        let read = read_stream_up_to(most, io::repeat(b'x').take(most), &mut |_| {});
        assert_eq!(read.map(|bytes| bytes.len() as u64).ok(), Some(most));
    }
}
