//! Moves points to goals while planted feet are held.
//!
//! 1. The motion is cleaned, which gives every plant its spot.
//! 2. `stances.rs`: a goal for a planted foot moves the plants of that stance, or ends them if it takes the foot off the
//!    floor.
//! 3. `body.rs`: where the root moves or turns, keyframes are solved with the planted feet as further goals. `feet.rs`
//!    bends the legs so that the feet stay on their captured paths. The result is cleaned with the same spots, or with
//!    those that have moved.
//! 4. The joints below the pelvis reach their goals. Those of a planted leg keep their rotations, so that this step
//!    does not move a planted foot.
//!
//! Steps 2 and 3 are skipped where no goal concerns the legs, which is the common case of a hand that reaches.

mod body;
mod feet;
mod stances;

pub use stances::{StanceChange, StanceChangeKind};

use core::fmt;

use super::goals::{Goal, ReachError};
use super::reach;
use super::report::{GoalMeasure, Note, Report, measure};
use super::settings::{Fade, HeldJoint, Settings};
use crate::body_root::{BodyRoot, clean_body, pelvis_of};
use body::Body;
use surefoot_core::{Clip, JointId, Motion, Skeleton, WorldPose};
use surefoot_solve::{CleanError, CleanResult};

/// A goal that is missed by less is met, in metres and radians: rounding of files is larger.
const MET: f64 = 1e-6;

/// A motion that reaches its goals, with planted feet held.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PlantedReach {
    /// The edited clip with the plants that were held, and the cost of each plant.
    pub result: CleanResult,
    /// The cleaned motion without the goals, from which their cost can be told from that of the cleanup.
    pub cleaned: Motion,
    /// The report of the goals.
    pub report: Report,
    /// Stances that a goal has moved or ended.
    pub stance_changes: Vec<StanceChange>,
    /// What the goals would cost the plants, where both cannot be had.
    pub conflict: Option<Conflict>,
}

/// Goals that are missed because planted feet are held.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Conflict {
    /// For each goal that holding the feet keeps from its target: its index, its error with the feet held, and its
    /// error without.
    pub goals: Vec<(usize, GoalMeasure, GoalMeasure)>,
    /// How far a planted point would leave its spot if the feet were not held, in metres.
    pub drift_m: f64,
}

/// Why a motion cannot reach its goals with planted feet.
#[derive(Clone, Debug, PartialEq)]
pub enum PlantedReachError {
    /// The goals or settings do not fit the motion.
    Reach(ReachError),
    /// The motion cannot be cleaned.
    Clean(CleanError),
}

impl fmt::Display for PlantedReachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(error) => error.fmt(f),
            Self::Clean(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PlantedReachError {}

impl From<ReachError> for PlantedReachError {
    fn from(error: ReachError) -> Self {
        Self::Reach(error)
    }
}

impl From<CleanError> for PlantedReachError {
    fn from(error: CleanError) -> Self {
        Self::Clean(error)
    }
}

/// Settings for the body of a clip: the pelvis and the first frame of the performance are those of the clip.
pub fn settings_for(clip: &Clip, settings: &Settings) -> Settings {
    let pelvis = (!clip.legs.is_empty()).then(|| pelvis_of(&clip.motion.skeleton, &clip.legs));
    Settings { pelvis: settings.pelvis.or(pelvis), first_frame: clip.first_frame, ..settings.clone() }
}

/// Changes a clip so that its points reach their goals and its planted feet are held as by [`surefoot_solve::clean`].
///
/// Where a goal and a plant contradict each other, a goal for the planted foot itself wins over the plant. In all other
/// cases the plant wins, and the report states the remaining distance and what the goal would cost.
pub fn reach_with_plants(
    clip: &Clip,
    goals: &[Goal],
    settings: &Settings,
    cleaning: &surefoot_solve::Settings,
) -> Result<PlantedReach, PlantedReachError> {
    let settings = settings_for(clip, settings);
    let Some(body) = BodyRoot::of(&clip.motion, &clip.legs) else {
        return reach_on_body(clip, goals, &settings, cleaning);
    };
    // The root never moves: the pelvis takes its place, so that moving or turning the root means the body.
    let gathered = Clip { motion: body.gather(&clip.motion), ..clip.clone() };
    let root = body.joints()[0];
    let is_pelvis = |joint: JointId| if body.joints().contains(&joint) { root } else { joint };
    let frames = 0..clip.motion.frames();
    let still = body.joints()[1..].iter().map(|&joint| HeldJoint { joint, frames: frames.clone() });
    let settings = Settings {
        chain_from: settings.chain_from.map(is_pelvis),
        held: settings.held.iter().cloned().chain(still).collect(),
        ..settings
    };
    let mapped = |goal: &Goal| Goal { chain_from: goal.chain_from.map(is_pelvis), ..goal.clone() };
    let goals: Vec<Goal> = goals.iter().map(mapped).collect();
    let mut reached = reach_on_body(&gathered, &goals, &settings, cleaning)?;
    reached.result.clip.motion = body.scatter(reached.result.clip.motion);
    reached.cleaned = body.scatter(reached.cleaned);
    let pelvis = body.joints()[body.joints().len() - 1];
    for joint in reached.report.changed_joints.iter_mut().filter(|joint| **joint == root) {
        *joint = pelvis;
    }
    Ok(reached)
}

/// [`reach_with_plants`] for a clip whose root moves with the body.
fn reach_on_body(
    clip: &Clip,
    goals: &[Goal],
    settings: &Settings,
    cleaning: &surefoot_solve::Settings,
) -> Result<PlantedReach, PlantedReachError> {
    super::check(&clip.motion, goals, settings)?;
    let cleaned = clean_body(clip, cleaning)?;
    let mut body = Body::new(clip, &cleaned, goals, settings, cleaning);
    let is_moved = body.moves();
    if is_moved {
        body.solve()?;
    }
    let Body { mut result, report: body_report, free_goals, stances, .. } = body;
    let last = last_settings(&result.clip, settings, is_moved);
    let last_goals: Vec<Goal> =
        free_goals.iter().map(|&n| without_body(&clip.motion.skeleton, &goals[n], settings)).collect();
    let (motion, mut report) = reach(&result.clip.motion, &last_goals, &last)?;
    result.clip.motion = motion;
    let before = measure(&clip.motion, goals);
    report.finish(&result.clip.motion, goals, &before, &free_goals, body_report);
    let conflict = conflict(&cleaned, goals, settings, &report)?;
    Ok(PlantedReach {
        result,
        cleaned: cleaned.clip.motion,
        report,
        stance_changes: stances.changes(),
        conflict,
    })
}

/// The settings of the last step: only joints below the pelvis turn, and those of planted legs keep their rotations.
fn last_settings(clip: &Clip, settings: &Settings, is_moved: bool) -> Settings {
    let skeleton = &clip.motion.skeleton;
    let carries_body = |joint: &JointId| settings.carries_body(skeleton, *joint);
    let mut held = settings.held.clone();
    for plant in &clip.plants.plants {
        let Some(leg) = clip.legs.get(plant.leg) else { continue };
        let foot = [leg.ankle, leg.heel.joint, leg.ball.joint];
        let joints = skeleton.with_ancestors(foot).into_iter().filter(|joint| !carries_body(joint));
        held.extend(joints.map(|joint| HeldJoint { joint, frames: plant.frames.clone() }));
    }
    Settings {
        chain_from: settings.chain_from.filter(|joint| !carries_body(joint)),
        moves_root: false,
        fade: settings.fade_seconds(is_moved).map_or(Fade::Never, Fade::Within),
        held,
        ..settings.clone()
    }
}

/// A goal whose chain begins below the pelvis.
fn without_body(skeleton: &Skeleton, goal: &Goal, settings: &Settings) -> Goal {
    let chain_from = goal.chain_from.filter(|&joint| !settings.carries_body(skeleton, joint));
    Goal { chain_from, ..goal.clone() }
}

/// The goals that are missed because the feet are held, and the drift without holding them.
fn conflict(
    cleaned: &CleanResult,
    goals: &[Goal],
    settings: &Settings,
    report: &Report,
) -> Result<Option<Conflict>, ReachError> {
    let missed: Vec<usize> =
        report.goals.iter().filter(|goal| !goal.is_met()).map(|goal| goal.goal).collect();
    if missed.is_empty() || cleaned.clip.plants.plants.is_empty() {
        return Ok(None);
    }
    let (free, _) = reach(&cleaned.clip.motion, goals, settings)?;
    let errors = measure(&free, goals);
    let with_feet_held = |n: &usize| report.goals.iter().find(|goal| goal.goal == *n).map(|goal| goal.after);
    let compared = missed.iter().filter_map(|n| Some((*n, with_feet_held(n)?, errors[*n])));
    let goals: Vec<_> = compared
        .filter(|(_, held, free)| free.distance < held.distance - MET || free.angle < held.angle - MET)
        .collect();
    let drift_m = drift(&cleaned.clip, &free);
    Ok((!goals.is_empty() && drift_m > MET).then_some(Conflict { goals, drift_m }))
}

/// The largest distance between a planted point of a clip and the same point in another motion, in metres.
fn drift(clip: &Clip, motion: &Motion) -> f64 {
    let mut worlds = [WorldPose::default(), WorldPose::default()];
    let mut largest: f64 = 0.0;
    for frame in 0..motion.frames() {
        let [one, other] = &mut worlds;
        clip.motion.poses[frame].forward_kinematics(&clip.motion.skeleton, one);
        motion.poses[frame].forward_kinematics(&motion.skeleton, other);
        for plant in clip.plants.plants.iter().filter(|plant| plant.frames.contains(&frame)) {
            if let Some(point) = plant.foot_point(&clip.legs) {
                largest = largest.max(one.point(&point).distance(other.point(&point)));
            }
        }
    }
    largest
}

impl Report {
    /// Completes the report of the last step: errors of all goals in the result, numbers of goals as given, and the
    /// joints and notes of the step that moved the body.
    fn finish(
        &mut self,
        motion: &Motion,
        goals: &[Goal],
        before: &[GoalMeasure],
        free_goals: &[usize],
        body: Option<Self>,
    ) {
        let after = measure(motion, goals);
        let steps = |n: usize| {
            let of_last = free_goals.iter().position(|&free| free == n);
            let of_body = body.as_ref().and_then(|body| Some(body.goals.get(of_last?)?.steps));
            of_body.or_else(|| Some(self.goals.get(of_last?)?.steps)).unwrap_or(0)
        };
        let goal =
            |n: usize| super::GoalReport { goal: n, before: before[n], after: after[n], steps: steps(n) };
        let goal_reports: Vec<super::GoalReport> = (0..goals.len()).map(goal).collect();
        let numbered = |note: &Note| match note {
            Note::OutOfReach { goal, .. } => {
                Note::OutOfReach { goal: free_goals[*goal], error: after[free_goals[*goal]] }
            }
            Note::NoFreeJoint { goal } => Note::NoFreeJoint { goal: free_goals[*goal] },
            other => other.clone(),
        };
        let is_met = |note: &Note| match note {
            Note::OutOfReach { goal, .. } | Note::NoFreeJoint { goal } => goal_reports[*goal].is_met(),
            _ => false,
        };
        self.notes = self.notes.iter().map(numbered).filter(|note| !is_met(note)).collect();
        for (n, report) in goal_reports.iter().enumerate() {
            if !free_goals.contains(&n) && !report.is_met() {
                self.notes.push(Note::OutOfReach { goal: n, error: report.after });
            }
        }
        self.goals = goal_reports;
        if let Some(body) = body {
            self.slope_step = self.slope_step.max(body.slope_step);
            self.changed_joints.extend(body.changed_joints);
            self.changed_joints.sort_unstable();
            self.changed_joints.dedup();
            let others = body.notes.into_iter().filter(|note| {
                matches!(note, Note::BeyondCapturedRotation { .. } | Note::BeyondLimit { .. })
            });
            let others: Vec<Note> = others.filter(|note| !self.notes.contains(note)).collect();
            self.notes.extend(others);
        }
    }
}
