//! Pushes against a wall with both hands: contacts that are not on the floor.

use super::limb_track::{HeldPoints, LimbTrack, Rest};
use super::{BodyPath, BodyPose, HAND_THICKNESS, Plan, hand_rotation};
use crate::curves::rise;
use surefoot_core::math::{PI, Vec3, axis_rotation, sin};

/// Time before the hands leave the waist for the first time, in seconds.
const FIRST: f64 = 0.6;
/// Time from one push to the next, in seconds.
const PERIOD: f64 = 3.7;
/// Time in which a hand goes to the wall or back, in seconds.
const FLIGHT: f64 = 0.8;
/// Time in which the hands are on the wall, in seconds.
const PUSH: f64 = 1.8;
/// The right hand follows the left one, in seconds.
const RIGHT_DELAY: f64 = 0.12;
/// Distance of the wall from the middle of the feet, in metres.
const WALL: f64 = 0.47;
/// Half the distance by which the body moves forward and back while it pushes, in metres.
const SWAY: f64 = 0.055;
/// Period of that movement, in seconds.
const SWAY_PERIOD: f64 = 1.4;

pub(super) const MIN_SECONDS: f64 = FIRST + PERIOD;

/// The hips of a person who pushes.
#[derive(Clone, Debug)]
pub(crate) struct PushBody {
    /// When the left hand touches the wall, for each push.
    pushes: Vec<f64>,
}

impl PushBody {
    pub fn at(&self, time: f64) -> BodyPose {
        let leans = |touch: f64| {
            let leaves = touch + PUSH;
            let lean = rise(time, touch - FLIGHT, touch) - rise(time, leaves, leaves + FLIGHT);
            lean * (0.04 + SWAY * sin(2.0 * PI * (time - touch) / SWAY_PERIOD))
        };
        let forward: f64 = self.pushes.iter().map(|touch| leans(*touch)).sum();
        BodyPose {
            position: Vec3::new(0.0, 0.88 - 0.3 * forward.max(0.0) * forward.max(0.0), forward - 0.02),
            rotation: axis_rotation(0, 0.4 * forward),
            spine_bend: 0.8 * forward,
        }
    }
}

pub(super) fn plan(seconds: f64) -> Plan {
    let count = ((seconds - FIRST) / PERIOD) as usize;
    let pushes: Vec<f64> = (0..count).map(|n| FIRST + FLIGHT + n as f64 * PERIOD).collect();
    let foot = |side: f64, z: f64| LimbTrack {
        rests: vec![Rest {
            from: 0.0,
            to: seconds,
            position: Vec3::new(side * 0.11, 0.0, z),
            rotation: axis_rotation(1, side * 0.12),
            held: HeldPoints::HeelAndBall,
            toe_pitch: 0.0,
        }],
        lift: Vec3::ZERO,
    };
    Plan {
        limbs: [foot(1.0, 0.2), foot(-1.0, -0.08), hand(1.0, &pushes, seconds), hand(-1.0, &pushes, seconds)],
        body: BodyPath::Push(PushBody { pushes }),
    }
}

fn hand(side: f64, pushes: &[f64], seconds: f64) -> LimbTrack {
    // In front of the waist, with the palms down.
    let ready = |from: f64, to: f64| Rest {
        from,
        to,
        position: Vec3::new(side * 0.24, 0.08, 0.24),
        rotation: hand_rotation(side, Vec3::Z, Vec3::Y),
        held: HeldPoints::None,
        toe_pitch: 0.0,
    };
    let delay = if side > 0.0 { 0.0 } else { RIGHT_DELAY };
    let mut rests = Vec::new();
    let mut free_from = 0.0;
    for (n, touch) in pushes.iter().map(|touch| touch + delay).enumerate() {
        rests.push(ready(free_from, touch - FLIGHT));
        rests.push(Rest {
            from: touch,
            to: touch + PUSH,
            position: Vec3::new(side * 0.2, 1.3 + 0.03 * (n % 2) as f64, WALL - HAND_THICKNESS),
            rotation: hand_rotation(side, Vec3::Y, -Vec3::Z),
            held: HeldPoints::BallOrPalm,
            toe_pitch: 0.0,
        });
        free_from = touch + PUSH + FLIGHT;
    }
    rests.push(ready(free_from, seconds.max(free_from)));
    LimbTrack { rests, lift: Vec3::ZERO }
}
