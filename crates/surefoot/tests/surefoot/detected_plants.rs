//! `detect` writes exactly the plants that `clean` would hold.

use std::path::Path;

use surefoot::solve::Settings;
use surefoot::{LoadOptions, MotionFile, plants_text};

#[test]
fn cleaning_with_detected_plants_gives_the_same_bytes_as_cleaning() {
    let folders = ["bvh", "labelled"].map(|folder| surefoot_testdata::files(folder, ".bvh"));
    for path in folders.into_iter().flatten() {
        let bytes = std::fs::read(&path).unwrap();
        let name = path.display().to_string();
        // Some of the files are not motions of a body with legs.
        let Ok(file) = MotionFile::from_bytes(name.clone(), bytes, &LoadOptions::default()) else { continue };
        if file.require_legs().is_err() {
            continue;
        }
        let (mut detected, mut cleaned) = (file.clone(), file.clone());
        detected.detect_plants().unwrap();
        let plants = plants_text(Path::new("plants.json"), &detected.clip);
        let mut given = file;
        given.read_plants("plants.json", plants.as_bytes()).unwrap();
        let [given, cleaned] = [&mut given, &mut cleaned]
            .map(|file| file.clean(&Settings::default()).map(|cleaned| cleaned.bytes).unwrap());
        assert!(given == cleaned, "{name}");
    }
}
