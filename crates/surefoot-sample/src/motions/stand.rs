//! Standing: the feet stay and the weight shifts.

use super::{STAND_BEFORE, zero};
use crate::curves::Curve;
use crate::feet::Foot;
use crate::gaits::Gait;
use crate::random::Random;
use crate::recipe::Recipe;
use crate::root_path::RootPath;
use crate::step_plan::{LegRole, MotionPlan, StepRhythm, footprint_at};

pub(super) fn plan(recipe: &Recipe, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    let path = RootPath::new(zero(), zero(), recipe.seconds);
    let foot = |leg: &LegRole| Foot { first: footprint_at(gait, &path, *leg, 0.0), steps: Vec::new() };
    MotionPlan {
        feet: legs.iter().map(foot).collect(),
        path,
        height: zero(),
        weight_shift: weight_shift(recipe),
        rhythm: StepRhythm::new(gait, STAND_BEFORE),
    }
}

/// Shifts from one leg to the other and back at random times.
fn weight_shift(recipe: &Recipe) -> Curve {
    let mut random = Random::new(recipe.seed, 2);
    let mut shift = zero();
    let (mut time, mut weight) = (random.between(0.2, 1.0), 0.0);
    while time < recipe.seconds {
        let other_side = if weight > 0.0 { -1.0 } else { 1.0 };
        let next = other_side * random.between(0.4, 1.0);
        let duration = random.between(0.9, 1.6);
        shift = shift.change(time, time + duration, next - weight);
        weight = next;
        time += duration + random.between(0.3, 2.0);
    }
    shift
}
