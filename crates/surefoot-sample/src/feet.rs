//! Where is each foot, and how is it turned, at any time?
//!
//! A foot stands flat, rolls over its ball until the toes leave, swings, and comes down on the
//! heel (or on the ball) to roll flat again. While it rolls, the point it rolls about does not
//! move at all: the ankle is found from that point, never the other way round. The pitch is one
//! smooth curve through all of it, so that ankle and knee stay smooth as well.
//!
//! Leaves to `plan` when and where the steps are.

use crate::bodies::FootShape;
use crate::curves::{glide, late_rise, rise};
use surefoot_core::FootPoint;
use surefoot_core::math::{Quat, Vec3, axis_rotation};

/// Where a foot stands flat.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Footprint {
    /// The floor point below the ankle.
    pub spot: Vec3,
    /// Where the toes point, in radians from Z towards X.
    pub yaw: f64,
}

/// One step: from flat on the floor to flat on the floor. Times in seconds, angles in radians.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The heel leaves; the foot begins to roll over its ball.
    pub heel_off: f64,
    /// The ball and the toes leave.
    pub toe_off: f64,
    /// The heel, or the ball, comes down.
    pub strike: f64,
    /// The other of the two comes down.
    pub flat: f64,
    /// How far the heel is lifted about the ball, at most.
    pub push: f64,
    /// How late in its time the heel rises: 1 is evenly, above is later.
    pub push_late: f64,
    /// The pitch to land with: above 0 on the heel, below 0 on the ball.
    pub land: f64,
    /// How it is carried.
    pub carry: Carry,
    /// Where it leaves.
    pub from: Footprint,
    /// Where it comes down.
    pub to: Footprint,
}

/// How a foot is carried from print to print. Shares of the swing, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    /// How high the lowest point of the sole goes, in metres.
    pub height: f64,
    /// When it is there, and when it begins to come down.
    pub top: (f64, f64),
    /// When it begins to go forward; before, it only goes up.
    pub sets_out: f64,
    /// How long the foot gathers speed, as a share of its way forward.
    pub gathers: f64,
    /// How long it slows down.
    pub slows: f64,
}

/// All steps of one foot, one after another.
#[derive(Clone, Debug)]
pub(crate) struct Foot {
    /// Where it stands before the first step.
    pub first: Footprint,
    /// The steps, in time.
    pub steps: Vec<Step>,
}

/// A foot at one time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootAt {
    pub ankle: Vec3,
    pub turn: Quat,
    /// The toes in the foot: a turn about X, in radians.
    pub toe_bend: f64,
}

/// Share of the swing after toe-off at which the heel is highest about the ball.
const PUSH_ENDS: f64 = 0.32;
/// Share of the swing after which the foot begins to turn to the pitch it lands with.
const TURNS_BACK: f64 = 0.06;
/// Share of the swing by which the foot has turned to the pitch it lands with.
const LANDING_READY: f64 = 0.85;
/// Share of the swing before the strike at which the foot begins to turn flat.
const SETTLES_BEFORE: f64 = 0.08;
/// The share of the swing in which the lowest point changes from ball to heel. The foot is about
/// level then, or one of them would go through the floor.
const BALL_TO_HEEL: (f64, f64) = (0.30, 0.90);
/// The share of the swing by which a foot that steps up has made its height.
const CLIMBED_BY: f64 = 0.50;
impl Foot {
    /// The foot at `time`.
    pub fn at(&self, shape: &FootShape, time: f64) -> FootAt {
        match self.steps.iter().rev().find(|step| time >= step.heel_off) {
            Some(step) => step.at(shape, time),
            None => standing(&self.first, shape),
        }
    }

    /// How much of the weight on this foot has gone: 0 none, 1 all.
    ///
    /// Weight goes before the foot does, and is back after it.
    pub fn in_the_air(&self, time: f64) -> f64 {
        let gone = |step: &Step| {
            let swing = step.strike - step.toe_off;
            let leaves = rise(time, step.toe_off - 0.7 * swing, step.toe_off + 0.3 * swing);
            let returns = rise(time, step.strike - 0.3 * swing, step.strike + 0.7 * swing);
            leaves - returns
        };
        self.steps.iter().map(gone).sum()
    }

    /// The height of the floor under this foot as the body feels it, slowly.
    pub fn level(&self, time: f64) -> f64 {
        let climbed = |step: &Step| {
            let swing = step.strike - step.toe_off;
            let by = step.to.spot.y - step.from.spot.y;
            by * rise(time, step.strike - 0.3 * swing, step.strike + 1.2 * swing)
        };
        self.first.spot.y + self.steps.iter().map(climbed).sum::<f64>()
    }

    /// When and where each point is down: from, to and the spot.
    pub fn stays(&self, shape: &FootShape, point: FootPoint) -> Vec<(f64, f64, Vec3)> {
        let mut from = f64::NEG_INFINITY;
        let mut print = self.first;
        let mut stays = Vec::new();
        for step in &self.steps {
            let to = match point {
                FootPoint::Heel => step.heel_off,
                FootPoint::Ball => step.toe_off,
            };
            stays.push((from, to, print.point(shape, point)));
            from = if step.lands_on() == point { step.strike } else { step.flat };
            print = step.to;
        }
        stays.push((from, f64::INFINITY, print.point(shape, point)));
        stays
    }
}

impl Footprint {
    /// The ankle over this print, the foot flat.
    fn ankle(&self, shape: &FootShape) -> Vec3 {
        self.spot + Vec3::Y * shape.ankle_height()
    }

    /// Where a point of the foot is on this print.
    fn point(&self, shape: &FootShape, point: FootPoint) -> Vec3 {
        let placed = self.ankle(shape) + axis_rotation(1, self.yaw) * in_ankle(shape, point);
        // On the floor to the last bit: the sole is level.
        Vec3::new(placed.x, self.spot.y, placed.z)
    }
}

fn standing(print: &Footprint, shape: &FootShape) -> FootAt {
    FootAt { ankle: print.ankle(shape), turn: axis_rotation(1, print.yaw), toe_bend: 0.0 }
}

fn in_ankle(shape: &FootShape, point: FootPoint) -> Vec3 {
    match point {
        FootPoint::Heel => shape.heel,
        FootPoint::Ball => shape.ball,
    }
}

impl Step {
    fn lands_on(&self) -> FootPoint {
        if self.land >= 0.0 { FootPoint::Heel } else { FootPoint::Ball }
    }

    fn at(&self, shape: &FootShape, time: f64) -> FootAt {
        if time >= self.flat {
            return standing(&self.to, shape);
        }
        let pitch = self.pitch(time);
        let yaw = self.from.yaw + (self.to.yaw - self.from.yaw) * rise(time, self.toe_off, self.strike);
        let turn = axis_rotation(1, yaw) * axis_rotation(0, -pitch);
        let ankle_over = |print: &Footprint, point| print.point(shape, point) - turn * in_ankle(shape, point);
        let before = ankle_over(&self.from, FootPoint::Ball);
        let after = ankle_over(&self.to, self.lands_on());
        FootAt {
            ankle: self.with_added_velocity(before, after, time),
            turn,
            toe_bend: pitch * self.toes_flat(time),
        }
    }

    /// Toe up is above 0, heel up below.
    fn pitch(&self, time: f64) -> f64 {
        let swung = |share: f64| self.toe_off + share * (self.strike - self.toe_off);
        let pushed = late_rise(time, self.heel_off, swung(PUSH_ENDS), self.push_late);
        let readied = rise(time, swung(TURNS_BACK), swung(LANDING_READY));
        let settled = rise(time, swung(1.0 - SETTLES_BEFORE), self.flat);
        -self.push * pushed + (self.push + self.land) * readied - self.land * settled
    }

    /// The ankle on its way from rolling over the old spot to rolling over the new one.
    ///
    /// Exactly `before` until the toes leave and exactly `after` from the strike on.
    fn with_added_velocity(&self, before: Vec3, after: Vec3, time: f64) -> Vec3 {
        let u = ((time - self.toe_off) / (self.strike - self.toe_off)).clamp(0.0, 1.0);
        if u == 0.0 {
            return before;
        }
        if u == 1.0 {
            return after;
        }
        let carry = &self.carry;
        let forward = (u - carry.sets_out) / (1.0 - carry.sets_out);
        let over = before.lerp(after, glide(forward, carry.gathers, carry.slows));
        let (low, high) = (before.y - self.from.spot.y, after.y - self.to.spot.y);
        let rolled = low + (high - low) * rise(u, BALL_TO_HEEL.0, BALL_TO_HEEL.1);
        let climb = (self.to.spot.y - self.from.spot.y) * rise(u, 0.0, CLIMBED_BY);
        let (up, down) = carry.top;
        let lifted = carry.height * (rise(u, 0.0, up) - rise(u, down, 1.0));
        Vec3::new(over.x, self.from.spot.y + climb + rolled + lifted, over.z)
    }

    /// How far the toes lie flat although the foot is pitched: 1 flat, 0 in line with the foot.
    fn toes_flat(&self, time: f64) -> f64 {
        let u = (time - self.toe_off) / (self.strike - self.toe_off);
        let released = rise(u, 0.20, 0.75);
        let readied = match self.lands_on() {
            FootPoint::Heel => 0.0,
            FootPoint::Ball => rise(u, 0.50, 0.95),
        };
        1.0 - released + readied
    }
}
