//! The gaits of dogs, and how the rest of the body moves with them.

use super::{Gait, degrees, person};
use crate::feet::SwingPath;
use crate::recipe::Kind;

/// How the body of a dog moves with its feet. Metres, seconds, radians.
#[derive(Clone, Debug)]
pub(crate) struct BodyStyle {
    /// Height of the hind girdle.
    pub hind_height: f64,
    /// Height of the front girdle.
    pub front_height: f64,
    /// Vertical oscillation with every step.
    pub bob: f64,
    /// Delay of the lowest point after a strike.
    pub lowest: f64,
    /// Sideways shift of the trunk towards the standing feet.
    pub sway: f64,
    /// Roll of the trunk towards the standing feet.
    pub roll: f64,
}

/// A four-beat walk: hind left, front left, hind right, front right.
const WALK: Gait = Gait {
    cycle: 0.80,
    duty: 0.66,
    speed: 0.72,
    speed_up_time: 1.7,
    slow_down_time: 1.5,
    midstance: 0.50,
    flattening_time: 0.04,
    heel_off: 0.70,
    heel_lift: degrees(50.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(-8.0),
    swing: SwingPath {
        height: 0.05,
        top: (0.45, 0.45),
        forward_start: 0.0,
        acceleration: 0.30,
        deceleration: 0.36,
    },
    half_width: 0.065,
    toe_out: degrees(3.0),
    crouch: 0.10,
    corner_time: 2.0,
    riser: 0.09,
};

const WALKING: BodyStyle = BodyStyle {
    hind_height: 0.545,
    front_height: 0.49,
    bob: 0.006,
    lowest: 0.0,
    sway: 0.01,
    roll: degrees(1.5),
};

/// A trot: diagonal legs move together, with a flight phase between.
const TROT: Gait = Gait {
    cycle: 0.52,
    duty: 0.42,
    speed: 1.8,
    speed_up_time: 1.7,
    slow_down_time: 1.6,
    heel_off: 0.60,
    swing: SwingPath {
        height: 0.08,
        top: (0.45, 0.45),
        forward_start: 0.0,
        acceleration: 0.22,
        deceleration: 0.28,
    },
    ..WALK
};

const TROTTING: BodyStyle =
    BodyStyle { hind_height: 0.54, front_height: 0.475, bob: 0.014, lowest: 0.11, sway: 0.0, roll: 0.0 };

const CLIMB: Gait = Gait {
    cycle: 1.10,
    speed: 0.48 / 1.10,
    swing: SwingPath { height: 0.06, ..person::CLIMB.swing },
    ..WALK
};

/// Low steps: the front legs reach down to the next one while the hind legs stand two above.
const DESCEND: Gait = Gait { riser: 0.05, ..CLIMB };

const SNEAK: Gait = Gait { cycle: 1.6, duty: 0.72, speed: 0.30, flattening_time: 0.10, ..WALK };

/// Paws slide over the floor and never leave it.
const SHUFFLE: Gait = Gait {
    flattening_time: 0.0,
    heel_off: 1.0,
    heel_lift: 0.0,
    landing_pitch: 0.0,
    swing: SwingPath { height: 0.0, ..person::CLIMB.swing },
    ..SNEAK
};

const SNEAKING: BodyStyle = BodyStyle { hind_height: 0.44, front_height: 0.41, ..WALKING };

const JUMP: Gait = Gait {
    speed: 1.0,
    heel_lift: degrees(45.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(-15.0),
    swing: SwingPath { height: 0.14, ..person::JUMP.swing },
    crouch: 0.16,
    ..WALK
};

const STANDING: BodyStyle = BodyStyle { sway: 0.02, ..WALKING };

/// The gait and style of a kind, and the phases at which the feet leave: front left, front right, hind
/// left, hind right.
pub(crate) fn of(kind: Kind) -> (Gait, BodyStyle, [f64; 4]) {
    let walk = [0.25, 0.75, 0.0, 0.5];
    match kind {
        Kind::Walk | Kind::Turn | Kind::Circle => (WALK, WALKING, walk),
        Kind::Shuffle => (SHUFFLE, WALKING, walk),
        Kind::Run => (TROT, TROTTING, [0.0, 0.5, 0.5, 0.0]),
        Kind::Jump => (JUMP, STANDING, walk),
        Kind::Stairs => (CLIMB, WALKING, walk),
        Kind::StairsDown => (DESCEND, WALKING, walk),
        Kind::Sneak => (SNEAK, SNEAKING, walk),
        Kind::Stand | Kind::Drag | Kind::Kick | Kind::Lift | Kind::Platform => (WALK, STANDING, walk),
        // A dog has no hands.
        Kind::Crawl | Kind::Cartwheel | Kind::Push | Kind::Climb | Kind::Tiptoe | Kind::Pivot => {
            (WALK, STANDING, walk)
        }
    }
}
