//! Foot points on the mesh of shoes: where the shoes touch the floor, whatever the mesh's own axes and unit are.

use crate::bodies::{Body, walk};
use surefoot_core::math::{Mat3, Quat, Vec3, axis_rotation};
use surefoot_core::{JointId, JointPoint, Pose, Skeleton};
use surefoot_infer::{
    BindTransform, Inference, LegOverride, Overrides, SkinMesh, SkinVertex, infer, infer_with_skins,
};

/// Rear and front of a shoe along the foot, from the ankle, and its sole below the ankle, in metres.
const REAR: f64 = -0.07;
const FRONT: f64 = 0.22;
const SOLE: f64 = -0.095;

/// Shoes of both feet, as boxes, in a mesh that is turned and scaled against the body.
fn shoes(body: &Body, turn: Quat, scale: f64) -> SkinMesh {
    let skeleton = Skeleton::new(body.joints.clone()).unwrap();
    let rest = Pose::rest(&skeleton).world(&skeleton);
    let to_mesh = |position: Vec3| turn * (position * scale);
    let bind = |joint: usize| BindTransform {
        linear: Mat3::from_quat(turn.inverse()) * (1.0 / scale),
        translation: -rest.positions[joint],
    };
    let mut vertices = Vec::new();
    for side in ["l", "r"] {
        let [foot, toe] = [body.find(&format!("{side}_foot")), body.find(&format!("{side}_toe"))];
        let toe_ahead = body.joints[toe].offset.z;
        for n in 0..=29 {
            let ahead = REAR + (FRONT - REAR) * f64::from(n) / 29.0;
            for across in [-0.04, 0.0, 0.04] {
                for height in [SOLE, SOLE + 0.03, SOLE + 0.08] {
                    let position = rest.positions[foot] + Vec3::new(across, height, ahead);
                    let joint = JointId(if ahead > toe_ahead { toe } else { foot } as u32);
                    vertices.push(SkinVertex { position: to_mesh(position), joint });
                }
            }
        }
    }
    SkinMesh { binds: (0..body.joints.len()).map(|joint| Some(bind(joint))).collect(), vertices }
}

fn at_rest(body: &Body, point: &JointPoint, ankle: &str) -> Vec3 {
    let skeleton = Skeleton::new(body.joints.clone()).unwrap();
    let rest = Pose::rest(&skeleton).world(&skeleton);
    rest.point(point) - rest.positions[body.find(ankle)]
}

fn check(body: &Body, inference: &Inference) {
    let legs = &inference.legs.as_ref().unwrap().value;
    for (leg, side) in legs.iter().zip(["l", "r"]) {
        let (ankle, toe) = (format!("{side}_foot"), body.find(&format!("{side}_toe")));
        let [heel, ball, tip] = [leg.heel, leg.ball, leg.toe].map(|point| at_rest(body, &point, &ankle));
        assert!(heel.distance(Vec3::new(0.0, SOLE, REAR)) < 0.008, "{side}: heel {heel}");
        let below_toe_joint = Vec3::new(0.0, SOLE, body.joints[toe].offset.z);
        assert!(ball.distance(below_toe_joint) < 0.012, "{side}: ball {ball}");
        assert!(tip.distance(Vec3::new(0.0, SOLE, FRONT)) < 0.02, "{side}: toe {tip}");
        // Toes bend without moving the ball.
        assert_eq!((leg.ball.joint, leg.toe.joint.index()), (leg.ankle, toe), "{side}");
    }
}

#[test]
fn foot_points_are_on_the_sole_of_the_mesh() {
    let body = walk();
    let z_up = axis_rotation(0, core::f64::consts::FRAC_PI_2);
    for (turn, scale) in [(Quat::IDENTITY, 1.0), (z_up, 100.0), (axis_rotation(1, 0.3), 0.01)] {
        let skin = shoes(&body, turn, scale);
        let inference = infer_with_skins(&body.excerpt(), &Overrides::default(), &[skin]);
        assert_eq!(inference.sole_vertices, 2 * 30 * 9);
        check(&body, &inference);
        // The ankles are 0.08 m above the ground while the feet stand.
        let floor = inference.floor.as_ref().unwrap().value;
        assert!((floor.offset - (0.08 + SOLE)).abs() < 0.002, "{}", floor.offset);
    }
}

#[test]
fn joints_give_the_points_where_the_mesh_has_no_soles() {
    let body = walk();
    let by_joints = infer(&body.excerpt(), &Overrides::default());
    let mut one_shoe = shoes(&body, Quat::IDENTITY, 1.0);
    let left = JointId(body.find("l_foot") as u32);
    one_shoe.vertices.retain(|vertex| vertex.joint >= left && vertex.position.x > 0.0);
    let mut flat = shoes(&body, Quat::IDENTITY, 1.0);
    flat.vertices.iter_mut().for_each(|vertex| vertex.position = Vec3::ZERO);
    let mut singular = shoes(&body, Quat::IDENTITY, 1.0);
    singular.binds.iter_mut().flatten().for_each(|bind| bind.linear = Mat3::ZERO);
    for skin in [one_shoe, flat, singular, SkinMesh::default()] {
        let inference = infer_with_skins(&body.excerpt(), &Overrides::default(), &[skin]);
        assert_eq!(inference.sole_vertices, 0);
        assert_eq!(inference.legs.unwrap().value, by_joints.legs.as_ref().unwrap().value);
    }
}

#[test]
fn given_points_are_kept() {
    let body = walk();
    let leg = |side: &str, name: &str| {
        let joint = |part: &str| JointId(body.find(&format!("{side}_{part}")) as u32);
        let heel = Some(JointPoint { joint: joint("foot"), offset: Vec3::new(0.0, -0.09, -0.05) });
        let (hip, knee, ankle) = (joint("thigh"), joint("shin"), joint("foot"));
        LegOverride { side: name.into(), hip, knee, ankle, heel, ball: None, toe: None }
    };
    let legs = vec![leg("l", "left"), leg("r", "right")];
    let given = Overrides { legs: Some(legs.clone()), ..Overrides::default() };
    let skin = shoes(&body, Quat::IDENTITY, 1.0);
    let inference = infer_with_skins(&body.excerpt(), &given, &[skin]);
    let found = inference.legs.unwrap().value;
    assert!(found.iter().zip(&legs).all(|(leg, given)| Some(leg.heel) == given.heel));
}
