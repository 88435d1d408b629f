//! A disk that fails at every single read: a file is read whole, or the error states why not.

use std::cell::Cell;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use surefoot_files::{FileStamp, ReadDisk, read_file, read_file_on, read_stream};

/// What happens at the operation that fails.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// It fails with this reason.
    Error(ErrorKind),
    /// The file ends there, although its length is stated.
    EndsEarly,
    /// Another program cuts the file.
    Truncated,
    /// Another program appends to the file.
    Grows,
    /// Another program replaces the file by one of the same length.
    Replaced,
}

/// A file in memory that hands out a few bytes at a time. Operations are counted: stamp, open and every read.
#[derive(Clone)]
struct FaultyDisk {
    bytes: Rc<Vec<u8>>,
    fault: Fault,
    fails_at: usize,
    count: Rc<Cell<usize>>,
}

/// The file of a disk that is being read.
struct OpenFile {
    disk: FaultyDisk,
    at: usize,
}

impl FaultyDisk {
    fn new(bytes: &[u8], fault: Fault, fails_at: usize) -> Self {
        Self { bytes: Rc::new(bytes.to_vec()), fault, fails_at, count: Rc::new(Cell::new(0)) }
    }

    /// Counts an operation, and returns whether the fault has happened.
    fn operation(&self) -> io::Result<bool> {
        let now = self.count.replace(self.count.get() + 1);
        match self.fault {
            Fault::Error(kind) if now == self.fails_at => Err(kind.into()),
            _ => Ok(now >= self.fails_at),
        }
    }
}

impl ReadDisk for FaultyDisk {
    fn stamp(&self, _: &Path) -> io::Result<FileStamp> {
        let has_happened = self.operation()?;
        let length = self.bytes.len() as u64;
        let (length, seconds) = match self.fault {
            Fault::Truncated if has_happened => (length / 2, 1),
            Fault::Grows if has_happened => (length + 1000, 1),
            Fault::Replaced if has_happened => (length, 1),
            _ => (length, 0),
        };
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        Ok(FileStamp { length: Some(length), modified: Some(modified) })
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn Read>> {
        self.operation()?;
        Ok(Box::new(OpenFile { disk: self.clone(), at: 0 }))
    }
}

impl Read for OpenFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let has_happened = self.disk.operation()?;
        let length = self.disk.bytes.len();
        let end = match self.disk.fault {
            Fault::EndsEarly if has_happened => self.at,
            Fault::Truncated if has_happened => length / 2,
            Fault::Grows if has_happened => length + 1000,
            _ => length,
        };
        let count = buffer.len().min(7).min(end.saturating_sub(self.at));
        for (n, byte) in buffer[..count].iter_mut().enumerate() {
            *byte = self.disk.bytes.get(self.at + n).copied().unwrap_or(b'+');
        }
        self.at += count;
        Ok(count)
    }
}

const TEXT: &[u8] =
    b"HIERARCHY\nROOT Hips\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Xposition Yposition Zposition\n}\n";

/// The result of reading with a fault at every operation, until one that is not reached.
fn with_fault_everywhere(fault: Fault, check: impl Fn(usize, io::Result<Vec<u8>>)) {
    for fails_at in 0.. {
        let disk = FaultyDisk::new(TEXT, fault, fails_at);
        let read = read_file_on(&disk, Path::new("walk.bvh"), &mut |_| {});
        if disk.count.get() <= fails_at {
            assert_eq!(read.unwrap(), TEXT, "without a fault");
            assert!(fails_at > 10, "only {fails_at} operations");
            return;
        }
        check(fails_at, read);
    }
}

#[test]
fn a_failed_read_is_an_error_with_the_reason_of_the_disk() {
    for kind in [ErrorKind::PermissionDenied, ErrorKind::NotFound, ErrorKind::TimedOut, ErrorKind::Other] {
        with_fault_everywhere(Fault::Error(kind), |at, read| {
            assert_eq!(read.map_err(|error| error.kind()), Err(kind), "operation {at}");
        });
    }
}

#[test]
fn an_interrupted_read_is_repeated() {
    let repeated = Cell::new(0);
    with_fault_everywhere(Fault::Error(ErrorKind::Interrupted), |_, read| match read {
        Ok(bytes) => {
            assert_eq!(bytes, TEXT);
            repeated.set(repeated.get() + 1);
        }
        Err(error) => assert_eq!(error.kind(), ErrorKind::Interrupted),
    });
    // Every read, but not the other operations: two stamps and the opening of the file.
    assert!(repeated.get() >= TEXT.len() / 7, "{}", repeated.get());
}

#[test]
fn a_file_that_ends_early_is_not_taken_for_a_whole_one() {
    with_fault_everywhere(Fault::EndsEarly, |at, read| match read {
        Ok(bytes) => assert_eq!(bytes, TEXT, "operation {at}"),
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::UnexpectedEof, "operation {at}: {error}");
            assert!(error.to_string().contains(&format!("of {} bytes", TEXT.len())), "{error}");
        }
    });
}

#[test]
fn a_file_that_changes_while_it_is_read_is_not_mixed_from_two_versions() {
    for fault in [Fault::Truncated, Fault::Grows, Fault::Replaced] {
        with_fault_everywhere(fault, |at, read| match read {
            // The change came before the first operation, or the file was read whole before it.
            Ok(bytes) => assert!(bytes == TEXT || at == 0, "{fault:?} at operation {at}"),
            Err(error) => assert_eq!(error.to_string(), "it changed while it was read", "operation {at}"),
        });
        let disk = FaultyDisk::new(TEXT, fault, 5);
        assert!(read_file_on(&disk, Path::new("walk.bvh"), &mut |_| {}).is_err(), "{fault:?}");
    }
}

#[test]
fn files_pipes_and_files_of_the_system_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.bvh");
    std::fs::write(&path, TEXT).unwrap();
    assert_eq!(read_file(&path).unwrap(), TEXT);
    std::fs::write(&path, "").unwrap();
    assert_eq!(read_file(&path).unwrap(), b"");
    assert_eq!(read_stream(TEXT, &mut |_| {}).unwrap(), TEXT);
    #[cfg(target_os = "linux")]
    assert!(!read_file(Path::new("/proc/self/status")).unwrap().is_empty());
    assert_eq!(read_file(&folder.path().join("none")).unwrap_err().kind(), ErrorKind::NotFound);
}
