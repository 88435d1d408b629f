//! Feet on ground that is no plane: a tilted field, stairs as a mesh, and floors made from plants.

use surefoot::contact;
use surefoot::core::floor::Surface;
use surefoot::core::math::axis_rotation;
use surefoot::core::{Clip, Floor, FootPoint, Footplants, Leg, Motion, Plane, Vec3, WorldPose};
use surefoot::formats::Space;
use surefoot::formats::bvh::{Bvh, from_motion};
use surefoot::infer::{Overrides, infer};
use surefoot::sample::{Kind, Recipe, Skate, make};
use surefoot::solve::{CleanResult, FootRoll, Note, Report, Settings, clean};

/// What a written file may be below the floor at a point that stands, in metres.
const BELOW: f64 = 1e-4;

/// Heel, ball and toe tip of each leg in each frame.
fn feet(motion: &Motion, legs: &[Leg]) -> Vec<Vec<[Vec3; 3]>> {
    let mut placed = WorldPose::default();
    let mut feet = vec![Vec::new(); legs.len()];
    for pose in &motion.poses {
        pose.forward_kinematics(&motion.skeleton, &mut placed);
        for (feet, leg) in feet.iter_mut().zip(legs) {
            feet.push([leg.heel, leg.ball, leg.toe].map(|point| placed.point(&point)));
        }
    }
    feet
}

/// The depth of the deepest planted point and the height of the highest, and the longest way of
/// one while it stands; plants that keep a height of their own are left out.
fn planted(motion: &Motion, legs: &[Leg], plants: &Footplants, floor: &Floor, report: &Report) -> [f64; 3] {
    let feet = feet(motion, legs);
    let mut worst = [0.0f64; 3];
    for (plant, told) in plants.plants.iter().zip(&report.plants) {
        let is_off = report.notes.iter().any(|note| {
            matches!(note, Note::OffFloor { leg, point, frame, .. }
                if (*leg, *point, *frame) == (told.leg, told.point, told.frames.start))
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

/// How deep a heel, ball or toe tip is in the floor at most.
fn deepest(motion: &Motion, legs: &[Leg], floor: &Floor) -> f64 {
    feet(motion, legs).iter().flatten().flatten().map(|&point| -floor.above(point)).fold(0.0, f64::max)
}

#[test]
fn a_walk_on_a_tilted_field_is_the_walk_on_the_tilted_plane() {
    let recipe = Recipe { skate: Some(Skate::from_name("drift").unwrap()), ..Recipe::default() };
    let mut walk = make(&recipe).unwrap();
    let turn = axis_rotation(0, 0.1) * axis_rotation(2, -0.06);
    for pose in &mut walk.motion.poses {
        // A little into the floor, so that feet are lifted and toes turned up.
        pose.offsets[0] = turn * (pose.offsets[0] - Vec3::Y * 0.008);
        pose.rotations[0] = turn * pose.rotations[0];
    }
    walk.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    let plane = Plane { normal: turn * Vec3::Y, offset: 0.0 };
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
        Settings { foot_roll: FootRoll::Flat, ..Settings::default() },
        Settings { stretch_limit: 0.0, ..Settings::live() },
    ] {
        let cleaned = |floor: Floor| {
            let clip = Clip { floor: Some(floor), ..walk.clip() };
            clean(&clip, &settings).unwrap().clip.motion
        };
        let wanted = feet(&cleaned(plane.into()), &walk.legs);
        for surface in [field.clone(), mesh.clone()] {
            let found = feet(&cleaned(surface.into()), &walk.legs);
            let pairs = wanted.iter().flatten().flatten().zip(found.iter().flatten().flatten());
            let apart = pairs.map(|(one, other)| one.distance(*other)).fold(0.0, f64::max);
            assert!(apart < 1e-9, "{apart}");
        }
    }
}

#[test]
fn on_stairs_given_as_a_mesh_feet_stand_on_their_steps() {
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
        let [below, above, drift] = planted(&after, &stairs.legs, &plants, &floor, &report);
        let deep = [&stairs.motion, &after].map(|motion| deepest(motion, &stairs.legs, &floor));
        let moved = report.plants.iter().map(|plant| plant.correction_m).fold(0.0, f64::max);
        println!(
            "stairs {seed}: planted {below:.1e} below, {above:.1e} above, drift {drift:.1e}, moved {moved:.4}, any {deep:?}"
        );
        assert!(below <= BELOW && above <= BELOW && drift < 1e-5);
        // Feet that go free are out of the steps too, where a plant is near.
        assert!(deep[1] <= BELOW, "{deep:?}");
        // Noise of 4 mm at the root is some more at the feet; no step is taken for another.
        assert!(moved < 0.04, "{moved}");
    }
}

#[test]
fn on_a_floor_made_from_its_plants_a_capture_stands_as_captured() {
    let files = surefoot_testdata::files("bvh/cmu", ".bvh").into_iter();
    let is_uneven = |path: &std::path::PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("36_"))
    };
    for path in files.filter(is_uneven) {
        let bvh = Bvh::read(std::fs::read(&path).unwrap()).unwrap();
        let found = infer(&bvh.excerpt(), &Overrides::default());
        let space = Space { unit_m: found.unit_m.value, up: found.up.value };
        let legs = space.legs_from_file(&found.legs.unwrap().value);
        let mut motion = bvh.motion(&space);
        // The T-pose that a program put there is nobody's.
        motion.poses.remove(0);
        let plane = Floor::from(space.plane_from_file(found.floor.unwrap().value));
        let plants = contact::detect(&motion, &legs, Some(&plane), &contact::Settings::default());
        let made = Floor::from_plants(&motion, &legs, &plants, 0).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for (what, floor) in [("plane", &plane), ("plants", &made)] {
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
            let mut none = report.clone();
            none.notes.clear();
            let before = planted(&motion, &legs, &plants, floor, &none);
            let [below, above, drift] = planted(&after, &legs, &plants, floor, &report);
            let all = planted(&after, &legs, &plants, floor, &none);
            let deep = [&motion, &after].map(|motion| 1e3 * deepest(motion, &legs, floor));
            println!(
                "{name} on {what}: {off} of {} plants off it; mm before → after: planted below {:.1} → {:.4} \
                 ({:.1} with those off it), above {:.1} → {:.4} ({:.1}), drift {:.1} → {:.6}, any point below \
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
                deep[0],
                deep[1],
            );
            assert!(below <= BELOW, "{name} on {what}: {below}");
            if what == "plants" {
                assert!(off * 20 <= plants.plants.len(), "{name}: {off} plants off a floor made from them");
                assert!(above <= BELOW, "{name}: {above}");
            }
        }
    }
}
