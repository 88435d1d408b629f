//! Regression tests: files that made earlier versions fail are cleaned.

use surefoot::formats::Space;
use surefoot::formats::bvh::from_motion;
use surefoot::sample::{Recipe, make};
use surefoot::solve::Settings;
use surefoot::{FloorOption, LoadOptions, MotionFile};

fn clean(name: &str, bytes: Vec<u8>, options: &LoadOptions) {
    let mut file = MotionFile::from_bytes(name.into(), bytes, options).unwrap();
    let frames = file.clip.motion.frames();
    let cleaned = file.clean(&Settings::default()).unwrap();
    assert_eq!(cleaned.clip.motion.frames(), frames);
}

#[test]
fn bones_that_vanish_are_cleaned() {
    let Some(path) = surefoot_testdata::path("hostile/tiny_bones.bvh") else { return };
    clean("tiny_bones.bvh", std::fs::read(path).unwrap(), &LoadOptions::default());
}

#[test]
fn a_floor_extremely_far_away_is_accepted() {
    let walk = make(&Recipe::default()).unwrap();
    let bytes = from_motion(&walk.motion, &Space::METRES_Y_UP).unwrap();
    let at = |height| LoadOptions { floor: Some(FloorOption::Height(height)), ..LoadOptions::default() };
    for height in [1e9, -1e15] {
        clean("walk.bvh", bytes.clone(), &at(height));
    }
    // Nothing is left below a floor, and no file has positions as high as this one.
    let mut file = MotionFile::from_bytes("walk.bvh".into(), bytes, &at(1e15)).unwrap();
    let error = file.clean(&Settings::default()).unwrap_err().to_string();
    assert!(error.contains("no angle or position is this large"), "{error}");
}
