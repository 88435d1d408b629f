//! Standing: the feet stay, the weight does not.

use super::{beat, still};
use crate::curves::Curve;
use crate::feet::Foot;
use crate::gaits::Gait;
use crate::guide::Guide;
use crate::noise::Random;
use crate::plan::{self, Part, Plan};
use crate::recipe::Recipe;

pub(super) fn plan(recipe: &Recipe, gait: &Gait, parts: &[Part]) -> Plan {
    let guide = Guide::new(still(), still(), recipe.seconds);
    let standing = |part: &Part| Foot { first: plan::print(gait, &guide, *part, 0.0), steps: Vec::new() };
    Plan {
        feet: parts.iter().map(standing).collect(),
        guide,
        height: still(),
        shift: shift(recipe),
        beat: beat(gait),
    }
}

/// From one leg to the other and back, at no fixed time.
fn shift(recipe: &Recipe) -> Curve {
    let mut random = Random::new(recipe.seed, 2);
    let mut shift = still();
    let (mut time, mut weight) = (random.between(0.2, 1.0), 0.0);
    while time < recipe.seconds {
        let other = if weight > 0.0 { -1.0 } else { 1.0 };
        let next = other * random.between(0.4, 1.0);
        let takes = random.between(0.9, 1.6);
        shift = shift.change(time, time + takes, next - weight);
        weight = next;
        time += takes + random.between(0.3, 2.0);
    }
    shift
}
