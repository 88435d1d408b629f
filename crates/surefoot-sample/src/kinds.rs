//! What does each kind of motion do, and when?

use crate::bodies::human::{Human, Toes};
use crate::curves::Curve;
use crate::feet::Foot;
use crate::gaits::{self, Gait, Manner};
use crate::guide::Guide;
use crate::noise::Random;
use crate::person::{Beat, Person, Restless};
use crate::plan::{self, Part};
use crate::recipe::{Body, Kind, Recipe};

/// Seconds of standing before the first foot leaves.
const BEFORE: f64 = 0.5;
/// Seconds of standing after the last foot is flat.
const AFTER: f64 = 0.3;

/// The shortest a kind can be, in seconds.
pub(crate) fn least_seconds(kind: Kind) -> f64 {
    match kind {
        Kind::Stand => 0.1,
        _ => {
            let gait = &gaits::WALK;
            let (from, to) = times(gait, 0.0);
            gait.speeding_up + gait.slowing_down + from - to
        }
    }
}

/// When the guide starts and when it has stopped.
fn times(gait: &Gait, seconds: f64) -> (f64, f64) {
    let down = gait.duty * gait.cycle;
    let from = BEFORE - 0.35;
    // The last foot strikes less than a cycle after the body is over its print.
    let last = gait.cycle - gait.passes * down + gait.flat_after;
    (from, seconds - AFTER - last)
}

/// A person who does what the recipe says.
pub(crate) fn person(recipe: &Recipe) -> Person {
    match recipe.kind {
        Kind::Stand => standing(recipe),
        _ => walking(recipe, &gaits::WALK, gaits::WALKING),
    }
}

fn human(recipe: &Recipe) -> Human {
    Human::new(match recipe.body {
        Body::NoToe => Toes::None,
        _ => Toes::Jointed,
    })
}

fn walking(recipe: &Recipe, gait: &Gait, manner: Manner) -> Person {
    let (from, to) = times(gait, recipe.seconds);
    let speed = Curve::starting_at(0.0)
        .change(from, from + gait.speeding_up, gait.speed)
        .change(to - gait.slowing_down, to, -gait.speed);
    let guide = Guide::new(Curve::starting_at(0.0), speed, recipe.seconds);
    let foot = |side: f64, phase: f64| {
        let part = Part {
            side,
            ahead: 0.0,
            phase,
        };
        plan::steps(gait, &guide, part, BEFORE, to)
    };
    let feet = [foot(1.0, 0.0), foot(-1.0, 0.5)];
    with_feet(recipe, manner, gait, guide, feet, Curve::starting_at(0.0))
}

fn with_feet(
    recipe: &Recipe,
    manner: Manner,
    gait: &Gait,
    guide: Guide,
    feet: [Foot; 2],
    shift: Curve,
) -> Person {
    let human = human(recipe);
    let leg = &human.legs[0];
    let straight = leg.length() + leg.foot.ankle_height() - leg.hip_in_girdle.y;
    Person {
        hips: Curve::starting_at(manner.hips * straight),
        human,
        manner,
        guide,
        feet,
        shift,
        beat: Beat {
            strike: BEFORE + (1.0 - gait.duty) * gait.cycle,
            period: gait.cycle / 2.0,
            speed: gait.speed,
        },
        restless: Restless::new(recipe.seed),
    }
}

fn standing(recipe: &Recipe) -> Person {
    let still = Curve::starting_at(0.0);
    let guide = Guide::new(still.clone(), still.clone(), recipe.seconds);
    let foot = |side: f64| {
        let part = Part {
            side,
            ahead: 0.0,
            phase: 0.0,
        };
        plan::steps(&gaits::STAND, &guide, part, 0.0, 0.0)
    };
    let feet = [foot(1.0), foot(-1.0)];
    let mut random = Random::new(recipe.seed, 2);
    let mut shift = still.clone();
    let (mut time, mut side) = (random.between(0.2, 1.0), 0.0);
    while time < recipe.seconds {
        // To the other side, but never twice as far.
        let next = if side > 0.0 { -1.0 } else { 1.0 } * random.between(0.4, 1.0);
        let takes = random.between(0.9, 1.6);
        shift = shift.change(time, time + takes, next - side);
        side = next;
        time += takes + random.between(0.3, 2.0);
    }
    with_feet(recipe, gaits::STANDING, &gaits::STAND, guide, feet, shift)
}
