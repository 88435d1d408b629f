//! Walking, turning, running, climbing and sneaking: from standing to standing by the gait cycle.

use super::{STAND_AFTER, STAND_BEFORE, zero};
use crate::curves::Curve;
use crate::gaits::Gait;
use crate::ground::{CLEAR_OF_FIRST_TREAD, Ground, Stairs};
use crate::recipe::{Kind, Recipe};
use crate::root_path::RootPath;
use crate::step_plan::{LegRole, MotionPlan, StepRhythm, footprint_at, plan_steps};
use surefoot_core::math::PI;

/// How long before the first foot leaves the body starts to move, in seconds.
const BODY_LEAD: f64 = 0.35;

pub(super) fn min_seconds(kind: Kind, gait: &Gait) -> f64 {
    match kind {
        // The corner must end before the body stops.
        Kind::Turn => {
            let turning = CORNER_EASE * gait.corner_time / (1.0 - CORNER_MIDDLE);
            min_seconds_moving(gait, straight_time(gait).max(turning))
        }
        _ => min_seconds_straight(gait),
    }
}

/// The shortest motion straight ahead, in seconds.
pub(crate) fn min_seconds_straight(gait: &Gait) -> f64 {
    min_seconds_moving(gait, straight_time(gait))
}

/// The shortest motion in which the body moves for `needed` seconds.
fn min_seconds_moving(gait: &Gait, needed: f64) -> f64 {
    let moving = MovingTime::new(gait, 0.0);
    moving.from - moving.to + needed
}

/// The time in which the body reaches full speed and stops, in seconds.
fn straight_time(gait: &Gait) -> f64 {
    gait.speed_up_time + gait.slow_down_time
}

/// When the body starts to move and when it is at rest again, in seconds.
#[derive(Clone, Copy)]
struct MovingTime {
    from: f64,
    to: f64,
}

impl MovingTime {
    fn new(gait: &Gait, seconds: f64) -> Self {
        // The last foot strikes less than a cycle after the body has passed the place where it belongs.
        let last_step = gait.cycle - gait.midstance * gait.stance_time() + gait.flattening_time;
        Self { from: STAND_BEFORE - BODY_LEAD, to: seconds - STAND_AFTER - last_step }
    }
}

pub(super) fn plan(recipe: &Recipe, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    let moving = MovingTime::new(gait, recipe.seconds);
    let (mut heading, mut speed) = (zero(), straight_speed(gait, moving));
    if recipe.kind == Kind::Turn {
        (heading, speed) = add_turns(heading, speed, gait, moving);
    }
    if recipe.kind == Kind::Circle {
        heading = circling(moving.from, moving.to);
    }
    let path = RootPath::new(heading, speed, recipe.seconds);
    let ground = match recipe.kind {
        Kind::Stairs => Ground::Stairs(fitting_stairs(gait, &path, legs[0], moving.to)),
        Kind::StairsDown => Ground::Stairs(fitting_stairs(gait, &path, legs[0], moving.to).downwards()),
        _ => Ground::Level,
    };
    plan_along(path, &ground, gait, legs, moving.to)
}

/// Plans a motion straight ahead on level ground. Apart from [`plan`], so that a program can do without the turns and
/// stairs.
pub(crate) fn plan_straight(seconds: f64, gait: &Gait, legs: &[LegRole]) -> MotionPlan {
    let moving = MovingTime::new(gait, seconds);
    let path = RootPath::new(zero(), straight_speed(gait, moving), seconds);
    plan_along(path, &Ground::Level, gait, legs, moving.to)
}

/// The speed of a body that moves straight ahead.
fn straight_speed(gait: &Gait, MovingTime { from, to }: MovingTime) -> Curve {
    zero().change(from, from + gait.speed_up_time, gait.speed).change(
        to - gait.slow_down_time,
        to,
        -gait.speed,
    )
}

/// Plans the steps along a path at whose end the body rests from `rest` on, in seconds.
fn plan_along(path: RootPath, ground: &Ground, gait: &Gait, legs: &[LegRole], rest: f64) -> MotionPlan {
    let foot = |leg: &LegRole| plan_steps(gait, &path, ground, *leg, STAND_BEFORE, rest);
    MotionPlan {
        feet: legs.iter().map(foot).collect(),
        path,
        height: zero(),
        weight_shift: zero(),
        rhythm: StepRhythm::new(gait, STAND_BEFORE),
    }
}

/// Angle of the long curve to the left, in radians.
const CURVE_ANGLE: f64 = 70.0 * PI / 180.0;
/// Angle of the corner to the right, in radians.
const CORNER_ANGLE: f64 = -100.0 * PI / 180.0;
/// The middle of the corner, as a fraction of the moving time.
const CORNER_MIDDLE: f64 = 0.62;
/// How long before and after the middle of the corner the body is slower, in multiples of the corner's time.
const CORNER_EASE: f64 = 0.8;
/// How much slower the body is in the corner, as a fraction of its speed.
const CORNER_SLOWDOWN: f64 = 0.35;

/// Adds a long curve to the left, then a sharp corner to the right at lower speed.
fn add_turns(heading: Curve, speed: Curve, gait: &Gait, moving: MovingTime) -> (Curve, Curve) {
    let MovingTime { from, to } = moving;
    let corner = from + CORNER_MIDDLE * (to - from);
    let duration = gait.corner_time;
    let slowdown = CORNER_SLOWDOWN * gait.speed;
    let heading = heading.change(from, corner - 0.3 * duration, CURVE_ANGLE).change(
        corner - 0.5 * duration,
        corner + 0.5 * duration,
        CORNER_ANGLE,
    );
    let speed = speed.change(corner - CORNER_EASE * duration, corner, -slowdown).change(
        corner,
        corner + CORNER_EASE * duration,
        slowdown,
    );
    (heading, speed)
}

/// Time of a round, in seconds: the circle of a walk has a radius of 1.6 m.
const ROUND_TIME: f64 = 8.0;
/// Time from one part of the turn to the next, in seconds. Each part takes twice as long, so that two
/// overlap at any time and the rate is nearly constant.
const TURN_INTERVAL: f64 = 0.25;

/// The heading of a walk round a circle, to the left.
fn circling(from: f64, to: f64) -> Curve {
    let parts = ((to - from) / TURN_INTERVAL) as usize;
    let turn = 2.0 * PI * TURN_INTERVAL / ROUND_TIME;
    (0..parts).fold(zero(), |heading, part| {
        let start = from + part as f64 * TURN_INTERVAL;
        heading.change(start, start + 2.0 * TURN_INTERVAL, turn)
    })
}

/// Stairs with one tread per step at full speed.
fn fitting_stairs(gait: &Gait, path: &RootPath, leg: LegRole, rest: f64) -> Stairs {
    let tread = gait.stride() / 2.0;
    let at_full_speed = STAND_BEFORE + 2.0 * gait.cycle;
    let middle = footprint_at(gait, path, leg, at_full_speed).spot.z;
    // The foot that stands in front of the stairs must be clear of the first tread.
    let stands = footprint_at(gait, path, leg, 0.0).spot.z;
    let treads_before = ((middle - CLEAR_OF_FIRST_TREAD * tread - stands) / tread) as usize;
    let first = middle - treads_before as f64 * tread;
    let count = ((path.position(rest).z - 0.6 * tread - first) / tread) as usize + 1;
    Stairs { first, tread, riser: gait.riser, count: count as f64, base: 0.0 }
}
