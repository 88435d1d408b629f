//! The goals of a file, from a goals file and the other motions that it names.

use core::fmt;

use surefoot_core::{JointId, Motion, Vec3};
use surefoot_edit::reach::{Goal, GoalSpace, Limit};
use surefoot_formats::SourceFile;
use surefoot_formats::goals::{self, GoalPath, GoalsError, GoalsFile, RelativeTo};

use crate::MotionFile;
use crate::text::{printable, short};

/// Frame rates that differ by less than this fraction count as equal: 29.97 and 30 do.
const SAME_RATE: f64 = 0.005;

/// Units that differ by less than this fraction can be due to bodies of different sizes.
const SAME_UNIT: f64 = 0.2;

/// The treatment of another motion with a different frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRate {
    /// The different frame rate is an error.
    Refused,
    /// The motion is sampled at the times of the frames.
    Resampled,
}

/// The goals and limits of a motion.
#[derive(Clone, Debug, Default)]
pub struct GoalSet {
    /// The goals, one for each frame.
    pub goals: Vec<Goal>,
    /// The entries of the goals file. One that lasts for several frames has several goals.
    pub entries: Vec<GoalEntry>,
    /// Limits of single joints.
    pub limits: Vec<Limit>,
}

/// An entry of a goals file.
#[derive(Clone, Debug)]
pub struct GoalEntry {
    /// A description.
    pub label: String,
    /// The indices of its goals, in order of their frames.
    pub goals: core::ops::Range<usize>,
}

/// Why goals could not be read. `E` is the error of the function that loads other motions.
#[derive(Debug)]
pub enum GoalSetError<E> {
    /// The goals file is wrong or does not fit the motion. A message about one place starts with its line.
    Goals(String),
    /// Another file that a goal refers to could not be loaded.
    Load(E),
    /// A table of positions that a goal follows is wrong: its name, its bytes and a message that starts with a line.
    Table {
        /// The name of the table in the goals file.
        name: String,
        /// Its content.
        bytes: Vec<u8>,
        /// The message.
        message: String,
    },
    /// Another motion has another frame rate: both rates in a sentence.
    Rate(String),
}

impl<E: fmt::Display> fmt::Display for GoalSetError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Goals(message) | Self::Rate(message) => f.write_str(message),
            Self::Table { name, message, .. } => write!(f, "{}: {message}", printable(name)),
            Self::Load(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error> std::error::Error for GoalSetError<E> {}

impl<E> From<GoalsError> for GoalSetError<E> {
    fn from(error: GoalsError) -> Self {
        Self::Goals(error.to_string())
    }
}

impl GoalSet {
    /// Reads a goals file and fits it to a motion.
    ///
    /// `load` loads another motion that a goal refers to, by its name in the goals file. It is read in the unit and axes
    /// of the motion. `load_table` loads the bytes of a table of positions.
    pub fn read<E>(
        bytes: &[u8],
        file: &MotionFile,
        other_rate: OtherRate,
        mut load: impl FnMut(&str) -> Result<SourceFile, E>,
        mut load_table: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Result<Self, GoalSetError<E>> {
        let mut goals_file = GoalsFile::read(bytes)?;
        let tables: Vec<String> = goals_file.path_files().into_iter().map(str::to_owned).collect();
        for name in tables {
            let bytes = load_table(&name).map_err(GoalSetError::Load)?;
            match GoalPath::read_csv(&bytes, file.source.rate().value) {
                Ok(path) => goals_file.add_path(&name, path),
                Err(error) => return Err(GoalSetError::Table { name, bytes, message: error.to_string() }),
            }
        }
        let (skeleton, space) = (file.source.skeleton(), file.space());
        let found = goals_file.goals(skeleton, &space, file.source.frames())?;
        let limit =
            |limit: goals::Limit| Limit { joint: limit.joint, lower: limit.lower, upper: limit.upper };
        let limits = goals_file.limits(skeleton, &space)?.into_iter().map(limit).collect();
        let mut others: Vec<(String, Motion)> = Vec::new();
        for other in goals_file.motions() {
            let source = load(other).map_err(GoalSetError::Load)?;
            others.push((other.to_owned(), other_motion(other, &source, file, other_rate)?));
        }
        let mut set = Self { limits, ..Self::default() };
        for goal in &found {
            let other = match &goal.relative_to {
                Some(RelativeTo::OtherMotion { motion, .. }) => {
                    others.iter().find(|(name, _)| name == motion)
                }
                _ => None,
            };
            let other = match other {
                Some((name, motion)) => {
                    let joint = goals_file.other_motion_joint(goal, &motion.skeleton)?;
                    joint.map(|joint| (name.as_str(), motion, joint))
                }
                None => None,
            };
            set.goals.push(goal_of(goal, &file.clip.motion, other, other_rate).map_err(GoalSetError::Goals)?);
            set.count(goal, &file.source);
        }
        Ok(set)
    }

    /// Adds the last goal to the entry of its position in the file.
    fn count(&mut self, goal: &goals::Goal, source: &SourceFile) {
        let (end, entries) = (self.goals.len(), self.entries.len());
        match self.entries.last_mut() {
            Some(entry) if entries == goal.at.number + 1 => entry.goals.end = end,
            _ => self.entries.push(GoalEntry { label: label(goal, source), goals: end - 1..end }),
        }
    }

    /// The entry to which a goal belongs.
    pub fn entry(&self, goal: usize) -> Option<&GoalEntry> {
        self.entries.get(self.entries.partition_point(|entry| entry.goals.end <= goal))
    }

    /// The description of the entry to which a goal belongs.
    pub fn label(&self, goal: usize) -> &str {
        self.entry(goal).map_or("", |entry| &entry.label)
    }
}

/// Another motion in the world of a file, whose unit and axes it has.
fn other_motion<E>(
    name: &str,
    source: &SourceFile,
    file: &MotionFile,
    other_rate: OtherRate,
) -> Result<Motion, GoalSetError<E>> {
    let too_large = |error| GoalSetError::Goals(format!("{}: {error}", printable(name)));
    source.check_size().map_err(too_large)?;
    let motion = source.motion(&file.space());
    let own = file.source.rate().value;
    if other_rate == OtherRate::Refused && (motion.fps - own).abs() > SAME_RATE * own {
        return Err(GoalSetError::Rate(format!(
            "{} has {} frames per second, but {} has {}",
            printable(name),
            short(motion.fps),
            printable(&file.name),
            short(own)
        )));
    }
    Ok(motion)
}

/// A warning about another motion that seems to have another unit than the file in whose unit it is read.
pub fn other_unit_warning(name: &str, source: &SourceFile, file: &MotionFile) -> Option<String> {
    let own = file.space().unit_m;
    let other = surefoot_infer::infer(&source.excerpt(), &Default::default()).unit_m.value;
    ((other / own - 1.0).abs() > SAME_UNIT).then(|| {
        format!(
            "one unit of {} seems to be {} m, but the file is read in the unit of {}, {} m",
            printable(name),
            short(other),
            printable(&file.name),
            short(own)
        )
    })
}

/// A goal of a goals file as a goal of the solver.
fn goal_of(
    goal: &goals::Goal,
    motion: &Motion,
    other: Option<(&str, &Motion, JointId)>,
    other_rate: OtherRate,
) -> Result<Goal, String> {
    let captured = || motion.poses[goal.frame].world(&motion.skeleton).point(&goal.point);
    let space = match (&goal.relative_to, other) {
        (Some(RelativeTo::Joint(joint)), _) => GoalSpace::Joint(*joint),
        (_, Some((name, other, joint))) => {
            // At one rate frames are counted; rates that are nearly one would drift apart.
            let rate = if other_rate == OtherRate::Resampled { motion.fps } else { other.fps };
            let seconds = goal.frame as f64 / rate;
            let last = other.frames().saturating_sub(1);
            if seconds * other.fps > last as f64 + 1e-6 {
                let (at, frame) = (goal.at, goal.frame);
                return Err(format!(
                    "{at} is at frame {frame}, but {} ends before, at frame {last}",
                    printable(name)
                ));
            }
            GoalSpace::of_other_motion(other, joint, seconds)
        }
        _ => GoalSpace::World,
    };
    Ok(Goal {
        frame: goal.frame,
        point: goal.point,
        position: goal.position.or_else(|| goal.shift.map(|shift| captured() + shift)),
        rotation: goal.orientation,
        space,
        chain_from: goal.chain_from,
        weight: 1.0,
    })
}

/// A description of a goal.
fn label(goal: &goals::Goal, source: &SourceFile) -> String {
    let name = |joint: JointId| source.skeleton().joint(joint).name.clone();
    let point = if goal.point.offset == Vec3::ZERO { "" } else { " point" };
    let own = format!("{}{point}", name(goal.point.joint));
    match &goal.relative_to {
        None => own,
        Some(RelativeTo::Joint(joint)) => format!("{own} to {}", name(*joint)),
        Some(RelativeTo::OtherMotion { motion, joint }) => format!("{own} to {joint} of {motion}"),
    }
}
