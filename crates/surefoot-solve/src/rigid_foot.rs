//! Keeps a planted foot rigid between its ankle and its ball.
//!
//! The phases hold heel and ball by moving the ankle, which works as long as the two are fixed to each other. Some
//! skeletons have joints between ankle and ball, the subtalar and the transverse tarsal joint of anatomy. Where those
//! turn during a stance, heel and ball move against each other, and no position of the ankle holds both. So these joints
//! keep the pose in which the foot was planted until the foot is free, and then return to the captured one.
//!
//! Runs on each pose before the phases. Each frame depends on earlier frames only, so that no latency is added. Skeletons
//! without such joints, and feet whose joints do not turn, are not changed by a bit.

use surefoot_core::math::fade;
use surefoot_core::{JointId, Leg, Pose, Quat, Skeleton, Vec3};

use crate::plants::ActivePlants;
use crate::settings::{Form, Settings};

/// Time over which the joints of a foot that is no longer planted return to their captured pose, in seconds. Shorter times
/// show as a twitch of the foot after toe off.
const RELEASE_TIME: f64 = 0.2;

/// The feet of a body that have joints between ankle and ball, and the pose that was changed last.
#[derive(Clone, Debug, Default)]
pub(crate) struct RigidFeet {
    feet: Vec<RigidFoot>,
    release_frames: f64,
    pose: Pose,
}

#[derive(Clone, Debug)]
struct RigidFoot {
    leg: usize,
    /// The joints between ankle and ball, then the joint of the ball, of which only the offset is kept.
    joints: Vec<JointId>,
    /// Rotation and offset of these joints in the stance.
    held: Vec<(Quat, Vec3)>,
    /// Number of frames since the foot was planted: 0 in a stance.
    released: usize,
}

impl RigidFeet {
    /// The feet of a body. None for the published form, which does not state what happens to such feet.
    pub fn new(skeleton: &Skeleton, legs: &[Leg], fps: f64, settings: &Settings) -> Self {
        if settings.form == Form::Paper {
            return Self::default();
        }
        let feet = legs.iter().enumerate().filter_map(|(number, leg)| RigidFoot::new(skeleton, number, leg));
        let feet: Vec<RigidFoot> = feet.collect();
        let pose = if feet.is_empty() { Pose::default() } else { Pose::rest(skeleton) };
        Self { feet, release_frames: (RELEASE_TIME * fps).max(1.0), pose }
    }

    /// Whether no foot of the body has such joints.
    pub fn is_empty(&self) -> bool {
        self.feet.is_empty()
    }

    /// Forgets all stances, as before the first frame.
    pub fn restart(&mut self) {
        self.feet.iter_mut().for_each(|foot| foot.released = usize::MAX);
    }

    /// The next pose, with rigid planted feet; `plants` has an entry for each leg.
    pub fn apply<'a>(&'a mut self, captured: &'a Pose, plants: &[ActivePlants]) -> &'a Pose {
        if self.feet.is_empty() {
            return captured;
        }
        self.pose.copy_from(captured);
        for foot in &mut self.feet {
            let is_planted =
                plants.get(foot.leg).is_some_and(|plants| plants.heel.is_some() || plants.ball.is_some());
            foot.apply(&mut self.pose, is_planted, self.release_frames);
        }
        &self.pose
    }
}

impl RigidFoot {
    /// `None` for arms, and where ankle and ball have no joint between them.
    fn new(skeleton: &Skeleton, leg_number: usize, leg: &Leg) -> Option<Self> {
        let ball = leg.ball.joint;
        let above = core::iter::successors(skeleton.parent(ball), |&joint| skeleton.parent(joint));
        let mut joints: Vec<JointId> = above.take_while(|&joint| joint != leg.ankle).collect();
        // A ball on the ankle itself, or not below it, has all joints above it here.
        let is_below = joints.last().is_some_and(|&joint| skeleton.parent(joint) == Some(leg.ankle));
        if leg.is_arm() || !is_below {
            return None;
        }
        joints.reverse();
        joints.push(ball);
        let held = vec![(Quat::IDENTITY, Vec3::ZERO); joints.len()];
        Some(Self { leg: leg_number, joints, held, released: usize::MAX })
    }

    /// Changes the pose of the next frame.
    fn apply(&mut self, pose: &mut Pose, is_planted: bool, release_frames: f64) {
        let goes_on = is_planted && self.released == 0;
        let released = if goes_on { 0 } else { self.released.saturating_add(1) };
        let share = fade(released as f64 / release_frames);
        if share > 0.0 {
            let ball = self.joints.len() - 1;
            for (number, (joint, held)) in self.joints.iter().zip(&self.held).enumerate() {
                keep(pose, *joint, *held, share, number != ball);
            }
        }
        if is_planted && !goes_on {
            for (joint, held) in self.joints.iter().zip(&mut self.held) {
                *held = (pose.rotations[joint.index()], pose.offsets[joint.index()]);
            }
        }
        self.released = if is_planted { 0 } else { released };
    }
}

/// Moves a joint towards the pose that it had when its foot was planted; all of the way with a `share` of 1.
fn keep(pose: &mut Pose, joint: JointId, (rotation, offset): (Quat, Vec3), share: f64, is_turned: bool) {
    let index = joint.index();
    let captured = pose.rotations[index];
    // Equal rotations stay as they are, since normalizing their mean would round.
    if is_turned && captured != rotation {
        let nearer = if captured.dot(rotation) < 0.0 { -rotation } else { rotation };
        pose.rotations[index] = match share == 1.0 {
            true => nearer,
            false => (captured * (1.0 - share) + nearer * share).normalize(),
        };
    }
    if pose.offsets[index] != offset {
        pose.offsets[index] = pose.offsets[index].lerp(offset, share);
    }
}
