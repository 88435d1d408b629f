//! Which steps are taken, when and where?
//!
//! Every foot goes by the clock: it leaves and strikes at its own share of the cycle. It comes
//! down where the body will be when it passes over the foot, so starting, turning and stopping
//! need no rules of their own: a body that has come to rest has its feet side by side.

use crate::curves::Curve;
use crate::feet::{Foot, Footprint, Step};
use crate::gaits::Gait;
use crate::ground::Ground;
use crate::guide::Guide;
use surefoot_core::math::{Vec3, axis_rotation};

/// All that is decided before a body is asked to do it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Where the body goes.
    pub guide: Guide,
    /// One foot per leg, in the order of the legs.
    pub feet: Vec<Foot>,
    /// How much higher than it stands the body would like to be, in metres.
    pub height: Curve,
    /// Where the weight is beyond what the steps ask for: 1 all left, −1 all right.
    pub shift: Curve,
    /// The beat of the feet on the floor.
    pub beat: Beat,
}

/// The beat of the feet on the floor.
#[derive(Clone, Debug)]
pub(crate) struct Beat {
    /// When one of them strikes.
    pub strike: f64,
    /// Seconds between two strikes.
    pub period: f64,
    /// Full speed, in metres per second.
    pub speed: f64,
}

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

/// A foot nearer than this to where it should stand at the end stays, as a share of a full step.
///
/// People do not take such steps; at 0 a stop may end in a step of a millimetre.
const NEAR_ENOUGH: f64 = 0.05;
/// The least size of a step, as a share of a full one: feet that barely move are still lifted.
const LEAST_SIZE: f64 = 0.4;

/// The steps of one foot, from `start` until the body has come to rest at `rest`.
pub(crate) fn steps(gait: &Gait, guide: &Guide, ground: &Ground, part: Part, start: f64, rest: f64) -> Foot {
    let print_at = |time: f64| ground.settle(print(gait, guide, part, time));
    let (first, last) = (print_at(0.0), print_at(rest));
    let mut steps = Vec::new();
    let mut from = first;
    let mut toe_off = start + part.phase * gait.cycle;
    // Once the body has rested for a cycle every foot has had its turn to come to it.
    let far = |from: Footprint| from.spot.distance(last.spot) > NEAR_ENOUGH * gait.stride();
    while far(from) && toe_off < rest + gait.cycle {
        let strike = toe_off + (1.0 - gait.duty) * gait.cycle;
        let to = print_at(strike + gait.passes * gait.duty * gait.cycle);
        steps.push(step(gait, toe_off, strike, from, to));
        from = to;
        toe_off += gait.cycle;
    }
    Foot { first, steps }
}

/// Where the foot belongs when the body passes over it at `time`.
pub(crate) fn print(gait: &Gait, guide: &Guide, part: Part, time: f64) -> Footprint {
    let heading = guide.heading(time);
    let beside = Vec3::new(part.side * gait.half_width, 0.0, part.ahead);
    Footprint {
        spot: guide.place(time) + axis_rotation(1, heading) * beside,
        yaw: heading + part.side * gait.toe_out,
    }
}

fn step(gait: &Gait, toe_off: f64, strike: f64, from: Footprint, to: Footprint) -> Step {
    let down = gait.duty * gait.cycle;
    let size = (from.spot.distance(to.spot) / gait.stride()).clamp(LEAST_SIZE, 1.0);
    let mut carry = gait.carry;
    carry.height *= 0.5 + 0.5 * size;
    Step {
        heel_off: toe_off - (1.0 - gait.heel_off) * down,
        toe_off,
        strike,
        flat: strike + gait.flat_after,
        push: gait.push * size,
        push_late: gait.push_late,
        land: gait.land * size,
        carry,
        from,
        to,
    }
}
