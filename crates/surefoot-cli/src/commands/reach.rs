//! `reach`: moves hands, feet and other points to goals at keyframes.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{JointId, Skeleton};
use surefoot_edit::reach::{Form, Freedom, Limits, Residue, Settings};
use surefoot_formats::rig::find_joint;
use surefoot_measure::{plot, reach_curves};

use crate::args::FileOptions;
use crate::input::{busy, check_exists, is_dash};
use crate::output::{Output, json, print, write_all};
use crate::output_names::{OutputNames, OutputOptions};
use crate::parse;
use crate::problem::{CommandError, Problem, warn};
use crate::reach_file::{self, GoalSet, OtherRate, Reached, reached, wanted};
use crate::source::{Source, load};
use crate::text::{bullets, printable, short};

/// Move hands, feet and other points to goals at keyframes
///
/// At each keyframe, inverse kinematics turns the joints of a chain as little as possible so that its
/// end meets the goal; several goals at one frame are solved together. Between keyframes, smooth
/// rotations are added to the captured ones, so that the details of the motion are kept. For a goal
/// out of reach, the closest possible pose is used, and a note states the remaining distance.
///
/// The root does not move or turn, so planted feet stay in place, unless --chain-from names the root
/// or --move-root is given. For the goals file see book/src/formats/goals-paths.md.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot reach boxing.bvh --goals boxing.goals.json
  surefoot reach boxing.bvh --goals boxing.goals.json --report boxing.report.html
  surefoot reach boxing.bvh --goals boxing.goals.json --chain-from LeftShoulder --fade 0.5s
  surefoot reach boxing.bvh --goals boxing.goals.json --form paper --plain -o published.bvh")]
pub struct Reach {
    /// A BVH file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The goals: which point should be where at which frame, as JSON; - is stdin
    #[arg(long, value_name = "GOALS.json", value_hint = ValueHint::FilePath)]
    goals: PathBuf,

    /// Also draw the angle and angular velocity of the joint that turned most, before and after
    ///
    /// Written as SVG; - is stdout. [default: not drawn]
    #[arg(long, value_name = "PLOT.svg", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,

    /// Draw this joint instead of the one that turned most
    #[arg(long, value_name = "JOINT", requires = "plot")]
    plot_joint: Option<String>,

    #[command(flatten)]
    writes: OutputOptions,

    #[command(flatten)]
    reach: ReachOptions,

    /// Largest allowed distance from a goal, as 0.01mm; the exit code is 1 if it is exceeded
    /// [default: no limit]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_miss: Option<f64>,

    #[command(flatten)]
    file_options: FileOptions,
}

/// The flags of the solver.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Solver")]
struct ReachOptions {
    /// The first joint of the chains that may turn; a goal can name its own
    /// [default: the child of the root on the way to the goal]
    #[arg(long, value_name = "JOINT")]
    chain_from: Option<String>,

    /// Let the root move too; one metre counts as much as one radian of rotation
    /// [default: the root stays in place]
    #[arg(long)]
    move_root: bool,

    /// captured: joints turn about the axes they use in the capture, so that hinges stay hinges, unless
    /// that cannot reach the goal; free: joints turn about any axis
    #[arg(long, value_name = "captured|free", default_value = "captured", value_parser = freedom())]
    turns: Freedom,

    /// Limit every joint to its captured range plus this many degrees, as 5
    ///
    /// The goals file can set limits for single joints. Limits are enforced at keyframes.
    /// [default: no limit]
    #[arg(long, value_name = "DEGREES", value_parser = parse::degrees)]
    limits: Option<f64>,

    /// Weight of the distance to the goal against the change of the pose, from 0 to 1
    #[arg(long, value_name = "WEIGHT", default_value = "0.99", value_parser = parse::weight)]
    w: f64,

    /// Keep the distance to the goal that --w leaves, as in the published method
    /// [default: the goal is met exactly]
    #[arg(long)]
    plain: bool,

    /// displacement: add smooth rotations to the captured ones; paper: replace the captured angles by
    /// a smooth curve, as in the published method
    #[arg(long, value_name = "displacement|paper", default_value = "displacement", value_parser = form())]
    form: Form,

    /// Time between the knots of the added curves, as 67ms [default: 1/15 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    spacing: Option<f64>,

    /// Time over which the added velocity changes at a keyframe, as 50ms [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    ease: Option<f64>,

    /// Fade the change out within this time before and after each keyframe, as 0.5s
    /// [default: the change continues before the first keyframe and after the last]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    fade: Option<f64>,

    /// Resample other motions that the goals refer to, if their frame rate differs
    /// [default: a different frame rate is an error]
    #[arg(long)]
    resample: bool,
}

fn form() -> impl TypedValueParser<Value = Form> {
    let pick = |word: String| if word == "paper" { Form::Paper } else { Form::Displacement };
    PossibleValuesParser::new(["displacement", "paper"]).map(pick)
}

fn freedom() -> impl TypedValueParser<Value = Freedom> {
    let pick = |word: String| if word == "free" { Freedom::All } else { Freedom::AsCaptured };
    PossibleValuesParser::new(["captured", "free"]).map(pick)
}

impl ReachOptions {
    fn settings(&self, source: &Source) -> Result<Settings, Problem> {
        let base = Settings::default();
        let skeleton = source.file.bvh.skeleton();
        Ok(Settings {
            w: self.w,
            chain_from: self.chain_from.as_deref().map(|name| joint(skeleton, name)).transpose()?,
            moves_root: self.move_root,
            freedom: self.turns,
            limits: Limits { given: Vec::new(), beyond_captured: self.limits },
            residue: if self.plain { Residue::Left } else { Residue::Closed },
            form: self.form,
            spacing: self.spacing.unwrap_or(base.spacing),
            ease: self.ease.unwrap_or(base.ease),
            fade: self.fade,
            first_frame: usize::from(source.file.inference.inserted_t_pose.value),
        })
    }
}

fn joint(skeleton: &Skeleton, name: &str) -> Result<JointId, Problem> {
    find_joint(skeleton, name).map_err(|near| {
        let problem = Problem::new(format!("there is no joint {}", printable(name)));
        if near.is_empty() {
            problem
        } else {
            problem.help(format!("similar names: {}", printable(&near.join(", "))))
        }
    })
}

pub fn run(args: &Reach) -> Result<(), CommandError> {
    if is_dash(&args.file) && is_dash(&args.goals) {
        return Err(Problem::new("the motion and --goals are both -, but stdin can be read only once").into());
    }
    let other = args.plot.as_ref().map(|name| (name.clone(), "the curves; open the file in a browser"));
    let names = OutputNames { other, ..OutputNames::new(&args.file, "reach", &args.writes) };
    check_exists([args.file.as_path(), &args.goals])?;
    let outputs = names.claim(&args.writes)?;
    let source = load(&args.file, &args.file_options)?;
    let settings = args.reach.settings(&source)?;
    let motion = source.clip().motion.clone();
    let rate = if args.reach.resample { OtherRate::Resampled } else { OtherRate::Refused };
    let wanted = wanted(&args.goals, &source, &motion, rate)?;
    let settings = reach_file::with_limits(settings, &wanted);
    let reached =
        busy(source.file.bvh.text().len(), "reaching", || reached(&source, motion, &wanted, &settings))?;
    let notes = reach_file::notes(&reached, &wanted, &settings);
    write(args, &names, outputs, &source, &reached, &wanted, &settings, &notes)?;
    let missed = missed(args, &reached);
    if args.writes.json {
        print(&json(&done(&names, &source, &reached, &wanted, &notes, &missed))?)?;
    } else {
        print_result(&names, &source, &reached, &wanted, &notes)?;
    }
    if missed.is_empty() { Ok(()) } else { Err(CommandError::LimitsMissed(missed)) }
}

#[allow(clippy::too_many_arguments)]
fn write(
    args: &Reach,
    names: &OutputNames,
    outputs: Vec<Output>,
    source: &Source,
    reached: &Reached,
    wanted: &GoalSet,
    settings: &Settings,
    notes: &[String],
) -> Result<(), CommandError> {
    let mut bytes: Vec<Vec<u8>> = Vec::new();
    if names.report.is_some() || names.other.is_some() {
        let (goals, joints) = reach_file::rows(reached, wanted, settings)?;
        let how = settings_text(settings, source);
        let page = surefoot_measure::ReachReport {
            title: &source.file.name,
            fps: reached.before.fps,
            frames: reached.before.frames(),
            first_frame: settings.first_frame,
            goals: &goals,
            joints: &joints,
            how: &how,
            slope_step: reached.report.slope_step,
            velocity_step: [
                reached.changes.iter().map(|change| change.added_step_max).fold(0.0, f64::max),
                reached.changes.iter().map(|change| change.captured_step_max).fold(0.0, f64::max),
            ],
            notes,
        };
        // In the order in which they were claimed.
        bytes.extend(names.report.as_ref().map(|_| surefoot_measure::reach_report(&page).into_bytes()));
        if names.other.is_some() {
            let drawn = reach_curves(&page, args.plot_joint.as_deref());
            bytes.push(plot::sheet(&drawn).into_bytes());
        }
    }
    let all = [reached.text.as_slice()].into_iter().chain(bytes.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(all).collect())
}

/// The settings of the edit, for the report.
fn settings_text(settings: &Settings, source: &Source) -> Vec<String> {
    let mut how = vec![match settings.form {
        Form::Displacement => "smooth rotations added to the captured ones".to_owned(),
        Form::Paper => "a curve in place of the captured angles, as published".to_owned(),
    }];
    how.push(format!("w = {}", short(settings.w)));
    if settings.residue == Residue::Left {
        how.push("remaining distance kept".into());
    }
    if let Some(joint) = settings.chain_from {
        how.push(format!("chains from {}", source.file.bvh.skeleton().joint(joint).name));
    }
    how.extend(settings.fade.map(|fade| format!("fades over {} s", short(fade))));
    how
}

fn missed(args: &Reach, reached: &Reached) -> Vec<String> {
    let Some(limit) = args.max_miss else {
        return Vec::new();
    };
    let largest = reached.measured.iter().map(|(_, after)| after.distance).fold(0.0, f64::max);
    // A billionth of a metre is rounding, not a miss.
    if largest <= limit + 1e-9 {
        return Vec::new();
    }
    let [found, limit] = [largest, limit].map(|metres| format!("{} mm", short(metres * 1e3)));
    vec![format!("--max-miss: a goal is missed by {found}, more than the limit of {limit}")]
}

/// The value that `reach --json` prints.
#[derive(Serialize)]
struct ReachJson<'a> {
    motion: &'a str,
    #[serde(serialize_with = "crate::output::path_text")]
    output: &'a Path,
    #[serde(serialize_with = "crate::output::optional_path_text")]
    report: Option<&'a Path>,
    #[serde(serialize_with = "crate::output::optional_path_text")]
    plot: Option<&'a Path>,
    goals: Vec<GoalJson<'a>>,
    joints: Vec<JointJson<'a>>,
    /// The largest jump of the slope at a knot of the added curves.
    slope_step_max_rad_per_s: f64,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: &'a [String],
}

/// One goal, measured in the written file.
#[derive(Serialize)]
struct GoalJson<'a> {
    frame: usize,
    goal: &'a str,
    distance_before_m: Option<f64>,
    distance_m: Option<f64>,
    turn_before_rad: Option<f64>,
    turn_rad: Option<f64>,
    met: bool,
    steps: usize,
}

/// One joint that was turned, measured in the written file.
#[derive(Serialize)]
struct JointJson<'a> {
    joint: &'a str,
    turned_max_rad: f64,
    velocity_change_rms_rad_per_s: f64,
    velocity_ripple_rms_rad_per_s: f64,
    velocity_step_added_max_rad_per_s: f64,
    velocity_step_captured_max_rad_per_s: f64,
}

/// A goal is met if the written file misses it by no more than this, in metres and radians.
const MET: f64 = 1e-5;

fn done<'a>(
    names: &'a OutputNames,
    source: &'a Source,
    reached: &'a Reached,
    wanted: &'a GoalSet,
    notes: &'a [String],
    missed: &'a [String],
) -> ReachJson<'a> {
    let goals = wanted.goals.iter().enumerate().map(|(n, goal)| {
        let (before, after) = reached.measured[n];
        GoalJson {
            frame: goal.frame,
            goal: &wanted.words[n],
            distance_before_m: goal.place.map(|_| before.distance),
            distance_m: goal.place.map(|_| after.distance),
            turn_before_rad: goal.turn.map(|_| before.turn),
            turn_rad: goal.turn.map(|_| after.turn),
            met: after.distance <= MET && after.turn <= MET,
            steps: reached.report.goals.get(n).map_or(0, |goal| goal.steps),
        }
    });
    let joints = reached.changes.iter().map(|change| JointJson {
        joint: &reached.before.skeleton.joint(change.joint).name,
        turned_max_rad: change.turned_max,
        velocity_change_rms_rad_per_s: change.velocity_rms,
        velocity_ripple_rms_rad_per_s: change.ripple_rms,
        velocity_step_added_max_rad_per_s: change.added_step_max,
        velocity_step_captured_max_rad_per_s: change.captured_step_max,
    });
    ReachJson {
        motion: &source.file.name,
        output: &names.motion,
        report: names.report.as_deref(),
        plot: names.other.as_ref().map(|(name, _)| name.as_path()),
        goals: goals.collect(),
        joints: joints.collect(),
        slope_step_max_rad_per_s: reached.report.slope_step,
        notes,
        warnings: source.file.warnings(),
        limits_missed: missed,
    }
}

/// Prints the result and the warnings.
fn print_result(
    names: &OutputNames,
    source: &Source,
    reached: &Reached,
    wanted: &GoalSet,
    notes: &[String],
) -> Result<(), CommandError> {
    for warning in source.file.warnings() {
        warn(&printable(&warning));
    }
    names.print_text(&text(names, source, reached, wanted, notes))
}

/// The number of goals that are listed; the report and `--json` list all.
const LISTED: usize = 40;

fn text(
    names: &OutputNames,
    source: &Source,
    reached: &Reached,
    wanted: &GoalSet,
    notes: &[String],
) -> String {
    let met = reached.measured.iter().filter(|(_, after)| after.distance <= MET && after.turn <= MET).count();
    let mut text = format!("{}\n{met} of {} goals met\n", printable(&source.file.name), wanted.goals.len());
    if !wanted.goals.is_empty() {
        let widest =
            wanted.words.iter().map(|words| printable(words).chars().count()).max().unwrap_or(0).max(4);
        text += &format!("\n{:>7}  {:widest$}  {:>12}  {:>14}\n", "frame", "goal", "before", "after");
        for (n, goal) in wanted.goals.iter().enumerate().take(LISTED) {
            let (before, after) = reached.measured[n];
            let words = printable(&wanted.words[n]);
            if goal.place.is_some() {
                let [before, after] = [before, after].map(|measure| measure.distance * 1e3);
                text += &format!("{:>7}  {words:widest$}  {before:>9.2} mm  {after:>11.5} mm\n", goal.frame);
            }
            if goal.turn.is_some() {
                let [before, after] = [before, after].map(|measure| measure.turn.to_degrees());
                text += &format!("{:>7}  {words:widest$}  {before:>11.3}°  {after:>13.6}°\n", goal.frame);
            }
        }
        if wanted.goals.len() > LISTED {
            text += &format!("{:>7}  and {} more\n", "", wanted.goals.len() - LISTED);
        }
    }
    text += &joints(reached);
    text += &bullets("Notes", notes);
    format!("{text}\n{}", names.file_list("the edited motion"))
}

fn joints(reached: &Reached) -> String {
    if reached.changes.is_empty() {
        return String::new();
    }
    let name = |joint: JointId| printable(&reached.before.skeleton.joint(joint).name);
    let widest =
        reached.changes.iter().map(|change| name(change.joint).chars().count()).max().unwrap_or(0).max(5);
    let mut text =
        format!("\n  {:widest$}  {:>9}  {:>15}  {:>12}\n", "joint", "turned", "velocity change", "ripple");
    for change in &reached.changes {
        let [turned, velocity, ripple] =
            [change.turned_max, change.velocity_rms, change.ripple_rms].map(f64::to_degrees);
        let name = name(change.joint);
        text += &format!("  {name:widest$}  {turned:>8.2}°  {velocity:>11.2} °/s  {ripple:>8.2} °/s\n");
    }
    text
}
