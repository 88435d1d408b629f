//! Files that broke an earlier build: each is cleaned.

use surefoot::core::{Floor, Vec3};
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
fn a_floor_out_of_sight_is_accepted() {
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

/// A floor through plants of which one is as far away as a number can be: it takes bounded memory.
#[test]
fn a_floor_through_a_spot_out_of_sight_is_bounded() {
    let walk = make(&Recipe::default()).unwrap();
    for spot in [
        Vec3::X * 4e5,
        Vec3::X * 1e6,
        Vec3::Z * -1e9,
        Vec3::new(1e12, 0.0, -1e12),
        Vec3::X * 1e308,
        Vec3::splat(-1e308),
    ] {
        let mut plants = walk.plants.clone();
        plants.plants[0].spot = Some(spot);
        let floor = Floor::from_plants(&walk.motion, &walk.legs, &plants, 0).unwrap();
        assert!(floor.above(Vec3::Y).is_finite(), "{spot}");
        let Floor::Surface(surface) = &floor else { panic!("{spot}: a plane") };
        assert!(surface.triangles().count() < 3_000_000, "{spot}");
    }
}
