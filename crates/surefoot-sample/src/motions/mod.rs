//! From a recipe to the plan of its kind of motion.

mod jump;
pub(crate) mod locomotion;
mod one_foot;
mod stand;

use crate::carriage;
use crate::curves::Curve;
use crate::gaits::Gait;
use crate::recipe::{Kind, Recipe};
use crate::step_plan::{LegRole, MotionPlan};

/// Time of standing before the first foot leaves, in seconds.
const STAND_BEFORE: f64 = 0.5;
/// Time of standing after the last foot is flat, in seconds.
const STAND_AFTER: f64 = 0.3;

/// The shortest motion of a kind, in seconds.
pub(crate) fn min_seconds(kind: Kind, gait: &Gait) -> f64 {
    match kind {
        Kind::Stand => 0.1,
        Kind::Lift | Kind::Platform => carriage::MIN_SECONDS,
        Kind::Drag | Kind::Kick => one_foot::min_seconds(kind),
        Kind::Jump => jump::min_seconds(),
        _ => locomotion::min_seconds(kind, gait),
    }
}

/// Plans the motion of a body with these legs.
pub(crate) fn plan(recipe: &Recipe, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    match recipe.kind {
        Kind::Stand | Kind::Lift | Kind::Platform => stand::plan(recipe, gait, legs),
        Kind::Drag | Kind::Kick => one_foot::plan(recipe, gait, legs),
        Kind::Jump => jump::plan(recipe, gait, legs),
        Kind::Walk => locomotion::plan_straight(recipe.seconds, gait, legs),
        _ => locomotion::plan(recipe, gait, legs),
    }
}

fn zero() -> Curve {
    Curve::constant(0.0)
}
