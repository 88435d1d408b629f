//! The gaits of people, and how the rest of the body moves with them.
//!
//! The walk has textbook values (Perry and Burnfield, Gait Analysis; Winter, Biomechanics): 1.25 m/s,
//! steps of 0.68 m, stance for 60 % of the cycle, double support for 10 % of it twice, and a foot pitch
//! of 22° at heel strike.

use super::{Gait, degrees};
use crate::feet::SwingPath;
use crate::recipe::Kind;

/// How the body of a person moves with the feet. Metres, seconds, radians.
#[derive(Clone, Debug)]
pub(crate) struct BodyStyle {
    /// Largest hip height, as a fraction of the standing straight leg.
    pub hip_height: f64,
    /// Mean lowering of the hips at full speed.
    pub sink: f64,
    /// Vertical oscillation of the hips with every step.
    pub bob: f64,
    /// Delay of the lowest point after a strike.
    pub lowest: f64,
    /// Sideways shift of the pelvis over the standing foot.
    pub sway: f64,
    /// Drop of the pelvis on the side of the swinging foot.
    pub pelvis_drop: f64,
    /// Yaw of the pelvis per metre that the left foot is ahead of the right.
    pub pelvis_yaw: f64,
    /// Opposite yaw of the chest per metre.
    pub chest_yaw: f64,
    /// Forward lean of the chest; the pelvis tilts by a third of it.
    pub lean: f64,
    /// Swing of an arm per metre that the foot of the other side is ahead.
    pub arm_swing: f64,
    /// Flexion of the elbows.
    pub elbow: f64,
    /// Additional flexion of an elbow per metre.
    pub elbow_swing: f64,
}

pub(crate) const WALK: Gait = Gait {
    cycle: 1.08,
    duty: 0.60,
    speed: 1.25,
    speed_up_time: 1.2,
    slow_down_time: 1.2,
    midstance: 0.43,
    flattening_time: 0.085,
    heel_off: 0.52,
    heel_lift: degrees(80.0),
    // The heel lift is 12° when the other foot strikes and 47° at toe off.
    heel_lift_lateness: 1.6,
    landing_pitch: degrees(22.0),
    swing: SwingPath {
        height: 0.045,
        top: (0.42, 0.42),
        forward_start: 0.0,
        acceleration: 0.34,
        deceleration: 0.36,
    },
    half_width: 0.055,
    toe_out: degrees(6.0),
    crouch: 0.0,
    corner_time: 1.4,
    riser: 0.17,
};

pub(crate) const WALKING: BodyStyle = BodyStyle {
    hip_height: 0.995,
    sink: 0.033,
    bob: 0.019,
    lowest: 0.035,
    sway: 0.022,
    pelvis_drop: degrees(4.0),
    pelvis_yaw: degrees(7.0),
    chest_yaw: degrees(7.0),
    lean: degrees(4.0),
    arm_swing: degrees(34.0),
    elbow: degrees(22.0),
    elbow_swing: degrees(16.0),
};

const STAND: Gait = Gait { half_width: 0.10, toe_out: degrees(9.0), ..WALK };

const STANDING: BodyStyle =
    BodyStyle { sink: 0.0, bob: 0.0, sway: 0.05, lean: degrees(1.0), elbow: degrees(16.0), ..WALKING };

/// A steady run after Novacheck (1998): stance for a third of the cycle, 0.14 s of flight between steps,
/// and a nearly flat heel strike.
const RUN: Gait = Gait {
    cycle: 0.70,
    duty: 0.31,
    speed: 2.9,
    speed_up_time: 1.6,
    slow_down_time: 1.6,
    midstance: 0.43,
    flattening_time: 0.035,
    heel_off: 0.50,
    heel_lift: degrees(100.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(10.0),
    swing: SwingPath {
        height: 0.24,
        top: (0.45, 0.40),
        forward_start: 0.0,
        acceleration: 0.18,
        deceleration: 0.24,
    },
    half_width: 0.035,
    toe_out: degrees(5.0),
    crouch: 0.0,
    corner_time: 1.4,
    riser: 0.17,
};

const RUNNING: BodyStyle = BodyStyle {
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

/// Stairs of 17 cm height and 30 cm depth at 92 steps a minute.
pub(super) const CLIMB: Gait = Gait {
    cycle: 1.30,
    duty: 0.62,
    speed: 0.60 / 1.30,
    speed_up_time: 1.2,
    slow_down_time: 1.2,
    midstance: 0.45,
    flattening_time: 0.10,
    heel_off: 0.66,
    heel_lift: degrees(50.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(-8.0),
    swing: SwingPath {
        height: 0.06,
        top: (0.45, 0.55),
        forward_start: 0.18,
        acceleration: 0.30,
        deceleration: 0.36,
    },
    half_width: 0.075,
    ..WALK
};

/// The same stairs downwards: the foot lands on its ball and sinks onto its heel.
const DESCEND: Gait = Gait {
    flattening_time: 0.16,
    heel_lift: degrees(60.0),
    landing_pitch: degrees(-20.0),
    swing: SwingPath { height: 0.05, top: (0.3, 0.3), forward_start: 0.0, ..CLIMB.swing },
    ..CLIMB
};

/// A shuffle at 0.4 m/s: flat feet slide over the floor and never leave it.
const SHUFFLE: Gait = Gait {
    cycle: 1.2,
    duty: 0.64,
    speed: 0.4,
    flattening_time: 0.0,
    heel_off: 1.0,
    heel_lift: 0.0,
    landing_pitch: 0.0,
    swing: SwingPath { height: 0.0, ..CLIMB.swing },
    half_width: 0.08,
    ..WALK
};

const SHUFFLING: BodyStyle = BodyStyle { hip_height: 0.97, bob: 0.0, sway: 0.04, ..WALKING };

const CLIMBING: BodyStyle = BodyStyle { sink: 0.03, bob: 0.0, sway: 0.03, lean: degrees(10.0), ..WALKING };

/// A slow walk of 0.5 m/s that lands on the ball.
const SNEAK: Gait = Gait {
    cycle: 1.9,
    duty: 0.66,
    speed: 0.5,
    speed_up_time: 1.4,
    slow_down_time: 1.4,
    midstance: 0.45,
    flattening_time: 0.20,
    heel_off: 0.62,
    heel_lift: degrees(48.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(-14.0),
    swing: SwingPath {
        height: 0.13,
        top: (0.45, 0.55),
        forward_start: 0.0,
        acceleration: 0.30,
        deceleration: 0.36,
    },
    half_width: 0.08,
    ..WALK
};

const SNEAKING: BodyStyle = BodyStyle {
    hip_height: 0.90,
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
    heel_lift: degrees(60.0),
    heel_lift_lateness: 1.3,
    landing_pitch: degrees(-25.0),
    swing: SwingPath {
        height: 0.20,
        top: (0.42, 0.54),
        forward_start: 0.0,
        acceleration: 0.30,
        deceleration: 0.40,
    },
    half_width: 0.10,
    crouch: 0.27,
    ..WALK
};

const JUMPING: BodyStyle = BodyStyle { sink: 0.0, bob: 0.0, ..STANDING };

/// The gait and style of a kind.
pub(crate) fn of(kind: Kind) -> (Gait, BodyStyle) {
    match kind {
        Kind::Walk | Kind::Turn | Kind::Circle => (WALK, WALKING),
        Kind::Run => (RUN, RUNNING),
        Kind::Jump => (JUMP, JUMPING),
        Kind::Stairs => (CLIMB, CLIMBING),
        Kind::StairsDown => (DESCEND, CLIMBING),
        Kind::Shuffle => (SHUFFLE, SHUFFLING),
        Kind::Sneak => (SNEAK, SNEAKING),
        // Those on hands or toes have no gait of their own.
        Kind::Stand | Kind::Drag | Kind::Kick | Kind::Lift | Kind::Platform => (STAND, STANDING),
        Kind::Crawl | Kind::Cartwheel | Kind::Push | Kind::Climb => (STAND, STANDING),
        Kind::Tiptoe | Kind::Pivot => (STAND, STANDING),
    }
}
