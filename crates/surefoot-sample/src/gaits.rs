//! The numbers of each way to go: how fast, how long, how high. Metres, seconds, radians.
//!
//! Those of walking are the textbook's (Perry and Burnfield, Gait Analysis; Winter): 1.3 m/s,
//! steps of 0.7 m, 62 % of the cycle on the floor, both feet down for 12 % twice.

use crate::feet::Carry;
use crate::recipe::{Body, Kind, Recipe};
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
const CLIMB: Gait = Gait {
    cycle: 1.30,
    duty: 0.62,
    speed: 0.60 / 1.30,
    speeding_up: 1.2,
    slowing_down: 1.2,
    passes: 0.45,
    flat_after: 0.10,
    heel_off: 0.66,
    push: degrees(50.0),
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
const JUMP: Gait = Gait {
    speed: 0.85,
    push: degrees(60.0),
    land: degrees(-25.0),
    carry: Carry { height: 0.20, top: (0.42, 0.54), sets_out: 0.0, gathers: 0.30, slows: 0.40 },
    half_width: 0.10,
    crouch: 0.27,
    ..WALK
};

const JUMPING: Manner = Manner { sink: 0.0, bob: 0.0, ..STANDING };

/// How a person does each kind.
pub(crate) fn of_a_person(kind: Kind) -> (Gait, Manner) {
    match kind {
        Kind::Walk | Kind::Turn => (WALK, WALKING),
        Kind::Run => (RUN, RUNNING),
        Kind::Jump => (JUMP, JUMPING),
        Kind::Stairs => (CLIMB, CLIMBING),
        Kind::Sneak => (SNEAK, SNEAKING),
        Kind::Stand => (STAND, STANDING),
    }
}

/// How the rest of a dog moves with its feet.
#[derive(Clone, Debug)]
pub(crate) struct DogManner {
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
const DOG_WALK: Gait = Gait {
    cycle: 0.80,
    duty: 0.66,
    speed: 0.72,
    speeding_up: 1.7,
    slowing_down: 1.5,
    passes: 0.50,
    flat_after: 0.04,
    heel_off: 0.70,
    push: degrees(50.0),
    land: degrees(-8.0),
    carry: Carry { height: 0.05, top: (0.45, 0.45), sets_out: 0.0, gathers: 0.30, slows: 0.36 },
    half_width: 0.065,
    toe_out: degrees(3.0),
    crouch: 0.10,
    corner: 3.0,
    riser: 0.09,
};

const DOG_WALKING: DogManner =
    DogManner { hind: 0.545, front: 0.49, bob: 0.006, lowest: 0.0, sway: 0.01, roll: degrees(1.5) };

/// A trot: two legs that stand crosswise go together, with a moment in the air between.
const TROT: Gait = Gait {
    cycle: 0.52,
    duty: 0.42,
    speed: 1.8,
    speeding_up: 1.7,
    slowing_down: 1.6,
    heel_off: 0.60,
    carry: Carry { height: 0.08, top: (0.45, 0.45), sets_out: 0.0, gathers: 0.22, slows: 0.28 },
    ..DOG_WALK
};

const TROTTING: DogManner =
    DogManner { hind: 0.54, front: 0.475, bob: 0.014, lowest: 0.11, sway: 0.0, roll: 0.0 };

const DOG_CLIMB: Gait =
    Gait { cycle: 1.10, speed: 0.48 / 1.10, carry: Carry { height: 0.06, ..CLIMB.carry }, ..DOG_WALK };

const DOG_SNEAK: Gait = Gait { cycle: 1.6, duty: 0.72, speed: 0.30, flat_after: 0.10, ..DOG_WALK };

const DOG_SNEAKING: DogManner = DogManner { hind: 0.44, front: 0.41, ..DOG_WALKING };

const DOG_JUMP: Gait = Gait {
    speed: 1.0,
    push: degrees(45.0),
    land: degrees(-15.0),
    carry: Carry { height: 0.14, ..JUMP.carry },
    crouch: 0.16,
    ..DOG_WALK
};

const DOG_STANDING: DogManner = DogManner { sway: 0.02, ..DOG_WALKING };

/// How a dog does each kind, and when each of its feet leaves: front left, front right, hind left,
/// hind right.
pub(crate) fn of_a_dog(kind: Kind) -> (Gait, DogManner, [f64; 4]) {
    let walk = [0.25, 0.75, 0.0, 0.5];
    match kind {
        Kind::Walk | Kind::Turn => (DOG_WALK, DOG_WALKING, walk),
        Kind::Run => (TROT, TROTTING, [0.0, 0.5, 0.5, 0.0]),
        Kind::Jump => (DOG_JUMP, DOG_STANDING, walk),
        Kind::Stairs => (DOG_CLIMB, DOG_WALKING, walk),
        Kind::Sneak => (DOG_SNEAK, DOG_SNEAKING, walk),
        Kind::Stand => (DOG_WALK, DOG_STANDING, walk),
    }
}

/// How the body of a recipe goes.
pub(crate) fn of(recipe: &Recipe) -> Gait {
    match recipe.body {
        Body::FourLegs => of_a_dog(recipe.kind).0,
        Body::Human | Body::NoToe => of_a_person(recipe.kind).0,
    }
}
