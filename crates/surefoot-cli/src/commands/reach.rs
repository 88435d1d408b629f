//! `reach`: moves hands, feet and other points to goals at keyframes, with planted feet held.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{
    GoalResult, GoalSet, GoalSetError, JointResult, OtherRate, ReachedFile, WrittenFiles, other_unit_warning,
    reach_file,
};
use surefoot::text::{bullets, printable, short, wrapped};
use surefoot::{PlantsSource, parse, plants_text};
use surefoot_core::{JointId, Skeleton};
use surefoot_edit::reach::{Fade, Form, Freedom, Limits, Residue, Settings};
use surefoot_formats::SourceFile;
use surefoot_formats::rig::find_joint;
use surefoot_measure::Figures;

use crate::args::FileOptions;
use crate::commands::clean::CleanOptions;
use crate::input::{self, Input, check_exists, is_dash, with_spinner};
use crate::limits::{self, LimitOptions};
use crate::output::{Output, json, print, shown, write_all};
use crate::output_names::{OutputNames, OutputOptions};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{MotionInput, Source, add_plants, check_plants_stdin, load, parse as parse_motion};

/// Move hands, feet and other points to goals at keyframes, with planted feet held
///
/// At each keyframe, inverse kinematics turns the joints of a chain as little as possible so that its
/// end meets the goal; several goals at one frame are solved together. Between keyframes, smooth
/// rotations are added to the captured ones, so that the details of the motion are kept. A goal can
/// last for many frames and follow a curve or a joint of another motion. For a goal out of reach, the
/// closest possible pose is used, and a note states the remaining distance.
///
/// Planted feet are held as by `clean`. The pelvis does not move or turn, unless --chain-from names it
/// or --move-root is given; then root and legs are solved together with the planted feet. A goal for a
/// planted foot moves the foot for its whole stance. For the goals file see
/// book/src/formats/goals-paths.md.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot reach boxing.bvh --goals boxing.goals.json
  surefoot reach boxing.bvh --goals boxing.goals.json --report boxing.report.html
  surefoot reach boxing.bvh --goals boxing.goals.json --chain-from LeftShoulder --fade 0.5s
  surefoot reach boxing.bvh --goals boxing.goals.json --move-root --max-miss 0.01mm
  surefoot reach boxing.bvh --goals boxing.goals.json --form paper --plain --no-clean")]
pub struct Reach {
    #[command(flatten)]
    input: MotionInput,

    /// The goals: which point should be where at which frame, as JSON or CSV; - is stdin
    #[arg(long, value_name = "GOALS", value_hint = ValueHint::FilePath)]
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

    /// Also write the plants that were held, as a file that can be edited; - is stdout [default: not written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants_out: Option<PathBuf>,

    /// Skip the cleanup: do not hold planted feet [default: planted feet are held]
    #[arg(long)]
    no_clean: bool,

    #[command(flatten)]
    reach: ReachOptions,

    #[command(flatten)]
    clean: CleanOptions,

    #[command(flatten)]
    limits: LimitOptions,

    /// Largest allowed distance from a goal, e.g. 0.01mm; the exit code is 1 if it is exceeded
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
    /// [default: the child of the pelvis on the way to the goal]
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

    /// Limit every joint to its captured range plus this many degrees, e.g. 5
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

    /// Time between the knots of the added curves, e.g. 67ms [default: 1/15 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    spacing: Option<f64>,

    /// Time over which the added velocity changes at a keyframe, e.g. 50ms [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    ease: Option<f64>,

    /// Fade the change out within this time before and after each keyframe, e.g. 0.5s; with never it
    /// continues before the first keyframe and after the last
    /// [default: 0.5s where the root moves or turns, otherwise never]
    #[arg(long, value_name = "TIME|never", value_parser = fade)]
    fade: Option<Fade>,

    /// Resample other motions that the goals refer to, if their frame rate differs
    /// [default: a different frame rate is an error]
    #[arg(long)]
    resample: bool,
}

fn fade(word: &str) -> Result<Fade, String> {
    if word == "never" { Ok(Fade::Never) } else { parse::seconds(word).map(Fade::Within) }
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
            fade: self.fade.unwrap_or_default(),
            ..base
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
    check_stdin(args)?;
    let other = args.plot.as_ref().map(|name| (name.clone(), "the curves; open the file in a browser"));
    let plants = args.plants_out.clone();
    let names = OutputNames { other, plants, ..OutputNames::new(&args.input.file, "reach", &args.writes) };
    check_exists([args.input.file.as_path(), &args.goals])?;
    let outputs = names.claim(&args.writes)?;
    let mut source = load(&args.input.file, &args.file_options)?;
    let cleaning = cleaning(args, &mut source)?;
    let settings = args.reach.settings(&source)?;
    let goals = goals(args, &source)?;
    let reached = with_spinner(source.size, "reaching", || {
        reach_file(&source.file, goals, settings, cleaning.as_ref())
    });
    let reached = reached
        .map_err(|error| Problem::new(format!("cannot move {} to its goals: {error}", source.name())))?;
    let written = write(args, &names, outputs, &source, &reached);
    let missed = missed(args, &source, &reached);
    let printed = written.and_then(|()| print_result(args, &source, &names, &reached, &missed));
    limits::check(printed, missed)
}

fn check_stdin(args: &Reach) -> Result<(), Problem> {
    check_plants_stdin(&args.input.file, args.input.plants.as_deref())?;
    let plants = args.input.plants.as_deref().unwrap_or(Path::new(""));
    if is_dash(&args.goals) && (is_dash(&args.input.file) || is_dash(plants)) {
        let what = if is_dash(plants) { "--plants" } else { "the motion" };
        let problem = format!("{what} and --goals are both -, but stdin can be read only once");
        return Err(Problem::new(problem));
    }
    Ok(())
}

/// The settings of the cleanup, after the plants have been read or detected. `None` with `--no-clean` and for a file
/// without legs.
fn cleaning(args: &Reach, source: &mut Source) -> Result<Option<surefoot_solve::Settings>, Problem> {
    if source.file.clip.legs.is_empty() && args.input.plants.is_none() {
        return Ok(None);
    }
    args.clean.detection.0.apply_to_detection(&mut source.file.detection);
    // Without the cleanup too, so that drift is measured.
    add_plants(&mut source.file, args.input.plants.as_deref())?;
    let settings = args.clean.settings(&source.settings)?;
    Ok((!args.no_clean).then_some(settings))
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
            files: names.written(),
            plot: names.other.as_ref().map(|(name, _)| shown(name)),
            cleaned: reached.holds_plants,
            plants_detected: source.file.plants_source == PlantsSource::Detected,
            goals: reached.goal_results(),
            joints: reached.joint_results(),
            slope_step_max_rad_per_s: reached.report.slope_step,
            notes: &notes,
            warnings,
            limits_missed: missed,
            figures: &reached.file.figures,
        })?);
    }
    warnings.iter().for_each(|warning| warn(&printable(warning)));
    let feet: String = reached.feet_sentences().iter().map(|line| wrapped(line, 0, "")).collect();
    let feet = if feet.is_empty() { feet } else { format!("\n{feet}") };
    let (name, table, notes) = (source.name(), reached.table(), bullets("Notes", &notes));
    let files = names.file_list(&reached.description());
    names.print_text(&format!("{name}\n{table}{feet}{notes}\n{files}"))
}

/// Reads the goals file and the other motions that it names.
fn goals(args: &Reach, source: &Source) -> Result<GoalSet, Problem> {
    let Input { name, path, bytes } = input::read(&args.goals)?;
    let folder = path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let rate = if args.reach.resample { OtherRate::Resampled } else { OtherRate::Refused };
    let motion = |named: &str| other_motion(folder, named, source);
    let goals = GoalSet::read(&bytes, &source.file, rate, motion, |named| table(folder, named));
    goals.map_err(|error| match error {
        GoalSetError::Load(problem) => problem,
        GoalSetError::Table { name, bytes, message } => {
            Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message)
        }
        GoalSetError::Goals(message) => Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message),
        GoalSetError::Rate(message) => Problem::new(message).help("--resample resamples the other motion"),
    })
}

/// Reads a table of positions that the goals file names.
fn table(folder: &Path, named: &str) -> Result<Vec<u8>, Problem> {
    if is_dash(Path::new(named)) {
        return Err(Problem::new("a path cannot be stdin").help("name its file in the goals file"));
    }
    Ok(input::read(&folder.join(named))?.bytes)
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
    pages.extend(names.plants.as_ref().map(|name| plants_text(name, &reached.file.stored_plants())));
    if names.report.is_some() || names.other.is_some() {
        let title = &source.file.name;
        let comparison = reached.compare().map_err(|error| Problem::new(error.to_string()))?;
        // In the order in which they were claimed.
        pages.extend(names.report.as_ref().map(|_| reached.report_page(title, &comparison)));
        let joint = args.plot_joint.as_deref();
        pages.extend(names.other.as_ref().map(|_| reached.curves(title, &comparison, joint)));
    }
    let all = [reached.file.bytes.as_slice()].into_iter().chain(pages.iter().map(String::as_bytes));
    write_all(outputs.into_iter().zip(all).collect())
}

/// A line for each limit that is not met.
fn missed(args: &Reach, source: &Source, reached: &ReachedFile) -> Vec<String> {
    let mut missed = args.limits.missed(&source.settings, &reached.file.figures);
    missed.extend(goals_missed(args, reached));
    missed
}

fn goals_missed(args: &Reach, reached: &ReachedFile) -> Option<String> {
    let limit = args.max_miss?;
    let Some(largest) = reached.largest_miss_m() else {
        return Some("max-miss: the largest miss could not be measured: no goal has a position".into());
    };
    // A billionth of a metre is rounding, not a miss.
    if largest <= limit + 1e-9 {
        return None;
    }
    let [found, limit] = [largest, limit].map(|metres| format!("{} mm", short(metres * 1e3)));
    Some(format!("max-miss: a goal is missed by {found}, more than the limit of {limit}"))
}

/// The value that `reach --json` prints.
#[derive(Serialize)]
struct ReachJson<'a> {
    motion: &'a str,
    #[serde(flatten)]
    files: WrittenFiles,
    plot: Option<String>,
    /// Whether planted feet are held.
    cleaned: bool,
    /// Whether the plants were detected.
    plants_detected: bool,
    goals: Vec<GoalResult<'a>>,
    joints: Vec<JointResult<'a>>,
    /// The largest jump of the slope at a knot of the added curves.
    slope_step_max_rad_per_s: f64,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: &'a [String],
    /// The figures of the written file and of the captured motion.
    #[serde(flatten)]
    figures: &'a Figures,
}
