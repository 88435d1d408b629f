//! Jumps: crouch, push off, fly, land, sink and rise again, with all feet at once.

use super::{STAND_AFTER, STAND_BEFORE, zero};
use crate::curves::Curve;
use crate::feet::{Foot, Step};
use crate::gaits::Gait;
use crate::recipe::Recipe;
use crate::root_path::RootPath;
use crate::step_plan::{LegRole, MotionPlan, StepRhythm, footprint_at};

/// Time from one jump to the next, in seconds.
const PERIOD: f64 = 2.6;
// Times of the body from the start of a jump, in seconds.
/// The crouch is deepest.
const CROUCHED: f64 = 0.60;
/// The body is highest.
const TOP: f64 = 1.06;
/// The body is lowest after the landing.
const SUNK: f64 = 1.60;
/// The body stands again.
const UPRIGHT: f64 = 2.40;
/// How much earlier a foot leaves and lands per metre that it is in front, in s/m.
const LEAD_PER_METRE: f64 = 0.2;
// Times of the feet from the start of a jump, in seconds.
/// The heels leave.
const HEEL_OFF: f64 = 0.56;
/// The toes leave.
const TOE_OFF: f64 = 0.79;
/// The balls land.
const STRIKE: f64 = 1.31;
/// The heels land.
const FOOT_FLAT: f64 = 1.41;
/// Height of the flight above standing, as a fraction of the crouch's depth.
const TOP_HEIGHT: f64 = 0.6;
/// The time in which the body accelerates forward, in seconds from the start of a jump.
const ACCELERATION: (f64, f64) = (0.5, 0.95);
/// Overlap of a rise with the crouch before it, in seconds.
const OVERLAP: f64 = 0.1;

pub(super) fn min_seconds() -> f64 {
    STAND_BEFORE + UPRIGHT + STAND_AFTER
}

pub(super) fn plan(recipe: &Recipe, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    let jumps = ((recipe.seconds - STAND_AFTER - STAND_BEFORE - UPRIGHT) / PERIOD) as usize + 1;
    let starts: Vec<f64> = (0..jumps).map(|k| STAND_BEFORE + k as f64 * PERIOD).collect();
    let path = RootPath::new(zero(), forward_speed(gait, &starts), recipe.seconds);
    let foot = |leg: &LegRole| plan_steps(gait, &path, *leg, &starts);
    MotionPlan {
        feet: legs.iter().map(foot).collect(),
        height: height(gait, &starts),
        path,
        weight_shift: zero(),
        rhythm: StepRhythm::new(gait, STAND_BEFORE),
    }
}

/// The body accelerates during the push-off and stops while it sinks.
fn forward_speed(gait: &Gait, starts: &[f64]) -> Curve {
    starts.iter().fold(zero(), |speed, start| {
        speed.change(start + ACCELERATION.0, start + ACCELERATION.1, gait.speed).change(
            start + STRIKE,
            start + SUNK,
            -gait.speed,
        )
    })
}

/// The height of the body. A rise of half a metre in half a second ends with about −g, like a flight.
fn height(gait: &Gait, starts: &[f64]) -> Curve {
    let (crouch, top) = (gait.crouch, gait.crouch * TOP_HEIGHT);
    starts.iter().fold(zero(), |height, start| {
        height
            .change(*start, start + CROUCHED, -crouch)
            .change(start + CROUCHED - OVERLAP, start + TOP, crouch + top)
            .change(start + TOP, start + SUNK, -crouch - top)
            .change(start + SUNK - OVERLAP, start + UPRIGHT, crouch)
    })
}

fn plan_steps(gait: &Gait, path: &RootPath, leg: LegRole, starts: &[f64]) -> Foot {
    let first = footprint_at(gait, path, leg, 0.0);
    let mut from = first;
    // Front feet leave and land before hind feet.
    let lead = LEAD_PER_METRE * leg.forward;
    let step = |start: &f64| {
        let start = start - lead;
        let to = footprint_at(gait, path, leg, start + UPRIGHT);
        let step = Step {
            heel_off: start + HEEL_OFF,
            toe_off: start + TOE_OFF,
            strike: start + STRIKE,
            foot_flat: start + FOOT_FLAT,
            heel_lift: gait.heel_lift,
            heel_lift_lateness: gait.heel_lift_lateness,
            landing_pitch: gait.landing_pitch,
            swing: gait.swing,
            from,
            to,
        };
        from = to;
        step
    };
    Foot { first, steps: starts.iter().map(step).collect() }
}
