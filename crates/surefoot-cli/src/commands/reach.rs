//! `reach`: hands and feet meet their goals at keyframes.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_core::{JointId, Skeleton};
use surefoot_edit::reach::{Form, Freedom, Limits, Residue, Settings};
use surefoot_formats::rig::find_joint;
use surefoot_measure::{plot, reached_curves};

use crate::args::FileOptions;
use crate::input::{busy, is_dash};
use crate::output::{Output, json, print, write_all};
use crate::output_names::{OutputNames, OutputOptions};
use crate::parse;
use crate::problem::{CommandError, Problem, warn};
use crate::reach_file::{self, GoalSet, OtherRate, Reached, reached, wanted};
use crate::source::{Source, load};
use crate::text::{bullets, printable, short};

/// Make hands, feet and other points meet their goals at keyframes
///
/// At each keyframe the joints of a chain turn as little as they can so that their points are where
/// the goals file says; several goals at one frame are met together. Between keyframes the motion
/// keeps its feel: smooth turns are added to the captured ones, and nothing that is in the capture
/// is lost. A goal that is out of reach is come as near to as can be, and told.
///
/// The root stays where it is and as it is turned, so planted feet stay, unless --chain-from names
/// it or --move-root is said. The goals file is shown in book/src/formats/goals-paths.md.
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

    /// What must be where at which frame: a goals file; - is stdin
    #[arg(long, value_name = "GOALS.json", value_hint = ValueHint::FilePath)]
    goals: PathBuf,

    /// Draw captured against new angle and velocity of the joint that is turned most
    ///
    /// As SVG; - is stdout. [default: none is drawn]
    #[arg(long, value_name = "PLOT.svg", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,

    /// Draw this joint instead
    #[arg(long, value_name = "JOINT", requires = "plot")]
    plot_joint: Option<String>,

    #[command(flatten)]
    writes: OutputOptions,

    #[command(flatten)]
    reach: ReachOptions,

    /// The farthest a goal may be missed by, as 0.01mm; else the exit code is 1 [default: none]
    #[arg(long, value_name = "LENGTH", value_parser = parse::length)]
    max_miss: Option<f64>,

    #[command(flatten)]
    file_options: FileOptions,
}

/// How goals are met.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How goals are met")]
struct ReachOptions {
    /// The first joint of every chain, which turns too; a goal may name its own
    /// [default: the one next to the root]
    #[arg(long, value_name = "JOINT")]
    chain_from: Option<String>,

    /// Also move the root, by a metre at the price of a radian [default: it stays]
    #[arg(long)]
    move_root: bool,

    /// ReachOptions joints may turn: as they do in the capture where that reaches, so that hinges stay
    /// hinges, or freely
    #[arg(long, value_name = "captured|free", default_value = "captured", value_parser = freedom())]
    turns: Freedom,

    /// No joint farther than it turns in the capture and so many degrees more, as 5
    ///
    /// A goals file may give joints limits of their own. Limits hold at keyframes.
    /// [default: no limit]
    #[arg(long, value_name = "DEGREES", value_parser = parse::degrees)]
    limits: Option<f64>,

    /// What being near to a goal weighs against being like the capture, from 0 to 1
    #[arg(long, value_name = "WEIGHT", default_value = "0.99", value_parser = parse::weight)]
    w: f64,

    /// Leave the residue that this trade leaves, as published [default: close it]
    #[arg(long)]
    plain: bool,

    /// Whether smooth turns are added to the captured ones (displacement), or a curve of its own
    /// takes their place, as published (paper)
    #[arg(long, value_name = "displacement|paper", default_value = "displacement", value_parser = form())]
    form: Form,

    /// From one auxiliary frame of the curves to the next, as 1/15 of a second is 67ms
    /// [default: 1/15 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    spacing: Option<f64>,

    /// The time over which an added velocity changes at a keyframe, as 50ms [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    ease: Option<f64>,

    /// Leave frames alone that are farther than this from every keyframe, as 0.5s
    /// [default: a change goes on before the first keyframe and after the last]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    fade: Option<f64>,

    /// Look at other motions at the same times where their frame rate is another
    /// [default: refuse them]
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
            problem.help(format!("near to it are {}", printable(&near.join(", "))))
        }
    })
}

pub fn run(args: &Reach) -> Result<(), CommandError> {
    if is_dash(&args.file) && is_dash(&args.goals) {
        return Err(Problem::new("the motion and --goals - both want stdin").into());
    }
    let other = args.plot.as_ref().map(|name| (name.clone(), "the curves, for a browser"));
    let names = OutputNames { other, ..OutputNames::new(&args.file, "reach", &args.writes) };
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
        tell(&names, &source, &reached, &wanted, &notes)?;
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
        let how = how(settings, source);
        let page = surefoot_measure::Reached {
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
        bytes.extend(names.report.as_ref().map(|_| surefoot_measure::reached(&page).into_bytes()));
        if names.other.is_some() {
            let drawn = reached_curves(&page, args.plot_joint.as_deref());
            bytes.push(plot::sheet(&drawn).into_bytes());
        }
    }
    let all = [reached.text.as_slice()].into_iter().chain(bytes.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(all).collect())
}

/// How it was done, a few words each.
fn how(settings: &Settings, source: &Source) -> Vec<String> {
    let mut how = vec![match settings.form {
        Form::Displacement => "smooth turns added to the captured ones".to_owned(),
        Form::Paper => "a curve in place of the captured angles, as published".to_owned(),
    }];
    how.push(format!("w = {}", short(settings.w)));
    if settings.residue == Residue::Left {
        how.push("residue left".into());
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
    let [found, asked] = [largest, limit].map(|metres| format!("{} mm", short(metres * 1e3)));
    vec![format!("--max-miss: the farthest goal is missed by {found}, and {asked} was asked for")]
}

/// What `reach --json` prints.
#[derive(Serialize)]
struct Done<'a> {
    motion: &'a str,
    output: &'a Path,
    report: Option<&'a Path>,
    plot: Option<&'a Path>,
    goals: Vec<GoalDone<'a>>,
    joints: Vec<JointDone<'a>>,
    /// The largest difference of slopes to the left and to the right of a knot.
    slope_step_max_rad_per_s: f64,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: &'a [String],
}

/// One goal, as measured of the file.
#[derive(Serialize)]
struct GoalDone<'a> {
    frame: usize,
    goal: &'a str,
    distance_before_m: Option<f64>,
    distance_m: Option<f64>,
    turn_before_rad: Option<f64>,
    turn_rad: Option<f64>,
    met: bool,
    steps: usize,
}

/// One joint that was turned, as measured of the file.
#[derive(Serialize)]
struct JointDone<'a> {
    joint: &'a str,
    turned_max_rad: f64,
    velocity_change_rms_rad_per_s: f64,
    velocity_ripple_rms_rad_per_s: f64,
    velocity_step_added_max_rad_per_s: f64,
    velocity_step_captured_max_rad_per_s: f64,
}

/// In a file a goal is met to this, in metres and radians.
const MET: f64 = 1e-5;

fn done<'a>(
    names: &'a OutputNames,
    source: &'a Source,
    reached: &'a Reached,
    wanted: &'a GoalSet,
    notes: &'a [String],
    missed: &'a [String],
) -> Done<'a> {
    let goals = wanted.goals.iter().enumerate().map(|(n, goal)| {
        let (before, after) = reached.measured[n];
        GoalDone {
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
    let joints = reached.changes.iter().map(|change| JointDone {
        joint: &reached.before.skeleton.joint(change.joint).name,
        turned_max_rad: change.turned_max,
        velocity_change_rms_rad_per_s: change.velocity_rms,
        velocity_ripple_rms_rad_per_s: change.ripple_rms,
        velocity_step_added_max_rad_per_s: change.added_step_max,
        velocity_step_captured_max_rad_per_s: change.captured_step_max,
    });
    Done {
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

/// Words for a person, on stdout unless that is an output.
fn tell(
    names: &OutputNames,
    source: &Source,
    reached: &Reached,
    wanted: &GoalSet,
    notes: &[String],
) -> Result<(), CommandError> {
    for warning in source.file.warnings() {
        warn(&printable(&warning));
    }
    names.say(&text(names, source, reached, wanted, notes))
}

/// So many goals are shown one by one; more are in the report and in `--json`.
const SHOWN: usize = 40;

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
        text += &format!("\n{:>7}  {:widest$}  {:>12}  {:>14}\n", "frame", "goal", "before", "in the file");
        for (n, goal) in wanted.goals.iter().enumerate().take(SHOWN) {
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
        if wanted.goals.len() > SHOWN {
            text += &format!("{:>7}  and {} more\n", "", wanted.goals.len() - SHOWN);
        }
    }
    text += &joints(reached);
    text += &bullets("Notes", notes);
    format!("{text}\n{}", names.listed("the motion that meets its goals"))
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
