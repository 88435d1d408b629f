//! Labelled motions: `walk.bvh` with `walk.contacts.csv` or `walk.plants.json` in the same folder.
//!
//! A contacts file states when each foot is down, as force plates measure it; a plants file states it for heel and
//! ball. A folder stands for all labelled motions below it. The labels may also be in another folder.

use core::fmt;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use surefoot_core::{Clip, Leg};
use surefoot_formats::contacts::{Contacts, read_contacts};
use surefoot_formats::plants::PlantsFile;
use surefoot_train::{LabelledMotion, MotionInfo};

/// A motion file and its labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelledFile {
    /// The motion file.
    pub motion: PathBuf,
    /// The contacts file or plants file.
    pub labels: PathBuf,
}

/// Why labelled motions could not be found.
#[derive(Debug)]
pub enum LabelledFilesError {
    /// A file or folder could not be read.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The reason given by the operating system.
        error: std::io::Error,
    },
    /// There are no labelled motions in this folder.
    NoMotions(PathBuf),
    /// A motion has no labels in its folder.
    NoLabels {
        /// The motion.
        path: PathBuf,
        /// The names of labels that it could have.
        expected: [PathBuf; 2],
    },
}

impl fmt::Display for LabelledFilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NoMotions(path) => write!(f, "{} contains no labelled motions", path.display()),
            Self::NoLabels { path, .. } => write!(f, "{} has no labels in its folder", path.display()),
        }
    }
}

impl std::error::Error for LabelledFilesError {}

/// Finds all labelled motions in these files and folders, sorted by name. The labels of a motion are beside it or, with
/// the same name, anywhere below the folders of `labels`.
pub fn find_labelled_files(
    data: &[PathBuf],
    labels: &[PathBuf],
) -> Result<Vec<LabelledFile>, LabelledFilesError> {
    let mut search = Search::default();
    labels.iter().try_for_each(|folder| search.collect_labels(folder))?;
    for path in data {
        let before = search.files.len();
        search.collect(path)?;
        if search.files.len() == before {
            return Err(LabelledFilesError::NoMotions(path.clone()));
        }
    }
    search.files.sort();
    search.files.dedup();
    Ok(search.files)
}

/// The labelled motions that were found, and the labels in other folders by the names of their files.
#[derive(Default)]
struct Search {
    files: Vec<LabelledFile>,
    labels: BTreeMap<OsString, PathBuf>,
}

impl Search {
    /// Adds the labels of a folder.
    fn collect_labels(&mut self, folder: &Path) -> Result<(), LabelledFilesError> {
        for path in paths_in(folder)? {
            match path.file_name() {
                _ if path.is_dir() => self.collect_labels(&path)?,
                Some(name) => drop(self.labels.insert(name.to_owned(), path.clone())),
                None => {}
            }
        }
        Ok(())
    }

    /// Adds the labelled motions of a file or folder.
    fn collect(&mut self, path: &Path) -> Result<(), LabelledFilesError> {
        let metadata = std::fs::metadata(path).map_err(|error| cannot_read(path, error))?;
        if !metadata.is_dir() {
            let Some(labels) = self.labels_of(path) else {
                let expected = possible_labels(path);
                return Err(LabelledFilesError::NoLabels { path: path.to_owned(), expected });
            };
            self.files.push(LabelledFile { motion: path.to_owned(), labels });
            return Ok(());
        }
        for path in paths_in(path)? {
            let is_motion = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
            if path.is_dir() || (is_motion && self.labels_of(&path).is_some()) {
                self.collect(&path)?;
            }
        }
        Ok(())
    }

    fn labels_of(&self, motion: &Path) -> Option<PathBuf> {
        let possible = possible_labels(motion);
        let beside = possible.iter().find(|file| file.exists()).cloned();
        beside.or_else(|| possible.iter().find_map(|file| self.labels.get(file.file_name()?).cloned()))
    }
}

fn cannot_read(path: &Path, error: std::io::Error) -> LabelledFilesError {
    LabelledFilesError::Io { path: path.to_owned(), error }
}

/// The files and folders in a folder.
fn paths_in(folder: &Path) -> Result<Vec<PathBuf>, LabelledFilesError> {
    let entries = std::fs::read_dir(folder).map_err(|error| cannot_read(folder, error))?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| cannot_read(folder, error))).collect()
}

/// The names that the labels of a motion can have.
fn possible_labels(motion: &Path) -> [PathBuf; 2] {
    ["contacts.csv", "plants.json"].map(|ending| motion.with_extension(ending))
}

/// A motion with the labels in the bytes of a contacts file or plants file.
///
/// `clip` is that of the motion file, with its legs. A message about one place in the labels starts with its line.
pub fn labelled_motion(
    file: &Path,
    clip: Clip,
    labels: &Path,
    bytes: &[u8],
) -> Result<LabelledMotion, String> {
    let Clip { motion, legs, floor, first_frame, .. } = clip;
    let info = info(file, labels);
    if labels.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        let plants = PlantsFile::read_for(bytes, motion.frames())
            .and_then(|file| file.plants(&legs, motion.frames(), motion.fps))
            .map_err(|error| error.to_string())?;
        let labelled = LabelledMotion::from_plants(info, motion, legs, floor, plants);
        return Ok(LabelledMotion { first_frame, ..labelled });
    }
    let table = read_contacts(bytes, motion.frames()).map_err(|error| error.to_string())?;
    let contacts = legs.iter().map(|leg| foot(&table, leg, motion.frames())).collect();
    if let Some(unknown) = table.feet.iter().find(|foot| legs.iter().all(|leg| leg.side != foot.side)) {
        let feet: Vec<&str> = legs.iter().map(|leg| leg.side.as_str()).collect();
        let (side, feet) = (&unknown.side, feet.join(", "));
        return Err(format!("there are labels of a {side} foot, but the feet of the motion are {feet}"));
    }
    Ok(LabelledMotion { info, motion, legs, floor, first_frame, contacts, plants: None })
}

/// The labels of the foot of a leg; unknown in all frames if the table does not contain it.
fn foot(contacts: &Contacts, leg: &Leg, frames: usize) -> Vec<Option<bool>> {
    contacts.of(&leg.side).map_or_else(|| vec![None; frames], <[_]>::to_vec)
}

/// Person and action, by the name of the file and of the folder with its labels.
fn info(file: &Path, labels: &Path) -> MotionInfo {
    let text = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let dataset = text(labels.parent().and_then(Path::file_name));
    MotionInfo::from_names(&dataset, &text(file.file_stem()))
}
