//! Resampling against the same motion, generated at the other rate.

use crate::bodies::sample;
use surefoot_core::{Clip, WorldPose};
use surefoot_edit::resample::{ResampleError, resample};
use surefoot_sample::{Body, Kind, Recipe};

fn clip(kind: Kind, body: Body, fps: f64) -> Clip {
    sample(&Recipe { kind, body, fps, seconds: 6.0, ..Recipe::default() })
}

/// Largest distance of a joint between two clips, in metres.
fn farthest(one: &Clip, other: &Clip) -> f64 {
    let (mut a, mut b) = (WorldPose::default(), WorldPose::default());
    let mut farthest = 0.0_f64;
    for (x, y) in one.motion.poses.iter().zip(&other.motion.poses) {
        x.forward_kinematics(&one.motion.skeleton, &mut a);
        y.forward_kinematics(&other.motion.skeleton, &mut b);
        farthest = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(farthest, f64::max);
    }
    farthest
}

#[test]
fn a_resampled_motion_is_the_motion_generated_at_that_rate() {
    for body in [Body::Human, Body::GroundRoot, Body::RootPelvis, Body::FourLegs] {
        for (from, to, most) in
            [(120.0, 30.0, 1e-9), (60.0, 120.0, 0.002), (120.0, 50.0, 0.001), (30.0, 60.0, 0.012)]
        {
            let (own, truth) = (clip(Kind::Walk, body, from), clip(Kind::Walk, body, to));
            let resampled = resample(&own, to).unwrap();
            assert_eq!(resampled.motion.frames(), truth.motion.frames(), "{body:?} {from} {to}");
            assert_eq!(resampled.motion.fps, to);
            let distance = farthest(&resampled, &truth);
            assert!(distance < most, "{body:?} {from} → {to}: {distance}");
        }
    }
}

#[test]
fn plants_keep_their_times() {
    let own = clip(Kind::Walk, Body::Human, 120.0);
    let resampled = resample(&own, 30.0).unwrap();
    assert_eq!(resampled.plants.plants.len(), own.plants.plants.len());
    for (a, b) in own.plants.plants.iter().zip(&resampled.plants.plants) {
        assert_eq!((a.leg, a.point, a.spot), (b.leg, b.point, b.spot));
        let times = |frames: &surefoot_core::FrameRange, fps: f64| {
            [frames.start as f64 / fps, (frames.end - 1) as f64 / fps]
        };
        let ([start, end], [later, earlier]) = (times(&a.frames, 120.0), times(&b.frames, 30.0));
        assert!(start <= later + 1e-9 && later < start + 1.0 / 30.0);
        assert!(earlier <= end + 1e-9 && end < earlier + 1.0 / 30.0);
    }
}

#[test]
fn the_same_rate_changes_nothing_and_a_t_pose_stays_first() {
    let mut own = clip(Kind::Turn, Body::Human, 60.0);
    assert_eq!(resample(&own, 60.0).unwrap().motion, own.motion);
    own.first_frame = 1;
    let resampled = resample(&own, 24.0).unwrap();
    assert_eq!(resampled.motion.poses[0], own.motion.poses[0]);
    assert_eq!(resampled.motion.poses[1], own.motion.poses[1]);
    assert_eq!(resampled.first_frame, 1);
}

#[test]
fn rates_out_of_range_are_errors() {
    let own = clip(Kind::Walk, Body::Human, 60.0);
    for fps in [0.0, -30.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(resample(&own, fps), Err(ResampleError::Rate(_))));
    }
    assert!(matches!(resample(&own, 1e9), Err(ResampleError::TooManyFrames { .. })));
    let empty = Clip { motion: surefoot_core::Motion { poses: Vec::new(), ..own.motion.clone() }, ..own };
    assert_eq!(resample(&empty, 30.0).unwrap().motion.frames(), 0);
}
