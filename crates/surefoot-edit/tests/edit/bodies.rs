//! Generated motions.

use surefoot_core::math::{axis_rotation, sin};
use surefoot_core::{Clip, Joint, JointId, JointPoint, Motion, Pose, Skeleton, Vec3};
use surefoot_sample::{Recipe, make};

/// A generated motion with its plants.
pub fn sample(recipe: &Recipe) -> Clip {
    make(recipe).unwrap().into_clip()
}

/// The first frames of a generated walk.
pub fn body(frames: usize) -> Motion {
    let recipe = Recipe { seconds: frames as f64 / 30.0 + 4.0, fps: 30.0, ..Recipe::default() };
    let mut motion = make(&recipe).unwrap().motion;
    motion.poses.truncate(frames);
    assert_eq!(motion.frames(), frames);
    motion
}

/// An arm of bones of 0.3 m along X, with its shoulder at a height of 1 m and a small motion.
pub fn arm(joints: usize, frames: usize) -> Motion {
    let joint = |n: usize| Joint {
        name: format!("j{n}"),
        parent: n.checked_sub(1).map(|n| JointId(n as u32)),
        offset: match n {
            0 => Vec3::Y,
            1 => Vec3::ZERO,
            _ => Vec3::X * 0.3,
        },
        end: None,
    };
    let skeleton = Skeleton::new((0..=joints).map(joint).collect()).unwrap();
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&skeleton);
        for (n, rotation) in pose.rotations.iter_mut().enumerate() {
            let t = frame as f64 * 0.1;
            *rotation = axis_rotation(2, 0.3 * sin(t + n as f64))
                * axis_rotation(1, 0.2 * sin(0.7 * t) + 0.1 * n as f64);
        }
        pose
    };
    let poses = (0..frames).map(pose).collect();
    Motion { skeleton, fps: 30.0, poses }
}

/// A chain of random bones with smooth random rotations.
pub fn chain(joints: usize, seed: u32, frames: usize) -> Motion {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1u32 << 24) * 2.0 - 1.0
    };
    let mut vector = |size: f64| Vec3::new(random(), random(), random()) * size;
    let joint = |n: usize, offset: Vec3| Joint {
        name: format!("j{n}"),
        parent: n.checked_sub(1).map(|n| JointId(n as u32)),
        offset,
        end: None,
    };
    let joints: Vec<Joint> = (0..=joints).map(|n| joint(n, vector(0.2) + Vec3::Y * 0.15)).collect();
    let skeleton = Skeleton::new(joints).unwrap();
    let waves: Vec<(Vec3, Vec3)> = skeleton.ids().map(|_| (vector(1.0), vector(0.3))).collect();
    let pose = |frame: usize| {
        let mut pose = Pose::rest(&skeleton);
        for (rotation, (phase, size)) in pose.rotations.iter_mut().zip(&waves) {
            for axis in 0..3 {
                *rotation *=
                    axis_rotation(axis, phase[axis] + size[axis] * sin(frame as f64 * 0.15 + phase[axis]));
            }
        }
        pose
    };
    let poses = (0..frames).map(pose).collect();
    Motion { skeleton, fps: 30.0, poses }
}

/// The origin of a joint, by name.
pub fn hand(motion: &Motion, name: &str) -> JointPoint {
    let joint = motion.skeleton.find(name).unwrap_or_else(|| {
        let names: Vec<&str> = motion.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect();
        panic!("no {name} in {names:?}")
    });
    JointPoint { joint, offset: Vec3::ZERO }
}

/// World position of a point at a frame.
pub fn reached(motion: &Motion, frame: usize, point: JointPoint) -> Vec3 {
    motion.poses[frame].world(&motion.skeleton).point(&point)
}

/// Frames at which two motions differ in any bit.
pub fn frames_that_differ(one: &Motion, two: &Motion) -> Vec<usize> {
    (0..one.frames()).filter(|&frame| one.poses[frame] != two.poses[frame]).collect()
}
