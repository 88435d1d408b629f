//! Moves points of a file to goals with planted feet held, writes the file, and measures the written file.

use core::fmt;
use std::borrow::Cow;

use serde::Serialize;
use surefoot_core::{Clip, Motion, Vec3};
use surefoot_edit::reach::{
    self, Conflict, Fade, Goal, GoalMeasure, JointChange, Limits, PlantedReach, PlantedReachError,
    ReachError, Report, Settings, StanceChange, angles, changes, mean_rotation,
};
use surefoot_measure::{GoalRow, JointRow, ReachReport, cost, headline, plot, reach_curves, reach_report};

use super::goal_set::GoalSet;
use crate::text::short;
use crate::{CleanFile, Error, MotionFile, OutputSettings, finish, write_and_measure};

/// A goal is met if the written file misses it by no more than this, in metres and radians.
const MET: f64 = 1e-5;

/// Why the goals of a file could not be met.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReachFileError {
    /// The goals or settings do not fit the motion.
    Reach(ReachError),
    /// The motion cannot be cleaned, written or measured.
    File(Error),
}

impl fmt::Display for ReachFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReachFileError {}

impl From<PlantedReachError> for ReachFileError {
    fn from(error: PlantedReachError) -> Self {
        match error {
            PlantedReachError::Reach(error) => Self::Reach(error),
            PlantedReachError::Clean(error) => Self::File(Error::Clean(error)),
        }
    }
}

/// The result of an edit with goals, written and measured.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReachedFile<'a> {
    /// The goals.
    pub goals: GoalSet,
    /// The settings, with the limits of the goals.
    pub settings: Settings,
    /// The motion before.
    pub before: &'a Motion,
    /// The motion in the written file.
    pub after: Motion,
    /// The written file and its figures.
    pub file: CleanFile<'a>,
    /// The report of the solver.
    pub report: Report,
    /// The distance of each goal, before and in the written file.
    pub measured: Vec<(GoalMeasure, GoalMeasure)>,
    /// The changes of the joints that were turned, from the cleaned motion to the written file.
    pub changes: Vec<JointChange>,
    /// Stances that goals have moved or ended.
    pub stance_changes: Vec<StanceChange>,
    /// Goals that are missed because planted feet are held.
    pub conflict: Option<Conflict>,
    /// Whether planted feet are held.
    pub holds_plants: bool,
}

/// Meets the goals with planted feet held, writes the file and measures it as read again.
///
/// The plants of the file are known. Without `cleaning`, or in a file without legs, feet are not held.
pub fn reach_file<'a>(
    file: &'a MotionFile,
    goals: GoalSet,
    settings: Settings,
    cleaning: Option<&surefoot_solve::Settings>,
) -> Result<ReachedFile<'a>, ReachFileError> {
    let clip = &file.clip;
    let limits = Limits { given: goals.limits.clone(), ..settings.limits };
    let settings = reach::settings_for(clip, &Settings { limits, ..settings });
    let output = OutputSettings {
        clean: cleaning.copied().filter(|_| !clip.legs.is_empty()),
        ..OutputSettings::default()
    };
    let (written, cleaned, report, stance_changes, conflict) = match &output.clean {
        Some(cleaning) => {
            let reached = reach::reach_with_plants(clip, &goals.goals, &settings, cleaning)?;
            let PlantedReach { result, cleaned, report, stance_changes, conflict, .. } = reached;
            let written = write_and_measure(file.target(), Cow::Borrowed(clip), result, &output);
            (written, Cow::Owned(cleaned), report, stance_changes, conflict)
        }
        None => {
            let reached = reach::reach(&clip.motion, &goals.goals, &settings);
            let (motion, report) = reached.map_err(ReachFileError::Reach)?;
            let edited = Cow::Owned(Clip { motion, ..clip.clone() });
            (finish(file.target(), edited, &output), Cow::Borrowed(&clip.motion), report, Vec::new(), None)
        }
    };
    let written = written.map_err(ReachFileError::File)?;
    let after = motion_in_file(&written);
    let [before_errors, after_errors] =
        [&clip.motion, &after].map(|motion| reach::measure(motion, &goals.goals));
    Ok(ReachedFile {
        changes: changes(&cleaned, &after, &report.changed_joints, &settings),
        measured: before_errors.into_iter().zip(after_errors).collect(),
        holds_plants: output.clean.is_some(),
        before: &clip.motion,
        file: written,
        goals,
        settings,
        after,
        report,
        stance_changes,
        conflict,
    })
}

/// The motion as the file stores it: goals are in the room, figures in the frame of reference of the ground.
fn motion_in_file(file: &CleanFile) -> Motion {
    match file.ground_velocity {
        Some(velocity) => file.clip.motion.with_added_velocity(velocity),
        None => file.clip.motion.clone(),
    }
}

/// One entry of the goals file, measured in the written file. Distances and angles are the largest over its frames.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GoalResult<'a> {
    /// The first keyframe.
    pub frame: usize,
    /// The last keyframe: the first, unless the goal lasts for several frames.
    pub last_frame: usize,
    /// A description of the goal.
    pub goal: &'a str,
    /// The distance from the goal before, in metres, if the goal is a position.
    pub distance_before_m: Option<f64>,
    /// The distance in the written file.
    pub distance_m: Option<f64>,
    /// The angle to the goal before, in radians, if the goal is an orientation.
    pub turn_before_rad: Option<f64>,
    /// The angle in the written file.
    pub turn_rad: Option<f64>,
    /// Whether the goal is met at all of its frames.
    pub met: bool,
    /// The number of frames at which it is missed.
    pub frames_missed: usize,
    /// The largest number of steps of the solver at a keyframe.
    pub steps: usize,
}

/// One joint that was turned, measured in the written file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct JointResult<'a> {
    /// The joint's name.
    pub joint: &'a str,
    /// The largest added rotation, in radians.
    pub turned_max_rad: f64,
    /// The change of the angular velocity, as root mean square.
    pub velocity_change_rms_rad_per_s: f64,
    /// The ripple of the added velocity, as root mean square.
    pub velocity_ripple_rms_rad_per_s: f64,
    /// The largest added change of velocity between neighbouring frames.
    pub velocity_step_added_max_rad_per_s: f64,
    /// The largest captured change of velocity between neighbouring frames.
    pub velocity_step_captured_max_rad_per_s: f64,
}

/// The goals and joints of an edit, beside those of the published method on the same goals.
#[derive(Clone, Debug)]
pub struct ReachComparison {
    goals: Vec<GoalRow>,
    joints: Vec<JointRow>,
}

impl ReachedFile<'_> {
    /// The entries of the goals file as measured in the written file.
    pub fn goal_results(&self) -> Vec<GoalResult<'_>> {
        self.goals.entries.iter().map(|entry| self.goal_result(&entry.label, entry.goals.clone())).collect()
    }

    fn goal_result<'a>(&self, label: &'a str, goals: core::ops::Range<usize>) -> GoalResult<'a> {
        let measured = &self.measured[goals.clone()];
        let largest =
            |of: fn(&(GoalMeasure, GoalMeasure)) -> f64| measured.iter().map(of).fold(0.0, f64::max);
        let first = &self.goals.goals[goals.start];
        let is_missed = |(_, after): &&(GoalMeasure, GoalMeasure)| after.distance > MET || after.angle > MET;
        let frames_missed = measured.iter().filter(is_missed).count();
        let steps = |n: usize| self.report.goals.get(n).map_or(0, |goal| goal.steps);
        GoalResult {
            frame: first.frame,
            last_frame: self.goals.goals[goals.end - 1].frame,
            goal: label,
            distance_before_m: first.position.map(|_| largest(|(before, _)| before.distance)),
            distance_m: first.position.map(|_| largest(|(_, after)| after.distance)),
            turn_before_rad: first.rotation.map(|_| largest(|(before, _)| before.angle)),
            turn_rad: first.rotation.map(|_| largest(|(_, after)| after.angle)),
            met: frames_missed == 0,
            frames_missed,
            steps: goals.map(steps).max().unwrap_or(0),
        }
    }

    /// What holding the plants achieved and cost, one sentence each. Empty if they were not held.
    pub fn feet_sentences(&self) -> Vec<String> {
        let figures = &self.file.figures;
        let sentences = [Some(headline(figures)), cost(figures)].into_iter().flatten();
        if self.holds_plants { sentences.collect() } else { Vec::new() }
    }

    /// A description of the written file: the edited motion, and how many goals it misses.
    pub fn description(&self) -> String {
        let goals = self.goal_results();
        match goals.iter().filter(|goal| !goal.met).count() {
            0 => "the edited motion".into(),
            missed => format!("the edited motion, which misses {missed} of {} goals", goals.len()),
        }
    }

    /// The joints that were turned.
    pub fn joint_results(&self) -> Vec<JointResult<'_>> {
        let result = |change: &JointChange| JointResult {
            joint: &self.before.skeleton.joint(change.joint).name,
            turned_max_rad: change.angle_max,
            velocity_change_rms_rad_per_s: change.velocity_rms,
            velocity_ripple_rms_rad_per_s: change.ripple_rms,
            velocity_step_added_max_rad_per_s: change.added_step_max,
            velocity_step_captured_max_rad_per_s: change.captured_step_max,
        };
        self.changes.iter().map(result).collect()
    }

    /// The largest distance from the position of a goal in the written file, in metres; `None` if no goal has a position.
    pub fn largest_miss_m(&self) -> Option<f64> {
        let goals = self.goals.goals.iter().zip(&self.measured).filter(|(goal, _)| goal.position.is_some());
        goals.map(|(_, (_, after))| after.distance).reduce(f64::max)
    }

    /// Runs the published method on the same goals, for the report and the curves.
    pub fn compare(&self) -> Result<ReachComparison, ReachError> {
        compare(self, &self.goals, &self.settings)
    }

    /// The report as one HTML page. The title is the name of the file.
    pub fn report_page(&self, title: &str, comparison: &ReachComparison) -> String {
        self.with_report(title, comparison, reach_report)
    }

    /// The angle and angular velocity of a joint, or of the one that turned most, as SVG.
    pub fn curves(&self, title: &str, comparison: &ReachComparison, joint: Option<&str>) -> String {
        self.with_report(title, comparison, |report| plot::sheet(&reach_curves(report, joint)))
    }

    fn with_report(
        &self,
        title: &str,
        comparison: &ReachComparison,
        make: impl FnOnce(&ReachReport) -> String,
    ) -> String {
        let largest = |of: fn(&JointChange) -> f64| self.changes.iter().map(of).fold(0.0, f64::max);
        make(&ReachReport {
            title,
            fps: self.before.fps,
            frames: self.before.frames(),
            first_frame: self.settings.first_frame,
            goals: &comparison.goals,
            joints: &comparison.joints,
            settings: &self.settings_text(),
            slope_step: self.report.slope_step,
            velocity_step: [
                largest(|change| change.added_step_max),
                largest(|change| change.captured_step_max),
            ],
            feet: &self.feet_sentences(),
            notes: &self.notes(),
        })
    }

    /// The settings, a few words each.
    fn settings_text(&self) -> Vec<String> {
        let settings = &self.settings;
        let mut settings_lines = vec![match settings.form {
            reach::Form::Displacement => "smooth rotations added to the captured ones".to_owned(),
            reach::Form::Paper => "a curve in place of the captured angles, as published".to_owned(),
        }];
        settings_lines.push(format!("w = {}", short(settings.w)));
        if settings.residue == reach::Residue::Left {
            settings_lines.push("remaining distance kept".into());
        }
        if let Some(joint) = settings.chain_from {
            settings_lines.push(format!("chains from {}", self.before.skeleton.joint(joint).name));
        }
        if settings.moves_root {
            settings_lines.push("the root moves".into());
        }
        if let Fade::Within(seconds) = settings.fade {
            settings_lines.push(format!("fades over {} s", short(seconds)));
        }
        settings_lines
    }
}

/// Runs the published method on the same goals.
fn compare(
    reached: &ReachedFile<'_>,
    goal_set: &GoalSet,
    settings: &Settings,
) -> Result<ReachComparison, ReachError> {
    let published = Settings { residue: reach::Residue::Left, form: reach::Form::Paper, ..settings.clone() };
    let (other, _) = reach::reach(reached.before, &goal_set.goals, &published)?;
    let published_measures = reach::measure(&other, &goal_set.goals);
    let goals = goal_set.entries.iter().map(|entry| {
        let result = reached.goal_result(&entry.label, entry.goals.clone());
        let published = published_measures[entry.goals.clone()].iter().map(|measure| measure.distance);
        GoalRow {
            frame: result.frame,
            last_frame: result.last_frame,
            name: entry.label.clone(),
            before: result.distance_before_m,
            published: result.distance_m.map(|_| published.fold(0.0, f64::max)),
            after: result.distance_m,
            turn_before: result.turn_before_rad,
            turn_after: result.turn_rad,
        }
    });
    let others = changes(reached.before, &other, &reached.report.changed_joints, settings);
    let joints = reached.changes.iter().zip(&others).map(|(change, other_change)| {
        let mean = mean_rotation(reached.before, change.joint);
        let motions = [reached.before, &reached.after, &other];
        let angles = motions.map(|motion| angles(motion, change.joint, mean));
        // A T-pose before the performance is no neighbour in time.
        let first = settings.first_frame.min(reached.before.frames());
        let velocities = [0, 1, 2].map(|n| {
            let performed = reach::velocities(&angles[n][first..], reached.before.fps);
            let before = core::iter::repeat_n(Vec3::ZERO, first);
            before.chain(performed).collect()
        });
        let skeleton = &reached.before.skeleton;
        let carries = |goal: &&Goal| {
            let ends = [Some(goal.point.joint), goal.relative_to()];
            ends.into_iter().flatten().any(|end| reach::is_below(skeleton, end, change.joint))
        };
        let mut keys: Vec<usize> = goal_set.goals.iter().filter(carries).map(|goal| goal.frame).collect();
        keys.sort_unstable();
        keys.dedup();
        JointRow {
            name: skeleton.joint(change.joint).name.clone(),
            keys,
            angles,
            velocities,
            turned: change.angle_max,
            changed: [change.velocity_rms, other_change.velocity_rms],
            ripple: [change.ripple_rms, other_change.ripple_rms],
        }
    });
    Ok(ReachComparison { goals: goals.collect(), joints: joints.collect() })
}
