//! Reach edits of captures, measured in the written file.

use surefoot_core::{JointPoint, Motion, Vec3};
use surefoot_edit::reach::{Form, Goal, GoalSpace, Settings, measure, reach};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};

/// A capture, its unit and axes, and settings with its first frame of performance.
fn read(name: &str) -> Option<(Bvh, Space, Settings)> {
    let path = surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh"))?;
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let first_frame = usize::from(inference.inserted_t_pose.value);
    Some((bvh, space, Settings { first_frame, ..Settings::default() }))
}

fn point(motion: &Motion, name: &str) -> JointPoint {
    JointPoint { joint: motion.skeleton.find(name).unwrap(), offset: Vec3::ZERO }
}

/// In the written file every goal is reached to 0.01 mm, and the T-pose in the first frame is
/// unchanged.
#[track_caller]
fn check(bvh: &Bvh, space: &Space, goals: &[Goal], settings: &Settings) {
    let motion = bvh.motion(space);
    for form in [Form::Displacement, Form::Paper] {
        let (after, report) = reach(&motion, goals, &Settings { form, ..settings.clone() }).unwrap();
        assert!(measure(&after, goals).iter().all(|goal| goal.distance < 1e-6), "{report:?}");
        let again = Bvh::read(bvh.write(&after, space).unwrap()).unwrap();
        assert_eq!(again.row(0), bvh.row(0));
        assert_eq!(again.channels().len(), bvh.channels().len());
        for error in measure(&again.motion(space), goals) {
            assert!(error.distance < 1e-5, "{form:?} {error:?}");
        }
    }
}

#[test]
fn punches_reach_their_goals() {
    let Some((bvh, space, settings)) = read("79_08") else { return };
    let motion = bvh.motion(&space);
    let goal = |frame: usize, name: &str, by: Vec3| {
        let point = point(&motion, name);
        let captured = motion.poses[frame].world(&motion.skeleton).point(&point);
        Goal::at_position(frame, point, captured + by)
    };
    let goals = [
        goal(43, "LeftHand", Vec3::new(0.05, 0.02, 0.0)),
        goal(48, "RightHand", Vec3::new(-0.04, 0.0, 0.05)),
        goal(161, "RightHand", Vec3::new(0.0, 0.06, 0.0)),
        goal(161, "LeftHand", Vec3::new(0.0, -0.03, 0.02)),
    ];
    check(&bvh, &space, &goals, &settings);
}

#[test]
fn two_people_shake_hands() {
    let (Some((one, space, settings)), Some((two, other_space, _))) = (read("18_01"), read("19_01")) else {
        return;
    };
    assert_eq!(space, other_space);
    let other = two.motion(&space);
    let (motion, hand) = (one.motion(&space), point(&other, "RightHand"));
    // Both hands meet half way.
    let goal = |frame: usize| {
        let within = GoalSpace::of_other_motion(&other, hand.joint, frame as f64 / other.fps);
        let mine = point(&motion, "RightHand");
        let captured = motion.poses[frame].world(&motion.skeleton).point(&mine);
        let GoalSpace::WorldPose { position, rotation } = within else {
            panic!("the space of another motion is a world pose")
        };
        let half = rotation.conjugate() * ((captured - position) * 0.5);
        Goal { space: within, ..Goal::at_position(frame, mine, half) }
    };
    check(&one, &space, &[goal(110), goal(125), goal(140)], &settings);
}
