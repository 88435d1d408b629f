//! Where is every joint, at frames spread over the motion?
//!
//! A few dozen looks at the whole body are enough to find legs and axes, and keep the cost of a
//! long motion bounded. Each look comes with a second one a moment later, for speeds. Poses that
//! do not fit the skeleton or hold a number that is none are passed over.

use crate::Excerpt;
use surefoot_core::math::{Quat, Vec3};
use surefoot_core::{JointId, Skeleton};
use surefoot_core::{Pose, WorldPose};

/// Looks at the whole body, at most.
///
/// Enough that a clip with one lie-down in ten seconds is still mostly upright; each costs two
/// rounds of forward kinematics.
const LOOKS: usize = 96;

/// Joints times looks, at most; a skeleton of ten thousand joints gets fewer looks.
const JOINTS_LOOKED_AT: usize = 200_000;

/// Seconds between a look and the one that gives its speeds: a frame at 30 fps. Shorter, and
/// marker noise is taken for speed.
const MOMENT: f64 = 1.0 / 30.0;

/// The body at one frame, and a moment later.
pub(crate) struct Look {
    pub now: WorldPose,
    /// The same body a moment later, and how much later, in seconds.
    pub later: Option<(WorldPose, f64)>,
}

impl Look {
    /// How fast a joint moves, in the file's units per second.
    pub(crate) fn speed(&self, joint: JointId) -> Option<f64> {
        let (later, seconds) = self.later.as_ref()?;
        Some((later.joint(joint) - self.now.joint(joint)).length() / seconds)
    }
}

/// The performance, looked at here and there.
pub(crate) struct Sight<'a> {
    pub skeleton: &'a Skeleton,
    /// The body with nothing turned.
    pub rest: WorldPose,
    pub looks: Vec<Look>,
    /// The excerpt's poses that count, in order: usable, and not the inserted T-pose.
    pub usable: Vec<usize>,
    excerpt: &'a Excerpt,
    fps: f64,
}

impl<'a> Sight<'a> {
    /// Looks at an excerpt of a body, leaving out its first `skipped` poses.
    pub(crate) fn new(excerpt: &'a Excerpt, skeleton: &'a Skeleton, skipped: usize) -> Self {
        let usable: Vec<usize> = (skipped..excerpt.motion.poses.len())
            .filter(|&at| is_usable(&excerpt.motion.poses[at], skeleton))
            .collect();
        let mut sight = Self {
            skeleton,
            rest: rest(skeleton),
            looks: Vec::new(),
            usable,
            excerpt,
            fps: frame_rate(excerpt),
        };
        let most = (JOINTS_LOOKED_AT / skeleton.len().max(1)).clamp(4, LOOKS);
        sight.looks = sight.spread(most).into_iter().map(|at| sight.look(at)).collect();
        sight
    }

    /// At most `most` of the usable poses, evenly spread.
    pub(crate) fn spread(&self, most: usize) -> Vec<usize> {
        let have = self.usable.len();
        let take = most.min(have);
        (0..take).map(|n| self.usable[(2 * n + 1) * have / (2 * take)]).collect()
    }

    /// The pose at this place in the excerpt.
    pub(crate) fn pose(&self, at: usize) -> &'a Pose {
        &self.excerpt.motion.poses[at]
    }

    /// The pose a moment after `at`, and how much later in seconds, unless the excerpt has a cut
    /// there. At the very end the moment before stands in.
    pub(crate) fn moment_from(&self, at: usize) -> Option<(usize, f64)> {
        let step = ((MOMENT * self.fps) as usize).max(1);
        let frame = self.frame(at);
        let fits = |other: usize| {
            self.usable.binary_search(&other).is_ok()
                && self.frame(other).abs_diff(frame) == other.abs_diff(at)
        };
        let steps = [step, 1].map(|step| (at.checked_add(step), step));
        let back = [step, 1].map(|step| (at.checked_sub(step), step));
        steps
            .into_iter()
            .chain(back)
            .find_map(|(other, step)| other.filter(|&o| fits(o)).map(|o| (o, step)))
            .map(|(other, step)| (other, step as f64 / self.fps))
    }

    /// The file's number of the pose at this place.
    pub(crate) fn frame(&self, at: usize) -> usize {
        self.excerpt.frames.get(at).copied().unwrap_or(at)
    }

    fn look(&self, at: usize) -> Look {
        let placed = |at: usize| self.pose(at).world(self.skeleton);
        Look { now: placed(at), later: self.moment_from(at).map(|(other, seconds)| (placed(other), seconds)) }
    }
}

/// Frames per second, 30 where the motion has no sensible rate.
fn frame_rate(excerpt: &Excerpt) -> f64 {
    let fps = excerpt.motion.fps;
    if fps.is_finite() && fps > 0.0 { fps } else { 30.0 }
}

/// Longest offset that is believed, in the file's units: a hundred thousand kilometres even in
/// millimetres. Beyond it squares of lengths could overflow.
const BELIEVED: f64 = 1e11;

/// How far from 1 a turn's squared length may be. Ten thousand of them in a row still multiply to
/// a finite number.
const TURN_SLACK: f64 = 1e-3;

/// Whether a pose has one sensible place and turn for every joint.
pub(crate) fn is_usable(pose: &Pose, skeleton: &Skeleton) -> bool {
    let joints = skeleton.len();
    joints > 0
        && pose.offsets.len() == joints
        && pose.rotations.len() == joints
        && pose.offsets.iter().all(|&offset| is_believed(offset))
        && (pose.rotations.iter()).all(|turn| (turn.length_squared() - 1.0).abs() <= TURN_SLACK)
}

/// Whether an offset is one that a body could have. No number at all is not.
fn is_believed(offset: Vec3) -> bool {
    offset.abs().max_element() <= BELIEVED && offset.is_finite()
}

/// The body with nothing turned, with offsets that no body has taken for none.
fn rest(skeleton: &Skeleton) -> WorldPose {
    let mut pose = Pose::rest(skeleton);
    for offset in &mut pose.offsets {
        if !is_believed(*offset) {
            *offset = Vec3::ZERO;
        }
    }
    pose.world(skeleton)
}

/// Forward kinematics of a few joints and those above them only.
pub(crate) struct Few {
    /// The joints to place, parents first.
    needed: Vec<JointId>,
    placed: WorldPose,
}

impl Few {
    /// Places these joints and all above them.
    pub(crate) fn new(skeleton: &Skeleton, joints: &[JointId]) -> Self {
        let mut wanted = vec![false; skeleton.len()];
        for &joint in joints {
            wanted[joint.index()] = true;
        }
        for id in skeleton.ids().rev() {
            if wanted[id.index()]
                && let Some(parent) = skeleton.parent(id)
            {
                wanted[parent.index()] = true;
            }
        }
        Self {
            needed: skeleton.ids().filter(|id| wanted[id.index()]).collect(),
            placed: WorldPose {
                positions: vec![Vec3::ZERO; skeleton.len()],
                rotations: vec![Quat::IDENTITY; skeleton.len()],
            },
        }
    }

    /// Where the joints are in a pose. Joints that were not asked for stay at the origin.
    pub(crate) fn place(&mut self, skeleton: &Skeleton, pose: &Pose) -> &WorldPose {
        for &id in &self.needed {
            let index = id.index();
            let (offset, turn) = (pose.offsets[index], pose.rotations[index]);
            let (position, rotation) = match skeleton.parent(id) {
                None => (offset, turn),
                Some(parent) => {
                    let above = self.placed.rotations[parent.index()];
                    let from = self.placed.positions[parent.index()];
                    (from + above * offset, above * turn)
                }
            };
            self.placed.positions[index] = position;
            self.placed.rotations[index] = rotation;
        }
        &self.placed
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
    fn looks_are_spread_over_the_motion() {
        let excerpt = excerpt(1000);
        let sight = Sight::new(&excerpt, &excerpt.motion.skeleton, 0);
        assert_eq!(sight.looks.len(), LOOKS);
        assert_eq!(sight.spread(2), [250, 750]);
        assert_eq!(Sight::new(&excerpt, &excerpt.motion.skeleton, 999).looks.len(), 1);
    }

    #[test]
    fn speed_is_in_units_per_second() {
        let excerpt = excerpt(10);
        let sight = Sight::new(&excerpt, &excerpt.motion.skeleton, 0);
        for look in &sight.looks {
            assert!((look.speed(JointId(0)).unwrap() - 30.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_pose_that_is_no_number_is_passed_over() {
        let mut excerpt = excerpt(10);
        excerpt.motion.poses[3].offsets[0].y = f64::NAN;
        excerpt.motion.poses[4].rotations.clear();
        assert_eq!(Sight::new(&excerpt, &excerpt.motion.skeleton, 0).usable.len(), 8);
    }
}
