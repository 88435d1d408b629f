//! Lifts a free foot out of the floor.
//!
//! As far as the foot can rotate one end up without the other entering the floor, it does: a knee that lifted every
//! dragging toe would jerk. The leg lifts the rest.

use surefoot_core::{Floor, Quat, Vec3};

use crate::foot_points::FootPoints;
use crate::kinematics::leg::{CapturedLeg, LegCorrection, Target};
use crate::kinematics::leg_ik::{BendAndStretch, NO_LENGTH, change_reach, move_ankle};
use crate::kinematics::rotation::{raise_to, rotate};

/// Most by which one end of the foot is raised for every metre by which the other end is lowered.
///
/// A heel right under the ankle is hardly lowered by any rotation, and where it meets the floor the leg would have to
/// take over from one frame to the next. A larger value lets the foot rotate further before the leg lifts.
const MOST_LEVERAGE: f64 = 1.5;

/// Weight of a correction from which on the lift is complete: 1/3, written as its inverse.
///
/// A foot half out of the floor does not help, but where the correction begins the lift must begin at 0. A larger
/// factor completes the lift closer to the edge of the blend window, and more abruptly.
const LIFT_BY_WEIGHT: f64 = 3.0;

/// Squared lengths below this are degenerate, in m²: an end of the foot right above or below the ankle.
const NO_LENGTH_SQUARED: f64 = 1e-12;

/// A free foot that may be below the floor.
pub(crate) struct FreeFoot<'a> {
    pub captured: &'a CapturedLeg,
    /// Hinge axis of the knee in the space of its parent.
    pub hinge: Vec3,
    pub floor: &'a Floor,
    /// Root correction.
    pub root: Vec3,
    pub stretch_limit: f64,
    /// Height below which a descending foot is slowed down, in metres.
    pub margin: f64,
}

/// One end of a foot, heel or ball.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootEnd {
    /// From the ankle.
    pub arm: Vec3,
    /// Above the floor, in metres.
    pub height: f64,
}

/// Heel and ball by height.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FootEnds {
    pub low: FootEnd,
    pub high: FootEnd,
}

impl FootEnds {
    #[inline(always)]
    pub fn new(arms: FootPoints<Vec3>, heights: FootPoints<f64>) -> Self {
        let heel = FootEnd { arm: arms.heel, height: heights.heel };
        let ball = FootEnd { arm: arms.ball, height: heights.ball };
        if heights.heel < heights.ball {
            Self { low: heel, high: ball }
        } else {
            Self { low: ball, high: heel }
        }
    }
}

/// What a free leg does before or after its foot is lifted, so that the lift does not begin or end abruptly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AnticipatedLift {
    /// Height by which the foot is lifted, in metres; the leg swings for as much of it as is not along the leg.
    pub height: f64,
    /// Added to the bend of the knee, in radians.
    pub bend: f64,
    /// Added to the length of the bones, as a fraction; at most 0.
    pub stretch: f64,
}

/// Corrects a leg so that its free foot comes out of the floor. `anticipate` gives what the leg does for the frames
/// around.
pub(crate) fn lift_out(
    correction: &mut LegCorrection,
    foot: &FreeFoot,
    anticipate: impl FnOnce(&LegCorrection, FootPoints<f64>) -> AnticipatedLift,
) {
    let (captured, target) = (foot.captured, &correction.foot);
    let arm = |point: Vec3| rotate(target.rotation_correction, point - captured.ankle);
    let arms = FootPoints { heel: arm(captured.heel), ball: arm(captured.ball) };
    let heights = FootPoints {
        heel: height_of(foot, correction, arms.heel),
        ball: height_of(foot, correction, arms.ball),
    };
    let anticipated = anticipate(correction, heights);
    // Less than 1e-12 m is rounding.
    if heights.min() >= foot.margin - 1e-12 && anticipated == AnticipatedLift::default() {
        return;
    }
    *correction = lift(foot, correction, anticipated, FootEnds::new(arms, heights));
}

/// Height above the floor of a point `arm` from the corrected ankle.
///
/// A foot that leaves a plant below the floor rises as gradually as its correction fades, so its depth there counts
/// as floor.
#[inline(always)]
fn height_of(foot: &FreeFoot, correction: &LegCorrection, arm: Vec3) -> f64 {
    foot.floor.above(correction.foot.position + arm) + correction.floor_depth
}

/// The correction of a leg whose foot is below the floor. Rarely needed, hence not inlined.
#[cold]
#[inline(never)]
fn lift(
    foot: &FreeFoot,
    correction: &LegCorrection,
    anticipated: AnticipatedLift,
    ends: FootEnds,
) -> LegCorrection {
    let FreeFoot { captured, floor, margin, .. } = *foot;
    let now = correction.foot;
    let FootEnds { low, high } = ends;
    let captured_lift = || {
        let height = floor.above(captured.heel).min(floor.above(captured.ball));
        missing_height(height + correction.floor_depth, margin)
    };
    let missing = missing_height(low.height.min(high.height), margin);
    let share = lift_share(correction, missing, captured_lift);
    let up = floor.plane_under(now.position + low.arm).normal;
    let tilt = tilt(&ends, up, margin);
    let rotation = raise_to(low.arm, up, low.arm.dot(up) + tilt.raised * share);
    let missing = match rotation == Quat::IDENTITY {
        true => missing,
        false => {
            let height = |arm: Vec3| height_of(foot, correction, rotate(rotation, arm));
            missing_height(height(low.arm).min(height(high.arm)), margin)
        }
    };
    let position = now.position + up * (missing * share).max(0.0);
    let position = match floor.as_plane() {
        Some(_) => position,
        None => {
            let arms = [rotation * low.arm, rotation * high.arm];
            above_uneven_ground(floor, position, arms, missing.max(0.0) * (1.0 - share))
        }
    };
    let target = Target { position, rotation_correction: rotation * now.rotation_correction };
    bend_for_lift(foot, correction, target, anticipated, Lift { up, height: missing * share })
}

/// How far a foot is lifted.
struct Lift {
    /// Floor normal.
    up: Vec3,
    /// In metres.
    height: f64,
}

/// Bends the leg so that its ankle comes to `target`, or further up where the frames around need it.
fn bend_for_lift(
    foot: &FreeFoot,
    correction: &LegCorrection,
    target: Target,
    anticipated: AnticipatedLift,
    lift: Lift,
) -> LegCorrection {
    let FreeFoot { captured, hinge, root, stretch_limit, .. } = *foot;
    let now = correction.foot;
    let hip = captured.hip + root;
    let bones = captured.bones();
    let hip_to_ankle = target.position - hip;
    let own = match target.position == now.position {
        true => BendAndStretch { bend: 0.0, stretch: correction.stretch },
        false => {
            let before = (now.position - hip).length();
            change_reach(&bones, correction, before, hip_to_ankle.length(), stretch_limit)
        }
    };
    let change = BendAndStretch {
        bend: own.bend.max(anticipated.bend),
        stretch: own.stretch.min(correction.stretch + anticipated.stretch),
    };
    let hip_to_ankle = match change != own || anticipated.height > lift.height {
        true => {
            let towards = hip_to_ankle + lift.up * (anticipated.height - lift.height).max(0.0);
            let reach = bones.reach(bones.bend + correction.bend + change.bend) * (1.0 + change.stretch);
            towards * (reach / towards.length().max(NO_LENGTH))
        }
        false => hip_to_ankle,
    };
    let target = Target { position: hip + hip_to_ankle, ..target };
    move_ankle(captured, hinge, correction, &target, hip_to_ankle, change)
}

/// A rotation of the foot about its ankle, in metres.
#[derive(Clone, Copy, Debug)]
struct Tilt {
    /// How far the low end rises.
    raised: f64,
    /// How far the high end sinks.
    lowered: f64,
}

/// The rotation that raises the low end of a foot without lowering the high end into the floor. Each end moves in
/// proportion to its level distance from the ankle.
fn tilt(FootEnds { low, high }: &FootEnds, up: Vec3, margin: f64) -> Tilt {
    let missing = missing_height(low.height, margin);
    if missing <= 0.0 || high.height <= 0.0 {
        return Tilt { raised: 0.0, lowered: 0.0 };
    }
    let level_squared = |arm: Vec3| (arm - up * arm.dot(up)).length_squared().max(NO_LENGTH_SQUARED);
    let ratio = (level_squared(low.arm) / level_squared(high.arm)).sqrt();
    // An end below the ankle is hardly raised by any rotation: raising a heel so would throw the toes down.
    let leverage_squared = level_squared(low.arm) / low.arm.length_squared().max(NO_LENGTH_SQUARED);
    let raised = missing.min(high.height * ratio.min(MOST_LEVERAGE)) * leverage_squared;
    Tilt { raised, lowered: raised / ratio }
}

/// How far the leg lifts a foot beyond what its rotation raises, in metres.
pub(crate) fn lift_height(ends: &FootEnds, up: Vec3, margin: f64) -> f64 {
    let Tilt { raised, lowered } = tilt(ends, up, margin);
    missing_height((ends.low.height + raised).min(ends.high.height - lowered), margin)
}

/// How far a point at this height is to be raised, in metres: out of the floor, and within the margin smoothly away
/// from it.
pub(crate) fn missing_height(height: f64, margin: f64) -> f64 {
    if height.abs() >= margin {
        return (-height).max(0.0);
    }
    let above = height + margin;
    above * above / (4.0 * margin) - height
}

/// A position straight above `position`, from which neither arm ends deeper than `depth` below the ground: a foot that
/// is lifted out of a slope comes over other ground.
#[cold]
#[inline(never)]
fn above_uneven_ground(floor: &Floor, position: Vec3, arms: [Vec3; 2], depth: f64) -> Vec3 {
    let missing = |arm: Vec3| {
        let plane = floor.plane_under(position + arm);
        -(plane.above(position + arm) + depth) / plane.normal.y
    };
    position + Vec3::Y * missing(arms[0]).max(missing(arms[1])).max(0.0)
}

/// Fraction of a lift of `missing` metres that is carried out; `captured` gives the lift that the captured foot would
/// need.
///
/// A leg with less than a third of a correction lifts its foot in proportion. What the captured foot would not need
/// is always lifted: no foot comes deeper into the floor because the root is moved, or by no more than a quarter of
/// the margin, without which it would change abruptly from being lifted to its own path.
pub(crate) fn lift_share(correction: &LegCorrection, missing: f64, captured: impl FnOnce() -> f64) -> f64 {
    let share = LIFT_BY_WEIGHT * correction.weight;
    if share >= 1.0 {
        return 1.0;
    }
    let captured = captured();
    if missing > captured { 1.0 - (1.0 - share) * (captured / missing) } else { share }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MARGIN: f64 = 0.006;

    fn arm() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.3..0.3f64).prop_map(Vec3::from_array)
    }

    fn ends([low_arm, high_arm]: [Vec3; 2], low: f64, more: f64) -> FootEnds {
        FootEnds {
            low: FootEnd { arm: low_arm, height: low },
            high: FootEnd { arm: high_arm, height: low + more },
        }
    }

    proptest! {
        /// Where both ends are within the margin above the floor, tilting may lower the high end to the floor, where
        /// a quarter of the margin is missing.
        #[test]
        fn no_foot_is_lifted_further_than_its_depth_or_a_quarter_of_the_margin(
            arms in [arm(), arm()],
            low in -0.1..0.02f64,
            more in 0.0..0.2f64,
            margin in prop::sample::select(vec![0.0, 0.001, MARGIN]),
        ) {
            let lifted = lift_height(&ends(arms, low, more), Vec3::Y, margin);
            let most = missing_height(low, margin).max(0.25 * margin) + 1e-15;
            prop_assert!((0.0..=most).contains(&lifted), "{lifted}, {low} deep");
        }

        #[test]
        fn tilting_never_lowers_the_high_end_below_the_floor(
            arms in [arm(), arm()],
            low in -0.1..0.02f64,
            more in 0.0..0.2f64,
        ) {
            let Tilt { raised, lowered } = tilt(&ends(arms, low, more), Vec3::Y, MARGIN);
            prop_assert!(raised >= 0.0 && lowered >= 0.0);
            prop_assert!(low + more - lowered >= (low + more).min(0.0) - 1e-15);
        }
    }
}
