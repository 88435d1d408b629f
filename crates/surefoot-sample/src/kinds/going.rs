//! Walks, turns, runs, stairs and sneaks: from standing, by the gait's clock, to standing.

use super::{AFTER, BEFORE, beat, still};
use crate::curves::Curve;
use crate::gaits::Gait;
use crate::ground::{Ground, Stairs};
use crate::guide::Guide;
use crate::plan::{self, Part, Plan};
use crate::recipe::{Kind, Recipe};
use surefoot_core::math::PI;

/// Seconds before the first foot leaves at which the body begins to lean into the way.
const LEANS_BEFORE: f64 = 0.35;

pub(super) fn least_seconds(gait: &Gait) -> f64 {
    let (from, to) = under_way(gait, 0.0);
    from - to + gait.speeding_up + gait.slowing_down
}

/// When the body starts to move and when it has come to rest.
fn under_way(gait: &Gait, seconds: f64) -> (f64, f64) {
    let down = gait.duty * gait.cycle;
    // The last foot strikes less than a cycle after the body is where that foot belongs.
    let last_step = gait.cycle - gait.passes * down + gait.flat_after;
    (BEFORE - LEANS_BEFORE, seconds - AFTER - last_step)
}

pub(super) fn plan(recipe: &Recipe, gait: &Gait, parts: &[Part]) -> Plan {
    let (from, to) = under_way(gait, recipe.seconds);
    let mut speed = still().change(from, from + gait.speeding_up, gait.speed).change(
        to - gait.slowing_down,
        to,
        -gait.speed,
    );
    let mut heading = still();
    if recipe.kind == Kind::Turn {
        (heading, speed) = turn(heading, speed, gait, from, to);
    }
    let guide = Guide::new(heading, speed, recipe.seconds);
    let ground = match recipe.kind {
        Kind::Stairs => Ground::Stairs(stairs(gait, &guide, parts[0], to)),
        _ => Ground::Level,
    };
    let foot = |part: &Part| plan::steps(gait, &guide, &ground, *part, BEFORE, to);
    Plan { feet: parts.iter().map(foot).collect(), guide, height: still(), shift: still(), beat: beat(gait) }
}

/// How far the long curve turns to the left, in radians.
const CURVE: f64 = 70.0 * PI / 180.0;
/// How far the corner turns back to the right, in radians.
const CORNER: f64 = -100.0 * PI / 180.0;
/// How much of its speed the body gives up in the corner.
const CORNER_SLOWS: f64 = 0.35;

/// A long curve to the left, then a sharp corner to the right, taken slowly.
fn turn(heading: Curve, speed: Curve, gait: &Gait, from: f64, to: f64) -> (Curve, Curve) {
    let corner = from + 0.62 * (to - from);
    let takes = gait.corner;
    let slower = CORNER_SLOWS * gait.speed;
    let heading = heading.change(from, corner - 0.3 * takes, CURVE).change(
        corner - 0.5 * takes,
        corner + 0.5 * takes,
        CORNER,
    );
    let speed =
        speed.change(corner - 0.8 * takes, corner, -slower).change(corner, corner + 0.8 * takes, slower);
    (heading, speed)
}

/// Stairs that fit the steps: one tread for each step of a walk at full speed.
fn stairs(gait: &Gait, guide: &Guide, part: Part, rest: f64) -> Stairs {
    let tread = gait.stride() / 2.0;
    let full = BEFORE + 2.0 * gait.cycle;
    let middle = plan::print(gait, guide, part, full).spot.z;
    // The foot that stands before the first step must not stand in it.
    let stands = plan::print(gait, guide, part, 0.0).spot.z;
    let treads_before = ((middle - 1.15 * tread - stands) / tread) as usize;
    let first = middle - treads_before as f64 * tread;
    let count = ((guide.place(rest).z - 0.6 * tread - first) / tread) as usize + 1;
    Stairs { first, tread, riser: gait.riser, count: count as f64 }
}
