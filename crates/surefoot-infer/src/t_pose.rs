//! Is frame 0 a T-pose that a program put there?
//!
//! Some converters put one before the performance, for retargeting. It gives itself away twice: the
//! body jumps from it into the next frame as it never does again, and it is posed as no performer
//! ever stands, with most joints not turned at all or both sides mirrored to a hair.

use crate::sight::is_usable;
use crate::{Excerpt, Inferred};
use surefoot_core::Pose;
use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Skeleton};

/// How many times larger than usual the change from frame 0 to frame 1 must be. A walk at 30 fps
/// changes so much from frame to frame that a T-pose before it is only 4 times as far away.
const JUMP: f64 = 2.5;

/// Frames after frame 1 that show what is usual. An acrobat who stands still at first is compared
/// with that, not with his somersaults.
const RIGHT_AFTER: usize = 8;

/// The least mean turn of all joints from frame 0 to frame 1, as the sine of half the angle: 4°.
const LEAST_JUMP: f64 = 0.035;

/// A joint that is turned by less than 1° is not turned.
const NOT_TURNED: f64 = 0.0087;

/// The share of joints that are not turned in a T-pose.
const MOST: f64 = 0.5;

/// How far from parallel the lines between left and right joints may be in a T-pose, as a cosine.
/// A performer who stands straight is at 0.99.
const PARALLEL: f64 = 0.9995;

/// Changes from frame to frame that the first is compared with.
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
        return no(0.5, "frames 0 and 1 cannot be compared");
    }
    let jump = change(&poses[0], &poses[1]);
    if jump < LEAST_JUMP {
        return no(1.0, "frame 0 leads smoothly into frame 1");
    }
    let usual = usual_change(excerpt);
    if let Some(usual) = usual
        && jump < JUMP * usual
    {
        return no(0.9, "the body changes no more from frame 0 to 1 than later on");
    }
    let posed = if not_turned(&poses[0]) > MOST && not_turned(&poses[0]) > not_turned(&poses[1]) {
        "most joints are not turned in it"
    } else if mirrored(&poses[0], skeleton) > PARALLEL && mirrored(&poses[1], skeleton) <= PARALLEL {
        "its left and right are mirror images"
    } else {
        return no(0.7, "the body jumps from frame 0 to 1, but frame 0 is posed like any other");
    };
    let reason = format!("the body jumps from frame 0 to 1 as it never does again, and {posed}");
    (true, if usual.is_some() { 0.98 } else { 0.6 }, reason)
}

/// Mean turn of all joints from one pose to another, as the sine of half the angle.
fn change(from: &Pose, to: &Pose) -> f64 {
    let turns = from.rotations.iter().zip(&to.rotations);
    turns.map(|(a, b)| half_sine(*a, *b)).sum::<f64>() / from.rotations.len().max(1) as f64
}

/// The sine of half the angle between two turns.
fn half_sine(a: Quat, b: Quat) -> f64 {
    let cos = a.dot(b);
    (1.0 - cos * cos).max(0.0).sqrt()
}

/// The usual change from frame to frame: what the frames right after frame 1 do not exceed, or 19
/// of 20 of all frames, whichever is less.
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
    let right_after = changes(1, 1 + RIGHT_AFTER, 1).into_iter().reduce(f64::max)?;
    let mut all = changes(1, poses.len(), step);
    all.sort_by(f64::total_cmp);
    all.get(all.len() * 19 / 20).map(|usual| usual.min(right_after))
}

/// The share of joints that are not turned.
fn not_turned(pose: &Pose) -> f64 {
    let still = |turn: &&Quat| half_sine(**turn, Quat::IDENTITY) < NOT_TURNED;
    pose.rotations.iter().filter(still).count() as f64 / pose.rotations.len().max(1) as f64
}

/// How nearly parallel all lines between left and right joints are: 1 for a mirrored pose, 0 for
/// a body without pairs.
fn mirrored(pose: &Pose, skeleton: &Skeleton) -> f64 {
    let placed = pose.world(skeleton);
    let lines: Vec<Vec3> = (pairs(skeleton).into_iter())
        .filter_map(|(a, b)| (placed.joint(a) - placed.joint(b)).try_normalize())
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

/// Joints of like chains: siblings of one length, and below them child by child.
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
    // Fingers of one hand are alike too, but no mirror images: no pairs below a pair.
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
