//! `follow`: moves a motion to another path.

use std::borrow::Cow;
use std::path::{Path as FilePath, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::FloorSource;
use surefoot_core::math::PI;
use surefoot_edit::follow::{
    self, FollowResult, Path, PathError, Place, Preserve, align_start, bend_path, fit, scale_path,
};
use surefoot_formats::Space;
use surefoot_formats::path as files;

use crate::edit_input::{InPlaceMotion, load_one};
use crate::edit_output::{Description, EditOptions, finish_edit, write_and_print};
use crate::input::{self, Input};
use crate::problem::{CommandError, Problem};
use crate::source::MotionInput;
use crate::text::{printable, short};
use surefoot::parse;

/// Move a motion to another path, with planted feet held
///
/// A smooth path is fitted to the root motion over the ground. Every frame is moved and turned from
/// that path to the new one. The sway of the body and all details are kept, the plants are moved
/// with the motion, and the feet are held as by `clean`. On its own path a motion does not change.
///
/// Points are in metres along the two ground axes of the file: x and z if y is up.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot follow walk.bvh --turn 90deg
  surefoot follow walk.bvh --turn=-180deg --report walk.report.html
  surefoot follow walk.bvh --through 1,2 0,4
  surefoot follow walk.bvh --path-out own.json --no-clean -o same.bvh
  surefoot follow walk.bvh --path curve.svg --path-unit cm --from-start --keep speed")]
pub struct Follow {
    #[command(flatten)]
    input: MotionInput,

    /// The new path: a JSON file with points, an SVG file, or SVG path data such as "M 0,0 L 0,4"
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with_all = ["turn", "through"])]
    path: Option<PathBuf>,

    /// Bend the path of the motion evenly, so that its end turns by this angle to the left, as 90deg,
    /// or to the right, as -90deg
    #[arg(long, value_name = "ANGLE", value_parser = angle, allow_hyphen_values = true)]
    turn: Option<f64>,

    /// Scale the path by this factor, as 1.2
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    scale: Option<f64>,

    /// Points that the path goes through, after the start of the motion, as 1,2 0,4
    #[arg(long, value_name = "X,Z", num_args = 1.., value_parser = parse::path_point, allow_hyphen_values = true, conflicts_with = "turn")]
    through: Option<Vec<(f64, f64)>>,

    /// Unit of --path, as cm [default: m]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit, requires = "path")]
    path_unit: Option<f64>,

    /// Move and turn --path so that it starts at the position and direction of the motion
    /// [default: as drawn]
    #[arg(long, requires = "path")]
    from_start: bool,

    /// What stays the same on a shorter or longer path: stride keeps the step length and covers as much
    /// of the path as the steps reach, speed changes the number of frames, time changes the step length
    #[arg(long, value_name = "stride|speed|time", default_value = "time", value_parser = keep())]
    keep: Preserve,

    /// Also write the path of the motion as JSON, for editing; - is stdout [default: not written]
    #[arg(long, value_name = "PATH.json", value_hint = ValueHint::FilePath)]
    path_out: Option<PathBuf>,

    #[command(flatten)]
    options: EditOptions,
}

fn keep() -> impl TypedValueParser<Value = Preserve> {
    PossibleValuesParser::new(["stride", "speed", "time"]).map(|word| match word.as_str() {
        "stride" => Preserve::Stride,
        "speed" => Preserve::Speed,
        _ => Preserve::Time,
    })
}

/// An angle in radians: `90deg`, `90°`, `90`, `1.57rad`.
fn angle(word: &str) -> Result<f64, String> {
    let word = word.trim();
    let (number, unit) = match word.strip_suffix("rad") {
        Some(number) => (number, 1.0),
        None => (word.trim_end_matches("deg").trim_end_matches('°'), PI / 180.0),
    };
    let number: Option<f64> = number.trim().parse().ok().filter(|number: &f64| number.is_finite());
    // More than ten turns is a mistake.
    let angle = number.map(|number| number * unit).filter(|angle| angle.abs() <= 20.0 * PI);
    angle.ok_or_else(|| "expected an angle of at most ten turns, as 90deg or 1.57rad".into())
}

fn factor(word: &str) -> Result<f64, String> {
    let number: Option<f64> = word.trim().parse().ok();
    number
        .filter(|x| *x > 0.0 && *x <= 1000.0)
        .ok_or_else(|| "expected a number above 0 and up to 1000, as 1.2".into())
}

/// The description of the edit in JSON.
#[derive(Serialize)]
struct Details {
    path_before_m: f64,
    path_m: f64,
    gone_m: f64,
    stride: f64,
    #[serde(serialize_with = "crate::output::optional_path_text")]
    path_file: Option<PathBuf>,
}

pub fn run(args: &Follow) -> Result<(), CommandError> {
    let options = &args.options;
    let other = args.path_out.as_ref().map(|name| (name, "the path of the motion; this file can be edited"));
    let (names, outputs) = options.claim(&[&args.input.file], "follow", other)?;
    let source = load_one(&args.input, options, InPlaceMotion::AddRootMotion)?;
    let space = source.file.space();
    let walked = fit(source.clip()).map_err(|stands| {
        Problem::new(format!(
            "{} has no path to move: its body stays within {:.2} m of where it begins",
            source.name(),
            stands.farthest
        ))
        .help("a motion that walks, runs or climbs has one")
    })?;
    let path = new_path(args, &space, &walked.path)?;
    let FollowResult { clip: mut edited, lengths, distance: gone, stride_scale: stride } =
        follow::follow(source.clip(), &walked, &path, args.keep);
    if source.file.floor_source == FloorSource::Plants {
        // The plants have moved, so the floor is built again.
        let built = surefoot_core::Floor::from_plants(
            &edited.motion,
            &edited.legs,
            &edited.plants,
            edited.first_frame,
        );
        edited.floor = built.or(edited.floor);
    }
    let own = args.path_out.as_ref().map(|_| {
        let places: Vec<Place> =
            walked.path.points().iter().map(|&place| files::point_to_file(place, &space)).collect();
        files::write(&places)
    });
    let details = Details {
        path_before_m: lengths[0],
        path_m: lengths[1],
        gone_m: gone,
        stride,
        path_file: args.path_out.clone(),
    };
    let finished = finish_edit(&[&source], Cow::Owned(edited), None, options)?;
    let about = about(&details, args.keep);
    let description = Description { command: "follow", about, details, table: None };
    write_and_print(options, (&names, outputs), &[&source], &finished, &description, own)
}

/// The new path according to the flags; without flags, the path of the motion.
fn new_path(args: &Follow, space: &Space, own: &Path) -> Result<Path, Problem> {
    let no_path = |error: PathError| Problem::new(error.to_string());
    let mut path = own.clone();
    if let Some(file) = &args.path {
        let places = places(file)?;
        let unit = args.path_unit.unwrap_or(1.0);
        let place = |place: &Place| files::point_from_file(place.map(|x| x * unit), space);
        path = Path::through(&places.iter().map(place).collect::<Vec<_>>()).map_err(no_path)?;
    }
    if let Some(through) = &args.through {
        let places: Vec<Place> =
            through.iter().map(|&(x, z)| files::point_from_file([x, z], space)).collect();
        path = follow::path_through(own, &places).map_err(no_path)?;
    }
    if let Some(angle) = args.turn {
        path = bend_path(&path, angle).map_err(no_path)?;
    }
    if let Some(scale) = args.scale {
        path = scale_path(&path, scale).map_err(no_path)?;
    }
    if args.from_start {
        path = align_start(&path, own).map_err(no_path)?;
    }
    Ok(path)
}

/// The points of a JSON file, an SVG file or SVG path data.
fn places(file: &FilePath) -> Result<Vec<Place>, Problem> {
    let word = file.to_string_lossy();
    let is_d = word.trim_start().starts_with(['M', 'm'])
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains([' ', ','])
        && !file.exists();
    if is_d {
        return files::read_svg_path_data(&word).map_err(|error| Problem::new(format!("--path: {error}")));
    }
    let Input { name, bytes, .. } = input::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let begins = text.trim_start_matches('\u{feff}').trim_start();
    let read = if begins.starts_with('<') { files::read_svg(&text) } else { files::read(&bytes) };
    read.map_err(|error| {
        let message = error.to_string();
        if message.starts_with("line ") {
            Problem::in_text(&name, &text, &message)
        } else {
            Problem::new(format!("{}: {message}", printable(&name)))
        }
    })
}

fn about(details: &Details, keep: Preserve) -> Vec<String> {
    let Details { path_before_m, path_m, gone_m, stride, .. } = details;
    let mut about = vec![format!(
        "The path was {path_before_m:.2} m long and is {path_m:.2} m now; the body travels {gone_m:.2} m along it."
    )];
    if (stride - 1.0).abs() > 0.005 {
        let more = if *stride > 1.0 { "longer" } else { "shorter" };
        let time = if keep == Preserve::Speed { ", at the same speed" } else { "" };
        about.push(format!("The steps are {more}, {} times the captured length{time}.", short(*stride)));
    }
    if keep == Preserve::Stride && *gone_m > path_m + 0.01 {
        about.push(
            "The steps reach beyond the end of the path; the body continues straight ahead from there."
                .into(),
        );
    }
    about
}
