//! `follow`: moves a motion to another path.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{
    EditDescription, FollowDetails, PathChange, RootMotion, follow_path, path_text, read_path, walked_path,
};
use surefoot::parse;
use surefoot::text::printable;
use surefoot_core::math::PI;
use surefoot_edit::follow::{GroundPosition, PathError, Preserve};
use surefoot_formats::path::read_svg_path_data;

use crate::edit_input::{Purpose, load_motion};
use crate::edit_output::{EditOptions, finish, write_and_print};
use crate::input::{self, Input};
use crate::output::shown;
use crate::problem::{CommandError, Problem};
use crate::source::{MotionInput, Source};

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
  surefoot follow walk.bvh --through \"1,2 0,4\" -o curve.bvh
  surefoot follow walk.bvh --path-out own.json --no-clean -o same.bvh
  surefoot follow walk.bvh --path curve.svg --path-unit cm --from-start --keep speed")]
pub struct Follow {
    #[command(flatten)]
    input: MotionInput,

    /// The new path: a JSON file with points, an SVG file, or SVG path data such as "M 0,0 L 0,4"
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, conflicts_with_all = ["turn", "through"])]
    path: Option<PathBuf>,

    /// Bend the path of the motion evenly, so that its end turns by this angle to the left, e.g. 90deg,
    /// or to the right, e.g. -90deg
    #[arg(long, value_name = "ANGLE", value_parser = angle, allow_hyphen_values = true)]
    turn: Option<f64>,

    /// Scale the path by this factor, e.g. 1.2
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    scale: Option<f64>,

    /// Points that the path goes through, after the start of the motion, separated by spaces, e.g. "1,2 0,4"
    #[arg(long, value_name = "POINTS", value_parser = through_points, allow_hyphen_values = true, conflicts_with = "turn")]
    through: Option<ThroughPoints>,

    /// Unit of --path, e.g. cm [default: m]
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
    angle.ok_or_else(|| "expected an angle of at most ten turns, e.g. 90deg or 1.57rad".into())
}

fn factor(word: &str) -> Result<f64, String> {
    let number: Option<f64> = word.trim().parse().ok();
    number
        .filter(|x| *x > 0.0 && *x <= 1000.0)
        .ok_or_else(|| "expected a number above 0 and up to 1000, e.g. 1.2".into())
}

/// The points of `--through`, in metres along the two ground axes.
#[derive(Clone, Debug)]
struct ThroughPoints(Vec<[f64; 2]>);

fn through_points(text: &str) -> Result<ThroughPoints, String> {
    parse::path_points(text).map(|points| ThroughPoints(points.into_iter().map(|(x, z)| [x, z]).collect()))
}

/// The description of the edit in JSON.
#[derive(Serialize)]
struct Details<'a> {
    #[serde(flatten)]
    details: &'a FollowDetails,
    path_file: Option<String>,
}

pub fn run(args: &Follow) -> Result<(), CommandError> {
    let options = &args.options;
    let other = args.path_out.as_ref().map(|name| (name, "the path of the motion; this file can be edited"));
    let outputs = options.check_outputs(&[&args.input.file], "follow", other)?;
    let source = load_motion(&args.input, options, Purpose::Edit(RootMotion::AddWhereInPlace))?;
    let walked = walked_path(&source.file).map_err(|no_path| {
        Problem::new(format!(
            "{} has no path to move: its body stays within {:.2} m of where it begins",
            source.name(),
            no_path.farthest
        ))
        .help("a motion that walks, runs or climbs has one")
    })?;
    let mut followed = follow_path(&source.file, &walked, &path_change(args)?, args.keep)
        .map_err(|error| path_problem(&source, args, &error))?;
    let path_file = args.path_out.as_ref().map(|_| path_text(&source.file, &walked.path));
    let clip = std::mem::take(&mut followed.clip);
    let result = finish(&[&source], Cow::Owned(clip), None, options)?;
    let details = Details { details: &followed.details, path_file: args.path_out.as_deref().map(shown) };
    let description = EditDescription { command: "follow", about: followed.about(), details, table: None };
    write_and_print(options, outputs, &[&source], &result, &description, path_file)
}

/// The problem of a path that does not fit the motion, with a suggestion.
fn path_problem(source: &Source, args: &Follow, error: &PathError) -> Problem {
    let problem = Problem::new(format!("cannot move {} to this path: {error}", source.name()));
    match error {
        PathError::Length { .. } | PathError::TooManyFrames { .. } if args.path.is_some() => problem
            .help("--path-unit sets the unit of a path in centimetres or pixels, as --path-unit cm or 0.01"),
        PathError::Length { .. } => problem
            .help("--keep speed changes the duration, --keep stride the part of the path that is walked"),
        _ => problem,
    }
}

/// The change of the path that the flags state.
fn path_change(args: &Follow) -> Result<PathChange, Problem> {
    let unit = args.path_unit.unwrap_or(1.0);
    let path = args.path.as_deref().map(read_points).transpose()?;
    Ok(PathChange {
        path: path.map(|points| points.into_iter().map(|point| point.map(|x| x * unit)).collect()),
        through: args.through.as_ref().map(|points| points.0.clone()),
        turn: args.turn,
        scale: args.scale,
        from_start: args.from_start,
    })
}

/// The points of a JSON file, an SVG file or SVG path data.
fn read_points(file: &Path) -> Result<Vec<GroundPosition>, Problem> {
    let word = file.to_string_lossy();
    let is_d = word.trim_start().starts_with(['M', 'm'])
        && word.contains(|c: char| c.is_ascii_digit())
        && word.contains([' ', ','])
        && !file.exists();
    if is_d {
        return read_svg_path_data(&word).map_err(|error| Problem::new(format!("--path: {error}")));
    }
    let Input { name, bytes, .. } = input::read(file)?;
    read_path(&bytes).map_err(|message| match message.starts_with("line ") {
        true => Problem::in_text(&name, &String::from_utf8_lossy(&bytes), &message),
        false => Problem::new(format!("{}: {message}", printable(&name))),
    })
}
