//! Each figure on a small motion whose exact value is known.

use crate::bodies::*;
use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Floor, FootPoint, Footplants, Motion, Plant, Vec3};
use surefoot_measure::{MeasureError, measure};

/// A step of 1 m/s at 10 fps.
fn slides(frame: usize) -> Vec3 {
    Vec3::new(0.0, 0.0, 0.1 * frame as f64)
}

#[test]
fn a_point_that_slides_a_metre_a_second_drifts_a_metre_in_a_second() {
    let figures = left_heel_planted(&motion(11, 10.0, |frame| standing(slides(frame))), None).after;
    check(figures.drift_max_m, 1.0);
    check(figures.drift_mean_m, 0.5);
    check(figures.slide_mean_m_per_s, 1.0);
    check(figures.skate_ratio, 1.0);
}

#[test]
fn drift_is_the_distance_from_the_first_position_and_not_the_path_length() {
    // 3 cm forwards and back.
    let places = [0.0, 0.03, 0.0];
    let there_and_back = motion(3, 10.0, |frame| standing(Vec3::new(places[frame], 0.0, 0.0)));
    let figures = left_heel_planted(&there_and_back, None).after;
    check(figures.drift_max_m, 0.03);
    check(figures.slide_mean_m_per_s, 0.3);
}

#[test]
fn drift_from_a_given_spot_counts_from_the_first_frame() {
    let stands = motion(5, 10.0, |_| standing(Vec3::ZERO));
    let (legs, floor) = (legs(), Floor::level(0.0));
    let measured = |spot| {
        let held = Plant { spot, ..plant(0, FootPoint::Heel, 0..5) };
        let figures = measure(&clip_of(&stands, &legs, &plants(vec![held]), &floor), Some(&stands)).unwrap();
        (figures.plants_held(), figures)
    };
    let (held, figures) = measured(None);
    assert_eq!(held, (1, 1));
    let heel = stands.poses[0].world(&stands.skeleton).point(&legs[0].heel);
    assert_eq!(measured(Some(heel)).1, figures);
    // A heel that stands still 1.8 m from its spot.
    let (held, figures) = measured(Some(heel + Vec3::new(1.8, 0.0, 0.0)));
    assert_eq!(held, (0, 1));
    check(figures.after.drift_max_m, 1.8);
    check(figures.after.drift_mean_m, 1.8);
    check(figures.before.unwrap().drift_max_m, 1.8);
    check(figures.plants[0].after.drift, 1.8);
    check(figures.after.slide_mean_m_per_s, 0.0);
}

#[test]
fn the_mean_drift_counts_each_planted_frame_once() {
    let walks = motion(11, 10.0, |frame| standing(slides(frame)));
    let (legs, floor) = (legs(), Floor::level(0.0));
    // 9 steps and 1 step of 10 cm: 0 + 10 + … + 90 cm and 0 + 10 cm, over 12 frames.
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..10), plant(1, FootPoint::Ball, 9..11)]);
    let figures = measure(&clip_of(&walks, &legs, &plants, &floor), None).unwrap();
    check(figures.after.drift_max_m, 0.9);
    check(figures.after.drift_mean_m, 4.6 / 12.0);
    check(figures.plants[1].after.drift, 0.1);
    assert_eq!(
        (figures.plants[1].foot.as_str(), figures.plants[1].first, figures.plants[1].last),
        ("right", 9, 10)
    );
}

#[test]
fn only_frames_faster_than_ten_centimetres_a_second_skate() {
    // Steps of 5, 15, 5 and 15 mm at 10 fps.
    let places = [0.0, 0.005, 0.02, 0.025, 0.04];
    let halting = motion(5, 10.0, |frame| standing(Vec3::new(places[frame], 0.0, 0.0)));
    check(left_heel_planted(&halting, None).after.skate_ratio, 0.5);
}

#[test]
fn speed_between_plants_does_not_count_as_skate() {
    let walks = motion(4, 10.0, |frame| standing(slides(if frame < 2 { 0 } else { 9 })));
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..2), plant(0, FootPoint::Heel, 2..4)]);
    let figures = measure(&clip_of(&walks, &legs, &plants, &floor), None).unwrap();
    check(figures.after.drift_max_m, 0.0);
    check(figures.after.skate_ratio, 0.0);
}

#[test]
fn a_foot_three_millimetres_in_the_floor_penetrates_it_by_three_millimetres() {
    let sunk = motion(4, 10.0, |frame| standing(Vec3::new(0.0, if frame == 2 { -0.003 } else { 0.0 }, 0.0)));
    let figures = left_heel_planted(&sunk, None).after;
    check(figures.penetration_max_m, 0.003);
    check(figures.float_max_m, 0.0);
}

#[test]
fn the_deepest_point_has_its_foot_and_frame() {
    let deep = |depths: [f64; 4]| motion(4, 10.0, |frame| standing(Vec3::new(0.0, -depths[frame], 0.0)));
    let (before, after) = (deep([0.0, 0.009, 0.005, 0.0]), deep([-0.001, 0.001, 0.003, 0.002]));
    let deepest = left_heel_planted(&after, Some(&before)).deepest.unwrap();
    assert_eq!((deepest.foot.as_str(), deepest.point, deepest.frame), ("left", "heel", 2));
    check(Some(deepest.depth), 0.003);
    check(deepest.before, 0.005);
    assert_eq!(left_heel_planted(&deep([-0.001; 4]), Some(&before)).deepest, None);
}

#[test]
fn a_toe_tip_alone_can_penetrate_the_floor() {
    let mut dips = motion(1, 10.0, |_| standing(Vec3::ZERO));
    // Rotated about the heel: the ball sinks by 0.2·sin, the toe by 0.25·sin.
    let ankle = dips.poses[0].offsets[LEFT_ANKLE];
    let turn = axis_rotation(0, 0.01);
    let heel = Vec3::new(0.0, -0.1, -0.05);
    dips.poses[0].rotations[LEFT_ANKLE] = turn;
    dips.poses[0].offsets[LEFT_ANKLE] = ankle + heel - turn * heel;
    let figures = left_heel_planted(&dips, None);
    let deepest = figures.deepest.unwrap();
    assert_eq!((deepest.point, deepest.frame, deepest.before), ("toe tip", 0, None));
    let figures = figures.after;
    check(figures.penetration_max_m, 0.25 * surefoot_core::math::sin(0.01));
    check(figures.float_max_m, 0.0);
}

#[test]
fn a_planted_point_above_the_floor_floats_and_a_free_one_does_not() {
    let hops = motion(3, 10.0, |frame| standing(Vec3::new(0.0, [0.002, 0.004, 0.3][frame], 0.0)));
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..2)]);
    let figures = measure(&clip_of(&hops, &legs, &plants, &floor), None).unwrap().after;
    check(figures.float_max_m, 0.004);
    check(figures.penetration_max_m, 0.0);
}

#[test]
fn the_height_of_a_plant_on_a_step_is_relative_to_its_spot() {
    let climbs = motion(2, 10.0, |_| standing(Vec3::new(0.0, 0.171, 0.0)));
    let (legs, floor) = (legs(), Floor::level(0.0));
    let mut on_step = plant(0, FootPoint::Heel, 0..2);
    on_step.spot = Some(Vec3::new(0.1, 0.17, -0.05));
    let plants = plants(vec![on_step]);
    check(measure(&clip_of(&climbs, &legs, &plants, &floor), None).unwrap().after.float_max_m, 0.001);
}

#[test]
fn a_thigh_two_percent_longer_is_a_stretch_of_two_percent() {
    let mut longer = motion(5, 10.0, |_| standing(Vec3::ZERO));
    longer.poses[1].offsets[LEFT_KNEE] *= 1.02;
    longer.poses[3].offsets[LEFT_ANKLE] *= 0.99;
    let figures = left_heel_planted(&longer, None);
    check(figures.after.stretch_max, 0.02);
    check(figures.after.stretch_frames, 2.0);
    check(figures.plants[0].after.stretch, 0.02);
}

#[test]
fn captured_bone_lengths_are_not_stretch() {
    // A capture whose bones are 5 % longer than the skeleton's own.
    let mut captured = motion(3, 10.0, |_| standing(Vec3::ZERO));
    captured.poses.iter_mut().for_each(|pose| pose.offsets[LEFT_KNEE] *= 1.05);
    let mut after = captured.clone();
    after.poses[1].offsets[LEFT_KNEE] *= 1.02;
    check(left_heel_planted(&captured, None).after.stretch_max, 0.05);
    let figures = left_heel_planted(&after, Some(&captured));
    check(figures.after.stretch_max, 0.02);
    check(figures.after.stretch_frames, 1.0);
    check(figures.before.unwrap().stretch_max, 0.0);
}

#[test]
fn a_difference_below_a_nanometre_is_not_stretch() {
    let mut rounded = motion(3, 10.0, |_| standing(Vec3::ZERO));
    rounded.poses[1].offsets[LEFT_KNEE].y -= 9e-10;
    let figures = left_heel_planted(&rounded, None).after;
    assert_eq!((figures.stretch_max, figures.stretch_frames), (Some(0.0), Some(0.0)));
}

#[test]
fn a_parabolic_knee_angle_has_constant_acceleration() {
    // θ = ½·a·t² with a = 3 rad/s².
    let bends = motion(20, 10.0, |frame| {
        let mut pose = standing(Vec3::ZERO);
        let time = frame as f64 / 10.0;
        bend_knee(&mut pose, 0.5 * 3.0 * time * time / 4.0);
        pose
    });
    let figures = left_heel_planted(&bends, None).after;
    check(figures.knee_acceleration_max_rad_per_s2, 0.75);
    // The right knee is at rest; of 36 values the 99th percentile is the largest.
    check(figures.knee_acceleration_p99_rad_per_s2, 0.75);
}

#[test]
fn one_pop_in_two_hundred_frames_is_the_largest_and_not_the_99th_percentile() {
    let pops = motion(202, 10.0, |frame| {
        let mut pose = standing(Vec3::ZERO);
        bend_knee(&mut pose, if frame == 100 { 0.2 } else { 0.1 });
        pose
    });
    let figures = left_heel_planted(&pops, None).after;
    // Two knees of 200 values each, 3 of them not 0: the 396th of 400 is 0.
    check(figures.knee_acceleration_max_rad_per_s2, 0.2 * 100.0);
    check(figures.knee_acceleration_p99_rad_per_s2, 0.0);
}

#[test]
fn a_falling_root_has_the_acceleration_of_gravity() {
    let falls = motion(10, 50.0, |frame| {
        let time = frame as f64 / 50.0;
        standing(Vec3::new(time, -0.5 * 9.81 * time * time, 0.0))
    });
    let figures = left_heel_planted(&falls, None).after;
    check(figures.root_acceleration_max_m_per_s2, 9.81);
    check(figures.root_acceleration_p99_m_per_s2, 9.81);
}

#[test]
fn bending_a_knee_changes_its_angle() {
    let before = motion(3, 10.0, |_| standing(Vec3::ZERO));
    let mut after = before.clone();
    bend_knee(&mut after.poses[1], PI / 6.0);
    let change = left_heel_planted(&after, Some(&before)).change.unwrap();
    check(change.knee_changed_max_rad, PI / 6.0);
    check(change.frames_changed, 1.0);
    check(change.root_moved_max_m, 0.0);
}

#[test]
fn moving_the_root_for_one_frame_adds_acceleration_to_every_joint() {
    let before = motion(7, 10.0, |frame| standing(slides(frame)));
    let mut after = before.clone();
    after.poses[3].offsets[0].y += 0.002;
    let change = left_heel_planted(&after, Some(&before)).change.unwrap();
    check(change.root_moved_max_m, 0.002);
    // At the frame itself the second difference is −2 × 2 mm, times 10².
    check(change.added_acceleration_max_m_per_s2, 0.4);
}

#[test]
fn a_negated_quaternion_is_not_a_change() {
    let before = motion(3, 10.0, |_| standing(Vec3::ZERO));
    let mut after = before.clone();
    after.poses[1].rotations[0] = -after.poses[1].rotations[0];
    after.poses[2].offsets[0].x += 5e-10;
    check(left_heel_planted(&after, Some(&before)).change.unwrap().frames_changed, 0.0);
}

#[test]
fn a_plant_has_the_cost_of_its_corrections() {
    let before = motion(4, 10.0, |frame| standing(slides(frame)));
    let mut after = motion(4, 10.0, |_| standing(Vec3::ZERO));
    after.poses[2].offsets[LEFT_KNEE] *= 1.01;
    let cost = left_heel_planted(&after, Some(&before)).plants[0].cost.unwrap();
    check(Some(cost.root), 0.3);
    check(Some(cost.stretch), 0.01);
    check(Some(cost.drift), 0.004);
}

#[test]
fn an_inserted_t_pose_is_ignored() {
    let mut walks = motion(12, 10.0, |frame| standing(slides(frame)));
    walks.poses[0] = standing(Vec3::new(5.0, -2.0, 7.0));
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 1..12)]);
    let mut clip = clip_of(&walks, &legs, &plants, &floor);
    assert!(measure(&clip, None).unwrap().after.root_acceleration_max_m_per_s2.unwrap() > 700.0);
    clip.first_frame = 1;
    let figures = measure(&clip, None).unwrap();
    assert!(figures.after.root_acceleration_max_m_per_s2.unwrap() < 1e-9);
    check(figures.after.penetration_max_m, 0.0);
    check(figures.after.drift_max_m, 1.0);
    assert_eq!((figures.plants[0].first, figures.plants[0].last), (1, 11));
}

#[test]
fn a_static_root_is_not_the_moving_root() {
    // The same body below a joint that never moves.
    let body = motion(5, 10.0, |frame| standing(slides(frame * frame)));
    let mut hung = body.clone();
    let mut joints =
        vec![surefoot_core::Joint { name: "reference".into(), parent: None, offset: Vec3::ZERO, end: None }];
    joints.extend(body.skeleton.joints().iter().map(|joint| surefoot_core::Joint {
        parent: Some(joint.parent.map_or(surefoot_core::JointId(0), |p| surefoot_core::JointId(p.0 + 1))),
        ..joint.clone()
    }));
    hung.skeleton = surefoot_core::Skeleton::new(joints).unwrap();
    for pose in &mut hung.poses {
        pose.offsets.insert(0, Vec3::ZERO);
        pose.rotations.insert(0, surefoot_core::Quat::IDENTITY);
    }
    let mut legs = legs();
    for leg in &mut legs {
        for joint in [&mut leg.hip, &mut leg.knee, &mut leg.ankle] {
            joint.0 += 1;
        }
        for point in [&mut leg.heel, &mut leg.ball, &mut leg.toe] {
            point.joint.0 += 1;
        }
    }
    let (none, floor) = (Footplants::default(), Floor::level(0.0));
    let figures = measure(&clip_of(&hung, &legs, &none, &floor), None).unwrap();
    check(figures.after.root_acceleration_max_m_per_s2, 20.0);
}

#[test]
fn published_figures_of_a_sliding_foot_are_exact() {
    // At the frame rate of the papers: 5 cm per frame at 20 fps, both feet on the floor.
    let slides = motion(21, 20.0, |frame| standing(Vec3::new(0.0, 0.0, 0.05 * frame as f64)));
    let figures = left_heel_planted(&slides, None).after;
    // MANN: h = 0 weighs 2 − 2⁰ = 1.
    check(figures.skate_mann_m_per_s, 1.0);
    // GMD: two of five values in the first and last window are zero; their mean of 0.6 is still above 0.5.
    check(figures.skate_ratio_gmd, 1.0);
    // EDGE: the acceleration of the root is 0 up to rounding.
    let pfc = figures.skate_pfc_edge.unwrap();
    assert!(pfc.is_finite());
}

#[test]
fn the_mann_figure_decreases_with_height() {
    let at = |height: f64| {
        let slides = motion(5, 20.0, |frame| standing(Vec3::new(0.0, height, 0.05 * frame as f64)));
        left_heel_planted(&slides, None).after
    };
    check(at(0.0125).skate_mann_m_per_s, 2.0 - surefoot_core::math::sqrt(2.0));
    check(at(0.025).skate_mann_m_per_s, 0.0);
    check(at(0.2).skate_mann_m_per_s, 0.0);
    check(at(-0.1).skate_mann_m_per_s, 1.0);
    check(at(0.06).skate_ratio_gmd, 0.0);
}

#[test]
fn the_gmd_ratio_requires_skating_over_its_window() {
    // One step of 8 cm in 20, at 20 fps: 1.6 m/s, but 0.32 m/s in the mean over five.
    let jumps = motion(21, 20.0, |frame| standing(Vec3::new(0.0, 0.0, if frame < 10 { 0.0 } else { 0.08 })));
    check(left_heel_planted(&jumps, None).after.skate_ratio_gmd, 0.0);
    // Two steps of 8 cm: 0.64 m/s. Only the two steps themselves count.
    let twice =
        motion(21, 20.0, |frame| standing(Vec3::new(0.0, 0.0, 0.08 * (frame.clamp(9, 11) - 9) as f64)));
    check(left_heel_planted(&twice, None).after.skate_ratio_gmd, 2.0 / 20.0);
}

#[test]
fn physical_foot_contact_is_the_product_of_foot_speeds_and_root_acceleration() {
    // At 30 fps the root goes 0, 1, 4, 9 … cm: its acceleration is constant, and both feet move with it.
    let speeds_up = motion(4, 30.0, |frame| standing(Vec3::new(0.0, 0.0, 0.01 * (frame * frame) as f64)));
    // Steps into frames 2 and 3 are 3 and 5 cm: 10⁴ · (0.03² + 0.05²) / 2.
    check(left_heel_planted(&speeds_up, None).after.skate_pfc_edge, 17.0);
}

#[test]
fn motions_of_different_skeletons_lengths_or_rates_are_errors() {
    let (legs, none, floor) = (legs(), Footplants::default(), Floor::level(0.0));
    let scene = |motion: &Motion| clip_of(motion, &legs, &none, &floor);
    let one = motion(3, 10.0, |_| standing(Vec3::ZERO));
    let longer = motion(4, 10.0, |_| standing(Vec3::ZERO));
    let faster = motion(3, 20.0, |_| standing(Vec3::ZERO));
    let message = |before| measure(&scene(&one), Some(before)).unwrap_err().to_string();
    assert_eq!(message(&longer), "the motion before has 4 frames, but the one after has 3");
    assert_eq!(message(&faster), "the motion before has 20 frames per second, but the one after has 10");
    assert_eq!(
        message(&surefoot_core::Motion { fps: 10.0, ..Default::default() }),
        "the skeleton before has 0 joints, but the one after has 7"
    );
}

#[test]
fn a_plant_of_a_missing_leg_is_an_error() {
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(2, FootPoint::Heel, 0..2)]);
    let one = motion(3, 10.0, |_| standing(Vec3::ZERO));
    let error = measure(&clip_of(&one, &legs, &plants, &floor), None).unwrap_err();
    assert_eq!(error, MeasureError::NoSuchLeg { leg: 2, legs: 2 });
}
