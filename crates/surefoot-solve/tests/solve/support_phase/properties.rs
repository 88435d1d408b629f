//! Plants are held or noted, and nothing else changes.

use proptest::prelude::*;
use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Footplants, Plant, Pose, Vec3, WorldPose};
use surefoot_sample::{Kind, Recipe, Skate};
use surefoot_solve::{CleanError, FootRoll, Form, Note, Report, Settings, SetupError, SupportLabel};

use super::*;

/// Asserts that frames out of reach of all plants, and everything but the legs, keep their bits: as published.
fn check_untouched(case: &Case, settings: &Settings) {
    let after = case.rectify(settings).0;
    let labels = case.support_labels(settings);
    let distance = (settings.blend_window * case.clip.motion.fps).ceil() as usize;
    let legs: Vec<usize> =
        case.clip.legs.iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle]).map(|id| id.index()).collect();
    for (frame, (was, now)) in case.clip.motion.poses.iter().zip(&after.poses).enumerate() {
        let near = frame.saturating_sub(distance)..(frame + distance + 1).min(labels.len());
        if labels[near].iter().all(|label| *label == SupportLabel::None) {
            assert_eq!(bits(was), bits(now), "{}: frame {frame}", case.name);
        }
        for joint in case.clip.motion.skeleton.ids() {
            if !legs.contains(&joint.index()) {
                assert_eq!(was.rotations[joint.index()], now.rotations[joint.index()], "{}", case.name);
            }
            let (was, now) = (was.offsets[joint.index()], now.offsets[joint.index()]);
            let change = (now.length() - was.length()).abs();
            assert!(
                // A joint at its parent has no length to stretch, whatever the limit.
                change <= 1e-12 || change / was.length() <= settings.stretch.unwrap_or(0.0) + 1e-12,
                "{}: {joint:?}",
                case.name
            );
            if case.clip.motion.skeleton.parent(joint).is_none() || settings.stretch.unwrap_or(0.0) == 0.0 {
                assert_eq!(was.to_array().map(f64::to_bits), now.to_array().map(f64::to_bits));
            }
        }
    }
}

fn check(case: &Case) {
    for (name, settings) in all_settings() {
        if let Err(error) = check_held_or_noted(case, case.rectify(&settings)) {
            panic!("{name}: {error}");
        }
        if settings.form == Form::Paper {
            check_untouched(case, &settings);
        }
    }
}

#[test]
fn motions_without_plants_keep_their_bits() {
    for captured in samples().chain(captures()) {
        for (_, settings) in all_settings() {
            let mut case = captured.clone();
            case.clip.plants = Footplants::default();
            // The improved form lifts free feet out of a floor.
            if settings.form == Form::Improved {
                case.clip.floor = None;
            }
            let (after, report) = case.rectify(&settings);
            assert_eq!(report, Report::default());
            let is_same = |(before, after): (&Pose, &Pose)| bits(before) == bits(after);
            assert!(case.clip.motion.poses.iter().zip(&after.poses).all(is_same), "{}", case.name);
        }
    }
    let jump = Recipe { kind: Kind::Jump, ..Default::default() };
    let case = sample(&Recipe { skate: Some(Skate::Noise(0.004)), ..jump });
    check_untouched(&case, &Settings::paper());
}

#[test]
fn plants_of_every_sample_are_held_or_noted_and_the_rest_is_unchanged() {
    samples().flat_map(|case| [case.clone(), case.without_spots()]).for_each(|case| check(&case));
}

#[test]
fn plants_of_captures_are_held_or_noted_and_the_rest_is_unchanged() {
    captures().iter().for_each(check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn plants_of_random_motions_are_held_or_noted_and_the_rest_is_unchanged(case in any_case()) {
        check(&case);
    }
}

#[test]
fn a_rolled_foot_is_laid_flat_or_keeps_its_roll() {
    let mut case = step([true, false], [true, false], SKATING);
    // The foot stands flat at first, then on its edge.
    for pose in &mut case.clip.motion.poses[FRAMES / 2..] {
        pose.rotations[ANKLE] *= axis_rotation(2, 0.1);
    }
    let tilt = |roll: FootRoll| {
        let rectified = case.rectify(&Settings { roll, ..Settings::default() }).0;
        let WorldPose { rotations, .. } = rectified.poses[FRAMES - 1].world(&rectified.skeleton);
        (rotations[ANKLE] * Vec3::X).y.abs()
    };
    assert!(tilt(FootRoll::Keep) > 0.09, "{}", tilt(FootRoll::Keep));
    assert!(tilt(FootRoll::Flat) < 1e-9, "{}", tilt(FootRoll::Flat));
}

#[test]
fn in_the_published_form_a_plant_out_of_reach_drifts_with_a_note_and_the_root_stays() {
    let mut case = step([true, false], [true, false], SKATING);
    for plant in &mut case.clip.plants.plants {
        let far = if plant.point == FootPoint::Heel { 0.0 } else { 0.19 };
        plant.spot = Some(Vec3::new(0.1, 0.0, 1.0 + far));
    }
    let (_, report) =
        check_held_or_noted(&case, case.rectify(&Settings { stretch: Some(0.0), ..Settings::paper() }))
            .unwrap();
    assert!(report.notes.iter().any(|note| matches!(note, Note::OutOfReach { leg: 0, .. })));
    assert!(report.plants.iter().all(|plant| plant.root_correction_m == 0.0 && plant.drift_m > 0.1));
}

#[test]
fn invalid_speeds_poses_and_spots_are_rejected() {
    let case = step([true, false], [true, false], SKATING);
    for skate in [f64::NAN, -1.0] {
        let settings = Settings { skate_speed: skate, ..Settings::default() };
        let error = case.try_rectify(&settings).unwrap_err();
        assert!(matches!(error, CleanError::Setup(SetupError::InvalidSetting("skate_speed", _))), "{error}");
    }
    let mut invalid = case.clone();
    invalid.clip.motion.poses[3].offsets[0].x = f64::NAN;
    assert!(invalid.try_rectify(&Settings::default()).is_err());
    let mut invalid = case.clone();
    invalid.clip.plants.plants[0].spot = Some(Vec3::NAN);
    assert!(invalid.try_rectify(&Settings::default()).is_err());
    // Plants of missing legs and frames hold nothing.
    let mut outside = case.clone();
    outside.clip.plants.plants.push(Plant { leg: 7, ..outside.clip.plants.plants[0].clone() });
    outside.clip.plants.plants.push(plant(1, FootPoint::Heel, FRAMES + 3..FRAMES + 9));
    let (_, report) = outside.rectify(&Settings { form: Form::Paper, ..Settings::default() });
    assert_eq!(report.notes.iter().filter(|note| matches!(note, Note::NotHeld { .. })).count(), 2);
}
