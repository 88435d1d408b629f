//! How far may joints turn?
//!
//! Limits hold at keyframes, where turns are chosen. Between them a curve follows the capture and
//! the keyframes, and may pass a limit by a little; the report says by how much.

use super::goals::ReachError;
use super::turns::{angles, log, mean_turn};
use surefoot_core::{JointId, Motion, Quat, Vec3};

/// How far one joint may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The joint.
    pub joint: JointId,
    /// The least of its rotation vector from the rest pose, part by part, in radians.
    pub lower: Vec3,
    /// The most of it.
    pub upper: Vec3,
}

/// How far joints may turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Joints whose limits are given.
    pub given: Vec<Limit>,
    /// For all other joints: no farther than they do in the capture and this much more, in
    /// radians. `None` for no limit.
    pub beyond_captured: Option<f64>,
}

impl Limits {
    pub(super) fn joints(&self) -> impl Iterator<Item = JointId> {
        self.given.iter().map(|limit| limit.joint)
    }

    pub(super) fn check(&self) -> Result<(), ReachError> {
        for Limit { lower, upper, .. } in &self.given {
            // Written so that what is no number is refused too.
            if !lower.cmple(*upper).all() {
                let found = (*upper - *lower).min_element();
                return Err(ReachError::Setting {
                    name: "a limit",
                    found,
                    expected: "the least before the most",
                });
            }
        }
        match self.beyond_captured {
            Some(found) if !(found >= 0.0 && found.is_finite()) => Err(ReachError::Setting {
                name: "the room beyond captured turns",
                found,
                expected: "0 or more",
            }),
            _ => Ok(()),
        }
    }
}

/// A box of rotation vectors from some turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The turn they count from.
    pub from: Quat,
    pub lower: Vec3,
    pub upper: Vec3,
}

impl Room {
    /// The room a joint has; `None` for all there is.
    pub fn of(motion: &Motion, joint: JointId, limits: &Limits, first_frame: usize) -> Option<Self> {
        if let Some(limit) = limits.given.iter().find(|limit| limit.joint == joint) {
            return Some(Self { from: Quat::IDENTITY, lower: limit.lower, upper: limit.upper });
        }
        let room = Vec3::splat(limits.beyond_captured?);
        let from = mean_turn(motion, joint);
        let angles = angles(motion, joint, from);
        let performed = angles.get(first_frame..).unwrap_or_default();
        let lower = performed.iter().copied().reduce(Vec3::min)? - room;
        let upper = performed.iter().copied().reduce(Vec3::max)? + room;
        Some(Self { from, lower, upper })
    }

    /// By how much a turn is outside, in radians.
    pub fn excess(&self, turn: Quat) -> f64 {
        let v = log(self.from.conjugate() * turn);
        (self.lower - v).max(v - self.upper).max_element().max(0.0)
    }
}
