//! Plants that are labelled as standing or skating: the labels replace the rule by speed.

use surefoot_core::{FootPoint, PlantKind, Vec3};
use surefoot_solve::{Form, Settings, SupportLabel};

use super::*;

/// The left foot slides all the time at 0.24 m/s; its plants have the given kind.
fn sliding_foot(kind: Option<PlantKind>) -> Case {
    let mut case = step([true, false], [true, false], 0..FRAMES - 1);
    case.clip.plants.plants.iter_mut().for_each(|plant| plant.kind = kind);
    case
}

/// Where the left heel is held, and the frame in which it was captured there.
fn held_at(case: &Case, settings: &Settings) -> usize {
    let (_, report) = check_held_or_noted(case, case.rectify(settings)).unwrap();
    let spot = report.plants.iter().find(|plant| plant.point == FootPoint::Heel).unwrap().spot.unwrap();
    let distance = |frame: &usize| heel(case, &case.clip.motion, *frame, 0).distance(spot);
    let nearest = (0..FRAMES).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
    assert!(distance(&nearest) < 1e-9, "{}", distance(&nearest));
    nearest
}

#[test]
fn a_labelled_plant_is_held_at_its_beginning_and_labelled_skate_in_the_middle_of_the_stance() {
    let settings = Settings::default();
    assert_eq!(held_at(&sliding_foot(Some(PlantKind::Plant)), &settings), 0);
    assert_eq!(held_at(&sliding_foot(Some(PlantKind::Skate)), &settings), FRAMES / 2);
    // Without labels the speed decides.
    assert_eq!(held_at(&sliding_foot(None), &settings), FRAMES / 2);
    assert_eq!(held_at(&sliding_foot(None), &Settings { skate_speed: 1.0, ..settings }), 0);
}

#[test]
fn labels_decide_the_support_of_a_frame_whatever_its_speed() {
    for form in [Form::Improved, Form::Paper] {
        for (kind, expected) in [(PlantKind::Plant, "leg 0"), (PlantKind::Skate, "skate")] {
            let case = sliding_foot(Some(kind));
            for skate_speed in [0.0, 100.0] {
                let labels = case.support_labels(&Settings { form, skate_speed, ..Settings::default() });
                let expected_everywhere = |label: &SupportLabel| label.as_str(&case.clip.legs) == expected;
                assert!(labels.iter().all(expected_everywhere), "{form:?}, {kind:?}, {skate_speed}");
            }
        }
    }
}

#[test]
fn the_default_method_holds_a_plant_at_the_same_spot_whatever_its_kind() {
    let motions = [None, Some(PlantKind::Plant), Some(PlantKind::Skate)]
        .map(|kind| sliding_foot(kind).clean(&Settings::default()).0);
    for motion in &motions[1..] {
        assert!(motion.poses.iter().zip(&motions[0].poses).all(|(a, b)| bits(a) == bits(b)));
    }
}

#[test]
fn a_given_spot_is_held_whatever_the_kind() {
    let mut case = sliding_foot(Some(PlantKind::Skate));
    let spot = heel(&case, &case.clip.motion, 7, 0);
    case.clip.plants.plants.retain(|plant| plant.point == FootPoint::Heel);
    case.clip.plants.plants[0].spot = Some(Vec3::new(spot.x, 0.0, spot.z));
    let (_, report) = check_held_or_noted(&case, case.rectify(&Settings::default())).unwrap();
    assert_eq!(report.plants[0].spot, case.clip.plants.plants[0].spot);
}
