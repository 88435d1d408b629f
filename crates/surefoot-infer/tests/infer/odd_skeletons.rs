//! Inference on skeletons of unusual shape or spelling.
//!
//! A skeleton is written as lines of depth, name and offset; `.` is the end of a bone.

use surefoot_core::math::{Vec3, axis_rotation, sin};
use surefoot_core::{Joint, JointId, JointPoint, Leg, Motion, Pose, Skeleton};
use surefoot_infer::{Excerpt, Inference, Overrides, infer};

/// Parses a skeleton.
fn skeleton(text: &str) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<f64>().expect("a number");
        let offset = Vec3::new(number(2), number(3), number(4));
        above.truncate(number(0) as usize);
        let parent = above.last().copied();
        if words[1] == "." {
            joints[parent.expect("a bone")].end = Some(offset);
            continue;
        }
        above.push(joints.len());
        let parent = parent.map(|at| JointId(at as u32));
        joints.push(Joint { name: words[1].into(), parent, offset, end: None });
    }
    Skeleton::new(joints).expect("a skeleton")
}

/// A motion in which every joint rotates by up to two degrees about a pose.
fn rocking(skeleton: Skeleton, pose: &Pose) -> Excerpt {
    let rocked = |frame: usize| {
        let mut pose = pose.clone();
        for (at, turn) in pose.rotations.iter_mut().enumerate() {
            *turn *= axis_rotation(at % 3, 0.03 * sin(0.2 * frame as f64 + at as f64));
        }
        pose
    };
    let poses = (0..60).map(rocked).collect();
    Excerpt { motion: Motion { skeleton, fps: 30.0, poses }, frames: (0..60).collect() }
}

fn at_rest(text: &str) -> (Excerpt, Inference) {
    let skeleton = skeleton(text);
    let rest = Pose::rest(&skeleton);
    let excerpt = rocking(skeleton, &rest);
    let inference = infer(&excerpt, &Overrides::default());
    (excerpt, inference)
}

/// The legs as text: `front left: hip knee ankle`.
fn legs(excerpt: &Excerpt, inference: &Inference) -> Vec<String> {
    let name = |joint: JointId| excerpt.motion.skeleton.joint(joint).name.as_str();
    let legs = &inference.legs.as_ref().unwrap_or_else(|no| panic!("{no:?}")).value;
    let text = |leg: &Leg| format!("{}: {} {} {}", leg.side, name(leg.hip), name(leg.knee), name(leg.ankle));
    legs.iter().map(text).collect()
}

/// A person with these feet, in centimetres; `~` is the side, `*` its sign.
fn person(foot: &str) -> String {
    let side = "1 ~Thigh *9 -4 0
        2 ~Shin 0 -42 0
        3 ~Foot 0 -41 -2
        "
    .to_string()
        + foot;
    let arm = "3 ~Arm *16 14 0
        4 ~ForeArm *28 0 0
        5 ~Hand *26 0 0
        6 . *17 0 0
        ";
    let both = |text: &str| {
        text.replace('~', "Left").replace('*', "") + "\n" + &text.replace('~', "Right").replace('*', "-")
    };
    let trunk = "0 Hips 0 95 0
        1 Spine 0 20 0
        2 Chest 0 20 0
        3 Neck 0 18 0
        4 . 0 20 0
        ";
    trunk.to_string() + &both(arm) + &both(&side)
}

fn point(excerpt: &Excerpt, point: JointPoint) -> (String, Vec3) {
    (excerpt.motion.skeleton.joint(point.joint).name.clone(), point.offset)
}

#[test]
fn end_sites_below_the_end_of_the_toes_do_not_matter() {
    let text = person("4 ~Toe 0 -7 12\n5 ~Toe_End 0 -1.5 6\n6 . 0 *7 0");
    let (excerpt, inference) = at_rest(&text);
    for (leg, side) in inference.legs.unwrap().value.iter().zip(["Left", "Right"]) {
        assert_eq!(point(&excerpt, leg.ball), (format!("{side}Toe"), Vec3::ZERO));
        let (joint, tip) = point(&excerpt, leg.toe);
        assert_eq!(joint, format!("{side}Toe"));
        assert!((tip - Vec3::new(0.0, -1.5, 6.0)).length() < 0.1, "{tip}");
        assert!(leg.heel.offset.y < -5.0 && leg.heel.offset.z < 0.0, "{leg:?}");
    }
}

#[test]
fn toes_of_a_hanging_foot_are_found_by_name() {
    let text = person("4 ~ToeBase -1.8 -14 3.7\n5 ~Toe_End -1.6 -2.2 6\n6 . -1.6 -2.2 6");
    let (excerpt, inference) = at_rest(&text);
    for (leg, side) in inference.legs.unwrap().value.iter().zip(["Left", "Right"]) {
        assert_eq!(point(&excerpt, leg.ball), (format!("{side}ToeBase"), Vec3::ZERO));
    }
}

#[test]
fn the_heel_of_a_kneeling_foot_comes_from_the_rest_pose() {
    let skeleton = skeleton(&person("4 ~Toe 0 -7 12\n5 . 0 -1 6"));
    let mut pose = Pose::rest(&skeleton);
    pose.offsets[0].y = 50.0;
    let at = |name: &str| skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
    for (name, degrees) in [("LeftThigh", -100.0f64), ("LeftShin", 108.0), ("LeftFoot", -7.0)] {
        pose.rotations[at(name)] = axis_rotation(0, degrees.to_radians());
    }
    for (name, degrees) in [("RightThigh", -19.0f64), ("RightShin", 110.0), ("RightFoot", 37.0)] {
        pose.rotations[at(name)] = axis_rotation(0, degrees.to_radians());
    }
    let inference = infer(&rocking(skeleton.clone(), &pose), &Overrides::default());
    for leg in inference.legs.unwrap().value {
        assert!(leg.heel.offset.y < -5.0 && leg.heel.offset.z < -1.0, "{leg:?}");
    }
}

#[test]
fn coinciding_joints_are_chosen_alike_on_both_sides() {
    let (excerpt, inference) =
        at_rest(&person("4 ~Turn 0 0 0\n5 ~Slide 0 0 0\n6 . 0 -6 14").replace("Foot", "X"));
    let ankle = |leg: &Leg| leg.ankle.index() - leg.hip.index();
    let legs = inference.legs.unwrap().value;
    assert_eq!(ankle(&legs[0]), ankle(&legs[1]), "{:?}", excerpt.motion.skeleton);
}

#[test]
fn legs_of_the_same_side_are_not_a_pair() {
    let mut text = String::from("0 Body 0 10 0\n1 Head 0 0 6\n2 . 0 0 3\n");
    for (number, along) in [6, 2, -2, -6].into_iter().enumerate() {
        for (side, sign) in [("L", 1), ("R", -1)] {
            let name = format!("{side}{}", number + 1);
            text += &format!("1 {name}_Coxa {} 0 {along}\n2 {name}_Femur {} 6 0\n", 3 * sign, 6 * sign);
            text += &format!("3 {name}_Tibia {} -8 0\n4 {name}_Tarsus {} -6 0\n", 8 * sign, 2 * sign);
            text += &format!("5 . {sign} -2 0\n");
        }
    }
    let (excerpt, inference) = at_rest(&text);
    let legs = legs(&excerpt, &inference);
    assert_eq!(legs.len(), 8, "{legs:?}");
    assert_eq!(legs[0], "front left: L1_Coxa L1_Femur L1_Tibia");
    assert_eq!(legs[1], "front right: R1_Coxa R1_Femur R1_Tibia");
    assert_eq!(legs[6], "hind left: L4_Coxa L4_Femur L4_Tibia");
}

/// A dog whose hind feet are behind its hips and whose front legs are named as arms.
const DOG: &str = "0 Hips 0 52 0
    1 Spine 0 1 15
    2 Spine1 0 1 19
    3 Neck 0 6 14
    4 Head 0 9 12
    5 . 0 0 14
    3 LeftShoulder 4 -3 6
    4 LeftArm 4 -12 6
    5 LeftForeArm 0 -16 -6
    6 LeftHand 0 -17 1
    7 . 0 -3 3
    3 RightShoulder -4 -3 6
    4 RightArm -4 -12 6
    5 RightForeArm 0 -16 -6
    6 RightHand 0 -17 1
    7 . 0 -3 3
    1 LeftUpLeg 5 -4 -3
    2 LeftLeg 0 -19 6
    3 LeftFoot 0 -18 -9
    4 . 0 -11 4
    1 RightUpLeg -5 -4 -3
    2 RightLeg 0 -19 6
    3 RightFoot 0 -18 -9
    4 . 0 -11 4
    1 Tail 0 2 -6
    2 . 0 -10 -18";

#[test]
fn front_legs_named_as_arms_are_legs() {
    let (excerpt, inference) = at_rest(DOG);
    let legs = legs(&excerpt, &inference);
    assert_eq!(legs.len(), 4, "{legs:?}");
    assert!(legs[0].starts_with("front left: Left"), "{legs:?}");
    assert_eq!(legs[2], "hind left: LeftUpLeg LeftLeg LeftFoot");
}

/// A horse's leg has four bones; the first two are at an angle and do not form a thigh.
#[test]
fn a_thigh_is_straight() {
    let text = "0 Root 0 77 -41
        1 Pelvis 0 0 -2
        2 Spine 0 6 8
        3 R_Thigh -10 -6 -8
        4 R_Calf -1 -23 6
        5 R_HorseLink 3 -19 -17
        6 R_Foot 0 -25 4
        7 R_Toe0 0 -6 4
        8 R_Toe0Nub -1 0 16
        9 . 0 16 0
        3 L_Thigh 10 -6 -8
        4 L_Calf 1 -23 6
        5 L_HorseLink -3 -19 -17
        6 L_Foot 0 -25 4
        7 L_Toe0 0 -6 4
        8 L_Toe0Nub 1 0 7
        9 . 0 -7 0
        3 Spine1 0 -5 20
        4 Neck 0 9 50
        5 Head 0 22 24
        6 . 0 -18 30";
    let (excerpt, inference) = at_rest(text);
    assert_eq!(legs(&excerpt, &inference)[0], "left: L_Thigh L_Calf L_HorseLink");
}

#[test]
fn legs_may_start_far_from_the_middle_of_the_body() {
    let mut text = String::from("0 Shell 0 20 0\n");
    for (number, along) in [12, 0, -12].into_iter().enumerate() {
        for (side, sign) in [("L", 1), ("R", -1)] {
            let name = format!("{side}_Leg{}", number + 1);
            text += &format!("1 {name}_a {} 0 {along}\n2 {name}_b {} 5 0\n", 12 * sign, 10 * sign);
            text += &format!("3 {name}_c {} -13 0\n4 {name}_d {} -10 0\n", 10 * sign, 4 * sign);
            text += &format!("5 . {sign} -2 0\n");
        }
    }
    let (excerpt, inference) = at_rest(&text);
    let legs = legs(&excerpt, &inference);
    assert_eq!(legs.len(), 6, "{legs:?}");
    assert_eq!(legs[0], "front left: L_Leg1_a L_Leg1_b L_Leg1_c");
}

/// A skeleton whose rest pose has legs, trunk and arms all along X.
#[test]
fn arms_in_a_rest_pose_along_one_line_are_not_legs() {
    let both = |text: &str| {
        text.replace('~', "Left").replace('*', "") + "\n" + &text.replace('~', "Right").replace('*', "-")
    };
    let leg = "1 ~UpLeg 0 1 *10\n2 ~Leg 43 0 0\n3 ~Foot 42 0 0\n4 ~Toe 17 0 0";
    let arm = "4 ~Shoulder 20 -1 *6\n5 ~Arm 11 0 0\n6 ~ForeArm 33 0 0\n7 ~Hand 25 0 0";
    let trunk = "1 Spine 7 -3 0\n2 Spine1 13 0 0\n3 Spine2 12 0 0\n4 Neck 26 0 0\n5 . 12 0 0";
    let text = format!("0 Hips 0 92 0\n{}\n{trunk}\n{}", both(leg), both(arm));
    let (excerpt, inference) = at_rest(&text);
    let legs = legs(&excerpt, &inference);
    assert_eq!(legs.len(), 2, "{legs:?}");
    assert!(legs[0].ends_with("LeftUpLeg LeftLeg LeftFoot"), "{legs:?}");
}
