//! Rounding in the input stays rounding in the output.

use surefoot::core::{Clip, Quat, WorldPose};
use surefoot::{MotionFile, Settings, solve};

/// Rotates every joint by an angle that is rounding of double precision, in radians.
fn rounded(clip: &Clip) -> Clip {
    let mut clip = clip.clone();
    for (frame, pose) in clip.motion.poses.iter_mut().enumerate() {
        for (joint, rotation) in pose.rotations.iter_mut().enumerate() {
            let angle = if (7 * frame + joint).is_multiple_of(3) { 1e-12 } else { -1e-12 };
            *rotation = (*rotation * Quat::from_xyzw(angle, -angle, angle, 1.0)).normalize();
        }
    }
    clip
}

/// The largest distance between a joint of two clips, in metres.
fn distance(one: &Clip, other: &Clip) -> f64 {
    let (mut here, mut there) = (WorldPose::default(), WorldPose::default());
    let mut worst = 0.0f64;
    for (a, b) in one.motion.poses.iter().zip(&other.motion.poses) {
        a.forward_kinematics(&one.motion.skeleton, &mut here);
        b.forward_kinematics(&other.motion.skeleton, &mut there);
        let distances = here.positions.iter().zip(&there.positions).map(|(p, q)| p.distance(*q));
        worst = distances.fold(worst, f64::max);
    }
    worst
}

#[test]
fn rounding_of_a_straight_knee_moves_no_joint() {
    // The dancer's free leg is captured exactly straight for seconds.
    for name in ["bvh/cmu/05_02.bvh", "bvh/cmu/07_01.bvh"] {
        let Some(path) = surefoot_testdata::path(name) else { return };
        let mut file = MotionFile::load(path).unwrap();
        file.detect_plants().unwrap();
        let clean = |clip: &Clip| solve::clean(clip, &Settings::default()).unwrap().clip;
        let distance = distance(&clean(&file.clip), &clean(&rounded(&file.clip)));
        assert!(distance < 1e-6, "{name}: {distance} m");
    }
}
