//! `reach`: moves hands, feet and other points to goals at keyframes.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{
    GoalResult, GoalSet, GoalSetError, JointResult, OtherRate, ReachedFile, other_unit_warning, reach_file,
};
use surefoot::parse;
use surefoot::text::{bullets, printable, short};
use surefoot_core::{JointId, Skeleton};
use surefoot_edit::reach::{Form, Freedom, Limits, Residue, Settings};
use surefoot_formats::SourceFile;
use surefoot_formats::rig::find_joint;

use crate::args::FileOptions;
use crate::input::{self, Input, check_exists, is_dash, with_spinner};
use crate::limits;
use crate::output::{Output, json, print, shown, write_all};
use crate::output_names::{OutputNames, OutputOptions};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{Source, load, parse as parse_motion};

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
    /// A motion file; - is stdin
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
        let skeleton = source.file.source.skeleton();
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
    let goals = goals(args, &source)?;
    let reached = with_spinner(source.size, "reaching", || reach_file(&source.file, goals, settings));
    let reached = reached
        .map_err(|error| Problem::new(format!("cannot move {} to its goals: {error}", source.name())))?;
    let written = write(args, &names, outputs, &source, &reached);
    let missed = missed(args, &reached);
    let printed = written.and_then(|()| print_result(args, &source, &names, &reached, &missed));
    limits::check(printed, missed)
}

fn print_result(
    args: &Reach,
    source: &Source,
    names: &OutputNames,
    reached: &ReachedFile,
    missed: &[String],
) -> Result<(), CommandError> {
    let (notes, warnings) = (reached.notes(), source.file.warnings());
    if args.writes.json {
        return print(&json(&ReachJson {
            motion: &source.file.name,
            output: shown(&names.motion),
            report: names.report.as_deref().map(shown),
            plot: names.other.as_ref().map(|(name, _)| shown(name)),
            goals: reached.goal_results(),
            joints: reached.joint_results(),
            slope_step_max_rad_per_s: reached.report.slope_step,
            notes: &notes,
            warnings,
            limits_missed: missed,
        })?);
    }
    warnings.iter().for_each(|warning| warn(&printable(warning)));
    let (name, table, notes) = (source.name(), reached.table(), bullets("Notes", &notes));
    names.print_text(&format!("{name}\n{table}{notes}\n{}", names.file_list("the edited motion")))
}

/// Reads the goals file and the other motions that it names.
fn goals(args: &Reach, source: &Source) -> Result<GoalSet, Problem> {
    let Input { name, path, bytes } = input::read(&args.goals)?;
    let folder = path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let rate = if args.reach.resample { OtherRate::Resampled } else { OtherRate::Refused };
    let goals = GoalSet::read(&bytes, &source.file, rate, |named| other_motion(folder, named, source));
    goals.map_err(|error| match error {
        GoalSetError::Load(problem) => problem,
        GoalSetError::Goals(message) => Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message),
        GoalSetError::Rate(message) => Problem::new(message).help("--resample resamples the other motion"),
    })
}

/// Reads another motion that the goals file names.
fn other_motion(folder: &Path, named: &str, source: &Source) -> Result<SourceFile, Problem> {
    if is_dash(Path::new(named)) {
        return Err(Problem::new("another motion cannot be stdin").help("name its file in the goals file"));
    }
    let other = parse_motion(input::read(&folder.join(named))?, &FileOptions::default())?.source;
    if let Some(warning) = other_unit_warning(named, &other, &source.file) {
        warn(&warning);
    }
    Ok(other)
}

fn write(
    args: &Reach,
    names: &OutputNames,
    outputs: Vec<Output>,
    source: &Source,
    reached: &ReachedFile,
) -> Result<(), CommandError> {
    let mut pages: Vec<String> = Vec::new();
    if names.report.is_some() || names.other.is_some() {
        let title = &source.file.name;
        let comparison = reached.compare().map_err(|error| Problem::new(error.to_string()))?;
        // In the order in which they were claimed.
        pages.extend(names.report.as_ref().map(|_| reached.report_page(title, &comparison)));
        let joint = args.plot_joint.as_deref();
        pages.extend(names.other.as_ref().map(|_| reached.curves(title, &comparison, joint)));
    }
    let all = [reached.bytes.as_slice()].into_iter().chain(pages.iter().map(String::as_bytes));
    write_all(outputs.into_iter().zip(all).collect())
}

fn missed(args: &Reach, reached: &ReachedFile) -> Vec<String> {
    let Some(limit) = args.max_miss else { return Vec::new() };
    let Some(largest) = reached.largest_miss_m() else {
        return vec!["max-miss: the largest miss could not be measured: no goal has a position".into()];
    };
    // A billionth of a metre is rounding, not a miss.
    if largest <= limit + 1e-9 {
        return Vec::new();
    }
    let [found, limit] = [largest, limit].map(|metres| format!("{} mm", short(metres * 1e3)));
    vec![format!("max-miss: a goal is missed by {found}, more than the limit of {limit}")]
}

/// The value that `reach --json` prints.
#[derive(Serialize)]
struct ReachJson<'a> {
    motion: &'a str,
    output: String,
    report: Option<String>,
    plot: Option<String>,
    goals: Vec<GoalResult<'a>>,
    joints: Vec<JointResult<'a>>,
    /// The largest jump of the slope at a knot of the added curves.
    slope_step_max_rad_per_s: f64,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: &'a [String],
}
