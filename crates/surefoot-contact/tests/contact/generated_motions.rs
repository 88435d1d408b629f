//! Plants of generated motions, which are known exactly.

use super::common::{by, detect_sample, stays};
use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::{FootPoint, Footplants, Motion, Plant};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

fn sample(kind: Kind, fps: f64, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, fps, skate, seconds: 8.0, ..Recipe::default() }).unwrap()
}

/// Our own methods, and the default method with both kinds of edges. `published_methods` tests the others.
fn own_methods() -> [Settings; 3] {
    [by(Method::Learned), by(Method::Threshold), Settings { edges: Edges::Touch, ..Settings::default() }]
}

/// How late a detected edge may be, in seconds; negative is early.
struct Tolerance {
    start: core::ops::RangeInclusive<f64>,
    heel_end: core::ops::RangeInclusive<f64>,
    ball_end: core::ops::RangeInclusive<f64>,
}

/// To the frame, except where the point [`stays`].
const EXACT: Tolerance = Tolerance { start: 0.0..=0.0, heel_end: 0.0..=0.0, ball_end: 0.0..=0.0 };

/// Shorter plants need not be found, in seconds: with half a frame of doubt at each end they may be
/// shorter than the shortest plant.
const SHORT: f64 = 0.1;

fn overlap(a: &Plant, b: &Plant) -> bool {
    let same_point = a.leg == b.leg && a.point == b.point;
    same_point && a.frames.start < b.frames.end && b.frames.start < a.frames.end
}

/// Asserts that every true plant is found once and within the tolerance, and that every detected
/// plant is a true one. `undamaged` is the motion without skate.
#[track_caller]
fn check(sample: &Sample, undamaged: &Motion, detected: &Footplants, tolerance: &Tolerance) {
    let (truth, fps) = (&sample.plants, sample.motion.fps);
    for plant in truth.plants.iter().filter(|plant| plant.frames.len() as f64 > SHORT * fps) {
        let mut all = detected.plants.iter().filter(|detected| overlap(plant, detected));
        let (Some(found), None) = (all.next(), all.next()) else {
            panic!("not found exactly once: {plant:?} in {:#?}", detected.plants);
        };
        check_edges(sample, undamaged, plant, found, tolerance);
    }
    for found in &detected.plants {
        assert!(truth.plants.iter().any(|plant| overlap(plant, found)), "no such plant: {found:?}");
        assert!(found.confidence.is_some_and(|confidence| (0.0..=1.0).contains(&confidence)), "{found:?}");
    }
}

#[track_caller]
fn check_edges(sample: &Sample, undamaged: &Motion, plant: &Plant, found: &Plant, tolerance: &Tolerance) {
    let stays = |frame| stays(undamaged, &sample.legs[plant.leg], plant.point, frame);
    let delay = |found: usize, truth: usize| (found as f64 - truth as f64) / sample.motion.fps;
    let start = delay(found.frames.start, plant.frames.start);
    let is_excused = found.frames.start + 1 == plant.frames.start && stays(found.frames.start);
    assert!(is_excused || tolerance.start.contains(&start), "starts {start:.3} s late: {plant:?}, {found:?}");
    let end = delay(found.frames.end, plant.frames.end);
    let is_excused = found.frames.end == plant.frames.end + 1 && stays(plant.frames.end - 1);
    let allowed = if plant.point == FootPoint::Heel { &tolerance.heel_end } else { &tolerance.ball_end };
    assert!(is_excused || allowed.contains(&end), "ends {end:.3} s late: {plant:?}, {found:?}");
}

#[test]
fn plants_without_skate_are_found_to_the_frame() {
    for fps in [24.0, 30.0, 60.0, 100.0, 120.0, 240.0] {
        for kind in Kind::ALL {
            let sample = sample(kind, fps, None);
            for settings in own_methods() {
                check(&sample, &sample.motion, &detect_sample(&sample, &settings), &EXACT);
            }
        }
    }
}

#[test]
fn feet_that_skate_alike_are_found_as_if_they_stood() {
    for skate in [Skate::Scale(0.85), Skate::Scale(1.15), Skate::Scale(1.25), Skate::Drift(0.025)] {
        for kind in Kind::ALL {
            let (skating, undamaged) = (sample(kind, 60.0, Some(skate)), sample(kind, 60.0, None));
            for settings in own_methods() {
                // At the start and end of a walk the ground's speed changes faster than it is estimated: one or two frames.
                let tolerance = Tolerance { start: 0.0..=0.034, heel_end: 0.0..=0.0, ball_end: -0.017..=0.0 };
                check(&skating, &undamaged.motion, &detect_sample(&skating, &settings), &tolerance);
            }
        }
    }
}

#[test]
fn noisy_and_blended_feet_are_found_with_blurred_edges() {
    let blurred = Tolerance { start: -0.2..=0.16, heel_end: -0.1..=0.25, ball_end: -0.1..=0.1 };
    for kind in [Kind::Walk, Kind::Turn, Kind::Run, Kind::Jump, Kind::Stand] {
        for skate in [Skate::Noise(0.002), Skate::Blend(0.3)] {
            let sample = sample(kind, 60.0, Some(skate));
            check(&sample, &sample.motion, &detect_sample(&sample, &Settings::default()), &blurred);
        }
    }
}

#[test]
fn plants_of_four_legs_are_found_to_the_frame() {
    for kind in [Kind::Walk, Kind::Run, Kind::Jump, Kind::Stairs, Kind::Stand] {
        let recipe = Recipe { kind, body: Body::FourLegs, seconds: 8.0, ..Recipe::default() };
        let sample = make(&recipe).unwrap();
        for settings in own_methods() {
            check(&sample, &sample.motion, &detect_sample(&sample, &settings), &EXACT);
        }
    }
}

#[test]
fn plants_on_a_treadmill_are_found_to_the_frame() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        let mut sample = sample(kind, 100.0, None);
        let over_ground = sample.motion.clone();
        let frames = over_ground.frames();
        let travel = over_ground.poses[frames - 1].offsets[0] - over_ground.poses[0].offsets[0];
        for (frame, pose) in sample.motion.poses.iter_mut().enumerate() {
            pose.offsets[0].z -= travel.z * frame as f64 / frames as f64;
        }
        for settings in own_methods() {
            check(&sample, &over_ground, &detect_sample(&sample, &settings), &EXACT);
        }
    }
}

#[test]
fn plants_are_the_same_without_a_floor() {
    let sample = sample(Kind::Walk, 60.0, None);
    let without = detect(&sample.motion, &sample.legs, None, &Settings::default());
    assert_eq!(without, detect_sample(&sample, &Settings::default()));
}
