//! The plan of a motion: which steps are taken, when and where.
//!
//! Every foot follows the gait cycle: it leaves and strikes at its own phase. It lands where the body
//! will be when it passes over the foot, so starting, turning and stopping need no rules of their own:
//! a body at rest has its feet side by side.

use crate::curves::Curve;
use crate::feet::{Foot, Footprint, Step};
use crate::gaits::Gait;
use crate::ground::Ground;
use crate::root_path::RootPath;
use surefoot_core::math::{PI, Vec3, axis_rotation, cos};

/// Everything that is decided before the poses are computed.
#[derive(Clone, Debug)]
pub(crate) struct MotionPlan {
    /// The path of the body.
    pub path: RootPath,
    /// One foot per leg, in the order of the legs.
    pub feet: Vec<Foot>,
    /// Height of the body above standing, in metres.
    pub height: Curve,
    /// Shift of the weight beyond what the steps need: 1 fully left, −1 fully right.
    pub weight_shift: Curve,
    /// The rhythm of the steps.
    pub rhythm: StepRhythm,
}

/// The rhythm of the steps.
#[derive(Clone, Debug)]
pub(crate) struct StepRhythm {
    /// The time of one strike, in seconds.
    pub strike: f64,
    /// Time between two strikes, in seconds.
    pub period: f64,
    /// Full speed, in metres per second.
    pub speed: f64,
}

impl StepRhythm {
    /// The rhythm of a gait whose first foot leaves at `first_toe_off`, in seconds.
    pub fn new(gait: &Gait, first_toe_off: f64) -> Self {
        Self { strike: first_toe_off + gait.swing_time(), period: gait.cycle / 2.0, speed: gait.speed }
    }

    /// How far the vertical oscillation of the body is below its mean, from −1 to 1. `lowest` is the
    /// delay of the lowest point after a strike, in seconds.
    pub fn bob(&self, time: f64, lowest: f64) -> f64 {
        cos(2.0 * PI * ((time - self.strike - lowest) / self.period))
    }
}

/// The role of a leg in a gait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LegRole {
    /// 1 for a left leg, −1 for a right one.
    pub side: f64,
    /// Position of the foot in front of the body's middle, in metres.
    pub forward: f64,
    /// Phase of the gait cycle at which the foot leaves, from 0 to 1.
    pub phase: f64,
}

/// Distance from its final position up to which a foot takes no further step, as a fraction of a
/// full stride. With 0, a stop could end in a step of a millimetre.
const MIN_LAST_STEP: f64 = 0.05;
/// Smallest size of a step, as a fraction of a full one: feet that barely move are still lifted.
const MIN_STEP_SIZE: f64 = 0.4;

/// Plans the steps of one foot from `start` until the body is at rest at `rest`, in seconds.
pub(crate) fn plan_steps(
    gait: &Gait,
    path: &RootPath,
    ground: &Ground,
    role: LegRole,
    start: f64,
    rest: f64,
) -> Foot {
    let print_at = |time: f64| ground.settle(footprint_at(gait, path, role, time));
    let (first, last) = (print_at(0.0), print_at(rest));
    let mut steps = Vec::new();
    let mut from = first;
    let mut toe_off = start + role.phase * gait.cycle;
    let is_far = |from: Footprint| from.spot.distance(last.spot) > MIN_LAST_STEP * gait.stride();
    // Within one cycle after the body has come to rest, every foot has made its last step.
    while is_far(from) && toe_off < rest + gait.cycle {
        let strike = toe_off + gait.swing_time();
        let to = print_at(strike + gait.midstance * gait.duty * gait.cycle);
        steps.push(plan_step(gait, toe_off, strike, from, to));
        from = to;
        toe_off += gait.cycle;
    }
    Foot { first, steps }
}

/// The footprint of a leg over which the body passes at `time`.
pub(crate) fn footprint_at(gait: &Gait, path: &RootPath, role: LegRole, time: f64) -> Footprint {
    let heading = path.heading(time);
    let offset = Vec3::new(role.side * gait.half_width, 0.0, role.forward);
    Footprint {
        spot: path.position(time) + axis_rotation(1, heading) * offset,
        yaw: heading + role.side * gait.toe_out,
    }
}

fn plan_step(gait: &Gait, toe_off: f64, strike: f64, from: Footprint, to: Footprint) -> Step {
    let size = (from.spot.distance(to.spot) / gait.stride()).clamp(MIN_STEP_SIZE, 1.0);
    let mut swing = gait.swing;
    swing.height *= 0.5 + 0.5 * size;
    Step {
        heel_off: toe_off - (1.0 - gait.heel_off) * gait.stance_time(),
        toe_off,
        strike,
        foot_flat: strike + gait.flattening_time,
        heel_lift: gait.heel_lift * size,
        heel_lift_lateness: gait.heel_lift_lateness,
        landing_pitch: gait.landing_pitch * size,
        swing,
        from,
        to,
    }
}
