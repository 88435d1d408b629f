//! Input that is rejected: what was found and what was expected.

use surefoot_core::{
    FootPoint, Joint, JointId, Loop, Motion, Plane, Pose, Quat, RigidTransform, Skeleton, Vec3,
};
use surefoot_solve::{PoseError, Settings, SetupError};

use crate::fixtures::*;
use FootPoint::Heel;

#[test]
fn legs_below_different_roots_are_rejected() {
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
    assert_eq!(case.error(&Settings::default()), "the legs are below different roots, expected one root");
}

#[test]
fn a_leg_whose_joints_are_not_a_chain_is_rejected() {
    let not_a_leg = "the leg 0 leg: the knee is not below the hip or the ankle not below the knee";
    let mut case = crouch(vec![]);
    case.clip.legs[0].knee = JointId(6);
    assert_eq!(case.error(&Settings::default()), not_a_leg);
    case.clip.legs[0].knee = JointId(1000);
    assert_eq!(case.error(&Settings::default()), not_a_leg);
    let mut case = crouch(vec![]);
    case.clip.legs[0].heel.joint = case.clip.legs[1].ankle;
    assert_eq!(
        case.error(&Settings::default()),
        "the heel of the leg 0 leg is neither on its ankle nor on a joint below it"
    );
}

#[test]
fn a_bone_without_length_is_rejected() {
    let case = by_hand(Build { shin: Vec3::ZERO, ..Build::default() }, 3, vec![], |_, _| {});
    assert_eq!(
        case.error(&Settings::default()),
        "the thigh or shin of the leg 0 leg is shorter than a thousandth of a millimetre"
    );
    let case = by_hand(Build { thigh: Vec3::ZERO, ..Build::default() }, 3, vec![], |_, _| {});
    assert_eq!(
        case.try_clean(&Settings::default()).unwrap_err(),
        SetupError::ZeroLengthBone { side: "leg 0".into() }.into()
    );
}

#[test]
fn nan_and_infinity_are_rejected() {
    let valid = crouch(both_feet());
    for (what, damage) in [
        ("offset", Box::new(|pose: &mut Pose| pose.offsets[KNEE].y = f64::NAN) as Box<dyn Fn(&mut Pose)>),
        ("rotation", Box::new(|pose: &mut Pose| pose.rotations[KNEE].w = f64::INFINITY)),
        (
            "rotation",
            Box::new(|pose: &mut Pose| pose.rotations[KNEE] = Quat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)),
        ),
    ] {
        let mut case = valid.clone();
        damage(&mut case.clip.motion.poses[31]);
        let error = case.try_clean(&Settings::default()).unwrap_err();
        let expected = PoseError::NotFinite { frame: 31, joint: JointId(KNEE as u32) };
        assert_eq!(error, SetupError::Pose(expected.clone()).into(), "{what}");
        let (mut cleaner, plants) = (valid.cleaner(&Settings::default()), case.active_plants());
        for (pose, plants) in case.clip.motion.poses.iter().zip(&plants).take(31) {
            cleaner.push(pose, plants).unwrap();
        }
        assert_eq!(cleaner.push(&case.clip.motion.poses[31], &plants[31]).unwrap_err(), expected);
        // The stream continues with a valid pose in its place.
        assert!(cleaner.push(&valid.clip.motion.poses[31], &plants[31]).is_ok());
    }
    let mut case = valid.clone();
    case.clip.plants.plants[0].spot = Some(Vec3::NAN);
    assert_eq!(
        case.error(&Settings::default()),
        "frame 20: the spot given for leg 0 is not finite, expected numbers"
    );
    for floor in [
        Plane { normal: Vec3::NAN, offset: 0.0 },
        Plane { normal: Vec3::ZERO, offset: 0.0 },
        Plane { normal: Vec3::Y * 2.0, offset: 0.0 },
        Plane { normal: Vec3::Y, offset: f64::NAN },
    ] {
        let mut case = valid.clone();
        case.clip.floor = Some(floor.into());
        assert_eq!(case.try_clean(&Settings::default()).unwrap_err(), SetupError::InvalidFloor.into());
    }
}

#[test]
fn a_pose_with_too_few_joints_is_rejected() {
    let mut case = crouch(both_feet());
    case.clip.motion.poses[3].rotations.pop();
    assert_eq!(case.error(&Settings::default()), "frame 3 has 8 joints, but the skeleton has 9");
}

#[test]
fn an_invalid_pose_anywhere_in_a_loop_is_rejected() {
    let mut case = crouch(vec![plant(0, Heel, 0..10), plant(0, Heel, 50..58)]);
    case.clip.looping = Some(Loop { period: 58, travel: RigidTransform::IDENTITY });
    case.try_clean(&Settings::default()).unwrap();
    let mut short = case.clone();
    short.clip.motion.poses[3].rotations.pop();
    assert_eq!(short.error(&Settings::default()), "frame 3 has 8 joints, but the skeleton has 9");
    // Frames after the period are copied, and must be finite all the same.
    case.clip.motion.poses[59].offsets[KNEE].y = f64::NAN;
    let expected = PoseError::NotFinite { frame: 59, joint: JointId(KNEE as u32) };
    assert_eq!(case.try_clean(&Settings::default()).unwrap_err(), SetupError::Pose(expected).into());
}
