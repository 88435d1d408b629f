//! A body with two straight legs, for exact values.

use surefoot_core::math::axis_rotation;
use surefoot_core::{
    Clip, Floor, FootPoint, Footplants, Joint, JointId, JointPoint, Leg, Limb, Motion, Plant, Pose, Quat,
    Skeleton, Vec3,
};
use surefoot_measure::{Figures, measure};

/// Thigh and shin are 0.4 m, and the soles are 0.1 m below the ankles.
pub const HIP_HEIGHT: f64 = 0.9;

pub const LEFT_KNEE: usize = 2;
pub const LEFT_ANKLE: usize = 3;

/// Root; hip, knee and ankle of the left leg; hip, knee and ankle of the right one.
pub fn skeleton() -> Skeleton {
    let joint = |name: &str, parent: Option<u32>, offset| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset,
        end: None,
    };
    let (out, down) = (Vec3::new(0.1, 0.0, 0.0), Vec3::new(0.0, -0.4, 0.0));
    Skeleton::new(vec![
        joint("root", None, Vec3::ZERO),
        joint("left hip", Some(0), out),
        joint("left knee", Some(1), down),
        joint("left ankle", Some(2), down),
        joint("right hip", Some(0), -out),
        joint("right knee", Some(4), down),
        joint("right ankle", Some(5), down),
    ])
    .unwrap()
}

pub fn legs() -> Vec<Leg> {
    let leg = |side: &str, hip: u32| {
        let on = |z| JointPoint { joint: JointId(hip + 2), offset: Vec3::new(0.0, -0.1, z) };
        Leg {
            side: side.into(),
            limb: Limb::Leg,
            hip: JointId(hip),
            knee: JointId(hip + 1),
            ankle: JointId(hip + 2),
            heel: on(-0.05),
            ball: on(0.15),
            toe: on(0.2),
        }
    };
    vec![leg("left", 1), leg("right", 4)]
}

/// The body upright with its soles on the floor, moved by `offset`.
pub fn standing(offset: Vec3) -> Pose {
    let mut pose = Pose::rest(&skeleton());
    pose.offsets[0] = Vec3::new(0.0, HIP_HEIGHT, 0.0) + offset;
    pose
}

/// A motion with a pose computed for each frame.
pub fn motion(frames: usize, fps: f64, pose: impl FnMut(usize) -> Pose) -> Motion {
    Motion { skeleton: skeleton(), fps, poses: (0..frames).map(pose).collect() }
}

/// Bends the left knee by `angle` radians; straight is 0.
pub fn bend_knee(pose: &mut Pose, angle: f64) {
    pose.rotations[LEFT_KNEE] = axis_rotation(0, angle);
}

pub fn plant(leg: usize, point: FootPoint, frames: core::ops::Range<usize>) -> Plant {
    Plant::new(leg, point, frames)
}

pub fn plants(plants: Vec<Plant>) -> Footplants {
    Footplants { plants }
}

/// The figures of a motion with the left heel planted throughout.
pub fn left_heel_planted(after: &Motion, before: Option<&Motion>) -> Figures {
    let (legs, floor) = (legs(), Floor::level(0.0));
    let plants = plants(vec![plant(0, FootPoint::Heel, 0..after.frames())]);
    measure(&clip_of(after, &legs, &plants, &floor), before).unwrap()
}

/// A rigid transform of a motion.
pub fn turned(motion: &Motion, turn: Quat, by: Vec3) -> Motion {
    let mut motion = motion.clone();
    for pose in &mut motion.poses {
        pose.offsets[0] = turn * pose.offsets[0] + by;
        pose.rotations[0] = turn * pose.rotations[0];
    }
    motion
}

/// Asserts that a figure has this value, to rounding.
#[track_caller]
pub fn check(figure: Option<f64>, expected: f64) {
    let found = figure.expect("a figure");
    assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "found {found}, expected {expected}");
}

/// A clip from its parts.
pub fn clip_of(motion: &Motion, legs: &[Leg], plants: &Footplants, floor: &Floor) -> Clip {
    Clip {
        motion: motion.clone(),
        legs: legs.to_vec(),
        plants: plants.clone(),
        floor: Some(floor.clone()),
        ..Clip::default()
    }
}
