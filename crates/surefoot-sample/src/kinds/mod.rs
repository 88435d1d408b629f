//! What does each kind of motion do, and when? From a recipe to a plan.

mod going;
mod jump;
mod stand;

use crate::curves::Curve;
use crate::gaits::Gait;
use crate::plan::{Beat, Part, Plan};
use crate::recipe::{Kind, Recipe};

/// Seconds of standing before the first foot leaves.
const BEFORE: f64 = 0.5;
/// Seconds of standing after the last foot is flat.
const AFTER: f64 = 0.3;

/// The shortest a kind can be, in seconds.
pub(crate) fn least_seconds(kind: Kind, gait: &Gait) -> f64 {
    match kind {
        Kind::Stand => 0.1,
        Kind::Jump => jump::least_seconds(),
        _ => going::least_seconds(gait),
    }
}

/// What each leg of a body is to do.
pub(crate) fn plan(recipe: &Recipe, gait: &Gait, parts: &[Part]) -> Plan {
    match recipe.kind {
        Kind::Stand => stand::plan(recipe, gait, parts),
        Kind::Jump => jump::plan(recipe, gait, parts),
        _ => going::plan(recipe, gait, parts),
    }
}

fn still() -> Curve {
    Curve::starting_at(0.0)
}

fn beat(gait: &Gait) -> Beat {
    Beat { strike: BEFORE + (1.0 - gait.duty) * gait.cycle, period: gait.cycle / 2.0, speed: gait.speed }
}
