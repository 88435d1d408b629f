//! A pelvis that jitters about the direction of walking does not shake the knees of a body that stands on both feet.

use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Motion};
use surefoot_solve::Settings;

use crate::fixtures::*;

const FRAMES: usize = 120;

/// A body with slightly bent knees whose pelvis rotates by 0.3° back and forth. The feet swing with the pelvis.
fn jittering_pelvis() -> Case {
    let plants = [0, 1]
        .into_iter()
        .flat_map(|leg| [FootPoint::Heel, FootPoint::Ball].map(|point| plant(leg, point, 0..FRAMES)));
    by_hand(Build::default(), FRAMES, plants.collect(), |frame, pose| {
        let angle = [0.0, 0.005, -0.003, 0.004, -0.005][frame % 5];
        bend_knees(pose, 0.3);
        pose.rotations[0] = axis_rotation(2, angle);
    })
}

/// The largest second difference of the distance between hip and ankle, away from the ends of the motion, in metres. A
/// captured leg that does not bend has none.
fn jitter_of_reach(case: &Case, motion: &Motion) -> f64 {
    let world = world(motion);
    let jitter = |leg: usize| {
        let leg = &case.clip.legs[leg];
        let reach = |frame: usize| world[frame].joint(leg.hip).distance(world[frame].joint(leg.ankle));
        (20..FRAMES - 20).map(move |n| (reach(n - 1) - 2.0 * reach(n) + reach(n + 1)).abs())
    };
    jitter(0).chain(jitter(1)).fold(0.0, f64::max)
}

#[test]
fn knees_are_steady_under_a_jittering_pelvis() {
    let case = jittering_pelvis();
    let (after, report) = case.clean(&Settings::default());
    assert_eq!(held_plants(&case, &after, &report), 4);
    let (shaken, steady) = (jitter_of_reach(&case, &held_still(&case)), jitter_of_reach(&case, &after));
    // Measured: 1.9 mm with feet at rest under the captured pelvis, 0.1 mm after cleaning.
    assert!(shaken > 0.0015, "{shaken} m");
    assert!(steady < 0.1 * shaken, "{steady} m, {shaken} m under the captured pelvis");
}

/// The motion cleaned as published, which leaves the pelvis as captured.
fn held_still(case: &Case) -> Motion {
    case.clean(&Settings::paper()).0
}
