//! The rigs: what each kind of skeleton in use does differently.

use super::rig::{Rig, RootJoint};
use crate::bodies::human::Human;
use crate::random::Random;
use crate::recipe::Body;
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation};

const SIDES: [(&str, f64); 2] = [("Left", 1.0), ("Right", -1.0)];

/// The rig of a body; `None` for bodies that are posed directly.
pub(super) fn rig(body: Body, human: &Human, seed: u64) -> Option<Rig> {
    let mut rig = Rig::of(&human.skeleton);
    match body {
        Body::Human | Body::NoToe | Body::FourLegs => return None,
        Body::GroundRoot => ground_root(&mut rig, seed),
        Body::RootPelvis => root_pelvis(&mut rig),
        Body::NoSpine => ["Spine", "Spine1", "Spine2"].iter().for_each(|joint| rig.remove(joint)),
        Body::OneSpine => one_spine(&mut rig),
        Body::SixSpines => six_spines(&mut rig),
        Body::Twist => twist(&mut rig),
        // The rest pose lies on its back: in a file with Z up it stands along Y.
        Body::ZUp => rig.turn_below("Hips", axis_rotation(0, degrees(90.0))),
        Body::Mirrored => mirrored(&mut rig),
        Body::APose => lower_arms(&mut rig, degrees(45.0)),
        Body::IPose => lower_arms(&mut rig, degrees(85.0)),
        Body::Bent => bent(&mut rig),
        Body::Child => rig.scale = 0.6,
    }
    Some(rig)
}

const fn degrees(degrees: f64) -> f64 {
    degrees * PI / 180.0
}

/// A root at the origin that never moves, bones along X, and mirrored axes on the right, as exported from Maya.
fn ground_root(rig: &mut Rig, seed: u64) {
    let mut random = Random::new(seed, 7);
    let far = Vec3::new(random.between(-0.5, 0.5), 0.94, random.between(-5.0, 5.0));
    rig.root = RootJoint::Still { hips_offset: far };
    let (up, down) = (axis_rotation(2, degrees(90.0)), axis_rotation(2, degrees(-90.0)));
    rig.turn_below("Hips", up);
    for (side, sign) in SIDES {
        let name = |joint: &str| format!("{side}{joint}");
        let is_left = sign > 0.0;
        let over = axis_rotation(0, degrees(if is_left { 0.0 } else { 180.0 }));
        rig.turn_below(&name("Shoulder"), over);
        rig.turn_below(&name("UpLeg"), if is_left { down } else { up * over });
        // The foot points down and forward; its axis does too.
        let forward = axis_rotation(1, degrees(-90.0)) * axis_rotation(2, degrees(-31.0));
        rig.turn_below(&name("Foot"), if is_left { forward } else { forward * axis_rotation(1, PI) });
    }
}

/// A root on the ground below a pelvis, with the names of Unreal's mannequin and its twist joints.
fn root_pelvis(rig: &mut Rig) {
    rig.root = RootJoint::BelowHips;
    for side in ["Left", "Right"] {
        let name = |joint: &str| format!("{side}{joint}");
        rig.add_leaf(&name("Arm"), &name("ForeArm"), &name("ArmTwist"));
        rig.add_leaf(&name("UpLeg"), &name("Leg"), &name("UpLegTwist"));
    }
    const NAMES: [(&str, &str); 17] = [
        ("Hips", "pelvis"),
        ("Spine", "spine_01"),
        ("Spine1", "spine_02"),
        ("Spine2", "spine_03"),
        ("Neck", "neck_01"),
        ("Head", "head"),
        ("Shoulder", "clavicle"),
        ("Arm", "upperarm"),
        ("ForeArm", "lowerarm"),
        ("Hand", "hand"),
        ("HandIndex", "index_01"),
        ("UpLeg", "thigh"),
        ("Leg", "calf"),
        ("Foot", "foot"),
        ("ToeBase", "ball"),
        ("ArmTwist", "upperarm_twist_01"),
        ("UpLegTwist", "thigh_twist_01"),
    ];
    rename(rig, &NAMES, |name, side| format!("{name}_{}", if side == "Left" { "l" } else { "r" }));
}

/// One joint for the trunk, behind a pelvis that is in front of the hips, as in OpenSim models.
fn one_spine(rig: &mut Rig) {
    for joint in ["Spine", "Spine1", "Neck", "Head", "LeftShoulder", "RightShoulder"] {
        rig.remove(joint);
    }
    for hand in ["LeftHandIndex", "RightHandIndex"] {
        rig.remove(hand);
    }
    let pelvis = rig.find("Hips");
    rig.hips_shift = Vec3::new(0.0, 0.01, 0.07);
    rig.joints[pelvis].at += rig.hips_shift;
    let (at, torso) = (rig.joints[pelvis].at, rig.find("Spine2"));
    rig.joints[torso].at = at + Vec3::new(0.0, 0.08, -0.1);
    rig.joints[torso].end = Some(Vec3::new(0.0, 0.62, 0.05));
    for (side, _) in SIDES {
        rig.insert_above(&format!("{side}ToeBase"), &format!("{side}Heel"), 0.0, 0.0);
        let heel = rig.find(&format!("{side}Heel"));
        rig.joints[heel].at += Vec3::new(0.0, -0.042, -0.049);
    }
    const NAMES: [(&str, &str); 10] = [
        ("Hips", "pelvis"),
        ("Spine2", "torso"),
        ("Arm", "humerus"),
        ("ForeArm", "ulna"),
        ("Hand", "hand"),
        ("UpLeg", "femur"),
        ("Leg", "tibia"),
        ("Foot", "talus"),
        ("Heel", "calcn"),
        ("ToeBase", "toes"),
    ];
    rename(rig, &NAMES, |name, side| format!("{name}_{}", if side == "Left" { "l" } else { "r" }));
}

/// Six joints from the pelvis to the chest.
fn six_spines(rig: &mut Rig) {
    for (joint, new) in [("Spine", "SpineA"), ("Spine1", "SpineB"), ("Spine2", "SpineC")] {
        rig.insert_above(joint, new, 0.5, 0.5);
    }
    for (n, joint) in ["SpineA", "Spine", "SpineB", "Spine1", "SpineC", "Spine2"].into_iter().enumerate() {
        let joint = rig.find(joint);
        rig.joints[joint].name = format!("Vertebra{}", n + 1);
    }
}

/// Twist joints within the arms, and as leaves of the thighs.
fn twist(rig: &mut Rig) {
    for side in ["Left", "Right"] {
        let name = |joint: &str| format!("{side}{joint}");
        rig.insert_above(&name("ForeArm"), &name("ArmTwist"), 0.5, 0.0);
        rig.insert_above(&name("Hand"), &name("ForeArmTwist"), 0.5, 0.0);
        rig.add_leaf(&name("UpLeg"), &name("Leg"), &name("UpLegTwist"));
        rig.add_leaf(&name("Leg"), &name("Foot"), &name("LegTwist"));
    }
}

/// The axes of the right limbs are those of the left ones, mirrored: at rest the right limbs point the other way.
fn mirrored(rig: &mut Rig) {
    rig.turn_below("RightArm", axis_rotation(2, PI));
    rig.turn_below("RightUpLeg", axis_rotation(0, PI));
}

/// Arms below the horizontal at rest.
fn lower_arms(rig: &mut Rig, angle: f64) {
    for (side, sign) in SIDES {
        rig.turn_below(&format!("{side}Arm"), axis_rotation(2, sign * angle));
    }
}

/// A rest pose that sits: hips and knees bent, the back rounded, the arms forward.
fn bent(rig: &mut Rig) {
    let rounded = |angle: f64| axis_rotation(0, degrees(-angle));
    for (joint, angle) in [("Spine", 12.0), ("Spine1", 24.0), ("Spine2", 36.0), ("Head", 15.0)] {
        rig.turn_below(joint, rounded(angle));
    }
    for (side, sign) in SIDES {
        let arm: Quat = axis_rotation(1, sign * degrees(50.0)) * axis_rotation(2, sign * degrees(35.0));
        rig.turn_below(&format!("{side}Arm"), arm);
        rig.turn_below(&format!("{side}UpLeg"), axis_rotation(0, degrees(75.0)));
        rig.turn_below(&format!("{side}Leg"), axis_rotation(0, degrees(-10.0)));
        rig.turn_below(&format!("{side}Foot"), Quat::IDENTITY);
    }
}

/// Gives joints other names; `of_side` adds the side to the name of a limb.
fn rename(rig: &mut Rig, names: &[(&str, &str)], of_side: impl Fn(&str, &str) -> String) {
    for joint in &mut rig.joints {
        let side = ["Left", "Right"].into_iter().find(|side| joint.name.starts_with(side));
        let part = &joint.name[side.map_or(0, str::len)..];
        let Some((_, new)) = names.iter().find(|(old, _)| *old == part) else { continue };
        joint.name = side.map_or_else(|| (*new).into(), |side| of_side(new, side));
    }
}
