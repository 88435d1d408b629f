//! How the angle of a knee depends on root and foot: linear near a solution.

use surefoot_core::Vec3;

use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg_ik::NO_LENGTH;
use crate::stream::slots::LegGeometry;

/// Bend below which the knee angle is continued as a line, in radians: 3°. At full extension its slope is infinite.
const NEARLY_STRAIGHT: f64 = 0.05;

/// How far beyond the nearly straight leg that line goes on, in metres.
const MOST_BEYOND: f64 = 0.03;

/// Movement of a foot that is rounding, in metres.
const ROUNDING: f64 = 1e-9;

/// Change of reach from which on a secant is defined, in metres.
const LEAST_SECANT: f64 = 1e-4;

/// How the knee of a leg depends on root and foot near a solution.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KneeModel {
    /// Bend without root and foot correction less the captured bend, in radians.
    pub bend: f64,
    /// Change of the bend per metre of root motion, in radians.
    pub per_root: Vec3,
    /// Change of the bend per metre of tilt, in radians.
    pub per_tilt: f64,
    /// Change of the bend per metre of foot motion, in radians.
    pub per_foot: f64,
    /// Where the foot must stay, in metres, if it cannot move freely.
    pub pinned: Option<f64>,
    /// By how much the leg without root and foot correction is too long, in metres, if it is too long at the solution.
    pub excess_reach: Option<f64>,
    /// From hip to ankle, as long as the share of the root's motion that changes the reach: of unit length for a leg.
    pub along: Vec3,
    /// Change of the reach per metre of foot motion.
    pub along_foot: f64,
    /// Change of the reach per metre of tilt.
    pub along_tilt: f64,
    /// Factor on the costs of moving the foot.
    pub foot_cost: f64,
}

impl KneeModel {
    /// The first model, without a solution.
    ///
    /// Its slope is the secant from the captured reach to that of the target: the solution lies between the two, and
    /// the tangent may be many times steeper.
    pub fn first(leg: &LegGeometry) -> Self {
        let captured = leg.captured_bend;
        let reach = leg.hip_to_ankle.length();
        let now = if leg.is_moved { Bend::at(&leg.bones, reach) } else { captured };
        let change = reach - leg.captured_reach;
        let slope = match change.abs() > LEAST_SECANT {
            true => (now.angle - captured.angle) / change,
            false => now.slope,
        };
        Self::new(leg, leg.hip_to_ankle, reach, 0.0, Bend { angle: now.angle - captured.angle, slope })
    }

    /// The model about a root and foot correction; `before` is the model that gave them.
    ///
    /// A foot that is pinned stays pinned: whether it lies just within its range or just outside is rounding.
    pub fn about(leg: &LegGeometry, root: Vec3, tilt: f64, foot: f64, before: &Self) -> Self {
        let hip = root * leg.root_share + leg.tilt_direction * tilt;
        let vector = leg.hip_to_ankle + leg.foot_direction * foot - hip;
        let reach = vector.length();
        let captured = leg.captured_bend;
        let is_moved = leg.is_moved || hip != Vec3::ZERO || foot != 0.0;
        let now = if is_moved { Bend::at(&leg.bones, reach) } else { captured };
        let mut knee = Self::new(leg, vector, reach, foot, Bend { angle: now.angle - captured.angle, ..now });
        knee.pinned = before.pinned.or(knee.pinned);
        knee.bend -= knee.per_root.dot(root) + knee.per_tilt * tilt + knee.per_foot * foot;
        let reach_change = knee.along_foot * foot + knee.along_tilt * tilt - knee.along.dot(root);
        knee.excess_reach = knee.excess_reach.map(|excess| excess - reach_change);
        knee
    }

    fn new(leg: &LegGeometry, vector: Vec3, reach: f64, foot: f64, bend: Bend) -> Self {
        let along = vector / reach.max(NO_LENGTH);
        let along_foot = along.dot(leg.foot_direction);
        let longest = leg.longest;
        let range = &leg.foot_range;
        Self {
            bend: bend.angle,
            per_root: -along * (bend.slope * leg.root_share),
            per_tilt: -along.dot(leg.tilt_direction) * bend.slope,
            per_foot: along_foot * bend.slope,
            pinned: match leg.foot_direction == Vec3::ZERO {
                true => Some(0.0),
                false if foot < range.least - ROUNDING => Some(range.least),
                false if foot > range.most + ROUNDING => Some(range.most),
                false => None,
            },
            excess_reach: (reach > longest).then_some(reach - longest),
            along: along * leg.root_share,
            along_foot,
            along_tilt: -along.dot(leg.tilt_direction),
            foot_cost: leg.foot_cost,
        }
    }
}

/// A bend in radians and its change per metre of reach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bend {
    angle: f64,
    slope: f64,
}

impl Bend {
    /// The bend for a reach, continued as a line beyond the nearly straight leg.
    pub fn at(bones: &Bones, reach: f64) -> Self {
        let angle = bones.bend_for(reach);
        if angle > NEARLY_STRAIGHT {
            return Self { angle, slope: bones.bend_per_reach(angle) };
        }
        let slope = bones.bend_per_reach(NEARLY_STRAIGHT);
        let beyond = reach - bones.reach(NEARLY_STRAIGHT);
        match beyond < MOST_BEYOND {
            true => Self { angle: NEARLY_STRAIGHT + slope * beyond, slope },
            // A foot this far out of reach stays out of reach, and the knee straight.
            false => Self { angle: NEARLY_STRAIGHT + slope * MOST_BEYOND, slope: 0.0 },
        }
    }
}
