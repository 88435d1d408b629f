//! World positions of all joints at poses spread evenly over the motion.
//!
//! A few dozen poses are enough to find legs and axes, and they bound the cost of a long motion.
//! Each sampled pose comes with a second one shortly after, for speeds. Poses that do not fit the
//! skeleton or are not finite are left out.

use crate::Excerpt;
use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Skeleton};
use surefoot_core::{Pose, WorldPose};

/// Most sampled poses.
///
/// Enough that ten seconds with one second of lying down are still mostly upright. Each takes
/// forward kinematics of two poses.
const MOST_SAMPLES: usize = 96;

/// Most joints placed in total; a skeleton of ten thousand joints gets fewer samples.
const MOST_JOINTS: usize = 200_000;

/// Time between the two poses of a sample, in seconds: a frame at 30 fps. Over a shorter time
/// marker noise dominates the speed.
const SPEED_INTERVAL: f64 = 1.0 / 30.0;

/// The world pose of one frame and of a frame shortly after.
pub(crate) struct PoseSample {
    pub now: WorldPose,
    /// The later pose and the time between the two, in seconds.
    pub later: Option<(WorldPose, f64)>,
}

impl PoseSample {
    /// Speed of a joint in units of the file per second.
    pub(crate) fn speed(&self, joint: JointId) -> Option<f64> {
        let (later, seconds) = self.later.as_ref()?;
        Some((later.joint(joint) - self.now.joint(joint)).length() / seconds)
    }
}

/// Sampled poses of an excerpt.
pub(crate) struct PoseSamples<'a> {
    pub skeleton: &'a Skeleton,
    /// The rest pose.
    pub rest: WorldPose,
    pub poses: Vec<PoseSample>,
    /// Indices of the excerpt's poses that are usable and not an inserted T-pose, in order.
    pub usable: Vec<usize>,
    excerpt: &'a Excerpt,
    fps: f64,
}

impl<'a> PoseSamples<'a> {
    /// Samples an excerpt without its first `skipped` poses.
    pub(crate) fn new(excerpt: &'a Excerpt, skeleton: &'a Skeleton, skipped: usize) -> Self {
        let usable: Vec<usize> = (skipped..excerpt.motion.poses.len())
            .filter(|&at| is_usable(&excerpt.motion.poses[at], skeleton))
            .collect();
        let mut samples = Self {
            skeleton,
            rest: rest(skeleton),
            poses: Vec::new(),
            usable,
            excerpt,
            fps: frame_rate(excerpt),
        };
        let most = (MOST_JOINTS / skeleton.len().max(1)).clamp(4, MOST_SAMPLES);
        samples.poses = samples.spread(most).into_iter().map(|at| samples.sample(at)).collect();
        samples
    }

    /// Indices of at most `most` usable poses, evenly spread.
    pub(crate) fn spread(&self, most: usize) -> Vec<usize> {
        let have = self.usable.len();
        let take = most.min(have);
        (0..take).map(|n| self.usable[(2 * n + 1) * have / (2 * take)]).collect()
    }

    /// The pose with this index in the excerpt.
    pub(crate) fn pose(&self, at: usize) -> &'a Pose {
        &self.excerpt.motion.poses[at]
    }

    /// The index of a pose shortly after `at` and the time between them in seconds; the pose
    /// before at the end of a run of frames. `None` if no neighbour is usable.
    pub(crate) fn neighbour(&self, at: usize) -> Option<(usize, f64)> {
        let step = ((SPEED_INTERVAL * self.fps) as usize).max(1);
        let frame = self.frame(at);
        let fits = |other: usize| {
            self.usable.binary_search(&other).is_ok()
                && self.frame(other).abs_diff(frame) == other.abs_diff(at)
        };
        let after = [step, 1].map(|step| (at.checked_add(step), step));
        let before = [step, 1].map(|step| (at.checked_sub(step), step));
        after
            .into_iter()
            .chain(before)
            .find_map(|(other, step)| other.filter(|&o| fits(o)).map(|o| (o, step)))
            .map(|(other, step)| (other, step as f64 / self.fps))
    }

    /// The frame number in the file of the pose with this index.
    pub(crate) fn frame(&self, at: usize) -> usize {
        self.excerpt.frames.get(at).copied().unwrap_or(at)
    }

    /// The first sampled pose, or the rest pose of a motion without usable poses.
    pub(crate) fn first_or_rest(&self) -> &WorldPose {
        self.poses.first().map_or(&self.rest, |sample| &sample.now)
    }

    /// A value of each pose, computed when it is first needed. Most poses are the neighbour of another.
    pub(crate) fn computed_once<T: Copy, F: FnMut(&Pose) -> T>(&self, compute: F) -> ComputedOnce<'a, T, F> {
        ComputedOnce {
            poses: &self.excerpt.motion.poses,
            values: vec![None; self.excerpt.motion.poses.len()],
            compute,
        }
    }

    fn sample(&self, at: usize) -> PoseSample {
        let world = |at: usize| self.pose(at).world(self.skeleton);
        PoseSample {
            now: world(at),
            later: self.neighbour(at).map(|(other, seconds)| (world(other), seconds)),
        }
    }
}

/// A value of each pose of an excerpt, computed when it is first needed.
pub(crate) struct ComputedOnce<'a, T, F> {
    poses: &'a [Pose],
    values: Vec<Option<T>>,
    compute: F,
}

impl<T: Copy, F: FnMut(&Pose) -> T> ComputedOnce<'_, T, F> {
    /// The value of the pose with this index in the excerpt.
    pub(crate) fn get(&mut self, at: usize) -> T {
        *self.values[at].get_or_insert_with(|| (self.compute)(&self.poses[at]))
    }
}

/// Frames per second; 30 if the motion has no valid rate.
fn frame_rate(excerpt: &Excerpt) -> f64 {
    let fps = excerpt.motion.fps;
    if fps.is_finite() && fps > 0.0 { fps } else { 30.0 }
}

/// Longest offset of a usable pose, in units of the file: a hundred thousand kilometres even in
/// millimetres. Products of longer offsets could overflow.
const LONGEST_OFFSET: f64 = 1e11;

/// Largest difference of a rotation's squared length from 1. The product of ten thousand such
/// rotations is still finite.
const LENGTH_TOLERANCE: f64 = 1e-3;

/// Whether a pose has a finite offset and a unit rotation for every joint.
pub(crate) fn is_usable(pose: &Pose, skeleton: &Skeleton) -> bool {
    let joints = skeleton.len();
    joints > 0
        && pose.offsets.len() == joints
        && pose.rotations.len() == joints
        && pose.offsets.iter().all(|&offset| is_plausible(offset))
        && (pose.rotations.iter()).all(|rotation| (rotation.length_squared() - 1.0).abs() <= LENGTH_TOLERANCE)
}

/// Whether an offset is finite and not absurdly long.
fn is_plausible(offset: Vec3) -> bool {
    offset.abs().max_element() <= LONGEST_OFFSET && offset.is_finite()
}

/// The rest pose, with implausible offsets replaced by zero.
fn rest(skeleton: &Skeleton) -> WorldPose {
    let mut pose = Pose::rest(skeleton);
    for offset in &mut pose.offsets {
        if !is_plausible(*offset) {
            *offset = Vec3::ZERO;
        }
    }
    pose.world(skeleton)
}

/// Forward kinematics of some joints and their ancestors, into a buffer that is used again.
pub(crate) struct PartialKinematics {
    /// The joints to place, parents first.
    joints: Vec<JointId>,
    world: WorldPose,
}

impl PartialKinematics {
    pub(crate) fn new(skeleton: &Skeleton, joints: &[JointId]) -> Self {
        Self {
            joints: skeleton.with_ancestors(joints.iter().copied()),
            world: WorldPose {
                positions: vec![Vec3::ZERO; skeleton.len()],
                rotations: vec![Quat::IDENTITY; skeleton.len()],
            },
        }
    }

    /// The world pose of the joints; all other joints stay at the origin.
    pub(crate) fn world(&mut self, skeleton: &Skeleton, pose: &Pose) -> &WorldPose {
        pose.forward_kinematics_of(skeleton, &self.joints, &mut self.world);
        &self.world
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::Joint;
    use surefoot_core::Motion;

    fn excerpt(frames: usize) -> Excerpt {
        let skeleton =
            Skeleton::new(vec![Joint { name: "root".into(), parent: None, offset: Vec3::ZERO, end: None }])
                .unwrap();
        let poses = (0..frames)
            .map(|frame| Pose { offsets: vec![Vec3::X * frame as f64], rotations: vec![Quat::IDENTITY] });
        Excerpt {
            motion: Motion { poses: poses.collect(), skeleton, fps: 30.0 },
            frames: (0..frames).collect(),
        }
    }

    #[test]
    fn samples_are_spread_over_the_motion() {
        let excerpt = excerpt(1000);
        let samples = PoseSamples::new(&excerpt, &excerpt.motion.skeleton, 0);
        assert_eq!(samples.poses.len(), MOST_SAMPLES);
        assert_eq!(samples.spread(2), [250, 750]);
        assert_eq!(PoseSamples::new(&excerpt, &excerpt.motion.skeleton, 999).poses.len(), 1);
    }

    #[test]
    fn speed_is_in_units_per_second() {
        let excerpt = excerpt(10);
        let samples = PoseSamples::new(&excerpt, &excerpt.motion.skeleton, 0);
        for sample in &samples.poses {
            assert!((sample.speed(JointId(0)).unwrap() - 30.0).abs() < 1e-9);
        }
    }

    #[test]
    fn poses_that_are_not_finite_or_complete_are_left_out() {
        let mut excerpt = excerpt(10);
        excerpt.motion.poses[3].offsets[0].y = f64::NAN;
        excerpt.motion.poses[4].rotations.clear();
        assert_eq!(PoseSamples::new(&excerpt, &excerpt.motion.skeleton, 0).usable.len(), 8);
    }
}
