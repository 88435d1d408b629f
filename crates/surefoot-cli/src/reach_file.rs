//! Edits a loaded file so that it meets goals, writes it, and measures the written file.

use std::path::{Path, PathBuf};

use surefoot_core::{JointId, Motion, Vec3};
use surefoot_edit::reach::{
    self, Goal, GoalMeasure, GoalSpace, JointChange, Limit, Limits, Note, Report, Settings, angles, changes,
    mean_rotation,
};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_formats::goals::{self, GoalsError, GoalsFile, RelativeTo};
use surefoot_measure::{GoalRow, JointRow};

use crate::input::{self, Input, is_dash};
use crate::problem::{Problem, warn};
use crate::source::{Source, parse};
use crate::text::{printable, short};

/// Frame rates that differ by less than this fraction count as equal: 29.97 and 30 do.
const SAME_RATE: f64 = 0.005;

/// Units that differ by less than this fraction can be due to bodies of different sizes.
const SAME_UNIT: f64 = 0.2;

/// What happens to another motion with a different frame rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRate {
    Refused,
    /// It is sampled at the times of the frames.
    Resampled,
}

/// The goals and limits of a motion.
pub struct GoalSet {
    pub goals: Vec<Goal>,
    /// A description of each goal.
    pub words: Vec<String>,
    pub limits: Vec<Limit>,
}

/// The result of an edit with goals.
pub struct Reached {
    /// The motion before, and in the file.
    pub before: Motion,
    pub after: Motion,
    /// The file's text.
    pub text: Vec<u8>,
    /// The report of the solver.
    pub report: Report,
    /// The distance of each goal, before and in the written file.
    pub measured: Vec<(GoalMeasure, GoalMeasure)>,
    /// The changes of the joints that were turned, in the written file.
    pub changes: Vec<JointChange>,
}

/// Reads a goals file and fits it to the motion.
pub fn wanted(
    path: &Path,
    source: &Source,
    motion: &Motion,
    other_rate: OtherRate,
) -> Result<GoalSet, Problem> {
    let Input { name, path, bytes } = input::read(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let problem = |error: GoalsError| Problem::in_text(&name, &text, &error.to_string());
    let file = GoalsFile::read(&bytes).map_err(problem)?;
    let (skeleton, space) = (source.file.bvh.skeleton(), source.file.space());
    let found = file.goals(skeleton, &space, source.file.bvh.frames()).map_err(problem)?;
    let limit = |limit: goals::Limit| Limit { joint: limit.joint, lower: limit.lower, upper: limit.upper };
    let limits = file.limits(skeleton, &space).map_err(problem)?.into_iter().map(limit).collect();
    let folder = path.as_deref().and_then(Path::parent).map(Path::to_path_buf).unwrap_or_default();
    let mut others: Vec<(String, Motion)> = Vec::new();
    for other in file.motions() {
        others.push((other.to_owned(), another(&folder, other, source, other_rate)?));
    }
    let mut wanted = GoalSet { goals: Vec::new(), words: Vec::new(), limits };
    for goal in &found {
        let other = match &goal.relative_to {
            Some(RelativeTo::OtherMotion { motion, .. }) => others.iter().find(|(name, _)| name == motion),
            _ => None,
        };
        let other = match other {
            Some((name, motion)) => {
                let joint = file.other_motion_joint(goal, &motion.skeleton).map_err(problem)?;
                joint.map(|joint| (name.as_str(), motion, joint))
            }
            None => None,
        };
        wanted.goals.push(
            goal_of(goal, motion, other, other_rate)
                .map_err(|message| Problem::in_text(&name, &text, &message))?,
        );
        wanted.words.push(words(goal, &source.file.bvh));
    }
    Ok(wanted)
}

/// A goal as the library takes it.
fn goal_of(
    goal: &goals::Goal,
    motion: &Motion,
    other: Option<(&str, &Motion, JointId)>,
    other_rate: OtherRate,
) -> Result<Goal, String> {
    let captured = || motion.poses[goal.frame].world(&motion.skeleton).point(&goal.point);
    let within = match (&goal.relative_to, other) {
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
            GoalSpace::other(other, joint, seconds)
        }
        _ => GoalSpace::World,
    };
    Ok(Goal {
        frame: goal.frame,
        point: goal.point,
        place: goal.position.or_else(|| goal.shift.map(|shift| captured() + shift)),
        turn: goal.orientation,
        space: within,
        chain_from: goal.chain_from,
    })
}

/// A description of a goal.
fn words(goal: &goals::Goal, bvh: &Bvh) -> String {
    let name = |joint: JointId| bvh.skeleton().joint(joint).name.clone();
    let point = if goal.point.offset == Vec3::ZERO { "" } else { " point" };
    let own = format!("{}{point}", name(goal.point.joint));
    match &goal.relative_to {
        None => own,
        Some(RelativeTo::Joint(joint)) => format!("{own} to {}", name(*joint)),
        Some(RelativeTo::OtherMotion { motion, joint }) => format!("{own} to {joint} of {motion}"),
    }
}

/// Another motion in the same world: its unit and axes are those of the first.
fn another(folder: &Path, named: &str, source: &Source, other_rate: OtherRate) -> Result<Motion, Problem> {
    let path: PathBuf = folder.join(named);
    if is_dash(Path::new(named)) {
        return Err(Problem::new("another motion cannot be stdin").help("name its file in the goals file"));
    }
    let other = parse(input::read(&path)?)?;
    let space: Space = source.file.space();
    let found = surefoot_infer::infer(&other.bvh.excerpt(), &Default::default());
    if (found.unit_m.value / space.unit_m - 1.0).abs() > SAME_UNIT {
        warn(&format!(
            "one unit of {} seems to be {} m, but the file is read in the unit of {}, {} m",
            printable(named),
            short(found.unit_m.value),
            printable(&source.file.name),
            short(space.unit_m)
        ));
    }
    let motion = other.bvh.motion(&space);
    let own = source.file.bvh.rate().value;
    if other_rate == OtherRate::Refused && (motion.fps - own).abs() > SAME_RATE * own {
        return Err(Problem::new(format!(
            "{} has {} frames per second, but {} has {}",
            printable(named),
            short(motion.fps),
            printable(&source.file.name),
            short(own)
        ))
        .help("--resample resamples the other motion"));
    }
    Ok(motion)
}

/// Meets the goals, writes the file's text, and measures it as read again.
pub fn reached(
    source: &Source,
    before: Motion,
    wanted: &GoalSet,
    settings: &Settings,
) -> Result<Reached, Problem> {
    let cannot = |reason: String| {
        Problem::new(format!("cannot do this to {}: {reason}", printable(&source.file.name)))
    };
    let (motion, report) =
        reach::reach(&before, &wanted.goals, settings).map_err(|error| cannot(error.to_string()))?;
    let text =
        source.file.bvh.write(&motion, &source.file.space()).map_err(|error| cannot(error.to_string()))?;
    let mut bvh = Bvh::read(text.clone()).map_err(|error| cannot(error.to_string()))?;
    bvh.set_rate(source.file.bvh.rate().value);
    let after = bvh.motion(&source.file.space());
    let pairs = reach::measure(&before, &wanted.goals).into_iter().zip(reach::measure(&after, &wanted.goals));
    let measured = pairs.collect();
    let changes = changes(&before, &after, &report.turned, settings);
    Ok(Reached { before, after, text, report, measured, changes })
}

/// The settings with a goals file's limits.
pub fn with_limits(settings: Settings, wanted: &GoalSet) -> Settings {
    let limits = Limits { given: wanted.limits.clone(), ..settings.limits };
    Settings { limits, ..settings }
}

/// The rows of the page, beside those of the published method on the same goals.
pub fn rows(
    reached: &Reached,
    wanted: &GoalSet,
    settings: &Settings,
) -> Result<(Vec<GoalRow>, Vec<JointRow>), Problem> {
    let published = Settings { residue: reach::Residue::Left, form: reach::Form::Paper, ..settings.clone() };
    let (other, _) = reach::reach(&reached.before, &wanted.goals, &published)
        .map_err(|error| Problem::new(error.to_string()))?;
    let left = reach::measure(&other, &wanted.goals);
    let goals = wanted.goals.iter().enumerate().map(|(n, goal)| {
        let (before, after) = reached.measured[n];
        let placed = |measure: GoalMeasure| goal.place.map(|_| measure.distance);
        let turned = |measure: GoalMeasure| goal.turn.map(|_| measure.turn);
        GoalRow {
            frame: goal.frame,
            what: wanted.words[n].clone(),
            before: placed(before),
            published: placed(left[n]),
            after: placed(after),
            turn_before: turned(before),
            turn_after: turned(after),
        }
    });
    let others = changes(&reached.before, &other, &reached.report.turned, settings);
    let joints = reached.changes.iter().zip(&others).map(|(change, other_change)| {
        let midst = mean_rotation(&reached.before, change.joint);
        let motions = [&reached.before, &reached.after, &other];
        let angles = motions.map(|motion| angles(motion, change.joint, midst));
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
        let mut keys: Vec<usize> = wanted.goals.iter().filter(carries).map(|goal| goal.frame).collect();
        keys.sort_unstable();
        keys.dedup();
        JointRow {
            name: skeleton.joint(change.joint).name.clone(),
            keys,
            angles,
            velocities,
            turned: change.turned_max,
            changed: [change.velocity_rms, other_change.velocity_rms],
            ripple: [change.ripple_rms, other_change.ripple_rms],
        }
    });
    Ok((goals.collect(), joints.collect()))
}

/// Notes about the goals, in sentences.
pub fn notes(reached: &Reached, wanted: &GoalSet, settings: &Settings) -> Vec<String> {
    let skeleton = &reached.before.skeleton;
    let goal = |n: usize| format!("{} at frame {}", printable(&wanted.words[n]), wanted.goals[n].frame);
    let missed = |measure: &GoalMeasure, n: usize| {
        let place = wanted.goals[n].place.map(|_| format!("{:.2} mm away", measure.distance * 1e3));
        let turn = wanted.goals[n].turn.map(|_| format!("turned {:.2}° off", measure.turn.to_degrees()));
        place.into_iter().chain(turn).collect::<Vec<_>>().join(" and ")
    };
    let sentence = |note: &Note| match note {
        Note::OutOfReach { goal: n, missed: by } if settings.residue == reach::Residue::Left => {
            format!("{}: with --plain the goal is missed; the point is {}", goal(*n), missed(by, *n))
        }
        Note::OutOfReach { goal: n, missed: by } => {
            format!("{}: out of reach; the closest pose is {}", goal(*n), missed(by, *n))
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
    let first_goal = wanted.goals.iter().map(|goal| goal.frame).min();
    if settings.first_frame > 0 && first_goal.is_some_and(|first| first >= settings.first_frame) {
        notes.push("frame 0 is a T-pose inserted by an exporter: it is not changed".into());
    }
    notes
}
