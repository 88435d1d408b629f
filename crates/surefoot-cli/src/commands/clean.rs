//! `clean`: planted feet stay put.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_measure::{Figures, headline, price};
use surefoot_solve::{FootRoll, Settings};

use crate::args::{Force, Told};
use crate::budget::{self, Budget};
use crate::cleaning::{Cleaned, Ends, Method, cleaned};
use crate::found::warnings;
use crate::input::{busy, is_dash};
use crate::limits::Limits;
use crate::look::{Looked, look};
use crate::output::{Existing, Output, beside, claim_all, json, print, write_all};
use crate::plants;
use crate::problem::{Problem, Stop, warn};
use crate::scene::scene;
use crate::tell::{bullets, plain, wrapped};
use crate::words;

/// Remove footskate: hold planted feet where they stand
///
/// Every heel and ball that is planted is held in one place while it is, and the rest of the body
/// follows as little as it must: first the root moves, then the leg bends, then thigh and shin
/// stretch within a limit. What cannot be met slides, and is told. Frames away from any plant
/// keep their digits.
///
/// That is --method phases. --method support leaves the root alone and mends skating runs by which
/// foot carries the body before and after each; docs/rectify.md tells when it is the better one.
///
/// Writes a new file and prints the figures of it, before and after.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot clean walk.bvh
  surefoot clean walk.bvh --plants walk.plants.json --report walk.report.html
  surefoot clean walk.bvh --dry-run
  surefoot clean walk.bvh --stretch 0 -o rigid.bvh
  surefoot clean walk.bvh --floor level --max-drift 0.01mm --max-stretch 2%
  surefoot clean stairs.bvh --floor stairs.obj
  surefoot clean hill.bvh --floor plants
  surefoot clean walk.bvh --method support -o second-opinion.bvh
  cat walk.bvh | surefoot clean - > walk.clean.bvh")]
pub struct Clean {
    /// A BVH file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file to write; - is stdout [default: walk.clean.bvh for walk.bvh; stdout for stdin]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// When each heel and ball is down: a plants file, JSON or CSV; - is stdin
    /// [default: surefoot finds out, as `detect` does]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// Write the plants that were held, to be edited; - is stdout [default: none are written]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants_out: Option<PathBuf>,

    /// Write a report with figures and curves, one HTML page; - is stdout
    /// [default: none is written]
    #[arg(long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    report: Option<PathBuf>,

    /// Only say what it would take, plant by plant; write nothing [default: clean]
    #[arg(long)]
    dry_run: bool,

    /// Clean a loop so that it still loops: its end meets its start, across which feet may be held
    /// [default: start and end are apart]
    #[arg(long = "loop")]
    looped: bool,

    /// Print the figures as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    how: How,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    told: Told,
}

/// How a motion is cleaned.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "How it is cleaned")]
pub struct How {
    /// In five phases, the root first (phases), or by which foot carries the body, by the legs alone
    /// (support) [default: phases]
    #[arg(long, value_name = "phases|support", value_parser = words::method)]
    pub method: Option<Method>,

    /// From which speed on a planted foot skates, for --method support, as 0.1m/s
    /// [default: 0.1m/s]
    #[arg(long, value_name = "SPEED", value_parser = words::speed)]
    pub skate_speed: Option<f64>,

    /// The most that thigh and shin may be stretched, as 3%; 0 keeps every bone as it is
    /// [default: 3%]
    #[arg(long, value_name = "SHARE", value_parser = words::share)]
    pub stretch: Option<f64>,

    /// Whether a foot held at heel and ball is turned no more than it must (kept) or laid flat
    /// (flat) [default: kept]
    #[arg(long, value_name = "kept|flat", value_parser = words::roll)]
    pub roll: Option<FootRoll>,

    /// The method as published, for comparison: in 2002 the five phases, in 2008 by support
    /// [default: with the knee's pops cured]
    #[arg(long)]
    pub paper: bool,

    /// As a live stream would, looking ahead as little as it can [default: at whole plants]
    #[arg(long, conflicts_with = "paper")]
    pub live: bool,
}

impl How {
    /// The method: the flag, then `surefoot.toml`, then the five phases. A flag that is for the other
    /// method is refused.
    pub fn method(&self, heeded: &crate::settings::Settings) -> Result<Method, Problem> {
        let method = self.method.or(heeded.method).unwrap_or_default();
        match method {
            Method::Support if self.live => {
                Err(Problem::new("--live is for --method phases: support looks at the whole motion at once"))
            }
            Method::Phases if self.skate_speed.is_some() => {
                Err(Problem::new("--skate-speed is for --method support: the five phases hold every plant"))
            }
            method => Ok(method),
        }
    }

    /// The solver's settings: flags, then `surefoot.toml`, then the defaults.
    pub fn settings(&self, heeded: &crate::settings::Settings) -> Settings {
        let base = match (self.paper, self.live) {
            (true, _) => Settings::paper(),
            (false, true) => Settings::live(),
            (false, false) => Settings::default(),
        };
        Settings {
            stretch: self.stretch.or(heeded.stretch).unwrap_or(base.stretch),
            roll: self.roll.or(heeded.roll).unwrap_or(base.roll),
            skate: self.skate_speed.unwrap_or(base.skate),
            ..base
        }
    }
}

/// Where things go.
struct Names {
    motion: PathBuf,
    plants: Option<PathBuf>,
    report: Option<PathBuf>,
}

impl Names {
    fn of(args: &Clean) -> Self {
        let default =
            || if is_dash(&args.file) { PathBuf::from("-") } else { beside(&args.file, "clean.bvh") };
        Self {
            motion: args.output.clone().unwrap_or_else(default),
            plants: args.plants_out.clone(),
            report: args.report.clone(),
        }
    }

    fn claim(&self, args: &Clean) -> Result<Vec<Output>, Problem> {
        let names = [Some(&self.motion), self.plants.as_ref(), self.report.as_ref()];
        let names: Vec<&Path> = names.into_iter().flatten().map(PathBuf::as_path).collect();
        if args.json && names.iter().any(|name| is_dash(name)) {
            let both = "--json and an output named - both want stdout";
            return Err(Problem::new(both).help("name the file with -o"));
        }
        claim_all(&names, Existing::from_force(args.force.force))
    }

    /// Whether stdout is for words.
    fn leave_stdout(&self) -> bool {
        let names = [Some(&self.motion), self.plants.as_ref(), self.report.as_ref()];
        !names.into_iter().flatten().any(|name| is_dash(name))
    }
}

/// What `clean --json` prints, before the figures.
#[derive(Serialize)]
struct Done<'a> {
    motion: &'a str,
    method: Method,
    /// `null` in a dry run.
    output: Option<&'a Path>,
    plants_file: Option<&'a Path>,
    report: Option<&'a Path>,
    /// Whether surefoot found the plants itself.
    plants_found: bool,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    /// What each plant takes; only in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<Vec<Budget<'a>>>,
    #[serde(flatten)]
    figures: &'a Figures,
}

pub fn run(args: &Clean) -> Result<(), Stop> {
    plants::check_stdin(&args.file, args.plants.as_deref())?;
    let names = Names::of(args);
    let outputs = if args.dry_run { Vec::new() } else { names.claim(args)? };
    let looked = look(&args.file, &args.told)?;
    let method = args.how.method(&looked.settings)?;
    let mut scene = scene(&looked)?;
    let known = plants::known(args.plants.as_deref(), &scene)?;
    scene.settle(&known.plants);
    let settings = args.how.settings(&looked.settings);
    let cleaned = busy(looked.bvh.text().len(), "cleaning", || {
        let ends = if args.looped { Ends::Meet } else { Ends::Apart };
        cleaned(&looked, scene, known, method, &settings, ends)
    })?;
    if !args.dry_run {
        write(&names, outputs, &cleaned)?;
    }
    let limits = args.limits.or(looked.settings.limits);
    if args.json {
        print(&json(&done(args, &names, &looked, &cleaned, &limits))?)?;
    } else {
        tell(args, &names, &looked, &cleaned)?;
    }
    limits.check(&cleaned.figures)
}

fn write(names: &Names, outputs: Vec<Output>, cleaned: &Cleaned) -> Result<(), Stop> {
    let Cleaned { scene, known, text, .. } = cleaned;
    let plants = names.plants.as_ref().map(|name| plants::written(name, &known.plants, known.ground, scene));
    let report = names.report.as_ref().map(|_| page(&names.motion, cleaned)).transpose()?;
    // In the order in which they were claimed.
    let others = [plants, report].into_iter().flatten().map(String::into_bytes);
    let bytes: Vec<Vec<u8>> = others.collect();
    let bytes = [&text[..]].into_iter().chain(bytes.iter().map(Vec::as_slice));
    write_all(outputs.into_iter().zip(bytes).collect())
}

/// The report of a cleaned motion that is called `name`.
pub fn page(name: &Path, cleaned: &Cleaned) -> Result<String, Problem> {
    let Cleaned { scene, known, after, figures, notes, .. } = cleaned;
    let title = name.file_name().unwrap_or_default().to_string_lossy();
    surefoot_job::page(&title, after, scene, &known.plants, figures, notes).map_err(Problem::new)
}

fn done<'a>(
    args: &Clean,
    names: &'a Names,
    looked: &'a Looked,
    cleaned: &'a Cleaned,
    limits: &Limits,
) -> Done<'a> {
    let written = |name: Option<&'a PathBuf>| name.map(PathBuf::as_path).filter(|_| !args.dry_run);
    let Cleaned { scene, known, figures, report, notes, method, .. } = cleaned;
    Done {
        motion: &looked.name,
        method: *method,
        output: written(Some(&names.motion)),
        plants_file: written(names.plants.as_ref()),
        report: written(names.report.as_ref()),
        plants_found: known.found,
        notes,
        warnings: warnings(looked),
        limits_missed: limits.missed(figures),
        budget: args.dry_run.then(|| budget::of(report, &scene.legs)),
        figures,
    }
}

/// Words for a person, on stdout unless that is an output.
fn tell(args: &Clean, names: &Names, looked: &Looked, cleaned: &Cleaned) -> Result<(), Stop> {
    for warning in warnings(looked) {
        warn(&plain(&warning));
    }
    if args.dry_run {
        return print(dry(looked, cleaned).as_bytes());
    }
    let text = text(looked, names, cleaned);
    if names.leave_stdout() {
        return print(text.as_bytes());
    }
    eprint!("{text}");
    Ok(())
}

/// What was achieved, and what it cost.
pub fn sentences(figures: &Figures) -> String {
    let price = price(figures).map_or_else(String::new, |price| wrapped(&price, 0, ""));
    format!("{}\n{price}", headline(figures))
}

fn text(looked: &Looked, names: &Names, cleaned: &Cleaned) -> String {
    let mut text = format!("{}\n{}\n", plain(&looked.name), sentences(&cleaned.figures));
    text += &cleaned.figures.table();
    text += &bullets("Notes", &cleaned.notes);
    text.push('\n');
    let written = [
        (Some(&names.motion), "the clean motion"),
        (names.plants.as_ref(), "the plants that were held, to edit"),
        (names.report.as_ref(), "the report, for a browser"),
    ];
    for (name, what) in written {
        if let Some(name) = name.filter(|name| !is_dash(name)) {
            text += &format!("{}: {what}\n", name.display());
        }
    }
    text
}

fn dry(looked: &Looked, cleaned: &Cleaned) -> String {
    format!(
        "{}: what cleaning it would take; nothing is written\n{}\n{}{}",
        plain(&looked.name),
        sentences(&cleaned.figures),
        budget::table(&budget::of(&cleaned.report, &cleaned.scene.legs)),
        bullets("Notes", &cleaned.notes)
    )
}
