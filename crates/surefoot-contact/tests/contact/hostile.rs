//! Extreme motions and floors: plants lie inside the motion, and confidences are from 0 to 1.

use super::common::by;
use surefoot_contact::{Method, detect};
use surefoot_core::{Floor, Footplants, Leg, Motion, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, make};

#[track_caller]
fn check(motion: &Motion, legs: &[Leg], floor: Option<&Floor>) {
    for method in Method::ALL {
        let Footplants { plants } = detect(motion, legs, floor, &by(method));
        for plant in plants {
            assert!(!plant.frames.is_empty() && plant.frames.end <= motion.frames(), "{plant:?}");
            assert!(
                plant.confidence.is_some_and(|confidence| (0.0..=1.0).contains(&confidence)),
                "{plant:?}"
            );
        }
    }
}

#[test]
fn a_floor_extremely_far_away_is_accepted() {
    let Sample { motion, legs, .. } = make(&Recipe::default()).unwrap();
    for height in [1e15, -1e15, 1e300, f64::MAX] {
        check(&motion, &legs, Some(&Floor::level(height)));
    }
}

#[test]
fn vanishing_and_enormous_bones_are_accepted() {
    let Sample { motion, legs, floor, .. } = make(&Recipe::default()).unwrap();
    for factor in [1e-300, 1e-160, 1e-20, 1e20, 1e160] {
        let mut motion = motion.clone();
        // The path of the root keeps its size.
        for offset in motion.poses.iter_mut().flat_map(|pose| pose.offsets.iter_mut().skip(1)) {
            *offset *= factor;
        }
        check(&motion, &legs, Some(&floor));
        check(&motion, &legs, None);
    }
}

#[test]
fn two_hours_on_a_lift_take_as_long_as_two_hours_of_standing() {
    const FRAMES: usize = 2 * 3600 * 5;
    let Sample { mut motion, legs, floor, .. } =
        make(&Recipe { kind: Kind::Stand, fps: 5.0, seconds: 60.0, ..Recipe::default() }).unwrap();
    let poses: Vec<_> = motion.poses.iter().cycle().take(FRAMES).cloned().collect();
    motion.poses = poses;
    for speed in [0.25, -0.25, 0.05] {
        let mut lift = motion.clone();
        for (frame, pose) in lift.poses.iter_mut().enumerate() {
            pose.offsets[0] += Vec3::Y * speed * frame as f64 / motion.fps;
        }
        for method in [Method::Learned, Method::Threshold, Method::ZeroCrossing] {
            let plants = detect(&lift, &legs, Some(&floor), &by(method));
            assert!(plants.plants.iter().all(|plant| plant.frames.end <= FRAMES));
        }
    }
}
