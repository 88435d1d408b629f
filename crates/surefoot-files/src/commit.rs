//! Gives the temporary files of a set their names: all of them, or none.
//!
//! The files of a folder that are overwritten first get a second name, by which they come back if a later step fails.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::attributes::Replacement;
use crate::disk::Disk;
use crate::journal::{self, Entry, Step};
use crate::part::{JOURNAL, OLD, Part, create, temporary_name};
use crate::target::Existing;
use crate::{WriteError, folder, signals};

/// Renames all files of a set. If one fails, those before it are undone.
pub(crate) fn commit(disk: &dyn Disk, parts: Vec<Part>) -> Result<(), WriteError> {
    // Only a rename is complete or not at all without a journal.
    let is_single = parts.len() <= 1 && parts.iter().all(|part| entry(part).step != Step::Copy);
    let journals = if is_single { Vec::new() } else { write_journals(disk, &parts)? };
    let mut done: Vec<Undo> = Vec::new();
    let mut result = Ok(());
    for part in &parts {
        match step(disk, part, parts.len() > 1) {
            Ok(undo) => done.push(undo),
            Err(error) => {
                result = Err(WriteError { path: part.target.clone(), error });
                break;
            }
        }
    }
    if result.is_err() {
        // The journal is removed first: nobody is to complete a set that is undone.
        remove_journals(disk, &journals);
        done.iter().rev().for_each(|undo| undo.run(disk));
    } else {
        done.iter().for_each(|undo| undo.forget(disk));
        remove_journals(disk, &journals);
    }
    result
}

/// A journal, locked as long as this value lives.
struct Journal {
    path: PathBuf,
    _file: File,
}

fn remove_journals(disk: &dyn Disk, journals: &[Journal]) {
    journals.iter().for_each(|journal| drop(disk.remove(&journal.path)));
}

/// Writes a journal into each folder of a set.
fn write_journals(disk: &dyn Disk, parts: &[Part]) -> Result<Vec<Journal>, WriteError> {
    let mut journals = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let own = folder(&part.target);
        if parts[..n].iter().any(|other| folder(&other.target) == own) {
            continue;
        }
        let entries: Vec<Entry> =
            parts.iter().filter(|other| folder(&other.target) == own).map(entry).collect();
        match write_journal(disk, own, &entries) {
            Ok(journal) => journals.push(journal),
            Err(error) => {
                remove_journals(disk, &journals);
                return Err(WriteError { path: part.target.clone(), error });
            }
        }
    }
    Ok(journals)
}

/// Writes a journal under its name only once it is complete: from then on the set is completed, not undone.
fn write_journal(disk: &dyn Disk, folder: &Path, entries: &[Entry]) -> io::Result<Journal> {
    let (path, mut file) = create(disk, folder)?;
    let journal = folder.join(temporary_name(JOURNAL));
    let text = journal::write(entries);
    let written = disk.write(&mut file, text.as_bytes()).and_then(|()| disk.sync(&file));
    let named = written.and_then(|()| disk.rename(&path, &journal));
    if named.is_err() {
        let _ = disk.remove(&path);
    }
    signals::forget(&path);
    named.map(|()| Journal { path: journal, _file: file })
}

fn entry(part: &Part) -> Entry {
    let step = match (part.existing, part.replacement) {
        (_, Replacement::InPlace) => Step::Copy,
        (Existing::Overwrite, _) => Step::Rename,
        (Existing::Keep, _) => Step::Create,
    };
    Entry { step, part: part.path.clone(), target: part.target.clone() }
}

/// How a step is undone.
enum Undo {
    /// A new file is removed.
    Remove(PathBuf),
    /// The old file gets its name back.
    Restore { old: PathBuf, target: PathBuf },
    /// The old bytes are written back.
    Rewrite { bytes: Vec<u8>, target: PathBuf },
    /// A file that is alone in its set is never undone.
    Nothing,
}

impl Undo {
    fn run(&self, disk: &dyn Disk) {
        let _ = match self {
            Self::Remove(target) => disk.remove(target),
            Self::Restore { old, target } => disk.rename(old, target),
            Self::Rewrite { bytes, target } => overwrite(disk, target, bytes),
            Self::Nothing => Ok(()),
        };
    }

    fn forget(&self, disk: &dyn Disk) {
        if let Self::Restore { old, .. } = self {
            let _ = disk.remove(old);
        }
    }
}

fn step(disk: &dyn Disk, part: &Part, in_set: bool) -> io::Result<Undo> {
    let target = part.target.clone();
    match entry(part).step {
        Step::Create => {
            disk.rename_new(&part.path, &target)?;
            Ok(Undo::Remove(target))
        }
        Step::Rename if in_set && target.exists() => {
            let old = folder(&target).join(temporary_name(OLD));
            match disk.link(&target, &old) {
                Ok(()) => {}
                // A disk without hard links, or a file of someone else.
                Err(error) if has_no_links(&error) => {
                    let bytes = fs::read(&target)?;
                    disk.rename(&part.path, &target)?;
                    return Ok(Undo::Rewrite { bytes, target });
                }
                Err(error) => return Err(error),
            }
            let renamed = disk.rename(&part.path, &target);
            renamed.inspect_err(|_| drop(disk.remove(&old)))?;
            Ok(Undo::Restore { old, target })
        }
        Step::Rename => disk.rename(&part.path, &target).map(|()| match in_set {
            true => Undo::Remove(target),
            false => Undo::Nothing,
        }),
        Step::Copy => {
            let old = fs::read(&target)?;
            let copied = copy(disk, &part.path, &target);
            if copied.is_err() {
                let _ = overwrite(disk, &target, &old);
            }
            copied.map(|()| Undo::Rewrite { bytes: old, target })
        }
    }
}

fn has_no_links(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied)
}

/// Overwrites a file in place with the bytes of a temporary file.
pub(crate) fn copy(disk: &dyn Disk, part: &Path, target: &Path) -> io::Result<()> {
    let mut bytes = Vec::new();
    File::open(part)?.read_to_end(&mut bytes)?;
    overwrite(disk, target, &bytes)
}

fn overwrite(disk: &dyn Disk, target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = disk.open(target)?;
    disk.write(&mut file, bytes)?;
    file.set_len(bytes.len() as u64)?;
    disk.sync(&file)
}
