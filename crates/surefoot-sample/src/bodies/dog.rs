//! A dog of 0.6 m at the shoulder, in the pose of a table: trunk level, every leg straight down.
//!
//! Its front legs go shoulder, elbow, wrist where ours go hip, knee, ankle. It stands on its toes:
//! hock and wrist are high over it.

use super::{Bends, FootShape, Joints, LegShape};
use surefoot_core::{JointId, Skeleton, Vec3};

/// A dog: the skeleton and where its parts are in it.
#[derive(Clone, Debug)]
pub(crate) struct Dog {
    pub skeleton: Skeleton,
    pub neck: JointId,
    pub head: JointId,
    pub tail: [JointId; 2],
    /// Front left, front right, hind left, hind right.
    pub legs: [LegShape; 4],
}

/// From the hind girdle to the front one, in metres.
pub(crate) const TRUNK: f64 = 0.56;

/// One pair of legs in numbers, metres.
struct Measures {
    half_width: f64,
    thigh: f64,
    shin: f64,
    ankle_height: f64,
    /// How far the ball is in front of the ankle.
    ball: f64,
    bends: Bends,
    names: [&'static str; 4],
}

const FRONT: Measures = Measures {
    half_width: 0.075,
    thigh: 0.21,
    shin: 0.23,
    ankle_height: 0.07,
    ball: 0.04,
    bends: Bends::Backward,
    names: ["Arm", "ForeArm", "Hand", "FingerBase"],
};

const HIND: Measures = Measures {
    half_width: 0.065,
    thigh: 0.23,
    shin: 0.24,
    ankle_height: 0.13,
    ball: 0.06,
    bends: Bends::Forward,
    names: ["UpLeg", "Leg", "Foot", "ToeBase"],
};

impl Dog {
    /// The dog.
    pub fn new() -> Self {
        let mut joints = Joints::default();
        let hips = joints.add("Hips".into(), None, Vec3::new(0.0, 0.55, 0.0));
        let mut on = |name: &str, from, y, z| joints.add(name.into(), Some(from), Vec3::new(0.0, y, z));
        let low = on("Spine", hips, 0.0, 0.18);
        let middle = on("Spine1", low, 0.0, 0.19);
        let chest = on("Spine2", middle, 0.0, TRUNK - 0.37);
        let neck = on("Neck", chest, 0.07, 0.07);
        let head = on("Head", neck, 0.12, 0.15);
        let tail = on("Tail", hips, 0.05, -0.08);
        let tip = on("Tail1", tail, -0.08, -0.12);
        joints.end(head, Vec3::new(0.0, -0.03, 0.17));
        joints.end(tip, Vec3::new(0.0, -0.10, -0.10));
        let mut leg = |girdle, side, measures| leg(&mut joints, girdle, side, measures);
        let legs = [
            leg(chest, LEFT, &FRONT),
            leg(chest, RIGHT, &FRONT),
            leg(hips, LEFT, &HIND),
            leg(hips, RIGHT, &HIND),
        ];
        Self { skeleton: joints.skeleton(), neck, head, tail: [tail, tip], legs }
    }
}

const LEFT: (&str, f64) = ("Left", 1.0);
const RIGHT: (&str, f64) = ("Right", -1.0);

fn leg(joints: &mut Joints, girdle: JointId, (name, side): (&str, f64), measures: &Measures) -> LegShape {
    let foot = FootShape::new(measures.ankle_height, measures.ball, 0.04);
    let hip_in_girdle = Vec3::new(side * measures.half_width, -0.05, 0.0);
    let mut parent = girdle;
    let offsets =
        [hip_in_girdle, Vec3::new(0.0, -measures.thigh, 0.0), Vec3::new(0.0, -measures.shin, 0.0), foot.ball];
    let mut next = 0;
    let [hip, knee, ankle, toes] = measures.names.map(|part| {
        parent = joints.add(format!("{name}{part}"), Some(parent), offsets[next]);
        next += 1;
        parent
    });
    joints.end(toes, foot.toe_from_ball);
    LegShape {
        hip,
        knee,
        ankle,
        toes: Some(toes),
        hip_in_girdle,
        thigh: measures.thigh,
        shin: measures.shin,
        foot,
        bends: measures.bends,
        side,
    }
}
