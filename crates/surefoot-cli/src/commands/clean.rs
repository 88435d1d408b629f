//! `clean`: planted feet stay put.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use surefoot_edit::Method;
use surefoot_edit::looped::{IS_NO_LOOP, known_as_loop};
use surefoot_measure::{Figures, headline, price, report};
use surefoot_solve::{FootRoll, Settings};

use crate::budget::{self, Budget};
use crate::ended::{Ended, Ending, end};
use crate::found::warnings;
use crate::limits::Limits;
use crate::look::Looked;
use crate::names::Names;
use crate::output::{json, print};
use crate::problem::{Problem, Stop, warn};
use crate::taken::{Belt, One, Taken, take};
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
/// foot carries the body before and after each; book/src/method/support.md tells when it is the better one.
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
  surefoot clean cycle.bvh --loop --in-place
  cat walk.bvh | surefoot clean - > walk.clean.bvh")]
pub struct Clean {
    #[command(flatten)]
    one: One,

    /// Only say what it would take, plant by plant; write nothing [default: clean]
    #[arg(long, conflicts_with = "no_clean")]
    dry_run: bool,

    #[command(flatten)]
    ending: Ending,
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

/// What `clean --json` prints, before the figures.
#[derive(Serialize)]
struct Done<'a> {
    motion: &'a str,
    /// `null` with --no-clean.
    method: Option<&'static str>,
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
    let (ending, one) = (&args.ending, &args.one);
    let names = Names { plants: ending.plants_out.clone(), ..Names::new(&one.file, "clean", &ending.writes) };
    let outputs = if args.dry_run { Vec::new() } else { names.claim(&ending.writes)? };
    let mut taken = take(one, ending, Belt::Kept)?;
    if ending.looped {
        let known = known_as_loop(&taken.take)
            .map_err(|error| Problem::new(format!("cannot clean {}: {error}", plain(&taken.looked.name))))?;
        if known.1 > IS_NO_LOOP {
            return Err(no_loop(&taken.looked.name, known.1).into());
        }
        taken.take = known.0;
    }
    let ended = end(&[&taken], taken.take.clone(), None, ending)?;
    if !args.dry_run {
        let report = names.report.as_ref().map(|_| page(&names.motion, &ended)).transpose()?;
        ended.write(&names, outputs, report, None)?;
    }
    let limits = ending.limits.or(taken.looked.settings.limits);
    if ending.writes.json {
        print(&json(&done(args, &names, &taken, &ended, &limits))?)?;
    } else {
        warnings(&taken.looked).iter().for_each(|warning| warn(&plain(warning)));
        if args.dry_run {
            print(dry(&taken.looked, &ended).as_bytes())?;
        } else {
            names.say(&text(&taken.looked, &names, &ended))?;
        }
    }
    limits.check(&ended.figures)
}

/// Held across a seam that is none, feet would be pulled to where nobody stands.
fn no_loop(name: &str, missed: f64) -> Problem {
    let (name, centimetres) = (plain(name), missed * 100.0);
    Problem::new(format!("{name} is no loop: its end misses its start by {centimetres:.1} cm")).help(
        "`surefoot loop` finds its best cycle, closes that and cleans it; without --loop it is cleaned from end to end",
    )
}

/// The report of a cleaned motion that is called `name`.
pub fn page(name: &Path, ended: &Ended) -> Result<String, Problem> {
    ended
        .page(name, |page| report(&page))
        .map_err(|error| Problem::new(format!("cannot make the report: {error}")))
}

fn done<'a>(args: &Clean, names: &'a Names, taken: &'a Taken, ended: &'a Ended, limits: &Limits) -> Done<'a> {
    let written = |name: Option<&'a PathBuf>| name.map(PathBuf::as_path).filter(|_| !args.dry_run);
    Done {
        motion: &taken.looked.name,
        method: ended.cleaned.as_ref().map(|(method, _)| words::of_method(*method)),
        output: written(Some(&names.motion)),
        plants_file: written(names.plants.as_ref()),
        report: written(names.report.as_ref()),
        plants_found: taken.known.found,
        notes: &ended.notes,
        warnings: warnings(&taken.looked),
        limits_missed: limits.missed(&ended.figures),
        budget: args.dry_run.then(|| budget(ended)),
        figures: &ended.figures,
    }
}

/// What each plant takes.
fn budget(ended: &Ended) -> Vec<Budget<'_>> {
    let cleaned = ended.cleaned.as_ref();
    cleaned.map_or_else(Vec::new, |(_, cleaned)| budget::of(&cleaned.report, &cleaned.take.legs))
}

/// What was achieved, and what it cost.
pub fn sentences(figures: &Figures) -> String {
    let price = price(figures).map_or_else(String::new, |price| wrapped(&price, 0, ""));
    format!("{}\n{price}", headline(figures))
}

fn text(looked: &Looked, names: &Names, ended: &Ended) -> String {
    let what = if ended.cleaned.is_some() { "the clean motion" } else { "the motion" };
    format!(
        "{}\n{}\n{}{}\n{}",
        plain(&looked.name),
        sentences(&ended.figures),
        ended.figures.table(),
        bullets("Notes", &ended.notes),
        names.listed(what)
    )
}

fn dry(looked: &Looked, ended: &Ended) -> String {
    format!(
        "{}: what cleaning it would take; nothing is written\n{}\n{}{}",
        plain(&looked.name),
        sentences(&ended.figures),
        budget::table(&budget(ended)),
        bullets("Notes", &ended.notes)
    )
}
