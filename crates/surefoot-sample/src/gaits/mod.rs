//! The parameters of each gait. Metres, seconds, radians.

pub(crate) mod dog;
pub(crate) mod person;

use crate::feet::SwingPath;
use crate::recipe::{Body, Recipe};
use surefoot_core::math::PI;

/// The parameters of a gait.
#[derive(Clone, Debug)]
pub(crate) struct Gait {
    /// Time from a strike of a foot to its next strike.
    pub cycle: f64,
    /// Fraction of the cycle that a foot is on the floor; below 0.5 is a run.
    pub duty: f64,
    /// Full speed, in metres per second.
    pub speed: f64,
    /// Time from standing to full speed.
    pub speed_up_time: f64,
    /// Time from full speed to standing.
    pub slow_down_time: f64,
    /// Fraction of a stance after which the body is over the foot.
    pub midstance: f64,
    /// Time from the strike to the flat foot.
    pub flattening_time: f64,
    /// Fraction of a stance after which the heel leaves.
    pub heel_off: f64,
    /// Largest heel lift about the ball.
    pub heel_lift: f64,
    /// Exponent of the heel lift's timing: 1 is even, larger is later.
    pub heel_lift_lateness: f64,
    /// Pitch of the foot at the strike: positive lands on the heel, negative on the ball.
    pub landing_pitch: f64,
    /// The path of the swing.
    pub swing: SwingPath,
    /// Distance of a foot from the body's middle, to the side.
    pub half_width: f64,
    /// How far the toes point outward.
    pub toe_out: f64,
    /// How far the body sinks before a jump.
    pub crouch: f64,
    /// Time to turn a corner.
    pub corner_time: f64,
    /// Height of a stair.
    pub riser: f64,
}

impl Gait {
    /// Distance between two footprints of one foot at full speed.
    pub fn stride(&self) -> f64 {
        self.speed * self.cycle
    }

    /// Time that a foot is on the floor.
    pub fn stance_time(&self) -> f64 {
        self.duty * self.cycle
    }

    /// Time that a foot is in the air.
    pub fn swing_time(&self) -> f64 {
        (1.0 - self.duty) * self.cycle
    }
}

pub(crate) const fn degrees(degrees: f64) -> f64 {
    degrees * PI / 180.0
}

/// The gait of a recipe's body and kind.
pub(crate) fn of(recipe: &Recipe) -> Gait {
    match recipe.body {
        Body::FourLegs => dog::of(recipe.kind).0,
        _ => person::of(recipe.kind).0,
    }
}
