//! `measure`: every figure of a file as it is written.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_contact::over_ground;
use surefoot_measure::{Figures, headline};

use crate::args::Told;
use crate::cleaning::{figures, scene_notes, seen_from_ground};
use crate::found::warnings;
use crate::limits::Limits;
use crate::output::{json, print};
use crate::pair::{Pair, pair};
use crate::plants;
use crate::problem::{Problem, Stop, warn};
use crate::tell::{bullets, plain};

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
    told: Told,
}

/// What `measure --json` prints, before the figures.
#[derive(Serialize)]
struct Measured<'a> {
    motion: &'a str,
    before: Option<&'a Path>,
    /// Whether surefoot found the plants itself.
    plants_found: bool,
    notes: &'a [String],
    warnings: Vec<String>,
    limits_missed: Vec<String>,
    #[serde(flatten)]
    figures: &'a Figures,
}

pub fn run(args: &Measure) -> Result<(), Stop> {
    plants::check_stdin(&args.file, args.plants.as_deref())?;
    let Pair { name, after, looked, scene } = pair(&args.file, args.before.as_deref(), &args.told)?;
    let known = plants::known(args.plants.as_deref(), &scene)?;
    let after = after.map(|after| known.ground.map_or(after.clone(), |ground| over_ground(&after, ground)));
    let mut scene = seen_from_ground(scene, known.ground);
    scene.settle(&known.plants);
    let before = args.before.as_ref().map(|_| &scene.motion);
    let figures = figures(after.as_ref().unwrap_or(&scene.motion), before, &scene, &known.plants)
        .map_err(|why| Problem::new(format!("cannot measure {}: {why}", plain(&name))))?;
    let mut notes = scene_notes(&scene, &known);
    notes.extend(known.notes);
    let limits = args.limits.or(looked.settings.limits);
    let warnings = warnings(&looked);
    if args.json {
        let measured = Measured {
            motion: &name,
            before: args.before.as_deref(),
            plants_found: known.found,
            notes: &notes,
            warnings,
            limits_missed: limits.missed(&figures),
            figures: &figures,
        };
        print(&json(&measured)?)?;
    } else {
        warnings.iter().for_each(|warning| warn(&plain(warning)));
        print(text(&name, &figures, &notes).as_bytes())?;
    }
    limits.check(&figures)
}

fn text(name: &str, figures: &Figures, notes: &[String]) -> String {
    format!("{}\n{}\n\n{}{}", plain(name), headline(figures), figures.table(), bullets("Notes", notes))
}
