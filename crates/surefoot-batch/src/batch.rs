//! A run over a corpus: which clips are left, the workers, and the tables at the end.

use core::fmt;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cleaned::{Cleaned, Failure, Want};
use crate::finish::{Tables, finish, report_name};
use crate::ledger::{FOLDER, Ledger, Lines};
use crate::shard::Shard;
use crate::work_list::{Clip, WorkList};
use crate::workers::{Progress, Workers};

/// The treatment of an output folder that is not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// The run is refused.
    #[default]
    Keep,
    /// The run continues where it was stopped.
    Resume,
    /// The run starts anew.
    Overwrite,
}

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct BatchSettings {
    /// The output folder.
    pub out: PathBuf,
    /// The number of clips that are worked on at a time; at least 1.
    pub jobs: usize,
    /// The part of the corpus for this run.
    pub shard: Option<Shard>,
    /// The treatment of an output folder that is not empty.
    pub existing: Existing,
    /// The table, which ends in `.parquet` or `.jsonl`; both are written, beside each other.
    /// `None` is `figures.parquet` in the output folder.
    pub table: Option<PathBuf>,
    /// The number of clips, ranked by what a person should look at, for which reports are written.
    pub reports: usize,
    /// A text that differs where the clips would be cleaned differently. A run continues only with the same.
    pub clean_settings: String,
}

/// The function that cleans one clip.
pub type CleanClip<'a> = dyn Fn(&Clip, Want) -> Result<Cleaned, Failure> + Sync + 'a;

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Clips in the table.
    pub clips: usize,
    /// Clips that could not be cleaned.
    pub failed: usize,
    /// Clips that miss a limit.
    pub limits_missed: usize,
    /// Clips with visible events.
    pub with_events: usize,
    /// Frames of all clips that were cleaned.
    pub frames: u64,
    /// Clips that an earlier run had finished.
    pub resumed: usize,
}

/// Why a run could not start or had to stop. What was finished stays finished.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// A file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// The reason given by the operating system.
        error: io::Error,
    },
    /// A ledger cannot be read.
    Read {
        /// The ledger.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// The output folder holds a run already.
    Exists(PathBuf),
    /// The output folder holds other files.
    NotEmpty(PathBuf),
    /// The run in the output folder has other settings or is of another version.
    OtherSettings(PathBuf),
    /// Another process is working on this output.
    Running(PathBuf),
}

impl BatchError {
    pub(crate) fn write(path: &Path, error: io::Error) -> Self {
        Self::Write { path: path.to_owned(), error }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write { path, error } => write!(f, "cannot write {}: {error}", path.display()),
            Self::Read { path, error } => write!(f, "cannot read {}: {error}", path.display()),
            Self::Exists(path) => write!(f, "{} exists already", path.display()),
            Self::NotEmpty(path) => write!(f, "{} is not empty", path.display()),
            Self::OtherSettings(path) => {
                write!(f, "{} was written with other settings or by another version", path.display())
            }
            Self::Running(path) => write!(f, "another process is writing {}", path.display()),
        }
    }
}

impl std::error::Error for BatchError {}

/// Cleans the clips of a work list and writes the table and the index page.
///
/// `progress` is called after every clip, from the threads of the workers.
pub fn run(
    work: &WorkList,
    settings: &BatchSettings,
    clean: &CleanClip,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Summary, BatchError> {
    let BatchSettings { out, shard, existing, clean_settings, .. } = settings;
    let folder = prepare(out, *existing)?;
    let ledger = Ledger::open(&folder, *shard, *existing, clean_settings)?;
    let clips: Vec<&Clip> = part_of(&work.clips, *shard);
    remove_leftovers(out, &clips);
    let lines = Lines::read(&folder, clean_settings)?;
    let is_left = |clip: &&&Clip| !lines.is_finished(clip, &output_path(out, &clip.name));
    let left: Vec<&Clip> = clips.iter().filter(is_left).copied().collect();
    drop(lines);
    Workers { settings, ledger: &ledger, clean, progress }.run(&left)?;
    let mut lines = Lines::read(&folder, clean_settings)?;
    ledger.sort(&clips, &mut lines)?;
    // Sorting has replaced the file that the lines were read from.
    let mut lines = Lines::read(&folder, clean_settings)?;
    let summary = finish(&clips, &mut lines, &Tables::new(settings), settings, clean)?;
    Ok(Summary { resumed: clips.len() - left.len(), ..summary })
}

/// Removes what a killed run was writing: once in every folder of clips and of their reports.
fn remove_leftovers(out: &Path, clips: &[&Clip]) {
    let folders = |clip: &&Clip| {
        [clip.name.clone(), report_name(clip)]
            .map(|name| output_path(out, &name).parent().map_or_else(|| out.to_owned(), Path::to_owned))
    };
    let folders: BTreeSet<PathBuf> = clips.iter().flat_map(folders).collect();
    folders.iter().for_each(|folder| surefoot_files::recover(folder));
}

fn part_of(clips: &[Clip], shard: Option<Shard>) -> Vec<&Clip> {
    let places = clips.iter().enumerate();
    places
        .filter(|(place, _)| shard.is_none_or(|shard| shard.contains(*place)))
        .map(|(_, clip)| clip)
        .collect()
}

/// The clean file of a clip.
pub(crate) fn output_path(out: &Path, name: &str) -> PathBuf {
    name.split('/').fold(out.to_owned(), |path, part| path.join(part))
}

/// Makes the output folder and the folder of the ledgers in it.
fn prepare(out: &Path, existing: Existing) -> Result<PathBuf, BatchError> {
    let folder = out.join(FOLDER);
    if existing == Existing::Keep && !folder.exists() && !is_empty(out) {
        return Err(BatchError::NotEmpty(out.to_owned()));
    }
    fs::create_dir_all(&folder).map_err(|error| BatchError::write(&folder, error))?;
    Ok(folder)
}

/// Whether a folder holds nothing, or does not exist.
fn is_empty(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
