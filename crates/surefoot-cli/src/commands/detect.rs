//! `detect`: when each heel and ball is planted.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::{ContactEvents, changing_ground, plants_text};
use surefoot_contact::learned;
use surefoot_contact::{Edges, Method, Settings, detect, ground_speed_change};
use surefoot_core::{Clip, Footplants, Leg, Plant, Vec3};

use crate::args::{FileOptions, Force};
use crate::commands::train::model;
use crate::fitting::read_model;
use crate::input::{self, Input, check_exists, is_dash};
use crate::output::{Existing, Output, beside, json, print};
use crate::problem::{CommandError, Problem, warn};
use crate::source::{events_problem, load_with_legs};
use crate::text::printable;
use surefoot::parse;

/// Detect foot contacts: when each heel and ball is planted
///
/// Writes a plants file that can be edited, and prints it: one line for each plant of a heel or
/// ball, with its confidence. The motion is not changed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot detect walk.bvh
  surefoot detect walk.bvh -o plants.csv
  surefoot detect walk.bvh --json --force
  surefoot detect walk.bvh --ask
  surefoot detect walk.bvh --events trial.c3d
  surefoot detect walk.bvh --method svm --model mine.model
  surefoot detect inches.bvh --unit inch --floor 0
  cat walk.bvh | surefoot detect - > walk.plants.json")]
pub struct Detect {
    /// A BVH file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The plants file to write; - is stdout
    /// [default: walk.plants.json for walk.bvh; stdout for stdin]
    #[arg(short, long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// The detection method
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().as_str())]
    method: Method,

    /// A model file, as written by `surefoot train` [default: the built-in model]
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// touch: from heel strike to toe off, while any part of the foot touches the floor; rest: only
    /// while the point itself rests, which is what `clean` holds if no plants are given
    #[arg(long, value_name = "touch|rest", value_parser = parse::edges, default_value = "touch")]
    edges: Edges,

    /// Print the plants of the lowest confidence first, for review [default: by foot and time]
    #[arg(long)]
    ask: bool,

    /// A C3D file of the same trial: its foot strike and foot off events decide where they exist; the
    /// rest is detected [default: none]
    #[arg(long, value_name = "TRIAL.c3d", value_hint = ValueHint::FilePath)]
    events: Option<PathBuf>,

    /// Start of the motion in the time of the C3D file, in seconds
    /// [default: both start together and have the same length]
    #[arg(long, value_name = "SECONDS", requires = "events", allow_hyphen_values = true)]
    events_start: Option<f64>,

    /// Write CSV: one row per frame, one column per heel and ball
    /// [default: JSON, unless PLANTS ends in .csv]
    #[arg(long)]
    csv: bool,

    /// Print the result as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    file_options: FileOptions,
}

/// The value that `detect --json` prints.
#[derive(Serialize)]
struct DetectJson<'a> {
    motion: &'a str,
    plants_file: String,
    method: &'static str,
    frames: usize,
    fps: f64,
    /// The velocity of the ground in metres per second, Y up; `null` if it is at rest.
    ground_m_per_s: Option<[f64; 3]>,
    /// The speeds at the first and last plant, if the ground speeds up or slows down evenly; else `null`.
    ground_changes_m_per_s: Option<[f64; 2]>,
    plants: Vec<PlantJson<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PlantJson<'a> {
    foot: &'a str,
    point: &'static str,
    first: usize,
    last: usize,
    seconds: f64,
    confidence: Option<f64>,
}

pub fn run(args: &Detect) -> Result<(), CommandError> {
    check_exists([args.file.as_path()])?;
    let name = plants_name(args);
    let output = Output::claim(&name, Existing::from_force(args.force.force))?;
    if output.is_stdout() && args.json {
        let both = "--json and the plants cannot both go to stdout";
        return Err(Problem::new(both).help("name the plants file with -o").into());
    }
    let mut source = load_with_legs(&args.file, &args.file_options)?;
    let events = args.events.as_deref().map(|file| events(file, source.clip(), args.events_start));
    let events = events.transpose()?;
    let first_frame = source.clip().first_frame;
    let settings = Settings { method: args.method, first_frame, edges: args.edges, ..Settings::default() };
    let mut plants = detect_with(args, source.clip(), &settings)?;
    if let Some(events) = &events {
        plants = events.correct(&plants, source.clip());
        eprintln!("{}", printable(&events.summary(source.clip())));
    }
    source.file.set_detected_plants(plants);
    let Clip { motion, legs, floor, plants, ground_velocity, .. } = source.clip();
    let changes = ground_velocity
        .and_then(|velocity| ground_speed_change(motion, legs, floor.as_ref(), plants, velocity));
    let plants_are_on_stdout = output.is_stdout();
    let format = if args.csv { Path::new("plants.csv") } else { &name };
    output.write(plants_text(format, source.clip()).as_bytes())?;
    let mut shown: Vec<&Plant> = plants.plants.iter().collect();
    if args.ask {
        let sure = |plant: &Plant| plant.confidence.unwrap_or(1.0);
        shown.sort_by(|a, b| sure(a).total_cmp(&sure(b)));
    }
    let found = DetectJson {
        motion: &source.file.name,
        plants_file: name.display().to_string(),
        method: args.method.as_str(),
        frames: motion.frames(),
        fps: motion.fps,
        ground_m_per_s: ground_velocity.map(|velocity| velocity.to_array()),
        ground_changes_m_per_s: changes,
        plants: shown.iter().map(|plant| plant_json(plant, legs, motion.fps)).collect(),
        warnings: source.file.warnings(),
    };
    if args.json {
        return print(&json(&found)?);
    }
    for warning in &found.warnings {
        warn(&printable(warning));
    }
    if plants_are_on_stdout {
        eprint!("{}", text(&found));
        return Ok(());
    }
    print(
        format!(
            "{}\n{}: the plants; this file can be edited\n",
            text(&found),
            printable(&name.display().to_string())
        )
        .as_bytes(),
    )
}

fn events(file: &Path, clip: &Clip, start: Option<f64>) -> Result<ContactEvents, Problem> {
    let Input { name, bytes, .. } = input::read(file)?;
    ContactEvents::read(&name, &bytes, clip, start).map_err(|error| events_problem(&error))
}

/// Detects plants, with the given model if there is one.
fn detect_with(args: &Detect, clip: &Clip, settings: &Settings) -> Result<Footplants, Problem> {
    let Clip { motion, legs, floor, .. } = clip;
    let Some(file) = &args.model else {
        return Ok(detect(motion, legs, floor.as_ref(), settings));
    };
    if args.method == Method::Learned {
        return Ok(learned::detect(&model(file)?, motion, legs, floor.as_ref(), settings));
    }
    if matches!(args.method, Method::Threshold | Method::ZeroCrossing) {
        let method = args.method.as_str();
        return Err(Problem::new(format!("--method {method} takes no model"))
            .help("--model is for --method learned, knn and svm, which are fitted"));
    }
    Ok(read_model(args.method, file)?.detect(motion, legs, floor.as_ref(), settings))
}

/// The name of the plants file.
fn plants_name(args: &Detect) -> PathBuf {
    let ending = if args.csv { "plants.csv" } else { "plants.json" };
    match &args.output {
        Some(name) => name.clone(),
        None if is_dash(&args.file) => PathBuf::from("-"),
        None => beside(&args.file, ending),
    }
}

fn plant_json<'a>(plant: &Plant, legs: &'a [Leg], fps: f64) -> PlantJson<'a> {
    PlantJson {
        foot: &legs[plant.leg].side,
        point: plant.point.as_str(),
        first: plant.frames.start,
        last: plant.frames.end - 1,
        seconds: plant.frames.len() as f64 / fps,
        confidence: plant.confidence,
    }
}

fn text(found: &DetectJson) -> String {
    if found.plants.is_empty() {
        return format!("{}: no foot contact was detected\n", printable(found.motion));
    }
    let foot = found.plants.iter().map(|plant| plant.foot.chars().count()).max().unwrap_or(0).max(4) + 3;
    let mut text = format!(
        "{}\n  {:foot$}{:8}{:>7}{:>7}{:>10}{:>12}\n",
        printable(found.motion),
        "foot",
        "point",
        "first",
        "last",
        "length",
        "confidence"
    );
    for PlantJson { foot: side, point, first, last, seconds, confidence } in &found.plants {
        let sure = confidence.map_or(String::new(), |sure| format!("{:.0} %", 100.0 * sure));
        let side = printable(side);
        text += &format!("  {side:foot$}{point:8}{first:>7}{last:>7}{seconds:>8.2} s{sure:>12}\n");
    }
    if let Some(velocity) = found.ground_m_per_s {
        let speed = Vec3::from_array(velocity).length();
        text += &format!("  the ground moves at {speed:.2} m/s, as on a treadmill\n");
        if let Some(speeds) = found.ground_changes_m_per_s {
            text += &format!("  {}\n", changing_ground(speeds, Vec3::from_array(velocity)));
        }
    }
    text
}

/// The value parser for detection methods.
pub fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::as_str))
        .try_map(|word| Method::from_name(&word).ok_or("no such method"))
}
