//! Spots of plants: single and overlapping plants, given spots, and spots that do not fit the foot.

use surefoot_core::{Floor, FootPoint, Plant, Vec3};
use surefoot_sample::Recipe;
use surefoot_solve::{Note, Settings};

use crate::fixtures::*;
use FootPoint::{Ball, Heel};

#[test]
fn a_plant_of_one_frame_is_held() {
    for point in [Heel, Ball] {
        let case = crouch(vec![plant(0, point, 30..31)]);
        let (after, report) = clean_with_all_settings(&case);
        assert_eq!(held_plants(&case, &after, &report), 1);
    }
    let spot = Vec3::new(0.1, 0.0, 0.35);
    let case = crouch(vec![plant_at(0, Heel, 30..31, spot)]);
    let (after, _) = clean_with_all_settings(&case);
    assert!(positions(&after, &case.clip, &case.clip.plants.plants[0])[0].distance(spot) < ROUNDING);
}

#[test]
fn plants_at_both_ends_of_a_motion_are_held() {
    let plants = [0..10, 50..60].into_iter().flat_map(|frames| {
        [plant(0, Heel, frames.clone()), plant(0, Ball, frames.clone()), plant(1, Ball, frames)]
    });
    let case = crouch(plants.collect());
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((held_plants(&case, &after, &report), report.notes), (6, vec![]));
}

#[test]
fn a_plant_of_the_whole_motion_is_held() {
    assert_all_held(&crouch(vec![plant(0, Heel, 0..60), plant(1, Heel, 0..60)]));
}

#[test]
fn plants_of_heel_and_ball_that_start_together_keep_their_middle() {
    let case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40)]);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(held_plants(&case, &after, &report), 2);
    let mean = |plant: &Plant| {
        let positions = positions(&case.clip.motion, &case.clip, plant);
        positions.iter().sum::<Vec3>() / positions.len() as f64
    };
    let [heel, ball] = [0, 1].map(|n| report.plants[n].spot.unwrap());
    let middle = (mean(&case.clip.plants.plants[0]) + mean(&case.clip.plants.plants[1])) * 0.5;
    let off = (heel + ball) * 0.5 - Floor::level(0.0).nearest(middle);
    assert!(off.length() < 1e-9, "{off}");
    assert!(heel.y.abs() < 1e-12 && ball.y.abs() < 1e-12);
}

#[test]
fn when_two_plants_start_together_the_plant_near_the_floor_stays_on_the_floor() {
    let mut case = sample(&Recipe::default()).without_spots();
    // Both plants begin after the heel has left the ground, as a user may set them.
    let find = |point: FootPoint, after: usize| {
        let is_after = |plant: &&Plant| plant.leg == 0 && plant.point == point && plant.frames.end > after;
        case.clip.plants.plants.iter().find(is_after).unwrap().frames.clone()
    };
    let (heel, ball) = (find(Heel, 60), find(Ball, find(Heel, 60).end));
    let frames = (heel.end + ball.end) / 2..ball.end;
    case.clip.plants.plants = vec![plant(0, Heel, frames.clone()), plant(0, Ball, frames.clone())];
    let (after, report) = clean_with_all_settings(&case);
    assert!(report.notes.iter().any(|note| matches!(note, Note::OffFloor { .. })), "{:?}", report.notes);
    let ball = |frame: usize| world(&after)[frame].point(&case.clip.legs[0].ball).y;
    assert!(ball(frames.start).abs() < 1e-9 && ball(frames.end - 1).abs() < 1e-9, "{}", ball(frames.start));
}

#[test]
fn consecutive_plants_have_their_own_spots() {
    let case = crouch(vec![plant(0, Heel, 15..30), plant(0, Heel, 30..45), plant(0, Ball, 15..45)]);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((held_plants(&case, &after, &report), report.notes), (3, vec![]));
    // While the ball is planted, the rigid foot leaves the heel one spot. Alone it gets two.
    let alone = crouch(vec![plant(0, Heel, 15..30), plant(0, Heel, 30..45)]);
    let (after, report) = clean_with_all_settings(&alone);
    assert_eq!(held_plants(&alone, &after, &report), 2);
    let [one, other] = [0, 1].map(|n| report.plants[n].spot.unwrap());
    // 15 frames at a metre per second.
    assert!((one.distance(other) - 0.25).abs() < 1e-9, "{one} {other}");
}

#[test]
fn a_point_that_is_planted_again_where_it_rests_keeps_its_spot() {
    // The foot creeps by half a millimetre per frame: 10 mm between the means of the plants.
    let creeping = |plants| {
        by_hand(Build::default(), 60, plants, |frame, pose| {
            bend_knees(pose, 0.9);
            pose.offsets[0] += Vec3::new(0.0, -0.1, 0.0005 * frame as f64);
        })
    };
    let spots = |plants| {
        let case = creeping(plants);
        let (after, report) = case.clean(&Settings::default());
        assert_eq!(held_plants(&case, &after, &report), 2);
        [0, 1].map(|n| report.plants[n].spot.unwrap())
    };
    let [one, again] = spots(vec![plant(0, Ball, 15..30), plant(0, Ball, 35..50)]);
    assert_eq!(one, again);
    // A third of a second later the plant has a spot of its own.
    let [one, later] = spots(vec![plant(0, Ball, 10..25), plant(0, Ball, 45..55)]);
    assert!(one.distance(later) > 0.01, "{one} {later}");
}

#[test]
fn a_foot_that_rolls_from_heel_to_ball_does_not_slide_into_the_new_spot() {
    // The foot creeps by a millimetre per frame, so the means of the two plants are 23 mm apart.
    let case =
        by_hand(Build::default(), 60, vec![plant(0, Heel, 10..30), plant(0, Ball, 33..56)], |frame, pose| {
            bend_knees(pose, 0.9);
            pose.offsets[0] += Vec3::new(0.0, -0.1, 0.001 * frame as f64);
        });
    let (after, report) = case.clean(&Settings::default());
    assert_eq!(held_plants(&case, &after, &report), 2);
    let moved = |n: usize, frame: usize| {
        let plant = &case.clip.plants.plants[n];
        let captured = positions(&case.clip.motion, &case.clip, plant)[frame - plant.frames.start];
        (report.plants[n].spot.unwrap() - captured).with_y(0.0)
    };
    // 8 mm, and 3 of the 10 mm that the foot creeps.
    let slide = moved(1, 33).distance(moved(0, 29));
    assert!((0.006..0.012).contains(&slide), "{slide}");
}

#[test]
fn when_given_spots_do_not_fit_the_foot_the_later_spot_moves_with_a_note() {
    // The foot is 19 cm from heel to ball.
    let (heel, ball) = (Vec3::new(0.1, 0.0, 0.3), Vec3::new(0.1, 0.0, 0.6));
    for (first, second, kept) in [(20, 20, 0), (20, 25, 0), (25, 20, 1)] {
        let case = crouch(vec![plant_at(0, Heel, first..40, heel), plant_at(0, Ball, second..40, ball)]);
        let (after, report) = clean_with_all_settings(&case);
        assert_eq!(held_plants(&case, &after, &report), 1);
        assert!(report.plants[kept].drift_m < ROUNDING, "{report:?}");
        let [Note::FootLengthMismatch { leg: 0, point, drift_m, .. }] = &report.notes[..] else {
            panic!("{:?}", report.notes)
        };
        assert_eq!(*point, [Ball, Heel][kept]);
        assert!((drift_m - (0.3 - 0.19)).abs() < 1e-9, "{drift_m}");
    }
}

#[test]
fn heel_and_ball_at_the_same_spot_give_a_finite_pose() {
    let spot = Vec3::new(0.1, 0.0, 0.4);
    clean_with_all_settings(&crouch(vec![plant_at(0, Heel, 20..40, spot), plant_at(0, Ball, 20..40, spot)]));
}

#[test]
fn a_foot_that_changes_its_length_gives_a_note() {
    let mut case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40)]);
    for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
        pose.offsets[ANKLE + 1].z += 0.0005 * frame as f64;
    }
    let (_, report) = clean_with_all_settings(&case);
    assert!(matches!(report.notes[..], [Note::FootLengthMismatch { point: Ball, .. }]), "{:?}", report.notes);
}

#[test]
fn points_stand_on_given_spots() {
    let spots = [Vec3::new(0.13, 0.0, 0.45), Vec3::new(-0.12, 0.03, 0.5)];
    let case = crouch(vec![plant_at(0, Heel, 20..40, spots[0]), plant_at(1, Ball, 25..45, spots[1])]);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(report.notes, []);
    for (plant, spot) in case.clip.plants.plants.iter().zip(spots) {
        for position in positions(&after, &case.clip, plant) {
            assert!(position.distance(spot) < ROUNDING);
        }
    }
}

#[test]
fn a_plant_off_the_floor_keeps_its_height_and_gives_a_note() {
    let mut case = crouch(vec![plant(0, Heel, 20..40)]);
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].y += 0.2);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(held_plants(&case, &after, &report), 1);
    let [Note::OffFloor { leg: 0, point: Heel, frame: 20, height_m }] = report.notes[..] else {
        panic!("{:?}", report.notes)
    };
    assert!((height_m - report.plants[0].spot.unwrap().y).abs() < 1e-12 && height_m > 0.15);
}

#[test]
fn plants_outside_the_motion_or_of_missing_legs_hold_nothing_and_give_notes() {
    let plants = vec![
        plant(0, Heel, 50..80),
        plant(0, Ball, 70..80),
        plant(7, Heel, 10..20),
        plant(1, Heel, 20..usize::MAX),
        plant(1, Ball, 10..30),
        plant(1, Ball, 20..40),
    ];
    let case = crouch(plants);
    let (after, report) = case.clean(&Settings::default());
    assert_eq!(after.frames(), 60);
    let not_held = report.notes.iter().filter_map(|note| match note {
        Note::NotHeld { leg, point, frames, held_frames } => Some((*leg, *point, frames.start, *held_frames)),
        _ => None,
    });
    let expected =
        [(0, Heel, 50, 10), (0, Ball, 70, 0), (7, Heel, 10, 0), (1, Heel, 20, 40), (1, Ball, 10, 10)];
    assert_eq!(not_held.collect::<Vec<_>>(), expected);
    assert_eq!(report.plants.len(), 6);
    assert_eq!((report.plants[1].spot, report.plants[2].spot), (None, None));
}

#[test]
fn an_empty_plant_changes_nothing() {
    let case = crouch(vec![plant(0, Heel, 20..20)]);
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((after.poses, report.notes), (case.clip.motion.poses, vec![]));
}
