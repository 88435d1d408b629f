//! The default method: what holds for every motion, and how well its confidences are calibrated.

use super::common::{
    assert_same_plants, detect_sample, disagreement, feet_and_frames, foot_is_down, mirrored,
    mirrored_plants, rotate_about, sample,
};
use surefoot_contact::{Edges, Settings, detect};
use surefoot_core::math::{axis_rotation, fade};
use surefoot_core::{FootPoint, Footplants, FrameRange, Motion};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

fn detect_default(sample: &Sample) -> Footplants {
    detect_sample(sample, &Settings::default())
}

#[test]
fn a_mirrored_motion_has_mirrored_plants() {
    for kind in [Kind::Walk, Kind::Run, Kind::Turn] {
        let Sample { motion, legs, floor, .. } = sample(kind, 60.0, None);
        let before = detect(&motion, &legs, Some(&floor), &Settings::default());
        let (mirrored, swapped) = mirrored(&motion, &legs);
        let after = detect(&mirrored, &swapped, Some(&floor), &Settings::default());
        assert_same_plants(&before, &mirrored_plants(after), 1);
    }
}

/// A plant with its start and end in seconds.
type TimedPlant = (usize, FootPoint, [f64; 2]);

fn timed_plants(kind: Kind, fps: f64) -> Vec<TimedPlant> {
    let plants = detect_default(&sample(kind, fps, None)).plants;
    let seconds = |frames: &FrameRange| [frames.start, frames.end].map(|frame| frame as f64 / fps);
    plants.iter().map(|plant| (plant.leg, plant.point, seconds(&plant.frames))).collect()
}

#[test]
fn plants_are_the_same_at_every_frame_rate() {
    for kind in [Kind::Walk, Kind::Run, Kind::Jump, Kind::Stairs] {
        let at_120 = timed_plants(kind, 120.0);
        for fps in [24.0, 30.0, 60.0, 240.0] {
            // A frame at either rate: a plant starts with the first sampled frame in which the point rests.
            let tolerance = 1.0 / fps + 1.0 / 120.0 + 1e-9;
            let others = timed_plants(kind, fps);
            let is_long = |[start, end]: [f64; 2]| end - start > 0.1 + tolerance;
            for (some, all) in [(&at_120, &others), (&others, &at_120)] {
                for &(leg, point, seconds) in some.iter().filter(|plant| is_long(plant.2)) {
                    let is_same = |other: &TimedPlant| {
                        let near = [0, 1].map(|edge| (other.2[edge] - seconds[edge]).abs() <= tolerance);
                        (other.0, other.1, near) == (leg, point, [true, true])
                    };
                    let name = kind.as_str();
                    assert!(
                        all.iter().any(is_same),
                        "{name} at {fps}: leg {leg}, {point:?}, {seconds:?} in {all:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn skate_moves_no_edge_by_more_than_a_frame() {
    for skate in [Skate::Scale(1.25), Skate::Scale(0.8), Skate::Drift(0.05)] {
        let skating = make(&Recipe { skate: Some(skate), ..Recipe::default() }).unwrap();
        let clean = make(&Recipe::default()).unwrap();
        assert_same_plants(&detect_default(&skating), &detect_default(&clean), 1);
    }
}

#[test]
fn a_foot_pivoting_on_its_ball_is_planted_on_its_ball_alone() {
    let Sample { mut motion, legs, floor, .. } = sample(Kind::Stand, 60.0, None);
    let ball = motion.poses[0].world(&motion.skeleton).point(&legs[0].ball);
    // From 2 s to 3 s, by 80 degrees.
    rotate_about(&mut motion, ball, |seconds| axis_rotation(1, 1.4 * (1.0 - fade(seconds - 2.0))));
    let plants = detect(&motion, &legs, Some(&floor), &Settings::default());
    let middle = (2.5 * motion.fps) as usize;
    assert!(plants.is_planted(0, FootPoint::Ball, middle), "{plants:#?}");
    assert!(!plants.is_planted(0, FootPoint::Heel, middle), "{plants:#?}");
}

/// True and detected stances: how many of each, and the fraction of feet and frames that differ.
struct StanceComparison {
    expected: usize,
    detected: usize,
    wrong: f64,
}

fn compare_stances(sample: &Sample, motion: &Motion, plants: &Footplants) -> StanceComparison {
    let settings = Settings { edges: Edges::Touch, ..Settings::default() };
    let detected = detect(motion, &sample.legs, Some(&sample.floor), &settings);
    let stances = |plants: &Footplants| {
        let starts = |&(leg, frame): &(usize, usize)| {
            foot_is_down(plants, leg, frame) && (frame == 0 || !foot_is_down(plants, leg, frame - 1))
        };
        feet_and_frames(motion.frames()).filter(starts).count()
    };
    StanceComparison {
        expected: stances(plants),
        detected: stances(&detected),
        wrong: disagreement(plants, &detected, motion.frames()),
    }
}

impl StanceComparison {
    #[track_caller]
    fn check(&self, max_wrong: f64, what: &str) {
        let Self { expected, detected, wrong } = self;
        assert!(
            expected == detected && *wrong < max_wrong,
            "{what}: {detected} of {expected} stances, {wrong} of the frames wrong"
        );
    }
}

const DAMAGE: [Option<Skate>; 5] = [
    None,
    Some(Skate::Scale(0.85)),
    Some(Skate::Scale(1.15)),
    Some(Skate::Drift(0.025)),
    Some(Skate::Noise(0.001)),
];

/// Whether no point rests exactly. Then the model gives the edges, which are those of a force plate
/// rather than those of the points' rest.
fn is_noisy(skate: Option<Skate>) -> bool {
    matches!(skate, Some(Skate::Noise(_)))
}

#[test]
fn a_sprinters_stance_of_a_tenth_of_a_second_is_found() {
    for skate in DAMAGE {
        let recipe = Recipe { kind: Kind::Run, fps: 120.0, seconds: 8.0, skate, ..Recipe::default() };
        let mut sprint = make(&recipe).unwrap();
        let balls = sprint.plants.plants.iter().filter(|plant| plant.point == FootPoint::Ball);
        let shortest = balls.map(|plant| plant.frames.len() as f64 / 120.0).fold(f64::INFINITY, f64::min);
        // Played so fast that the shortest stance takes 0.12 s.
        sprint.motion.fps *= shortest / 0.12;
        let max_wrong = if is_noisy(skate) { 0.07 } else { 0.003 };
        compare_stances(&sprint, &sprint.motion, &sprint.plants).check(max_wrong, &format!("{skate:?}"));
    }
}

#[test]
fn every_stair_is_found_up_and_down() {
    for skate in DAMAGE {
        let recipe = Recipe { kind: Kind::Stairs, fps: 100.0, seconds: 8.0, skate, ..Recipe::default() };
        let stairs = make(&recipe).unwrap();
        let [up, down] = if is_noisy(skate) { [0.04, 0.1] } else { [0.003; 2] };
        compare_stances(&stairs, &stairs.motion, &stairs.plants).check(up, &format!("{skate:?} up"));
        // Backwards is down. No training capture walks backwards down a stair, so noisy edges are less accurate.
        let mut motion = stairs.motion.clone();
        motion.poses.reverse();
        let mut plants = stairs.plants.clone();
        for plant in &mut plants.plants {
            plant.frames = motion.frames() - plant.frames.end..motion.frames() - plant.frames.start;
        }
        compare_stances(&stairs, &motion, &plants).check(down, &format!("{skate:?} down"));
    }
}

/// The frames of all plants of a point: how many, the sum of their confidences, and how many are planted.
#[derive(Clone, Copy, Default)]
struct Calibration {
    frames: f64,
    confidence: f64,
    planted: f64,
}

#[test]
fn plant_confidence_is_calibrated() {
    let mut points = [Calibration::default(); 2];
    for (skate, kind) in DAMAGE.into_iter().flat_map(|skate| Kind::ALL.map(|kind| (skate, kind))) {
        let sample = make(&Recipe { kind, skate, seed: 77, ..Recipe::default() }).unwrap();
        for plant in detect_sample(&sample, &Settings::default()).plants {
            let is_planted = |frame: &usize| sample.plants.is_planted(plant.leg, plant.point, *frame);
            let frames = plant.frames.len() as f64;
            let point = &mut points[plant.point as usize];
            point.frames += frames;
            point.confidence += frames * plant.confidence.unwrap();
            point.planted += plant.frames.clone().filter(is_planted).count() as f64;
        }
    }
    let [heel, ball] =
        points.map(|Calibration { frames, confidence, planted }| (confidence / frames, planted / frames));
    println!("heels: confidence {:.3}, planted {:.3}", heel.0, heel.1);
    println!("balls: confidence {:.3}, planted {:.3}", ball.0, ball.1);
    // Both are measured to be off by 0.006.
    assert!((heel.0 - heel.1).abs() < 0.008 && (ball.0 - ball.1).abs() < 0.008, "{heel:?} {ball:?}");
    // A heel starts to roll before the detector notices, so its plants are less certain and less often right.
    assert!(heel.0 < ball.0 && heel.1 < ball.1, "{heel:?} {ball:?}");
}
