//! Loads labelled motions: `walk.bvh` with `walk.contacts.csv` or `walk.plants.json` in the same folder.
//!
//! A contacts file states when each foot is down, as force plates measure it; a plants file states it for heel and
//! ball. A folder stands for all labelled motions below it.

use std::path::{Path, PathBuf};

use surefoot_core::{Clip, Leg};
use surefoot_formats::contacts::{Contacts, read_contacts};
use surefoot_formats::plants::PlantsFile;
use surefoot_train::{LabelledMotion, MotionInfo};

use crate::args::FileOptions;
use crate::input::{self, Input};
use crate::output::beside;
use crate::problem::Problem;
use crate::source::load_with_legs;

/// Loads all labelled motions in these files and folders, sorted by name.
pub fn load_labelled(data: &[PathBuf]) -> Result<Vec<LabelledMotion>, Problem> {
    let mut files = Vec::new();
    for path in data {
        let before = files.len();
        collect(path, &mut files)?;
        if files.len() == before {
            let none = format!("{} contains no labelled motions", path.display());
            return Err(Problem::new(none).help(
                "a labelled motion is walk.bvh with walk.contacts.csv or walk.plants.json in the same folder",
            ));
        }
    }
    files.sort();
    files.dedup();
    files.iter().map(|file| load_with_labels(file, &labels_of(file).unwrap_or_default())).collect()
}

/// Adds the names of the labelled motions of a file or folder.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let cannot = |error| Problem::with_file(path, "read", &error);
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_dir() {
        if labels_of(path).is_none() {
            let (csv, json) = (beside(path, "contacts.csv"), beside(path, "plants.json"));
            let missing = format!("{} has no labels in its folder", path.display());
            return Err(Problem::new(missing).help(format!(
                "expected {} or {}",
                csv.display(),
                json.display()
            )));
        }
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let is_motion = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
        if path.is_dir() || (is_motion && labels_of(&path).is_some()) {
            collect(&path, files)?;
        }
    }
    Ok(())
}

/// The labels file of a motion.
fn labels_of(motion: &Path) -> Option<PathBuf> {
    ["contacts.csv", "plants.json"]
        .map(|ending| beside(motion, ending))
        .into_iter()
        .find(|file| file.exists())
}

/// Loads a motion with its labels or plants.
pub fn load_with_labels(file: &Path, labels: &Path) -> Result<LabelledMotion, Problem> {
    let source = load_with_legs(file, &FileOptions::default())?;
    let Clip { motion, legs, floor, first_frame, .. } = source.file.clip;
    let info = info(file);
    let Input { name, bytes, .. } = input::read(labels)?;
    let wrong = |message: String| Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message);
    if labels.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        let plants = PlantsFile::read(&bytes)
            .and_then(|file| file.plants(&legs, motion.frames(), motion.fps))
            .map_err(|error| wrong(error.to_string()))?;
        let labelled = LabelledMotion::from_plants(info, motion, legs, floor, plants);
        return Ok(LabelledMotion { first_frame, ..labelled });
    }
    let table = read_contacts(&bytes, motion.frames()).map_err(|error| wrong(error.to_string()))?;
    let contacts = legs.iter().map(|leg| foot(&table, leg, motion.frames())).collect();
    if let Some(unknown) = table.feet.iter().find(|foot| legs.iter().all(|leg| leg.side != foot.side)) {
        let feet: Vec<&str> = legs.iter().map(|leg| leg.side.as_str()).collect();
        let (side, feet) = (&unknown.side, feet.join(", "));
        return Err(wrong(format!(
            "there are labels of a {side} foot, but the feet of the motion are {feet}"
        )));
    }
    Ok(LabelledMotion { info, motion, legs, floor, first_frame, contacts, plants: None })
}

/// The labels of the foot of a leg; unknown in all frames if the table does not contain it.
fn foot(contacts: &Contacts, leg: &Leg, frames: usize) -> Vec<Option<bool>> {
    contacts.of(&leg.side).map_or_else(|| vec![None; frames], <[_]>::to_vec)
}

fn info(file: &Path) -> MotionInfo {
    let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let dataset = text(file.parent().and_then(Path::file_name));
    MotionInfo::from_names(&dataset, &text(file.file_stem()))
}
