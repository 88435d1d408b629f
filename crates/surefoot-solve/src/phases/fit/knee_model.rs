//! How the angle of a knee depends on root and foot: linear near a solution.

use surefoot_core::Vec3;
use surefoot_core::math::acos;

use super::least_squares::TILT;
use crate::kinematics::knee_hinge::Bones;
use crate::kinematics::leg_ik::NO_LENGTH;
use crate::stream::slots::LegGeometry;

/// Bend below which the knee angle is continued as a line: 3°. At full extension its slope is infinite.
const NEARLY_STRAIGHT: Angle =
    Angle { angle: 0.05, sine: 0.049_979_169_270_678_33, cosine: 0.998_750_260_394_966_2 };

/// An angle in radians with its sine and cosine.
struct Angle {
    angle: f64,
    sine: f64,
    cosine: f64,
}

/// How far beyond the nearly straight leg that line goes on, in metres.
const MOST_BEYOND: f64 = 0.03;

/// Change of reach from which on a secant is defined, in metres.
const LEAST_SECANT: f64 = 1e-4;

/// How the knee of a leg depends on the unknowns of its frame, near a solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KneeModel<const UNKNOWNS: usize> {
    /// Bend at the solution less the captured bend, in radians.
    pub bend: f64,
    /// Change of the bend per metre of reach, in radians.
    pub slope: f64,
    /// Change of the reach per metre of each unknown.
    pub reach: [f64; UNKNOWNS],
    /// By how much the leg is too long at the solution, in metres, if it is.
    pub excess_reach: Option<f64>,
}

impl<const UNKNOWNS: usize> KneeModel<UNKNOWNS> {
    pub const ZERO: Self = Self { bend: 0.0, slope: 0.0, reach: [0.0; UNKNOWNS], excess_reach: None };

    /// The first model, without a solution.
    ///
    /// Its slope is the secant from the captured reach to that of the target: the solution lies between the two, and
    /// the tangent may be many times steeper.
    pub fn first(leg: &LegGeometry, foot: usize) -> Self {
        let captured = leg.captured_bend;
        let reach = leg.hip_to_ankle.length();
        let now = if leg.is_moved { Bend::at(&leg.bones, reach) } else { captured };
        let change = reach - leg.captured_reach;
        let slope = match change.abs() > LEAST_SECANT {
            true => (now.angle - captured.angle) / change,
            false => now.slope,
        };
        Self::new(leg, foot, leg.hip_to_ankle, reach, Bend { slope, ..now }, leg.foot_direction)
    }

    /// The model about a solution; `foot` is the unknown of the leg.
    pub fn about(leg: &LegGeometry, foot: usize, solution: &[f64; UNKNOWNS]) -> Self {
        let root = Vec3::new(solution[0], solution[1], solution[2]);
        let hip = root * leg.root_share + leg.tilt_direction * solution[TILT];
        let moved = FootArc::new(leg, solution[foot]);
        let vector = leg.hip_to_ankle + moved.ankle - hip;
        let reach = vector.length();
        let is_moved = leg.is_moved || hip != Vec3::ZERO || solution[foot] != 0.0;
        let now = if is_moved { Bend::at(&leg.bones, reach) } else { leg.captured_bend };
        Self::new(leg, foot, vector, reach, now, moved.direction)
    }

    fn new(
        leg: &LegGeometry,
        foot: usize,
        vector: Vec3,
        reach: f64,
        bend: Bend,
        foot_direction: Vec3,
    ) -> Self {
        let along = vector / reach.max(NO_LENGTH);
        let per_root = -along * leg.root_share;
        let mut per_unknown = [0.0; UNKNOWNS];
        per_unknown[..3].copy_from_slice(&per_root.to_array());
        per_unknown[TILT] = -along.dot(leg.tilt_direction);
        per_unknown[foot] = along.dot(foot_direction);
        Self {
            bend: bend.angle - leg.captured_bend.angle,
            slope: bend.slope,
            reach: per_unknown,
            excess_reach: (reach > leg.longest).then_some(reach - leg.longest),
        }
    }
}

/// The ankle of a foot that has moved: along a line, or along an arc about the point that the foot rolls about.
struct FootArc {
    /// How far it has moved.
    ankle: Vec3,
    /// Its movement per further metre.
    direction: Vec3,
}

impl FootArc {
    fn new(leg: &LegGeometry, metres: f64) -> Self {
        let line = leg.foot_direction * metres;
        if leg.foot_arm == Vec3::ZERO || metres == 0.0 {
            return Self { ankle: line, direction: leg.foot_direction };
        }
        let end = leg.foot_arm + line;
        let shortening = leg.foot_arm.length() / end.length().max(NO_LENGTH);
        let towards = end.normalize_or_zero();
        let across = leg.foot_direction - towards * leg.foot_direction.dot(towards);
        Self { ankle: end * shortening - leg.foot_arm, direction: across * shortening }
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
        let Some(cosine) = bones.bend_cosine(reach) else { return Self { angle: bones.bend, slope: 0.0 } };
        if cosine < NEARLY_STRAIGHT.cosine {
            let cosine = cosine.max(-1.0);
            let sine = (1.0 - cosine * cosine).sqrt().max(NEARLY_STRAIGHT.sine);
            return Self { angle: acos(cosine), slope: bones.bend_per_reach(reach, sine) };
        }
        let nearly_straight = bones.reach_at_cosine(NEARLY_STRAIGHT.cosine);
        let slope = bones.bend_per_reach(nearly_straight, NEARLY_STRAIGHT.sine);
        let beyond = reach - nearly_straight;
        match beyond < MOST_BEYOND {
            true => Self { angle: NEARLY_STRAIGHT.angle + slope * beyond, slope },
            // A foot this far out of reach stays out of reach, and the knee straight.
            false => Self { angle: NEARLY_STRAIGHT.angle + slope * MOST_BEYOND, slope: 0.0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::{cos, sin};

    #[test]
    fn the_constants_are_those_of_one_angle() {
        assert!((NEARLY_STRAIGHT.sine - sin(NEARLY_STRAIGHT.angle)).abs() < 1e-15);
        assert!((NEARLY_STRAIGHT.cosine - cos(NEARLY_STRAIGHT.angle)).abs() < 1e-15);
    }

    #[test]
    fn the_slope_is_the_change_of_the_angle_per_metre() {
        let bones = Bones::new(Vec3::new(0.01, -0.4, 0.0), Vec3::new(0.02, -0.38, -0.1), Vec3::X);
        // From folded to beyond the straight leg.
        for reach in (5..80).map(|cm| 0.01 * f64::from(cm)) {
            let [before, at, after] = [-1e-6, 0.0, 1e-6].map(|change| Bend::at(&bones, reach + change));
            let slope = (after.angle - before.angle) / 2e-6;
            assert!((slope - at.slope).abs() < 1e-4 * (1.0 + slope.abs()), "{reach}: {slope} {at:?}");
        }
    }
}
