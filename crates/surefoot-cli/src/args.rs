//! The commands and flags, and what they say about themselves.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};

use crate::commands::{
    blend, clean, completions, convert, demo, detect, follow, inspect, join, loop_command, measure, plot,
    reach, retarget, sample, score, stream, studio, train,
};
use crate::parse;

/// Planted feet stay put: surefoot removes footskate from motion capture.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    about = "Planted feet stay put: for motion capture in which they slide",
    after_help = EVERYWHERE,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EVERYWHERE: &str = "\
Everywhere:
  -           as a file's name is stdin or stdout
  --force     overwrites; nothing that is there already is overwritten without it
  --json      one JSON value on stdout and nothing else there
  NO_COLOR    set to anything, no colour is used

  A surefoot.toml beside the file or in a folder above it gives `fps`, `unit`, `up`, `floor`,
  `rig`, `method`, `stretch`, `roll` and the limits for all files below; flags win.

  Exit code: 0 done, 1 done but a limit was not met, 2 could not run.

Try:
  surefoot demo               a walk that skates, made from nothing and cleaned
  surefoot clean walk.bvh     your own file, cleaned
  surefoot inspect walk.bvh   what is in it";

/// What a bare `surefoot` prints.
pub const GREETING: &str = "\
surefoot: planted feet stay put.

Try:
  surefoot demo               a walk that skates, made from nothing and cleaned
  surefoot clean walk.bvh     your own file, cleaned
  surefoot inspect walk.bvh   what is in it

All commands: surefoot --help
";

#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::Demo),
    Inspect(inspect::Inspect),
    Detect(detect::Detect),
    Clean(Box<clean::Clean>),
    Reach(Box<reach::Reach>),
    Retarget(Box<retarget::Retarget>),
    Follow(Box<follow::Follow>),
    Join(Box<join::Join>),
    Blend(Box<blend::Blend>),
    Loop(Box<loop_command::Loop>),
    Measure(Box<measure::Measure>),
    Train(train::Train),
    Score(score::ScoreArgs),
    Plot(plot::Plot),
    Sample(sample::Sample),
    Convert(Box<convert::Convert>),
    Studio(studio::Studio),
    Stream(Box<stream::Stream>),
    Completions(completions::Completions),
    Man(completions::Man),
}

/// What the user knows of a file; the rest is found out.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "What you know of the file")]
pub struct FileOptions {
    /// Legs, unit, up axis and floor from a rig file, as `inspect --rig-out` writes it
    ///
    /// What the rig file leaves out is found out. [default: all is found out]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    pub rig: Option<PathBuf>,

    /// The file's frames per second [default: as the file says]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    pub fps: Option<f64>,

    /// The file's unit of length: m, cm, mm, inch, ft, or one unit in metres, as 0.0254
    ///
    /// [default: found out from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    pub unit: Option<f64>,

    /// The file's axis that points up: x, y, z, -x, -y or -z [default: found out]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    pub up: Option<surefoot_core::UpAxis>,

    /// The floor: its height, as 5cm or in metres; NX,NY,NZ,OFFSET for a tilted one; a FILE.obj,
    /// .pgm or .csv; plants, level, or none
    ///
    /// A tilted floor holds every point p with (NX, NY, NZ) · p = OFFSET, p in metres and in the
    /// file's own axes. A file has a mesh (.obj), a grey image of heights (.pgm) or a table of
    /// them (.csv); book/src/floors.md tells more. `plants` makes a floor through the places where
    /// the plants stand, for stairs and uneven ground. `level` is the one found, made level; with
    /// `none` every plant stands at whatever height it has.
    /// [default: found out from where the feet are lowest]
    #[arg(long, value_name = "FLOOR", value_parser = parse::floor, allow_hyphen_values = true)]
    pub floor: Option<parse::FloorText>,

    /// The unit of an .obj or .csv floor [default: the motion's]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    pub floor_unit: Option<f64>,

    /// The up axis of a floor's file [default: the motion's]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    pub floor_up: Option<surefoot_core::UpAxis>,

    /// The side of one pixel of a .pgm floor, as 5cm [default: none, it must be said]
    #[arg(long, value_name = "LENGTH", value_parser = parse::positive_length)]
    pub floor_cell: Option<f64>,

    /// The heights of black and white of a .pgm floor, as 0..50cm [default: none, they must be said]
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse::heights, allow_hyphen_values = true)]
    pub floor_height: Option<(f64, f64)>,

    /// Where the first pixel of a .pgm floor lies, along the two axes of the ground, as -1.5m,2m
    /// [default: where the middle of the image is at 0,0]
    #[arg(long, value_name = "X,Z", value_parser = parse::ground_point, allow_hyphen_values = true)]
    pub floor_origin: Option<(f64, f64)>,
}

/// Whether to write over what is there.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Force {
    /// Overwrite files that are there already [default: stop and say so]
    #[arg(long)]
    pub force: bool,
}
