//! Feet on the ground that move, feet that sink slowly, and ground that moves: only real plants are found.

use super::common::{detect_sample, sample};
use surefoot_contact::{Method, MovingFoot, Settings, Travel, moving_feet};
use surefoot_core::{FootPoint, Footplants, FrameRange, Plant, Vec3};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

/// No damage, and the noise of a good capture.
const NOISES: [Option<Skate>; 2] = [None, Some(Skate::Noise(0.001))];

fn position(sample: &Sample, plant: &Plant, frame: usize) -> Vec3 {
    let leg = &sample.legs[plant.leg];
    let point = if plant.point == FootPoint::Heel { &leg.heel } else { &leg.ball };
    sample.motion.poses[frame].world(&sample.motion.skeleton).point(point)
}

/// The largest distance in metres of a planted point from its position in the middle of its plant.
fn travel(sample: &Sample, plant: &Plant) -> f64 {
    let middle = position(sample, plant, (plant.frames.start + plant.frames.end) / 2);
    plant.frames.clone().map(|frame| position(sample, plant, frame).distance(middle)).fold(0.0, f64::max)
}

fn overlap(a: &FrameRange, b: &FrameRange) -> usize {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}

fn plants_of<'a>(plants: &'a Footplants, like: &Plant) -> impl Iterator<Item = &'a Plant> {
    let (leg, point) = (like.leg, like.point);
    plants.plants.iter().filter(move |plant| plant.leg == leg && plant.point == point)
}

/// Asserts that every true plant is found in one piece, and that no plant holds a point that travels.
#[track_caller]
fn check(kind: Kind, seed: u64, max_travel: f64) {
    for skate in NOISES {
        let sample = make(&Recipe { kind, skate, seed, ..Recipe::default() }).unwrap();
        for method in [Method::Learned, Method::Threshold] {
            let found = detect_sample(&sample, &Settings { detector: method, ..Settings::default() });
            let name = format!("{} {skate:?} {}", kind.as_str(), method.as_str());
            for plant in &found.plants {
                let travel = travel(&sample, plant);
                assert!(travel < max_travel, "{name}: {travel:.3} m in {plant:?}");
            }
            for plant in sample.plants.plants.iter().filter(|plant| plant.frames.len() > 12) {
                let most = plants_of(&found, plant).map(|found| overlap(&found.frames, &plant.frames)).max();
                assert!(5 * most.unwrap_or(0) >= 4 * plant.frames.len(), "{name}: not found: {plant:?}");
            }
        }
    }
}

#[test]
fn a_dragged_foot_is_planted_only_before_and_after() {
    (0..3).for_each(|seed| check(Kind::Drag, seed, 0.035));
}

#[test]
fn a_shuffling_foot_is_planted_only_between_its_slides() {
    // The last slide, which brings the feet side by side, is a few centimetres long.
    (0..3).for_each(|seed| check(Kind::Shuffle, seed, 0.045));
}

#[test]
fn a_foot_that_sinks_onto_a_step_is_not_planted_above_it() {
    (0..3).for_each(|seed| check(Kind::StairsDown, seed, 0.035));
}

#[test]
fn stairs_need_no_floor() {
    for (kind, skate) in
        [Kind::Stairs, Kind::StairsDown].into_iter().flat_map(|kind| NOISES.map(|skate| (kind, skate)))
    {
        let sample = sample(kind, 60.0, skate);
        let without = surefoot_contact::detect(&sample.motion, &sample.legs, None, &Settings::default());
        for plant in sample.plants.plants.iter().filter(|plant| plant.frames.len() > 12) {
            let most = plants_of(&without, plant).map(|found| overlap(&found.frames, &plant.frames)).max();
            assert!(5 * most.unwrap_or(0) >= 4 * plant.frames.len(), "{}: {plant:?}", kind.as_str());
        }
    }
}

#[test]
fn a_kicking_foot_is_planted_again_when_it_stands() {
    (0..3).for_each(|seed| check(Kind::Kick, seed, 0.035));
}

#[test]
fn feet_on_a_lift_and_on_a_platform_are_not_planted_while_it_moves() {
    for kind in [Kind::Lift, Kind::Platform] {
        (0..3).for_each(|seed| check(kind, seed, 0.05));
    }
}

#[test]
fn equal_steps_have_plants_of_equal_length() {
    for skate in NOISES {
        let sample = make(&Recipe { kind: Kind::Circle, skate, seconds: 16.0, ..Recipe::default() }).unwrap();
        let found = detect_sample(&sample, &Settings::default());
        for (leg, point) in
            [0, 1].into_iter().flat_map(|leg| [FootPoint::Heel, FootPoint::Ball].map(|point| (leg, point)))
        {
            let own = found.plants.iter().filter(|plant| plant.leg == leg && plant.point == point);
            let lengths: Vec<usize> = own.map(|plant| plant.frames.len()).collect();
            let inner = &lengths[1..lengths.len() - 1];
            let (least, most) = (inner.iter().min().unwrap(), inner.iter().max().unwrap());
            // A heel that rolls off slowly ends within a tenth of a second.
            assert!(inner.len() > 8 && most - least <= 6, "{leg} {}: {lengths:?}", point.as_str());
        }
    }
}

fn moving(sample: &Sample) -> Vec<MovingFoot> {
    moving_feet(&sample.motion, &sample.legs, Some(&sample.floor), &Settings::default())
}

#[test]
fn carried_and_dragged_feet_are_reported() {
    for skate in NOISES {
        for (kind, travelled) in [(Kind::Lift, Vec3::Y), (Kind::Platform, Vec3::new(-0.5, 0.0, 1.0))] {
            let feet = moving(&sample(kind, 60.0, skate));
            assert_eq!(feet.iter().map(|foot| foot.leg).collect::<Vec<_>>(), [0, 1], "{feet:?}");
            for MovingFoot { frames, travel, displacement: found, .. } in feet {
                assert_eq!(travel, Travel::Carried);
                // The ground takes 24 frames to speed up, and as many to stop.
                assert!(frames.start.abs_diff(61) < 18 && frames.end.abs_diff(300) < 18, "{frames:?}");
                assert!(
                    found.length() > 0.9 && (kind == Kind::Platform || found.distance(travelled) < 0.05),
                    "{found}"
                );
            }
        }
        let feet = moving(&sample(Kind::Drag, 60.0, skate));
        assert_eq!(feet.len(), 2, "{feet:?}");
        for foot in feet {
            assert!(foot.leg == 1 && foot.travel == Travel::Dragged, "{foot:?}");
            assert!((0.14..0.19).contains(&foot.displacement.length()), "{foot:?}");
        }
    }
}

#[test]
fn standing_and_stepping_feet_are_not_reported_as_moving() {
    for kind in Kind::ALL {
        for skate in [None, Some(Skate::Noise(0.001)), Some(Skate::Scale(1.1)), Some(Skate::Drift(0.025))] {
            let feet = moving(&sample(kind, 60.0, skate));
            assert!(feet.is_empty(), "{} {skate:?}: {feet:?}", kind.as_str());
        }
    }
}

#[test]
fn confidence_falls_where_a_point_creeps() {
    // The right foot of a standing person creeps by 6 cm in 4 s, too slowly to be dragged.
    let still = sample(Kind::Stand, 60.0, Some(Skate::Noise(0.001)));
    let mut creeping = still.clone();
    let hip = still.legs[1].hip.index();
    for (frame, pose) in creeping.motion.poses.iter_mut().enumerate() {
        let turn = 0.075 * ((frame as f64 / 60.0 - 1.0) / 4.0).clamp(0.0, 1.0);
        pose.rotations[hip] = surefoot_core::math::axis_rotation(0, -turn) * pose.rotations[hip];
    }
    let ball = |sample: &Sample| {
        let found = detect_sample(sample, &Settings::default());
        let plant = found.plants.into_iter().find(|plant| plant.leg == 1 && plant.point == FootPoint::Ball);
        plant.and_then(|plant| plant.confidence).unwrap()
    };
    let (still, creeping) = (ball(&still), ball(&creeping));
    assert!(creeping < 0.75 * still, "{creeping} and {still}");
}
