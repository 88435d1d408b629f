//! `convert`: motion files in other units, axes and formats.

use std::borrow::Cow;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::parse;
use surefoot::stream::{StreamFileError, StreamMotion, file_to_stream, is_stream};
use surefoot::{FloorSource, MotionFile, with_frame_rate};
use surefoot_core::UpAxis;
use surefoot_formats::bvh::from_motion;
use surefoot_formats::source::Track;
use surefoot_formats::stream::Encoding;
use surefoot_formats::{SourceFile, Space};

use super::stream::setup_problem;
use crate::args::{FileOptions, Force};
use crate::input::{self, Input};
use crate::output::Output;
use crate::problem::{CommandError, Problem, warn};
use crate::source::{Parsed, add_plants, check_plants_stdin, load, load_bytes, load_with_legs, parse};

/// Convert a motion file to another unit, up axis or format
///
/// BVH to BVH: without flags, the file is checked and copied byte for byte.
///
/// With another unit or up axis, a new file is written: the same joints at the same positions,
/// with six decimals and rotation channels in the order Z, X, Y.
///
/// Stream formats: --to writes the frames that `surefoot stream` reads, with the plants of each
/// frame. A stream as IN becomes a BVH file: a new one, or a copy of the file given by --like with
/// new frames.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot convert walk.bvh copy.bvh
  surefoot convert walk.bvh metres.bvh --to-unit m
  surefoot convert walk.bvh right.bvh --to-fps 120
  surefoot convert walk.bvh blender.bvh --to-unit m --to-up z
  surefoot convert inches.bvh cm.bvh --unit inch --to-unit cm
  cat walk.bvh | surefoot convert - - --fresh > walk.fresh.bvh
  surefoot convert walk.bvh - --to ndjson | surefoot stream |
    surefoot convert - out.bvh --like walk.bvh")]
pub struct Convert {
    /// The file to read; - is stdin
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    from: PathBuf,

    /// The file to write; - is stdout
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    out: PathBuf,

    /// Unit of OUT: m, cm, mm, inch, ft, or the length of one unit in metres [default: as IN]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    to_unit: Option<f64>,

    /// Up axis of OUT: x, y, z, -x, -y or -z [default: as IN]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    to_up: Option<UpAxis>,

    /// Frames per second of OUT; the frames are not resampled [default: as IN]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    to_fps: Option<f64>,

    /// Print every number of the motion again, with six decimals [default: copy the text]
    #[arg(long)]
    fresh: bool,

    /// Write a stream for `surefoot stream`: ndjson or binary
    /// [default: BVH, or ndjson if the name of OUT ends in .ndjson]
    #[arg(long, value_name = "FORM", value_parser = parse::stream_format)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "fresh", "like"])]
    to: Option<Encoding>,

    /// With --to: the plants of the motion, JSON or CSV [default: detected]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// If IN is a stream: the BVH file that it was made from. Its unit, axes and unchanged numbers
    /// are copied [default: a new file in centimetres, Y up]
    #[arg(long, value_name = "FILE.bvh", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "fresh"])]
    like: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Unit of IN: m, cm, mm, inch, ft, or the length of one unit in metres
    /// [default: inferred from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    #[arg(help_heading = "Facts about IN, where they are inferred wrongly")]
    unit: Option<f64>,

    /// Up axis of IN: x, y, z, -x, -y or -z [default: inferred]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    #[arg(help_heading = "Facts about IN, where they are inferred wrongly")]
    up: Option<UpAxis>,

    /// Read unit and up axis from a rig file, as written by `inspect --rig-out` [default: inferred]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Facts about IN, where they are inferred wrongly")]
    rig: Option<PathBuf>,
}

pub fn run(args: &Convert) -> Result<(), CommandError> {
    let changes_space = args.to_unit.is_some() || args.to_up.is_some();
    let to_frames = args.to.or_else(|| is_ndjson(args).then_some(Encoding::Ndjson));
    if args.plants.is_some() && to_frames.is_none() {
        let alone = "--plants needs --to ndjson or --to binary: a BVH file does not store plants";
        return Err(Problem::new(alone).into());
    }
    check_plants_stdin(&args.from, args.plants.as_deref())?;
    if !changes_space && to_frames.is_none() && args.like.is_none() {
        check_file_options(args)?;
    }
    input::check_exists([args.from.as_path()])?;
    let output = Output::claim(&args.out, args.force.existing())?;
    if let Some(form) = to_frames {
        return output.write(&to_stream(args, form)?);
    }
    let input = input::read(&args.from)?;
    if is_stream(&input.bytes) {
        return output.write(&of_stream(args, &input)?);
    }
    if args.like.is_some() {
        let alone = format!("--like needs a stream as input, but {} is not one", input.name);
        return Err(Problem::new(alone).into());
    }
    if changes_space {
        let source = load_bytes(input, &file_options(args))?;
        return output.write(&convert_space(args, source.file)?);
    }
    let Parsed { name, source, .. } = parse(input, None)?;
    output.write(&copy(args, &name, &source)?)
}

/// A copy of a file, with another frame rate or with every number printed again where that was requested.
fn copy(args: &Convert, name: &str, source: &SourceFile) -> Result<Vec<u8>, Problem> {
    let Some(bvh) = source.as_bvh() else {
        if args.to_fps.is_some() || args.fresh {
            let format = source.format();
            return Err(Problem::new(format!(
                "--to-fps and --fresh need a BVH file, but {name} is {format}"
            )));
        }
        return Ok(source.bytes().to_vec());
    };
    let bvh = match args.to_fps {
        Some(fps) => Cow::Owned(
            with_frame_rate(bvh, fps)
                .map_err(|error| Problem::new(format!("cannot convert {name}: {error}")))?,
        ),
        None => Cow::Borrowed(bvh),
    };
    Ok(if args.fresh { bvh.write_reprinted() } else { bvh.text().to_vec() })
}

fn is_ndjson(args: &Convert) -> bool {
    args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ndjson"))
}

/// A motion file as a stream, with plants that are detected or read from a file.
fn to_stream(args: &Convert, form: Encoding) -> Result<Vec<u8>, Problem> {
    let mut source = load_with_legs(&args.from, &file_options(args))?;
    // A floor that no header can state is reported before plants are looked for.
    if source.file.floor_source == FloorSource::Plane {
        add_plants(&mut source.file, args.plants.as_deref())?;
    }
    file_to_stream(&source.file, form).map_err(|error| stream_problem(&source.file.name, error))
}

/// A stream as a BVH file: a new one, or a copy of the file of `--like` with new frames.
fn of_stream(args: &Convert, input: &Input) -> Result<Vec<u8>, Problem> {
    if args.to_fps.is_some() || args.fresh {
        return Err(Problem::new("--to-fps and --fresh need a BVH file as input, but this is a stream"));
    }
    let problem = |error| stream_problem(&input.name, error);
    let stream = StreamMotion::read(&input.bytes).map_err(problem)?;
    if let Some(like) = &args.like {
        return stream.to_copy_of(&load(like, &file_options(args))?.file).map_err(problem);
    }
    let up = args.to_up.unwrap_or(Space::METRES_Y_UP.up);
    // Six decimals of a centimetre are finer than any capture.
    stream.to_bvh(&Space { unit_m: args.to_unit.unwrap_or(0.01), up }).map_err(problem)
}

fn stream_problem(name: &str, error: StreamFileError) -> Problem {
    match error {
        StreamFileError::Floor => Problem::new(error.to_string()).help(
            "leave the floor out here, and pass it to the cleaner: surefoot stream --skeleton walk.bvh --floor FILE",
        ),
        StreamFileError::Setup(error) => setup_problem(error),
        StreamFileError::NoEnd(_) => Problem::new(format!("{name}: {error}"))
            .help("a complete stream ends with {\"end\": {\"frames\": N}}"),
        StreamFileError::Read(_) | StreamFileError::Missing(_) => Problem::new(format!("{name}: {error}")),
        error => Problem::new(format!("cannot convert {name}: {error}")),
    }
}

fn file_options(args: &Convert) -> FileOptions {
    FileOptions { rig: args.rig.clone(), unit: args.unit, up: args.up, ..FileOptions::default() }
}

/// Returns an error for facts about IN that this copy does not use.
fn check_file_options(args: &Convert) -> Result<(), Problem> {
    let flags = [
        (args.unit.is_some(), "--unit", "--to-unit"),
        (args.up.is_some(), "--up", "--to-up"),
        (args.rig.is_some(), "--rig", "--to-unit or --to-up"),
    ];
    match flags.into_iter().find(|(is_given, ..)| *is_given) {
        None => Ok(()),
        Some((_, flag, to)) => {
            Err(Problem::new(format!("{flag} describes IN, but a plain copy does not use it"))
                .help(format!("{to} sets the unit or axis of OUT")))
        }
    }
}

fn convert_space(args: &Convert, file: MotionFile) -> Result<Vec<u8>, Problem> {
    let before = file.space();
    let after = Space { unit_m: args.to_unit.unwrap_or(before.unit_m), up: args.to_up.unwrap_or(before.up) };
    if file.source.tracks().iter().flatten().any(|track| matches!(track, Track::Other | Track::Scale)) {
        warn("channels that are neither positions nor rotations, such as scales, are left out");
    }
    let mut motion = file.clip.motion;
    motion.fps = args.to_fps.unwrap_or(motion.fps);
    from_motion(&motion, &after)
        .map_err(|error| Problem::new(format!("cannot convert {}: {error}", file.name)))
}
