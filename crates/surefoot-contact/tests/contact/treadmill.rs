//! The ground's velocity: treadmills, and skate that must not be mistaken for one.

use super::common::{assert_same_plants, detect_sample};
use surefoot_contact::{Edges, Settings, detect, ground_speed_change, ground_velocity, relative_to_ground};
use surefoot_core::{Motion, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

/// The motion on a treadmill, where the body stays in place, and the belt's velocity.
pub fn on_treadmill(motion: &Motion) -> (Motion, Vec3) {
    let (first, last) = (&motion.poses[0], &motion.poses[motion.frames() - 1]);
    let mut velocity = (last.offsets[0] - first.offsets[0]) / motion.seconds();
    velocity.y = 0.0;
    (relative_to_ground(motion, velocity), -velocity)
}

#[test]
fn a_treadmills_velocity_is_found() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        let recipe = Recipe { kind, fps: 100.0, seconds: 10.0, ..Recipe::default() };
        let Sample { mut motion, legs, floor, .. } = make(&recipe).unwrap();
        // Without the standing frames at both ends, which do not occur on a treadmill.
        motion.poses = motion.poses[300..700].to_vec();
        for edges in [Edges::Touch, Edges::Rest] {
            let settings = Settings { edges, ..Settings::default() };
            let plants = detect(&motion, &legs, Some(&floor), &settings);
            let (on_belt, velocity) = on_treadmill(&motion);
            let belt_plants = detect(&on_belt, &legs, Some(&floor), &settings);
            // At the ends of the motion the ground's speed is estimated from few frames.
            assert_same_plants(&plants, &belt_plants, 3);
            assert_eq!(ground_velocity(&motion, &legs, Some(&floor), &plants), None);
            let ground = ground_velocity(&on_belt, &legs, Some(&floor), &belt_plants);
            let ground = ground.unwrap_or_else(|| panic!("{}: no moving ground", kind.as_str()));
            let error = ground.distance(velocity) / velocity.length();
            assert!(error < 0.01, "{}: {ground} for {velocity}", kind.as_str());
        }
    }
}

#[test]
fn an_accelerating_belt_is_found() {
    let recipe = Recipe { fps: 100.0, seconds: 14.0, ..Recipe::default() };
    let Sample { mut motion, legs, floor, .. } = make(&recipe).unwrap();
    motion.poses = motion.poses[300..1100].to_vec();
    let (constant, velocity) = on_treadmill(&motion);
    let speed_change = |belt: &Motion| {
        let plants = detect(belt, &legs, Some(&floor), &Settings::default());
        let ground = ground_velocity(belt, &legs, Some(&floor), &plants).unwrap();
        let speeds = ground_speed_change(belt, &legs, Some(&floor), &plants, ground);
        let relative = relative_to_ground(belt, ground);
        let from_ground = ground_speed_change(&relative, &legs, Some(&floor), &plants, ground);
        assert_eq!(speeds.is_some(), from_ground.is_some());
        speeds
    };
    assert_eq!(speed_change(&constant), None);
    // From 0.8 to 1.2 times the mean speed.
    let mut accelerating = constant.clone();
    let half = motion.seconds() / 2.0;
    for (frame, pose) in accelerating.poses.iter_mut().enumerate() {
        let from_middle = frame as f64 / motion.fps - half;
        pose.offsets[0] += velocity * (0.2 / half) * from_middle * from_middle / 2.0;
    }
    let [first, last] = speed_change(&accelerating).unwrap().map(|speed| speed / velocity.length());
    assert!((0.78..0.9).contains(&first) && (1.1..1.22).contains(&last), "{first} {last}");
}

#[test]
fn skate_is_not_mistaken_for_moving_ground() {
    let skates =
        [Skate::Scale(0.8), Skate::Scale(1.25), Skate::Drift(0.05), Skate::Noise(0.002), Skate::Blend(0.5)];
    for (skate, kind) in skates.into_iter().flat_map(|skate| Kind::ALL.map(|kind| (skate, kind))) {
        let sample = make(&Recipe { kind, skate: Some(skate), ..Recipe::default() }).unwrap();
        let plants = detect_sample(&sample, &Settings::default());
        let ground = ground_velocity(&sample.motion, &sample.legs, Some(&sample.floor), &plants);
        assert_eq!(ground, None, "{skate:?} {kind:?}");
    }
}
