//! Which steps are taken, when and where?
//!
//! Every foot goes by the clock: it leaves and strikes at its own share of the cycle. It comes
//! down where the body will be when it passes over the foot, so starting, turning and stopping
//! need no rules of their own: a body that has come to rest has its feet side by side.

use crate::feet::{Foot, Footprint, Step};
use crate::gaits::Gait;
use crate::guide::Guide;
use surefoot_core::math::{Vec3, turn_about};

/// A leg's part in the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// 1 for a left leg, −1 for a right one.
    pub side: f64,
    /// How far in front of the body's middle the foot belongs, in metres.
    pub ahead: f64,
    /// When in the cycle its foot leaves, from 0 to 1.
    pub phase: f64,
}

/// A foot nearer than this to where it should stand at the end stays, in metres.
///
/// People do not take such steps; at 0 a stop may end in a step of a millimetre.
const NEAR_ENOUGH: f64 = 0.06;
/// The least size of a step, as a share of a full one: feet that barely move are still lifted.
const LEAST_SIZE: f64 = 0.4;

/// The steps of one foot, from `start` until the body has come to rest at `rest`.
pub(crate) fn steps(gait: &Gait, guide: &Guide, part: Part, start: f64, rest: f64) -> Foot {
    let print_at = |time: f64| print(gait, guide, part, time);
    let last = print_at(rest);
    let first = print_at(0.0);
    let mut foot = Foot {
        first,
        steps: Vec::new(),
    };
    let mut from = first;
    let mut toe_off = start + part.phase * gait.cycle;
    while from.spot.distance(last.spot) > NEAR_ENOUGH {
        let strike = toe_off + (1.0 - gait.duty) * gait.cycle;
        let to = print_at(strike + gait.passes * gait.duty * gait.cycle);
        foot.steps.push(step(gait, toe_off, strike, from, to));
        from = to;
        toe_off += gait.cycle;
    }
    foot
}

/// Where the foot belongs when the body passes over it at `time`.
fn print(gait: &Gait, guide: &Guide, part: Part, time: f64) -> Footprint {
    let heading = guide.heading(time);
    let beside = Vec3::new(part.side * gait.half_width, 0.0, part.ahead);
    Footprint {
        spot: guide.place(time) + turn_about(1, heading) * beside,
        yaw: heading + part.side * gait.toe_out,
    }
}

fn step(gait: &Gait, toe_off: f64, strike: f64, from: Footprint, to: Footprint) -> Step {
    let down = gait.duty * gait.cycle;
    let full = gait.speed * gait.cycle;
    let size = (from.spot.distance(to.spot) / full).clamp(LEAST_SIZE, 1.0);
    let mut lift = gait.lift;
    lift.height *= 0.5 + 0.5 * size;
    Step {
        heel_off: toe_off - (1.0 - gait.heel_off) * down,
        toe_off,
        strike,
        flat: strike + gait.flat_after,
        push: gait.push * size,
        land: gait.land * size,
        lift,
        from,
        to,
    }
}
