//! Standing while one foot moves: dragged over the floor, or kicked and put down again.

use super::{stand, zero};
use crate::curves::Curve;
use crate::feet::{Foot, Footprint, Step, SwingPath};
use crate::gaits::{Gait, degrees};
use crate::recipe::{Kind, Recipe};
use crate::step_plan::{LegRole, MotionPlan};
use surefoot_core::math::{Vec3, axis_rotation};

/// The leg whose foot moves: the right one.
const MOVING_LEG: usize = 1;
/// Time at which the foot starts to move, in seconds.
const START: f64 = 1.2;
/// Time of standing at the end, in seconds.
const STAND_AFTER: f64 = 1.0;

/// How far and how fast a foot is dragged, to the side and forward, in metres and seconds.
const DRAGS: [(Vec3, f64); 2] = [(Vec3::new(-0.06, 0.0, 0.16), 0.9), (Vec3::new(0.06, 0.0, -0.16), 1.4)];
/// Time between two drags, in seconds.
const DRAG_PAUSE: f64 = 0.6;

/// Duration of a kick, in seconds.
const KICK_TIME: f64 = 0.8;

pub(super) fn min_seconds(kind: Kind) -> f64 {
    let moving = match kind {
        Kind::Kick => KICK_TIME,
        _ => DRAGS.iter().map(|(_, time)| time + DRAG_PAUSE).sum(),
    };
    START + moving + STAND_AFTER
}

pub(super) fn plan(recipe: &Recipe, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    let mut plan = stand::plan(recipe, gait, legs);
    let foot = &mut plan.feet[MOVING_LEG];
    match recipe.kind {
        Kind::Kick => foot.steps.push(kick(foot.first)),
        _ => add_drags(foot),
    }
    // The weight is on the other foot, the left one, until the moving foot stands again.
    let end = foot.steps.last().map_or(START, |step| step.foot_flat);
    plan.weight_shift = weight_on_other_foot(end);
    plan
}

fn weight_on_other_foot(end: f64) -> Curve {
    zero().change(START - 0.8, START - 0.1, 0.8).change(end + 0.1, end + 0.9, -0.8)
}

/// The foot is kicked forward and comes back to where it stood.
fn kick(from: Footprint) -> Step {
    Step {
        heel_off: START - 0.15,
        toe_off: START,
        strike: START + KICK_TIME,
        foot_flat: START + KICK_TIME + 0.1,
        heel_lift: degrees(40.0),
        heel_lift_lateness: 1.3,
        landing_pitch: degrees(-15.0),
        swing: SwingPath {
            height: 0.35,
            top: (0.4, 0.5),
            forward_start: 0.0,
            acceleration: 0.3,
            deceleration: 0.3,
        },
        from,
        to: from,
    }
}

/// The foot stays flat on the floor while it is dragged.
fn add_drags(foot: &mut Foot) {
    let (mut from, mut start) = (foot.first, START);
    for (displacement, time) in DRAGS {
        let to = Footprint { spot: from.spot + axis_rotation(1, from.yaw) * displacement, ..from };
        foot.steps.push(slide(from, to, start, time));
        (from, start) = (to, start + time + DRAG_PAUSE);
    }
}

/// A step without any lift.
fn slide(from: Footprint, to: Footprint, start: f64, time: f64) -> Step {
    Step {
        heel_off: start,
        toe_off: start,
        strike: start + time,
        foot_flat: start + time,
        heel_lift: 0.0,
        heel_lift_lateness: 1.0,
        landing_pitch: 0.0,
        swing: SwingPath {
            height: 0.0,
            top: (0.5, 0.5),
            forward_start: 0.0,
            acceleration: 0.3,
            deceleration: 0.3,
        },
        from,
        to,
    }
}
