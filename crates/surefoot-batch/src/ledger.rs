//! The ledger: one line of JSON for each finished clip, appended when its file is in place.
//!
//! A kill can cut the last line short. Such a line is removed on the next start, and its clip is cleaned again. The
//! line of a clip counts only while its source and its output have the sizes that the line states, and the source its
//! time of change, so that changed sources are cleaned again and files lost in a power failure are found.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::batch::{BatchError, Existing};
use crate::row::Row;
use crate::shard::Shard;
use crate::work_list::Clip;

/// The folder of the ledgers below the output folder.
pub(crate) const FOLDER: &str = ".surefoot";

/// Size and time of change of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceStamp {
    pub bytes: u64,
    modified_ns: u64,
}

impl SourceStamp {
    /// The stamp of a file; zeros for one that cannot be read.
    pub fn of(path: &Path) -> Self {
        let Ok(metadata) = fs::metadata(path) else { return Self::default() };
        let modified = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self { bytes: metadata.len(), modified_ns: modified.map_or(0, |time| time.as_nanos() as u64) }
    }
}

/// The first line of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    surefoot: String,
    version: String,
    settings: String,
}

impl Header {
    fn new(settings: &str) -> Self {
        let version = env!("CARGO_PKG_VERSION").into();
        Self { surefoot: "batch/1".into(), version, settings: settings.into() }
    }
}

/// A line about a finished clip.
#[derive(Serialize)]
pub(crate) struct NewLine<'a> {
    pub clip: &'a str,
    pub source: SourceStamp,
    /// The size of the clean file; `None` for a clip that failed.
    pub output_bytes: Option<u64>,
    pub row: &'a Row,
    pub thumbnail: &'a str,
}

/// The parts of a line that decide whether a clip is finished.
#[derive(Deserialize)]
struct LineHead {
    clip: String,
    source: SourceStamp,
    output_bytes: Option<u64>,
}

/// A line with its row.
#[derive(Deserialize)]
struct WholeLine {
    row: Map<String, Value>,
    thumbnail: String,
}

/// The ledger that this run appends to.
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
    header: Header,
    file: Mutex<File>,
}

impl Ledger {
    /// Opens the ledger of a run, and locks it against a second run.
    pub fn open(
        folder: &Path,
        shard: Option<Shard>,
        existing: Existing,
        settings: &str,
    ) -> Result<Self, BatchError> {
        let header = Header::new(settings);
        let path = folder.join(shard.map_or("ledger.jsonl".into(), ledger_name));
        let cannot = |error| BatchError::write(&path, error);
        if existing == Existing::Overwrite && shard.is_none() {
            for ledger in ledger_files(folder) {
                fs::remove_file(&ledger).map_err(|error| BatchError::write(&ledger, error))?;
            }
        }
        let file = OpenOptions::new().create(true).append(true).read(true).open(&path).map_err(cannot)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(BatchError::Running(path)),
            // A file system without locks: the user has to take care.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        if existing == Existing::Overwrite {
            file.set_len(0).map_err(cannot)?;
        }
        let ledger = Self { path: path.clone(), header, file: Mutex::new(file) };
        ledger.continue_after_last_line(existing)?;
        Ok(ledger)
    }

    /// Removes a line that was cut short, and writes the header of a new ledger.
    fn continue_after_last_line(&self, existing: Existing) -> Result<(), BatchError> {
        let cannot = |error| BatchError::write(&self.path, error);
        let complete = scan(&self.path, |_, _| {}).map_err(cannot)?;
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match complete.header {
            Some(_) if existing == Existing::Keep => Err(BatchError::Exists(self.path.clone())),
            Some(header) if header != self.header => Err(BatchError::OtherSettings(self.path.clone())),
            Some(_) => file.set_len(complete.bytes).map_err(cannot),
            None => file.set_len(0).and_then(|()| write_line(&mut *file, &self.header)).map_err(cannot),
        }
    }

    /// Appends the line of a finished clip.
    pub fn append(&self, line: &NewLine) -> Result<(), BatchError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        write_line(&mut *file, line).map_err(|error| BatchError::write(&self.path, error))
    }

    /// Rewrites the ledger in the order of the clips, so that it does not depend on the order in which they finished.
    pub fn sort(&self, clips: &[&Clip], lines: &mut Lines) -> Result<(), BatchError> {
        let cannot = |error| BatchError::write(&self.path, error);
        let part = self.path.with_extension("part");
        let mut sorted = io::BufWriter::new(File::create(&part).map_err(cannot)?);
        write_line(&mut sorted, &self.header).map_err(cannot)?;
        for clip in clips {
            sorted.write_all(&lines.bytes(&clip.name)?).map_err(cannot)?;
        }
        sorted.flush().and_then(|()| fs::rename(&part, &self.path)).map_err(cannot)
    }
}

/// Writes a value as one line, in one call, so that lines of several threads never mix.
fn write_line(file: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

fn ledger_name(shard: Shard) -> String {
    format!("ledger-{}.jsonl", shard.file_name())
}

/// All ledgers of an output folder: those of its shards and of the whole corpus.
fn ledger_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    paths.retain(|path| name(path).starts_with("ledger") && name(path).ends_with(".jsonl"));
    paths.sort();
    paths
}

/// The complete lines of a ledger.
struct Complete {
    header: Option<Header>,
    /// The length of the file without a line that was cut short.
    bytes: u64,
}

/// Calls `line` with the place and head of every line. Lines that are not complete JSON are passed over.
fn scan(path: &Path, mut line: impl FnMut((u64, usize), LineHead)) -> io::Result<Complete> {
    let mut file = BufReader::new(File::open(path)?);
    let mut complete = Complete { header: None, bytes: 0 };
    let mut text = Vec::new();
    while file.read_until(b'\n', &mut text)? > 0 && text.ends_with(b"\n") {
        if complete.header.is_none() {
            complete.header = serde_json::from_slice(&text).ok();
        } else if let Ok(head) = serde_json::from_slice(&text) {
            line((complete.bytes, text.len()), head);
        }
        complete.bytes += text.len() as u64;
        text.clear();
    }
    Ok(complete)
}

/// The newest line of every clip, in all ledgers of a folder.
#[derive(Debug)]
pub(crate) struct Lines {
    files: Vec<(PathBuf, File)>,
    entries: HashMap<String, Entry>,
}

/// Where a line is, and what it states.
#[derive(Clone, Copy, Debug)]
struct Entry {
    file: usize,
    offset: u64,
    length: usize,
    source: SourceStamp,
    output_bytes: Option<u64>,
}

impl Lines {
    /// Reads the places of all lines. Ledgers of other settings are left out.
    pub fn read(folder: &Path, settings: &str) -> Result<Self, BatchError> {
        let mut lines = Self { files: Vec::new(), entries: HashMap::new() };
        let expected = Header::new(settings);
        for path in ledger_files(folder) {
            let cannot = |error| BatchError::Read { path: path.clone(), error };
            let (file, mut found) = (lines.files.len(), Vec::new());
            let complete = scan(&path, |(offset, length), LineHead { clip, source, output_bytes }| {
                found.push((clip, Entry { file, offset, length, source, output_bytes }));
            });
            if complete.map_err(cannot)?.header.as_ref() == Some(&expected) {
                lines.entries.extend(found);
                lines.files.push((path.clone(), File::open(&path).map_err(cannot)?));
            }
        }
        Ok(lines)
    }

    /// Whether a clip was cleaned, from the source as it is now, into the file as it is now. Clips that failed are
    /// tried again.
    pub fn is_finished(&self, clip: &Clip, output: &Path) -> bool {
        let Some(entry) = self.entries.get(&clip.name) else { return false };
        let output = fs::metadata(output).map(|metadata| metadata.len()).ok();
        output.is_some() && output == entry.output_bytes && entry.source == SourceStamp::of(&clip.path)
    }

    /// The row and the drawing of a clip.
    pub fn row(&mut self, name: &str) -> Result<(Row, String), BatchError> {
        let bytes = self.bytes(name)?;
        let line: WholeLine = serde_json::from_slice(&bytes).map_err(|_| self.no_line(name))?;
        Ok((Row::from_json(&line.row), line.thumbnail))
    }

    /// The line of a clip.
    fn bytes(&mut self, name: &str) -> Result<Vec<u8>, BatchError> {
        let Some(&Entry { file, offset, length, .. }) = self.entries.get(name) else {
            return Err(self.no_line(name));
        };
        let (path, file) = &mut self.files[file];
        let mut bytes = vec![0; length];
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| BatchError::Read { path: path.clone(), error })?;
        Ok(bytes)
    }

    fn no_line(&self, name: &str) -> BatchError {
        let path = self.files.first().map_or_else(PathBuf::new, |(path, _)| path.clone());
        BatchError::Read { path, error: io::Error::other(format!("the line of {name} is missing")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cleaned::Failure;

    fn append(ledger: &Ledger, clip: &str) {
        let row = Row::failed(clip, &Failure::new("why"));
        let line =
            NewLine { clip, source: SourceStamp::default(), output_bytes: None, row: &row, thumbnail: "" };
        ledger.append(&line).unwrap();
    }

    fn open(folder: &Path, existing: Existing, settings: &str) -> Result<Ledger, BatchError> {
        Ledger::open(folder, None, existing, settings)
    }

    #[test]
    fn a_ledger_that_was_cut_anywhere_keeps_its_complete_lines() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = open(folder.path(), Existing::Keep, "s").unwrap();
        ["a", "b", "c"].iter().for_each(|clip| append(&ledger, clip));
        drop(ledger);
        let path = folder.path().join("ledger.jsonl");
        let whole = fs::read(&path).unwrap();
        // Every place within a line is alike; the ends of lines are not.
        let ends: Vec<usize> = (0..whole.len()).filter(|&end| whole[end] == b'\n').collect();
        for length in
            ends.into_iter().flat_map(|end| [end - 9, end, end + 1, end + 2]).chain([0, whole.len()])
        {
            let length = length.min(whole.len());
            fs::write(&path, &whole[..length]).unwrap();
            let ledger = open(folder.path(), Existing::Resume, "s").unwrap();
            append(&ledger, "d");
            drop(ledger);
            let lines = Lines::read(folder.path(), "s").unwrap();
            let complete = whole[..length].iter().filter(|byte| **byte == b'\n').count().saturating_sub(1);
            assert_eq!(lines.entries.len(), complete + 1, "cut at byte {length}");
            assert!(lines.entries.contains_key("d"));
        }
    }

    #[test]
    fn a_ledger_is_continued_only_if_asked_and_with_the_same_settings() {
        let folder = tempfile::tempdir().unwrap();
        drop(open(folder.path(), Existing::Keep, "s").unwrap());
        assert!(matches!(open(folder.path(), Existing::Keep, "s"), Err(BatchError::Exists(_))));
        assert!(matches!(open(folder.path(), Existing::Resume, "t"), Err(BatchError::OtherSettings(_))));
        assert!(open(folder.path(), Existing::Overwrite, "t").is_ok());
    }

    #[test]
    fn two_runs_cannot_share_a_ledger() {
        let folder = tempfile::tempdir().unwrap();
        let _first = open(folder.path(), Existing::Keep, "s").unwrap();
        assert!(matches!(open(folder.path(), Existing::Resume, "s"), Err(BatchError::Running(_))));
    }
}
