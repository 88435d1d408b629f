//! Loads labelled motions: `walk.bvh` with `walk.contacts.csv` or `walk.plants.json` in the same folder.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::labelled::{LabelledFile, LabelledFilesError, find_labelled_files, labelled_motion};
use surefoot_train::LabelledMotion;

use crate::args::FileOptions;
use crate::input::{self, Input};
use crate::problem::Problem;
use crate::source::load_with_legs;

/// The labelled motions of `train` and `score`.
#[derive(Args, Clone, Debug)]
pub struct LabelledData {
    /// Labelled motions: walk.bvh with walk.contacts.csv or walk.plants.json in the same folder; or
    /// folders of them
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath, required = true)]
    pub data: Vec<PathBuf>,

    /// Also look for labels below this folder: walk.contacts.csv or walk.plants.json for walk.bvh in DATA
    /// [default: only beside the motions]
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub labels_from: Vec<PathBuf>,
}

/// Loads all labelled motions, sorted by name.
pub fn load_labelled(data: &LabelledData) -> Result<Vec<LabelledMotion>, Problem> {
    let files = find_labelled_files(&data.data, &data.labels_from).map_err(|error| {
        let problem = Problem::new(error.to_string());
        match error {
            LabelledFilesError::Io { path, error } => Problem::with_file(&path, "read", &error),
            LabelledFilesError::NoMotions(_) => problem.help(
                "a labelled motion is walk.bvh with walk.contacts.csv or walk.plants.json in the same folder",
            ),
            LabelledFilesError::NoLabels { expected: [csv, json], .. } => {
                problem.help(format!("expected {} or {}", csv.display(), json.display()))
            }
        }
    })?;
    files.iter().map(|LabelledFile { motion, labels }| load_with_labels(motion, labels)).collect()
}

/// Loads a motion with its labels or plants.
pub fn load_with_labels(file: &Path, labels: &Path) -> Result<LabelledMotion, Problem> {
    let source = load_with_legs(file, &FileOptions::default())?;
    let Input { name, bytes, .. } = input::read(labels)?;
    labelled_motion(file, source.file.clip, labels, &bytes)
        .map_err(|message| Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message))
}
