//! The ground's velocity in a stream that does not state it.

use super::common::detect_sample;
use super::treadmill::on_treadmill;
use surefoot_contact::learned::MotionHeader;
use surefoot_contact::{GroundMonitor, Settings, detect};
use surefoot_core::{FootPoint, Footplants, Leg, Motion, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

/// The frames in which the monitor finds that the ground moves, and the velocities.
fn findings(motion: &Motion, legs: &[Leg], plants: &Footplants) -> Vec<(usize, Vec3)> {
    let mut monitor = GroundMonitor::new(&MotionHeader::new(motion, legs, None));
    let id = |leg: usize, point: FootPoint, frame: usize| {
        let is_active = |plant: &surefoot_core::Plant| {
            plant.leg == leg && plant.point == point && plant.frames.contains(&frame)
        };
        plants.plants.iter().position(is_active).map(|n| n as u32 + 1)
    };
    let push = |(frame, pose)| {
        let ids =
            (0..legs.len()).map(|leg| [FootPoint::Heel, FootPoint::Ball].map(|point| id(leg, point, frame)));
        monitor.push(pose, ids).map(|velocity| (frame, velocity))
    };
    motion.poses.iter().enumerate().filter_map(push).collect()
}

#[test]
fn a_belt_is_noticed_within_a_few_steps() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        for fps in [24.0, 60.0, 240.0] {
            let recipe = Recipe { kind, fps, seconds: 10.0, ..Recipe::default() };
            let Sample { mut motion, legs, floor, .. } = make(&recipe).unwrap();
            motion.poses = motion.poses[(3.0 * fps) as usize..(8.0 * fps) as usize].to_vec();
            let (on_belt, velocity) = on_treadmill(&motion);
            let plants = detect(&on_belt, &legs, Some(&floor), &Settings::default());
            let found = findings(&on_belt, &legs, &plants);
            let (first, ground) = *found.first().unwrap_or_else(|| panic!("{} at {fps}", kind.as_str()));
            assert!(first as f64 / fps < 4.0, "{} at {fps}: frame {first}", kind.as_str());
            let error = ground.distance(velocity) / velocity.length();
            assert!(error < 0.15, "{} at {fps}: {ground} for {velocity}", kind.as_str());
            let plants = detect(&motion, &legs, Some(&floor), &Settings::default());
            assert_eq!(findings(&motion, &legs, &plants), [], "{} over ground", kind.as_str());
        }
    }
}

#[test]
fn skate_is_not_mistaken_for_a_belt() {
    for kind in Kind::ALL {
        for skate in [Skate::Scale(0.8), Skate::Scale(1.25), Skate::Drift(0.05), Skate::Blend(0.5)] {
            let sample = make(&Recipe { kind, skate: Some(skate), ..Recipe::default() }).unwrap();
            let plants = detect_sample(&sample, &Settings::default());
            assert_eq!(findings(&sample.motion, &sample.legs, &plants), [], "{} {skate:?}", kind.as_str());
        }
    }
}
