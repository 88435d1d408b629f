//! Completes the sets of processes that were killed, and removes their temporary files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::commit::copy;
use crate::disk::{Disk, RealDisk};
use crate::journal::{self, Entry, Step};
use crate::part::{JOURNAL, OLD, PART, PREFIX, create};

/// Most names of a folder that are looked at: a folder of a million files is not read for what a kill may have left.
const MOST_NAMES: usize = 100_000;

/// Largest journal, in bytes. A set has a handful of files.
const LONGEST_JOURNAL: u64 = 1 << 20;

/// Completes the sets in a folder whose process was killed, and removes the temporary files of processes that are gone.
///
/// Files of other users and files in use are left alone. Errors are ignored: what cannot be cleaned up now does no harm.
pub fn recover(folder: &Path) {
    let left = leftovers(folder);
    if left.is_empty() {
        return;
    }
    let Some(owner) = Owner::of_this_process(folder) else { return };
    let with_ending = |ending: &'static str| left.iter().filter(move |path| has_ending(path, ending));
    for path in with_ending(JOURNAL) {
        if let Some(_lock) = owner.lock(path) {
            complete(path, folder, &owner);
        }
    }
    for path in with_ending(PART) {
        if let Some(_lock) = owner.lock(path) {
            let _ = fs::remove_file(path);
        }
    }
    // The second name of an old file. Its set has been completed above, unless its process still works on it.
    let is_busy = left.iter().any(|path| path.exists() && !has_ending(path, OLD));
    for path in with_ending(OLD).filter(|_| !is_busy) {
        if let Some(_lock) = owner.lock(path) {
            let _ = fs::remove_file(path);
        }
    }
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(ending))
}

/// The temporary files in a folder.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let is_ours = |name: &str| {
        name.starts_with(PREFIX) && [PART, JOURNAL, OLD].iter().any(|ending| name.ends_with(ending))
    };
    let names = entries.flatten().take(MOST_NAMES);
    names
        .filter(|entry| is_ours(&entry.file_name().to_string_lossy()))
        .map(|entry| folder.join(entry.file_name()))
        .collect()
}

/// Takes the remaining steps of a journal.
fn complete(journal: &Path, folder: &Path, owner: &Owner) {
    let is_short = fs::metadata(journal).is_ok_and(|metadata| metadata.len() <= LONGEST_JOURNAL);
    let entries = fs::read_to_string(journal).ok().and_then(|text| journal::read(&text, folder));
    if let Some(entries) = entries.filter(|_| is_short) {
        entries.iter().filter(|entry| entry.part.exists()).for_each(|entry| take_step(entry, owner));
    }
    let _ = fs::remove_file(journal);
}

fn take_step(Entry { step, part, target }: &Entry, owner: &Owner) {
    if owner.lock(part).is_none() || !has_ending(part, PART) {
        return;
    }
    let taken = match step {
        Step::Rename => RealDisk.rename(part, target),
        Step::Create => RealDisk.rename_new(part, target),
        Step::Copy => copy(&RealDisk, part, target),
    };
    if taken.is_err() || *step == Step::Copy {
        let _ = fs::remove_file(part);
    }
}

/// The user of this process, who owns the files that it creates.
struct Owner(u32);

impl Owner {
    #[cfg(unix)]
    fn of_this_process(folder: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let (path, file) = create(&RealDisk, folder).ok()?;
        let owner = file.metadata().map(|metadata| Self(metadata.uid()));
        let _ = fs::remove_file(&path);
        crate::signals::forget(&path);
        owner.ok()
    }

    #[cfg(not(unix))]
    fn of_this_process(_: &Path) -> Option<Self> {
        Some(Self(0))
    }

    /// Locks a regular file of this user; `None` if it is in use or belongs to someone else.
    fn lock(&self, path: &Path) -> Option<File> {
        let metadata = fs::symlink_metadata(path).ok()?;
        if !metadata.is_file() || !self.owns(&metadata) {
            return None;
        }
        let file = File::options().read(true).open(path).ok()?;
        file.try_lock().ok()?;
        Some(file)
    }

    #[cfg(unix)]
    fn owns(&self, metadata: &fs::Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        metadata.uid() == self.0
    }

    #[cfg(not(unix))]
    fn owns(&self, _: &fs::Metadata) -> bool {
        true
    }
}
