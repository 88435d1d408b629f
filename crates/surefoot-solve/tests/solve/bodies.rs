//! Unusual bodies and very short motions.

use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Clip, FootPoint, Joint, JointId, Motion, Pose, Skeleton, Vec3};
use surefoot_solve::{Settings, clean};

use crate::fixtures::*;
use FootPoint::{Ball, Heel};

#[test]
fn motions_of_zero_to_three_frames_are_cleaned() {
    for frames in 0..4 {
        let plants = vec![plant(0, Heel, 0..frames), plant(1, Ball, 0..9), plant(0, Ball, 1..2)];
        let case = by_hand(Build::default(), frames, plants, slide_in_crouch);
        let (after, report) = clean_with_all_settings(&case);
        assert_eq!(after.frames(), frames);
        assert_eq!(held_plants(&case, &after, &report), 3, "{frames} frames");
    }
}

#[test]
fn a_body_without_legs_is_unchanged() {
    let case = by_hand(Build { legs: 0, ..Build::default() }, 30, vec![], slide);
    assert_eq!(clean_with_all_settings(&case).0.poses, case.clip.motion.poses);
    let nothing = Motion { fps: 30.0, poses: vec![Pose::default(); 5], ..Motion::default() };
    let clip = Clip { motion: nothing.clone(), ..Clip::default() };
    let after = clean(&clip, &Settings::default()).unwrap().clip.motion;
    assert_eq!(after, nothing);
}

#[test]
fn plants_of_one_to_nine_legs_are_held() {
    for legs in [1, 3, 4, 9] {
        let plants = (0..legs).flat_map(|leg| [plant(leg, Heel, 20..40), plant(leg, Ball, 18..45)]);
        let case = by_hand(Build { legs, ..Build::default() }, 60, plants.collect(), slide_in_crouch);
        let (after, report) = clean_with_all_settings(&case);
        assert_eq!((held_plants(&case, &after, &report), report.notes), (2 * legs, vec![]), "{legs} legs");
    }
}

#[test]
fn a_plant_of_a_leg_whose_hip_is_the_root_is_held() {
    let (skeleton, mut legs) = body(Build { legs: 1, ..Build::default() });
    legs[0].hip = JointId(0);
    let mut case = crouch(vec![plant(0, Heel, 20..40)]);
    let poses = case.clip.motion.poses.iter().map(|pose| Pose {
        offsets: pose.offsets[..skeleton.len()].to_vec(),
        rotations: pose.rotations[..skeleton.len()].to_vec(),
    });
    case.clip.motion = Motion { fps: 60.0, poses: poses.collect(), skeleton };
    case.clip.legs = legs;
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!(held_plants(&case, &after, &report), 1);
}

#[test]
fn twist_joints_in_thigh_and_shin_are_supported() {
    // Each bone has two halves with a twist joint between them that rotates independently.
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
        slide(frame, &mut pose);
        pose.offsets[0].y -= 0.1;
        let sway = 0.2 * sin(frame as f64 / 9.0);
        let rotations = [(1, -0.45), (3, 0.9), (5, -0.45)];
        rotations.iter().for_each(|&(joint, radians)| pose.rotations[joint] = pitch(radians));
        pose.rotations[2] = axis_rotation(1, sway);
        pose.rotations[4] = axis_rotation(1, -sway);
        pose
    };
    case.clip.motion = Motion { skeleton, fps: 60.0, poses: (0..60).map(pose).collect() };
    case.clip.legs = vec![leg];
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((held_plants(&case, &after, &report), report.notes), (2, vec![]));
}

#[test]
fn a_shin_captured_with_length_zero_gives_a_finite_pose() {
    let case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        slide_in_crouch(frame, pose);
        pose.offsets[ANKLE] = Vec3::ZERO;
    });
    clean_with_all_settings(&case);
}
