//! The commands, and the flags that several of them share.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueHint};
use surefoot::parse;
use surefoot_formats::source::ArrayOptions;

use crate::commands::{
    batch, blend, clean, completions, convert, demo, detect, follow, inspect, join, loop_command, measure,
    plot, reach, retarget, sample, score, stream, studio, train,
};
use crate::input;
use crate::output::Existing;
use crate::problem::Problem;

/// Removes footskate from motion capture.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    about = "Removes footskate from motion capture: planted feet stay where they are",
    after_help = COMMON_HELP,
    disable_help_subcommand = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
}

const COMMON_HELP: &str = "\
For all commands:
  -           as a file name means stdin or stdout
  --force     overwrites existing files; without it they are never overwritten
  --json      prints one JSON value to stdout, and nothing else
  NO_COLOR    this environment variable, set to anything, turns colours off

  A file surefoot.toml in the folder of the motion, or in a folder above it, sets defaults for
  `fps`, `unit`, `up`, `floor`, `rig`, the limits, and every setting of cleanup and detection by the
  name of its flag. Flags override it. book/src/settings.md lists the settings.

  Exit codes: 0 success, 1 a limit such as --max-drift was not met, 2 the command failed.

Try:
  surefoot demo               make a walk that skates, and clean it
  surefoot clean walk.bvh     clean a file of yours
  surefoot inspect walk.bvh   show what is in a file";

/// Printed by `surefoot` without a command.
pub const GREETING: &str = "\
surefoot removes footskate from motion capture: planted feet stay where they are.

Try:
  surefoot demo               make a walk that skates, and clean it
  surefoot clean walk.bvh     clean a file of yours
  surefoot inspect walk.bvh   show what is in a file

All commands: surefoot --help
";

#[derive(Debug, Subcommand)]
pub enum Command {
    Demo(demo::Demo),
    Inspect(inspect::Inspect),
    Detect(detect::Detect),
    Clean(Box<clean::Clean>),
    Batch(Box<batch::Batch>),
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

/// Flags that state facts about a motion file. Values that are not given are inferred from the file.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Facts about the file (override inferred values)")]
pub struct FileOptions {
    /// Read legs, unit, up axis and floor from a rig file, as written by `inspect --rig-out`
    ///
    /// What the rig file leaves out is inferred. [default: everything is inferred]
    #[arg(long, value_name = "RIG.toml", value_hint = ValueHint::FilePath)]
    pub rig: Option<PathBuf>,

    /// The animation of a file with several, by its name or its number from 0; `inspect` lists them
    /// [default: the first one that moves joints]
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,

    #[command(flatten)]
    pub arrays: ArrayFlags,

    /// Frames per second [default: the file's frame time]
    #[arg(long, value_name = "RATE", value_parser = parse::fps)]
    pub fps: Option<f64>,

    /// Unit of length in the file: m, cm, mm, inch, ft, or the length of one unit in metres, e.g. 0.0254
    ///
    /// [default: inferred from the size of the body]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    pub unit: Option<f64>,

    /// Up axis of the file: x, y, z, -x, -y or -z [default: inferred]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    pub up: Option<surefoot_core::UpAxis>,

    /// Where heel, ball and toe come from: mesh or joints
    ///
    /// `mesh` takes the lowest vertices of a skinned mesh that follow the foot, where a file has one.
    /// `joints` takes or estimates them from the joints. [default: mesh]
    #[arg(long, value_name = "SOURCE", value_parser = parse::foot_points)]
    pub foot_points: Option<surefoot::FootPointSource>,

    /// The floor: a height, e.g. 5cm; a tilted plane NX,NY,NZ,OFFSET; a file that ends in .obj, .pgm or
    /// .csv; or plants, level, none
    ///
    /// A height without a unit is in metres. A plane consists of the points p with
    /// (NX, NY, NZ) · p = OFFSET, in metres and the axes of the file. A file holds a mesh (.obj), a
    /// grey image of heights (.pgm) or a table of heights (.csv); see book/src/floors.md.
    /// `plants` builds a floor through the foot contacts, for stairs and uneven ground. `level` makes
    /// the inferred floor level. With `none` every plant keeps its captured height.
    /// [default: a plane, inferred from the lowest positions of the feet]
    #[arg(long, value_name = "FLOOR", value_parser = parse::floor, allow_hyphen_values = true)]
    pub floor: Option<parse::FloorText>,

    /// Unit of an .obj or .csv floor [default: that of the motion]
    #[arg(long, value_name = "UNIT", value_parser = parse::unit)]
    pub floor_unit: Option<f64>,

    /// Up axis of a floor file [default: that of the motion]
    #[arg(long, value_name = "AXIS", value_parser = parse::up_axis, allow_hyphen_values = true)]
    pub floor_up: Option<surefoot_core::UpAxis>,

    /// Width of one pixel of a .pgm floor, e.g. 5cm; required for .pgm
    #[arg(long, value_name = "LENGTH", value_parser = parse::positive_length)]
    pub floor_cell: Option<f64>,

    /// Heights of black and white in a .pgm floor, e.g. 0..50cm; required for .pgm
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse::heights, allow_hyphen_values = true)]
    pub floor_height: Option<(f64, f64)>,

    /// Position of the first pixel of a .pgm floor on the ground, e.g. -1.5m,2m
    /// [default: the middle of the image is at 0,0]
    #[arg(long, value_name = "X,Z", value_parser = parse::ground_point, allow_hyphen_values = true)]
    pub floor_origin: Option<(f64, f64)>,
}

/// Flags that state what a file of arrays leaves open.
#[derive(Args, Clone, Debug, Default)]
pub struct ArrayFlags {
    /// The skeleton of a file of arrays: a motion file, or a JSON or npz file with offsets and parents
    /// [default: arrays of the file]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub skeleton: Option<PathBuf>,

    /// The order of the joints in an array of positions: smpl-22, smpl-24, smplh-52, smplx-55, kit-21,
    /// h36m-17, coco-17, body-25 or mediapipe-33 [default: recognised by the number of joints]
    #[arg(long, value_name = "ORDER")]
    pub joints: Option<String>,

    /// The form of the rotations in an array: wxyz, xyzw, matrix, axis-angle, 6d, 6d-rows or
    /// 6d-interleaved [default: recognised by their shape and values]
    #[arg(long, value_name = "FORM")]
    pub rotations: Option<String>,
}

impl ArrayFlags {
    /// What these flags state. Reads the file of the skeleton.
    pub fn options(&self) -> Result<ArrayOptions, Problem> {
        let read = |path: &PathBuf| Ok::<_, Problem>(input::read(path)?.bytes.into());
        Ok(ArrayOptions {
            skeleton: self.skeleton.as_ref().map(read).transpose()?,
            joints: self.joints.clone(),
            rotations: self.rotations.clone(),
        })
    }
}

/// The flag that allows overwriting.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Force {
    /// Overwrite existing files [default: fail if an output exists]
    #[arg(long)]
    pub force: bool,
}

impl Force {
    /// The treatment of files that exist already.
    pub fn existing(self) -> Existing {
        if self.force { Existing::Overwrite } else { Existing::Keep }
    }
}
