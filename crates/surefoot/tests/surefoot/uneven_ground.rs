//! Feet on uneven ground: a tilted field, stairs as a mesh, and floors built from plants.

use surefoot::contact;
use surefoot::core::floor::Surface;
use surefoot::core::math::axis_rotation;
use surefoot::core::{Clip, Floor, FootPoint, Footplants, Leg, Motion, Plane, Vec3, WorldPose};
use surefoot::formats::Space;
use surefoot::formats::bvh::{Bvh, from_motion};
use surefoot::infer::{Overrides, infer};
use surefoot::sample::{Kind, Recipe, Skate, make};
use surefoot::solve::{CleanResult, FootRoll, Note, Report, Settings, clean};

/// Largest depth or height of a planted point in the written file, in metres.
const TOLERANCE: f64 = 1e-4;

/// Heel, ball and toe tip of each leg in each frame.
fn feet(motion: &Motion, legs: &[Leg]) -> Vec<Vec<[Vec3; 3]>> {
    let mut world = WorldPose::default();
    let mut feet = vec![Vec::new(); legs.len()];
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        for (feet, leg) in feet.iter_mut().zip(legs) {
            feet.push([leg.heel, leg.ball, leg.toe].map(|point| world.point(&point)));
        }
    }
    feet
}

/// Largest depth below the floor, height above it and drift of the planted points, in metres. Depth and height
/// leave out plants that the report lists as off the floor.
fn planted_errors(
    motion: &Motion,
    legs: &[Leg],
    plants: &Footplants,
    floor: &Floor,
    report: &Report,
) -> [f64; 3] {
    let feet = feet(motion, legs);
    let mut worst = [0.0f64; 3];
    for (plant, plant_report) in plants.plants.iter().zip(&report.plants) {
        let is_off = report.notes.iter().any(|note| {
            matches!(note, Note::OffFloor { leg, point, frame, .. }
                if (*leg, *point, *frame) == (plant_report.leg, plant_report.point, plant_report.frames.start))
        });
        let index = if plant.point == FootPoint::Heel { 0 } else { 1 };
        let first = feet[plant.leg][plant.frames.start][index];
        for frame in plant.frames.clone() {
            let point = feet[plant.leg][frame][index];
            worst[2] = worst[2].max(point.distance(first));
            if !is_off {
                let above = floor.above(point);
                worst = [worst[0].max(-above), worst[1].max(above), worst[2]];
            }
        }
    }
    worst
}

/// Largest depth of a heel, ball or toe tip below the floor, in metres.
fn deepest(motion: &Motion, legs: &[Leg], floor: &Floor) -> f64 {
    feet(motion, legs).iter().flatten().flatten().map(|&point| -floor.above(point)).fold(0.0, f64::max)
}

#[test]
fn a_tilted_field_gives_the_same_motion_as_the_tilted_plane() {
    let recipe = Recipe { skate: Some(Skate::from_name("drift").unwrap()), ..Recipe::default() };
    let mut walk = make(&recipe).unwrap();
    let rotation = axis_rotation(0, 0.1) * axis_rotation(2, -0.06);
    for pose in &mut walk.motion.poses {
        // The feet are 8 mm below the floor, so that cleaning lifts them and bends the toes up.
        pose.offsets[0] = rotation * (pose.offsets[0] - Vec3::Y * 0.008);
        pose.rotations[0] = rotation * pose.rotations[0];
    }
    walk.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    let plane = Plane { normal: rotation * Vec3::Y, offset: 0.0 };
    let height = |at: usize| {
        let (x, z) = ((at % 30) as f64 - 15.0, (at / 30) as f64 - 15.0);
        -(plane.normal.x * x + plane.normal.z * z) / plane.normal.y
    };
    let field =
        Surface::from_heights((-15.0, -15.0), (1.0, 1.0), 30, (0..900).map(height).collect()).unwrap();
    let mesh = Surface::from_triangles(field.triangles()).unwrap();
    for settings in [
        Settings::default(),
        Settings::paper(),
        Settings { roll: FootRoll::Flat, ..Settings::default() },
        Settings { stretch: Some(0.0), ..Settings::live() },
    ] {
        let cleaned = |floor: Floor| {
            let clip = Clip { floor: Some(floor), ..walk.clip() };
            clean(&clip, &settings).unwrap().clip.motion
        };
        let expected = feet(&cleaned(plane.into()), &walk.legs);
        for surface in [field.clone(), mesh.clone()] {
            let result = feet(&cleaned(surface.into()), &walk.legs);
            let pairs = expected.iter().flatten().flatten().zip(result.iter().flatten().flatten());
            let distance = pairs.map(|(one, other)| one.distance(*other)).fold(0.0, f64::max);
            assert!(distance < 1e-9, "{distance}");
        }
    }
}

#[test]
fn plants_on_stairs_given_as_a_mesh_are_on_the_steps() {
    for seed in 0..3 {
        let skate = Some(Skate::from_name("noise").unwrap());
        let stairs = make(&Recipe { kind: Kind::Stairs, skate, seed, ..Recipe::default() }).unwrap();
        let mut plants = stairs.plants.clone();
        plants.plants.iter_mut().for_each(|plant| plant.spot = None);
        let floor: Floor = Surface::from_triangles(stairs.stairs.clone()).unwrap().into();
        let clip = Clip { plants: plants.clone(), floor: Some(floor.clone()), ..stairs.clip() };
        let CleanResult { clip: after, report, .. } = clean(&clip, &Settings::default()).unwrap();
        assert_eq!(report.notes, []);
        let space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };
        let written = from_motion(&after.motion, &space).unwrap();
        let after = Bvh::read(written).unwrap().motion(&space);
        let [below, above, drift] = planted_errors(&after, &stairs.legs, &plants, &floor, &report);
        let depths = [&stairs.motion, &after].map(|motion| deepest(motion, &stairs.legs, &floor));
        let moved = report.plants.iter().map(|plant| plant.correction_m).fold(0.0, f64::max);
        println!(
            "stairs {seed}: planted {below:.1e} below, {above:.1e} above, drift {drift:.1e}, moved {moved:.4}, any point {depths:?} deep"
        );
        assert!(below <= TOLERANCE && above <= TOLERANCE && drift < 1e-5);
        // Swinging feet are not below the steps either.
        assert!(depths[1] <= TOLERANCE, "{depths:?}");
        // Noise of 4 mm at the root is larger at the feet, but much smaller than a step.
        assert!(moved < 0.04, "{moved}");
    }
}

#[test]
fn plants_of_a_capture_are_on_the_floor_built_from_them() {
    let files = surefoot_testdata::files("bvh/cmu", ".bvh").into_iter();
    let is_uneven = |path: &std::path::PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("36_"))
    };
    for path in files.filter(is_uneven) {
        let bvh = Bvh::read(std::fs::read(&path).unwrap()).unwrap();
        let inference = infer(&bvh.excerpt(), &Overrides::default());
        let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
        let legs = space.legs_from_file(&inference.legs.unwrap().value);
        let mut motion = bvh.motion(&space);
        // Without the T-pose that the exporter inserted.
        motion.poses.remove(0);
        let plane = Floor::from(space.plane_from_file(inference.floor.unwrap().value));
        let plants = contact::detect(&motion, &legs, Some(&plane), &contact::Settings::default());
        let built = Floor::from_plants(&motion, &legs, &plants, 0).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (floor_name, floor) in [("plane", &plane), ("plants", &built)] {
            let clip = Clip {
                motion: motion.clone(),
                legs: legs.clone(),
                plants: plants.clone(),
                floor: Some(floor.clone()),
                ..Clip::default()
            };
            let CleanResult { clip: after, report, .. } = clean(&clip, &Settings::default()).unwrap();
            let after = after.motion;
            let off = report.notes.iter().filter(|note| matches!(note, Note::OffFloor { .. })).count();
            let mut without_notes = report.clone();
            without_notes.notes.clear();
            let before = planted_errors(&motion, &legs, &plants, floor, &without_notes);
            let [below, above, drift] = planted_errors(&after, &legs, &plants, floor, &report);
            let all = planted_errors(&after, &legs, &plants, floor, &without_notes);
            let depths = [&motion, &after].map(|motion| 1e3 * deepest(motion, &legs, floor));
            println!(
                "{name} on {floor_name}: {off} of {} plants off the floor; mm before → after: planted below {:.1} → {:.4} \
                 ({:.1} with plants off the floor), above {:.1} → {:.4} ({:.1}), drift {:.1} → {:.6}, any point below \
                 {:.1} → {:.1}",
                plants.plants.len(),
                1e3 * before[0],
                1e3 * below,
                1e3 * all[0],
                1e3 * before[1],
                1e3 * above,
                1e3 * all[1],
                1e3 * before[2],
                1e3 * drift,
                depths[0],
                depths[1],
            );
            assert!(below <= TOLERANCE, "{name} on {floor_name}: {below}");
            if floor_name == "plants" {
                assert!(off * 20 <= plants.plants.len(), "{name}: {off} plants off a floor built from them");
                assert!(above <= TOLERANCE, "{name}: {above}");
            }
        }
    }
}
