//! The kinds that are hard for detectors: planted points rest exactly, and feet slide, sink or are carried as stated.

use surefoot_core::{FootPoint, Footplants, Vec3};
use surefoot_sample::{Body, Kind, Recipe, Sample, make};

fn sample(kind: Kind) -> Sample {
    make(&Recipe { kind, ..Recipe::default() }).unwrap()
}

fn position(sample: &Sample, leg: usize, point: FootPoint, frame: usize) -> Vec3 {
    let world = sample.motion.poses[frame].world(&sample.motion.skeleton);
    let leg = &sample.legs[leg];
    world.point(if point == FootPoint::Heel { &leg.heel } else { &leg.ball })
}

/// The frames in which a point is not planted.
fn free_frames(plants: &Footplants, leg: usize, point: FootPoint, frames: usize) -> Vec<usize> {
    (0..frames).filter(|&frame| !plants.is_planted(leg, point, frame)).collect()
}

#[test]
fn planted_points_stay_at_their_spots() {
    for kind in Kind::HARD {
        for body in Body::ALL {
            for (fps, seconds, seed) in [(60.0, 6.0, 1), (24.0, 12.0, 2), (120.0, 7.3, 3)] {
                let sample = make(&Recipe { kind, body, fps, seconds, seed, skate: None }).unwrap();
                assert!(!sample.plants.plants.is_empty());
                for plant in &sample.plants.plants {
                    for frame in plant.frames.clone() {
                        let distance =
                            position(&sample, plant.leg, plant.point, frame).distance(plant.spot.unwrap());
                        assert!(distance < 1e-9, "{} {body:?}: {distance} m, {plant:?}", kind.as_str());
                    }
                }
            }
        }
    }
}

#[test]
fn no_leg_is_fully_extended_and_rotations_are_continuous() {
    for kind in Kind::HARD {
        let Sample { motion, legs, .. } = sample(kind);
        for pair in motion.poses.windows(2) {
            let rotations = pair[0].rotations.iter().zip(&pair[1].rotations);
            assert!(
                rotations.clone().all(|(a, b)| a.dot(*b) > 0.0 && a.angle_between(*b) * motion.fps < 40.0)
            );
            let world = pair[0].world(&motion.skeleton);
            for leg in &legs {
                let bone = |joint| motion.skeleton.joint(joint).offset.length();
                let reach = world.joint(leg.hip).distance(world.joint(leg.ankle));
                assert!(reach <= 0.995 * (bone(leg.knee) + bone(leg.ankle)), "{}", kind.as_str());
            }
        }
    }
}

#[test]
fn a_shuffled_and_a_dragged_foot_never_leave_the_floor() {
    for kind in [Kind::Shuffle, Kind::Drag] {
        let sample = sample(kind);
        let frames = sample.motion.frames();
        for point in [FootPoint::Heel, FootPoint::Ball] {
            assert!(free_frames(&sample.plants, 1, point, frames).len() > 60, "{}", kind.as_str());
            assert!((0..frames).all(|frame| position(&sample, 1, point, frame).y.abs() < 1e-9));
        }
    }
}

#[test]
fn stairs_lead_down_to_the_floor() {
    let sample = sample(Kind::StairsDown);
    let heights = |frame| [0, 1].map(|leg| position(&sample, leg, FootPoint::Heel, frame).y);
    assert!(heights(0)[0] > 0.5);
    assert!(heights(sample.motion.frames() - 1).into_iter().all(|height| height.abs() < 0.35));
    let spots = sample.plants.plants.iter().filter_map(|plant| plant.spot);
    assert!(spots.map(|spot| spot.y).fold(f64::INFINITY, f64::min).abs() < 1e-9);
}

#[test]
fn the_steps_of_a_circle_have_equal_length() {
    let sample = make(&Recipe { kind: Kind::Circle, seconds: 16.0, ..Recipe::default() }).unwrap();
    let lengths = |point| {
        let own = sample.plants.plants.iter().filter(|plant| plant.leg == 0 && plant.point == point);
        let lengths: Vec<usize> = own.map(|plant| plant.frames.len()).collect();
        lengths[1..lengths.len() - 1].to_vec()
    };
    for point in [FootPoint::Heel, FootPoint::Ball] {
        let lengths = lengths(point);
        let (least, most) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
        assert!(lengths.len() > 8 && most - least <= 1, "{lengths:?}");
    }
}

#[test]
fn a_lift_and_a_platform_carry_the_whole_body() {
    for (kind, least) in [(Kind::Lift, 0.9), (Kind::Platform, 1.0)] {
        let sample = sample(kind);
        let last = sample.motion.frames() - 1;
        for leg in [0, 1] {
            let [first, last] = [0, last].map(|frame| position(&sample, leg, FootPoint::Ball, frame));
            assert!(first.distance(last) > least, "{}: {}", kind.as_str(), first.distance(last));
        }
        assert_eq!(sample.plants.plants.len(), 8);
    }
}
