//! Reach with planted feet: goals are met, plants do not drift, on the human and on every made rig.

use crate::bodies::{hand, reached, sample};
use surefoot_core::{Clip, JointId, JointPoint, Motion, Vec3, WorldPose};
use surefoot_edit::body_root::pelvis_of;
use surefoot_edit::reach::{
    Fade, Goal, GoalSpace, PlantedReach, Settings, StanceChangeKind, measure, reach, reach_with_plants,
};
use surefoot_sample::{Body, Recipe, Skate};

/// Largest drift and distance from a goal, in metres.
const EXACT: f64 = 1e-6;

fn walk(body: Body) -> Clip {
    sample(&Recipe { body, fps: 60.0, seconds: 6.0, skate: Some(Skate::Scale(1.1)), ..Recipe::default() })
}

/// The last joint of the right arm: that which ends farthest to the side in the rest pose and is named a hand.
fn right_hand(motion: &Motion) -> JointPoint {
    let skeleton = &motion.skeleton;
    let is_hand = |joint: &JointId| {
        let name = skeleton.joint(*joint).name.to_lowercase();
        name.contains("hand") && (name.contains("right") || name.ends_with("_r") || name.starts_with("r_"))
    };
    let joint = skeleton.ids().find(is_hand).unwrap_or_else(|| {
        let names: Vec<&str> = skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
        panic!("no right hand in {names:?}")
    });
    JointPoint { joint, offset: Vec3::ZERO }
}

/// The largest distance of a planted point from where its plant began.
fn drift(clip: &Clip) -> f64 {
    let mut world = WorldPose::default();
    let mut largest: f64 = 0.0;
    for plant in &clip.plants.plants {
        let point = plant.foot_point(&clip.legs).unwrap();
        let mut first = None;
        for pose in &clip.motion.poses[plant.frames.clone()] {
            pose.forward_kinematics(&clip.motion.skeleton, &mut world);
            let at = world.point(&point);
            largest = largest.max(at.distance(*first.get_or_insert(at)));
        }
    }
    largest
}

fn run(clip: &Clip, goals: &[Goal], settings: &Settings) -> PlantedReach {
    reach_with_plants(clip, goals, settings, &Default::default()).unwrap()
}

/// Runs the edit and checks that goals are met and plants held.
#[track_caller]
fn check(clip: &Clip, goals: &[Goal], settings: &Settings) -> PlantedReach {
    let result = run(clip, goals, settings);
    for (goal, error) in goals.iter().zip(measure(&result.result.clip.motion, goals)) {
        let about = format!("{goal:?} {error:?} {:?} {:?}", result.report.notes, result.stance_changes);
        assert!(error.distance < EXACT && error.angle < EXACT, "{about}");
    }
    assert!(result.report.goals.iter().all(|goal| goal.is_met()));
    assert_eq!(result.report.goals.len(), goals.len());
    assert!(
        drift(&result.result.clip) < EXACT,
        "{} {:?}",
        drift(&result.result.clip),
        result.result.report.notes
    );
    assert_eq!(result.conflict, None);
    result
}

fn shifted(clip: &Clip, frame: usize, point: JointPoint, by: Vec3) -> Goal {
    Goal::at_position(frame, point, reached(&clip.motion, frame, point) + by)
}

#[test]
fn a_hand_reaches_its_goal_on_every_rig_while_the_feet_are_held() {
    for body in Body::RIGS.into_iter().chain([Body::Human, Body::NoToe]) {
        let clip = walk(body);
        let size = if body == Body::Child { 0.6 } else { 1.0 };
        let point = right_hand(&clip.motion);
        let goals = [
            shifted(&clip, 70, point, Vec3::new(0.05, 0.08, 0.1) * size),
            shifted(&clip, 140, point, Vec3::new(-0.05, 0.1, 0.05) * size),
        ];
        let result = check(&clip, &goals, &Settings::default());
        let skeleton = &clip.motion.skeleton;
        let body_joints = skeleton.with_ancestors([pelvis_of(skeleton, &clip.legs)]);
        let turned = &result.report.changed_joints;
        assert!(turned.iter().all(|joint| !body_joints.contains(joint)), "{body:?} {turned:?}");
        for leg in &clip.legs {
            assert!(leg.joints().iter().all(|joint| !turned.contains(joint)), "{body:?} {turned:?}");
        }
    }
}

#[test]
fn the_root_moves_on_every_rig_while_the_feet_are_held() {
    for body in Body::RIGS.into_iter().chain([Body::Human, Body::NoToe]) {
        let clip = walk(body);
        let size = if body == Body::Child { 0.6 } else { 1.0 };
        let point = right_hand(&clip.motion);
        // 37 cm away.
        let goals = [shifted(&clip, 120, point, Vec3::new(0.25, 0.18, 0.2) * size)];
        let settings = Settings { moves_root: true, ..Settings::default() };
        let result = check(&clip, &goals, &settings);
        // A root that stands still on the ground stays there.
        if body == Body::GroundRoot {
            let is_still = |pose: &surefoot_core::Pose| pose.offsets[0] == clip.motion.poses[0].offsets[0];
            assert!(result.result.clip.motion.poses.iter().all(is_still));
        }
    }
}

#[test]
fn the_root_turns_while_the_feet_are_held() {
    for body in [Body::Human, Body::GroundRoot, Body::RootPelvis] {
        let clip = walk(body);
        let pelvis = pelvis_of(&clip.motion.skeleton, &clip.legs);
        let goals = [shifted(&clip, 120, right_hand(&clip.motion), Vec3::new(0.1, 0.1, 0.25))];
        let settings = Settings { chain_from: Some(pelvis), ..Settings::default() };
        let result = check(&clip, &goals, &settings);
        assert!(result.report.changed_joints.contains(&pelvis), "{:?}", result.report.changed_joints);
    }
}

#[test]
fn a_moved_root_fades_by_default() {
    let clip = walk(Body::Human);
    let goals = [shifted(&clip, 120, right_hand(&clip.motion), Vec3::new(0.1, 0.1, 0.2))];
    let root_moved = |fade| {
        let settings = Settings { moves_root: true, fade, ..Settings::default() };
        let (after, _) = reach(&clip.motion, &goals, &settings).unwrap();
        let moved =
            |frame: usize| after.poses[frame].offsets[0].distance(clip.motion.poses[frame].offsets[0]);
        [moved(120), moved(90), moved(30)]
    };
    let [at_goal, border, far] = root_moved(Fade::Automatic);
    assert!(at_goal > 0.01 && border == 0.0 && far == 0.0, "{at_goal} {border} {far}");
    assert!(root_moved(Fade::Never)[2] > 0.01);
}

#[test]
fn frames_outside_the_fade_are_those_of_a_clean_motion() {
    let clip = walk(Body::Human);
    let goals = [shifted(&clip, 120, right_hand(&clip.motion), Vec3::new(0.2, 0.1, 0.2))];
    let result = check(&clip, &goals, &Settings { moves_root: true, ..Settings::default() });
    let cleaned = surefoot_solve::clean(&clip, &Default::default()).unwrap().clip.motion;
    let foot = |motion: &Motion, frame| reached(motion, frame, hand(motion, "LeftFoot"));
    for frame in (0..40).chain(200..clip.motion.frames()) {
        let moved = foot(&result.result.clip.motion, frame).distance(foot(&cleaned, frame));
        assert!(moved < 1e-9, "{frame} {moved}");
    }
}

#[test]
fn without_goals_the_motion_is_cleaned() {
    let clip = walk(Body::Human);
    let result = check(&clip, &[], &Settings { moves_root: true, ..Settings::default() });
    let cleaned = surefoot_solve::clean(&clip, &Default::default()).unwrap();
    assert_eq!(result.result.clip.motion, cleaned.clip.motion);
    assert_eq!(result.result.clip.plants, clip.plants);
}

/// A frame in the middle of the second stance of a leg, and one in the middle of the swing after it.
fn stance_and_swing(clip: &Clip, leg: usize) -> (usize, usize) {
    let planted = |frame: usize| {
        clip.plants.plants.iter().any(|plant| plant.leg == leg && plant.frames.contains(&frame))
    };
    let edges: Vec<usize> =
        (1..clip.motion.frames()).filter(|&frame| planted(frame) != planted(frame - 1)).collect();
    let stances: Vec<&[usize]> = edges.windows(3).filter(|edges| planted(edges[0])).collect();
    let [start, end, next] = stances[1] else { unreachable!("windows of three") };
    ((start + end) / 2, (end + next) / 2)
}

#[test]
fn a_goal_for_a_swinging_foot_leaves_its_plants_alone() {
    for body in [Body::Human, Body::NoToe, Body::GroundRoot] {
        let clip = walk(body);
        let (_, swing) = stance_and_swing(&clip, 0);
        let point = JointPoint { joint: clip.legs[0].ankle, offset: Vec3::ZERO };
        let result =
            check(&clip, &[shifted(&clip, swing, point, Vec3::new(0.05, 0.06, 0.04))], &Settings::default());
        assert!(result.stance_changes.is_empty());
        assert_eq!(result.result.clip.plants, clip.plants);
    }
}

#[test]
fn a_goal_for_a_planted_foot_moves_its_stance() {
    for body in [Body::Human, Body::GroundRoot] {
        let clip = walk(body);
        let (stance, _) = stance_and_swing(&clip, 1);
        let point = JointPoint { joint: clip.legs[1].ankle, offset: Vec3::ZERO };
        let cleaned = surefoot_edit::body_root::clean_body(&clip, &Default::default()).unwrap().clip;
        let result = check(
            &clip,
            &[shifted(&cleaned, stance, point, Vec3::new(0.06, 0.0, 0.05))],
            &Settings::default(),
        );
        let [change] = &result.stance_changes[..] else { panic!("{:?}", result.stance_changes) };
        assert!(
            matches!(change.kind, StanceChangeKind::Moved(by) if (by - 0.078).abs() < 1e-3),
            "{change:?}"
        );
        assert_eq!(change.leg, 1);
        // The whole stance has moved by the same way.
        for frame in change.frames.clone().step_by(5) {
            let ball = |clip: &Clip| reached(&clip.motion, frame, clip.legs[1].ball);
            let planted = clip.plants.is_planted(1, surefoot_core::FootPoint::Ball, frame);
            let moved = ball(&result.result.clip) - ball(&cleaned);
            assert!(!planted || moved.distance(Vec3::new(0.06, 0.0, 0.05)) < 2e-3, "{frame} {moved}");
        }
    }
}

#[test]
fn a_goal_that_lifts_a_planted_foot_ends_its_stance() {
    let clip = walk(Body::Human);
    let (stance, _) = stance_and_swing(&clip, 1);
    let point = JointPoint { joint: clip.legs[1].ankle, offset: Vec3::ZERO };
    let result =
        check(&clip, &[shifted(&clip, stance, point, Vec3::new(0.0, 0.15, 0.1))], &Settings::default());
    let [change] = &result.stance_changes[..] else { panic!("{:?}", result.stance_changes) };
    assert!(matches!(change.kind, StanceChangeKind::Lifted(by) if (by - 0.15).abs() < 0.03), "{change:?}");
    let held = result.result.clip.plants.plants.len();
    assert!(held < clip.plants.plants.len() && held > 0);
}

#[test]
fn two_goals_of_one_stance_at_different_places_end_it() {
    let clip = walk(Body::Human);
    let (stance, _) = stance_and_swing(&clip, 1);
    let point = JointPoint { joint: clip.legs[1].ankle, offset: Vec3::ZERO };
    let goals = [
        shifted(&clip, stance, point, Vec3::new(0.05, 0.015, 0.0)),
        shifted(&clip, stance + 3, point, Vec3::new(-0.05, 0.015, 0.0)),
    ];
    let result = check(&clip, &goals, &Settings::default());
    assert!(matches!(result.stance_changes[0].kind, StanceChangeKind::Contradicted(by) if by > 0.08));
}

#[test]
fn a_goal_of_the_pelvis_is_met_with_the_feet_held() {
    for body in [Body::Human, Body::GroundRoot] {
        let clip = walk(body);
        let point = JointPoint { joint: pelvis_of(&clip.motion.skeleton, &clip.legs), offset: Vec3::ZERO };
        let goals = [shifted(&clip, 100, point, Vec3::new(0.03, -0.06, 0.0))];
        check(&clip, &goals, &Settings { moves_root: true, ..Settings::default() });
    }
}

#[test]
fn a_hand_touches_the_toes_of_a_planted_foot() {
    let mut clip = walk(Body::Human);
    // The body stands in its first pose.
    let first = clip.motion.poses[100].clone();
    clip.motion.poses.iter_mut().for_each(|pose| pose.clone_from(&first));
    let frames = clip.motion.frames();
    clip.plants.plants = (0..2)
        .map(|leg| surefoot_core::Plant {
            leg,
            point: surefoot_core::FootPoint::Ball,
            frames: 0..frames,
            spot: None,
            confidence: None,
            kind: None,
            hold: surefoot_core::Hold::default(),
        })
        .collect();
    let knee = clip.legs[1].knee;
    let goal = Goal {
        space: GoalSpace::Joint(knee),
        ..Goal::at_position(50, right_hand(&clip.motion), Vec3::new(0.0, 0.05, 0.1))
    };
    check(&clip, &[goal], &Settings { freedom: surefoot_edit::reach::Freedom::All, ..Settings::default() });
}

#[test]
fn a_goal_out_of_reach_states_what_holding_the_feet_costs() {
    let clip = walk(Body::Human);
    let goals = [shifted(&clip, 120, right_hand(&clip.motion), Vec3::new(0.5, 2.0, 0.5))];
    let result = run(&clip, &goals, &Settings { moves_root: true, ..Settings::default() });
    assert!(drift(&result.result.clip) < EXACT, "{}", drift(&result.result.clip));
    assert!(!result.report.goals[0].is_met());
    let conflict = result.conflict.expect("a conflict");
    let (goal, held, free) = conflict.goals[0];
    assert_eq!(goal, 0);
    assert!(held.distance > 0.1 && free.distance < EXACT && conflict.drift_m > 0.2, "{conflict:?}");
    assert_eq!(held, result.report.goals[0].after);
    // Without a root that moves, the goal is out of reach whether or not the feet are held.
    assert_eq!(run(&clip, &goals, &Settings::default()).conflict, None);
}
