//! `clean`: holds planted feet in place.

use std::borrow::Cow;
use std::path::Path;

use clap::Args;
use surefoot::edit_files::{EditedFile, NotALoop, WrittenFiles};
use surefoot::text::{bullets, printable, wrapped};
use surefoot::{FolderSettings, Preset, Target, plant_cost_table};
use surefoot_measure::{Figures, cost, headline};
use surefoot_solve::{Method, Settings};

use crate::edit_input::{Purpose, load_motion};
use crate::edit_output::{EditOptions, finish, report_title, write_outputs};
use crate::input::check_exists;
use crate::limits;
use crate::output::{json, print};
use crate::output_names::OutputNames;
use crate::parameter_flags::{CleaningFlags, DetectionFlags};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{MotionInput, Source};

/// Remove footskate: hold planted feet in place
///
/// Detects foot contacts and holds every planted heel and ball at one spot. The rest of the body
/// follows with the smallest change: root and feet move so that the knees stay as smooth as captured,
/// and bones keep their length. A free foot goes from spot to spot along its captured path, and no
/// foot is left below the floor. A plant that stays out of reach slides, and a note names it. Frames
/// far from any plant, with feet above the floor, are copied byte for byte.
///
/// This is --method phases. --method support holds a foot where it begins to stand or, if it
/// skates, where its skate ends; book/src/method/support.md compares them.
///
/// Writes a new file and prints its figures before and after.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot clean walk.bvh
  surefoot clean walk.bvh --plants walk.plants.json --report walk.report.html
  surefoot clean walk.bvh --dry-run
  surefoot clean walk.bvh --stretch 3% -o stretched.bvh
  surefoot clean walk.bvh --floor level --max-drift 0.01mm --max-stretch 2%
  surefoot clean stairs.bvh --floor stairs.obj
  surefoot clean hill.bvh --floor plants
  surefoot clean walk.bvh --method support -o support.bvh
  surefoot clean cycle.bvh --loop --in-place
  surefoot clean character.glb --all-animations
  cat walk.bvh | surefoot clean - > walk.clean.bvh")]
pub struct Clean {
    #[command(flatten)]
    pub(super) input: MotionInput,

    /// Print what holding each plant would cost; write nothing [default: clean and write]
    #[arg(long, conflicts_with = "no_clean")]
    dry_run: bool,

    /// Clean every animation of a glTF or FBX file, in one copy of the file. Animations in which no legs
    /// are found stay as they are [default: the animation that is read]
    #[arg(long, conflicts_with_all = ["dry_run", "animation", "plants", "plants_out", "report", "looped"])]
    all_animations: bool,

    #[command(flatten)]
    pub(super) options: EditOptions,
}

/// The flags of the cleaner and of the detector.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Cleanup")]
pub struct CleanOptions {
    /// Use the method as published, for comparison: of 2002 for phases, of 2008 for support
    /// [default: the improved method, without knee pops]
    #[arg(long)]
    pub paper: bool,

    /// Use the short look-ahead of a live stream [default: look at whole plants]
    #[arg(long, conflicts_with = "paper")]
    pub live: bool,

    #[command(flatten)]
    pub cleaning: CleaningFlags,

    #[command(flatten)]
    pub detection: DetectionFlags,
}

impl CleanOptions {
    /// The solver's settings: flags, then `surefoot.toml`, then the defaults. A flag of the other method is refused.
    pub fn settings(&self, toml: &FolderSettings) -> Result<Settings, Problem> {
        let mut given = self.cleaning.0.clone();
        match (self.paper, self.live) {
            (true, _) => given.set_preset(Preset::Paper),
            (false, true) => given.set_preset(Preset::Live),
            (false, false) => {}
        }
        let settings = given.or(&toml.parameters).settings(Preset::Clean);
        match settings.method {
            Method::Phases if self.cleaning.0.get("skate_speed").is_some() => {
                Err(Problem::new("--skate-speed needs --method support: the method phases holds every plant"))
            }
            _ => Ok(settings),
        }
    }
}

pub fn run(args: &Clean) -> Result<(), CommandError> {
    if args.all_animations {
        return super::clean_all::run(args);
    }
    let (options, input) = (&args.options, &args.input);
    let names = OutputNames {
        plants: options.plants_out.clone(),
        ..OutputNames::new(&input.file, "clean", &options.writes)
    };
    check_exists([input.file.as_path()])?;
    let outputs = if args.dry_run { Vec::new() } else { names.claim(&options.writes)? };
    let mut source = load_motion(input, options, Purpose::Clean)?;
    if options.looped {
        mark_as_loop(&mut source)?;
    }
    let warnings = source.file.warnings();
    // The file is needed only until the clean motion is written.
    let file = Cow::Owned(std::mem::take(&mut source.file.source));
    let target = Target { source: file, space: source.file.space() };
    let result = finish(&[&source], Cow::Borrowed(source.clip()), Some(target), options)?;
    let missed = options.limits.missed(&source.settings, &result.file.figures);
    let written = if args.dry_run {
        Ok(())
    } else {
        let page = || report_page(&names.motion, &result, &warnings, &missed);
        let report = names.report.as_ref().map(|_| page()).transpose()?;
        write_outputs(&result, (&names, outputs), report, None)
    };
    let printed = written.and_then(|()| {
        if options.writes.json {
            let files = if args.dry_run { WrittenFiles::default() } else { names.written() };
            let mut value = result.clean_value(&source.file, files, &warnings, &missed);
            value.budget = args.dry_run.then(|| result.file.plant_costs());
            return print(&json(&value)?);
        }
        warnings.iter().for_each(|warning| warn(&printable(warning)));
        if args.dry_run {
            print(dry_run_text(&source, &result).as_bytes())
        } else {
            names.print_text(&text(&source, &names, &result))
        }
    });
    limits::check(printed, missed)
}

fn mark_as_loop(source: &mut Source) -> Result<(), Problem> {
    source.file.mark_as_loop().map_err(|error| {
        let name = source.name();
        match error {
            NotALoop::Motion(error) => Problem::new(format!("cannot clean {name}: {error}")),
            NotALoop::Gap(gap_m) => {
                let gap = gap_m * 100.0;
                Problem::new(format!("{name} is not a loop: its end is {gap:.1} cm from its start")).help(
                    "`surefoot loop` finds the best cycle, closes it and cleans it; without --loop the motion is \
                     cleaned from end to end",
                )
            }
        }
    })
}

/// The report of a cleaned motion, with the warnings about its file and the limits that were not met.
pub fn report_page(
    motion: &Path,
    result: &EditedFile,
    warnings: &[String],
    missed_limits: &[String],
) -> Result<String, Problem> {
    let title = report_title(motion);
    let input = result.file.report_input(&title, &result.notes);
    surefoot_measure::report(&surefoot_measure::Report { warnings, missed_limits, ..input })
        .map_err(|error| Problem::new(format!("cannot make the report: {error}")))
}

/// The headline with the events, and the cost line.
pub fn summary(figures: &Figures) -> String {
    let cost = cost(figures).map_or_else(String::new, |cost| wrapped(&cost, 0, ""));
    format!("{}{cost}", wrapped(&headline(figures), 0, ""))
}

fn text(source: &Source, names: &OutputNames, result: &EditedFile) -> String {
    let motion = if result.method.is_some() { "the clean motion" } else { "the motion" };
    let figures = &result.file.figures;
    format!(
        "{}\n{}\n{}{}\n{}",
        source.name(),
        summary(figures),
        figures.table(),
        bullets("Notes", &result.notes),
        names.file_list(motion)
    )
}

fn dry_run_text(source: &Source, result: &EditedFile) -> String {
    format!(
        "{}: the cost of cleaning it; nothing was written\n{}\n{}{}",
        source.name(),
        summary(&result.file.figures),
        plant_cost_table(&result.file.plant_costs()),
        bullets("Notes", &result.notes)
    )
}
