//! `convert`: one motion file into another.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::MotionFile;
use surefoot_core::UpAxis;
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, ChannelKind, from_motion};
use surefoot_formats::stream::Encoding;

use crate::args::{FileOptions, Force};
use crate::input::{self, Input};
use crate::output::{Existing, Output};
use crate::parse;
use crate::problem::{CommandError, Problem, warn};
use crate::source::{Parsed, check_plants_stdin, load_bytes, load_with_legs, parse};
use crate::stream_file::{from_stream, is_stream, to_stream};

/// Copy a motion file, or put it into another unit or up axis
///
/// BVH to BVH: without a flag the copy is the same to the byte, once it has been read and found
/// good.
///
/// In another unit or up axis it is a new file: the same joints in the same places, positions to
/// a millionth of the unit and angles to a millionth of a degree, with rotation channels in the
/// order Z, X, Y.
///
/// To and from the frames that `surefoot stream` cleans: --to writes them, with who is held at
/// each; an IN that holds them becomes a BVH file, a new one or one --like another.
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

    /// The unit OUT is to have: m, cm, mm, inch, ft, or one unit in metres [default: as IN]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    to_unit: Option<f64>,

    /// The axis that is to point up in OUT: x, y, z, -x, -y or -z [default: as in IN]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    to_up: Option<UpAxis>,

    /// The frames per second OUT is to state; the frames stay as they are [default: as IN]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    to_fps: Option<f64>,

    /// Print every number of the motion anew, with six decimals [default: keep the digits]
    #[arg(long)]
    fresh: bool,

    /// Write frames for `surefoot stream`: ndjson or binary
    /// [default: BVH; ndjson where OUT's name ends in .ndjson]
    #[arg(long, value_name = "FORM", value_parser = parse::form)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "fresh", "like"])]
    to: Option<Encoding>,

    /// With --to: who is held, a plants file, JSON or CSV [default: surefoot finds out]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// Where IN holds frames: the BVH file they came from, whose unit, axes and unchanged digits
    /// are kept [default: a new file in centimetres, Y up]
    #[arg(long, value_name = "FILE.bvh", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["to_unit", "to_up", "to_fps", "fresh"])]
    like: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// The unit IN has: m, cm, mm, inch, ft, or one unit in metres
    /// [default: found out from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    #[arg(help_heading = "What you know of IN")]
    unit: Option<f64>,

    /// The axis that points up in IN: x, y, z, -x, -y or -z [default: found out]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    #[arg(help_heading = "What you know of IN")]
    up: Option<UpAxis>,

    /// Unit and up axis from a rig file, as `inspect --rig-out` writes it [default: none]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    #[arg(help_heading = "What you know of IN")]
    rig: Option<PathBuf>,
}

pub fn run(args: &Convert) -> Result<(), CommandError> {
    let changes_space = args.to_unit.is_some() || args.to_up.is_some();
    let to_frames = args.to.or_else(|| is_ndjson(args).then_some(Encoding::Ndjson));
    if args.plants.is_some() && to_frames.is_none() {
        let alone = "--plants says who is held, which only frames tell: give --to ndjson or --to binary";
        return Err(Problem::new(alone).into());
    }
    check_plants_stdin(&args.from, args.plants.as_deref())?;
    if !changes_space && to_frames.is_none() && args.like.is_none() {
        check_file_options(args)?;
    }
    let output = Output::claim(&args.out, Existing::from_force(args.force.force))?;
    if let Some(form) = to_frames {
        let source = load_with_legs(&args.from, &file_options(args))?;
        return output.write(&to_stream(source, args.plants.as_deref(), form)?);
    }
    let input = input::read(&args.from)?;
    if is_stream(&input.bytes) {
        return output.write(&of_frames(args, &input)?);
    }
    if args.like.is_some() {
        let alone = format!("--like is for frames, but {} holds none", input.name);
        return Err(Problem::new(alone).into());
    }
    if changes_space {
        let source = load_bytes(input, &file_options(args))?;
        return output.write(&in_other_space(args, source.file)?);
    }
    let Parsed { name, mut bvh, .. } = parse(input)?;
    if let Some(fps) = args.to_fps {
        bvh = at_other_rate(&name, &bvh, fps)?;
    }
    if args.fresh { output.write(&bvh.write_reprinted()) } else { output.write(bvh.text()) }
}

fn is_ndjson(args: &Convert) -> bool {
    args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ndjson"))
}

/// Frames as a BVH file.
fn of_frames(args: &Convert, input: &Input) -> Result<Vec<u8>, Problem> {
    if args.to_fps.is_some() || args.fresh {
        return Err(Problem::new("--to-fps and --fresh change a BVH file, but this holds frames"));
    }
    let file_options = file_options(args);
    let like = args.like.as_deref().map(|like| (like, &file_options));
    let up = args.to_up.unwrap_or(Space::METRES_Y_UP.up);
    // Six decimals of a centimetre are finer than any capture.
    from_stream(&input.name, &input.bytes, like, args.to_unit.unwrap_or(0.01), up)
}

/// The same file with another frame time, and nothing else changed.
fn at_other_rate(name: &str, bvh: &Bvh, fps: f64) -> Result<Bvh, Problem> {
    let cannot = |reason: String| Problem::new(format!("cannot convert {name}: {reason}"));
    let mut motion = bvh.motion(&Space::METRES_Y_UP);
    motion.fps = fps;
    let text = bvh.write(&motion, &Space::METRES_Y_UP).map_err(|error| cannot(error.to_string()))?;
    let written = Bvh::read(text).map_err(|error| cannot(error.to_string()))?;
    // Nine decimals of a second do not hold every rate to the bit.
    if (written.rate().value / fps - 1.0).abs() < 1e-4 {
        Ok(written)
    } else {
        Err(cannot("it has no Frame Time to put the rate in".into()))
    }
}

fn file_options(args: &Convert) -> FileOptions {
    FileOptions { rig: args.rig.clone(), unit: args.unit, up: args.up, ..FileOptions::default() }
}

/// What is said of IN matters only where OUT is to differ; saying it else is a mistake.
fn check_file_options(args: &Convert) -> Result<(), Problem> {
    let said = [
        (args.unit.is_some(), "--unit", "--to-unit"),
        (args.up.is_some(), "--up", "--to-up"),
        (args.rig.is_some(), "--rig", "--to-unit or --to-up"),
    ];
    match said.into_iter().find(|(is_said, ..)| *is_said) {
        None => Ok(()),
        Some((_, flag, to)) => {
            Err(Problem::new(format!("{flag} says what IN has, and this copy does not depend on it"))
                .help(format!("{to} says what OUT is to have")))
        }
    }
}

fn in_other_space(args: &Convert, file: MotionFile) -> Result<Vec<u8>, Problem> {
    let before = file.space();
    let after = Space { unit_m: args.to_unit.unwrap_or(before.unit_m), up: args.to_up.unwrap_or(before.up) };
    let channels = file.bvh.channels().iter();
    if channels.clone().any(|channel| channel.kind == ChannelKind::Other) {
        warn("channels that neither place nor turn a joint, such as scales, are left out");
    }
    let mut motion = file.clip.motion;
    motion.fps = args.to_fps.unwrap_or(motion.fps);
    from_motion(&motion, &after)
        .map_err(|error| Problem::new(format!("cannot convert {}: {error}", file.name)))
}
