//! Damage keeps the labels.

use super::trees::motions;
use surefoot_core::{Leg, Pose, Vec3};
use surefoot_train::{Damage, damaged, resampled};

#[test]
fn damage_keeps_the_labels() {
    let before = motions().swap_remove(0);
    let after = damaged(&before, Damage::LegLength(1.1), 1);
    assert_eq!(after.contacts, before.contacts);
    assert_ne!(after.motion, before.motion);
}

#[test]
fn resampling_keeps_the_labels_in_time() {
    let at_50 = motions().swap_remove(0);
    let at_200 = resampled(&at_50, 200.0);
    assert_eq!(at_200.motion.fps, 200.0);
    for (frame, down) in at_50.contacts[0].iter().enumerate() {
        assert_eq!(at_200.contacts[0].get(frame * 4), Some(down), "frame {frame}");
    }
}

#[test]
fn moved_foot_points_are_moved_alike_on_both_feet() {
    let before = motions().swap_remove(0);
    let after = damaged(&before, Damage::FootPoints(0.015), 4);
    assert_eq!(before.contacts, after.contacts);
    assert_eq!(before.motion, after.motion);
    let rest = Pose::rest(&before.motion.skeleton).world(&before.motion.skeleton);
    let points = |leg: &Leg| [&leg.heel, &leg.ball, &leg.toe].map(|point| rest.point(point));
    let offsets = |(before, after): (&Leg, &Leg)| -> [Vec3; 3] {
        let (before, after) = (points(before), points(after));
        [0, 1, 2].map(|point| after[point] - before[point])
    };
    let feet: Vec<[Vec3; 3]> = before.legs.iter().zip(&after.legs).map(offsets).collect();
    for (left, right) in feet[0].iter().zip(&feet[1]) {
        assert!(left.length() > 0.0 && left.length() < 0.015 * 1.5, "{left}");
        assert!((left.length() - right.length()).abs() < 1e-9 && (left.y - right.y).abs() < 1e-9, "{feet:?}");
    }
}
