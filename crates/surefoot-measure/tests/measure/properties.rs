//! Properties of all motions: generated, damaged, rotated, short or empty.

use crate::bodies::*;
use proptest::prelude::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{Clip, Floor, FootPoint, Footplants, Motion, Plane, Vec3};
use surefoot_measure::{Figures, measure};
use surefoot_sample::{Recipe, Sample, make};

fn walk() -> Sample {
    make(&Recipe { seconds: 4.0, ..Recipe::default() }).unwrap()
}

/// The walk with 3 cm of root drift, so that its feet skate.
fn wandering(motion: &Motion) -> Motion {
    let mut motion = motion.clone();
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let time = frame as f64 / motion.fps;
        let sway = surefoot_core::math::sin(3.0 * time);
        pose.offsets[0] += Vec3::new(0.03 * sway, 0.01 * sway, 0.02 * time);
    }
    motion
}

/// Every figure, by its key, before and after.
fn numbers(figures: &Figures) -> Vec<(String, f64)> {
    fn gather(at: &str, value: &serde_json::Value, found: &mut Vec<(String, f64)>) {
        match value {
            serde_json::Value::Number(number) => found.push((at.into(), number.as_f64().unwrap())),
            serde_json::Value::Object(map) => {
                map.iter().for_each(|(k, v)| gather(&format!("{at}/{k}"), v, found))
            }
            serde_json::Value::Array(list) => {
                list.iter().enumerate().for_each(|(k, v)| gather(&format!("{at}/{k}"), v, found))
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    gather("", &serde_json::to_value(figures).unwrap(), &mut found);
    found
}

#[test]
fn comparing_a_motion_with_itself_shows_no_change() {
    let sample = walk();
    let scene = |motion: &Motion| clip_of(motion, &sample.legs, &sample.plants, &sample.floor);
    let skating = wandering(&sample.motion);
    let figures = measure(&scene(&skating), Some(&skating)).unwrap();
    assert_eq!(figures.before.as_ref(), Some(&figures.after));
    let change = figures.change.as_ref().unwrap();
    assert_eq!(change.knee_changed_max_rad, Some(0.0));
    assert_eq!(change.added_acceleration_max_m_per_s2, Some(0.0));
    assert_eq!(change.root_moved_max_m, Some(0.0));
    assert_eq!(change.frames_changed, Some(0.0));
    assert_eq!(figures.after.stretch_max, Some(0.0));
    let ratios = numbers(&figures).into_iter().filter(|(key, _)| key.ends_with("/ratio"));
    assert_eq!(ratios.map(|(_, ratio)| ratio).collect::<Vec<_>>(), [1.0; 5]);
}

#[test]
fn a_walk_that_never_skated_has_no_skate() {
    let sample = walk();
    let scene = |motion: &Motion| clip_of(motion, &sample.legs, &sample.plants, &sample.floor);
    let figures = measure(&scene(&sample.motion), Some(&wandering(&sample.motion))).unwrap();
    assert!(figures.after.drift_max_m.unwrap() < 1e-9);
    assert!(figures.before.as_ref().unwrap().drift_max_m.unwrap() > 0.02);
    let (held, all) = figures.plants_held();
    assert_eq!((held, all), (sample.plants.plants.len(), sample.plants.plants.len()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn a_rigid_transform_changes_no_figure(
        angles in prop::array::uniform3(-3.0..3.0f64),
        by in prop::array::uniform3(-20.0..20.0f64),
    ) {
        let sample = walk();
        let (before, by) = (wandering(&sample.motion), Vec3::from_array(by));
        let turn = axis_rotation(0, angles[0]) * axis_rotation(1, angles[1]) * axis_rotation(2, angles[2]);
        let plane = sample.floor.as_plane().unwrap();
        let normal = turn * plane.normal;
        let floor = Floor::from(Plane { normal, offset: plane.offset + normal.dot(by) });
        let mut plants = sample.plants.clone();
        plants.plants.iter_mut().for_each(|plant| plant.spot = plant.spot.map(|spot| turn * spot + by));
        let here = measure(
            &clip_of(&sample.motion, &sample.legs, &sample.plants, &sample.floor),
            Some(&before),
        ).unwrap();
        let there = measure(
            &clip_of(&turned(&sample.motion, turn, by), &sample.legs, &plants, &floor),
            Some(&turned(&before, turn, by)),
        ).unwrap();
        let (here, there) = (numbers(&here), numbers(&there));
        prop_assert_eq!(here.len(), there.len());
        for ((key, here), (other, there)) in here.into_iter().zip(there) {
            prop_assert_eq!(&key, &other);
            prop_assert!((here - there).abs() < 1e-7 * (1.0 + here.abs()), "{} {} {}", key, here, there);
        }
    }
}

#[test]
fn short_motions_give_no_nan() {
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..9), plant(1, FootPoint::Ball, 5..9)]);
    for frames in 0..5 {
        let short = motion(frames, 10.0, |_| standing(Vec3::ZERO));
        for first_frame in 0..3 {
            let clip = Clip { first_frame, ..clip_of(&short, &legs, &plants, &floor) };
            let figures = measure(&clip, Some(&short)).unwrap();
            let left = frames.saturating_sub(first_frame);
            assert_eq!(figures.after.drift_max_m.is_some(), left >= 1, "{frames} frames from {first_frame}");
            assert_eq!(figures.after.slide_mean_m_per_s.is_some(), left >= 2);
            assert_eq!(figures.after.knee_acceleration_max_rad_per_s2.is_some(), left >= 3);
            assert_eq!(figures.after.stretch_frames.is_some(), left >= 1);
            assert!(numbers(&figures).iter().all(|(_, number)| number.is_finite()));
        }
    }
}

#[test]
fn no_legs_no_plants_and_no_joints_give_no_figures() {
    let (none, floor) = (Footplants::default(), Floor::level(0.0));
    let scene = |motion: &Motion| clip_of(motion, &[], &none, &floor);
    let figures = measure(&scene(&motion(9, 10.0, |_| standing(Vec3::ZERO))), None).unwrap();
    assert_eq!(figures.after.penetration_max_m, None);
    assert_eq!(figures.after.root_acceleration_max_m_per_s2, Some(0.0));
    let nothing = Motion { fps: 30.0, ..Motion::default() };
    let figures = measure(&scene(&nothing), Some(&nothing)).unwrap();
    assert_eq!(figures.after, Default::default());
    assert!(figures.table().contains('–'));
}

#[test]
fn legs_of_no_length_give_no_nan() {
    let mut flat = motion(5, 10.0, |_| standing(Vec3::ZERO));
    for pose in &mut flat.poses {
        pose.offsets.iter_mut().for_each(|offset| *offset = Vec3::ZERO);
    }
    let figures = left_heel_planted(&flat, Some(&flat));
    assert!(numbers(&figures).iter().all(|(_, number)| number.is_finite()));
}
