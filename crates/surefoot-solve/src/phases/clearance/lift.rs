//! The end of phase 5: what is below the floor comes up.
//!
//! A foot that is not held is lifted by the least that brings heel and ball out of the floor, and
//! its leg bends for it. Only as far as the leg is changed at all: what no plant reaches stays as captured.

use surefoot_core::{Floor, Quat, Vec3};

use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::rotation::{
    about_half, between, between_scaled, exp, in_world, of_half, raised, seen_from, turned,
};
use crate::phases::legs::{damped, limited};
use crate::setup::LegSetup;
use crate::stream::slots::{Change, Parts, Seen, Target};

/// The change that these parts make of a leg. The knee's `bend` may be another than theirs: then the hip
/// turns so that the ankle stays in line, and the foot as it was.
pub(crate) fn made(
    seen: &Seen,
    leg: &LegSetup,
    root: Vec3,
    parts: &Parts,
    [bend, depth, share]: [f64; 3],
) -> Change {
    let (thigh, shin) = (seen.knee - seen.hip, seen.ankle - seen.knee);
    let (mut hip, mut ankle) = (exp(parts.hip), exp(parts.ankle));
    let mut half = of_half(parts.bend);
    let knee = about_half(seen.axis, half);
    let mut reach = thigh + turned(knee, shin);
    let mut hip_turn = in_world(seen.hip_holder, hip);
    let added = hip_turn * knee * in_world(seen.ankle_holder, ankle);
    if bend != parts.bend {
        half = of_half(bend);
        let rebent = about_half(seen.axis, half);
        let instead = thigh + turned(rebent, shin);
        hip_turn *= between(instead, reach);
        reach = instead;
        hip = seen_from(seen.hip_holder, hip_turn);
        ankle = seen_from(seen.ankle_holder, (hip_turn * rebent).conjugate() * added);
    }
    let position = seen.hip + root + turned(hip_turn, reach) * (1.0 + parts.stretch);
    Change {
        turns: [hip, about_half(leg.hinge.axis, half), ankle],
        bend,
        stretch: parts.stretch,
        foot: Target { position, added },
        slide: 0.0,
        depth,
        share,
    }
}

/// What of a lift that frames around need is due at a frame already, or still.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Due {
    /// How far up the foot goes, in metres: the leg swings for as much of it as it does not lie along it.
    pub height: f64,
    /// What is added to the knee's bend, in radians.
    pub bend: f64,
    /// What is added to the bones' length, as a fraction: nothing or less.
    pub stretch: f64,
}

/// Changes a leg so that its free foot comes out of the floor, `share` of the way.
///
/// As far as the foot can turn one end up without the other going down into the floor, it does; a
/// knee that lifts every toe that drags would jerk. The rest the leg lifts.
#[allow(clippy::too_many_arguments)]
pub(crate) fn lift_out(
    change: &mut Change,
    seen: &Seen,
    leg: &LegSetup,
    floor: &Floor,
    root: Vec3,
    [limit, soft]: [f64; 2],
    due: impl FnOnce(&Change, [f64; 2]) -> Due,
) {
    let now = &change.foot;
    let (heel, ball) = (turned(now.added, seen.heel - seen.ankle), turned(now.added, seen.ball - seen.ankle));
    // A foot that comes from a plant below the floor leaves it as slowly as it leaves the plant.
    let height = |arm: Vec3| floor.above(now.position + arm) + change.depth;
    let (of_heel, of_ball) = (height(heel), height(ball));
    let due = due(change, [of_heel, of_ball]);
    if of_heel.min(of_ball) >= soft - 1e-12 && due == Due::default() {
        return;
    }
    let arms = if of_heel < of_ball { (heel, ball) } else { (ball, heel) };
    *change = lift(seen, leg, floor, root, change, [limit, soft], due, arms);
}

/// How far a foot's low end is raised by turning it about the ankle, its ends so far from there and so high,
/// and how far down the high end goes for that.
///
/// Turning raises the one and lowers the other, by as much as each is out from the ankle.
fn turned_up([low, high]: [Vec3; 2], heights: [f64; 2], up: Vec3, soft: f64) -> (f64, f64) {
    let missing = missing(heights[0], soft);
    if missing <= 0.0 || heights[1] <= 0.0 {
        return (0.0, 0.0);
    }
    let out_squared = |arm: Vec3| (arm - up * arm.dot(up)).length_squared().max(1e-12);
    let ratio = (out_squared(low) / out_squared(high)).sqrt();
    // An end below the ankle is hardly raised by any turn: a heel so would throw the toes down.
    let lever_squared = out_squared(low) / low.length_squared().max(1e-12);
    let raise = missing.min(heights[1] * ratio.min(MOST_LEVER)) * lever_squared;
    (raise, raise / ratio)
}

/// By how much a foot is lifted whose low and high end are so far from the ankle and so high, beyond what it turns.
pub(crate) fn lifted_by(arms: [Vec3; 2], heights: [f64; 2], up: Vec3, soft: f64) -> f64 {
    let (raised, lowered) = turned_up(arms, heights, up, soft);
    missing((heights[0] + raised).min(heights[1] - lowered), soft)
}

/// How a leg, changed already, comes to another reach: what is added to its bend, and its stretch.
///
/// Knee and bones share it as in phase 4. The bend is taken as a difference, so that a lift of nothing
/// changes nothing, whichever way the knee is bent.
pub(crate) fn reached(bones: &Bones, change: &Change, was: f64, reach: f64, limit: f64) -> (f64, f64) {
    let longer = 1.0 + change.stretch;
    let by = reach / was.max(1e-9) - 1.0;
    let room = limit - change.stretch.copysign(change.stretch * by);
    let shorter = longer * (1.0 + limited(by, room / longer));
    let bent = bones.bend + change.bend;
    let more = bones.bend_for(reach / shorter) - bones.bend_for(was / longer);
    let more = if limit > 0.0 { damped(bent, more) } else { more };
    (more, (reach / bones.reach(bent + more).max(1e-9) - 1.0).clamp(-limit, limit))
}

/// From this height on a foot that comes down is slowed, in metres, so that it does not stop dead where
/// it meets the floor. Next to a plant from no height: the plant's own frames are not slowed, and a foot would hop off it
/// by a quarter of this.
pub(crate) const SOFT: f64 = 0.006;

/// By how much a point at this height is to be raised: out of the floor, or a little above it.
pub(crate) fn missing(height: f64, soft: f64) -> f64 {
    if height.abs() >= soft {
        return (-height).max(0.0);
    }
    let over = height + soft;
    over * over / (4.0 * soft) - height
}

/// How much more one end is raised by a turn than the other is lowered, at most. A heel right under the
/// ankle is lowered by next to nothing, and where it stops at the floor the leg would have to take over
/// from one frame to the next.
const MOST_LEVER: f64 = 1.5;

/// The same for a foot that is in the floor, `low` deeper than `high`. Few are: kept out of the way.
#[cold]
#[inline(never)]
#[allow(clippy::too_many_arguments)]
fn lift(
    seen: &Seen,
    leg: &LegSetup,
    floor: &Floor,
    root: Vec3,
    change: &Change,
    [limit, soft]: [f64; 2],
    due: Due,
    (low, high): (Vec3, Vec3),
) -> Change {
    let now = change.foot;
    let height = |arm: Vec3| floor.above(now.position + arm) + change.depth;
    let own = || missing(floor.above(seen.heel).min(floor.above(seen.ball)) + change.depth, soft);
    let heights = [height(low), height(high)];
    let deep = missing(heights[0].min(heights[1]), soft);
    let share = lift_share(change, deep, own);
    let up = floor.plane_under(now.position + low).normal;
    let (raise, _) = turned_up([low, high], heights, up, soft);
    let turn = raised(low, up, low.dot(up) + raise * share);
    let depth = match turn == Quat::IDENTITY {
        true => deep,
        false => missing(height(turned(turn, low)).min(height(turned(turn, high))), soft),
    };
    let position = now.position + up * (depth * share).max(0.0);
    let position = match floor.as_plane() {
        Some(_) => position,
        None => over_ground(floor, position, [turn * low, turn * high], depth.max(0.0) * (1.0 - share)),
    };
    let hip = seen.hip + root;
    let bones = seen.bones();
    let way = position - hip;
    let (more, stretch) = match position == now.position {
        true => (0.0, change.stretch),
        false => reached(&bones, change, (now.position - hip).length(), way.length(), limit),
    };
    let (bends, shrinks) = (more.max(due.bend), stretch.min(change.stretch + due.stretch));
    let way = match (bends, shrinks) != (more, stretch) || due.height > depth * share {
        true => {
            let towards = way + up * (due.height - depth * share).max(0.0);
            let reach = bones.reach(bones.bend + change.bend + bends) * (1.0 + shrinks);
            towards * (reach / towards.length().max(1e-9))
        }
        false => way,
    };
    let target = Target { position: hip + way, added: turn * now.added };
    posed(seen, leg, change, &target, way, [bends, shrinks])
}

/// A changed leg whose knee bends by more and whose bones come to another length, its ankle `way` from the hip.
///
/// The hip turns the shortest way from where it was: what is not lifted does not turn, and a leg that
/// turned about its own line to spare the ankle would throw its knee aside.
fn posed(
    seen: &Seen,
    leg: &LegSetup,
    change: &Change,
    target: &Target,
    way: Vec3,
    [more, stretch]: [f64; 2],
) -> Change {
    let bend = change.bend + more;
    let half = of_half(bend);
    let knee = about_half(seen.axis, half);
    let before = in_world(seen.hip_holder, change.turns[0]);
    let reach = turned(before, seen.knee - seen.hip + turned(knee, seen.ankle - seen.knee));
    let (long, far) = (reach.length(), way.length());
    let hip = between_scaled(reach, way, long * far) * before;
    let ankle = (hip * knee).conjugate() * target.added;
    Change {
        turns: [
            seen_from(seen.hip_holder, hip),
            about_half(leg.hinge.axis, half),
            seen_from(seen.ankle_holder, ankle),
        ],
        bend,
        stretch,
        foot: *target,
        slide: (long * (1.0 + stretch) - far).abs(),
        ..*change
    }
}

/// A place straight above this one, from which neither arm ends deeper than `left` in the ground.
///
/// A foot that is lifted out of a slope comes to be over other ground.
#[cold]
#[inline(never)]
fn over_ground(floor: &Floor, position: Vec3, arms: [Vec3; 2], left: f64) -> Vec3 {
    let deep = |arm: Vec3| {
        let plane = floor.plane_under(position + arm);
        -(plane.above(position + arm) + left) / plane.normal.y
    };
    position + Vec3::Y * deep(arms[0]).max(deep(arms[1])).max(0.0)
}

/// How much is done of a lift of `all`, of a foot that as captured would be lifted by `own`.
///
/// All of it as soon as a third of the leg's change is left: a foot half out of the floor is no use, but where the
/// change begins it must begin at nothing. But what is not the capture's own, all of that is done: no foot comes to
/// be deeper in the floor since the root is moved, or by no more than 1.5 mm, a quarter of what it is slowed from:
/// without that it would go from being held out of the floor to its own way into it at once.
pub(crate) fn lift_share(change: &Change, all: f64, own: impl FnOnce() -> f64) -> f64 {
    let share = 3.0 * change.share;
    if share >= 1.0 {
        return 1.0;
    }
    let own = own();
    if all > own { 1.0 - (1.0 - share) * (own / all) } else { share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn arm() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.3..0.3f64).prop_map(Vec3::from_array)
    }

    proptest! {
        #[test]
        fn no_foot_is_lifted_by_more_than_it_is_deep(
            arms in [arm(), arm()],
            low in -0.1..0.02f64,
            more in 0.0..0.2f64,
            soft in prop::sample::select(vec![0.0, 0.001, SOFT]),
        ) {
            let lifted = lifted_by(arms, [low, low + more], Vec3::Y, soft);
            prop_assert!((0.0..=missing(low, soft) + 1e-15).contains(&lifted), "{lifted}, {low} deep");
        }

        #[test]
        fn what_raises_one_end_takes_the_other_no_further_than_to_the_floor(
            arms in [arm(), arm()],
            low in -0.1..0.02f64,
            more in 0.0..0.2f64,
        ) {
            let (raised, lowered) = turned_up(arms, [low, low + more], Vec3::Y, SOFT);
            prop_assert!(raised >= 0.0 && lowered >= 0.0);
            prop_assert!(low + more - lowered >= (low + more).min(0.0) - 1e-15);
        }
    }
}
