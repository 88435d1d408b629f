//! How high is the body over its feet?
//!
//! Legs that are bent half as far as one body's and half as far as another's do not reach half as far
//! down: mixed joint by joint, feet sink into the ground or hover. So the body is raised or lowered until
//! its lowest foot is as high as it is in both motions, mixed. As that foot changes from step to step, so
//! does the correction, slowly.

use surefoot_core::{Leg, Motion, Pose, Vec3, WorldPose};

use super::Settings;
use super::course::Step;
use super::ground::sample;

/// Half the time over which the correction is smoothed, in seconds: less than a step's.
const SMOOTH: f64 = 0.05;

/// Puts bodies at their height over their feet.
pub(super) fn keep(
    poses: &mut [Pose],
    [first, second]: [&Motion; 2],
    legs: &[Leg],
    steps: &[Step],
    settings: &Settings,
) {
    let (skeleton, up) = (&first.skeleton, settings.map.up);
    let mut placed = WorldPose::default();
    let mut lowest = |pose: &Pose| {
        pose.forward_kinematics(skeleton, &mut placed);
        let points = legs.iter().flat_map(|leg| [leg.heel, leg.ball, leg.toe]);
        points.map(|point| placed.point(&point).dot(up)).fold(f64::INFINITY, f64::min)
    };
    let lacks: Vec<f64> = poses
        .iter()
        .zip(steps)
        .map(|(pose, step)| {
            let [a, b] = [lowest(&sample(first, step.first)), lowest(&sample(second, step.second))];
            let lack = a + (b - a) * step.weight - lowest(pose);
            // Without legs there is nothing to stand on.
            if lack.is_finite() { lack } else { 0.0 }
        })
        .collect();
    let half = (SMOOTH * first.fps).round() as usize;
    let raised = smoothed(&smoothed(&lacks, half), half);
    for (pose, by) in poses.iter_mut().zip(raised) {
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

/// Means over so many frames to either side, fewer at the ends.
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
