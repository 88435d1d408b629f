//! Phase 4: how must each leg bend, and stretch?
//!
//! The knee bends about its one axis until hip and ankle are as far apart as the target asks.
//! Near straight, a little more reach costs the knee a great deal of angle, and it pops; there it
//! bends less than asked. And a held foot hands every jitter of hip and capture to the knee. So
//! the knee takes the slow part of what is asked, as a line fitted to the frames around, and the
//! bones take the rest, a few millimetres, by stretching. Then the hip points the ankle at its
//! target, turns about that line to spare the ankle, and the ankle takes what is left.
//!
//! Reads the targets (2) and the root (3); fills in the change of each held leg. Leaves legs that
//! are not held alone: phase 5 fades the change into them.

use surefoot_core::math::{PI, exp, sincos};
use surefoot_core::{Floor, Quat, Vec3};

use super::turn::{between, twist_about};
use crate::hinge::Bones;
use crate::settings::Form;
use crate::setup::{LegSetup, Setup};
use crate::window::{Change, LegSlot, Seen, Target, Window};

/// The knee angle above which it is damped, in radians: about 160°, as the paper has it.
///
/// At 160° a centimetre of reach turns an adult's knee by 4°, at 175° by 15°, at 180° without end.
const DAMPED_FROM: f64 = 2.8;

/// The share of the stretch limit that the bones may take of what is asked lastingly; the rest is
/// for what comes and goes.
const BONES: f64 = 0.9;

/// Works out what each held knee is asked to do.
pub(crate) fn ask(window: &mut Window, setup: &Setup, frame: usize) {
    let root = window.slot(frame).root.unwrap_or(Vec3::ZERO);
    for leg in 0..setup.legs.len() {
        let slot = window.leg(frame, leg);
        let Some(target) = slot.target else { continue };
        let bones = slot.bones;
        let reach = (target.position - slot.seen.hip - root).length();
        let bend = asked(&bones, reach, setup.settings.stretch);
        window.leg_mut(frame, leg).reach = reach;
        window.set_bend(frame, leg, bend);
    }
}

/// A change of bend, made smaller where the knee is nearly straight.
pub(super) fn damped(bend: f64, change: f64) -> f64 {
    let angle = PI - bend;
    undamped_part(angle) - undamped_part(angle - change)
}

/// The integral of the damping weight over the knee angle, from 0.
fn undamped_part(angle: f64) -> f64 {
    if angle <= DAMPED_FROM {
        return angle;
    }
    let room = PI - DAMPED_FROM;
    let u = ((angle - DAMPED_FROM) / room).min(1.0);
    DAMPED_FROM + room * (u * u * u * (0.5 * u - 1.0) + u)
}

/// Bends, stretches and turns each held leg.
pub(crate) fn bend(window: &mut Window, setup: &Setup, frame: usize) {
    let root = window.slot(frame).root.unwrap_or(Vec3::ZERO);
    for leg in 0..setup.legs.len() {
        let slot = window.leg(frame, leg);
        let change = slot.target.map(|target| {
            let slow = match setup.settings.form {
                Form::Cured if setup.settings.stretch > 0.0 => {
                    let slow = slow_bend(window, setup, frame, leg);
                    short_of_straight(slot.bones.bend, slow, SHORT_OF_STRAIGHT)
                }
                _ => bend_asked(window, frame, leg),
            };
            let (bend, stretch) = share(&slot.bones, slot.reach, slow, setup.settings.stretch);
            let own = &window.slot(frame).pose.rotations[setup.legs[leg].leg.knee.index()];
            let depth = setup.floor.as_ref().map_or(0.0, |floor| depth(slot, &target, floor));
            pose_leg(&slot.seen, &setup.legs[leg], own, target, root, [bend, stretch, depth, 1.0])
        });
        window.leg_mut(frame, leg).change = change;
    }
}

/// How far heel or ball of a held foot is below the floor, in metres.
fn depth(slot: &LegSlot, foot: &Target, floor: &Floor) -> f64 {
    let turned = foot.turn * slot.seen.ankle_turn.conjugate();
    let height = |point: Vec3| floor.above(foot.position + turned * (point - slot.seen.ankle));
    // A point that is held is where its spot is.
    let heel = slot.spots[0].map_or_else(|| height(slot.seen.heel), |spot| floor.above(spot));
    let ball = slot.spots[1].map_or_else(|| height(slot.seen.ball), |spot| floor.above(spot));
    (-heel.min(ball)).max(0.0)
}

/// The change of bend asked of a knee.
fn bend_asked(window: &Window, frame: usize, leg: usize) -> f64 {
    window.bends(leg, frame..frame + 1)[0]
}

/// The slow part of the bends asked for: a line fitted to the stance around this frame.
///
/// A line, so that it holds at the edges of the stance too, where there are frames on one side.
fn slow_bend(window: &Window, setup: &Setup, frame: usize, leg: usize) -> f64 {
    let range = window.around(5, frame, setup.frames.knee.frames);
    let start = range.start.max(frame + 1 - window.leg(frame, leg).held_for);
    let last = range.end - 1;
    let is_held_throughout = window.leg(last, leg).held_for > last - frame;
    let end = match is_held_throughout {
        true => range.end,
        false => (frame..range.end).find(|&at| window.leg(at, leg).held_for == 0).unwrap_or(range.end),
    };
    let knee = &setup.knee;
    let bends = window.bends(leg, start..end);
    let (first, last) = (start + setup.frames.knee.frames - frame, end + setup.frames.knee.frames - frame);
    // In the midst of a stance, with as many frames on either side, the line's slope does not
    // matter: it is the mean.
    if bends.len() == knee.weights.len() {
        let sum: f64 = bends.iter().zip(&knee.weights).map(|(bend, (weight, _))| bend * weight).sum();
        return sum / knee.sums[bends.len()][0];
    }
    let (mut b0, mut b1) = (0.0, 0.0);
    for (bend, (weight, along)) in bends.iter().zip(&knee.weights[first..last]) {
        b0 += weight * bend;
        b1 += along * bend;
    }
    let [s0, s1, s2] = core::array::from_fn(|n| knee.sums[last][n] - knee.sums[first][n]);
    let spread = s0 * s2 - s1 * s1;
    // One frame makes no line.
    if spread < 1e-9 { b0 / s0 } else { (b0 * s2 - b1 * s1) / spread }
}

/// The bend, in radians, that a straightened knee stops short of.
///
/// At 0 it would go through straight and come back bent the other way: a pop, whichever way one
/// looks at it. Beyond 2° the bones would have to stretch for what the knee no longer does.
pub(super) const SHORT_OF_STRAIGHT: f64 = 0.027;

/// A change of bend, kept from straightening the knee past `least`. What was captured straighter
/// stays so.
pub(super) fn short_of_straight(bend: f64, change: f64, least: f64) -> f64 {
    let least = least.min(bend - SHORT_OF_STRAIGHT);
    let over = bend + change - least - SHORT_OF_STRAIGHT;
    if over >= 0.0 { change } else { least + SHORT_OF_STRAIGHT * exp(over / SHORT_OF_STRAIGHT) - bend }
}

/// The change of bend that a reach asks of a knee, with bones that give a little.
fn asked(bones: &Bones, reach: f64, limit: f64) -> f64 {
    let asked = bones.bend_for(reach) - bones.bend;
    // Rigid bones leave the knee no choice.
    if limit == 0.0 {
        return asked;
    }
    let bend = bones.bend + damped(bones.bend, asked);
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    // As a difference: a knee captured a little backwards is not asked to come round to the front.
    let more = bones.bend_for(reach / (1.0 + limited(left, BONES * limit))) - bend.abs();
    bend + more - bones.bend
}

/// Shares the reach between knee and bones: the change of bend, and the bones' change of length.
fn share(bones: &Bones, reach: f64, slow: f64, limit: f64) -> (f64, f64) {
    let left = reach / bones.reach(bones.bend + slow).max(1e-9) - 1.0;
    if left.abs() <= limit {
        return (slow, left);
    }
    let bend = bones.bend_for(reach / (1.0 + limit.copysign(left)));
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    // A bend that makes the reach leaves nothing but rounding to be limited.
    (bend - bones.bend, left.clamp(-limit, limit))
}

/// `left`, ever slower up to `limit`; nothing where nothing is allowed.
pub(super) fn limited(left: f64, limit: f64) -> f64 {
    if limit > 0.0 { left / (1.0 + (left / limit).abs()) } else { 0.0 }
}

/// Turns hip and ankle so that the ankle meets its target. `own` is the knee's own rotation.
pub(super) fn pose_leg(
    seen: &Seen,
    leg: &LegSetup,
    own: &Quat,
    target: Target,
    root: Vec3,
    [bend, stretch, depth, share]: [f64; 4],
) -> Change {
    let (sin, cos) = sincos(bend * 0.5);
    let turn = |axis: Vec3| Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos);
    let knee = turn(seen.axis);
    let ankle = (seen.knee - seen.hip + knee * (seen.ankle - seen.knee)) * (1.0 + stretch);
    let wanted = target.position - seen.hip - root;
    let pointed = between(ankle, wanted);
    let shin = pointed * knee;
    // The spare turn about the line from hip to ankle brings the foot as near as it can be.
    let line = wanted.normalize_or(Vec3::Y);
    let twist = twist_about(target.turn * (shin * seen.ankle_turn).conjugate(), line);
    let holder = twist * shin * seen.ankle_holder;
    Change {
        rotations: [
            seen.hip_holder.conjugate() * (twist * pointed * seen.hip_turn),
            turn(leg.hinge.axis) * *own,
            holder.conjugate() * target.turn,
        ],
        bend,
        stretch,
        foot: target,
        slide: (ankle.length() - wanted.length()).abs(),
        depth,
        share,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math;

    /// The weight of equation 10.
    fn weight(angle: f64) -> f64 {
        math::fade((angle - DAMPED_FROM) / (PI - DAMPED_FROM))
    }

    #[test]
    fn damping_is_the_integral_of_its_weight() {
        const STEPS: usize = 20_000;
        for from in [-0.2, 0.0, 0.05, 0.3, 0.34, 0.5, 1.5, 3.0] {
            for change in [-0.6, -0.3, -0.1, 0.01, 0.2, 1.0] {
                // Bends go down as knee angles go up.
                let angle = |n: f64| PI - (from + change * n / STEPS as f64);
                let sum: f64 = (0..STEPS).map(|n| weight(angle(n as f64 + 0.5))).sum();
                let integral = sum * change / STEPS as f64;
                assert!((damped(from, change) - integral).abs() < 1e-8, "{from} {change}");
            }
        }
    }

    #[test]
    fn a_damped_knee_never_straightens_past_straight() {
        for from in [0.01, 0.1, 0.3, 1.0] {
            let after = from + damped(from, -from);
            assert!(after > 0.0, "{from} to {after}");
        }
        assert_eq!(damped(1.0, 0.5), 0.5);
        assert_eq!(damped(0.2, 0.0), 0.0);
    }

    #[test]
    fn what_is_limited_is_never_over_its_limit_and_small_parts_pass() {
        for left in [-10.0, -0.1, -1e-6, 0.0, 1e-6, 0.02, 5.0] {
            assert!(limited(left, 0.03).abs() <= 0.03);
            assert_eq!(limited(left, 0.0), 0.0);
            assert_eq!(limited(left, f64::INFINITY), left);
        }
        assert!((limited(1e-6, 0.03) / 1e-6 - 1.0).abs() < 1e-4);
    }

    #[test]
    fn knee_and_bones_together_make_the_reach() {
        let bones = Bones::new(Vec3::new(0.0, -0.42, 0.03), Vec3::new(0.02, -0.4, -0.05), Vec3::X);
        for limit in [0.0, 0.01, 0.03, 0.2] {
            for reach in [0.2, 0.5, 0.8, 0.81, 0.815] {
                for slow in [-0.4, -0.1, 0.0, 0.05, 0.6] {
                    let (bend, stretch) = share(&bones, reach, slow, limit);
                    assert!(stretch.abs() <= limit, "{limit} {reach} {slow}: {stretch}");
                    let made = bones.reach(bones.bend + bend) * (1.0 + stretch);
                    assert!((made - reach).abs() < 1e-12, "{limit} {reach} {slow}: {made}");
                }
            }
        }
    }
}
