//! Time of a distance map of two motions of 2,000 frames and 30 joints, on one core.
//!
//! The motions are generated walks, with joints added up to 30.

use std::time::Instant;

use surefoot_core::{Joint, JointId, Motion, Pose, Quat, Skeleton, Vec3};
use surefoot_edit::distance::{Settings, map};
use surefoot_sample::{Recipe, make};

fn with_joints(motion: &Motion, count: usize) -> Motion {
    let mut joints = motion.skeleton.joints().to_vec();
    joints.truncate(count);
    while joints.len() < count {
        let parent = Some(JointId(joints.len() as u32 - 1));
        joints.push(Joint {
            name: format!("More{}", joints.len()),
            parent,
            offset: Vec3::Y * 0.02,
            end: None,
        });
    }
    let skeleton = Skeleton::new(joints).expect("parents come first");
    let pose = |pose: &Pose| {
        let mut pose = pose.clone();
        pose.offsets.resize(count, Vec3::Y * 0.02);
        pose.rotations.resize(count, Quat::IDENTITY);
        pose
    };
    Motion { skeleton, poses: motion.poses.iter().map(pose).collect(), fps: motion.fps }
}

fn main() {
    let walk = |seed| {
        let recipe = Recipe { fps: 120.0, seconds: 17.0, seed, ..Recipe::default() };
        let mut motion = with_joints(&make(&recipe).expect("the recipe is valid").motion, 30);
        motion.poses.truncate(2000);
        motion
    };
    let (a, b) = (walk(1), walk(2));
    println!("frames         joints  window, s   time, s   ns a cell");
    for window in [0.0, 1.0 / 3.0, 1.0] {
        let settings = Settings { window, ..Settings::default() };
        let best = (0..5)
            .map(|_| {
                let start = Instant::now();
                let map = map(&a, &b, &settings).expect("both motions have one skeleton");
                assert_eq!((map.rows, map.columns, map.stride), (2000, 2000, 1));
                std::hint::black_box(&map);
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min);
        println!(
            "{} × {}    {:>4}    {window:>6.3}   {best:>8.3}   {:>8.1}",
            a.frames(),
            b.frames(),
            a.skeleton.len(),
            best * 1e9 / (a.frames() * b.frames()) as f64
        );
    }
}
