//! A cartwheel to the left: one hand after the other, then one foot after the other.

use super::limb_track::{HeldPoints, LimbTrack, Rest};
use super::{BodyPath, BodyPose, HAND_THICKNESS, Plan, QUARTER, hand_rotation};
use crate::curves::glide;
use surefoot_core::math::{PI, Quat, Vec3, axis_rotation, cos, sin};

/// Time of standing before the turn, in seconds.
const BEFORE: f64 = 0.8;
/// Duration of the turn, in seconds.
const TURN: f64 = 2.4;
/// Time of standing after the turn, in seconds.
const AFTER: f64 = 0.5;
/// Fraction of the turn in which the body speeds up, and in which it slows down.
const ACCELERATION: f64 = 0.35;

pub(super) const MIN_SECONDS: f64 = BEFORE + TURN + AFTER;

/// The hips of a person who turns a cartwheel.
#[derive(Clone, Debug)]
pub(crate) struct CartwheelBody;

impl CartwheelBody {
    /// The hips travel as over a wheel: high above the feet and above the hands, lower between them.
    pub fn at(&self, time: f64) -> BodyPose {
        let turn = glide((time - BEFORE) / TURN, ACCELERATION, ACCELERATION);
        let angle = 2.0 * PI * turn;
        let x = 2.3 * turn - 0.02 * sin(angle) - 0.03 * sin(2.0 * angle);
        let y = 0.80 + 0.07 * (1.0 - cos(angle)) - 0.05 * (1.0 - cos(2.0 * angle));
        BodyPose { position: Vec3::new(x, y, 0.0), rotation: axis_rotation(2, -angle), spine_bend: 0.0 }
    }
}

/// When limbs leave and land, as fractions of the turn.
const LEFT_FOOT: (f64, f64) = (0.34, 0.78);
const RIGHT_FOOT: (f64, f64) = (0.20, 0.64);
const LEFT_HAND: (f64, f64) = (0.375, 0.5);
const RIGHT_HAND: (f64, f64) = (0.5, 0.625);
/// Duration in which a limb goes from where the body carries it to the floor or back, as a fraction of the turn.
const FLIGHT: f64 = 0.14;
/// The same for a hand.
const HAND_FLIGHT: f64 = 0.2;
/// How far a hand is above the line between both, in metres.
const HAND_LIFT: f64 = 0.12;

pub(super) fn plan(seconds: f64) -> Plan {
    Plan {
        body: BodyPath::Cartwheel(CartwheelBody),
        limbs: [
            foot(1.0, (0.30, 2.6), LEFT_FOOT, seconds),
            foot(-1.0, (-0.30, 2.0), RIGHT_FOOT, seconds),
            hand(1.0, 0.95, LEFT_HAND, seconds),
            hand(-1.0, 1.38, RIGHT_HAND, seconds),
        ],
    }
}

/// The time at a fraction of the turn, in seconds.
fn at(fraction: f64) -> f64 {
    BEFORE + TURN * fraction
}

fn foot(side: f64, (from, to): (f64, f64), (leaves, lands): (f64, f64), seconds: f64) -> LimbTrack {
    let flat = |x: f64, from: f64, to: f64| Rest {
        from,
        to,
        position: Vec3::new(x, 0.0, 0.125),
        rotation: Quat::IDENTITY,
        held: HeldPoints::HeelAndBall,
        toe_pitch: 0.0,
    };
    let carried = Rest {
        from: at(leaves + FLIGHT),
        to: at(lands - FLIGHT),
        position: Vec3::new(side * 0.5, -0.72, 0.1),
        rotation: Quat::IDENTITY,
        held: HeldPoints::None,
        toe_pitch: 0.0,
    };
    LimbTrack {
        rests: vec![flat(from, 0.0, at(leaves)), carried, flat(to, at(lands), seconds)],
        lift: Vec3::ZERO,
    }
}

fn hand(side: f64, x: f64, (lands, leaves): (f64, f64), seconds: f64) -> LimbTrack {
    let raised = |from: f64, to: f64| Rest {
        from,
        to,
        position: Vec3::new(side * 0.3, 0.94, 0.03),
        rotation: hand_rotation(side, Vec3::Y, -Vec3::Z),
        held: HeldPoints::None,
        toe_pitch: 0.0,
    };
    let planted = Rest {
        from: at(lands),
        to: at(leaves),
        position: Vec3::new(x, HAND_THICKNESS, 0.0),
        rotation: axis_rotation(1, side * QUARTER),
        held: HeldPoints::BallOrPalm,
        toe_pitch: 0.0,
    };
    LimbTrack {
        rests: vec![raised(0.0, at(lands - HAND_FLIGHT)), planted, raised(at(leaves + HAND_FLIGHT), seconds)],
        lift: Vec3::Y * HAND_LIFT,
    }
}
