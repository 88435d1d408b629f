//! The numbers of each way to go: how fast, how long, how high. Metres, seconds, radians.

pub(crate) mod dog;
pub(crate) mod person;

use crate::feet::Carry;
use crate::recipe::{Body, Recipe};
use surefoot_core::math::PI;

/// How a body goes from place to place.
#[derive(Clone, Debug)]
pub(crate) struct Gait {
    /// From one strike of a foot to its next.
    pub cycle: f64,
    /// Share of the cycle that a foot is on the floor; below 0.5 is a run.
    pub duty: f64,
    /// Metres per second, once under way.
    pub speed: f64,
    /// Seconds from standing to full speed.
    pub speeding_up: f64,
    /// Seconds from full speed to standing.
    pub slowing_down: f64,
    /// Share of the time a foot is down after which the body is over it.
    pub passes: f64,
    /// Seconds from the strike to the foot flat.
    pub flat_after: f64,
    /// Share of the time a foot is down after which its heel leaves.
    pub heel_off: f64,
    /// How far the heel rises about the ball.
    pub push: f64,
    /// How late in its time it does: 1 is evenly, above is later.
    pub push_late: f64,
    /// The pitch to land with.
    pub land: f64,
    /// How the foot is carried.
    pub carry: Carry,
    /// Sideways from the middle to a foot.
    pub half_width: f64,
    /// How far the toes point outward.
    pub toe_out: f64,
    /// How far a jump sinks before it goes up.
    pub crouch: f64,
    /// Seconds to go round a corner.
    pub corner: f64,
    /// How much higher each step of a flight of stairs is than the last.
    pub riser: f64,
}

impl Gait {
    /// How far a foot goes in one step at full speed.
    pub fn stride(&self) -> f64 {
        self.speed * self.cycle
    }
}

const fn degrees(degrees: f64) -> f64 {
    degrees * PI / 180.0
}

/// How the body of a recipe goes.
pub(crate) fn of(recipe: &Recipe) -> Gait {
    match recipe.body {
        Body::FourLegs => dog::of(recipe.kind).0,
        Body::Human | Body::NoToe => person::of(recipe.kind).0,
    }
}
