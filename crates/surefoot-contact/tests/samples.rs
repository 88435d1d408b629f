//! Made motions, whose plants are known exactly.

use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::{FootPoint, Footplants, Leg, Motion, Plant};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

fn sample(kind: Kind, fps: f64, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, fps, skate, seconds: 8.0, ..Recipe::default() }).unwrap()
}

fn found(sample: &Sample) -> Footplants {
    found_by(sample, &Settings::default())
}

fn found_by(sample: &Sample, settings: &Settings) -> Footplants {
    detect(&sample.motion, &sample.legs, Some(&sample.floor), settings)
}

/// The two methods of our own, and the default one with either edges. The others are held to the same in `methods.rs`.
fn each_way() -> [Settings; 3] {
    let by = |method| Settings { method, ..Settings::default() };
    [by(Method::Learned), by(Method::SpeedHeight), Settings { edges: Edges::Rest, ..Settings::default() }]
}

/// By how many seconds a found plant may begin and end too early (below 0) and too late.
struct Slack {
    start: core::ops::RangeInclusive<f64>,
    heel_end: core::ops::RangeInclusive<f64>,
    ball_end: core::ops::RangeInclusive<f64>,
}

/// On the very frame, but where [`is_still_there`].
const EXACT: Slack = Slack { start: 0.0..=0.0, heel_end: 0.0..=0.0, ball_end: 0.0..=0.0 };

/// True plants shorter than this are not asked for, in seconds: with half a frame at each end in
/// doubt they may be shorter than the shortest.
const SHORT: f64 = 0.1;

/// Whether a point of a motion moves by less than a nanometre from a frame to the next: a plant that ends between
/// two frames has not always left by the second.
fn is_still_there(motion: &Motion, legs: &[Leg], plant: &Plant, frame: usize) -> bool {
    let leg = &legs[plant.leg];
    let on = if plant.point == FootPoint::Heel { leg.heel } else { leg.ball };
    let place = |frame: usize| motion.poses[frame].world(&motion.skeleton).point(&on);
    frame + 1 < motion.frames() && place(frame).distance(place(frame + 1)) < 1e-9
}

/// Every true plant has one found plant within the slack, and every found plant a true one. `whole` is the
/// motion without damage.
#[track_caller]
fn check(sample: &Sample, whole: &Motion, found: &Footplants, slack: &Slack) {
    let (truth, fps) = (&sample.plants, sample.motion.fps);
    let shared = |a: &Plant, b: &Plant| {
        let same = a.leg == b.leg && a.point == b.point;
        same && a.frames.start < b.frames.end && b.frames.start < a.frames.end
    };
    for plant in truth.plants.iter().filter(|plant| plant.frames.len() as f64 > SHORT * fps) {
        let mut all = found.plants.iter().filter(|found| shared(plant, found));
        let (Some(one), None) = (all.next(), all.next()) else {
            panic!("not found once: {plant:?} in {:#?}", found.plants);
        };
        let is_still = |frame| is_still_there(whole, &sample.legs, plant, frame);
        let late = |found: usize, truth: usize| (found as f64 - truth as f64) / fps;
        let start = late(one.frames.start, plant.frames.start);
        let is_early = one.frames.start + 1 == plant.frames.start && is_still(one.frames.start);
        assert!(is_early || slack.start.contains(&start), "begins {start:.3} s late: {plant:?}, {one:?}");
        let end = late(one.frames.end, plant.frames.end);
        let is_late = one.frames.end == plant.frames.end + 1 && is_still(plant.frames.end - 1);
        let allowed = if plant.point == FootPoint::Heel { &slack.heel_end } else { &slack.ball_end };
        assert!(is_late || allowed.contains(&end), "ends {end:.3} s late: {plant:?}, {one:?}");
    }
    for one in &found.plants {
        assert!(truth.plants.iter().any(|plant| shared(plant, one)), "not there: {one:?}");
        assert!(one.confidence.is_some_and(|sure| (0.0..=1.0).contains(&sure)), "{one:?}");
    }
}

#[test]
fn plants_of_clean_motions_are_found_to_the_frame() {
    for fps in [24.0, 30.0, 60.0, 100.0, 120.0, 240.0] {
        for kind in Kind::ALL {
            let sample = sample(kind, fps, None);
            for settings in each_way() {
                check(&sample, &sample.motion, &found_by(&sample, &settings), &EXACT);
            }
        }
    }
}

#[test]
fn feet_that_skate_alike_are_found_as_if_they_stood() {
    for skate in [Skate::Scale(0.85), Skate::Scale(1.15), Skate::Scale(1.25), Skate::Drift(0.025)] {
        for kind in Kind::ALL {
            let (skating, whole) = (sample(kind, 60.0, Some(skate)), sample(kind, 60.0, None));
            for settings in each_way() {
                // One who sets out or stops changes the ground's speed faster than it is seen to change: a frame or two.
                let slack = Slack { start: 0.0..=0.034, heel_end: 0.0..=0.0, ball_end: -0.017..=0.0 };
                check(&skating, &whole.motion, &found_by(&skating, &settings), &slack);
            }
        }
    }
}

#[test]
fn shaken_and_blended_feet_are_found_but_for_their_edges() {
    let rough = || Slack { start: -0.2..=0.16, heel_end: -0.1..=0.25, ball_end: -0.1..=0.1 };
    for kind in [Kind::Walk, Kind::Turn, Kind::Run, Kind::Jump, Kind::Stand] {
        for skate in [Skate::Noise(0.002), Skate::Blend(0.3)] {
            let sample = sample(kind, 60.0, Some(skate));
            check(&sample, &sample.motion, &found(&sample), &rough());
        }
    }
}

#[test]
fn four_legs_are_found_to_the_frame() {
    for kind in [Kind::Walk, Kind::Run, Kind::Jump, Kind::Stairs, Kind::Stand] {
        let recipe = Recipe { kind, body: Body::FourLegs, seconds: 8.0, ..Recipe::default() };
        let sample = make(&recipe).unwrap();
        for settings in each_way() {
            check(&sample, &sample.motion, &found_by(&sample, &settings), &EXACT);
        }
    }
}

#[test]
fn feet_on_a_treadmill_are_found_to_the_frame() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        let mut sample = sample(kind, 100.0, None);
        let whole = sample.motion.clone();
        let frames = whole.frames();
        let way = whole.poses[frames - 1].offsets[0] - whole.poses[0].offsets[0];
        for (frame, pose) in sample.motion.poses.iter_mut().enumerate() {
            pose.offsets[0].z -= way.z * frame as f64 / frames as f64;
        }
        for settings in each_way() {
            check(&sample, &whole, &found_by(&sample, &settings), &EXACT);
        }
    }
}

#[test]
fn the_floor_is_a_help_and_not_needed() {
    let sample = sample(Kind::Walk, 60.0, None);
    let without = detect(&sample.motion, &sample.legs, None, &Settings::default());
    assert_eq!(without, found(&sample));
}
