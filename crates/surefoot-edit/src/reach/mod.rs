//! Moves hands, feet or other points to goals at keyframes and preserves the velocities between.
//!
//! After Choi, Park and Ko (1999), in two stages:
//!
//! 1. Inverse kinematics at each keyframe: `chain.rs` chooses the joints and their axes, `limits.rs`
//!    their ranges. `jacobian.rs` gives the distances to the goals and their derivatives.
//!    `keyframe.rs` minimises the weighted sum of distance and change, and `solve.rs` removes the
//!    remaining distance.
//! 2. A curve per joint over time: `knots.rs` places the knots, and `spline.rs` fits a smooth curve
//!    through the keyframes whose velocity is closest to the captured one. `curves.rs` applies the
//!    curves to the poses.
//!
//! `report.rs` measures goals, joints and velocities. `planted/` holds planted feet at the same time.
//!
//! ```
//! use surefoot_core::{JointPoint, Vec3};
//! use surefoot_edit::reach::{Goal, Settings, reach};
//! use surefoot_sample::{Recipe, make};
//!
//! let walk = make(&Recipe::default())?.motion;
//! let hand = walk.skeleton.find("LeftHand").unwrap();
//! let captured = walk.poses[30].world(&walk.skeleton).joint(hand);
//! let goal = Goal::at_position(30, JointPoint { joint: hand, offset: Vec3::ZERO }, captured + Vec3::Y * 0.05);
//! let (after, report) = reach(&walk, &[goal], &Settings::default())?;
//! let reached = after.poses[30].world(&walk.skeleton).joint(hand);
//! assert!((reached - (captured + Vec3::Y * 0.05)).length() < 1e-6);
//! assert!(report.goals[0].is_met());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod goals;
mod chain;
mod limits;
mod rotation_vector;
mod jacobian;
mod keyframe;
mod solve;
mod dense;
mod banded;
mod knots;
mod eases;
mod spline;
mod curves;
mod report;
mod settings;
mod planted;

pub use chain::is_below;
pub use goals::{Goal, GoalSpace, ReachError};
pub use limits::{Limit, Limits};
pub use planted::{
    Conflict, PlantedReach, PlantedReachError, StanceChange, StanceChangeKind, reach_with_plants,
    settings_for,
};
pub use report::{GoalMeasure, GoalReport, JointChange, Note, Report, changes, measure, velocities};
pub use rotation_vector::{angles, mean_rotation};
pub use settings::{Fade, Form, Freedom, HeldJoint, ROOT_FADE, Residue, Settings};

use curves::KeyframeSolutions;
use surefoot_core::Motion;

/// Changes a motion so that its points reach their goals. Returns the motion and a report.
///
/// Planted feet are not held: where the root moves, or a goal concerns a leg, use [`reach_with_plants`].
///
/// Goals at one frame are solved together, and so are both ends of a goal that is relative to
/// another joint. For an unreachable goal the result is the nearest pose, and the report gives the
/// remaining distance. Without goals the motion is returned unchanged.
pub fn reach(motion: &Motion, goals: &[Goal], settings: &Settings) -> Result<(Motion, Report), ReachError> {
    check(motion, goals, settings)?;
    let mut report = Report::default();
    let problem = chain::Problem::new(motion, goals, settings)?;
    let mut solutions = KeyframeSolutions::default();
    for run in problem.runs() {
        for ((frame, at_frame), solved) in run.iter().zip(solve::solve_run(&problem, &run)) {
            report.add_keyframe(goals, at_frame, &solved);
            solutions.insert(*frame, solved);
        }
    }
    report.goals.sort_by_key(|goal| goal.goal);
    let after = curves::apply(&problem, &solutions, &mut report);
    Ok((after, report))
}

/// Validates a motion, its goals and the settings.
fn check(motion: &Motion, goals: &[Goal], settings: &Settings) -> Result<(), ReachError> {
    settings.check(&motion.skeleton)?;
    goals::check(motion, goals)
}
