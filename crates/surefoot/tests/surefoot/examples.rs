//! The examples run, and do what they claim.

use std::error::Error;
use std::path::{Path, PathBuf};

use surefoot::MotionFile;
use surefoot::core::Clip;
use surefoot::formats::{Space, bvh::from_motion};
use surefoot::measure::measure;
use surefoot::sample::{Recipe, Skate, make};

#[path = "../../examples/clean_file.rs"]
mod clean_file;
#[path = "../../examples/edit_plants.rs"]
mod edit_plants;
#[path = "../../examples/measure_folder.rs"]
mod measure_folder;
#[path = "../../examples/own_detector.rs"]
mod own_detector;
#[path = "../../examples/stream_frames.rs"]
mod stream_frames;

/// The entry point of an example.
type Main = fn() -> Result<(), Box<dyn Error>>;

/// All examples. Where `main` reads the arguments of the process, the tests call `run`.
const EXAMPLES: [(&str, Main); 5] = [
    ("clean_file", clean_file::main),
    ("edit_plants", edit_plants::main),
    ("measure_folder", measure_folder::main),
    ("own_detector", own_detector::main),
    ("stream_frames", stream_frames::main),
];

#[test]
fn every_example_is_part_of_these_tests() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let names: Vec<&str> = names.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, EXAMPLES.map(|(name, _)| name));
}

/// A temporary folder with a skating walk in `walk.bvh`.
fn folder_with_walk(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let walk = make(&Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() }).unwrap();
    let text = from_motion(&walk.motion, &Space::METRES_Y_UP).unwrap();
    std::fs::write(folder.join("walk.bvh"), text).unwrap();
    folder
}

#[test]
fn a_file_is_cleaned() {
    let folder = folder_with_walk("example_clean_file");
    let clean = folder.join("walk.clean.bvh");
    clean_file::run(&folder.join("walk.bvh"), &clean).unwrap();
    // The plants are those of the motion before: in the clean one a foot at rest is planted for longer.
    let mut walk = MotionFile::load(folder.join("walk.bvh")).unwrap();
    walk.detect_plants().unwrap();
    let motion = MotionFile::load(&clean).unwrap().clip.motion;
    let drift = measure(&Clip { motion, ..walk.clip }, None).unwrap().after.drift_max_m.unwrap();
    assert!(drift < 1e-5, "{drift}");
}

#[test]
fn plants_are_edited() {
    let folder = folder_with_walk("example_edit_plants");
    edit_plants::run(&folder.join("walk.bvh"), &folder.join("walk.clean.bvh")).unwrap();
    assert!(MotionFile::load(folder.join("walk.clean.bvh")).is_ok());
}

#[test]
fn frames_are_streamed() {
    stream_frames::main().unwrap();
}

#[test]
fn another_detector_is_used() {
    own_detector::main().unwrap();
}

#[test]
fn a_folder_is_measured() {
    let folder = folder_with_walk("example_measure_folder");
    let table = measure_folder::run(&folder).unwrap();
    let drift: f64 = table.lines().nth(1).unwrap().split(',').nth(2).unwrap().parse().unwrap();
    assert!(drift > 0.01, "{table}");
}
