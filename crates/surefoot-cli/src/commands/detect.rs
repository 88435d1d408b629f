//! `detect`: when each heel and ball is planted.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use surefoot::text::printable;
use surefoot::{ContactEvents, plants_bytes, plants_text};
use surefoot_contact::learned;
use surefoot_contact::{Method, Settings, detect};
use surefoot_core::{Clip, Footplants};
use surefoot_edit::glitches::without_glitches;
use surefoot_formats::source::Format;

use crate::args::{FileOptions, Force};
use crate::commands::train::model;
use crate::fitting::read_model;
use crate::input::{self, Input, check_exists, is_dash};
use crate::output::{Output, json, print};
use crate::parameter_flags::DetectionFlags;
use crate::problem::{CommandError, Problem, warn};
use crate::source::{Source, events_problem, load_with_legs};
use crate::stderr::write_stderr;

/// Detect foot contacts: when each heel and ball is planted
///
/// Writes a plants file that can be edited, and prints it: one line for each plant of a heel or
/// ball, with its confidence. These are the plants that `clean` holds if it is given none. The
/// motion is not changed.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot detect walk.bvh
  surefoot detect walk.bvh -o plants.csv
  surefoot detect walk.bvh -o labels.npy
  surefoot detect walk.bvh --json --force
  surefoot detect walk.bvh --uncertain-first
  surefoot detect walk.bvh --events trial.c3d
  surefoot detect walk.bvh --detector svm --model mine.model
  surefoot detect inches.bvh --unit inch --floor 0
  cat walk.bvh | surefoot detect - > walk.plants.json")]
pub struct Detect {
    /// A motion file; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The plants file to write: .json, .csv, .npy for an array of labels, or .glb for a copy of a glTF
    /// motion with the plants in it; - is stdout
    /// [default: walk.plants.json for walk.bvh; stdout for stdin]
    #[arg(short, long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// A model file, as written by `surefoot train` [default: the built-in model]
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// Print the plants of the lowest confidence first, for review [default: by foot and time]
    #[arg(long, alias = "ask")]
    uncertain_first: bool,

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

    /// Another name of --detector
    #[arg(long, value_name = "METHOD", value_parser = methods(), hide = true, conflicts_with = "detector")]
    method: Option<Method>,

    #[command(flatten)]
    detection: DetectionFlags,

    #[command(flatten)]
    file_options: FileOptions,
}

pub fn run(args: &Detect) -> Result<(), CommandError> {
    check_exists([args.file.as_path()])?;
    let name = plants_name(args);
    let output = Output::claim(&name, args.force.existing())?;
    if output.is_stdout() && args.json {
        let both = "--json and the plants cannot both go to stdout";
        return Err(Problem::new(both).help("name the plants file with -o").into());
    }
    let mut source = load_with_legs(&args.file, &args.file_options)?;
    let events = args.events.as_deref().map(|file| events(file, source.clip(), args.events_start));
    let events = events.transpose()?;
    source.file.set_detection(&args.detection.0);
    source.file.detection.detector = args.method.unwrap_or(source.file.detection.detector);
    let settings = source.file.detection_settings();
    let mut plants = detect_with(args, source.clip(), &settings)?;
    if let Some(events) = &events {
        plants = events.correct(&plants, source.clip());
        stderr_line!("{}", printable(&events.summary(source.clip())));
    }
    source.file.set_detected_plants(plants);
    let plants_are_on_stdout = output.is_stdout();
    let format = if args.csv { Path::new("plants.csv") } else { &name };
    output.write(&plants_file_bytes(&source, format)?)?;
    let plants_file = name.display().to_string();
    let mut detected = source.file.detected_plants(&plants_file, settings.detector);
    if args.uncertain_first {
        detected.sort_by_confidence();
    }
    if args.json {
        return print(&json(&detected)?);
    }
    for warning in &detected.warnings {
        warn(&printable(warning));
    }
    if plants_are_on_stdout {
        write_stderr(&detected.table());
        return Ok(());
    }
    print(
        format!("{}\n{}: the plants; this file can be edited\n", detected.table(), printable(&plants_file))
            .as_bytes(),
    )
}

/// The bytes of the plants file. One that is called like a motion file of the same format is a copy of the motion file
/// that holds the plants.
fn plants_file_bytes(source: &Source, name: &Path) -> Result<Vec<u8>, Problem> {
    let ending = name.extension().and_then(|ending| ending.to_str());
    let format = source.file.source.format();
    match ending.and_then(Format::of_ending) {
        None => return Ok(plants_bytes(name, source.clip())),
        Some(Format::Arrays) if ending == Some("npy") => return Ok(plants_bytes(name, source.clip())),
        Some(wanted) if wanted == format => {}
        Some(wanted) => {
            let problem = format!("{} would be a {wanted} file, but the motion is {format}", name.display());
            return Err(Problem::new(problem).help("plants files end in .json, .csv or .npy"));
        }
    }
    let json = plants_text(Path::new("plants.json"), source.clip());
    let written = source.file.source.write_plants(&json);
    written.map_err(|error| Problem::new(format!("cannot write {}: {error}", name.display())))
}

fn events(file: &Path, clip: &Clip, start: Option<f64>) -> Result<ContactEvents, Problem> {
    let Input { name, bytes, .. } = input::read(file)?;
    ContactEvents::read(&name, &bytes, clip, start).map_err(|error| events_problem(&error))
}

/// Detects plants, with the given model if there is one.
fn detect_with(args: &Detect, clip: &Clip, settings: &Settings) -> Result<Footplants, Problem> {
    let Clip { legs, floor, .. } = clip;
    let motion = &without_glitches(clip);
    let Some(file) = &args.model else {
        return Ok(detect(motion, legs, floor.as_ref(), settings));
    };
    let detector = settings.detector;
    if detector == Method::Learned {
        return Ok(learned::detect(&model(file)?, motion, legs, floor.as_ref(), settings));
    }
    if matches!(detector, Method::Threshold | Method::ZeroCrossing) {
        return Err(Problem::new(format!("--detector {} takes no model", detector.as_str()))
            .help("--model is for --detector learned, knn and svm, which are fitted"));
    }
    Ok(read_model(detector, file)?.detect(motion, legs, floor.as_ref(), settings))
}

/// The name of the plants file.
fn plants_name(args: &Detect) -> PathBuf {
    let ending = if args.csv { "plants.csv" } else { "plants.json" };
    match &args.output {
        Some(name) => name.clone(),
        None if is_dash(&args.file) => PathBuf::from("-"),
        None => args.file.with_extension(ending),
    }
}

/// The value parser for detection methods.
pub fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::as_str))
        .try_map(|word| Method::from_name(&word).ok_or("no such method"))
}
