//! Tests of the reach edit: goals are reached, and everything else is unchanged.

use crate::bodies::{arm, body, chain, frames_that_differ, hand, reached};
use proptest::prelude::*;
use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{JointId, JointPoint, Motion, Quat, Vec3};
use surefoot_edit::reach::{
    Fade, Form, Freedom, Goal, GoalSpace, Limit, Limits, Note, ReachError, Residue, Settings, angles,
    changes, mean_rotation, measure, reach,
};

const FORMS: [Form; 2] = [Form::Displacement, Form::Paper];

fn settings_with(form: Form) -> Settings {
    Settings { form, ..Settings::default() }
}

/// Checks that all goals are reached in both forms, to 1 µm and 1 µrad.
#[track_caller]
fn check(motion: &Motion, goals: &[Goal], settings: &Settings) {
    for form in FORMS {
        let (after, report) = reach(motion, goals, &Settings { form, ..settings.clone() }).unwrap();
        for (goal, error) in goals.iter().zip(measure(&after, goals)) {
            assert!(error.distance < 1e-6 && error.angle < 1e-6, "{form:?} {goal:?} {error:?} {report:?}");
        }
        assert!(report.goals.iter().all(|goal| goal.is_met()));
        assert!(report.slope_step < 1e-9, "{}", report.slope_step);
        assert!(
            after
                .poses
                .iter()
                .all(|pose| pose.rotations.iter().all(|rotation| (rotation.length() - 1.0).abs() < 1e-12))
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn goals_on_random_chains_are_met(
        seed in any::<u32>(), joints in 2usize..9, keys in proptest::collection::btree_set(0usize..40, 1..8),
    ) {
        let motion = chain(joints, seed, 40);
        let point = JointPoint { joint: JointId(joints as u32), offset: Vec3::new(0.05, 0.02, -0.03) };
        // A goal taken from another pose of the same chain is reachable.
        let goals: Vec<Goal> = keys.iter().map(|&frame| {
            let mut pose = motion.poses[frame].clone();
            for (n, rotation) in pose.rotations.iter_mut().enumerate().skip(1) {
                *rotation *= axis_rotation((n + frame) % 3, 0.25) * axis_rotation(n % 2, -0.15);
            }
            Goal::at_position(frame, point, pose.world(&motion.skeleton).point(&point))
        }).collect();
        check(&motion, &goals, &Settings::default());
    }
}

#[test]
fn two_goals_at_one_frame_are_solved_together() {
    let motion = body(60);
    let [left, right] = [hand(&motion, "LeftHand"), hand(&motion, "RightHand")];
    let shifted = |point: JointPoint, by| Goal::at_position(25, point, reached(&motion, 25, point) + by);
    check(
        &motion,
        &[shifted(left, Vec3::new(0.05, 0.08, 0.0)), shifted(right, Vec3::new(-0.03, 0.0, 0.1))],
        &Settings::default(),
    );
}

#[test]
fn goals_of_foot_and_hand_at_different_frames_are_reached() {
    let motion = body(90);
    let [left, foot] = [hand(&motion, "LeftHand"), hand(&motion, "RightFoot")];
    let shifted =
        |frame, point: JointPoint, by| Goal::at_position(frame, point, reached(&motion, frame, point) + by);
    let goals = [
        shifted(20, left, Vec3::Y * 0.06),
        shifted(50, foot, Vec3::Z * 0.04),
        shifted(51, left, Vec3::X * -0.05),
    ];
    check(&motion, &goals, &Settings::default());
}

#[test]
fn goals_are_reached_at_adjacent_keyframes_at_the_ends_and_at_every_frame() {
    let motion = body(40);
    let point = hand(&motion, "LeftHand");
    let offset = |frame: usize| Vec3::new(0.02, 0.01 * (frame % 5) as f64, 0.03);
    let goal = |frame| Goal::at_position(frame, point, reached(&motion, frame, point) + offset(frame));
    for keys in [vec![10, 11, 12], vec![0, 39], vec![0], vec![39], vec![1, 38], (0..40).collect()] {
        check(&motion, &keys.into_iter().map(goal).collect::<Vec<_>>(), &Settings::default());
    }
}

#[test]
fn without_goals_nothing_changes() {
    let motion = body(40);
    for form in FORMS {
        let (after, report) = reach(&motion, &[], &settings_with(form)).unwrap();
        assert_eq!(after, motion);
        assert!(report.goals.is_empty() && report.changed_joints.is_empty() && report.notes.is_empty());
    }
}

#[test]
fn a_goal_at_the_captured_position_changes_almost_nothing() {
    let motion = body(40);
    let point = hand(&motion, "LeftHand");
    let goals = [Goal::at_position(20, point, reached(&motion, 20, point))];
    let (after, _) = reach(&motion, &goals, &Settings::default()).unwrap();
    let changes = changes(&motion, &after, &motion.skeleton.ids().collect::<Vec<_>>(), &Settings::default());
    assert!(changes.iter().all(|change| change.angle_max < 1e-9));
}

#[test]
fn a_motion_of_one_frame_reaches_its_goal() {
    let motion = body(1);
    let point = hand(&motion, "RightHand");
    check(
        &motion,
        &[Goal::at_position(0, point, reached(&motion, 0, point) + Vec3::Y * 0.05)],
        &Settings::default(),
    );
}

#[test]
fn a_chain_of_one_joint_reaches_its_own_sphere() {
    let motion = body(40);
    let elbow = motion.skeleton.find("LeftForeArm").unwrap();
    let point = hand(&motion, "LeftHand");
    let settings = Settings { chain_from: Some(elbow), freedom: Freedom::All, ..Settings::default() };
    let pivot = motion.poses[20].world(&motion.skeleton).joint(elbow);
    let at = reached(&motion, 20, point);
    let goal = Goal::at_position(20, point, pivot + axis_rotation(0, 0.3) * (at - pivot));
    check(&motion, core::slice::from_ref(&goal), &settings);
    let (after, report) = reach(&motion, &[goal], &settings).unwrap();
    assert!(report.changed_joints.iter().all(|&joint| joint == elbow || joint == point.joint));
    let arm = motion.skeleton.find("LeftArm").unwrap().index();
    assert!(motion.poses.iter().zip(&after.poses).all(|(a, b)| a.rotations[arm] == b.rotations[arm]));
}

#[test]
fn angles_are_continuous_past_180_degrees() {
    // A joint that makes one and a half turns, with goals on both sides of 180°.
    let mut motion = arm(2, 60);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        pose.rotations[1] = axis_rotation(2, frame as f64 * 0.16);
        pose.rotations[2] = axis_rotation(2, 0.4) * axis_rotation(1, 0.1 * (frame % 7) as f64 / 7.0);
    }
    let point = JointPoint { joint: JointId(2), offset: Vec3::X * 0.3 };
    let goal =
        |frame| Goal::at_position(frame, point, reached(&motion, frame, point) + Vec3::new(0.0, 0.01, 0.02));
    let goals: Vec<Goal> = [18, 20, 38, 41].map(goal).into();
    check(&motion, &goals, &Settings::default());
    for form in FORMS {
        let (after, _) = reach(&motion, &goals, &settings_with(form)).unwrap();
        for change in changes(&motion, &after, &[JointId(1), JointId(2)], &settings_with(form)) {
            assert!(change.angle_max < 0.2, "{form:?} {change:?}");
        }
    }
}

#[test]
fn an_unreachable_goal_gives_the_nearest_pose_and_a_note() {
    let motion = arm(2, 30);
    let point = JointPoint { joint: JointId(2), offset: Vec3::X * 0.3 };
    // Shoulder at 1 m up, an arm of 0.6 m, a goal 2 m away: the nearest pose is 1.4 m off.
    let goal = Goal::at_position(12, point, Vec3::new(0.0, 1.0, 0.0) + Vec3::new(1.2, 0.0, 1.6));
    for freedom in [Freedom::AsCaptured, Freedom::All] {
        let settings = Settings { freedom, ..Settings::default() };
        let (after, report) = reach(&motion, core::slice::from_ref(&goal), &settings).unwrap();
        let error = measure(&after, core::slice::from_ref(&goal))[0].distance;
        assert!((error - 1.4).abs() < 1e-6, "{error}");
        assert!(
            matches!(report.notes[0], Note::OutOfReach { goal: 0, error } if (error.distance - 1.4).abs() < 1e-6)
        );
    }
}

#[test]
fn a_straight_arm_can_be_shortened_along_itself() {
    let mut motion = arm(2, 30);
    motion.poses.iter_mut().for_each(|pose| pose.rotations.fill(Quat::IDENTITY));
    let point = JointPoint { joint: JointId(2), offset: Vec3::X * 0.3 };
    check(&motion, &[Goal::at_position(12, point, Vec3::new(0.35, 1.0, 0.0))], &Settings::default());
}

#[test]
fn conflicting_goals_share_the_error() {
    let motion = arm(3, 30);
    let point = JointPoint { joint: JointId(3), offset: Vec3::X * 0.3 };
    let at = reached(&motion, 10, point);
    let goals = [
        Goal::at_position(10, point, at + Vec3::Y * 0.02),
        Goal::at_position(10, point, at - Vec3::Y * 0.02),
    ];
    let (after, report) = reach(&motion, &goals, &Settings::default()).unwrap();
    for error in measure(&after, &goals) {
        assert!((error.distance - 0.02).abs() < 1e-6, "{error:?}");
    }
    assert_eq!(report.notes.len(), 2);
}

#[test]
fn clapping_hands_meet_and_both_move() {
    let motion = body(60);
    let [left, right] = [hand(&motion, "LeftHand"), hand(&motion, "RightHand")];
    let goal = |frame| Goal {
        space: GoalSpace::Joint(left.joint),
        ..Goal::at_position(frame, right, Vec3::new(0.0, 0.0, 0.05))
    };
    let goals = [goal(15), goal(40)];
    check(&motion, &goals, &Settings::default());
    let (after, _) = reach(&motion, &goals, &Settings::default()).unwrap();
    for point in [left, right] {
        let moved = (reached(&after, 15, point) - reached(&motion, 15, point)).length();
        assert!(moved > 0.02, "{moved}");
    }
}

#[test]
fn clapping_hands_reach_goal_rotations() {
    let motion = body(60);
    let [left, right] = [hand(&motion, "LeftHand"), hand(&motion, "RightHand")];
    let goal = Goal {
        space: GoalSpace::Joint(left.joint),
        rotation: Some(axis_rotation(1, PI * 0.9)),
        ..Goal::at_position(30, right, Vec3::new(0.0, 0.0, 0.05))
    };
    check(&motion, &[goal], &Settings::default());
}

#[test]
fn a_rotation_alone_is_a_valid_goal() {
    let motion = body(60);
    let left = hand(&motion, "LeftHand");
    let rotation =
        motion.poses[30].world(&motion.skeleton).rotations[left.joint.index()] * axis_rotation(0, 0.6);
    let goal = Goal {
        rotation: Some(rotation),
        ..Goal::at_position(30, left, reached(&motion, 30, left) + Vec3::Y * 0.05)
    };
    check(&motion, core::slice::from_ref(&goal), &Settings::default());
    check(&motion, &[Goal { position: None, ..goal }], &Settings::default());
}

#[test]
fn a_goal_may_be_a_joint_of_another_motion() {
    let (motion, mut other) = (body(60), body(60));
    other.poses.iter_mut().for_each(|pose| pose.offsets[0] += Vec3::new(0.0, 0.05, 0.6));
    let [left, right] = [hand(&motion, "LeftHand"), hand(&other, "RightHand")];
    let seconds = 30.0 / motion.fps;
    let within = GoalSpace::of_other_motion(&other, right.joint, seconds);
    assert!(
        matches!(within, GoalSpace::WorldPose { position, .. } if position == reached(&other, 30, right))
    );
    let goal = Goal { space: within, ..Goal::at_position(30, left, Vec3::new(0.0, 0.0, -0.02)) };
    let settings = Settings { chain_from: Some(JointId(0)), moves_root: true, ..Settings::default() };
    check(&motion, &[goal], &settings);
    // The other motion is interpolated between frames and may have another frame rate.
    other.fps *= 2.0;
    let GoalSpace::WorldPose { position, .. } =
        GoalSpace::of_other_motion(&other, right.joint, 30.5 / other.fps)
    else {
        panic!("the space of another motion is a world pose");
    };
    let [a, b] = [30, 31].map(|frame| reached(&other, frame, right));
    assert!((position - (a + b) * 0.5).length() < 1e-12);
}

#[test]
fn frames_outside_the_blend_window_are_unchanged() {
    let motion = body(120);
    let point = hand(&motion, "LeftHand");
    let goal =
        |frame| Goal::at_position(frame, point, reached(&motion, frame, point) + Vec3::new(0.05, 0.05, 0.02));
    let goals = [goal(40), goal(50), goal(90)];
    for form in FORMS {
        let settings = Settings { fade: Fade::Within(0.4), ..settings_with(form) };
        check(&motion, &goals, &settings);
        let (after, _) = reach(&motion, &goals, &settings).unwrap();
        let reach = (0.4 * motion.fps).round() as usize;
        for frame in frames_that_differ(&motion, &after) {
            let near = goals.iter().map(|goal| goal.frame.abs_diff(frame)).min().unwrap();
            assert!(near < reach, "{form:?} {frame}");
        }
    }
}

#[test]
fn root_and_feet_are_unchanged() {
    let motion = body(60);
    let point = hand(&motion, "LeftHand");
    let goals = [Goal::at_position(30, point, reached(&motion, 30, point) + Vec3::Y * 0.1)];
    for form in FORMS {
        let (after, report) = reach(&motion, &goals, &settings_with(form)).unwrap();
        for name in ["Hips", "LeftFoot", "RightFoot", "RightUpLeg"] {
            let foot = hand(&motion, name);
            assert!(
                (0..60).all(|frame| reached(&motion, frame, foot) == reached(&after, frame, foot)),
                "{name}"
            );
        }
        assert!(!report.changed_joints.contains(&JointId(0)));
    }
}

#[test]
fn goals_of_overlapping_chains_at_different_frames_are_reached() {
    let motion = body(60);
    let [left, right] = [hand(&motion, "LeftHand"), hand(&motion, "RightHand")];
    let arm = motion.skeleton.find("LeftArm");
    let goals = [
        Goal { chain_from: arm, ..Goal::at_position(20, left, reached(&motion, 20, left) + Vec3::Y * 0.04) },
        Goal::at_position(28, right, reached(&motion, 28, right) + Vec3::Z * 0.1),
    ];
    check(&motion, &goals, &Settings::default());
}

#[test]
fn hinges_and_rigid_joints_keep_their_freedom() {
    let mut motion = arm(4, 40);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        pose.rotations[1] = axis_rotation(0, 0.3) * axis_rotation(1, 0.02 * frame as f64);
        pose.rotations[3] = axis_rotation(2, 0.5 + 0.01 * frame as f64);
        pose.rotations[2] = axis_rotation(0, 0.4);
        pose.rotations[4] = axis_rotation(frame % 3, 0.2);
        pose.rotations[1] *= axis_rotation(2, 0.3 + 0.1 * (frame % 4) as f64);
    }
    let point = JointPoint { joint: JointId(4), offset: Vec3::X * 0.3 };
    let goals = [Goal::at_position(20, point, reached(&motion, 20, point) + Vec3::new(-0.05, 0.03, 0.04))];
    check(&motion, &goals, &Settings::default());
    let (after, report) = reach(&motion, &goals, &Settings::default()).unwrap();
    assert!(report.notes.is_empty());
    for pose in &after.poses {
        assert_eq!(pose.rotations[2], axis_rotation(0, 0.4));
        let hinge = pose.rotations[3];
        assert!(hinge.x.abs() < 1e-12 && hinge.y.abs() < 1e-12);
    }
}

#[test]
fn a_goal_beyond_captured_rotations_is_reached_with_a_note() {
    let mut motion = arm(2, 40);
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        pose.rotations[1] = axis_rotation(2, 0.01 * frame as f64);
        pose.rotations[2] = axis_rotation(2, 0.5 - 0.01 * frame as f64);
    }
    let point = JointPoint { joint: JointId(2), offset: Vec3::X * 0.3 };
    let goals = [Goal::at_position(
        20,
        point,
        reached(&motion, 20, point) * Vec3::new(0.9, 1.0, 1.0) + Vec3::Z * 0.05,
    )];
    check(&motion, &goals, &Settings::default());
    let (_, report) = reach(&motion, &goals, &Settings::default()).unwrap();
    assert_eq!(report.notes, [Note::BeyondCapturedRotation { frame: 20 }]);
}

#[test]
fn limits_hold_at_keyframes() {
    let motion = body(60);
    let point = hand(&motion, "LeftHand");
    let goals = [Goal::at_position(30, point, reached(&motion, 30, point) + Vec3::new(0.05, 0.15, 0.0))];
    let settings =
        Settings { limits: Limits { given: vec![], beyond_captured: Some(0.02) }, ..Settings::default() };
    let (after, report) = reach(&motion, &goals, &settings).unwrap();
    for &joint in &report.changed_joints {
        let midst = mean_rotation(&motion, joint);
        let (captured, made) = (angles(&motion, joint, midst), angles(&after, joint, midst));
        let lower = captured.iter().copied().reduce(Vec3::min).unwrap() - 0.02;
        let upper = captured.iter().copied().reduce(Vec3::max).unwrap() + 0.02;
        assert!((made[30] - made[30].clamp(lower, upper)).length() < 1e-9, "{joint:?} {}", made[30]);
    }
    // A joint with an empty range does not rotate, and the others reach the goal.
    let arm = motion.skeleton.find("LeftArm").unwrap();
    let captured = angles(&motion, arm, Quat::IDENTITY)[30];
    let limit = Limit { joint: arm, lower: captured, upper: captured };
    let settings =
        Settings { limits: Limits { given: vec![limit], beyond_captured: None }, ..Settings::default() };
    check(&motion, &goals, &settings);
    let (after, _) = reach(&motion, &goals, &settings).unwrap();
    assert!((angles(&after, arm, Quat::IDENTITY)[30] - captured).length() < 1e-9);
}

#[test]
fn the_published_residual_decreases_with_w() {
    let motion = body(60);
    let point = hand(&motion, "LeftHand");
    let goals = [Goal::at_position(30, point, reached(&motion, 30, point) + Vec3::new(0.05, 0.08, 0.02))];
    let error = |w| {
        let settings = Settings { w, residue: Residue::Left, ..Settings::default() };
        let (after, _) = reach(&motion, &goals, &settings).unwrap();
        measure(&after, &goals)[0].distance
    };
    let [plain, near, none] = [0.99, 0.9999, 0.0].map(error);
    assert!(plain > 1e-4 && plain < 0.02, "{plain}");
    assert!(near < plain / 50.0, "{near}");
    assert!((none - goals[0].position.unwrap().distance(reached(&motion, 30, point))).abs() < 1e-12);
}

#[test]
fn the_displacement_form_preserves_fast_detail_and_the_published_form_does_not() {
    let mut motion = body(240);
    motion.fps = 120.0;
    let arm = motion.skeleton.find("LeftArm").unwrap();
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        let shake = if frame % 2 == 0 { 0.01 } else { -0.01 };
        pose.rotations[arm.index()] *= axis_rotation(1, shake);
    }
    let point = hand(&motion, "LeftHand");
    let goal = |frame| Goal::at_position(frame, point, reached(&motion, frame, point) + Vec3::Y * 0.05);
    let goals = [goal(60), goal(130), goal(180)];
    let ripple = |form| {
        let (after, _) = reach(&motion, &goals, &settings_with(form)).unwrap();
        changes(&motion, &after, &[arm], &settings_with(form))[0].ripple_rms
    };
    let [ours, published] = FORMS.map(ripple);
    // The remaining difference is the shake itself in the axes of the rotated arm.
    assert!(ours < 0.1 * published, "{ours} {published}");
}

#[test]
fn rotating_the_input_rotates_the_result() {
    let motion = body(60);
    let point = hand(&motion, "LeftHand");
    let goals = [Goal::at_position(30, point, reached(&motion, 30, point) + Vec3::new(0.05, 0.08, 0.02))];
    let (rotation, translation) = (axis_rotation(1, 1.1) * axis_rotation(0, 0.2), Vec3::new(3.0, 0.5, -2.0));
    let mut other = motion.clone();
    for pose in &mut other.poses {
        pose.offsets[0] = rotation * pose.offsets[0] + translation;
        pose.rotations[0] = rotation * pose.rotations[0];
    }
    let moved = [Goal {
        position: goals[0].position.map(|position| rotation * position + translation),
        ..goals[0].clone()
    }];
    for form in FORMS {
        let (one, _) = reach(&motion, &goals, &settings_with(form)).unwrap();
        let (two, _) = reach(&other, &moved, &settings_with(form)).unwrap();
        for frame in 0..60 {
            let distance =
                (rotation * reached(&one, frame, point) + translation - reached(&two, frame, point)).length();
            assert!(distance < 1e-6, "{form:?} {frame} {distance}");
        }
    }
}

#[test]
fn frames_before_the_performance_are_unchanged_unless_they_have_a_goal() {
    let motion = body(60);
    let point = hand(&motion, "LeftHand");
    let goal = |frame| Goal::at_position(frame, point, reached(&motion, frame, point) + Vec3::Y * 0.05);
    let settings = Settings { first_frame: 1, ..Settings::default() };
    let (after, _) = reach(&motion, &[goal(20)], &settings).unwrap();
    assert_eq!(after.poses[0], motion.poses[0]);
    assert_ne!(after.poses[1], motion.poses[1]);
    check(&motion, &[goal(0), goal(20)], &settings);
}

/// The goals of a frame are solved together: 8,192 of them took 4.8 GB.
#[test]
fn more_goals_of_one_frame_than_a_body_has_joints_are_an_error() {
    let motion = body(20);
    let goal = Goal::at_position(13, hand(&motion, "LeftHand"), Vec3::ZERO);
    let error = reach(&motion, &vec![goal; 8192], &Settings::default()).unwrap_err();
    assert_eq!(error.to_string(), "frame 13 has 8192 goals, expected at most 100");
}

#[test]
fn invalid_goals_and_settings_are_errors() {
    let motion = body(10);
    let point = hand(&motion, "LeftHand");
    let message =
        |goal: Goal, settings: Settings| reach(&motion, &[goal], &settings).unwrap_err().to_string();
    let goal = Goal::at_position(3, point, Vec3::ZERO);
    let plain = Settings::default;
    assert_eq!(
        message(Goal { frame: 10, ..goal.clone() }, plain()),
        "goal 0 is at frame 10, but the motion has frames 0 to 9"
    );
    assert_eq!(
        message(Goal { position: None, ..goal.clone() }, plain()),
        "goal 0 has neither a position nor a rotation, expected at least one"
    );
    let not_finite = Goal { position: Some(Vec3::NAN), ..goal.clone() };
    assert_eq!(
        message(not_finite, plain()),
        "goal 0 contains a number that is not finite, or a rotation that is not a unit quaternion"
    );
    let itself = Goal { space: GoalSpace::Joint(point.joint), ..goal.clone() };
    assert_eq!(
        message(itself, plain()),
        "goal 0 of LeftHand is relative to LeftHand itself, expected another joint"
    );
    let other = Settings { chain_from: motion.skeleton.find("RightArm"), ..plain() };
    assert_eq!(
        message(goal.clone(), other),
        "the chain of goal 0 starts at RightArm, but LeftHand is not below it"
    );
    assert_eq!(
        message(goal.clone(), Settings { w: 1.5, ..plain() }),
        "w is 1.5, expected a number from 0 to 1"
    );
    assert_eq!(
        message(goal.clone(), Settings { spacing: 0.0, ..plain() }),
        "spacing is 0, expected a time above 0 s and up to 3600 s"
    );
    assert_eq!(
        message(goal.clone(), Settings { fade: Fade::Within(-1.0), ..plain() }),
        "fade is -1, expected a time above 0 s and up to 3600 s"
    );
    let no_joint = Goal { point: JointPoint { joint: JointId(999), offset: Vec3::ZERO }, ..goal };
    assert_eq!(reach(&motion, &[no_joint], &plain()), Err(ReachError::NoSuchJoint { joint: JointId(999) }));
}

#[test]
fn a_goal_on_the_root_has_no_free_joint() {
    let motion = body(10);
    let goal = Goal::at_position(3, hand(&motion, "Hips"), Vec3::Y);
    let (after, report) = reach(&motion, core::slice::from_ref(&goal), &Settings::default()).unwrap();
    assert_eq!(after, motion);
    assert_eq!(report.notes, [Note::NoFreeJoint { goal: 0 }]);
    check(&motion, &[goal], &Settings { moves_root: true, ..Settings::default() });
}

#[test]
fn a_hand_that_follows_a_curve_keeps_one_pose_of_the_arm() {
    let mut motion = body(120);
    motion.fps = 60.0;
    let point = hand(&motion, "LeftHand");
    // The hand circles at shoulder height, near the end of its reach.
    let shoulder = |frame: usize| reached(&motion, frame, hand(&motion, "LeftArm"));
    let goal = |frame: usize| {
        let turn = axis_rotation(2, frame as f64 * 0.1);
        Goal::at_position(frame, point, shoulder(frame) + Vec3::new(0.1, 0.0, 0.3) + turn * Vec3::X * 0.15)
    };
    let goals: Vec<Goal> = (30..90).map(goal).collect();
    check(&motion, &goals, &Settings::default());
    let (after, report) = reach(&motion, &goals, &Settings::default()).unwrap();
    for &joint in &report.changed_joints {
        let center = mean_rotation(&motion, joint);
        let path = angles(&after, joint, center);
        let largest =
            (32..88).map(|n| (path[n + 1] - path[n] * 2.0 + path[n - 1]).length()).fold(0.0, f64::max);
        // The elbow passes through full extension at frame 60, where everything turns fast. A jump is ten times more.
        assert!(largest < 0.06, "{} {largest}", motion.skeleton.joint(joint).name);
    }
}

#[test]
fn a_curve_out_of_reach_is_followed_without_jumps() {
    let motion = body(120);
    let point = hand(&motion, "LeftHand");
    let goal = |frame: usize| {
        let away = Vec3::new(0.8, 0.5, 0.8) + Vec3::X * (frame as f64 * 0.002);
        Goal::at_position(frame, point, reached(&motion, frame, hand(&motion, "LeftArm")) + away)
    };
    let goals: Vec<Goal> = (30..90).map(goal).collect();
    let (after, report) = reach(&motion, &goals, &Settings::default()).unwrap();
    assert!(report.goals.iter().all(|goal| !goal.is_met()));
    for &joint in &report.changed_joints {
        let path = angles(&after, joint, mean_rotation(&motion, joint));
        let largest = (31..89).map(|n| (path[n + 1] - path[n]).length()).fold(0.0, f64::max);
        assert!(largest < 0.15, "{} {largest}", motion.skeleton.joint(joint).name);
    }
    let of_run = report.notes.iter().filter(|note| matches!(note, Note::BeyondCapturedRotation { .. }));
    assert!(of_run.count() <= 1, "{:?}", report.notes);
}
