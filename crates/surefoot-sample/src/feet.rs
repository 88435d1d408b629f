//! The pose of each foot at any time.
//!
//! A foot stands flat, rolls over its ball until toe off, swings, and lands on the heel (or the ball)
//! to roll flat again. The point it rolls about is exactly still: the ankle is computed from that
//! point and not the other way round. The pitch is one smooth curve through all phases, so ankle and
//! knee are smooth as well.
//!
//! `step_plan` decides when and where the steps are.

use crate::bodies::FootShape;
use crate::curves::{glide, late_rise, rise};
use surefoot_core::math::{Quat, Vec3, axis_rotation};
use surefoot_core::{FootPoint, Hold};

/// Where a foot stands flat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    /// The floor point below the ankle.
    pub spot: Vec3,
    /// The direction of the toes, in radians from Z towards X.
    pub yaw: f64,
}

/// One step, from flat foot to flat foot. Times in seconds, angles in radians.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The heel leaves and the foot starts to roll over its ball.
    pub heel_off: f64,
    /// The ball and the toes leave.
    pub toe_off: f64,
    /// The heel, or the ball, lands.
    pub strike: f64,
    /// The other point lands and the foot is flat.
    pub foot_flat: f64,
    /// Largest heel lift about the ball.
    pub heel_lift: f64,
    /// Exponent of the heel lift's timing: 1 is even, larger is later.
    pub heel_lift_lateness: f64,
    /// Pitch at the strike: positive lands on the heel, negative on the ball.
    pub landing_pitch: f64,
    /// The path of the swing.
    pub swing: SwingPath,
    /// Where the foot leaves.
    pub from: Footprint,
    /// Where the foot lands.
    pub to: Footprint,
}

impl Step {
    /// Duration of the swing, in seconds.
    fn swing_time(&self) -> f64 {
        self.strike - self.toe_off
    }
}

/// The path of a foot from footprint to footprint. Times are fractions of the swing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwingPath {
    /// Largest clearance of the sole, in metres.
    pub height: f64,
    /// When the foot reaches that height, and when it starts to come down.
    pub top: (f64, f64),
    /// When the foot starts to move forward; before, it only rises.
    pub forward_start: f64,
    /// Fraction of the forward movement in which the foot accelerates.
    pub acceleration: f64,
    /// Fraction of the forward movement in which the foot decelerates.
    pub deceleration: f64,
}

/// One foot with all its steps.
#[derive(Clone, Debug)]
pub(crate) struct Foot {
    /// Where it stands before the first step.
    pub first: Footprint,
    /// The steps, in order of time.
    pub steps: Vec<Step>,
}

/// The pose of a foot at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootPose {
    pub ankle: Vec3,
    pub rotation: Quat,
    /// Rotation of the toes relative to the foot about X, in radians.
    pub toe_bend: f64,
}

/// A time in which a point of a foot is planted, in seconds, and its spot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlantedTime {
    pub from: f64,
    pub to: f64,
    pub spot: Vec3,
    pub hold: Hold,
}

/// When the heel is highest about the ball, as a fraction of the swing.
const HEEL_LIFT_END: f64 = 0.32;
/// When the foot starts to rotate towards its landing pitch, as a fraction of the swing.
const LANDING_TURN_START: f64 = 0.06;
/// When the foot has its landing pitch, as a fraction of the swing.
const LANDING_TURN_END: f64 = 0.85;
/// How long before the strike the foot starts to rotate flat, as a fraction of the swing.
const FLATTENING_LEAD: f64 = 0.08;
/// When the lowest point changes from ball to heel, as fractions of the swing. The foot is about
/// level then; at another time one of the points would penetrate the floor.
const BALL_TO_HEEL: (f64, f64) = (0.30, 0.90);
/// When a foot that steps up has reached the height of the next step, as a fraction of the swing.
const CLIMB_END: f64 = 0.50;
/// When a foot that steps down starts to sink, as a fraction of the swing: past the edge of its step.
const DESCENT_START: f64 = 0.45;
/// When the toes of a swinging foot straighten, as fractions of the swing.
const TOES_STRAIGHTEN: (f64, f64) = (0.20, 0.75);
/// When the toes of a foot that lands on its ball bend flat, as fractions of the swing.
const TOES_FLATTEN: (f64, f64) = (0.50, 0.95);

impl Foot {
    /// The pose at `time`.
    pub fn at(&self, shape: &FootShape, time: f64) -> FootPose {
        match self.steps.iter().rev().find(|step| time >= step.heel_off) {
            Some(step) => step.at(shape, time),
            None => standing(&self.first, shape),
        }
    }

    /// How far the foot is unloaded: 0 with its full weight, 1 without.
    ///
    /// The weight leaves before the foot does and returns after it.
    pub fn unloading(&self, time: f64) -> f64 {
        let of_step = |step: &Step| {
            let swing = step.swing_time();
            let leaves = rise(time, step.toe_off - 0.7 * swing, step.toe_off + 0.3 * swing);
            let returns = rise(time, step.strike - 0.3 * swing, step.strike + 0.7 * swing);
            leaves - returns
        };
        self.steps.iter().map(of_step).sum()
    }

    /// The height of the floor under this foot, smoothed over each step, for the height of the body.
    pub fn floor_height(&self, time: f64) -> f64 {
        let climbed = |step: &Step| {
            let swing = step.swing_time();
            let by = step.to.spot.y - step.from.spot.y;
            by * rise(time, step.strike - 0.3 * swing, step.strike + 1.2 * swing)
        };
        self.first.spot.y + self.steps.iter().map(climbed).sum::<f64>()
    }

    /// The times in which a point is planted.
    pub fn planted_times(&self, shape: &FootShape, point: FootPoint) -> Vec<PlantedTime> {
        let mut from = f64::NEG_INFINITY;
        let mut print = self.first;
        let mut times = Vec::new();
        // These feet leave the ground with the whole of their toes, never on the tip alone.
        if point == FootPoint::Toe {
            return times;
        }
        for step in &self.steps {
            let to = match point {
                FootPoint::Heel => step.heel_off,
                FootPoint::Ball | FootPoint::Toe => step.toe_off,
            };
            times.push(PlantedTime { from, to, spot: print.point(shape, point), hold: Hold::default() });
            from = if step.landing_point() == point { step.strike } else { step.foot_flat };
            print = step.to;
        }
        let spot = print.point(shape, point);
        times.push(PlantedTime { from, to: f64::INFINITY, spot, hold: Hold::default() });
        times
    }
}

impl Footprint {
    /// The ankle of a flat foot on this print.
    fn ankle(&self, shape: &FootShape) -> Vec3 {
        self.spot + Vec3::Y * shape.ankle_height()
    }

    /// The position of a point of a flat foot on this print.
    fn point(&self, shape: &FootShape, point: FootPoint) -> Vec3 {
        let position = self.ankle(shape) + axis_rotation(1, self.yaw) * point_in_ankle(shape, point);
        // The sole is level, so the point is on the floor without rounding errors.
        Vec3::new(position.x, self.spot.y, position.z)
    }
}

fn standing(print: &Footprint, shape: &FootShape) -> FootPose {
    FootPose { ankle: print.ankle(shape), rotation: axis_rotation(1, print.yaw), toe_bend: 0.0 }
}

fn point_in_ankle(shape: &FootShape, point: FootPoint) -> Vec3 {
    match point {
        FootPoint::Heel => shape.heel,
        FootPoint::Ball => shape.ball,
        FootPoint::Toe => shape.ball + shape.toe_from_ball,
    }
}

impl Step {
    fn landing_point(&self) -> FootPoint {
        if self.landing_pitch >= 0.0 { FootPoint::Heel } else { FootPoint::Ball }
    }

    fn at(&self, shape: &FootShape, time: f64) -> FootPose {
        if time >= self.foot_flat {
            return standing(&self.to, shape);
        }
        let pitch = self.pitch(time);
        let yaw = self.from.yaw + (self.to.yaw - self.from.yaw) * rise(time, self.toe_off, self.strike);
        let rotation = axis_rotation(1, yaw) * axis_rotation(0, -pitch);
        let ankle_over =
            |print: &Footprint, point| print.point(shape, point) - rotation * point_in_ankle(shape, point);
        let before = ankle_over(&self.from, FootPoint::Ball);
        let after = ankle_over(&self.to, self.landing_point());
        FootPose {
            ankle: self.swung_ankle(before, after, time),
            rotation,
            toe_bend: pitch * self.toe_flatness(time),
        }
    }

    /// The pitch of the foot: positive is toes up, negative is heel up.
    fn pitch(&self, time: f64) -> f64 {
        let in_swing = |fraction: f64| self.toe_off + fraction * self.swing_time();
        let lifted = late_rise(time, self.heel_off, in_swing(HEEL_LIFT_END), self.heel_lift_lateness);
        let turned = rise(time, in_swing(LANDING_TURN_START), in_swing(LANDING_TURN_END));
        let flattened = rise(time, in_swing(1.0 - FLATTENING_LEAD), self.foot_flat);
        -self.heel_lift * lifted + (self.heel_lift + self.landing_pitch) * turned
            - self.landing_pitch * flattened
    }

    /// The ankle between rolling over the old spot (`before`) and rolling over the new one (`after`).
    ///
    /// It is exactly `before` until toe off and exactly `after` from the strike on.
    fn swung_ankle(&self, before: Vec3, after: Vec3, time: f64) -> Vec3 {
        let u = ((time - self.toe_off) / self.swing_time()).clamp(0.0, 1.0);
        if u == 0.0 {
            return before;
        }
        if u == 1.0 {
            return after;
        }
        let swing = &self.swing;
        let forward = (u - swing.forward_start) / (1.0 - swing.forward_start);
        let over = before.lerp(after, glide(forward, swing.acceleration, swing.deceleration));
        let (low, high) = (before.y - self.from.spot.y, after.y - self.to.spot.y);
        let rolled = low + (high - low) * rise(u, BALL_TO_HEEL.0, BALL_TO_HEEL.1);
        let by = self.to.spot.y - self.from.spot.y;
        let climb = by * if by > 0.0 { rise(u, 0.0, CLIMB_END) } else { rise(u, DESCENT_START, 1.0) };
        let (up, down) = swing.top;
        let lifted = swing.height * (rise(u, 0.0, up) - rise(u, down, 1.0));
        Vec3::new(over.x, self.from.spot.y + climb + rolled + lifted, over.z)
    }

    /// How far the toes are level although the foot is pitched: 1 level, 0 in line with the foot.
    fn toe_flatness(&self, time: f64) -> f64 {
        let u = (time - self.toe_off) / self.swing_time();
        let straightened = rise(u, TOES_STRAIGHTEN.0, TOES_STRAIGHTEN.1);
        let flattened = match self.landing_point() {
            FootPoint::Heel => 0.0,
            FootPoint::Ball | FootPoint::Toe => rise(u, TOES_FLATTEN.0, TOES_FLATTEN.1),
        };
        1.0 - straightened + flattened
    }
}
