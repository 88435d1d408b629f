//! Tests of retargeting.

use crate::bodies::sample;
use crate::clips::read;
use surefoot_core::math::{PI, axis_rotation, sin};
use surefoot_core::{Clip, Joint, JointId, Motion, Pose, Skeleton, Vec3, WorldPose};
use surefoot_edit::retarget::{
    RetargetError, Role, TargetBody, matching, retarget, roles, scale_leg, segment_deviations,
};
use surefoot_sample::{Body, Kind, Recipe};
use surefoot_solve::clean;

/// Largest distance between corresponding joints of two motions, in metres.
fn largest_distance(one: &Motion, other: &Motion) -> f64 {
    assert_eq!(one.frames(), other.frames());
    let (mut a, mut b) = (WorldPose::default(), WorldPose::default());
    let mut farthest = 0.0_f64;
    for (x, y) in one.poses.iter().zip(&other.poses) {
        x.forward_kinematics(&one.skeleton, &mut a);
        y.forward_kinematics(&other.skeleton, &mut b);
        let pairs = a.positions.iter().zip(&b.positions);
        farthest = pairs.map(|(a, b)| a.distance(*b)).fold(farthest, f64::max);
    }
    farthest
}

/// One line for each joint with a role, in the order of the skeleton.
fn table(clip: &Clip) -> Vec<String> {
    let roles = roles(&clip.motion.skeleton, &clip.legs);
    let mut all = roles.all.clone();
    all.sort_by_key(|(_, joint, _)| *joint);
    all.iter()
        .map(|(role, joint, _)| format!("{role}: {}", clip.motion.skeleton.joint(*joint).name))
        .collect()
}

#[test]
fn retargeting_to_the_same_body_changes_nothing() {
    for kind in Kind::ALL {
        for of in Body::ALL {
            let clip = sample(&Recipe { kind, body: of, ..Recipe::default() });
            let same = retarget(&clip, &TargetBody::from(&clip)).unwrap();
            let distance = largest_distance(&clip.motion, &same.clip.motion);
            assert!(distance < 1e-9, "{kind:?} {of:?} {distance}");
            assert!(same.matching.unmatched_source.is_empty() && same.matching.unmatched_target.is_empty());
            for (a, b) in same.clip.plants.plants.iter().zip(&clip.plants.plants) {
                assert_eq!((a.leg, a.point, &a.frames), (b.leg, b.point, &b.frames));
                assert!(a.spot.unwrap().distance(b.spot.unwrap()) < 1e-9);
            }
        }
    }
}

#[test]
fn retargeting_every_capture_to_its_own_body_writes_the_same_motion() {
    for path in surefoot_testdata::files("bvh", ".bvh") {
        // The other files have the same skeletons and are as long.
        if path.to_string_lossy().contains("cmu/") && !path.ends_with("02_03.bvh") {
            continue;
        }
        let (bvh, space, clip) = read(&path);
        let same = retarget(&clip, &TargetBody::from(&clip)).unwrap();
        let distance = largest_distance(&clip.motion, &same.clip.motion);
        assert!(distance < 1e-6, "{path:?} {distance}");
        let text = bvh.write(&same.clip.motion, &space).unwrap();
        let again = surefoot_formats::bvh::Bvh::read(text).unwrap().motion(&space);
        let distance = largest_distance(&clip.motion, &again);
        assert!(distance < 1e-6, "{path:?} {distance}");
    }
}

#[test]
fn retargeting_there_and_back_restores_the_motion() {
    let Some(path) = surefoot_testdata::path("bvh/cmu/02_03.bvh") else { return };
    let (_, _, mut clip) = read(&path);
    // The height offset from plants is a median and not invertible, so plants are removed.
    clip.plants.plants.clear();
    for other in [
        "bvh-python/test_freebvh.bvh",
        "pybvh/bvh_test3.bvh",
        "aitviewer/sample.bvh",
        "threejs/pirouette.bvh",
    ] {
        let Some(path) = surefoot_testdata::path(&format!("bvh/{other}")) else { return };
        let (_, _, other) = read(&path);
        let retargeted = retarget(&clip, &TargetBody::from(&other)).unwrap();
        let back = retarget(&retargeted.clip, &TargetBody::from(&clip)).unwrap();
        // Joints with a counterpart: at least legs and arms.
        let (mut one, mut two) = (WorldPose::default(), WorldPose::default());
        let name = |name: &str| clip.motion.skeleton.find(name).unwrap();
        for (a, b) in clip.motion.poses.iter().zip(&back.clip.motion.poses) {
            a.forward_kinematics(&clip.motion.skeleton, &mut one);
            b.forward_kinematics(&back.clip.motion.skeleton, &mut two);
            for joint in ["LeftUpLeg", "LeftLeg", "RightLeg"].map(name) {
                let angle = one.rotations[joint.index()].angle_between(two.rotations[joint.index()]);
                assert!(angle < 1e-6, "{path:?} {joint:?} {angle}");
            }
            for foot in ["LeftFoot", "RightFoot"].map(name) {
                let angle = one.rotations[foot.index()].angle_between(two.rotations[foot.index()]);
                assert!(angle < 1e-6, "{path:?} {foot:?} {angle}");
            }
            for arm in ["LeftArm", "LeftForeArm", "RightArm"].map(name) {
                let angle = one.rotations[arm.index()].angle_between(two.rotations[arm.index()]);
                assert!(angle < 1e-6, "{path:?} {arm:?} {angle}");
            }
            let middle = |world: &WorldPose| world.joint(name("LeftUpLeg")) + world.joint(name("RightUpLeg"));
            let distance = (middle(&one) - middle(&two)).length();
            assert!(distance < 1e-9, "{path:?} {distance}");
        }
    }
}

/// A body with another joint order, other axes and an A-pose at rest.
#[test]
fn joint_axes_and_rest_pose_do_not_change_the_motion() {
    let clip = sample(&Recipe::default());
    let Skeletons { other, legs, order } = with_rotated_rest_pose(&clip);
    let retargeted = retarget(&clip, &TargetBody { skeleton: other, legs, ..TargetBody::default() }).unwrap();
    let (mut a, mut b) = (WorldPose::default(), WorldPose::default());
    for (x, y) in clip.motion.poses.iter().zip(&retargeted.clip.motion.poses) {
        x.forward_kinematics(&clip.motion.skeleton, &mut a);
        y.forward_kinematics(&retargeted.clip.motion.skeleton, &mut b);
        for (to, &from) in order.iter().enumerate() {
            let distance = a.positions[from].distance(b.positions[to]);
            assert!(distance < 1e-9, "{} {distance}", clip.motion.skeleton.joints()[from].name);
        }
    }
}

struct Skeletons {
    other: Skeleton,
    legs: Vec<surefoot_core::Leg>,
    order: Vec<usize>,
}

/// The same body with another facing direction at rest.
fn with_rotated_rest_pose(clip: &Clip) -> Skeletons {
    let rotation = axis_rotation(1, PI / 2.0);
    let joints = clip.motion.skeleton.joints();
    let rotated = |joint: &Joint| Joint {
        name: format!("b_{}", joint.name),
        offset: rotation * joint.offset,
        end: joint.end.map(|end| rotation * end),
        ..joint.clone()
    };
    let point = |point: surefoot_core::JointPoint| surefoot_core::JointPoint {
        offset: rotation * point.offset,
        ..point
    };
    let legs = clip.legs.iter().map(|leg| surefoot_core::Leg {
        heel: point(leg.heel),
        ball: point(leg.ball),
        toe: point(leg.toe),
        ..leg.clone()
    });
    Skeletons {
        other: Skeleton::new(joints.iter().map(rotated).collect()).unwrap(),
        legs: legs.collect(),
        order: (0..joints.len()).collect(),
    }
}

#[test]
fn a_mirrored_skeleton_moves_the_same() {
    let clip = sample(&Recipe::default());
    let flip = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let swapped = |name: &str| match name {
        left if left.contains("Left") => left.replace("Left", "Right"),
        right => right.replace("Right", "Left"),
    };
    let mirrored = |joint: &Joint| Joint {
        name: swapped(&joint.name),
        offset: flip(joint.offset),
        end: joint.end.map(flip),
        ..joint.clone()
    };
    let skeleton = Skeleton::new(clip.motion.skeleton.joints().iter().map(mirrored).collect()).unwrap();
    let legs = clip.legs.iter().map(|leg| {
        let point = |p: surefoot_core::JointPoint| surefoot_core::JointPoint { offset: flip(p.offset), ..p };
        let side = swapped(&leg.side.replace("left", "Left").replace("right", "Right")).to_lowercase();
        surefoot_core::Leg {
            side,
            heel: point(leg.heel),
            ball: point(leg.ball),
            toe: point(leg.toe),
            ..leg.clone()
        }
    });
    let target = TargetBody { skeleton, legs: legs.collect(), ..TargetBody::default() };
    let retargeted = retarget(&clip, &target).unwrap();
    // The body is symmetric, so joints of the same name coincide.
    let (mut a, mut b) = (WorldPose::default(), WorldPose::default());
    for (x, y) in clip.motion.poses.iter().zip(&retargeted.clip.motion.poses) {
        x.forward_kinematics(&clip.motion.skeleton, &mut a);
        y.forward_kinematics(&retargeted.clip.motion.skeleton, &mut b);
        for (index, joint) in target.skeleton.joints().iter().enumerate() {
            let from = clip.motion.skeleton.find(&joint.name).unwrap();
            assert!(a.joint(from).distance(b.positions[index]) < 1e-6, "{}", joint.name);
        }
    }
    assert_eq!(retargeted.clip.plants.plants.len(), clip.plants.plants.len());
}

#[test]
fn strides_scale_with_the_legs_and_plants_are_held() {
    for scale in [0.6, 0.8, 1.25, 1.6] {
        let clip = sample(&Recipe::default());
        let target = TargetBody {
            skeleton: clip.motion.skeleton.scaled(scale),
            legs: clip.legs.iter().map(|leg| scale_leg(leg, scale)).collect(),
            ..TargetBody::default()
        };
        let retargeted = retarget(&clip, &target).unwrap();
        assert!((retargeted.scale - scale).abs() < 1e-12);
        for (before, after) in clip.plants.plants.iter().zip(&retargeted.clip.plants.plants) {
            let (before, after) = (before.spot.unwrap(), after.spot.unwrap());
            assert!((after - before * scale).length() < 1e-6);
        }
        let report = clean(&retargeted.clip, &Default::default()).unwrap().report;
        assert!(report.plants.iter().all(|plant| plant.drift_m < 1e-6), "{:?}", report.notes);
    }
}

#[test]
fn plants_are_held_on_targets_without_toes_or_with_twist_joints() {
    let clip = sample(&Recipe::default());
    let bare = sample(&Recipe { body: Body::NoToe, ..Recipe::default() });
    let retargeted = retarget(&clip, &TargetBody::from(&bare)).unwrap();
    assert_eq!(retargeted.matching.unmatched_source.len(), 2, "the toes have no counterpart");
    let report = clean(&retargeted.clip, &Default::default()).unwrap().report;
    assert!(report.plants.iter().all(|plant| plant.drift_m < 1e-5), "{:?}", report.notes);

    let (skeleton, legs) = with_twists(&clip);
    let retargeted =
        retarget(&clip, &TargetBody { skeleton: skeleton.clone(), legs, ..TargetBody::default() }).unwrap();
    let left: Vec<&str> = retargeted
        .matching
        .unmatched_target
        .iter()
        .map(|&joint| skeleton.joint(joint).name.as_str())
        .collect();
    assert_eq!(left, ["LeftArmTwist", "RightArmTwist"]);
    let hand = |motion: &Motion, pose: &Pose| {
        pose.world(&motion.skeleton).joint(motion.skeleton.find("LeftHand").unwrap())
    };
    for (a, b) in clip.motion.poses.iter().zip(&retargeted.clip.motion.poses) {
        assert!(hand(&clip.motion, a).distance(hand(&retargeted.clip.motion, b)) < 1e-9);
    }
}

/// The same body with a twist joint in the middle of each upper arm.
fn with_twists(clip: &Clip) -> (Skeleton, Vec<surefoot_core::Leg>) {
    let old = clip.motion.skeleton.joints();
    let mut joints: Vec<Joint> = Vec::new();
    let mut now = vec![0_u32; old.len()];
    for (index, joint) in old.iter().enumerate() {
        let mut joint = joint.clone();
        joint.parent = joint.parent.map(|parent| JointId(now[parent.index()]));
        if let Some(side) = joint.name.strip_suffix("ForeArm") {
            let twist =
                Joint { name: format!("{side}ArmTwist"), offset: joint.offset * 0.5, end: None, ..joint };
            joints.push(twist);
            joint = Joint { parent: Some(JointId(joints.len() as u32 - 1)), ..old[index].clone() };
            joint.offset *= 0.5;
        }
        now[index] = joints.len() as u32;
        joints.push(joint);
    }
    let id = |joint: JointId| JointId(now[joint.index()]);
    let point = |p: surefoot_core::JointPoint| surefoot_core::JointPoint { joint: id(p.joint), ..p };
    let legs = clip.legs.iter().map(|leg| surefoot_core::Leg {
        hip: id(leg.hip),
        knee: id(leg.knee),
        ankle: id(leg.ankle),
        heel: point(leg.heel),
        ball: point(leg.ball),
        toe: point(leg.toe),
        ..leg.clone()
    });
    (Skeleton::new(joints).unwrap(), legs.collect())
}

#[test]
fn bodies_with_different_legs_are_errors() {
    let clip = sample(&Recipe::default());
    let dog = sample(&Recipe { body: Body::FourLegs, ..Recipe::default() });
    let error = retarget(&clip, &TargetBody::from(&dog)).unwrap_err();
    assert!(matches!(error, RetargetError::OtherLegs { .. }));
    assert_eq!(
        error.to_string(),
        "the motion has the legs left, right, but the target has front left, front right, hind left, hind right; \
         expected the same legs"
    );
    let none = retarget(&clip, &TargetBody::default()).unwrap_err();
    assert!(matches!(none, RetargetError::OtherLegs { .. }), "{none}");
}

#[test]
fn motions_of_two_and_of_no_frames_are_retargeted() {
    let mut clip = sample(&Recipe::default());
    clip.plants.plants.clear();
    for frames in [2, 1, 0] {
        clip.motion.poses.truncate(frames);
        let there = retarget(&clip, &TargetBody::from(&clip)).unwrap();
        assert_eq!(there.clip.motion.frames(), frames);
        assert_eq!(clean(&there.clip, &Default::default()).unwrap().clip.motion.frames(), frames);
    }
}

/// Roles found for each naming convention; `-` marks joints without a role.
#[test]
fn roles_are_found_in_all_naming_conventions() {
    let arms = |l: [&str; 4], r: [&str; 4]| {
        let parts = ["collar", "shoulder", "elbow", "hand"];
        let one = |side: &str, names: [&str; 4]| -> Vec<String> {
            parts.iter().zip(names).map(|(part, name)| format!("{side} {part}: {name}")).collect()
        };
        [one("left", l), one("right", r)].concat()
    };
    let usual = arms(
        ["LeftShoulder", "LeftArm", "LeftForeArm", "LeftHand"],
        ["RightShoulder", "RightArm", "RightForeArm", "RightHand"],
    );
    let collars = arms(
        ["LeftCollar", "LeftShoulder", "LeftElbow", "LeftWrist"],
        ["RightCollar", "RightShoulder", "RightElbow", "RightWrist"],
    );
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let expected: Vec<(&str, Vec<String>, Vec<String>)> = vec![
        (
            "cmu/02_01.bvh",
            usual.clone(),
            lines(&[
                "pelvis: Hips",
                "spine 1: LowerBack",
                "spine 2: Spine",
                "spine 3: Spine1",
                "neck 1: Neck",
                "neck 2: Neck1",
                "head: Head",
                "left hip: LeftUpLeg",
                "left knee: LeftLeg",
                "left ankle: LeftFoot",
                "left toes: LeftToeBase",
                "right hip: RightUpLeg",
                "left index 1: LeftHandIndex1",
                "left thumb 1: LThumb",
                "right thumb 1: RThumb",
            ]),
        ),
        (
            "aitviewer/sample.bvh",
            collars.clone(),
            lines(&[
                "pelvis: Hips",
                "spine 1: Chest",
                "spine 4: Chest4",
                "neck 1: Neck",
                "head: Head",
                "left hip: LeftHip",
                "left knee: LeftKnee",
                "left ankle: LeftAnkle",
                "left toes: LeftToe",
            ]),
        ),
        (
            "bvh-matlab/louise.bvh",
            collars.clone(),
            lines(&["spine 1: Chest", "neck 1: Neck", "head: Head", "right ankle: RightAnkle"]),
        ),
        (
            "bvh-matlab/milad.bvh",
            usual.clone(),
            lines(&[
                "spine 1: Spine",
                "spine 4: Spine3",
                "left index in the palm: LeftInHandIndex",
                "left index 1: LeftHandIndex1",
                "right little 3: RightHandPinky3",
                "left thumb 1: LeftHandThumb1",
            ]),
        ),
        (
            "bvh-python/test_freebvh.bvh",
            arms(
                [
                    "mixamorig:LeftShoulder",
                    "mixamorig:LeftArm",
                    "mixamorig:LeftForeArm",
                    "mixamorig:LeftHand",
                ],
                [
                    "mixamorig:RightShoulder",
                    "mixamorig:RightArm",
                    "mixamorig:RightForeArm",
                    "mixamorig:RightHand",
                ],
            ),
            lines(&[
                "pelvis: mixamorig:Hips",
                "spine 3: mixamorig:Spine2",
                "neck 1: mixamorig:Neck",
                "head: mixamorig:Head",
                "left toes: mixamorig:LeftToeBase",
                "left ring 2: mixamorig:LeftHandRing2",
            ]),
        ),
        (
            "bvh-python/test_mocapbank.bvh",
            collars.clone(),
            lines(&["spine 1: Chest", "spine 2: Chest2", "head: Head"]),
        ),
        (
            "bvh-toolbox/walk01.bvh",
            usual.clone(),
            lines(&["spine 2: Spine1", "neck 1: Neck", "left knee: LeftLeg"]),
        ),
        (
            "makehuman/walk1.bvh",
            arms(
                ["Clavicle_L", "UpArm_L", "LoArm_L", "Hand_L"],
                ["Clavicle_R", "UpArm_R", "LoArm_R", "Hand_R"],
            ),
            lines(&[
                "root: Root",
                "pelvis: Hips",
                "spine 1: Spine1",
                "spine 3: Spine3",
                "neck 1: Neck",
                "head: Head",
                "left hip: UpLeg_L",
                "left knee: LoLeg_L",
                "left ankle: Foot_L",
                "left toes: Toe_L",
                "left index 1: Index1_L",
                "right middle 3: Middle3_R",
            ]),
        ),
        (
            "pybvh/bvh_example.bvh",
            usual.clone(),
            lines(&["spine 4: Spine3", "neck 2: Neck1", "left toes: LeftToeBase"]),
        ),
        ("pybvh/bvh_test2.bvh", collars, lines(&["spine 4: Chest4", "left toes: LeftToe"])),
        (
            "pybvh/bvh_test3.bvh",
            usual.clone(),
            lines(&[
                "left ankle: LeftFoot",
                "left toes: LeftForeFoot",
                "left ring in the palm: LeftHandRing",
                "right middle 1: RightHandMiddle1",
            ]),
        ),
        (
            "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
            usual,
            lines(&[
                "spine 1: Spine",
                "head: Head",
                "left thumb 1: LeftHandThumb1",
                "right toes: RightToeBase",
            ]),
        ),
        (
            "threejs/pirouette.bvh",
            arms(["lCollar", "lShldr", "lForeArm", "lHand"], ["rCollar", "rShldr", "rForeArm", "rHand"]),
            lines(&[
                "pelvis: hip",
                "spine 1: abdomen",
                "spine 2: chest",
                "neck 1: neck",
                "head: head",
                "left hip: lThigh",
                "left knee: lShin",
                "left ankle: lFoot",
                "left middle 2: lMid2",
                "right thumb 1: rThumb1",
            ]),
        ),
    ];
    for (file, arms, others) in expected {
        let Some(path) = surefoot_testdata::path(&format!("bvh/{file}")) else { return };
        let (_, _, clip) = read(&path);
        let table = table(&clip);
        for line in arms.iter().chain(&others) {
            assert!(table.contains(line), "{file}: {line:?} is not in {table:#?}");
        }
        // No joint has two roles.
        let names: Vec<&str> = table.iter().filter_map(|line| line.split(": ").nth(1)).collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{file}");
    }
}

#[test]
fn bodies_without_names_are_matched_by_shape() {
    let clip = sample(&Recipe::default());
    let nameless = |(n, joint): (usize, &Joint)| Joint { name: format!("joint{n}"), ..joint.clone() };
    let joints = clip.motion.skeleton.joints().iter().enumerate().map(nameless).collect();
    let skeleton = Skeleton::new(joints).unwrap();
    let (by_name, by_shape) = (roles(&clip.motion.skeleton, &clip.legs), roles(&skeleton, &clip.legs));
    for role in [Role::Head, Role::Hand(surefoot_edit::retarget::Side::Left), Role::Spine(1)] {
        assert_eq!(by_shape.joint(&role), by_name.joint(&role), "{role}");
    }
    let matching = matching((&clip.motion.skeleton, &by_name), (&skeleton, &by_shape));
    assert!(matching.matches.len() * 10 > skeleton.len() * 8, "{:?}", matching.unmatched_target);
}

#[test]
fn a_body_with_unequal_legs_tilts_its_pelvis_and_keeps_its_knees() {
    let clip = sample(&Recipe { kind: Kind::Stand, fps: 30.0, ..Recipe::default() });
    let mut body = clip.clone();
    // A left shin that is 2 cm longer.
    let ankle = body.legs.iter().find(|leg| leg.side == "left").unwrap().ankle;
    let mut joints = body.motion.skeleton.joints().to_vec();
    let shin = &mut joints[ankle.index()].offset;
    *shin *= 1.0 + 0.02 / shin.length();
    for pose in &mut body.motion.poses {
        pose.offsets[ankle.index()] = joints[ankle.index()].offset;
    }
    body.motion.skeleton = Skeleton::new(joints).unwrap();
    let result = retarget(&clip, &TargetBody::from(&body)).unwrap();
    let clean = clean(&result.clip, &Default::default()).unwrap().clip;
    for one in segment_deviations(&clip, &clean) {
        assert!(!one.is_beyond_limit(), "{} {:.1}°", one.segment, one.median.to_degrees());
    }
}

#[test]
fn a_joint_that_slides_in_some_frames_does_not_jump_on_another_body() {
    let mut clip = sample(&Recipe { kind: Kind::Stand, fps: 30.0, ..Recipe::default() });
    let hip = clip.legs[0].hip.index();
    // The hip slides out of its socket and back, as in captures with a position for every joint.
    let frames = clip.motion.frames() as f64;
    for (frame, pose) in clip.motion.poses.iter_mut().enumerate() {
        let slide = 0.03 * sin(2.0 * PI * frame as f64 / frames);
        pose.offsets[hip] += Vec3::new(0.0, slide, 0.0);
    }
    let body = sample(&Recipe { body: Body::Bent, fps: 30.0, ..Recipe::default() });
    let motion = retarget(&clip, &TargetBody::from(&body)).unwrap().clip.motion;
    let world = |frame: usize| motion.poses[frame].world(&motion.skeleton);
    for frame in 1..motion.frames() {
        for joint in motion.skeleton.ids() {
            let step = world(frame).joint(joint).distance(world(frame - 1).joint(joint));
            assert!(step < 0.01, "{frame} {}: {step}", motion.skeleton.joint(joint).name);
        }
    }
}
