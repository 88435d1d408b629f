//! Plants of toe tips, pivots, and plants that hold their point partly: each is held as it promises, by every method.

use surefoot_core::{Clip, FootPoint, Hold, HoldKind, Plant, Quat, Vec3, WorldPose};
use surefoot_sample::{Kind, Recipe, Skate, make};
use surefoot_solve::{Form, IncrementalCleaner, Method, Note, Settings, clean};

use crate::fixtures::bits;

const DAMAGE: [Option<Skate>; 4] =
    [None, Some(Skate::Scale(1.1)), Some(Skate::Drift(0.02)), Some(Skate::Noise(0.002))];

fn clip(kind: Kind, skate: Option<Skate>) -> Clip {
    let mut clip = make(&Recipe { kind, skate, seconds: 6.0, ..Recipe::default() }).unwrap().into_clip();
    // Spots of the motion without damage would pull the damaged body back.
    clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    clip
}

fn methods() -> [(&'static str, Settings); 4] {
    let support = Settings { method: Method::Support, ..Settings::default() };
    [
        ("phases", Settings::default()),
        ("phases, paper", Settings::paper()),
        ("support", support),
        ("support, paper", Settings { method: Method::Support, form: Form::Paper, ..Settings::paper() }),
    ]
}

/// The positions of the point of a plant, frame by frame.
fn path(clip: &Clip, plant: &Plant) -> Vec<Vec3> {
    let point = plant.foot_point(&clip.legs).unwrap();
    let mut world = WorldPose::default();
    let position = |frame: usize| {
        clip.motion.poses[frame].forward_kinematics(&clip.motion.skeleton, &mut world);
        world.point(&point)
    };
    plant.frames.clone().map(position).collect()
}

/// The largest distance of the point of a plant from where it begins.
fn drift(clip: &Clip, plant: &Plant) -> f64 {
    let path = path(clip, plant);
    path.iter().map(|at| at.distance(path[0])).fold(0.0, f64::max)
}

#[test]
fn toe_tips_are_held_by_every_method() {
    for skate in DAMAGE {
        let before = clip(Kind::Tiptoe, skate);
        for (name, settings) in methods() {
            let result = clean(&before, &settings).unwrap();
            let reachable = |note: &&Note| matches!(note, Note::OutOfReach { .. });
            let missed = result.report.notes.iter().filter(reachable).count();
            for plant in before.plants.plants.iter().filter(|plant| plant.point == FootPoint::Toe) {
                let drift = drift(&result.clip, plant);
                assert!(drift < 1e-9 || missed > 0, "{name} {skate:?} {plant:?}: {drift}");
            }
            // The published rectification never moves the root, so a leg may not reach.
            assert!(missed == 0 || settings.form == Form::Paper, "{name} {skate:?}");
        }
    }
}

#[test]
fn a_foot_turns_about_its_pivot_as_captured_and_its_heel_keeps_its_height() {
    for skate in DAMAGE {
        let before = clip(Kind::Pivot, skate);
        for (name, settings) in methods() {
            let after = clean(&before, &settings).unwrap().clip;
            for plant in &before.plants.plants {
                let path = path(&after, plant);
                match plant.hold.kind {
                    HoldKind::Height => {
                        let heights = path.iter().map(|at| (at.y - path[0].y).abs()).fold(0.0, f64::max);
                        assert!(heights < 1e-9, "{name} {skate:?} {plant:?}: {heights}");
                        assert!(drift(&after, plant) > 0.05, "{name} {skate:?}: the heel turns");
                    }
                    _ => {
                        let drift = drift(&after, plant);
                        assert!(drift < 1e-9, "{name} {skate:?} {plant:?}: {drift}");
                    }
                }
            }
        }
    }
}

/// The turn of a foot over a plant, seen from above, in radians.
fn turn(clip: &Clip, plant: &Plant) -> f64 {
    let leg = &clip.legs[plant.leg];
    let ahead = |frame: usize| {
        let world = clip.motion.poses[frame].world(&clip.motion.skeleton);
        let foot = world.point(&leg.ball) - world.point(&leg.heel);
        Vec3::new(foot.x, 0.0, foot.z)
    };
    Quat::from_rotation_arc(ahead(plant.frames.start).normalize(), ahead(plant.frames.end - 1).normalize())
        .to_scaled_axis()
        .y
}

#[test]
fn without_a_pivot_two_planted_points_keep_the_foot_from_turning() {
    let pivot = clip(Kind::Pivot, None);
    let turning = pivot.plants.plants.iter().find(|plant| plant.hold.kind == HoldKind::Pivot).unwrap();
    let mut fixed = pivot.clone();
    fixed.plants.plants.iter_mut().for_each(|plant| plant.hold = Hold::default());
    let [captured, turns, fixed] = [
        turn(&pivot, turning),
        turn(&clean(&pivot, &Settings::default()).unwrap().clip, turning),
        turn(&clean(&fixed, &Settings::default()).unwrap().clip, turning),
    ];
    assert!(captured > 0.8 && (turns - captured).abs() < 0.01, "{captured} {turns}");
    assert!(fixed.abs() < 1e-9, "{fixed}");
}

/// A walk whose plants all have the same hold.
fn walk(hold: Hold) -> Clip {
    let mut clip = clip(Kind::Walk, Some(Skate::Scale(1.15)));
    clip.plants.plants.iter_mut().for_each(|plant| plant.hold = hold);
    clip
}

#[test]
fn strength_scales_the_correction_of_each_plant() {
    for (name, settings) in methods().into_iter().take(2) {
        let full = clean(&walk(Hold::default()), &settings).unwrap();
        for strength in [0.0, 0.5, 0.8] {
            let before = walk(Hold { kind: HoldKind::Full, strength });
            let after = clean(&before, &settings).unwrap();
            // A foot of which only one point is planted meets its promise exactly.
            let is_single = |plant: &&Plant| {
                let alone = |other: &Plant| {
                    other.leg != plant.leg
                        || other.point == plant.point
                        || other.frames.end <= plant.frames.start
                        || plant.frames.end <= other.frames.start
                };
                before.plants.plants.iter().all(alone)
            };
            let mut compared = 0;
            for (plant, report) in before.plants.plants.iter().zip(&full.report.plants) {
                let Some(spot) = report.spot else { continue };
                let limit = if is_single(&plant) { 1e-9 } else { 2e-3 };
                let (captured, now) = (path(&before, plant), path(&after.clip, plant));
                for (captured, now) in captured.iter().zip(&now) {
                    let promised = plant.hold.position(spot, *captured, before.floor.as_ref());
                    let miss = now.distance(promised);
                    assert!(miss < limit, "{name} {strength} {plant:?}: {miss}");
                    compared += 1;
                }
            }
            assert!(compared > 200, "{compared}");
        }
    }
}

#[test]
fn a_plant_of_strength_one_gives_the_bits_of_a_plain_plant() {
    for (name, settings) in methods() {
        let plain = clean(&walk(Hold::default()), &settings).unwrap().clip;
        let full = clean(&walk(Hold { kind: HoldKind::Full, strength: 1.0 }), &settings).unwrap().clip;
        assert!(plain.motion.poses.iter().zip(&full.motion.poses).all(|(a, b)| bits(a) == bits(b)), "{name}");
    }
}

#[test]
fn a_plant_that_holds_the_height_or_the_ground_leaves_the_rest_as_captured() {
    for (kind, is_held) in [(HoldKind::Height, Vec3::Y), (HoldKind::Ground, Vec3::new(1.0, 0.0, 1.0))] {
        let before = walk(Hold { kind, strength: 1.0 });
        let after = clean(&before, &Settings::default()).unwrap().clip;
        for plant in &before.plants.plants {
            let path = path(&after, plant);
            let moved = path.iter().map(|at| ((*at - path[0]) * is_held).length()).fold(0.0, f64::max);
            // The foot is rigid: of two points on the ground, the second is as near as the foot allows.
            let limit = if kind == HoldKind::Height { 1e-9 } else { 0.012 };
            assert!(moved < limit, "{kind:?} {plant:?}: {moved}");
        }
        let slides = before.plants.plants.iter().map(|plant| drift(&after, plant)).fold(0.0, f64::max);
        match kind {
            HoldKind::Height => assert!(slides > 0.02, "the feet slide as captured: {slides}"),
            _ => assert!(slides < 0.1, "{slides}"),
        }
    }
}

#[test]
fn a_toe_tip_beside_a_planted_ball_is_held_by_the_joint_of_the_toes() {
    let mut before = clip(Kind::Stand, Some(Skate::Drift(0.02)));
    let frames = before.plants.plants[0].frames.clone();
    before.plants.plants.push(Plant::new(0, FootPoint::Toe, frames));
    before.plants.sort();
    let result = clean(&before, &Settings::default()).unwrap();
    for plant in &before.plants.plants {
        let drift = drift(&result.clip, plant);
        assert!(drift < 1e-9, "{plant:?}: {drift}");
    }
    assert!(result.report.plants.iter().all(|plant| plant.spot.is_some()), "{:?}", result.report.plants);
}

#[test]
fn an_editor_gives_the_bits_of_a_complete_run_after_every_edit() {
    for kind in [Kind::Tiptoe, Kind::Pivot, Kind::Walk] {
        let mut edited = clip(kind, Some(Skate::Scale(1.1)));
        let mut cleaner = IncrementalCleaner::new(edited.clone(), &Settings::default()).unwrap();
        let holds = [
            Hold::default(),
            Hold { kind: HoldKind::Height, strength: 1.0 },
            Hold { kind: HoldKind::Pivot, strength: 0.5 },
        ];
        for (n, hold) in holds.into_iter().enumerate() {
            if n > 0 {
                let middle = edited.plants.plants.len() / 2;
                edited.plants.plants[middle].hold = hold;
            }
            cleaner.clean(&edited.plants).unwrap();
            let whole = clean(&edited, &Settings::default()).unwrap();
            let same = cleaner.after().poses.iter().zip(&whole.clip.motion.poses);
            assert!(same.into_iter().all(|(a, b)| bits(a) == bits(b)), "{kind:?} {hold:?}");
            assert_eq!(cleaner.report(), whole.report, "{kind:?} {hold:?}");
        }
    }
}

#[test]
fn a_strength_outside_its_range_is_refused() {
    for strength in [-0.1, 1.1, f64::NAN] {
        let error = clean(&walk(Hold { kind: HoldKind::Full, strength }), &Settings::default()).unwrap_err();
        assert!(error.to_string().contains("not a number from 0 to 1"), "{error}");
    }
}
