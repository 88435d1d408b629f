//! Jumping: down, up, off, through the air, down and up again; all feet at once.

use super::{AFTER, BEFORE, beat, still};
use crate::curves::Curve;
use crate::feet::{Foot, Step};
use crate::gaits::Gait;
use crate::guide::Guide;
use crate::plan::{self, Part, Plan};
use crate::recipe::Recipe;

/// Seconds from one jump to the next.
const PERIOD: f64 = 2.6;
/// When each part of a jump is over, in seconds from its start.
const CROUCHED: f64 = 0.60;
const TOP: f64 = 1.06;
const SUNK: f64 = 1.60;
const UP_AGAIN: f64 = 2.40;
/// How much earlier a foot leaves and lands for each metre it is in front, in seconds.
const EARLIER: f64 = 0.2;
/// When the heels and the toes leave and the balls and the heels land.
const HEEL_OFF: f64 = 0.56;
const TOE_OFF: f64 = 0.79;
const STRIKE: f64 = 1.31;
const FLAT: f64 = 1.41;

pub(super) fn least_seconds() -> f64 {
    BEFORE + UP_AGAIN + AFTER
}

pub(super) fn plan(recipe: &Recipe, gait: &Gait, parts: &[Part]) -> Plan {
    let jumps = ((recipe.seconds - AFTER - BEFORE - UP_AGAIN) / PERIOD) as usize + 1;
    let starts: Vec<f64> = (0..jumps).map(|k| BEFORE + k as f64 * PERIOD).collect();
    let guide = Guide::new(still(), forward(gait, &starts), recipe.seconds);
    let foot = |part: &Part| steps(gait, &guide, *part, &starts);
    Plan {
        feet: parts.iter().map(foot).collect(),
        height: height(gait, &starts),
        guide,
        shift: still(),
        beat: beat(gait),
    }
}

/// The body gathers its speed as it pushes off and loses it as it sinks.
fn forward(gait: &Gait, starts: &[f64]) -> Curve {
    starts.iter().fold(still(), |speed, start| {
        speed.change(start + 0.5, start + 0.95, gait.speed).change(start + STRIKE, start + SUNK, -gait.speed)
    })
}

/// Rises of half a second and half a metre end at about −g, as a body in the air does.
fn height(gait: &Gait, starts: &[f64]) -> Curve {
    let (crouch, top) = (gait.crouch, gait.crouch * 0.6);
    starts.iter().fold(still(), |height, start| {
        height
            .change(*start, start + CROUCHED, -crouch)
            .change(start + CROUCHED - 0.1, start + TOP, crouch + top)
            .change(start + TOP, start + SUNK, -crouch - top)
            .change(start + SUNK - 0.1, start + UP_AGAIN, crouch)
    })
}

fn steps(gait: &Gait, guide: &Guide, part: Part, starts: &[f64]) -> Foot {
    let first = plan::print(gait, guide, part, 0.0);
    let mut from = first;
    // Front feet leave and land before hind ones.
    let early = EARLIER * part.ahead;
    let step = |start: &f64| {
        let start = start - early;
        let to = plan::print(gait, guide, part, start + UP_AGAIN);
        let step = Step {
            heel_off: start + HEEL_OFF,
            toe_off: start + TOE_OFF,
            strike: start + STRIKE,
            flat: start + FLAT,
            push: gait.push,
            land: gait.land,
            carry: gait.carry,
            from,
            to,
        };
        from = to;
        step
    };
    Foot { first, steps: starts.iter().map(step).collect() }
}
