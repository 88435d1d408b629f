//! Regression tests: files that made earlier versions fail are cleaned.

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

/// A person who stands on a box for long, steps down and walks away.
fn stand_on_box_then_walk() -> Vec<u8> {
    let walk = make(&Recipe { seconds: 12.0, ..Recipe::default() }).unwrap().motion;
    let mut motion = walk.clone();
    let mut on_box = walk.poses[0].clone();
    on_box.offsets[0].y += 0.5;
    motion.poses = vec![on_box; 6000];
    motion.poses.extend(walk.poses);
    from_motion(&motion, &Space::METRES_Y_UP).unwrap()
}

#[test]
fn an_inferred_floor_far_above_most_steps_is_not_used() {
    let bytes = stand_on_box_then_walk();
    let mut file = MotionFile::from_bytes("box.bvh".into(), bytes.clone(), &LoadOptions::default()).unwrap();
    let warnings = file.warnings();
    assert!(warnings.iter().any(|warning| warning.contains("is not used: feet stand")), "{warnings:?}");
    assert!(file.clip.floor.is_none());
    let before = file.clip.motion.clone();
    let cleaned = file.clean(&Settings::default()).unwrap();
    let lifted = |frame: usize| {
        let height = |motion: &surefoot::Motion| motion.poses[frame].offsets[0].y;
        (height(&cleaned.clip.motion) - height(&before)).abs()
    };
    assert!((0..before.frames()).all(|frame| lifted(frame) < 0.02));
    // A floor that the caller gives is used.
    let given = LoadOptions { floor: Some(FloorOption::Height(0.5)), ..LoadOptions::default() };
    let file = MotionFile::from_bytes("box.bvh".into(), bytes, &given).unwrap();
    assert!(
        file.clip.floor.is_some() && file.warnings().iter().all(|warning| !warning.contains("is not used"))
    );
}

#[test]
fn a_body_that_is_dragged_by_a_plant_is_noted() {
    let walk = make(&Recipe::default()).unwrap();
    let bytes = from_motion(&walk.motion, &Space::METRES_Y_UP).unwrap();
    let notes = |spot: Option<Vec3>| {
        let mut file =
            MotionFile::from_bytes("walk.bvh".into(), bytes.clone(), &LoadOptions::default()).unwrap();
        let mut plants = walk.plants.clone();
        plants.plants.iter_mut().for_each(|plant| plant.spot = None);
        plants.plants[0].spot = spot;
        file.set_plants(plants, None);
        let cleaned = file.clean(&Settings::default()).unwrap();
        let page = cleaned.report_page("walk").unwrap();
        let notes: Vec<String> = cleaned.notes.iter().map(|note| note.text.clone()).collect();
        assert_eq!(
            notes.join(" ").contains("further than a body would"),
            page.contains("further than a body would")
        );
        notes.into_iter().filter(|note| note.contains("further than a body would")).collect::<Vec<_>>()
    };
    assert!(notes(None).is_empty());
    for spot in [Vec3::new(1e6, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.5)] {
        let notes = notes(Some(spot));
        assert_eq!(notes.len(), 1, "{spot}: {notes:?}");
        assert!(notes[0].starts_with("left heel, frames 0–"), "{notes:?}");
    }
}
