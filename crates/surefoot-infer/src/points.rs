//! Which points of a foot touch the floor?
//!
//! Heel and toe joints are taken where the skeleton has them, found by name or by shape: a heel is
//! behind the ankle, a toe joint well ahead of it. The rest is made:
//!
//! - ball: the toe joint; several toes give the middle of their joints; without one, a point 0.7 of
//!   the way from ankle to foot end, on the sole;
//! - toe tip: the end of the toe joint; without one, ahead of the ball by 0.3 of the distance from
//!   ankle to ball;
//! - heel: below the ankle on the sole, moved back by a quarter of the distance from ankle to ball.
//!
//! The sole is level with the ball while the foot stands flat (`flat_foot.rs`).

use crate::flat_foot::{FlatFoot, Spot};
use crate::hip_knee_ankle::Cut;
use crate::names::{Part, Said};
use surefoot_core::JointId;
use surefoot_core::JointPoint;
use surefoot_core::math::Vec3;

/// The three points of a foot, and what a person should know about them.
pub(crate) struct Points {
    pub heel: JointPoint,
    pub ball: JointPoint,
    pub toe: JointPoint,
    /// Whether the skeleton has anything beyond the ankle.
    pub has_foot: bool,
}

/// Where the ball is between ankle and foot end, without a toe joint.
const BALL: f64 = 0.7;
/// How far the toe tip is ahead of the ball, in distances from ankle to ball.
const TOE: f64 = 0.3;
/// How far the heel is behind the ankle, in the same.
const HEEL: f64 = 0.25;
/// How far ahead of the ankle a toe joint is at least, as a share of the whole foot. Joints below
/// the ankle or in the middle of the foot are nearer.
const TOE_AHEAD: f64 = 0.4;
/// A joint at more than a right angle to the toes, seen from the ankle, is a heel; this is the
/// cosine. Angles hold however the foot is turned.
const HEEL_BEHIND: f64 = -0.1;
/// From ankle to the joint where toes begin is 0.17 of a leg, to their tips 0.25. A last joint
/// without a bone of its own is the former when it is nearer than this.
const BALL_OR_TIP: f64 = 0.215;
/// The foot of a body that has none: ahead of and below the ankle, in legs.
const MADE_AHEAD: f64 = 0.17;
const MADE_BELOW: f64 = 0.08;

/// Finds or makes the points of a foot.
pub(crate) fn find(
    cut: &Cut,
    foot: &FlatFoot,
    said: &[Said],
    parent: &dyn Fn(JointId) -> Option<JointId>,
) -> Points {
    let heel_joint = heel_joint(foot, said);
    let toes = toe_joints(cut, foot, heel_joint, said, parent);
    let made_end = cut.leg() * (foot.forward * MADE_AHEAD / BALL - foot.up * MADE_BELOW);
    let end = foot.tip.map_or(made_end, |tip| tip.place);
    let place = match toes.len() {
        0 => on_sole(end * BALL, foot.height(end), foot),
        count => toes.iter().map(|toe| toe.place).sum::<Vec3>() / count as f64,
    };
    let ball = match toes.as_slice() {
        [toe] => toe.point,
        _ => JointPoint { joint: foot.ankle, offset: place },
    };
    Points {
        heel: heel_joint.map_or_else(|| made_heel(foot, place), |heel| heel.point),
        toe: toe_tip(foot, &toes, place, end),
        ball,
        has_foot: foot.tip.is_some(),
    }
}

/// A place moved up or down to a height.
fn on_sole(place: Vec3, height: f64, foot: &FlatFoot) -> Vec3 {
    place + foot.up * (height - foot.height(place))
}

fn made_heel(foot: &FlatFoot, ball: Vec3) -> JointPoint {
    let back = foot.forward * (HEEL * ball.length());
    JointPoint { joint: foot.ankle, offset: on_sole(-back, foot.height(ball), foot) }
}

/// The heel's joint or bone end: one that is called so, else the one farthest behind the ankle.
fn heel_joint(foot: &FlatFoot, said: &[Said]) -> Option<Spot> {
    let toes = foot.tip.map_or(foot.forward, |tip| tip.place.normalize_or_zero());
    let said = |spot: &Spot| said[spot.point.joint.index()];
    let farthest = |a: Spot, b: Spot| if foot.ahead(b.place) < foot.ahead(a.place) { b } else { a };
    let usable = || foot.spots.iter().copied().filter(|spot| !said(spot).helper);
    let named = usable().filter(|spot| said(spot).part == Some(Part::Heel));
    let behind = usable().filter(|spot| {
        said(spot).part != Some(Part::Toe) && spot.place.normalize_or_zero().dot(toes) < HEEL_BEHIND
    });
    named.reduce(farthest).or_else(|| behind.reduce(farthest))
}

/// The joints at which toes begin.
fn toe_joints(
    cut: &Cut,
    foot: &FlatFoot,
    heel: Option<Spot>,
    said: &[Said],
    parent: &dyn Fn(JointId) -> Option<JointId>,
) -> Vec<Spot> {
    let Some(tip) = foot.tip else {
        return Vec::new();
    };
    let length = foot.ahead(tip.place);
    let is_named = |spot: &Spot| {
        let said = said[spot.point.joint.index()];
        said.part == Some(Part::Toe) && !said.tip
    };
    // A foot that hangs in all of the motion points down, not ahead: its toes are known by name.
    let is_far = |spot: &Spot| spot.place.length() > TOE_AHEAD * tip.place.length();
    let is_ahead =
        |spot: &Spot| foot.ahead(spot.place) > TOE_AHEAD * length || is_named(spot) && is_far(spot);
    let is_last = |spot: &Spot| {
        !(foot.spots.iter()).any(|other| {
            let beyond = other.place.distance(spot.place) > 0.05 * length;
            beyond && is_below(other.point.joint, spot.point.joint, parent)
        })
    };
    let is_toe = |spot: &&Spot| {
        let said = said[spot.point.joint.index()];
        let is_tip =
            said.tip || said.part != Some(Part::Toe) && spot.place.length() > BALL_OR_TIP * cut.leg();
        !spot.is_end
            && !said.helper
            && heel.is_none_or(|heel| heel.point.joint != spot.point.joint)
            && is_ahead(spot)
            && !(is_last(spot) && is_tip)
    };
    let mut toes: Vec<Spot> = foot.spots.iter().filter(is_toe).copied().collect();
    if toes.iter().any(is_named) {
        toes.retain(is_named);
    }
    let begins = |spot: &Spot| {
        let joint = spot.point.joint;
        !toes.iter().any(|other| other.point.joint != joint && is_below(joint, other.point.joint, parent))
    };
    toes.iter().copied().filter(begins).collect()
}

/// Whether a joint is `above` or hangs from it.
fn is_below(joint: JointId, above: JointId, parent: &dyn Fn(JointId) -> Option<JointId>) -> bool {
    core::iter::successors(Some(joint), |&joint| parent(joint))
        .take_while(|&joint| joint >= above)
        .any(|joint| joint == above)
}

/// The tip of the toes, on the joint that turns them.
fn toe_tip(foot: &FlatFoot, toes: &[Spot], ball: Vec3, end: Vec3) -> JointPoint {
    // With several toes, the one nearest to the middle stands for all.
    // Of two that are equally near but for rounding, the first in the file.
    let nearest = |a: Spot, b: Spot| {
        if b.place.distance(ball) < 0.999 * a.place.distance(ball) { b } else { a }
    };
    let toe = toes.iter().copied().reduce(nearest);
    let joint = toe.map_or(foot.ankle, |toe| toe.point.joint);
    // A joint of several turns its own bone's end; that is the tip as the file has it.
    let own_end = (foot.spots.iter()).find(|spot| spot.is_end && spot.point.joint == joint);
    if let Some(end) = own_end.filter(|_| toe.is_some()) {
        return end.point;
    }
    let is_beyond = foot.ahead(end) > foot.ahead(ball) + 0.05 * ball.length();
    let made = ball + foot.forward * (TOE * ball.length());
    match (foot.tip, toe) {
        (Some(tip), None) if tip.point.joint != foot.ankle => tip.point,
        _ if is_beyond => foot.on(joint, end),
        _ => foot.on(joint, made),
    }
}
