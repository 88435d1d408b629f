//! `measure`: every figure of a file as it is written.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_measure::{Figures, headline, measure};

use crate::args::FileOptions;
use crate::before_after::{BeforeAfter, load_before_after};
use crate::limits::Limits;
use crate::output::{json, print};
use crate::problem::{CommandError, Problem, warn};
use crate::source::are_plants_detected;
use crate::text::{bullets, printable};

/// Measure how far planted feet slide, and all that a cleanup may change
///
/// Of the file as it is written: drift, slide, depth below the floor, stretch, and how smooth the
/// knees and the body are. With --before, of both files, and what changed between them.
///
/// Heel and ball are points that surefoot finds out. To measure a file that was cleaned, give the
/// one before it too, or a rig file: then they are the points that were held.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot measure walk.bvh
  surefoot measure walk.clean.bvh --before walk.bvh --plants walk.plants.json
  surefoot measure walk.clean.bvh --before walk.bvh --json
  surefoot measure walk.clean.bvh --before walk.bvh --max-drift 0.01mm")]
pub struct Measure {
    /// A BVH file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The file it was made from; legs, floor and plants are found in it [default: none]
    #[arg(long, value_name = "FILE0", value_hint = ValueHint::FilePath)]
    before: Option<PathBuf>,

    /// When each heel and ball is down: a plants file, JSON or CSV; - is stdin
    /// [default: surefoot finds out, as `detect` does]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// Print the figures as one JSON value, in metres, seconds and radians [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    file_options: FileOptions,
}

/// What `measure --json` prints, before the figures.
#[derive(Serialize)]
struct MeasureJson<'a> {
    motion: &'a str,
    before: Option<String>,
    /// Whether surefoot found the plants itself.
    plants_found: bool,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    #[serde(flatten)]
    figures: &'a Figures,
}

pub fn run(args: &Measure) -> Result<(), CommandError> {
    let loaded =
        load_before_after(&args.file, args.before.as_deref(), args.plants.as_deref(), &args.file_options)?;
    let BeforeAfter { name, clip, before, source } = loaded;
    let figures = measure(&clip, before.as_ref())
        .map_err(|error| Problem::new(format!("cannot measure {}: {error}", printable(&name))))?;
    let notes = source.file.clip_notes();
    let limits = args.limits.or(source.settings.limits);
    let warnings = source.file.warnings();
    if args.json {
        let measured = MeasureJson {
            motion: &name,
            before: args.before.as_ref().map(|name| name.display().to_string()),
            plants_found: are_plants_detected(&source.file),
            notes: &notes,
            warnings,
            limits_missed: limits.missed(&figures),
            figures: &figures,
        };
        print(&json(&measured)?)?;
    } else {
        warnings.iter().for_each(|warning| warn(&printable(warning)));
        print(text(&name, &figures, &notes).as_bytes())?;
    }
    limits.check(&figures)
}

fn text(name: &str, figures: &Figures, notes: &[String]) -> String {
    format!("{}\n{}\n\n{}{}", printable(name), headline(figures), figures.table(), bullets("Notes", notes))
}
