//! How people go, and how the rest of them moves with it.
//!
//! The numbers of walking are the textbook's (Perry and Burnfield, Gait Analysis; Winter,
//! Biomechanics): 1.25 m/s, steps of 0.68 m, 60 % of the cycle on the floor, both feet down for
//! 10 % of it twice, 22° of the foot at the strike.

use super::{Gait, degrees};
use crate::feet::Carry;
use crate::recipe::Kind;

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

const WALK: Gait = Gait {
    cycle: 1.08,
    duty: 0.60,
    speed: 1.25,
    speeding_up: 1.2,
    slowing_down: 1.2,
    passes: 0.43,
    flat_after: 0.085,
    heel_off: 0.52,
    push: degrees(80.0),
    // 12° up when the other foot strikes, 47° when the toes leave.
    push_late: 1.6,
    land: degrees(22.0),
    carry: Carry { height: 0.045, top: (0.42, 0.42), sets_out: 0.0, gathers: 0.34, slows: 0.36 },
    half_width: 0.055,
    toe_out: degrees(6.0),
    crouch: 0.0,
    corner: 1.4,
    riser: 0.17,
};

const WALKING: Manner = Manner {
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

const STAND: Gait = Gait { half_width: 0.10, toe_out: degrees(9.0), ..WALK };

const STANDING: Manner =
    Manner { sink: 0.0, bob: 0.0, sway: 0.05, lean: degrees(1.0), elbow: degrees(16.0), ..WALKING };

/// A steady run of 3.2 m/s (Novacheck 1998): a third of the cycle on the floor, 0.14 s in the air
/// between steps, on the heel but nearly flat.
const RUN: Gait = Gait {
    cycle: 0.70,
    duty: 0.31,
    speed: 2.9,
    speeding_up: 1.6,
    slowing_down: 1.6,
    passes: 0.43,
    flat_after: 0.035,
    heel_off: 0.50,
    push: degrees(100.0),
    push_late: 1.3,
    land: degrees(10.0),
    carry: Carry { height: 0.24, top: (0.45, 0.40), sets_out: 0.0, gathers: 0.18, slows: 0.24 },
    half_width: 0.035,
    toe_out: degrees(5.0),
    crouch: 0.0,
    corner: 1.4,
    riser: 0.17,
};

const RUNNING: Manner = Manner {
    sink: 0.075,
    bob: 0.035,
    lowest: 0.09,
    sway: 0.012,
    lean: degrees(10.0),
    arm_swing: degrees(32.0),
    elbow: degrees(85.0),
    elbow_swing: degrees(12.0),
    ..WALKING
};

/// Stairs of 17 cm to 30 cm at 92 steps a minute.
pub(super) const CLIMB: Gait = Gait {
    cycle: 1.30,
    duty: 0.62,
    speed: 0.60 / 1.30,
    speeding_up: 1.2,
    slowing_down: 1.2,
    passes: 0.45,
    flat_after: 0.10,
    heel_off: 0.66,
    push: degrees(50.0),
    push_late: 1.3,
    land: degrees(-8.0),
    carry: Carry { height: 0.06, top: (0.45, 0.55), sets_out: 0.18, gathers: 0.30, slows: 0.36 },
    half_width: 0.075,
    ..WALK
};

const CLIMBING: Manner = Manner { sink: 0.03, bob: 0.0, sway: 0.03, lean: degrees(10.0), ..WALKING };

/// Half a metre a second, every foot put down with care.
const SNEAK: Gait = Gait {
    cycle: 1.9,
    duty: 0.66,
    speed: 0.5,
    speeding_up: 1.4,
    slowing_down: 1.4,
    passes: 0.45,
    flat_after: 0.20,
    heel_off: 0.62,
    push: degrees(48.0),
    push_late: 1.3,
    land: degrees(-14.0),
    carry: Carry { height: 0.13, top: (0.45, 0.55), sets_out: 0.0, gathers: 0.30, slows: 0.36 },
    half_width: 0.08,
    ..WALK
};

const SNEAKING: Manner = Manner {
    hips: 0.90,
    sink: 0.03,
    bob: -0.01,
    sway: 0.05,
    lean: degrees(24.0),
    elbow: degrees(70.0),
    ..WALKING
};

/// A jump of half a metre.
pub(super) const JUMP: Gait = Gait {
    speed: 0.85,
    push: degrees(60.0),
    push_late: 1.3,
    land: degrees(-25.0),
    carry: Carry { height: 0.20, top: (0.42, 0.54), sets_out: 0.0, gathers: 0.30, slows: 0.40 },
    half_width: 0.10,
    crouch: 0.27,
    ..WALK
};

const JUMPING: Manner = Manner { sink: 0.0, bob: 0.0, ..STANDING };

/// How a person does each kind.
pub(crate) fn of(kind: Kind) -> (Gait, Manner) {
    match kind {
        Kind::Walk | Kind::Turn => (WALK, WALKING),
        Kind::Run => (RUN, RUNNING),
        Kind::Jump => (JUMP, JUMPING),
        Kind::Stairs => (CLIMB, CLIMBING),
        Kind::Sneak => (SNEAK, SNEAKING),
        Kind::Stand => (STAND, STANDING),
    }
}
