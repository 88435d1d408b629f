//! Corrects the root height of a blended motion.
//!
//! The reach of a leg is not linear in its joint angles, so interpolated legs sink into the floor or
//! hover. The root is moved vertically until the lowest foot point has the interpolated height of the
//! lowest points of both motions. The correction is smoothed over time, because the lowest foot
//! changes with every step.

use surefoot_core::{Leg, Motion, Pose, Vec3, WorldPose};

use super::Settings;
use super::frame_pairs::FramePair;
use super::ground::sample;

/// Half the smoothing window of the height correction, in seconds. It is shorter than a step, so
/// that each stance keeps its height; less would make the root follow single frames.
const SMOOTHING: f64 = 0.05;

/// Applies the height correction to all poses.
pub(super) fn correct(
    poses: &mut [Pose],
    [first, second]: [&Motion; 2],
    legs: &[Leg],
    pairs: &[FramePair],
    settings: &Settings,
) {
    let (skeleton, up) = (&first.skeleton, settings.map.up);
    let mut world = WorldPose::default();
    let mut lowest = |pose: &Pose| {
        pose.forward_kinematics(skeleton, &mut world);
        let points = legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        points.map(|point| world.point(&point).dot(up)).fold(f64::INFINITY, f64::min)
    };
    let differences: Vec<f64> = poses
        .iter()
        .zip(pairs)
        .map(|(pose, pair)| {
            let [a, b] = [lowest(&sample(first, pair.first)), lowest(&sample(second, pair.second))];
            let height = a + (b - a) * pair.weight - lowest(pose);
            // Without legs there is no lowest point.
            if height.is_finite() { height } else { 0.0 }
        })
        .collect();
    let half = (SMOOTHING * first.fps).round() as usize;
    let correction = smoothed(&smoothed(&differences, half), half);
    for (pose, by) in poses.iter_mut().zip(correction) {
        raise(pose, skeleton, up * by);
    }
}

fn raise(pose: &mut Pose, skeleton: &surefoot_core::Skeleton, by: Vec3) {
    for (offset, joint) in pose.offsets.iter_mut().zip(skeleton.joints()) {
        if joint.parent.is_none() {
            *offset += by;
        }
    }
}

/// Moving average over `half` frames on each side; the window is narrower at the ends.
fn smoothed(values: &[f64], half: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(values.iter().scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    }));
    (0..values.len())
        .map(|at| {
            let half = half.min(at).min(values.len() - 1 - at);
            (sums[at + half + 1] - sums[at - half]) / (2 * half + 1) as f64
        })
        .collect()
}
