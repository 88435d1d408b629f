//! `convert`: motion files in other units, axes and formats.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::parse;
use surefoot::stream::{StreamFileError, StreamMotion, file_to_stream, is_stream};
use surefoot::text::printable;
use surefoot::{FloorSource, FrameRateError, MotionFile, resampled, with_frame_rate};
use surefoot_core::{Motion, UpAxis};
use surefoot_edit::resample::resample;
use surefoot_formats::arrays::{npy_from_motion, npz_from_motion};
use surefoot_formats::bvh::from_motion;
use surefoot_formats::source::{Format, Track};
use surefoot_formats::stream::Encoding;
use surefoot_formats::{SourceFile, Space, gltf, usd};

use super::stream::setup_problem;
use crate::args::{ArrayFlags, FileOptions, Force};
use crate::input::{self, Input};
use crate::output::Output;
use crate::problem::{CommandError, Problem, warn};
use crate::source::{
    Parsed, add_plants, check_plants_stdin, load, load_bytes, load_with_legs, parse, warn_of_settings,
};

/// Convert a motion file to another unit, up axis or format
///
/// The ending of OUT chooses the format: .bvh, .glb or .ndjson. A file of the same format is checked and
/// copied byte for byte; only a wrong number of frames in a BVH file is corrected. A new .glb file has
/// joints and one animation; --like writes the motion into a copy of a file with a skin.
/// --to-fps resamples rotations and translations; a T-pose at frame 0 stays frame 0.
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
  surefoot convert take.glb take.bvh
  surefoot convert walk.bvh out.glb --like character.glb
  surefoot convert walk.bvh metres.bvh --to-unit m
  surefoot convert walk.bvh slow.bvh --to-fps 30
  surefoot convert walk.bvh right.bvh --relabel-fps 120
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

    /// Frames per second of OUT: the motion is resampled and keeps its duration [default: as IN]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    to_fps: Option<f64>,

    /// State another frame rate for the same frames, where IN states it wrongly [default: as IN]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    relabel_fps: Option<f64>,

    /// Print every number of the motion again, with six decimals [default: copy the text]
    #[arg(long)]
    fresh: bool,

    /// Write a stream for `surefoot stream`: ndjson or binary
    /// [default: BVH, or ndjson if the name of OUT ends in .ndjson]
    #[arg(long, value_name = "FORM", value_parser = parse::stream_format)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "relabel_fps", "fresh", "like"])]
    to: Option<Encoding>,

    /// With --to: the plants of the motion, JSON or CSV [default: detected]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// Write the motion into a copy of this file, which has the same joints: its layout, skin, unit,
    /// axes and unchanged numbers are kept. For a stream, the file that it was made from
    /// [default: a new file; for a stream in centimetres, Y up]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "relabel_fps", "fresh"])]
    like: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Unit of IN: m, cm, mm, inch, ft, or the length of one unit in metres
    /// [default: inferred from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    #[arg(help_heading = "Facts about IN (override inferred values)")]
    unit: Option<f64>,

    /// Up axis of IN: x, y, z, -x, -y or -z [default: inferred]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    #[arg(help_heading = "Facts about IN (override inferred values)")]
    up: Option<UpAxis>,

    /// Read unit and up axis from a rig file, as written by `inspect --rig-out` [default: inferred]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "Facts about IN (override inferred values)")]
    rig: Option<PathBuf>,

    #[command(flatten, next_help_heading = "Facts about IN (override inferred values)")]
    arrays: ArrayFlags,
}

pub fn run(args: &Convert) -> Result<(), CommandError> {
    let changes_space = args.to_unit.is_some() || args.to_up.is_some();
    let to_frames = args.to.or_else(|| is_ndjson(args).then_some(Encoding::Ndjson));
    if args.plants.is_some() && to_frames.is_none() {
        let alone = "--plants needs --to ndjson or --to binary: a BVH file does not store plants";
        return Err(Problem::new(alone).into());
    }
    check_plants_stdin(&args.from, args.plants.as_deref())?;
    if !changes_space && to_frames.is_none() && args.like.is_none() && !changes_format(args) {
        check_file_options(args)?;
    }
    input::check_exists([args.from.as_path()])?;
    let output = Output::claim(&args.out, args.force.existing())?;
    if let Some(form) = to_frames {
        return output.write(&to_stream(args, form)?);
    }
    let input = input::read(&args.from)?;
    if is_stream(&input.bytes) {
        return output.write(&from_stream(args, &input)?);
    }
    if let Some(like) = &args.like {
        return output.write(&into_copy(args, input, like)?);
    }
    let format = Format::of(&input.bytes);
    let wanted = wanted_format(args).unwrap_or(format);
    if changes_space || wanted != format {
        let source = load_bytes(input, &file_options(args))?;
        warn_of_settings(&source);
        warn_of_notes(&source.file.name, &source.file.source);
        return output.write(&convert_format(args, source.file, wanted)?);
    }
    let Parsed { name, source, .. } = parse(input, &file_options(args))?;
    output.write(&copy(args, &name, &source)?)
}

/// A copy of a file, with another frame rate or with every number printed again where that was requested.
fn copy(args: &Convert, name: &str, source: &SourceFile) -> Result<Vec<u8>, Problem> {
    let Some(bvh) = source.as_bvh() else {
        if args.to_fps.is_some() || args.relabel_fps.is_some() || args.fresh {
            let format = source.format();
            return Err(Problem::new(format!(
                "--to-fps, --relabel-fps and --fresh need a BVH file, but {name} is {format}"
            )));
        }
        return Ok(source.bytes().to_vec());
    };
    warn_of_notes(name, source);
    let problem = |error: FrameRateError| Problem::new(format!("cannot convert {name}: {error}"));
    let mut bvh = Cow::Borrowed(bvh);
    if let Some(fps) = args.relabel_fps {
        bvh = Cow::Owned(with_frame_rate(&bvh, fps).map_err(problem)?);
    }
    if let Some(fps) = args.to_fps {
        bvh = Cow::Owned(resampled(&bvh, fps).map_err(problem)?);
    }
    Ok(if args.fresh { bvh.write_reprinted() } else { bvh.write_copy() })
}

fn warn_of_notes(name: &str, source: &SourceFile) {
    source.notes().iter().for_each(|note| warn(&format!("{}: {note}", printable(name))));
}

/// Whether the endings of IN and OUT stand for different formats.
fn changes_format(args: &Convert) -> bool {
    let format = |path: &Path| Format::of_ending(path.extension()?.to_str()?);
    format(&args.from).is_some_and(|from| wanted_format(args).is_some_and(|wanted| wanted != from))
}

/// The format that the ending of OUT stands for.
fn wanted_format(args: &Convert) -> Option<Format> {
    Format::of_ending(args.out.extension()?.to_str()?)
}

/// The motion of IN in a copy of another file with the same joints, whose skin, layout and other data are kept.
fn into_copy(args: &Convert, input: Input, like: &Path) -> Result<Vec<u8>, Problem> {
    let file = load_bytes(input, &file_options(args))?.file;
    let like = load(like, &FileOptions::default())?.file;
    let frames = StreamMotion::from(file.clip.motion);
    frames.to_copy_of(&like).map_err(|error| match error {
        StreamFileError::OtherJoints(_) => stream_problem(&file.name, error)
            .help("`surefoot retarget` transfers a motion to a file with other joints"),
        error => stream_problem(&file.name, error),
    })
}

/// The motion of a file in another format, unit or up axis.
fn convert_format(args: &Convert, file: MotionFile, wanted: Format) -> Result<Vec<u8>, Problem> {
    let name = printable(&file.name);
    match wanted {
        Format::Bvh => convert_space(args, file),
        _ if args.to_unit.is_some() || args.to_up.is_some() => {
            Err(Problem::new(format!("--to-unit and --to-up need a BVH file as OUT, not {wanted}")))
        }
        Format::Gltf if args.out.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("glb")) => {
            Err(Problem::new("a new glTF file is written as .glb, with its data inside"))
        }
        Format::Gltf => {
            let motion = with_rate(args, file)?;
            gltf::from_motion(&motion)
                .map_err(|error| Problem::new(format!("cannot convert {name}: {error}")))
        }
        Format::Usd if args.out.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("usda")) => {
            Err(Problem::new("a new USD file is written as .usda")
                .help("`usdcat` converts it to .usdc and .usdz"))
        }
        Format::Usd => {
            let motion = with_rate(args, file)?;
            usd::from_motion(&motion).map_err(|error| Problem::new(format!("cannot convert {name}: {error}")))
        }
        Format::Arrays => {
            let motion = with_rate(args, file)?;
            let is_npy = args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"));
            let bytes = if is_npy { npy_from_motion(&motion) } else { npz_from_motion(&motion) };
            bytes.map_err(|error| Problem::new(format!("cannot convert {name}: {error}")))
        }
        Format::C3d => Err(Problem::new("a C3D file holds markers, which a motion of joints does not have")),
        other => Err(Problem::new(format!("a new {other} file cannot be written")).help(format!(
            "--like FILE writes the motion into a copy of a {other} file with the same joints"
        ))),
    }
}

fn is_ndjson(args: &Convert) -> bool {
    args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ndjson"))
}

/// A motion file as a stream, with plants that are detected or read from a file.
fn to_stream(args: &Convert, form: Encoding) -> Result<Vec<u8>, Problem> {
    let mut source = load_with_legs(&args.from, &file_options(args))?;
    warn_of_settings(&source);
    // A floor that no header can state is reported before plants are looked for.
    if source.file.floor_source == FloorSource::Plane {
        add_plants(&mut source.file, args.plants.as_deref())?;
    }
    file_to_stream(&source.file, form).map_err(|error| stream_problem(&source.file.name, error))
}

/// A stream as a BVH file: a new one, or a copy of the file of `--like` with new frames.
fn from_stream(args: &Convert, input: &Input) -> Result<Vec<u8>, Problem> {
    if args.to_fps.is_some() || args.relabel_fps.is_some() || args.fresh {
        let alone = "--to-fps, --relabel-fps and --fresh need a BVH file as input, but this is a stream";
        return Err(Problem::new(alone));
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
    let (rig, arrays) = (args.rig.clone(), args.arrays.clone());
    FileOptions { rig, arrays, unit: args.unit, up: args.up, ..FileOptions::default() }
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
    let name = printable(&file.name);
    let motion = with_rate(args, file)?;
    from_motion(&motion, &after).map_err(|error| Problem::new(format!("cannot convert {name}: {error}")))
}

/// The motion of a file, at another rate where that was requested.
fn with_rate(args: &Convert, file: MotionFile) -> Result<Motion, Problem> {
    let MotionFile { mut clip, name, .. } = file;
    clip.motion.fps = args.relabel_fps.unwrap_or(clip.motion.fps);
    if let Some(fps) = args.to_fps {
        let problem = |error| Problem::new(format!("cannot convert {}: {error}", printable(&name)));
        clip = resample(&clip, fps).map_err(problem)?;
    }
    Ok(clip.motion)
}
