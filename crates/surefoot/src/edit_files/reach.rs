//! Moves points of a file to goals, writes the file, and measures the written file.

use core::fmt;

use serde::Serialize;
use surefoot_core::{Motion, Vec3};
use surefoot_edit::reach::{
    self, Goal, GoalMeasure, JointChange, Limits, Note, ReachError, Report, Settings, angles, changes,
    mean_rotation,
};
use surefoot_formats::WriteError;
use surefoot_formats::source::ReadError;
use surefoot_measure::{GoalRow, JointRow, ReachReport, plot, reach_curves, reach_report};

use super::goal_set::GoalSet;
use crate::MotionFile;
use crate::text::{printable, short};

/// A goal is met if the written file misses it by no more than this, in metres and radians.
const MET: f64 = 1e-5;

/// Why the goals of a file could not be met.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReachFileError {
    /// The goals or settings do not fit the motion.
    Reach(ReachError),
    /// The motion cannot be written in the format of its file.
    Write(WriteError),
    /// The written file cannot be read back.
    ReadBack(ReadError),
}

impl fmt::Display for ReachFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::ReadBack(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReachFileError {}

/// The result of an edit with goals, written and measured.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReachedFile {
    /// The goals.
    pub goals: GoalSet,
    /// The settings, with the limits of the goals.
    pub settings: Settings,
    /// The motion before.
    pub before: Motion,
    /// The motion in the written file.
    pub after: Motion,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The report of the solver.
    pub report: Report,
    /// The distance of each goal, before and in the written file.
    pub measured: Vec<(GoalMeasure, GoalMeasure)>,
    /// The changes of the joints that were turned, in the written file.
    pub changes: Vec<JointChange>,
}

/// Meets the goals, writes the file and measures it as read again.
pub fn reach_file(
    file: &MotionFile,
    goals: GoalSet,
    settings: Settings,
) -> Result<ReachedFile, ReachFileError> {
    let limits = Limits { given: goals.limits.clone(), ..settings.limits };
    let settings = Settings { limits, ..settings };
    let before = file.clip.motion.clone();
    let (motion, report) = reach::reach(&before, &goals.goals, &settings).map_err(ReachFileError::Reach)?;
    let bytes = file.source.write(&motion, &file.space()).map_err(ReachFileError::Write)?;
    let mut written = file.source.read_back(bytes).map_err(ReachFileError::ReadBack)?;
    written.set_rate(file.source.rate().value);
    let after = written.motion(&file.space());
    let bytes = written.into_bytes();
    let measures = [&before, &after].map(|motion| reach::measure(motion, &goals.goals));
    let [measured_before, measured_after] = measures;
    let measured = measured_before.into_iter().zip(measured_after).collect();
    let changes = changes(&before, &after, &report.changed_joints, &settings);
    Ok(ReachedFile { goals, settings, before, after, bytes, report, measured, changes })
}

/// One goal, measured in the written file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GoalResult<'a> {
    /// The keyframe.
    pub frame: usize,
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
    /// Whether the goal is met.
    pub met: bool,
    /// The number of steps of the solver.
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

impl ReachedFile {
    /// The goals as measured in the written file.
    pub fn goal_results(&self) -> Vec<GoalResult<'_>> {
        let result = |(n, goal): (usize, &Goal)| {
            let (before, after) = self.measured[n];
            GoalResult {
                frame: goal.frame,
                goal: &self.goals.labels[n],
                distance_before_m: goal.position.map(|_| before.distance),
                distance_m: goal.position.map(|_| after.distance),
                turn_before_rad: goal.rotation.map(|_| before.angle),
                turn_rad: goal.rotation.map(|_| after.angle),
                met: after.distance <= MET && after.angle <= MET,
                steps: self.report.goals.get(n).map_or(0, |goal| goal.steps),
            }
        };
        self.goals.goals.iter().enumerate().map(result).collect()
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

    /// Sentences about the goals.
    pub fn notes(&self) -> Vec<String> {
        notes(self, &self.goals, &self.settings)
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
        settings_lines.extend(settings.fade.map(|fade| format!("fades over {} s", short(fade))));
        settings_lines
    }
}

/// Runs the published method on the same goals.
fn compare(
    reached: &ReachedFile,
    goal_set: &GoalSet,
    settings: &Settings,
) -> Result<ReachComparison, ReachError> {
    let published = Settings { residue: reach::Residue::Left, form: reach::Form::Paper, ..settings.clone() };
    let (other, _) = reach::reach(&reached.before, &goal_set.goals, &published)?;
    let published_measures = reach::measure(&other, &goal_set.goals);
    let goals = goal_set.goals.iter().enumerate().map(|(n, goal)| {
        let (before, after) = reached.measured[n];
        let distance = |measure: GoalMeasure| goal.position.map(|_| measure.distance);
        let angle = |measure: GoalMeasure| goal.rotation.map(|_| measure.angle);
        GoalRow {
            frame: goal.frame,
            name: goal_set.labels[n].clone(),
            before: distance(before),
            published: distance(published_measures[n]),
            after: distance(after),
            turn_before: angle(before),
            turn_after: angle(after),
        }
    });
    let others = changes(&reached.before, &other, &reached.report.changed_joints, settings);
    let joints = reached.changes.iter().zip(&others).map(|(change, other_change)| {
        let mean = mean_rotation(&reached.before, change.joint);
        let motions = [&reached.before, &reached.after, &other];
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

/// Sentences about the goals.
fn notes(reached: &ReachedFile, goal_set: &GoalSet, settings: &Settings) -> Vec<String> {
    let skeleton = &reached.before.skeleton;
    let goal = |n: usize| format!("{} at frame {}", printable(&goal_set.labels[n]), goal_set.goals[n].frame);
    let error_text = |measure: &GoalMeasure, n: usize| {
        let distance = goal_set.goals[n].position.map(|_| format!("{:.2} mm away", measure.distance * 1e3));
        let angle =
            goal_set.goals[n].rotation.map(|_| format!("turned {:.2}° off", measure.angle.to_degrees()));
        distance.into_iter().chain(angle).collect::<Vec<_>>().join(" and ")
    };
    let sentence = |note: &Note| match note {
        Note::OutOfReach { goal: n, error } if settings.residue == reach::Residue::Left => {
            format!("{}: with --plain the goal is missed; the point is {}", goal(*n), error_text(error, *n))
        }
        Note::OutOfReach { goal: n, error } => {
            format!("{}: out of reach; the closest pose is {}", goal(*n), error_text(error, *n))
        }
        Note::NoFreeJoint { goal: n } => format!(
            "{}: there is no joint between it and the root that may turn; name the root with --chain-from, or use \
             --move-root",
            goal(*n)
        ),
        Note::BeyondCapturedRotation { frame } => format!(
            "frame {frame}: the goals cannot be reached with the captured axes of the joints; hinges and fixed joints \
             were turned freely"
        ),
        Note::BeyondLimit { joint, by } => format!(
            "{} exceeds its limit between keyframes by up to {:.2}°",
            printable(&skeleton.joint(*joint).name),
            by.to_degrees()
        ),
        other => format!("{other:?}"),
    };
    let mut notes: Vec<String> = reached.report.notes.iter().map(sentence).collect();
    let first_goal = goal_set.goals.iter().map(|goal| goal.frame).min();
    if settings.first_frame > 0 && first_goal.is_some_and(|first| first >= settings.first_frame) {
        notes.push("frame 0 is a T-pose inserted by an exporter: it is not changed".into());
    }
    notes
}
