//! Where the ball of a foot or the palm of a hand is at any time.

use super::BodyPose;
use crate::curves::{glide, rise};
use crate::feet::PlantedTime;
use surefoot_core::Hold;
use surefoot_core::math::{Quat, Vec3};

/// Which points of a limb are planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldPoints {
    /// None: the limb is carried along with the body.
    None,
    /// The ball of a foot, or the palm of a hand.
    BallOrPalm,
    /// Heel and ball of a flat foot.
    HeelAndBall,
}

/// A time in which a limb rests, in the world or relative to the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    pub from: f64,
    pub to: f64,
    /// Position of the ball or palm: in the world if it is planted, else relative to the hips.
    pub position: Vec3,
    /// Rotation of foot or hand: in the world if it is planted, else relative to the hips.
    pub rotation: Quat,
    pub held: HeldPoints,
    /// How far the toes are bent up so that they lie flat, in radians.
    pub toe_pitch: f64,
}

/// A limb with all its rests, in order of time. Between two rests it moves from one to the other.
#[derive(Clone, Debug)]
pub(super) struct LimbTrack {
    pub rests: Vec<Rest>,
    /// How far the limb is lifted away from what it rests on between two planted rests, in metres.
    pub lift: Vec3,
}

/// Fractions of a flight in which the lift rises and falls.
const LIFT: (f64, f64) = (0.5, 0.5);

/// Fraction of a flight in which a limb accelerates, and in which it decelerates.
const ACCELERATION: f64 = 0.4;

impl LimbTrack {
    /// Position of the ball or palm, and rotation of foot or hand.
    pub fn at(&self, body: &BodyPose, time: f64) -> (Vec3, Quat) {
        let (rest, next, share) = self.around(time);
        let (here, there) = (rest.in_world(body), next.in_world(body));
        if share <= 0.0 {
            return here;
        }
        let moved = glide(share, ACCELERATION, ACCELERATION);
        let lift = rise(share, 0.0, LIFT.0) - rise(share, LIFT.1, 1.0);
        let rotation = if moved > 0.0 { here.1.slerp(there.1, moved) } else { here.1 };
        (here.0.lerp(there.0, moved) + self.lift * lift, rotation)
    }

    /// How far the toes are bent up, in radians.
    pub fn toe_pitch(&self, time: f64) -> f64 {
        let (rest, next, share) = self.around(time);
        rest.toe_pitch + (next.toe_pitch - rest.toe_pitch) * rise(share, 0.0, 1.0)
    }

    /// The rest at a time, or the one before it, the one after, and the fraction of the flight between them.
    fn around(&self, time: f64) -> (&Rest, &Rest, f64) {
        let at = self.rests.iter().rposition(|rest| rest.from <= time).unwrap_or(0);
        let (rest, next) = (&self.rests[at], &self.rests[(at + 1).min(self.rests.len() - 1)]);
        let share = if time <= rest.to || next.from <= rest.to {
            0.0
        } else {
            (time - rest.to) / (next.from - rest.to)
        };
        (rest, next, share)
    }

    /// The times in which a point is planted that is `offset` from the ball or palm, in the space of foot or hand.
    pub fn planted_times(&self, holds: impl Fn(HeldPoints) -> bool, offset: Vec3) -> Vec<PlantedTime> {
        let planted = self.rests.iter().filter(|rest| holds(rest.held));
        let time = |rest: &Rest| PlantedTime {
            from: rest.from,
            to: rest.to,
            spot: rest.position + rest.rotation * offset,
            hold: Hold::default(),
        };
        planted.map(time).collect()
    }
}

impl Rest {
    fn in_world(&self, body: &BodyPose) -> (Vec3, Quat) {
        match self.held {
            HeldPoints::None => {
                (body.position + body.rotation * self.position, body.rotation * self.rotation)
            }
            _ => (self.position, self.rotation),
        }
    }
}
