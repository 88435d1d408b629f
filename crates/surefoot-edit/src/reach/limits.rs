//! Limits of joint rotations.
//!
//! Limits are enforced at keyframes. Between them the curves may exceed a limit slightly; the report
//! contains a note with the amount.

use super::goals::ReachError;
use super::rotation_vector::{angles, log, mean_rotation};
use surefoot_core::{JointId, Motion, Quat, Vec3};

/// The limits of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// The joint.
    pub joint: JointId,
    /// Lower limit of each component of the rotation vector from the rest pose, in radians.
    pub lower: Vec3,
    /// Upper limit of each component, in radians.
    pub upper: Vec3,
}

/// The limits of all joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    /// Limits of individual joints.
    pub given: Vec<Limit>,
    /// Limit of all other joints: their captured range extended by this angle, in radians. `None` for
    /// no limit.
    pub beyond_captured: Option<f64>,
}

impl Limits {
    pub(super) fn joints(&self) -> impl Iterator<Item = JointId> {
        self.given.iter().map(|limit| limit.joint)
    }

    pub(super) fn check(&self) -> Result<(), ReachError> {
        for Limit { lower, upper, .. } in &self.given {
            // Negated so that NaN is an error too.
            if !lower.cmple(*upper).all() {
                let found = (*upper - *lower).min_element();
                return Err(ReachError::Setting {
                    name: "the range of a limit",
                    found,
                    expected: "lower limits below upper limits",
                });
            }
        }
        match self.beyond_captured {
            Some(found) if !(found >= 0.0 && found.is_finite()) => {
                Err(ReachError::Setting { name: "beyond_captured", found, expected: "0 or more" })
            }
            _ => Ok(()),
        }
    }
}

/// A box of rotation vectors relative to a rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct RotationBounds {
    /// The reference rotation.
    pub from: Quat,
    pub lower: Vec3,
    pub upper: Vec3,
}

impl RotationBounds {
    /// The bounds of a joint; `None` if it has no limit.
    pub fn of(motion: &Motion, joint: JointId, limits: &Limits, first_frame: usize) -> Option<Self> {
        if let Some(limit) = limits.given.iter().find(|limit| limit.joint == joint) {
            return Some(Self { from: Quat::IDENTITY, lower: limit.lower, upper: limit.upper });
        }
        let margin = Vec3::splat(limits.beyond_captured?);
        let from = mean_rotation(motion, joint);
        let angles = angles(motion, joint, from);
        let angles = angles.get(first_frame..).unwrap_or_default();
        let lower = angles.iter().copied().reduce(Vec3::min)? - margin;
        let upper = angles.iter().copied().reduce(Vec3::max)? + margin;
        Some(Self { from, lower, upper })
    }

    /// The distance of a rotation outside the box, in radians.
    pub fn excess(&self, rotation: Quat) -> f64 {
        let v = log(self.from.conjugate() * rotation);
        (self.lower - v).max(v - self.upper).max_element().max(0.0)
    }
}
