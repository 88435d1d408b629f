//! Labelled motions from files: each with its labels, or its plants, beside it.
//!
//! `walk.contacts.csv` beside `walk.bvh` says when each foot is down, as force plates do;
//! `walk.plants.json` says it of heel and ball. A folder stands for all of these below it.

use std::path::{Path, PathBuf};

use surefoot_core::{Clip, Leg};
use surefoot_formats::contacts::{Contacts, read_contacts};
use surefoot_formats::plants::PlantsFile;
use surefoot_train::{About, Labelled};

use crate::args::FileOptions;
use crate::input::{self, Input};
use crate::output::beside;
use crate::problem::Problem;
use crate::source::load_with_legs;

/// The labelled motions in these files and folders, by name.
pub fn labelled(data: &[PathBuf]) -> Result<Vec<Labelled>, Problem> {
    let mut files = Vec::new();
    for path in data {
        let before = files.len();
        within(path, &mut files)?;
        if files.len() == before {
            let none = format!("nothing labelled in {}", path.display());
            return Err(Problem::new(none)
                .help("a labelled motion is walk.bvh with walk.contacts.csv or walk.plants.json beside it"));
        }
    }
    files.sort();
    files.dedup();
    files.iter().map(|file| one(file)).collect()
}

/// Adds the labelled motions of a file or folder.
fn within(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Problem> {
    let cannot = |error| Problem::with_file(path, "read", &error);
    let metadata = std::fs::metadata(path).map_err(cannot)?;
    if !metadata.is_dir() {
        if labels_of(path).is_none() {
            let (csv, json) = (beside(path, "contacts.csv"), beside(path, "plants.json"));
            let missing = format!("{} has no labels beside it", path.display());
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
            within(&path, files)?;
        }
    }
    Ok(())
}

/// The labels beside a motion.
fn labels_of(motion: &Path) -> Option<PathBuf> {
    ["contacts.csv", "plants.json"]
        .map(|ending| beside(motion, ending))
        .into_iter()
        .find(|file| file.exists())
}

fn one(file: &Path) -> Result<Labelled, Problem> {
    let labels = labels_of(file).unwrap_or_default();
    with_labels(file, &labels)
}

/// A motion with the labels, or the plants, in another file.
pub fn with_labels(file: &Path, labels: &Path) -> Result<Labelled, Problem> {
    let source = load_with_legs(file, &FileOptions::default())?;
    let Clip { motion, legs, floor, first_frame, .. } = source.file.clip;
    let about = about(file);
    let Input { name, bytes, .. } = input::read(labels)?;
    let wrong = |said: String| Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &said);
    if labels.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json")) {
        let plants = PlantsFile::read(&bytes)
            .and_then(|file| file.plants(&legs, motion.frames(), motion.fps))
            .map_err(|error| wrong(error.to_string()))?;
        let labelled = Labelled::from_plants(about, motion, legs, floor, plants);
        return Ok(Labelled { first_frame, ..labelled });
    }
    let contacts = read_contacts(&bytes, motion.frames()).map_err(|error| wrong(error.to_string()))?;
    let down = legs.iter().map(|leg| foot(&contacts, leg, motion.frames())).collect();
    if let Some(stranger) = contacts.feet.iter().find(|foot| legs.iter().all(|leg| leg.side != foot.side)) {
        let feet: Vec<&str> = legs.iter().map(|leg| leg.side.as_str()).collect();
        let (side, feet) = (&stranger.side, feet.join(", "));
        return Err(wrong(format!("labels a {side} foot, but the motion's feet are {feet}")));
    }
    Ok(Labelled { about, motion, legs, floor, first_frame, down, points: None })
}

/// What is known of a leg's foot; nothing where the table does not name it.
fn foot(contacts: &Contacts, leg: &Leg, frames: usize) -> Vec<Option<bool>> {
    contacts.of(&leg.side).map_or_else(|| vec![None; frames], <[_]>::to_vec)
}

fn about(file: &Path) -> About {
    let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let set = text(file.parent().and_then(Path::file_name));
    About::of(&set, &text(file.file_stem()))
}
