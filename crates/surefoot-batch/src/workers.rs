//! The threads that clean clips, each with one clip at a time.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use surefoot_files::{Target, write_set};

use crate::batch::{BatchError, BatchSettings, CleanClip, output_path};
use crate::cleaned::{Cleaned, Failure, Want};
use crate::ledger::{Ledger, NewLine, SourceStamp};
use crate::memory_gate::MemoryGate;
use crate::row::Row;
use crate::work_list::Clip;

/// Bytes of files in work at a time, for each worker.
///
/// A clip takes about 8 times the size of its file in memory, so two workers with files of this size need 130 MB.
/// A file larger than all workers' share is worked on alone. Higher lets large files run side by side.
const BYTES_PER_WORKER: u64 = 8 << 20;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Clips that this run has finished.
    pub done: usize,
    /// Clips that this run has to do.
    pub total: usize,
    /// Those of them that could not be cleaned.
    pub failed: usize,
    /// Frames that this run has cleaned.
    pub frames: u64,
}

/// The workers of a run.
pub(crate) struct Workers<'a> {
    pub settings: &'a BatchSettings,
    pub ledger: &'a Ledger,
    pub clean: &'a CleanClip<'a>,
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// What the workers share.
#[derive(Default)]
struct Shared {
    next: AtomicUsize,
    done: AtomicUsize,
    failed: AtomicUsize,
    frames: AtomicU64,
    is_stopped: AtomicBool,
    error: Mutex<Option<BatchError>>,
}

impl Workers<'_> {
    /// Cleans all clips. Stops when an output cannot be written; a clip that cannot be cleaned does not stop the others.
    pub fn run(&self, clips: &[&Clip]) -> Result<(), BatchError> {
        let jobs = self.settings.jobs.max(1);
        let gate = MemoryGate::new(BYTES_PER_WORKER * jobs as u64);
        let shared = Shared::default();
        thread::scope(|scope| {
            for _ in 0..jobs.min(clips.len()) {
                scope.spawn(|| self.work(clips, &gate, &shared));
            }
        });
        shared.error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    fn work(&self, clips: &[&Clip], gate: &MemoryGate, shared: &Shared) {
        while !shared.is_stopped.load(Ordering::Relaxed) {
            let Some(clip) = clips.get(shared.next.fetch_add(1, Ordering::Relaxed)) else { return };
            match self.clean_one(clip, gate) {
                Ok(row) => (self.progress)(shared.count(&row, clips.len())),
                Err(error) => {
                    *shared.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    shared.is_stopped.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Cleans a clip, puts its file in place and then its line into the ledger.
    fn clean_one(&self, clip: &Clip, gate: &MemoryGate) -> Result<Row, BatchError> {
        let source = SourceStamp::of(&clip.path);
        let place = gate.enter(source.bytes);
        let cleaned = clean_without_panic(self.clean, clip, Want::Motion);
        let output = output_path(&self.settings.out, &clip.name);
        let (row, thumbnail, output_bytes) = match cleaned {
            Ok(Cleaned { bytes, row, thumbnail, .. }) => {
                write_file(&output, &bytes)?;
                (row, thumbnail, Some(bytes.len() as u64))
            }
            Err(failure) => {
                // A file that an earlier run could still clean would not belong to this row.
                let _ = fs::remove_file(&output);
                (Row::failed(&clip.name, &failure), String::new(), None)
            }
        };
        drop(place);
        self.ledger.append(&NewLine {
            clip: &clip.name,
            source,
            output_bytes,
            row: &row,
            thumbnail: &thumbnail,
        })?;
        Ok(row)
    }
}

impl Shared {
    fn count(&self, row: &Row, total: usize) -> Progress {
        let frames = row.number("frames").unwrap_or(0.0) as u64;
        Progress {
            done: self.done.fetch_add(1, Ordering::Relaxed) + 1,
            total,
            failed: self.failed.fetch_add(usize::from(row.is_failed()), Ordering::Relaxed)
                + usize::from(row.is_failed()),
            frames: self.frames.fetch_add(frames, Ordering::Relaxed) + frames,
        }
    }
}

/// Cleans a clip. A panic, which is a bug, costs only this clip.
pub(crate) fn clean_without_panic(clean: &CleanClip, clip: &Clip, want: Want) -> Result<Cleaned, Failure> {
    catch_unwind(AssertUnwindSafe(|| clean(clip, want)))
        .unwrap_or_else(|_| Err(Failure::new("this is a bug in surefoot: please report the file")))
}

/// Writes a file whole or not at all, into a folder that is made where it does not exist.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BatchError> {
    let target = target(path)?;
    write_set(&[(&target, bytes)]).map_err(|failed| BatchError::write(path, failed.error))
}

/// A file to write, in a folder that is made where it does not exist. The run has been allowed to overwrite its files.
pub(crate) fn target(path: &Path) -> Result<Target, BatchError> {
    let cannot = |error| BatchError::write(path, error);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    Target::check(path, surefoot_files::Existing::Overwrite).map_err(|error| cannot(error.into()))
}
