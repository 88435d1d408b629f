//! Finds the heel, ball and toe points of a foot.
//!
//! Heel and toe joints of the skeleton are found by name or by shape: a heel is behind the ankle, a
//! toe joint well ahead of it. Missing points are constructed:
//!
//! - ball: the toe joint, or the middle of several; without one, the end of the foot: where a rigid
//!   foot rises, its end stays on the ground;
//! - toe tip: the end of the toe joint; without one, ahead of the ball by 0.3 of the distance from
//!   ankle to ball; of a rigid foot, its end;
//! - heel: on the sole, behind the ankle by a quarter of the distance from ankle to toe joint.
//!
//! The sole is level with the ball of the flat foot (`flat_foot.rs`).

use crate::flat_foot::{FlatFoot, Landmark};
use crate::joint_names::{NameHints, Part};
use crate::leg_chain::LegChain;
use surefoot_core::JointId;
use surefoot_core::JointPoint;
use surefoot_core::math::Vec3;

/// The three points of a foot.
pub(crate) struct Points {
    pub heel: JointPoint,
    pub ball: JointPoint,
    pub toe: JointPoint,
    /// Whether the skeleton has bones below the ankle.
    pub has_foot: bool,
}

/// Position of the toe joint between ankle and foot end of a foot that has none, as a fraction.
const BALL: f64 = 0.7;
/// Distance of the toe tip ahead of the ball, in distances from ankle to ball.
const TOE: f64 = 0.3;
/// Distance of the heel behind the ankle, in distances from ankle to ball.
const HEEL: f64 = 0.25;
/// Smallest distance of a toe joint ahead of the ankle, as a share of the foot's length. Joints
/// below the ankle or in the middle of the foot are nearer.
const TOE_AHEAD: f64 = 0.4;
/// Largest cosine between a heel and the toes, seen from the ankle. An angle, because it does not
/// depend on how the foot is rotated.
const HEEL_BEHIND: f64 = -0.1;
/// Distance from the ankle below which a last joint without a bone of its own is the toe joint, and
/// above which it is the toe tip, in leg lengths. Toe joints are at 0.17, tips at 0.25.
const BALL_OR_TIP: f64 = 0.215;
/// Distance of the ball ahead of the ankle for a body without feet, in leg lengths.
const CONSTRUCTED_AHEAD: f64 = 0.17;
/// Distance of the sole below the ankle for a body without feet, in leg lengths.
const CONSTRUCTED_BELOW: f64 = 0.08;

/// Finds or constructs the points of a foot.
pub(crate) fn find(
    leg: &LegChain,
    foot: &FlatFoot,
    hints: &[NameHints],
    parent: &dyn Fn(JointId) -> Option<JointId>,
) -> Points {
    let heel_joint = heel_joint(foot, hints);
    let toes = toe_joints(leg, foot, heel_joint, hints, parent);
    let constructed_end =
        leg.leg_length() * (foot.forward * CONSTRUCTED_AHEAD / BALL - foot.up * CONSTRUCTED_BELOW);
    let end = foot.tip.map_or(constructed_end, |tip| tip.position);
    let toe_joint = match toes.len() {
        0 => on_sole(end * BALL, foot.height(end), foot),
        count => toes.iter().map(|toe| toe.position).sum::<Vec3>() / count as f64,
    };
    let is_rigid = toes.is_empty() && foot.tip.is_some_and(|tip| tip.point.joint == foot.ankle);
    let ball = match toes.as_slice() {
        [toe] => toe.point,
        _ => JointPoint { joint: foot.ankle, offset: if is_rigid { end } else { toe_joint } },
    };
    Points {
        heel: heel_joint.map_or_else(|| constructed_heel(foot, toe_joint), |heel| heel.point),
        toe: if is_rigid { ball } else { toe_tip(foot, &toes, toe_joint, end) },
        ball,
        has_foot: foot.tip.is_some(),
    }
}

/// Moves a position up or down to a height.
fn on_sole(position: Vec3, height: f64, foot: &FlatFoot) -> Vec3 {
    position + foot.up * (height - foot.height(position))
}

fn constructed_heel(foot: &FlatFoot, ball: Vec3) -> JointPoint {
    let back = foot.forward * (HEEL * ball.length());
    JointPoint { joint: foot.ankle, offset: on_sole(-back, foot.height(ball), foot) }
}

/// The joint or bone end that is the heel: by name, else the one farthest behind the ankle.
fn heel_joint(foot: &FlatFoot, hints: &[NameHints]) -> Option<Landmark> {
    let toes = foot.tip.map_or(foot.forward, |tip| tip.position.normalize_or_zero());
    let hints = |landmark: &Landmark| hints[landmark.point.joint.index()];
    let farthest =
        |a: Landmark, b: Landmark| if foot.ahead(b.position) < foot.ahead(a.position) { b } else { a };
    let usable = || foot.landmarks.iter().copied().filter(|landmark| !hints(landmark).is_helper);
    let named = usable().filter(|landmark| hints(landmark).part == Some(Part::Heel));
    let behind = usable().filter(|landmark| {
        hints(landmark).part != Some(Part::Toe)
            && landmark.position.normalize_or_zero().dot(toes) < HEEL_BEHIND
    });
    named.reduce(farthest).or_else(|| behind.reduce(farthest))
}

/// The joints at which the toes begin.
fn toe_joints(
    leg: &LegChain,
    foot: &FlatFoot,
    heel: Option<Landmark>,
    hints: &[NameHints],
    parent: &dyn Fn(JointId) -> Option<JointId>,
) -> Vec<Landmark> {
    let Some(tip) = foot.tip else {
        return Vec::new();
    };
    let length = foot.ahead(tip.position);
    let is_named = |landmark: &Landmark| {
        let hints = hints[landmark.point.joint.index()];
        hints.part == Some(Part::Toe) && !hints.is_tip
    };
    // A foot that hangs in the whole motion points down, not ahead: its toes are found by name.
    let is_far = |landmark: &Landmark| landmark.position.length() > TOE_AHEAD * tip.position.length();
    let is_ahead = |landmark: &Landmark| {
        foot.ahead(landmark.position) > TOE_AHEAD * length || is_named(landmark) && is_far(landmark)
    };
    let is_last = |landmark: &Landmark| {
        !(foot.landmarks.iter()).any(|other| {
            let beyond = other.position.distance(landmark.position) > 0.05 * length;
            beyond && is_below(other.point.joint, landmark.point.joint, parent)
        })
    };
    let is_toe = |landmark: &&Landmark| {
        let hints = hints[landmark.point.joint.index()];
        let is_tip = hints.is_tip
            || hints.part != Some(Part::Toe) && landmark.position.length() > BALL_OR_TIP * leg.leg_length();
        !landmark.is_end
            && !hints.is_helper
            && heel.is_none_or(|heel| heel.point.joint != landmark.point.joint)
            && is_ahead(landmark)
            && !(is_last(landmark) && is_tip)
    };
    let mut toes: Vec<Landmark> = foot.landmarks.iter().filter(is_toe).copied().collect();
    if toes.iter().any(is_named) {
        toes.retain(is_named);
    }
    let begins = |landmark: &Landmark| {
        let joint = landmark.point.joint;
        !toes.iter().any(|other| other.point.joint != joint && is_below(joint, other.point.joint, parent))
    };
    toes.iter().copied().filter(begins).collect()
}

/// Whether a joint is `above` or a descendant of it.
pub(crate) fn is_below(joint: JointId, above: JointId, parent: &dyn Fn(JointId) -> Option<JointId>) -> bool {
    core::iter::successors(Some(joint), |&joint| parent(joint))
        .take_while(|&joint| joint >= above)
        .any(|joint| joint == above)
}

/// The toe tip, as a point on the toe joint.
fn toe_tip(foot: &FlatFoot, toes: &[Landmark], ball: Vec3, end: Vec3) -> JointPoint {
    // Of several toes the one nearest to the middle; of two equally near up to rounding, the first
    // in the file.
    let nearest = |a: Landmark, b: Landmark| {
        if b.position.distance(ball) < 0.999 * a.position.distance(ball) { b } else { a }
    };
    let toe = toes.iter().copied().reduce(nearest);
    let joint = toe.map_or(foot.ankle, |toe| toe.point.joint);
    // The end of the toe joint's own bone, if the file has one, is the tip.
    let own_end = (foot.landmarks.iter()).find(|landmark| landmark.is_end && landmark.point.joint == joint);
    if let Some(end) = own_end.filter(|_| toe.is_some()) {
        return end.point;
    }
    let is_beyond = foot.ahead(end) > foot.ahead(ball) + 0.05 * ball.length();
    let constructed = ball + foot.forward * (TOE * ball.length());
    match (foot.tip, toe) {
        (Some(tip), None) if tip.point.joint != foot.ankle => tip.point,
        _ if is_beyond => foot.on(joint, end),
        _ => foot.on(joint, constructed),
    }
}
