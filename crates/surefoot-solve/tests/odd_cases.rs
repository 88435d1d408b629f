//! LegSet, plants, motions and settings at their limits: each by name.

mod made;

use made::*;
use surefoot_core::math::{PI, sin};
use surefoot_core::{
    Clip, Floor, FootPoint, Joint, JointId, Loop, Motion, Plane, Plant, Pose, Quat, RigidTransform, Skeleton,
    Vec3, WorldPose,
};
use surefoot_sample::{Recipe, Skate};
use surefoot_solve::{CleanError, Note, PoseError, Report, Settings, SetupError, clean};

use FootPoint::{Ball, Heel};

/// Cleans under all settings: finite, every plant held or noted. Gives back the default's result.
fn check(case: &Case) -> (Motion, Report) {
    for (name, settings) in all_settings() {
        if let Err(broken) = held_or_noted(case, &settings) {
            panic!("{name}: {broken}");
        }
    }
    case.clean(&Settings::default())
}

/// How many plants are held to rounding.
fn held(case: &Case, after: &Motion, report: &Report) -> usize {
    let drift =
        |(plant, told): (&Plant, &surefoot_solve::PlantReport)| drift(after, &case.clip, plant, told.spot);
    case.clip.plants.plants.iter().zip(&report.plants).map(drift).filter(|drift| *drift < HELD).count()
}

/// Both feet planted in the middle of 60 frames.
fn both_feet() -> Vec<Plant> {
    vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40), plant(1, Heel, 25..45), plant(1, Ball, 25..45)]
}

/// The root slides forward by a metre a second, and takes the feet with it.
fn sliding(frame: usize, pose: &mut Pose) {
    pose.offsets[0].z += frame as f64 / 60.0;
}

/// The same with bent knees, so that there is something left to reach with.
fn crouching(frame: usize, pose: &mut Pose) {
    sliding(frame, pose);
    bend(pose, 0.9);
    pose.offsets[0].y -= 0.1;
}

/// Bends all knees by so many radians, feet kept level.
fn bend(pose: &mut Pose, radians: f64) {
    for hip in (HIP..pose.rotations.len()).step_by(4) {
        pose.rotations[hip] = pitch(-radians / 2.0);
        pose.rotations[hip + KNEE - HIP] = pitch(radians);
        pose.rotations[hip + ANKLE - HIP] = pitch(-radians / 2.0);
    }
}

fn crouch(plants: Vec<Plant>) -> Case {
    by_hand(Build::default(), 60, plants, crouching)
}

fn refused(case: &Case, settings: &Settings) -> String {
    case.try_clean(settings).unwrap_err().to_string()
}

// LegSet.

#[test]
fn a_sliding_body_with_bent_knees_is_held() {
    let case = crouch(both_feet());
    let (after, report) = check(&case);
    assert_eq!((held(&case, &after, &report), &report.notes[..]), (4, &[][..]));
}

#[test]
fn a_straight_leg_is_held() {
    let straight =
        Build { thigh: Vec3::new(0.0, -0.42, 0.0), shin: Vec3::new(0.0, -0.42, 0.0), ..Build::default() };
    let case = by_hand(straight, 60, both_feet(), |frame, pose| {
        pose.offsets[0].z += 0.02 * sin(frame as f64 / 5.0);
    });
    let (after, report) = check(&case);
    assert_eq!(held(&case, &after, &report), 4);
    // The knee goes forward when the root comes down, never backward.
    for placed in world(&after) {
        let leg = &case.clip.legs[0];
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| placed.joint(joint));
        let bulge = (knee - (hip + ankle) * 0.5).z;
        assert!(bulge > -1e-3, "{bulge}");
    }
}

#[test]
fn one_held_leg_is_always_reached_if_the_root_may_move() {
    // Bones that lean out of the plane in which the knee turns never come quite into line.
    let leaning =
        Build { legs: 1, thigh: Vec3::new(0.06, -0.42, 0.02), shin: Vec3::new(-0.08, -0.42, -0.02) };
    let plants = vec![plant(0, Heel, 10..50), plant(0, Ball, 15..55)];
    let case = by_hand(leaning, 120, plants, |frame, pose| {
        sliding(frame, pose);
        // How the knee turns is seen after the plants.
        bend(pose, if frame < 60 { 0.0 } else { 1.5 });
    });
    for (name, settings) in all_settings() {
        let (_, report) = held_or_noted(&case, &settings).unwrap();
        assert!(!report.plants.is_empty() && report.notes.is_empty(), "{name}: {:?}", report.notes);
    }
}

#[test]
fn a_folded_leg_is_held() {
    let case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        sliding(frame, pose);
        bend(pose, PI - 0.05);
        pose.offsets[0].y = 0.1;
    });
    check(&case);
}

#[test]
fn a_target_at_the_hip_gives_finite_numbers() {
    let hip = |case: &Case| {
        case.clip.motion.poses[30].world(&case.clip.motion.skeleton).joint(case.clip.legs[0].hip)
    };
    let mut case = crouch(vec![]);
    // The heel is 6 cm below the ankle and 5 cm behind.
    let spot = hip(&case) - Vec3::new(0.0, 0.06, 0.05);
    case.clip.plants.plants = vec![plant_at(0, Heel, 30..31, spot)];
    check(&case);
    case.clip.floor = None;
    check(&case);
}

#[test]
fn a_shin_of_no_length_is_refused() {
    let case = by_hand(Build { shin: Vec3::ZERO, ..Build::default() }, 3, vec![], |_, _| {});
    assert_eq!(
        refused(&case, &Settings::default()),
        "the thigh or shin of the leg 0 leg is shorter than a thousandth of a millimetre"
    );
    let case = by_hand(Build { thigh: Vec3::ZERO, ..Build::default() }, 3, vec![], |_, _| {});
    assert_eq!(
        case.try_clean(&Settings::default()).unwrap_err(),
        SetupError::ZeroLengthBone { side: "leg 0".into() }.into()
    );
}

#[test]
fn a_shin_that_a_capture_shrinks_to_nothing_gives_finite_numbers() {
    let case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        crouching(frame, pose);
        pose.offsets[ANKLE] = Vec3::ZERO;
    });
    check(&case);
}

#[test]
fn a_knee_that_bends_backwards_in_the_capture_does_not_come_round_to_the_front() {
    // Forward in most frames, so that the hinge is known, and backward for a while.
    let case = by_hand(
        Build::default(),
        120,
        vec![plant(0, Heel, 50..70), plant(0, Ball, 50..70)],
        |frame, pose| {
            let backward = (50..70).contains(&frame);
            bend(pose, if backward { -0.25 } else { 0.6 });
            pose.offsets[0].z += 0.001 * frame as f64;
        },
    );
    let (after, report) = check(&case);
    assert_eq!(held(&case, &after, &report), 2);
    for frame in 50..70 {
        let turned =
            after.poses[frame].rotations[KNEE].angle_between(case.clip.motion.poses[frame].rotations[KNEE]);
        assert!(turned < 0.5, "frame {frame}: the knee turned by {turned}");
    }
}

#[test]
fn feet_out_of_reach_slide_as_far_as_the_note_says() {
    let at = |leg, x: f64| plant_at(leg, Heel, 20..40, Vec3::new(x, 0.0, 0.5));
    let case = crouch(vec![at(0, 2.0), at(1, -2.0)]);
    let (after, report) = check(&case);
    assert_eq!(report.notes.len(), 2, "{:?}", report.notes);
    for (note, (plant, told)) in report.notes.iter().zip(case.clip.plants.plants.iter().zip(&report.plants)) {
        let Note::OutOfReach { leg, frames, drift_m } = note else { panic!("{note:?}") };
        assert_eq!((*leg, frames), (plant.leg, &plant.frames));
        assert_eq!(*drift_m, told.drift_m);
        assert!((drift(&after, &case.clip, plant, told.spot) - drift_m).abs() < 1e-9);
        assert!(*drift_m > 0.5 && *drift_m < 2.0, "{drift_m}");
    }
    // Two legs alike miss alike.
    assert!((report.plants[0].drift_m - report.plants[1].drift_m).abs() < 1e-9);
}

#[test]
fn a_foot_a_kilometre_away_gives_finite_numbers() {
    let case = crouch(vec![plant_at(0, Ball, 20..40, Vec3::new(1000.0, 0.0, 0.0)), plant(1, Heel, 25..45)]);
    let (_, report) = check(&case);
    assert!(!report.notes.is_empty());
}

// Plants.

#[test]
fn a_plant_of_one_frame_is_held() {
    for point in [Heel, Ball] {
        let case = crouch(vec![plant(0, point, 30..31)]);
        let (after, report) = check(&case);
        assert_eq!(held(&case, &after, &report), 1);
    }
    let spot = Vec3::new(0.1, 0.0, 0.35);
    let case = crouch(vec![plant_at(0, Heel, 30..31, spot)]);
    let (after, _) = check(&case);
    assert!(places(&after, &case.clip, &case.clip.plants.plants[0])[0].distance(spot) < HELD);
}

#[test]
fn plants_at_both_ends_of_a_motion_are_held() {
    let plants = [0..10, 50..60].into_iter().flat_map(|frames| {
        [plant(0, Heel, frames.clone()), plant(0, Ball, frames.clone()), plant(1, Ball, frames)]
    });
    let case = crouch(plants.collect());
    let (after, report) = check(&case);
    assert_eq!((held(&case, &after, &report), report.notes), (6, vec![]));
}

#[test]
fn a_plant_of_the_whole_motion_is_held() {
    let case = crouch(vec![plant(0, Heel, 0..60), plant(1, Heel, 0..60)]);
    check(&case);
}

#[test]
fn heel_and_ball_that_start_together_keep_their_middle() {
    let case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40)]);
    let (after, report) = check(&case);
    assert_eq!(held(&case, &after, &report), 2);
    let mean = |plant: &Plant| {
        let places = places(&case.clip.motion, &case.clip, plant);
        places.iter().sum::<Vec3>() / places.len() as f64
    };
    let [heel, ball] = [0, 1].map(|n| report.plants[n].spot.unwrap());
    let middle = (mean(&case.clip.plants.plants[0]) + mean(&case.clip.plants.plants[1])) * 0.5;
    let off = (heel + ball) * 0.5 - Floor::level(0.0).nearest(middle);
    assert!(off.length() < 1e-9, "{off}");
    assert!(heel.y.abs() < 1e-12 && ball.y.abs() < 1e-12);
}

#[test]
fn a_ball_that_begins_with_a_heel_in_the_air_stays_on_the_floor() {
    let mut case = sample(&Recipe::default()).with_spots_found();
    // The heel has left the ground: a person holds both from there on.
    let find = |point: FootPoint, after: usize| {
        let is_it = |plant: &&Plant| plant.leg == 0 && plant.point == point && plant.frames.end > after;
        case.clip.plants.plants.iter().find(is_it).unwrap().frames.clone()
    };
    let (heel, ball) = (find(Heel, 60), find(Ball, find(Heel, 60).end));
    let frames = (heel.end + ball.end) / 2..ball.end;
    case.clip.plants.plants = vec![plant(0, Heel, frames.clone()), plant(0, Ball, frames.clone())];
    let (after, report) = check(&case);
    assert!(report.notes.iter().any(|note| matches!(note, Note::OffFloor { .. })), "{:?}", report.notes);
    let ball = |frame: usize| world(&after)[frame].point(&case.clip.legs[0].ball).y;
    assert!(ball(frames.start).abs() < 1e-9 && ball(frames.end - 1).abs() < 1e-9, "{}", ball(frames.start));
}

#[test]
fn plants_that_touch_have_two_spots() {
    let case = crouch(vec![plant(0, Heel, 15..30), plant(0, Heel, 30..45), plant(0, Ball, 15..45)]);
    let (after, report) = check(&case);
    assert_eq!((held(&case, &after, &report), report.notes), (3, vec![]));
    // The ball stays, and the foot is rigid: the heel stands where it can.
    let alone = crouch(vec![plant(0, Heel, 15..30), plant(0, Heel, 30..45)]);
    let (after, report) = check(&alone);
    assert_eq!(held(&alone, &after, &report), 2);
    let [one, other] = [0, 1].map(|n| report.plants[n].spot.unwrap());
    // 15 frames at a metre a second.
    assert!((one.distance(other) - 0.25).abs() < 1e-9, "{one} {other}");
}

#[test]
fn spots_that_contradict_the_foots_size_move_the_later_one_and_say_so() {
    // The foot is 19 cm from heel to ball.
    let (heel, ball) = (Vec3::new(0.1, 0.0, 0.3), Vec3::new(0.1, 0.0, 0.6));
    for (first, second, kept) in [(20, 20, 0), (20, 25, 0), (25, 20, 1)] {
        let case = crouch(vec![plant_at(0, Heel, first..40, heel), plant_at(0, Ball, second..40, ball)]);
        let (after, report) = check(&case);
        assert_eq!(held(&case, &after, &report), 1);
        assert!(report.plants[kept].drift_m < HELD, "{report:?}");
        let [Note::FootLengthMismatch { leg: 0, point, drift_m, .. }] = &report.notes[..] else {
            panic!("{:?}", report.notes)
        };
        assert_eq!(*point, [Ball, Heel][kept]);
        assert!((drift_m - (0.3 - 0.19)).abs() < 1e-9, "{drift_m}");
    }
}

#[test]
fn spots_in_one_place_give_finite_numbers() {
    let spot = Vec3::new(0.1, 0.0, 0.4);
    check(&crouch(vec![plant_at(0, Heel, 20..40, spot), plant_at(0, Ball, 20..40, spot)]));
}

#[test]
fn a_foot_that_changes_its_size_says_so() {
    let mut case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40)]);
    for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
        pose.offsets[ANKLE + 1].z += 0.0005 * frame as f64;
    }
    let (_, report) = check(&case);
    assert!(matches!(report.notes[..], [Note::FootLengthMismatch { point: Ball, .. }]), "{:?}", report.notes);
}

#[test]
fn given_spots_are_stood_on() {
    let spots = [Vec3::new(0.13, 0.0, 0.45), Vec3::new(-0.12, 0.03, 0.5)];
    let case = crouch(vec![plant_at(0, Heel, 20..40, spots[0]), plant_at(1, Ball, 25..45, spots[1])]);
    let (after, report) = check(&case);
    assert_eq!(report.notes, []);
    for (plant, spot) in case.clip.plants.plants.iter().zip(spots) {
        for place in places(&after, &case.clip, plant) {
            assert!(place.distance(spot) < HELD);
        }
    }
}

#[test]
fn a_plant_off_the_floor_keeps_its_height_and_a_note_says_so() {
    let mut case = crouch(vec![plant(0, Heel, 20..40)]);
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].y += 0.2);
    let (after, report) = check(&case);
    assert_eq!(held(&case, &after, &report), 1);
    let [Note::OffFloor { leg: 0, point: Heel, frame: 20, height_m }] = report.notes[..] else {
        panic!("{:?}", report.notes)
    };
    assert!((height_m - report.plants[0].spot.unwrap().y).abs() < 1e-12 && height_m > 0.15);
}

#[test]
fn plants_outside_the_motion_or_of_no_leg_hold_nothing_and_are_noted() {
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
    let unheld = report.notes.iter().filter_map(|note| match note {
        Note::NotHeld { leg, point, frames, held_frames } => Some((*leg, *point, frames.start, *held_frames)),
        _ => None,
    });
    let expected =
        [(0, Heel, 50, 10), (0, Ball, 70, 0), (7, Heel, 10, 0), (1, Heel, 20, 40), (1, Ball, 10, 10)];
    assert_eq!(unheld.collect::<Vec<_>>(), expected);
    assert_eq!(report.plants.len(), 6);
    assert_eq!((report.plants[1].spot, report.plants[2].spot), (None, None));
}

#[test]
fn an_empty_plant_is_no_plant() {
    let case = crouch(vec![plant(0, Heel, 20..20)]);
    let (after, report) = check(&case);
    assert_eq!((after.poses, report.notes), (case.clip.motion.poses, vec![]));
}

// Motions and bodies.

#[test]
fn the_shortest_motions_are_cleaned() {
    for frames in 0..4 {
        let plants = vec![plant(0, Heel, 0..frames), plant(1, Ball, 0..9), plant(0, Ball, 1..2)];
        let case = by_hand(Build::default(), frames, plants, crouching);
        let (after, report) = check(&case);
        assert_eq!(after.frames(), frames);
        assert_eq!(held(&case, &after, &report), 3, "{frames} frames");
    }
}

#[test]
fn a_body_without_legs_comes_back_as_it_was() {
    let case = by_hand(Build { legs: 0, ..Build::default() }, 30, vec![], sliding);
    assert_eq!(check(&case).0.poses, case.clip.motion.poses);
    let nothing = Motion { fps: 30.0, poses: vec![Pose::default(); 5], ..Motion::default() };
    let clip = Clip { motion: nothing.clone(), ..Clip::default() };
    let after = clean(&clip, &Settings::default()).unwrap().clip.motion;
    assert_eq!(after, nothing);
}

#[test]
fn one_leg_four_and_nine_are_held() {
    for legs in [1, 3, 4, 9] {
        let plants = (0..legs).flat_map(|leg| [plant(leg, Heel, 20..40), plant(leg, Ball, 18..45)]);
        let case = by_hand(Build { legs, ..Build::default() }, 60, plants.collect(), crouching);
        let (after, report) = check(&case);
        assert_eq!((held(&case, &after, &report), report.notes), (2 * legs, vec![]), "{legs} legs");
    }
}

#[test]
fn legs_under_different_roots_are_refused() {
    let (one, mut legs) = body(Build { legs: 1, ..Build::default() });
    let mut joints: Vec<Joint> = one.joints().to_vec();
    let first = joints.len() as u32;
    joints.extend(one.joints().iter().map(|joint| Joint {
        parent: joint.parent.map(|parent| JointId(parent.0 + first)),
        ..joint.clone()
    }));
    let mut other = legs[0].clone();
    for joint in [&mut other.hip, &mut other.knee, &mut other.ankle] {
        joint.0 += first;
    }
    for point in [&mut other.heel, &mut other.ball, &mut other.toe] {
        point.joint.0 += first;
    }
    legs.push(other);
    let mut case = crouch(vec![]);
    case.clip.legs = legs;
    case.clip.motion = Motion { skeleton: Skeleton::new(joints).unwrap(), fps: 60.0, poses: vec![] };
    assert_eq!(refused(&case, &Settings::default()), "the legs are below different roots, expected one root");
}

#[test]
fn a_leg_that_is_none_is_refused() {
    let not_a_leg = "the leg 0 leg: the knee is not below the hip or the ankle not below the knee";
    let mut case = crouch(vec![]);
    case.clip.legs[0].knee = JointId(6);
    assert_eq!(refused(&case, &Settings::default()), not_a_leg);
    case.clip.legs[0].knee = JointId(1000);
    assert_eq!(refused(&case, &Settings::default()), not_a_leg);
    let mut case = crouch(vec![]);
    case.clip.legs[0].heel.joint = case.clip.legs[1].ankle;
    assert_eq!(
        refused(&case, &Settings::default()),
        "the heel of the leg 0 leg is neither on its ankle nor on a joint below it"
    );
}

#[test]
fn a_leg_whose_hip_is_the_root_is_held() {
    let (skeleton, mut legs) = body(Build { legs: 1, ..Build::default() });
    legs[0].hip = JointId(0);
    let mut case = crouch(vec![plant(0, Heel, 20..40)]);
    let poses = case.clip.motion.poses.iter().map(|pose| Pose {
        offsets: pose.offsets[..skeleton.len()].to_vec(),
        rotations: pose.rotations[..skeleton.len()].to_vec(),
    });
    case.clip.motion = Motion { fps: 60.0, poses: poses.collect(), skeleton };
    case.clip.legs = legs;
    let (after, report) = check(&case);
    assert_eq!(held(&case, &after, &report), 1);
}

#[test]
fn a_twist_joint_in_thigh_or_shin_bends_and_stretches_with_it() {
    // Each bone in two halves, with a twist joint between that turns on its own.
    let (skeleton, legs) = body(Build { legs: 1, ..Build::default() });
    let half = |joint: usize| skeleton.joints()[joint].offset * 0.5;
    let joint = |name: &str, parent: Option<u32>, offset| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset,
        end: None,
    };
    let joints = vec![
        joint("root", None, skeleton.joints()[0].offset),
        joint("hip", Some(0), skeleton.joints()[1].offset),
        joint("thigh twist", Some(1), half(KNEE)),
        joint("knee", Some(2), half(KNEE)),
        joint("shin twist", Some(3), half(ANKLE)),
        joint("ankle", Some(4), half(ANKLE)),
        joint("toe", Some(5), skeleton.joints()[ANKLE + 1].offset),
    ];
    let mut leg = legs[0].clone();
    (leg.knee, leg.ankle) = (JointId(3), JointId(5));
    (leg.heel.joint, leg.ball.joint, leg.toe.joint) = (JointId(5), JointId(6), JointId(6));
    let skeleton = Skeleton::new(joints).unwrap();
    let mut case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 22..44)]);
    let rest = Pose::rest(&skeleton);
    let pose = |frame: usize| {
        let mut pose = rest.clone();
        sliding(frame, &mut pose);
        pose.offsets[0].y -= 0.1;
        let sway = 0.2 * sin(frame as f64 / 9.0);
        let turns = [(1, -0.45), (3, 0.9), (5, -0.45)];
        turns.iter().for_each(|&(joint, turn)| pose.rotations[joint] = pitch(turn));
        pose.rotations[2] = surefoot_core::math::axis_rotation(1, sway);
        pose.rotations[4] = surefoot_core::math::axis_rotation(1, -sway);
        pose
    };
    case.clip.motion = Motion { skeleton, fps: 60.0, poses: (0..60).map(pose).collect() };
    case.clip.legs = vec![leg];
    let (after, report) = check(&case);
    assert_eq!((held(&case, &after, &report), report.notes), (2, vec![]));
}

#[test]
fn a_number_that_is_none_is_refused_at_the_door() {
    let good = crouch(both_feet());
    for (what, bad) in [
        ("offset", Box::new(|pose: &mut Pose| pose.offsets[KNEE].y = f64::NAN) as Box<dyn Fn(&mut Pose)>),
        ("rotation", Box::new(|pose: &mut Pose| pose.rotations[KNEE].w = f64::INFINITY)),
        (
            "rotation",
            Box::new(|pose: &mut Pose| pose.rotations[KNEE] = Quat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)),
        ),
    ] {
        let mut case = good.clone();
        bad(&mut case.clip.motion.poses[31]);
        let error = case.try_clean(&Settings::default()).unwrap_err();
        let expected = PoseError::NotFinite { frame: 31, joint: JointId(KNEE as u32) };
        assert_eq!(error, SetupError::Pose(expected.clone()).into(), "{what}");
        let mut cleaner = good.cleaner(&Settings::default());
        for frame in 0..31 {
            cleaner.push(&case.clip.motion.poses[frame], &case.held(frame)).unwrap();
        }
        assert_eq!(cleaner.push(&case.clip.motion.poses[31], &case.held(31)).unwrap_err(), expected);
        // The stream goes on with a good one in its place.
        assert!(cleaner.push(&good.clip.motion.poses[31], &case.held(31)).is_ok());
    }
    let mut case = good.clone();
    case.clip.plants.plants[0].spot = Some(Vec3::NAN);
    assert_eq!(
        refused(&case, &Settings::default()),
        "frame 20: the spot given for leg 0 is not finite, expected numbers"
    );
    for floor in [
        Plane { normal: Vec3::NAN, offset: 0.0 },
        Plane { normal: Vec3::ZERO, offset: 0.0 },
        Plane { normal: Vec3::Y * 2.0, offset: 0.0 },
        Plane { normal: Vec3::Y, offset: f64::NAN },
    ] {
        let mut case = good.clone();
        case.clip.floor = Some(floor.into());
        assert_eq!(case.try_clean(&Settings::default()).unwrap_err(), SetupError::InvalidFloor.into());
    }
}

#[test]
fn a_pose_of_another_body_is_refused() {
    let mut case = crouch(both_feet());
    case.clip.motion.poses[3].rotations.pop();
    assert_eq!(refused(&case, &Settings::default()), "frame 3 has 8 joints, but the skeleton has 9");
}

#[test]
fn a_bad_pose_anywhere_in_a_loop_is_refused() {
    let mut case = crouch(vec![plant(0, Heel, 0..10), plant(0, Heel, 50..58)]);
    case.clip.looping = Some(Loop { period: 58, travel: RigidTransform::IDENTITY });
    case.try_clean(&Settings::default()).unwrap();
    let mut short = case.clone();
    short.clip.motion.poses[3].rotations.pop();
    assert_eq!(refused(&short, &Settings::default()), "frame 3 has 8 joints, but the skeleton has 9");
    // Frames after the period are copied, and still must be numbers.
    case.clip.motion.poses[59].offsets[KNEE].y = f64::NAN;
    let expected = PoseError::NotFinite { frame: 59, joint: JointId(KNEE as u32) };
    assert_eq!(case.try_clean(&Settings::default()).unwrap_err(), SetupError::Pose(expected).into());
}

#[test]
fn missing_holds_are_free_feet() {
    let case = crouch(both_feet());
    let mut cleaner = case.cleaner(&Settings::live());
    for pose in &case.clip.motion.poses {
        cleaner.push(pose, &[]).unwrap();
    }
    let mut last = None;
    while let Some(pose) = cleaner.finish() {
        last = Some(pose.clone());
    }
    assert_eq!(last.as_ref(), case.clip.motion.poses.last());
}

// Settings, rates and floors.

#[test]
fn settings_of_nothing_hold_plants_all_the_same() {
    let nothing = Settings {
        spot_window: 0.0,
        ankle_window: 0.0,
        root_window: 0.0,
        knee_window: 0.0,
        blend_window: 0.0,
        snap_distance: 0.0,
        ..Settings::default()
    };
    let case = crouch(both_feet());
    for stretch in [0.0, 0.03] {
        for form in [surefoot_solve::Form::Improved, surefoot_solve::Form::Paper] {
            let settings = Settings { stretch_limit: stretch, form, ..nothing };
            held_or_noted(&case, &settings).unwrap();
            // A spot is looked for in one frame at least, and nothing looks further ahead.
            assert_eq!(case.cleaner(&settings).lookahead(), 0);
        }
    }
}

#[test]
fn settings_without_end_are_taken_where_they_mean_something() {
    let case = crouch(both_feet());
    let endless = f64::INFINITY;
    for settings in [
        Settings { spot_window: endless, ..Settings::default() },
        Settings { stretch_limit: endless, ..Settings::default() },
        Settings { snap_distance: endless, ..Settings::default() },
        Settings { stretch_limit: endless, ..Settings::paper() },
    ] {
        let (_, report) = held_or_noted(&case, &settings).unwrap();
        assert_eq!(report.notes, []);
    }
    let refused = |settings| refused(&case, &settings);
    assert_eq!(
        refused(Settings { blend_window: endless, ..Settings::default() }),
        "blend_window is inf seconds, expected 0 to 10"
    );
    assert_eq!(
        refused(Settings { root_window: -0.1, ..Settings::default() }),
        "root_window is -0.1 seconds, expected 0 to 10"
    );
    assert_eq!(
        refused(Settings { knee_window: f64::NAN, ..Settings::default() }),
        "knee_window is NaN seconds, expected 0 to 10"
    );
    assert_eq!(
        refused(Settings { ankle_window: 11.0, ..Settings::default() }),
        "ankle_window is 11 seconds, expected 0 to 10"
    );
    assert_eq!(
        refused(Settings { stretch_limit: -1.0, ..Settings::default() }),
        "stretch_limit is -1, expected a number from 0 up"
    );
    assert_eq!(
        refused(Settings { snap_distance: f64::NAN, ..Settings::default() }),
        "snap_distance is NaN, expected a number from 0 up"
    );
}

#[test]
fn any_stretch_at_all_holds_what_is_far_away() {
    let case = crouch(vec![
        plant_at(0, Heel, 20..40, Vec3::new(2.0, 0.0, 0.5)),
        plant_at(1, Heel, 20..40, Vec3::new(-2.0, 0.0, 0.5)),
    ]);
    for form in [surefoot_solve::Form::Improved, surefoot_solve::Form::Paper] {
        let settings = Settings { stretch_limit: f64::INFINITY, form, ..Settings::default() };
        let (after, report) = held_or_noted(&case, &settings).unwrap();
        assert_eq!((held(&case, &after, &report), report.notes), (2, vec![]));
    }
}

#[test]
fn one_frame_a_second_and_a_thousand_are_cleaned() {
    for fps in [1.0, 1000.0] {
        let mut case = crouch(both_feet());
        case.clip.motion.fps = fps;
        check(&case);
    }
    for fps in [0.0, -30.0, f64::NAN, f64::INFINITY, 1e9] {
        let mut case = crouch(both_feet());
        case.clip.motion.fps = fps;
        let error = case.try_clean(&Settings::default()).unwrap_err();
        assert!(matches!(error, CleanError::Setup(SetupError::FrameRate(_))), "{fps}: {error}");
        assert!(error.to_string().ends_with("expected more than 0 and up to 10000"));
    }
}

#[test]
fn on_a_floor_tilted_by_ten_degrees_feet_stand_on_it() {
    let tilt = pitch(10.0 * PI / 180.0);
    let floor = Plane { normal: tilt * Vec3::Y, offset: 0.0 };
    // The body walks along the slope and does not lean: its feet are not flat on it.
    let mut case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        crouching(frame, pose);
        let root = &mut pose.offsets[0];
        root.y -= root.z * floor.normal.z / floor.normal.y;
    });
    case.clip.floor = Some(floor.into());
    let settings = Settings { snap_distance: 0.1, ..Settings::default() };
    let (after, report) = held_or_noted(&case, &settings).unwrap();
    assert_eq!((held(&case, &after, &report), report.notes), (4, vec![]));
    for told in &report.plants {
        assert!(floor.above(told.spot.unwrap()).abs() < 1e-12);
    }
}

#[test]
fn without_a_floor_plants_stand_where_they_were() {
    let mut case = crouch(both_feet());
    case.clip.floor = None;
    let (after, report) = check(&case);
    assert_eq!((held(&case, &after, &report), report.notes), (4, vec![]));
}

#[test]
fn a_free_foot_near_a_plant_is_lifted_out_of_the_floor() {
    let mut case = crouch(vec![plant(0, Heel, 20..40), plant(0, Ball, 20..40)]);
    // 1 cm below the floor, all the way; the plants' spots snap to it.
    let rest = case.clip.motion.poses[0].world(&case.clip.motion.skeleton).point(&case.clip.legs[0].heel).y;
    case.clip.motion.poses.iter_mut().for_each(|pose| pose.offsets[0].y -= rest + 0.01);
    let (after, _) = check(&case);
    let low = |placed: &WorldPose| {
        placed.point(&case.clip.legs[0].heel).y.min(placed.point(&case.clip.legs[0].ball).y)
    };
    let lows: Vec<f64> = world(&after).iter().map(low).collect();
    assert!(lows[19] > -1e-3 && lows[40] > -1e-3, "{} {}", lows[19], lows[40]);
    assert!((lows[59] + 0.01).abs() < 2e-3 || lows[59] > -0.01);
}

#[test]
fn a_heel_that_dips_into_the_floor_does_not_throw_the_toes_down() {
    // Before some of its steps the heel of this walk is a few millimetres too low.
    let shaken = Recipe { skate: Some(Skate::Noise(0.002)), fps: 120.0, ..Recipe::default() };
    let case = sample(&shaken);
    let (after, _) = check(&case);
    let acceleration = |motion: &Motion| {
        let world = world(motion);
        let ball = |leg: usize, frame: usize| world[frame].point(&case.clip.legs[leg].ball);
        let at =
            |leg: usize, frame: usize| ball(leg, frame - 1) - ball(leg, frame) * 2.0 + ball(leg, frame + 1);
        let frames = 1..world.len() - 1;
        frames.map(|frame| at(0, frame).length().max(at(1, frame).length())).fold(0.0, f64::max)
    };
    let (before, after) = (acceleration(&case.clip.motion), acceleration(&after));
    assert!(after < 1.2 * before, "{before} to {after} m a frame squared");
}
