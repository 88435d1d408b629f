//! Phase 4: how must each leg bend, and stretch?
//!
//! The knee bends about its one axis until hip and ankle are as far apart as the target asks.
//! Near straight, a little more reach costs the knee a great deal of angle, and it pops; there it
//! bends less than asked. And a held foot hands every jitter of hip and capture to the knee. So
//! the knee takes the slow part of what is asked, as a line fitted to the frames around, and the
//! bones take the rest, a few millimetres, by stretching. Then the hip points the ankle at its
//! target, turns about that line to spare the ankle, and the ankle takes what is left.
//!
//! Reads the targets (2) and the root (3); fills in the bend of each held knee, from which the leg's
//! change follows. Leaves legs that are not held alone: phase 5 fades the change into them.

use surefoot_core::math::{PI, exp};
use surefoot_core::{Floor, Quat, Vec3};
use wide::f64x2;

use crate::kinematics::knee_filter::slow;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::rotation::{about_half, between_scaled, of_half, seen_from, turned, twist_about};
use crate::settings::Form;
use crate::setup::{LegSetup, Setup};
use crate::stream::slots::{Change, LegSlot, Seen, Target};
use crate::stream::window::Window;

/// The knee angle above which it is damped, in radians: about 160°, as the paper has it.
///
/// At 160° a centimetre of reach turns an adult's knee by 4°, at 175° by 15°, at 180° without end.
const DAMPED_FROM: f64 = 2.8;

/// The share of the stretch limit that the bones may take of what is asked lastingly; the rest is
/// for what comes and goes.
pub(crate) const BONES: f64 = 0.9;

/// Works out what each held knee is asked to do.
pub(crate) fn ask(window: &mut Window, setup: &Setup, frame: usize) {
    for leg in 0..setup.legs.len() {
        if window.is_held(frame, leg) {
            ask_leg(window, setup, frame, leg);
        }
    }
}

#[inline(never)]
fn ask_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let LegSlot { stance, added, .. } = window.leg(frame, leg);
    let way = stance.way - window.root(frame).unwrap_or(Vec3::ZERO);
    let reach = way.length();
    let bend = asked(&stance.bones, reach, setup.settings.stretch_limit);
    if is_slow(setup) {
        let twist = twist_of(*added, way, reach);
        window.set_bend(frame, leg, f64x2::new([bend, twist]));
    } else {
        window.stance_mut(frame, leg).bend = bend;
    }
}

/// A change of bend, made smaller where the knee is nearly straight.
pub(crate) fn damped(bend: f64, change: f64) -> f64 {
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

/// Whether knees take the slow part only of what is asked. Rigid bones leave them no choice.
fn is_slow(setup: &Setup) -> bool {
    setup.settings.form == Form::Improved && setup.settings.stretch_limit > 0.0
}

/// Works out what each held knee does.
pub(crate) fn bend(window: &mut Window, setup: &Setup, frame: usize) {
    if !is_slow(setup) {
        return;
    }
    for leg in 0..setup.legs.len() {
        if window.is_held(frame, leg) {
            bend_leg(window, setup, frame, leg);
        }
    }
}

#[inline(never)]
fn bend_leg(window: &mut Window, setup: &Setup, frame: usize, leg: usize) {
    let [slow, twist] = slow(window, setup, frame, leg);
    let slot = window.leg_mut(frame, leg);
    slot.stance.bend = short_of_straight(slot.stance.bones.bend, slow, NEARLY_STRAIGHT);
    slot.twist = half(twist);
}

/// Bends, stretches and turns a held leg.
///
/// Worked out when its frame goes out, and for the few frames at the edges of a stance: a change is
/// large, and one for every frame in the window would be all memory.
// In a page to be loaded, once is enough.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(crate) fn changed(slot: &LegSlot, setup: &Setup, leg: usize, root: Vec3) -> Change {
    let (stance, limit) = (&slot.stance, setup.settings.stretch_limit);
    let way = stance.way - root;
    let reach = way.length();
    let mut bent = Bent::new(&slot.seen, stance.bend);
    let mut stretch = reach / bent.reach.max(1e-9) - 1.0;
    if stretch.abs() > limit {
        let (bend, left) = at_limit(&stance.bones, reach, stretch, limit);
        (bent, stretch) = (Bent::new(&slot.seen, bend), left);
    }
    let twist = is_slow(setup).then_some(slot.twist);
    pose_leg(&slot.seen, &setup.legs[leg], &slot.target(), (way, reach), &bent, stretch, twist)
}

/// How far heel or ball of a held foot is below the floor, in metres.
pub(crate) fn depth(window: &Window, floor: &Floor, frame: usize, leg: usize) -> f64 {
    let slot = window.leg(frame, leg);
    let (seen, target) = (&slot.seen, slot.target());
    let height = |point: Vec3| floor.above(target.position + target.added * (point - seen.ankle));
    // A point that is held is where its spot is.
    let spots = slot.plants.spots();
    let heel = spots[0].map_or_else(|| height(seen.heel), |spot| floor.above(spot));
    let ball = spots[1].map_or_else(|| height(seen.ball), |spot| floor.above(spot));
    (-heel.min(ball)).max(0.0)
}

/// How far a foot's added turn turns about the line from hip to ankle, `reach` long: the sine of the angle,
/// less where it turns about other axes too.
///
/// So it is the same for a turn and its negative, and nothing where a turn is too large to say which way
/// round it goes: what is averaged must not jump there.
fn twist_of(added: Quat, way: Vec3, reach: f64) -> f64 {
    // A hip at the ankle has no line.
    if reach < 1e-9 { 0.0 } else { 2.0 * added.w * Vec3::new(added.x, added.y, added.z).dot(way) / reach }
}

/// The sine of half the angle that has this sine.
fn half(sin: f64) -> f64 {
    // A line may lead further than any sine goes.
    let sin = sin.clamp(-1.0, 1.0);
    sin / (2.0 * (1.0 + (1.0 - sin * sin).sqrt())).sqrt()
}

/// The bend, in radians, from which on a knee that straightens is slowed; it stops at half of it.
///
/// Without it, it would go through straight and come back bent the other way: a pop, whichever way one
/// looks at it. Beyond 4° the bones would have to stretch for what the knee no longer does.
pub(crate) const NEARLY_STRAIGHT: f64 = 0.072;

/// A change of bend, kept from straightening the knee past half of `from`. A knee that was captured
/// straighter than that straightens by half of what it has left, and one that was captured backwards
/// goes no further.
pub(crate) fn short_of_straight(bend: f64, change: f64, from: f64) -> f64 {
    let from = from.min(bend);
    let over = bend + change - from;
    if over >= 0.0 {
        return change;
    }
    let room = 0.5 * from;
    // From here it falls as fast as it came, and ever slower.
    if room > 1e-9 { from - room + room * exp(over / room) - bend } else { from - bend }
}

/// The change of bend that a reach asks of a knee, with bones that give a little.
fn asked(bones: &Bones, reach: f64, limit: f64) -> f64 {
    let asked = bones.bend_for(reach) - bones.bend;
    // Rigid bones leave the knee no choice.
    if limit == 0.0 {
        return asked;
    }
    // A knee that is bent enough, before and after, does all of it.
    if bones.bend.min(bones.bend + asked) >= PI - DAMPED_FROM {
        return asked;
    }
    let bend = bones.bend + damped(bones.bend, asked);
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    // As a difference: a knee captured a little backwards is not asked to come round to the front.
    let more = bones.bend_for(reach / (1.0 + limited(left, BONES * limit))) - bend.abs();
    bend + more - bones.bend
}

/// The bend and the stretch of a leg that must stretch by `left`, more than its limit, for this reach:
/// the knee does the rest.
fn at_limit(bones: &Bones, reach: f64, left: f64, limit: f64) -> (f64, f64) {
    let bend = bones.bend_for(reach / (1.0 + limit.copysign(left)));
    let left = reach / bones.reach(bend).max(1e-9) - 1.0;
    // A bend that makes the reach leaves nothing but rounding to be limited.
    (bend - bones.bend, left.clamp(-limit, limit))
}

/// `left`, ever slower up to `limit`; nothing where nothing is allowed.
pub(crate) fn limited(left: f64, limit: f64) -> f64 {
    if limit > 0.0 { left / (1.0 + (left / limit).abs()) } else { 0.0 }
}

/// A leg with its knee bent by more or less than captured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bent {
    /// The change of bend, in radians.
    bend: f64,
    /// The sine and cosine of half of it.
    half: (f64, f64),
    /// The turn of the knee in the world.
    knee: Quat,
    /// Hip to ankle, with bones as captured; and how long that is, in metres.
    ankle: Vec3,
    reach: f64,
}

impl Bent {
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    pub fn new(seen: &Seen, bend: f64) -> Self {
        let half = of_half(bend);
        let knee = about_half(seen.axis, half);
        let ankle = seen.knee - seen.hip + turned(knee, seen.ankle - seen.knee);
        Self { bend, half, knee, ankle, reach: ankle.length() }
    }
}

/// Turns hip and ankle so that the ankle, `way` from the hip and so `reach` from it, meets its target. `twist` is how far
/// the leg turns about its line, if that is known: the sine of half the angle.
#[inline(always)]
pub(crate) fn pose_leg(
    seen: &Seen,
    leg: &LegSetup,
    target: &Target,
    (way, reach): (Vec3, f64),
    bent: &Bent,
    stretch: f64,
    twist: Option<f64>,
) -> Change {
    let pointed = between_scaled(bent.ankle, way, bent.reach * reach);
    // The spare turn about the line from hip to ankle brings the foot as near as it can be.
    let line = if reach > 1e-9 { way * (1.0 / reach) } else { Vec3::Y };
    let twist = match twist {
        Some(sin) => about_half(line, (sin, (1.0 - sin * sin).max(0.0).sqrt())),
        None => twist_about(target.added * (pointed * bent.knee).conjugate(), line),
    };
    let hip = twist * pointed;
    let ankle = (hip * bent.knee).conjugate() * target.added;
    Change {
        turns: [
            seen_from(seen.hip_holder, hip),
            about_half(leg.hinge.axis, bent.half),
            seen_from(seen.ankle_holder, ankle),
        ],
        bend: bent.bend,
        stretch,
        foot: *target,
        slide: (bent.reach * (1.0 + stretch) - reach).abs(),
        depth: 0.0,
        share: 1.0,
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
    fn a_knee_is_not_bent_backwards_by_straightening() {
        for bend in [-0.1, 0.0, 1e-12, 0.01, 0.05, 0.072, 0.1, 0.5] {
            let mut last = f64::INFINITY;
            for n in 0..200 {
                let asked = 0.1 - 0.005 * f64::from(n);
                let after = bend + short_of_straight(bend, asked, NEARLY_STRAIGHT);
                assert!(after >= bend.min(0.0), "{bend} by {asked}: {after}");
                assert!(after <= last, "{bend} by {asked}: {after} after {last}");
                // What leaves it bent enough, or bends it, is done.
                if bend + asked >= NEARLY_STRAIGHT.min(bend) {
                    assert_eq!(after, bend + asked, "{bend} by {asked}");
                }
                last = after;
            }
        }
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
                    let left = reach / bones.reach(bones.bend + slow) - 1.0;
                    let within = left.abs() <= limit;
                    let (bend, stretch) =
                        if within { (slow, left) } else { at_limit(&bones, reach, left, limit) };
                    assert!(stretch.abs() <= limit, "{limit} {reach} {slow}: {stretch}");
                    let made = bones.reach(bones.bend + bend) * (1.0 + stretch);
                    assert!((made - reach).abs() < 1e-12, "{limit} {reach} {slow}: {made}");
                }
            }
        }
    }
}
