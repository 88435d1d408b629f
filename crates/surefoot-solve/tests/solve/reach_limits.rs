//! Legs at the limits of their reach: straight, folded, backwards, and targets out of reach.

use surefoot_core::math::{PI, sin};
use surefoot_core::{FootPoint, Vec3};
use surefoot_solve::{Note, Settings};

use crate::fixtures::*;
use FootPoint::{Ball, Heel};

#[test]
fn plants_of_a_sliding_body_with_bent_knees_are_held() {
    let case = crouch(both_feet());
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((held_plants(&case, &after, &report), &report.notes[..]), (4, &[][..]));
}

#[test]
fn plants_of_straight_legs_are_held() {
    let straight =
        Build { thigh: Vec3::new(0.0, -0.42, 0.0), shin: Vec3::new(0.0, -0.42, 0.0), ..Build::default() };
    let case = by_hand(straight, 60, both_feet(), |frame, pose| {
        pose.offsets[0].z += 0.02 * sin(frame as f64 / 5.0);
    });
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(held_plants(&case, &after, &report), 4);
    // Where the root comes down, the knee moves forward, never backward.
    for pose in world(&after) {
        let leg = &case.clip.legs[0];
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| pose.joint(joint));
        let forward = (knee - (hip + ankle) * 0.5).z;
        assert!(forward > -1e-3, "{forward}");
    }
}

#[test]
fn a_single_planted_leg_is_always_in_reach_of_the_root() {
    // Bones that lean out of the hinge plane never align completely.
    let leaning =
        Build { legs: 1, thigh: Vec3::new(0.06, -0.42, 0.02), shin: Vec3::new(-0.08, -0.42, -0.02) };
    let plants = vec![plant(0, Heel, 10..50), plant(0, Ball, 15..55)];
    let case = by_hand(leaning, 120, plants, |frame, pose| {
        slide(frame, pose);
        // Only the frames after the plants show the hinge axis.
        bend_knees(pose, if frame < 60 { 0.0 } else { 1.5 });
    });
    for (name, settings) in all_settings() {
        let (_, report) = clean_held_or_noted(&case, &settings).unwrap();
        assert!(!report.plants.is_empty() && report.notes.is_empty(), "{name}: {:?}", report.notes);
    }
}

#[test]
fn plants_of_folded_legs_are_held() {
    let case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        slide(frame, pose);
        bend_knees(pose, PI - 0.05);
        pose.offsets[0].y = 0.1;
    });
    assert_all_held(&case);
}

#[test]
fn a_target_at_the_hip_gives_a_finite_pose() {
    let hip = |case: &Case| {
        case.clip.motion.poses[30].world(&case.clip.motion.skeleton).joint(case.clip.legs[0].hip)
    };
    let mut case = crouch(vec![]);
    // The heel is 6 cm below the ankle and 5 cm behind it.
    let spot = hip(&case) - Vec3::new(0.0, 0.06, 0.05);
    case.clip.plants.plants = vec![plant_at(0, Heel, 30..31, spot)];
    clean_with_all_settings(&case);
    case.clip.floor = None;
    clean_with_all_settings(&case);
}

#[test]
fn a_knee_captured_backwards_does_not_flip_to_the_front() {
    // Forward in most frames, so that the hinge axis is known, and backward for a while.
    let case = by_hand(
        Build::default(),
        120,
        vec![plant(0, Heel, 50..70), plant(0, Ball, 50..70)],
        |frame, pose| {
            let is_backward = (50..70).contains(&frame);
            bend_knees(pose, if is_backward { -0.25 } else { 0.6 });
            pose.offsets[0].z += 0.001 * frame as f64;
        },
    );
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(held_plants(&case, &after, &report), 2);
    for frame in 50..70 {
        let rotated =
            after.poses[frame].rotations[KNEE].angle_between(case.clip.motion.poses[frame].rotations[KNEE]);
        // Measured: at most 0.0447 rad, for a slide of 2 cm. A flip to the front would be 0.31 rad.
        assert!(rotated < 0.045, "frame {frame}: the knee rotated by {rotated}");
    }
}

#[test]
fn plants_out_of_reach_drift_by_what_the_note_states() {
    let at = |leg, x: f64| plant_at(leg, Heel, 20..40, Vec3::new(x, 0.0, 0.5));
    let case = crouch(vec![at(0, 2.0), at(1, -2.0)]);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(report.notes.len(), 2, "{:?}", report.notes);
    for (note, (plant, cost)) in report.notes.iter().zip(case.clip.plants.plants.iter().zip(&report.plants)) {
        let Note::OutOfReach { leg, frames, drift_m } = note else { panic!("{note:?}") };
        assert_eq!((*leg, frames), (plant.leg, &plant.frames));
        assert_eq!(*drift_m, cost.drift_m);
        assert!((drift(&after, &case.clip, plant, cost.spot) - drift_m).abs() < 1e-9);
        // Measured: 1.0590 m. The spots are 4 m apart, twice the reach of both legs and the width of the hips.
        assert!((drift_m - 1.0590).abs() < 1e-4, "{drift_m}");
    }
    // The body is symmetric.
    assert!((report.plants[0].drift_m - report.plants[1].drift_m).abs() < 1e-9);
}

#[test]
fn a_spot_a_kilometre_away_gives_a_finite_pose_and_a_note() {
    let case = crouch(vec![plant_at(0, Ball, 20..40, Vec3::new(1000.0, 0.0, 0.0)), plant(1, Heel, 25..45)]);
    let (_, report) = clean_with_all_settings(&case);
    assert!(
        report.notes.iter().any(|note| matches!(note, Note::OutOfReach { leg: 0, .. })),
        "{:?}",
        report.notes
    );
}

#[test]
fn unlimited_stretch_holds_plants_out_of_reach() {
    let case = crouch(vec![
        plant_at(0, Heel, 20..40, Vec3::new(2.0, 0.0, 0.5)),
        plant_at(1, Heel, 20..40, Vec3::new(-2.0, 0.0, 0.5)),
    ]);
    for form in [surefoot_solve::Form::Improved, surefoot_solve::Form::Paper] {
        let settings = Settings { stretch: Some(f64::INFINITY), form, ..Settings::default() };
        let (after, report) = clean_held_or_noted(&case, &settings).unwrap();
        assert_eq!((held_plants(&case, &after, &report), report.notes), (2, vec![]));
    }
}
