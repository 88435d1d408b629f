//! How dogs go, and how the rest of them moves with it.

use super::{Gait, degrees, person};
use crate::feet::Carry;
use crate::recipe::Kind;

/// How the rest of a dog moves with its feet.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    /// How high the hind and the front girdle are.
    pub hind: f64,
    pub front: f64,
    /// How far they rise and fall with every step.
    pub bob: f64,
    /// Seconds after a strike at which they are lowest.
    pub lowest: f64,
    /// How far the trunk goes towards the standing feet, and rolls.
    pub sway: f64,
    pub roll: f64,
}

/// A walk in four beats: hind left, front left, hind right, front right.
const WALK: Gait = Gait {
    cycle: 0.80,
    duty: 0.66,
    speed: 0.72,
    speeding_up: 1.7,
    slowing_down: 1.5,
    passes: 0.50,
    flat_after: 0.04,
    heel_off: 0.70,
    push: degrees(50.0),
    push_late: 1.3,
    land: degrees(-8.0),
    carry: Carry { height: 0.05, top: (0.45, 0.45), sets_out: 0.0, gathers: 0.30, slows: 0.36 },
    half_width: 0.065,
    toe_out: degrees(3.0),
    crouch: 0.10,
    corner: 2.0,
    riser: 0.09,
};

const WALKING: Manner =
    Manner { hind: 0.545, front: 0.49, bob: 0.006, lowest: 0.0, sway: 0.01, roll: degrees(1.5) };

/// A trot: two legs that stand crosswise go together, with a moment in the air between.
const TROT: Gait = Gait {
    cycle: 0.52,
    duty: 0.42,
    speed: 1.8,
    speeding_up: 1.7,
    slowing_down: 1.6,
    heel_off: 0.60,
    carry: Carry { height: 0.08, top: (0.45, 0.45), sets_out: 0.0, gathers: 0.22, slows: 0.28 },
    ..WALK
};

const TROTTING: Manner = Manner { hind: 0.54, front: 0.475, bob: 0.014, lowest: 0.11, sway: 0.0, roll: 0.0 };

const CLIMB: Gait =
    Gait { cycle: 1.10, speed: 0.48 / 1.10, carry: Carry { height: 0.06, ..person::CLIMB.carry }, ..WALK };

const SNEAK: Gait = Gait { cycle: 1.6, duty: 0.72, speed: 0.30, flat_after: 0.10, ..WALK };

const SNEAKING: Manner = Manner { hind: 0.44, front: 0.41, ..WALKING };

const JUMP: Gait = Gait {
    speed: 1.0,
    push: degrees(45.0),
    push_late: 1.3,
    land: degrees(-15.0),
    carry: Carry { height: 0.14, ..person::JUMP.carry },
    crouch: 0.16,
    ..WALK
};

const STANDING: Manner = Manner { sway: 0.02, ..WALKING };

/// How a dog does each kind, and when each of its feet leaves: front left, front right, hind left,
/// hind right.
pub(crate) fn of(kind: Kind) -> (Gait, Manner, [f64; 4]) {
    let walk = [0.25, 0.75, 0.0, 0.5];
    match kind {
        Kind::Walk | Kind::Turn => (WALK, WALKING, walk),
        Kind::Run => (TROT, TROTTING, [0.0, 0.5, 0.5, 0.0]),
        Kind::Jump => (JUMP, STANDING, walk),
        Kind::Stairs => (CLIMB, WALKING, walk),
        Kind::Sneak => (SNEAK, SNEAKING, walk),
        Kind::Stand => (WALK, STANDING, walk),
    }
}
