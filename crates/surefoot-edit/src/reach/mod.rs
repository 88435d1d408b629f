//! Hands and feet meet their goals at keyframes, and the feel of the motion is kept between.
//!
//! After Choi, Park and Ko (1999). First each keyframe by itself: which turns of the joints in the
//! chain bring its points to their goals, as near as can be to the captured ones? Then each joint
//! over time: a curve with a continuous slope through its keyframes, whose velocity is as near as
//! can be to the captured one.
//!
//! In the order they are asked:
//!
//! | file | question |
//! |---|---|
//! | `goals.rs` | what must be where, when? |
//! | `chain.rs` | which joints may turn for it, and about which axes? |
//! | `limits.rs` | how far may they turn? |
//! | `jacobian.rs` | how far are the points from their goals, and how do the angles move them? |
//! | `keyframe.rs` | which angles are the best trade of nearness and likeness? |
//! | `close.rs` | which angles meet the goals exactly; or how near can they come? |
//! | `knots.rs` | where may the curves between keyframes bend? |
//! | `spline.rs` | which curve through the keyframes has the most like velocity? |
//! | `curves.rs` | what does that make of every pose? |
//! | `report.rs` | what was met, what was turned, what became of the velocities? |
//!
//! ```
//! use surefoot_core::{JointPoint, Vec3};
//! use surefoot_edit::reach::{Goal, Settings, reach};
//! use surefoot_sample::{Recipe, make};
//!
//! let walk = make(&Recipe::default())?.motion;
//! let hand = walk.skeleton.find("LeftHand").unwrap();
//! let captured = walk.poses[30].world(&walk.skeleton).joint(hand);
//! let goal = Goal::place(30, JointPoint { joint: hand, offset: Vec3::ZERO }, captured + Vec3::Y * 0.05);
//! let (after, report) = reach(&walk, &[goal], &Settings::default())?;
//! let reached = after.poses[30].world(&walk.skeleton).joint(hand);
//! assert!((reached - (captured + Vec3::Y * 0.05)).length() < 1e-6);
//! assert!(report.goals[0].is_met());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod goals;
mod chain;
mod limits;
mod turns;
mod jacobian;
mod keyframe;
mod close;
mod dense;
mod banded;
mod knots;
mod spline;
mod curves;
mod report;
mod settings;

pub use chain::is_below;
pub use goals::{Goal, ReachError, Within};
pub use limits::{Limit, Limits};
pub use report::{GoalMeasure, GoalReport, JointChange, Note, Report, changes, measure, velocities};
pub use settings::{Form, Freedom, Residue, Settings};
pub use turns::{angles, mean_turn};

use curves::Turned;
use surefoot_core::Motion;

/// A motion that meets its goals, and what that took.
///
/// Goals at one frame are solved together, and so are both ends of a goal that is relative to
/// another joint. A goal that cannot be met is come as near to as can be, and the report says how
/// near. Without goals the motion comes back as it was.
pub fn reach(motion: &Motion, goals: &[Goal], settings: &Settings) -> Result<(Motion, Report), ReachError> {
    settings.check(&motion.skeleton)?;
    goals::check(motion, goals)?;
    let mut report = Report::default();
    let scene = chain::Scene::new(motion, goals, settings)?;
    let mut turned = Turned::default();
    for (&frame, at_frame) in &scene.frames {
        let solved = close::solve(&scene, frame, at_frame);
        report.take(goals, at_frame, &solved);
        turned.insert(frame, solved);
    }
    report.goals.sort_by_key(|goal| goal.goal);
    let after = curves::bend(&scene, &turned, &mut report);
    Ok((after, report))
}
