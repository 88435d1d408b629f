//! The toe lock of orangeduck's open motion matching demo, rebuilt from its description
//! (theorangeduck.com, *Code vs Data Driven Displacement*, foot locking and inverse kinematics).
//!
//! The demo runs in a game: each frame depends on those before only. A toe in contact is locked where it is, at the height
//! of the floor, until the contact ends or the captured toe is 20 cm away. At both moments the jump is inertialised: the
//! difference is kept and decays as a critically damped spring. The leg reaches the result by two-bone inverse kinematics
//! with the foot's captured offset from toe to ankle, then the foot is aimed at the toe, and the toe tip kept above the floor.
//! The root is not moved. The numbers are those of the demo; here the toe of its skeleton is the ball.

use surefoot::core::math::exp;
use surefoot::core::{Clip, Floor, FootPoint, Leg, Motion, Vec3};

use super::body::{Body, knee_axis};

/// Distance from the captured toe at which a lock is given up, in metres.
const UNLOCK_DISTANCE: f64 = 0.2;
/// Time in which the difference after locking and unlocking halves, in seconds.
const HALF_LIFE: f64 = 0.1;
/// Length by which a leg stays short of straight, in metres.
const RESERVE: f64 = 0.015;

/// The motion with the balls locked while they are planted.
pub fn toe_lock(clip: &Clip) -> Motion {
    let Clip { motion, legs, .. } = clip;
    let floor = clip.floor_or_lowest_point();
    let mut locks: Vec<Lock> = legs.iter().map(|_| Lock::default()).collect();
    let axes: Vec<Vec3> = legs.iter().map(|leg| knee_axis(motion, leg)).collect();
    let mut after = motion.clone();
    for (frame, pose) in after.poses.iter_mut().enumerate() {
        let mut body = Body::new(&motion.skeleton, pose);
        for (number, leg) in legs.iter().enumerate() {
            let captured = body.world.point(&leg.ball);
            let contact = clip.plants.is_planted(number, FootPoint::Ball, frame);
            let toe = locks[number].update(captured, contact, &floor, 1.0 / motion.fps);
            place_foot(&mut body, leg, axes[number], toe, &floor);
        }
        pose.copy_from(&body.pose);
    }
    after
}

/// Where a toe is, with what is left of the last jump.
#[derive(Default)]
struct Lock {
    captured: Option<Vec3>,
    was_in_contact: bool,
    place: Option<Vec3>,
    /// Difference that decays, and its velocity.
    offset: Vec3,
    offset_velocity: Vec3,
}

impl Lock {
    /// Advances by a frame and returns the position of the toe.
    fn update(&mut self, captured: Vec3, contact: bool, floor: &Floor, step: f64) -> Vec3 {
        let velocity = (captured - self.captured.replace(captured).unwrap_or(captured)) / step;
        self.decay(step);
        let toe = self.place.unwrap_or(captured) + self.offset;
        let begins = contact && !self.was_in_contact;
        self.was_in_contact = contact;
        match self.place {
            None if begins => {
                let place = floor.nearest(toe);
                self.keep(captured - place, velocity);
                self.place = Some(place);
            }
            Some(place) if !contact || place.distance(captured) > UNLOCK_DISTANCE => {
                self.keep(place - captured, -velocity);
                self.place = None;
            }
            _ => {}
        }
        self.place.unwrap_or(captured) + self.offset
    }

    /// Adds the jump from one goal to another, so that the position and its velocity do not jump.
    fn keep(&mut self, jump: Vec3, velocity: Vec3) {
        self.offset += jump;
        self.offset_velocity += velocity;
    }

    /// A critically damped spring towards zero, in closed form.
    fn decay(&mut self, step: f64) {
        let rate = 2.0 * core::f64::consts::LN_2 / HALF_LIFE;
        let slope = self.offset_velocity + self.offset * rate;
        let fading = exp(-rate * step);
        self.offset = (self.offset + slope * step) * fading;
        self.offset_velocity = (self.offset_velocity - slope * (rate * step)) * fading;
    }
}

/// Bends the leg, aims the foot and lifts the toe tip.
fn place_foot(body: &mut Body, leg: &Leg, knee_axis: Vec3, toe: Vec3, floor: &Floor) {
    let ankle = body.world.joint(leg.ankle) - body.world.point(&leg.ball) + toe;
    body.reach(leg, knee_axis, ankle, RESERVE);
    let ball = body.world.point(&leg.ball);
    body.aim(leg.ankle, ball, toe);
    let tip = body.world.point(&leg.toe);
    let depth = -floor.above(tip);
    if depth > 0.0 && leg.toe.joint != leg.ankle {
        body.aim(leg.toe.joint, tip, tip + floor.up() * depth);
    }
}
