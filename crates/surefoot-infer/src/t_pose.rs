//! Detects a T-pose that a converter has inserted as frame 0.
//!
//! Some converters insert one before the performance, for retargeting. It has two marks: the pose
//! jumps from frame 0 to frame 1 as at no later frame, and it is posed as no performer stands, with
//! most joints not rotated at all or with both sides exact mirror images.

use crate::pose_samples::is_usable;
use crate::{Excerpt, Inferred};
use surefoot_core::Pose;
use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Skeleton};

/// Smallest ratio of the change from frame 0 to 1 to the usual change between frames. A walk at 30
/// fps changes so much from frame to frame that a T-pose before it has only 4.
const JUMP_RATIO: f64 = 2.5;

/// Frames after frame 1 that define the usual change. An acrobat who stands still at first is
/// compared with that, not with the somersaults later.
const FIRST_FRAMES: usize = 8;

/// Smallest mean rotation of all joints from frame 0 to 1, as the sine of half the angle: 4°.
const SMALLEST_JUMP: f64 = 0.035;

/// Rotation below which a joint counts as not rotated, as the sine of half the angle: 1°.
const NOT_ROTATED: f64 = 0.0087;

/// Smallest share of joints that are not rotated in a T-pose.
const REST_SHARE: f64 = 0.5;

/// Smallest cosine between the lines that connect left and right joints in a T-pose. A performer
/// who stands straight has 0.99.
const PARALLEL: f64 = 0.9995;

/// Most changes between frames that are compared with the first.
const COMPARED: usize = 400;

/// Whether frame 0 is an inserted T-pose.
pub(crate) fn find(excerpt: &Excerpt) -> Inferred<bool> {
    let (is_inserted, confidence, reason) = judge(excerpt);
    Inferred { value: is_inserted, confidence, reason }
}

fn judge(excerpt: &Excerpt) -> (bool, f64, String) {
    let skeleton = &excerpt.motion.skeleton;
    let poses = &excerpt.motion.poses;
    let no = |confidence: f64, reason: &str| (false, confidence, String::from(reason));
    if excerpt.frames.first() != Some(&0) || excerpt.frames.get(1) != Some(&1) || poses.len() < 2 {
        return no(0.5, "there are no frames 0 and 1 to compare");
    }
    if !poses[..2].iter().all(|pose| is_usable(pose, skeleton)) {
        return no(0.5, "frame 0 or 1 is not a valid pose");
    }
    let jump = change(&poses[0], &poses[1]);
    if jump < SMALLEST_JUMP {
        return no(1.0, "the pose does not jump from frame 0 to 1");
    }
    let usual = usual_change(excerpt);
    if let Some(usual) = usual
        && jump < JUMP_RATIO * usual
    {
        return no(0.9, "the pose changes no more from frame 0 to 1 than later");
    }
    let is_rest = rest_share(&poses[0]) > REST_SHARE && rest_share(&poses[0]) > rest_share(&poses[1]);
    let mark = if is_rest {
        "most of its joints are not rotated"
    } else if symmetry(&poses[0], skeleton) > PARALLEL && symmetry(&poses[1], skeleton) <= PARALLEL {
        "its left and right side are mirror images"
    } else {
        return no(0.7, "the pose jumps from frame 0 to 1, but frame 0 does not look like a T-pose");
    };
    let reason = format!("the pose jumps from frame 0 to 1 as at no later frame, and {mark}");
    (true, if usual.is_some() { 0.98 } else { 0.6 }, reason)
}

/// Mean rotation of all joints from one pose to another, as the sine of half the angle.
fn change(from: &Pose, to: &Pose) -> f64 {
    let rotations = from.rotations.iter().zip(&to.rotations);
    rotations.map(|(a, b)| half_sine(*a, *b)).sum::<f64>() / from.rotations.len().max(1) as f64
}

/// The sine of half the angle between two rotations.
fn half_sine(a: Quat, b: Quat) -> f64 {
    let cos = a.dot(b);
    (1.0 - cos * cos).max(0.0).sqrt()
}

/// The usual change between frames: the largest right after frame 1, or the 95th percentile of all,
/// whichever is less. `None` without frames to compare.
fn usual_change(excerpt: &Excerpt) -> Option<f64> {
    let poses = &excerpt.motion.poses;
    let step = poses.len().div_ceil(COMPARED).max(1);
    let changes = |from: usize, to: usize, step: usize| -> Vec<f64> {
        let next = |at: usize| excerpt.frames.get(at).map(|frame| frame + 1);
        (from..to.min(poses.len() - 1))
            .step_by(step)
            .filter(|&at| excerpt.frames.get(at + 1).copied() == next(at))
            .filter(|&at| poses[at..at + 2].iter().all(|p| is_usable(p, &excerpt.motion.skeleton)))
            .map(|at| change(&poses[at], &poses[at + 1]))
            .collect()
    };
    let right_after = changes(1, 1 + FIRST_FRAMES, 1).into_iter().reduce(f64::max)?;
    let mut all = changes(1, poses.len(), step);
    all.sort_by(f64::total_cmp);
    all.get(all.len() * 19 / 20).map(|usual| usual.min(right_after))
}

/// The share of joints that are not rotated.
fn rest_share(pose: &Pose) -> f64 {
    let at_rest = |rotation: &&Quat| half_sine(**rotation, Quat::IDENTITY) < NOT_ROTATED;
    pose.rotations.iter().filter(at_rest).count() as f64 / pose.rotations.len().max(1) as f64
}

/// The smallest cosine between a line that connects a left and a right joint and the mean of these
/// lines: 1 for a mirrored pose, 0 for a body with fewer than six pairs.
fn symmetry(pose: &Pose, skeleton: &Skeleton) -> f64 {
    let world = pose.world(skeleton);
    let lines: Vec<Vec3> = (pairs(skeleton).into_iter())
        .filter_map(|(a, b)| (world.joint(a) - world.joint(b)).try_normalize())
        .collect();
    let Some(&first) = lines.first() else {
        return 0.0;
    };
    if lines.len() < 6 {
        return 0.0;
    }
    let line = |line: Vec3| if line.dot(first) < 0.0 { -line } else { line };
    let mean = lines.iter().map(|&l| line(l)).sum::<Vec3>();
    let mean = mean.try_normalize().unwrap_or(first);
    lines.iter().map(|line| line.dot(mean).abs()).fold(1.0, f64::min)
}

/// Pairs of corresponding joints: siblings of equal length and, below them, first child by first
/// child.
fn pairs(skeleton: &Skeleton) -> Vec<(JointId, JointId)> {
    let mut children = vec![Vec::new(); skeleton.len()];
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.parent(id) {
            children[parent.index()].push(id);
        }
    }
    let length = |id: JointId| skeleton.joint(id).offset.length();
    let alike = |a: JointId, b: JointId| {
        (length(a) - length(b)).abs() <= 0.02 * length(a)
            && children[a.index()].len() == children[b.index()].len()
    };
    let mut pairs = Vec::new();
    // Fingers of one hand have equal lengths without being mirror images: no pairs below a pair.
    let mut is_sided = vec![false; skeleton.len()];
    for id in skeleton.ids() {
        let siblings = &children[id.index()];
        let inherits = is_sided[id.index()];
        for two in siblings.windows(2).filter(|two| !inherits && alike(two[0], two[1])) {
            let mut below = Some((two[0], two[1]));
            while let Some((a, b)) = below.filter(|&(a, b)| !is_sided[a.index()] && alike(a, b)) {
                pairs.push((a, b));
                is_sided[a.index()] = true;
                is_sided[b.index()] = true;
                below = (children[a.index()].first().copied()).zip(children[b.index()].first().copied());
            }
        }
        for child in siblings {
            is_sided[child.index()] |= inherits;
        }
    }
    pairs
}
