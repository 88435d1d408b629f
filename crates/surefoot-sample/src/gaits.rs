//! The numbers of each way to go: how fast, how long, how high. Metres, seconds, radians.
//!
//! Those of walking are the textbook's (Perry and Burnfield, Gait Analysis; Winter): 1.3 m/s,
//! steps of 0.7 m, 62 % of the cycle on the floor, both feet down for 12 % twice.

use crate::feet::Lift;
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
    /// The pitch to land with.
    pub land: f64,
    /// How the sole is carried.
    pub lift: Lift,
    /// Sideways from the middle to a foot.
    pub half_width: f64,
    /// How far the toes point outward.
    pub toe_out: f64,
}

/// How the rest of a person moves with the feet.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    /// The highest the hips go over the floor, as a share of the standing straight leg.
    pub hips: f64,
    /// How much lower they are at full speed, on average.
    pub sink: f64,
    /// How far they rise above that and fall below it with every step.
    pub bob: f64,
    /// Seconds after a strike at which they are lowest.
    pub lowest: f64,
    /// How far the pelvis goes over the standing foot.
    pub sway: f64,
    /// How far the pelvis drops on the side of the swinging foot.
    pub drop: f64,
    /// How far the pelvis turns with each metre the left foot is ahead of the right.
    pub pelvis_turn: f64,
    /// How far the chest turns the other way.
    pub chest_turn: f64,
    /// How far the chest leans forward; the pelvis tilts by a third of it.
    pub lean: f64,
    /// How far an arm swings with each metre the other side's foot is ahead.
    pub arm_swing: f64,
    /// How far the elbows are bent.
    pub elbow: f64,
    /// How much more with each metre.
    pub elbow_swing: f64,
}

const fn degrees(degrees: f64) -> f64 {
    degrees * PI / 180.0
}

pub(crate) const WALK: Gait = Gait {
    cycle: 1.08,
    duty: 0.60,
    speed: 1.25,
    speeding_up: 1.2,
    slowing_down: 1.2,
    passes: 0.43,
    flat_after: 0.085,
    heel_off: 0.52,
    push: degrees(80.0),
    land: degrees(22.0),
    lift: Lift {
        height: 0.045,
        skew: 0.8,
    },
    half_width: 0.055,
    toe_out: degrees(6.0),
};

pub(crate) const WALKING: Manner = Manner {
    hips: 0.995,
    sink: 0.033,
    bob: 0.019,
    lowest: 0.035,
    sway: 0.022,
    drop: degrees(4.0),
    pelvis_turn: degrees(7.0),
    chest_turn: degrees(7.0),
    lean: degrees(4.0),
    arm_swing: degrees(34.0),
    elbow: degrees(22.0),
    elbow_swing: degrees(16.0),
};

pub(crate) const STAND: Gait = Gait {
    half_width: 0.10,
    toe_out: degrees(9.0),
    ..WALK
};

pub(crate) const STANDING: Manner = Manner {
    hips: 0.995,
    sink: 0.0,
    bob: 0.0,
    lowest: 0.0,
    sway: 0.05,
    drop: degrees(4.0),
    pelvis_turn: 0.0,
    chest_turn: 0.0,
    lean: degrees(1.0),
    arm_swing: 0.0,
    elbow: degrees(16.0),
    elbow_swing: 0.0,
};
