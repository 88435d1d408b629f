//! Laws of inference: the same walk gives the same result, whichever program wrote it.

use crate::bodies::{Body, animal, crawl, person, walk};
use surefoot_core::UpAxis;
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos, sin};
use surefoot_core::{Joint, JointId, JointPoint, Leg, Motion, Pose, Skeleton};
use surefoot_infer::{Excerpt, Inference, LegOverride, Overrides, infer};

/// The expected result for a walk.
struct Expected {
    up: &'static str,
    unit_m: f64,
    ankle: &'static str,
}

const METRES_Y_UP: Expected = Expected { up: "y", unit_m: 1.0, ankle: "foot" };

fn inferred(body: &Body) -> Inference {
    infer(&body.excerpt(), &Overrides::default())
}

/// Legs by tag: `l_thigh l_shin l_foot`.
fn tags(body: &Body, leg: &Leg) -> String {
    let tag = |joint: JointId| body.tags[joint.index()].as_str();
    format!("{} {} {}", tag(leg.hip), tag(leg.knee), tag(leg.ankle))
}

fn check(label: &str, body: &Body, expected: &Expected) -> Inference {
    let inference = inferred(body);
    let legs = inference.legs.as_ref().unwrap_or_else(|error| panic!("{label}: {error:?}"));
    let names: Vec<String> =
        (legs.value.iter()).map(|leg| format!("{}: {}", leg.side, tags(body, leg))).collect();
    let ankle = expected.ankle;
    assert_eq!(
        names,
        [format!("left: l_thigh l_shin l_{ankle}"), format!("right: r_thigh r_shin r_{ankle}")],
        "{label}: {}",
        legs.reason
    );
    assert_eq!(inference.up.value.as_str(), expected.up, "{label}: {:?}", inference.up);
    let unit = inference.unit_m.value;
    assert!((unit / expected.unit_m - 1.0).abs() < 1e-3, "{label}: {:?}", inference.unit_m);
    inference
}

/// Height of a point above the inferred floor at each frame, in metres.
fn heights(body: &Body, inference: &Inference, point: &JointPoint) -> Vec<f64> {
    let excerpt = body.excerpt();
    let floor = inference.floor.as_ref().expect("a floor").value;
    let height = |pose: &Pose| {
        let position = pose.world(&excerpt.motion.skeleton).point(point);
        floor.above(position * inference.unit_m.value)
    };
    excerpt.motion.poses.iter().map(height).collect()
}

/// Names of one dialect, for hips, spine, chest, neck and head, then for collar, upper arm,
/// forearm, hand, thigh, shin, foot and toe with `*` for the side, then the two sides.
const DIALECTS: [(&str, &str, [&str; 2]); 34] = [
    (
        "Hips Spine Spine1 Neck Head",
        "*Shoulder *Arm *ForeArm *Hand *UpLeg *Leg *Foot *ToeBase",
        ["Left", "Right"],
    ),
    (
        "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Neck mixamorig:Head",
        "mixamorig:*Shoulder mixamorig:*Arm mixamorig:*ForeArm mixamorig:*Hand mixamorig:*UpLeg mixamorig:*Leg mixamorig:*Foot mixamorig:*ToeBase",
        ["Left", "Right"],
    ),
    (
        "Character1_Hips Character1_Spine Character1_Spine1 Character1_Neck Character1_Head",
        "Character1_*Shoulder Character1_*Arm Character1_*ForeArm Character1_*Hand Character1_*UpLeg Character1_*Leg Character1_*Foot Character1_*ToeBase",
        ["Left", "Right"],
    ),
    (
        "Hips Chest Chest2 Neck Head",
        "*Collar *Shoulder *Elbow *Wrist *Hip *Knee *Ankle *Toe",
        ["Left", "Right"],
    ),
    (
        "Bip01 Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head",
        "Bip01_*_Clavicle Bip01_*_UpperArm Bip01_*_Forearm Bip01_*_Hand Bip01_*_Thigh Bip01_*_Calf Bip01_*_Foot Bip01_*_Toe0",
        ["L", "R"],
    ),
    (
        "pelvis spine_01 spine_02 neck_01 head",
        "clavicle_* upperarm_* lowerarm_* hand_* thigh_* calf_* foot_* ball_*",
        ["l", "r"],
    ),
    (
        "hips spine chest neck head",
        "shoulder.* upper_arm.* forearm.* hand.* thigh.* shin.* foot.* toe.*",
        ["L", "R"],
    ),
    (
        "DEF-hips DEF-spine DEF-chest DEF-neck DEF-head",
        "DEF-shoulder.* DEF-upper_arm.* DEF-forearm.* DEF-hand.* DEF-thigh.* DEF-shin.* DEF-foot.* DEF-toe.*",
        ["L", "R"],
    ),
    (
        "root lowerback upperback neck head",
        "*clavicle *humerus *radius *hand *femur *tibia *foot *toes",
        ["l", "r"],
    ),
    ("hip abdomen chest neck head", "*Collar *Shldr *ForeArm *Hand *Thigh *Shin *Foot *Toe", ["l", "r"]),
    (
        "Pelvis Spine1 Spine3 Neck Head",
        "*_Collar *_Shoulder *_Elbow *_Wrist *_Hip *_Knee *_Ankle *_Foot",
        ["L", "R"],
    ),
    (
        "SpineBase SpineMid SpineShoulder Neck Head",
        "Clavicle* Shoulder* Elbow* Wrist* Hip* Knee* Ankle* Foot*",
        ["Left", "Right"],
    ),
    (
        "Pelvis L5 T8 Neck Head",
        "*Shoulder *UpperArm *ForeArm *Hand *UpperLeg *LowerLeg *Foot *Toe",
        ["Left", "Right"],
    ),
    (
        "J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_Neck J_Bip_C_Head",
        "J_Bip_*_Shoulder J_Bip_*_UpperArm J_Bip_*_LowerArm J_Bip_*_Hand J_Bip_*_UpperLeg J_Bip_*_LowerLeg J_Bip_*_Foot J_Bip_*_ToeBase",
        ["L", "R"],
    ),
    (
        "Root Spine1 Spine2 Neck Head",
        "Clavicle_* UpArm_* LoArm_* Hand_* UpLeg_* LoLeg_* Foot_* Toe_*",
        ["L", "R"],
    ),
    ("センター 上半身 上半身2 首 頭", "*肩 *腕 *ひじ *手首 *足 *ひざ *足首 *つま先", ["左", "右"]),
    (
        "ValveBiped.Bip01_Pelvis ValveBiped.Bip01_Spine ValveBiped.Bip01_Spine2 ValveBiped.Bip01_Neck1 ValveBiped.Bip01_Head1",
        "ValveBiped.Bip01_*_Clavicle ValveBiped.Bip01_*_UpperArm ValveBiped.Bip01_*_Forearm ValveBiped.Bip01_*_Hand ValveBiped.Bip01_*_Thigh ValveBiped.Bip01_*_Calf ValveBiped.Bip01_*_Foot ValveBiped.Bip01_*_Toe0",
        ["L", "R"],
    ),
    (
        "CC_Base_Hip CC_Base_Waist CC_Base_Spine02 CC_Base_NeckTwist01 CC_Base_Head",
        "CC_Base_*_Clavicle CC_Base_*_Upperarm CC_Base_*_Forearm CC_Base_*_Hand CC_Base_*_Thigh CC_Base_*_Calf CC_Base_*_Foot CC_Base_*_ToeBase",
        ["L", "R"],
    ),
    (
        "pelvis lumbar thorax neck skull",
        "clavicle_* humerus_* ulna_* hand_* femur_* tibia_* talus_* toes_*",
        ["l", "r"],
    ),
    (
        "Hips Spine Chest Neck Head",
        "*Shoulder *UpperArm *LowerArm *Hand *Thigh *Shin *Foot *Toe",
        ["Left", "Right"],
    ),
    (
        "Becken Wirbel1 Wirbel2 Hals Kopf",
        "Schulter_* Oberarm_* Unterarm_* Hand_* Oberschenkel_* Unterschenkel_* Fuss_* Zehe_*",
        ["links", "rechts"],
    ),
    (
        "bassin dos1 dos2 cou tete",
        "epaule_* bras_* avantbras_* poignet_* cuisse_* genou_* cheville_* orteil_*",
        ["gauche", "droite"],
    ),
    (
        "cadera columna1 columna2 cuello cabeza",
        "hombro_* brazo_* antebrazo_* mano_* muslo_* rodilla_* tobillo_* pie_*",
        ["izq", "der"],
    ),
    (
        "hips spine chest neck head",
        "*shoulder *arm *forearm *hand *upleg *leg *foot *toebase",
        ["left", "right"],
    ),
    ("Hip Spine Chest Neck Head", "Shoulder_* Arm_* Elbow_* Hand_* Hip_* Knee_* Foot_* Toe_*", ["L", "R"]),
    (
        "COG_jnt spine_01_jnt spine_02_jnt neck_jnt head_jnt",
        "*_clav_jnt *_shoulder_jnt *_elbow_jnt *_wrist_jnt *_leg_jnt *_knee_jnt *_ankle_jnt *_ball_jnt",
        ["L", "R"],
    ),
    (
        "hip_center spine_mid shoulder_center neck head",
        "*_clavicle *_shoulder *_elbow *_wrist *_hip *_knee *_ankle *_foot_index",
        ["left", "right"],
    ),
    (
        "b_root b_spine0 b_spine3 b_neck0 b_head",
        "b_*_shoulder b_*_arm b_*_forearm b_*_wrist b_*_upleg b_*_leg b_*_talocrural b_*_ball",
        ["l", "r"],
    ),
    (
        "Armature|Hips Armature|Spine Armature|Chest Armature|Neck Armature|Head",
        "Armature|Shoulder.* Armature|UpperArm.* Armature|LowerArm.* Armature|Hand.* Armature|UpperLeg.* Armature|LowerLeg.* Armature|Foot.* Armature|Toes.*",
        ["L", "R"],
    ),
    (
        "pelvis01 spine05 spine03 neck01 head",
        "clavicle.* upperarm01.* lowerarm01.* wrist.* upperleg01.* lowerleg01.* foot.* toe1-1.*",
        ["L", "R"],
    ),
    ("joint_1 joint_2 joint_3 joint_4 joint_5", "*_6 *_7 *_8 *_9 *_10 *_11 *_12 *_13", ["left", "right"]),
    (
        "Solving:Hips Solving:Spine Solving:Spine1 Solving:Neck Solving:Head",
        "Solving:*Shoulder Solving:*Arm Solving:*ForeArm Solving:*Hand Solving:*UpLeg Solving:*Leg Solving:*Foot Solving:*ToeBase",
        ["Left", "Right"],
    ),
    ("골반 척추1 척추2 목 머리", "*어깨 *위팔 *아래팔 *손 *허벅지 *종아리 *발목 *발가락", ["왼", "오른"]),
    ("骨盆 脊柱1 脊柱2 颈 头", "*肩 *上臂 *前臂 *手 *大腿 *小腿 *脚踝 *脚趾", ["左", "右"]),
];

fn in_dialect(body: Body, (trunk, limb, sides): (&str, &str, [&str; 2])) -> Body {
    let trunk_tags = ["hips", "spine", "chest", "neck", "head"];
    let limb_tags = ["collar", "arm", "fore", "hand", "thigh", "shin", "foot", "toe"];
    let trunk: Vec<&str> = trunk.split(' ').collect();
    let limb: Vec<&str> = limb.split(' ').collect();
    body.renamed(|_, tag| {
        if let Some(at) = trunk_tags.iter().position(|&t| t == tag) {
            return trunk[at].to_string();
        }
        let Some((side, part)) = tag.split_once('_') else { return tag.to_string() };
        let side = sides[usize::from(side == "r")];
        match limb_tags.iter().position(|&t| t == part) {
            Some(at) => limb[at].replace('*', side),
            None => tag.to_string(),
        }
    })
}

fn nameless(body: Body) -> Body {
    body.renamed(|at, _| format!("joint_{at}"))
}

/// The rotation that takes Y to another axis.
fn y_to(up: UpAxis) -> Quat {
    match (up.axis, up.negative) {
        (0, false) => axis_rotation(2, -PI / 2.0),
        (0, true) => axis_rotation(2, PI / 2.0),
        (1, false) => Quat::IDENTITY,
        (1, true) => axis_rotation(0, PI),
        (_, false) => axis_rotation(0, PI / 2.0),
        (_, true) => axis_rotation(0, -PI / 2.0),
    }
}

fn all_ups() -> Vec<UpAxis> {
    ["x", "-x", "y", "-y", "z", "-z"].iter().filter_map(|word| UpAxis::from_name(word)).collect()
}

/// An arbitrary rotation for joint number `at`.
fn arbitrary_rotation(at: usize) -> Quat {
    let at = at as f64 + 1.0;
    axis_rotation(0, sin(37.0 * at) * 3.0)
        * axis_rotation(1, sin(91.0 * at) * 3.0)
        * axis_rotation(2, cos(53.0 * at) * 3.0)
}

#[test]
fn a_walk_is_inferred() {
    let inference = check("plain", &walk(), &METRES_Y_UP);
    assert_eq!(inference.warnings, Vec::<String>::new());
    assert!(!inference.inserted_t_pose.value);
    let floor = inference.floor.unwrap().value;
    assert!((floor.normal - Vec3::Y).length() < 0.01, "{floor:?}");
    assert!((floor.offset - 0.02).abs() < 0.01, "{floor:?}");
}

#[test]
fn every_dialect_is_inferred() {
    for dialect in DIALECTS {
        check(dialect.1, &in_dialect(walk(), dialect), &METRES_Y_UP);
    }
}

#[test]
fn every_dialect_in_centimetres_z_up_is_inferred() {
    let up = UpAxis::from_name("z").unwrap();
    for dialect in DIALECTS {
        let body = in_dialect(walk().scaled(100.0).rotated(y_to(up)).backward(), dialect);
        check(dialect.1, &body, &Expected { up: "z", unit_m: 0.01, ankle: "foot" });
    }
}

#[test]
fn meaningless_names_do_not_matter() {
    for up in all_ups() {
        let body = nameless(walk().rotated(y_to(up)).backward());
        check("nameless", &body, &Expected { up: up.as_str(), ..METRES_Y_UP });
    }
}

#[test]
fn every_axis_may_be_up() {
    for up in all_ups() {
        let expected = Expected { up: up.as_str(), ..METRES_Y_UP };
        check("turned", &walk().rotated(y_to(up)), &expected);
        check("rotated in the motion only", &walk().rotated_in_motion_only(y_to(up)), &expected);
    }
}

#[test]
fn every_unit_is_inferred() {
    for unit_m in [1.0, 0.1, 0.01, 0.001, 0.0254, 0.056444, 0.3048, 0.005, 0.5, 0.0005] {
        let body = walk().scaled(1.0 / unit_m);
        check("scaled", &body, &Expected { unit_m, ..METRES_Y_UP });
        let child = walk().scaled(0.78 / unit_m);
        // At a child's size metres and inches are still distinguished, the rarer units not always.
        if [1.0, 0.01, 0.001].contains(&unit_m) {
            check("a child", &child, &Expected { unit_m, ..METRES_Y_UP });
        }
    }
}

#[test]
fn a_meaningless_rest_pose_does_not_matter() {
    for up in all_ups() {
        let body = walk().rotated(y_to(up)).with_frames(arbitrary_rotation);
        let expected = Expected { up: up.as_str(), ..METRES_Y_UP };
        check("odd frames", &body, &expected);
        check("odd frames, nameless", &nameless(body), &expected);
    }
}

#[test]
fn roots_above_the_body_do_not_matter() {
    for name in ["Reference", "World", "Armature", "root", "joint"] {
        let body = walk().below_a(name);
        check(name, &body, &METRES_Y_UP);
        check(name, &nameless(body.below_a("Scene")), &METRES_Y_UP);
    }
}

#[test]
fn twist_bones_and_helpers_do_not_matter() {
    let mut body = walk();
    for l in ["l", "r"] {
        let half = Vec3::new(0.0, -0.21, 0.0);
        body.add(&format!("{l}_thigh_twist"), &format!("{l}_thigh"), half, Some(half * 0.9));
        body.add(&format!("{l}_shin_twist"), &format!("{l}_shin"), half, None);
        body.add(&format!("{l}_knee_pole"), &format!("{l}_thigh"), Vec3::Z * 0.3, None);
    }
    check("beside the chain", &body, &METRES_Y_UP);
    check("beside the chain, nameless", &nameless(body), &METRES_Y_UP);
    let mut body = walk();
    for l in ["l", "r"] {
        body = body.split(&format!("{l}_shin"), &format!("{l}_upleg_roll"));
        body = body.split(&format!("{l}_foot"), &format!("{l}_leg_roll"));
    }
    check("in the chain", &body, &METRES_Y_UP);
    check("in the chain, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn hip_helpers_do_not_matter() {
    for (offset, label) in [(Vec3::ZERO, "at the root"), (Vec3::new(0.0, -0.03, 0.0), "below the root")] {
        let mut body = walk();
        for l in ["l", "r"] {
            body.add(&format!("{l}_HipJoint"), "hips", offset, None);
            body = body.reparented(&format!("{l}_thigh"), Some(&format!("{l}_HipJoint"))).sorted();
        }
        check(label, &body, &METRES_Y_UP);
        check(label, &nameless(body), &METRES_Y_UP);
    }
}

#[test]
fn a_pelvis_below_the_root_and_legs_on_the_spine_do_not_matter() {
    let mut body = walk();
    body.add("pelvis", "hips", Vec3::new(0.0, -0.02, 0.0), None);
    for l in ["l", "r"] {
        body = body.reparented(&format!("{l}_thigh"), Some("pelvis"));
    }
    let body = body.sorted();
    check("pelvis", &body, &METRES_Y_UP);
    check("pelvis, nameless", &nameless(body), &METRES_Y_UP);
    let mut body = walk();
    for l in ["l", "r"] {
        body = body.reparented(&format!("{l}_thigh"), Some("spine"));
    }
    let body = body.sorted();
    check("biped", &body, &METRES_Y_UP);
    check("biped, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn a_root_at_the_chest_does_not_matter() {
    let body = walk().reparented("chest", None).reparented("spine", Some("chest"));
    let body = body.reparented("hips", Some("spine")).sorted();
    check("chest root", &body, &METRES_Y_UP);
    check("chest root, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn both_legs_may_start_at_one_point() {
    let mut body = walk();
    for tag in ["l_thigh", "r_thigh"] {
        let at = body.find(tag);
        body.joints[at].offset = Vec3::ZERO;
        body.poses.iter_mut().for_each(|pose| pose.offsets[at] = Vec3::ZERO);
    }
    check("one point", &body, &METRES_Y_UP);
}

#[test]
fn hands_with_fingers_are_not_feet() {
    let mut body = walk();
    for (side, l) in [(1.0, "l"), (-1.0, "r")] {
        for finger in 0..5 {
            let across = Vec3::new(0.08 * side, 0.0, 0.02 * f64::from(finger) - 0.04);
            let mut parent = format!("{l}_hand");
            for bone in 0..3 {
                let name = format!("{l}_finger{finger}_{bone}");
                let offset = if bone == 0 { across } else { Vec3::X * 0.03 * side };
                body.add(&name, &parent, offset, (bone == 2).then_some(Vec3::X * 0.02 * side));
                parent = name;
            }
        }
    }
    check("fingers", &body, &METRES_Y_UP);
    check("fingers, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn skirts_hair_and_wings_are_not_legs() {
    let mut body = walk();
    for (side, l) in [(1.0, "l"), (-1.0, "r")] {
        let chains = [
            ("skirt", "hips", Vec3::new(0.12 * side, -0.05, 0.1), Vec3::new(0.02 * side, -0.18, 0.0)),
            ("train", "hips", Vec3::new(0.05 * side, 0.0, -0.15), Vec3::new(0.0, -0.2, -0.05)),
            ("hair", "head", Vec3::new(0.1 * side, 0.1, -0.1), Vec3::new(0.02 * side, -0.25, 0.0)),
            ("wing", "chest", Vec3::new(0.05 * side, 0.1, -0.1), Vec3::new(0.4 * side, 0.1, -0.1)),
        ];
        for (name, from, first, bone) in chains {
            let mut parent = from.to_string();
            for link in 0..4 {
                let tag = format!("{l}_{name}{link}");
                body.add(&tag, &parent, if link == 0 { first } else { bone }, None);
                parent = tag;
            }
        }
    }
    check("dressed", &body, &METRES_Y_UP);
    check("dressed, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn the_second_of_two_bodies_is_ignored_with_a_warning() {
    let body = walk();
    let count = body.joints.len();
    let mut both = body.clone();
    both.joints.extend(body.joints.iter().map(|joint| Joint {
        parent: joint.parent.map(|parent| JointId(parent.0 + count as u32)),
        ..joint.clone()
    }));
    both.tags.extend(body.tags.iter().map(|tag| format!("{tag} of the second")));
    for (pose, other) in both.poses.iter_mut().zip(&body.poses) {
        pose.offsets.extend(&other.offsets);
        pose.rotations.extend(&other.rotations);
        pose.offsets[count] += Vec3::X * 2.0;
    }
    for both in [both.clone(), both.below_a("World")] {
        let inference = check("two bodies", &both, &METRES_Y_UP);
        assert!(inference.warnings.iter().any(|warning| warning.contains("second body")), "{inference:?}");
        assert!(inference.legs.unwrap().confidence > 0.9);
    }
}

#[test]
fn a_lower_body_alone_is_inferred() {
    let mut body = walk();
    body.remove("spine");
    check("legs only", &body, &METRES_Y_UP);
    check("legs only, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn feet_without_toes_are_inferred() {
    let mut body = walk();
    for l in ["l", "r"] {
        body.remove(&format!("{l}_toe"));
        let foot = body.find(&format!("{l}_foot"));
        body.joints[foot].end = Some(Vec3::new(0.0, -0.07, 0.2));
    }
    let inference = check("end sites", &body, &METRES_Y_UP);
    for leg in &inference.legs.as_ref().unwrap().value {
        assert_eq!(leg.ball.joint, leg.ankle);
        // A rigid foot that rises stays on the ground with its end.
        assert!((leg.ball.offset - Vec3::new(0.0, -0.07, 0.2)).length() < 0.001, "{leg:?}");
        assert!((leg.toe.offset - Vec3::new(0.0, -0.07, 0.2)).length() < 0.001, "{leg:?}");
    }
    check("end sites, nameless", &nameless(body.clone()), &METRES_Y_UP);
    for l in ["l", "r"] {
        let foot = body.find(&format!("{l}_foot"));
        body.joints[foot].end = Some(Vec3::ZERO);
    }
    let inference = check("no feet", &body, &METRES_Y_UP);
    assert!(inference.warnings.iter().any(|w| w.contains("no bones below its ankle")), "{inference:?}");
    check("no feet, nameless", &nameless(body), &METRES_Y_UP);
}

#[test]
fn constructed_points_are_on_the_floor_during_stance() {
    for body in [
        walk(),
        walk().with_frames(arbitrary_rotation),
        walk().scaled(100.0).rotated(y_to(UpAxis::from_name("-z").unwrap())),
    ] {
        let inference = inferred(&body);
        let legs = inference.legs.as_ref().unwrap().value.clone();
        for leg in &legs {
            for point in [leg.heel, leg.ball] {
                let heights = heights(&body, &inference, &point);
                let low = heights.iter().filter(|height| height.abs() < 0.01).count();
                assert!(low as f64 > 0.4 * heights.len() as f64, "{point:?}: {heights:?}");
                assert!(heights.iter().all(|&height| height > -0.03), "{point:?}: {heights:?}");
            }
        }
        let heel = |leg: &Leg| {
            body.excerpt().motion.poses[0].world(&body.excerpt().motion.skeleton).point(&leg.heel)
        };
        assert!(heel(&legs[0]).is_finite());
    }
}

#[test]
fn a_heel_joint_is_the_heel() {
    let mut body = walk();
    for l in ["l", "r"] {
        body.add(&format!("{l}_back"), &format!("{l}_foot"), Vec3::new(0.0, -0.06, -0.05), None);
    }
    let inference = check("heels", &body, &METRES_Y_UP);
    for (leg, l) in inference.legs.unwrap().value.iter().zip(["l", "r"]) {
        assert_eq!(leg.heel.joint.index(), body.find(&format!("{l}_back")));
        assert_eq!(leg.heel.offset, Vec3::ZERO);
        assert_eq!(leg.ball.joint.index(), body.find(&format!("{l}_toe")));
    }
    // In OpenSim the heel joint is between the ankle and the toes.
    let mut body = walk();
    for l in ["l", "r"] {
        body.add(&format!("{l}_calcn"), &format!("{l}_foot"), Vec3::new(0.0, -0.06, -0.05), None);
        body = body.reparented(&format!("{l}_toe"), Some(&format!("{l}_calcn"))).sorted();
    }
    let inference = check("calcaneus", &body, &METRES_Y_UP);
    for (leg, l) in inference.legs.unwrap().value.iter().zip(["l", "r"]) {
        assert_eq!(leg.heel.joint.index(), body.find(&format!("{l}_calcn")), "{leg:?}");
        assert_eq!(leg.ball.joint.index(), body.find(&format!("{l}_toe")));
    }
}

#[test]
fn the_ball_of_five_toes_is_in_their_middle() {
    let mut body = walk();
    for (side, l) in [(1.0, "l"), (-1.0, "r")] {
        body.remove(&format!("{l}_toe"));
        for toe in 0..5 {
            let across = 0.02 * (f64::from(toe) - 2.0) * side;
            let name = format!("{l}_toe{toe}");
            body.add(&name, &format!("{l}_foot"), Vec3::new(across, -0.06, 0.13), None);
            body.add(&format!("{name}b"), &name, Vec3::Z * 0.04, Some(Vec3::Z * 0.03));
        }
    }
    for body in [body.clone(), nameless(body)] {
        let inference = check("five toes", &body, &METRES_Y_UP);
        for leg in inference.legs.unwrap().value {
            assert_eq!(leg.ball.joint, leg.ankle);
            assert!((leg.ball.offset - Vec3::new(0.0, -0.06, 0.13)).length() < 0.005, "{leg:?}");
        }
    }
}

#[test]
fn a_mirrored_file_gives_a_warning() {
    let inference = check("mirrored", &in_dialect(walk().mirrored(), DIALECTS[0]), &METRES_Y_UP);
    assert!(inference.warnings.iter().any(|warning| warning.contains("mirrored")), "{inference:?}");
}

#[test]
fn an_inserted_t_pose_is_detected_and_left_out() {
    for body in [walk(), nameless(walk()), walk().scaled(100.0)] {
        assert!(!inferred(&body).inserted_t_pose.value);
        for frames in [90, 10, 3] {
            let body = body.clone().cropped(frames).with_t_pose();
            assert!(inferred(&body).inserted_t_pose.value, "{frames} frames");
        }
    }
    // A T-pose with arbitrary joint axes, as in files whose rest pose is not a pose of the body.
    let body = walk().with_t_pose().with_frames(arbitrary_rotation);
    assert!(inferred(&body).inserted_t_pose.value);
    // The same frames from the middle of a file.
    let mut excerpt = walk().with_t_pose().excerpt();
    excerpt.frames.iter_mut().for_each(|frame| *frame += 100);
    assert!(!infer(&excerpt, &Overrides::default()).inserted_t_pose.value);
}

#[test]
fn a_few_frames_are_enough() {
    for frames in [1, 2, 3, 10] {
        check("few frames", &walk().cropped(frames), &METRES_Y_UP);
        check("few frames, nameless", &nameless(walk().cropped(frames)), &METRES_Y_UP);
    }
    let inference = check("no frames", &walk().cropped(0), &METRES_Y_UP);
    assert!(inference.floor.is_none());
    assert!(inference.warnings.iter().any(|warning| warning.contains("no floor")));
}

#[test]
fn a_crawling_person_has_two_legs() {
    for body in [crawl(), nameless(crawl()), crawl().with_frames(arbitrary_rotation)] {
        let inference = inferred(&body);
        let legs: Vec<String> = inference.legs.unwrap().value.iter().map(|leg| tags(&body, leg)).collect();
        assert_eq!(legs, ["l_thigh l_shin l_foot", "r_thigh r_shin r_foot"]);
    }
}

#[test]
fn an_animal_has_as_many_legs_as_it_stands_on() {
    let names = |body: &Body| -> Vec<String> {
        let legs = inferred(body).legs.unwrap().value;
        legs.iter().map(|leg| format!("{}: {}", leg.side, tags(body, leg))).collect()
    };
    let leg = |position: &str, side: &str, pair: usize| {
        let l = &side[..1];
        format!("{position} {side}: {l}{pair}_thigh {l}{pair}_shin {l}{pair}_foot")
    };
    let four =
        [leg("front", "left", 1), leg("front", "right", 1), leg("hind", "left", 0), leg("hind", "right", 0)];
    assert_eq!(names(&animal(2)), four);
    assert_eq!(names(&nameless(animal(2)).backward()), four);
    assert_eq!(names(&nameless(animal(2).with_frames(arbitrary_rotation))), four);
    let six = names(&nameless(animal(3)));
    assert_eq!(six.len(), 6, "{six:?}");
    assert_eq!(six[2], leg("middle", "left", 1));
}

#[test]
fn a_body_without_legs_lists_the_candidates() {
    let mut bust = walk();
    bust.remove("l_thigh");
    bust.remove("r_thigh");
    for body in [bust.clone(), nameless(bust)] {
        let inference = inferred(&body);
        let no_legs = inference.legs.unwrap_err();
        assert!(no_legs.candidates[0].contains(':'), "{no_legs:?}");
        assert!(inference.unit_m.confidence <= 0.5 && inference.up.confidence <= 0.5);
        assert!(inference.floor.is_none());
    }
    let chain: Vec<Joint> = (0..10u32)
        .map(|at| Joint {
            name: format!("link{at}"),
            parent: at.checked_sub(1).map(JointId),
            offset: Vec3::Y,
            end: None,
        })
        .collect();
    let inference = infer(&still(chain, 5), &Overrides::default());
    assert_eq!(inference.legs.unwrap_err().candidates.len(), 1);
}

/// A motion of joints that do not move.
fn still(joints: Vec<Joint>, frames: usize) -> Excerpt {
    let skeleton = Skeleton::new(joints).unwrap();
    let poses = vec![Pose::rest(&skeleton); frames];
    Excerpt { motion: Motion { skeleton, fps: 30.0, poses }, frames: (0..frames).collect() }
}

#[test]
fn given_values_are_used() {
    let body = walk().scaled(100.0);
    let given = Overrides { unit_m: Some(0.02), up: UpAxis::from_name("-x"), ..Overrides::default() };
    let inference = infer(&body.excerpt(), &given);
    assert_eq!((inference.unit_m.value, inference.unit_m.confidence), (0.02, 1.0));
    assert_eq!(inference.up.value.as_str(), "-x");
    assert_eq!(inference.up.reason, "given");

    let joint = |tag: &str| JointId(body.find(tag) as u32);
    let heel = JointPoint { joint: joint("r_foot"), offset: Vec3::new(1.0, 2.0, 3.0) };
    let leg = LegOverride {
        side: "best".into(),
        hip: joint("r_thigh"),
        knee: joint("r_shin"),
        ankle: joint("r_foot"),
        heel: Some(heel),
        ball: None,
        toe: None,
    };
    let given = Overrides { legs: Some(vec![leg.clone()]), ..Overrides::default() };
    let inference = infer(&body.excerpt(), &given);
    assert_eq!(inference.up.value.as_str(), "y");
    assert_eq!(inference.unit_name, "cm");
    let legs = inference.legs.unwrap();
    assert_eq!((legs.confidence, legs.value.len()), (1.0, 1));
    assert_eq!((legs.value[0].side.as_str(), legs.value[0].heel), ("best", heel));
    assert_eq!(legs.value[0].ball.joint, joint("r_toe"));

    let missing = LegOverride { ankle: JointId(99), ..leg };
    let given = Overrides { legs: Some(vec![missing]), ..Overrides::default() };
    assert!(infer(&body.excerpt(), &given).legs.is_err());
}

/// Asserts that all results are finite.
fn assert_finite(inference: &Inference) {
    assert!(inference.unit_m.value.is_finite() && inference.unit_m.value > 0.0, "{inference:?}");
    let mut confidences = vec![inference.unit_m.confidence, inference.up.confidence];
    if let Ok(legs) = &inference.legs {
        confidences.push(legs.confidence);
        for leg in &legs.value {
            for point in [leg.heel, leg.ball, leg.toe] {
                assert!(point.offset.is_finite(), "{leg:?}");
            }
        }
    }
    if let Some(floor) = &inference.floor {
        confidences.push(floor.confidence);
        assert!(floor.value.offset.is_finite());
        assert!((floor.value.normal.length() - 1.0).abs() < 1e-9);
    }
    for confidence in confidences {
        assert!((0.0..=1.0).contains(&confidence), "{inference:?}");
    }
}

#[test]
fn every_degenerate_motion_gives_finite_results() {
    let given = Overrides::default();
    let joint = |parent: Option<u32>, offset: Vec3| Joint {
        name: "j".into(),
        parent: parent.map(JointId),
        offset,
        end: None,
    };
    let mut excerpts = vec![
        still(vec![], 0),
        still(vec![], 3),
        still(vec![joint(None, Vec3::ZERO)], 0),
        still(vec![joint(None, Vec3::ZERO)], 1),
        still(vec![joint(None, Vec3::ZERO), joint(None, Vec3::X), joint(Some(0), Vec3::ZERO)], 2),
        still((0..10_000).map(|at: u32| joint(at.checked_sub(1), Vec3::Y)).collect(), 3),
        still((0..10_000).map(|at: u32| joint((at > 0).then_some(0), Vec3::Y)).collect(), 3),
        still((0..10_000).map(|at: u32| joint((at > 0).then(|| (at - 1) / 2), Vec3::Y)).collect(), 3),
        still((0..9).map(|at: u32| joint((at > 0).then(|| (at - 1) / 2), Vec3::ZERO)).collect(), 3),
        still((0..9).map(|at: u32| joint((at > 0).then(|| (at - 1) / 2), Vec3::MAX)).collect(), 3),
        still((0..40).map(|at: u32| joint((at > 0).then(|| (at - 1) / 2), Vec3::splat(1e-300))).collect(), 3),
    ];
    let mut bad = walk().excerpt();
    bad.motion.fps = f64::NAN;
    bad.frames.truncate(7);
    bad.motion.poses[3].offsets.clear();
    bad.motion.poses[4].rotations[2] = Quat::from_xyzw(f64::NAN, 0.0, 0.0, 0.0);
    bad.motion.poses[5].offsets[0] = Vec3::splat(1e300);
    excerpts.push(bad);
    for excerpt in excerpts {
        assert_finite(&infer(&excerpt, &given));
    }
}

#[test]
fn random_bodies_give_finite_results() {
    let mut seed = 1u64;
    let mut draw = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1u64 << 31) as f64
    };
    for _ in 0..300 {
        let count = 1 + (draw() * 40.0) as u32;
        let joints: Vec<Joint> = (0..count)
            .map(|at| Joint {
                name: ["LeftLeg", "x", "RightFoot", "L", "toe", "Hips"][(draw() * 6.0) as usize].into(),
                parent: (at > 0 && draw() > 0.05).then(|| JointId((draw() * f64::from(at)) as u32)),
                offset: if draw() < 0.2 { Vec3::ZERO } else { Vec3::new(draw(), draw(), draw()) - 0.5 },
                end: (draw() < 0.5).then(|| Vec3::new(draw(), draw(), draw())),
            })
            .collect();
        let mut excerpt = still(joints, (draw() * 12.0) as usize);
        for rotation in excerpt.motion.poses.iter_mut().flat_map(|pose| &mut pose.rotations) {
            *rotation = axis_rotation((draw() * 3.0) as usize, draw() * 6.0);
        }
        assert_finite(&infer(&excerpt, &Overrides::default()));
    }
}

#[test]
fn a_rest_pose_without_frames_is_inferred() {
    let mut body = person();
    body.poses.clear();
    check("rest", &body, &METRES_Y_UP);
}
