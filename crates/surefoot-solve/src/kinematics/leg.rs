//! A leg at one frame: as captured, its target, and its correction.

use surefoot_core::{Quat, Vec3};

use super::knee_hinge::Bones;
use crate::foot_points::FootPoints;

/// A leg as captured, in world space.
///
/// The order of the fields is the order of the cache lines that the phases read; see
/// [`LegSlot`](crate::stream::slots::LegSlot).
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct CapturedLeg {
    /// Read only to lay feet flat and to raise toes.
    pub ankle_rotation: Quat,
    pub heel: Vec3,
    pub ball: Vec3,
    pub ankle: Vec3,
    pub hip: Vec3,
    pub knee: Vec3,
    /// The hinge axis of the knee, of unit length.
    pub knee_axis: Vec3,
    pub toe: Vec3,
    /// Rotations of the parents of hip and ankle.
    pub hip_parent: Quat,
    pub ankle_parent: Quat,
}

impl CapturedLeg {
    /// Thigh and shin relative to the hinge axis.
    #[inline(always)]
    pub fn bones(&self) -> Bones {
        Bones::new(self.thigh(), self.shin(), self.knee_axis)
    }

    /// Hip to knee.
    #[inline(always)]
    pub fn thigh(&self) -> Vec3 {
        self.knee - self.hip
    }

    /// Knee to ankle.
    #[inline(always)]
    pub fn shin(&self) -> Vec3 {
        self.ankle - self.knee
    }

    #[inline(always)]
    pub fn points(&self) -> FootPoints<Vec3> {
        FootPoints { heel: self.heel, ball: self.ball }
    }
}

/// The ankle that satisfies the plants of a foot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Target {
    pub position: Vec3,
    /// World-space rotation applied to the captured foot.
    pub rotation_correction: Quat,
}

/// What is added to a captured leg.
///
/// The rotations of hip, knee and ankle are in the space of the joint's parent:
/// `corrected = correction * captured`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LegCorrection {
    pub hip: Quat,
    pub knee: Quat,
    pub ankle: Quat,
    /// Added to the bend of the knee, in radians.
    pub bend: f64,
    /// Added to the length of the bones, as a fraction.
    pub stretch: f64,
    /// The ankle after the correction.
    pub foot: Target,
    /// Distance from the ankle to its target, in metres.
    pub target_error: f64,
    /// Depth of the plants around this frame below the floor, in metres: a spot may be given there,
    /// or be captured too far below the floor to be snapped onto it.
    pub floor_depth: f64,
}

/// A leg correction in coordinates that can be scaled and added, so that it can fade to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinearCorrection {
    /// Rotation vectors (axis times angle) of hip and ankle.
    pub hip: Vec3,
    pub ankle: Vec3,
    /// Added to the bend of the knee, in radians.
    pub bend: f64,
    /// Added to the length of the bones, as a fraction.
    pub stretch: f64,
}

impl LinearCorrection {
    pub fn add_scaled(&mut self, other: &Self, weight: f64) {
        self.hip += other.hip * weight;
        self.ankle += other.ankle * weight;
        self.bend += other.bend * weight;
        self.stretch += other.stretch * weight;
    }
}
