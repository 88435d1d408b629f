//! `plot`: curves of one motion, or of two for comparison.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use surefoot::edit_files::BeforeAfter;
use surefoot::parse;
use surefoot::text::printable;
use surefoot_core::FrameRange;
use surefoot_measure::plot::{self, Curves, Plot as Drawn, sheet};

use crate::args::{FileOptions, Force};
use crate::before_after::load_before_after;
use crate::input::{check_exists, is_dash};
use crate::output::Output;
use crate::pose_sheet::{PoseOptions, folder_strips, pose_strip};
use crate::problem::{CommandError, Problem};
use crate::source::warn_of_settings;

/// Draw curves or stick figures of a motion, or of two motions for comparison
///
/// With two files, the first is drawn as before and the second as after. Draws heights and speeds of
/// the feet, knee angles and more, with the plants below them, as one SVG file.
///
/// `--show poses` draws stick figures with their soles on the floor, seen from the side. It also
/// takes a folder, in which walk.clean.bvh is drawn as after walk.bvh, or two folders with files of
/// the same names; each motion then gets a line of its own.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot plot walk.bvh
  surefoot plot walk.bvh walk.clean.bvh -o walk.svg --plants walk.plants.json
  surefoot plot walk.bvh walk.clean.bvh -o feet.svg --show spots,ground
  surefoot plot walk.bvh --show knees --frames 100-300 -o -
  surefoot plot walk.bvh walk.clean.bvh --show poses --every 10
  surefoot plot takes cleaned --show poses -o poses.svg")]
pub struct Plot {
    /// One motion file, or two: before and after; - is stdin. With --show poses also folders
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, num_args = 1..=2, required = true)]
    files: Vec<PathBuf>,

    /// The SVG file to write; - is stdout
    /// [default: walk.plot.svg for walk.bvh and poses.svg in a folder; stdout for stdin]
    #[arg(short, long, value_name = "PLOT.svg", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// When each heel and ball is planted: a plants file, JSON or CSV; - is stdin
    /// [default: detected, as by `surefoot detect`]
    #[arg(long, value_name = "PLANTS", value_hint = ValueHint::FilePath)]
    plants: Option<PathBuf>,

    /// The curves to draw, separated by commas
    #[arg(long, value_name = "CURVES", value_delimiter = ',', value_parser = shown())]
    #[arg(default_value = "heights,speeds,knees")]
    show: Vec<Show>,

    /// Draw only these frames, the last included, e.g. 100-300 [default: all]
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse::frames)]
    frames: Option<FrameRange>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    poses: PoseOptions,

    #[command(flatten)]
    file_options: FileOptions,
}

/// A group of curves that can be drawn.
#[derive(Clone, Copy, Debug)]
struct Show {
    word: &'static str,
    draw: Draw,
}

/// How something is drawn.
#[derive(Clone, Copy, Debug)]
enum Draw {
    Curves(fn(&Curves) -> Vec<Drawn>),
    Poses,
    Steps,
}

const ALL: [Show; 11] = [
    Show { word: "heights", draw: Draw::Curves(plot::heights) },
    Show { word: "speeds", draw: Draw::Curves(plot::speeds) },
    Show { word: "knees", draw: Draw::Curves(plot::knees) },
    Show { word: "ground", draw: Draw::Curves(plot::ground) },
    Show { word: "spots", draw: Draw::Curves(|curves| plot::spots(curves).into_iter().collect()) },
    Show { word: "reach", draw: Draw::Curves(|curves| plot::reach(curves).into_iter().collect()) },
    Show { word: "root", draw: Draw::Curves(|curves| plot::root(curves).into_iter().collect()) },
    Show { word: "stretch", draw: Draw::Curves(|curves| plot::stretch(curves).into_iter().collect()) },
    Show { word: "footprints", draw: Draw::Curves(|curves| plot::footprints(curves).into_iter().collect()) },
    Show { word: "poses", draw: Draw::Poses },
    Show { word: "steps", draw: Draw::Steps },
];

fn shown() -> impl TypedValueParser<Value = Show> {
    let find = |word: String| ALL.into_iter().find(|show| show.word == word).ok_or("no such curves");
    PossibleValuesParser::new(ALL.map(|show| show.word)).try_map(find)
}

pub fn run(args: &Plot) -> Result<(), CommandError> {
    let after = &args.files[args.files.len() - 1];
    check_exists(args.files.iter().map(PathBuf::as_path))?;
    let name = args.output.clone().unwrap_or_else(|| default_output(after));
    let output = Output::claim(&name, args.force.existing())?;
    let (drawn, notes) = if after.is_dir() { (draw_folders(args)?, Vec::new()) } else { draw_files(args)? };
    output.write(sheet(&drawn).as_bytes())?;
    for note in notes {
        stderr_line!("{}", printable(&note));
    }
    if !is_dash(&name) {
        stderr_line!("{}: the drawing; open the file in a browser", printable(&name.display().to_string()));
    }
    Ok(())
}

fn default_output(after: &Path) -> PathBuf {
    match after {
        stdin if is_dash(stdin) => PathBuf::from("-"),
        folder if folder.is_dir() => folder.join("poses.svg"),
        file => file.with_extension("plot.svg"),
    }
}

fn draw_folders(args: &Plot) -> Result<Vec<Drawn>, Problem> {
    if !args.show.iter().all(|show| matches!(show.draw, Draw::Poses)) {
        let text =
            format!("{} is a folder, and only stick figures are drawn of folders", args.files[0].display());
        return Err(Problem::new(printable(&text)).help("add --show poses"));
    }
    folder_strips(&args.files, &args.poses, args.frames.as_ref(), &args.file_options)
}

/// The plots of one or two files, and the notes about them.
fn draw_files(args: &Plot) -> Result<(Vec<Drawn>, Vec<String>), Problem> {
    let (before, after) = match &args.files[..] {
        [before, after] => (Some(before.as_path()), after),
        files => (None, &files[0]),
    };
    let (source, name, motions) =
        load_before_after(after, before, args.plants.as_deref(), &args.file_options)?;
    warn_of_settings(&source);
    let drawn = draw(args, &name, &motions)
        .map_err(|error| Problem::new(format!("cannot draw {}: {error}", printable(&name))))?;
    Ok((drawn, source.file.clip_notes()))
}

fn draw(args: &Plot, name: &str, motions: &BeforeAfter) -> Result<Vec<Drawn>, String> {
    let BeforeAfter { clip, before, .. } = motions;
    let mut curves = Curves::new(clip, before.as_ref()).map_err(|error| error.to_string())?;
    if let Some(frames) = &args.frames {
        let count = clip.motion.frames();
        if frames.start >= count {
            return Err(format!("--frames starts at frame {}, but the motion has {count}", frames.start));
        }
        curves = curves.within(frames.clone());
    }
    let mut drawn: Vec<Drawn> = Vec::new();
    for show in &args.show {
        match show.draw {
            Draw::Curves(draw) => drawn.extend(draw(&curves)),
            Draw::Steps => drawn.extend(plot::steps(&curves, clip, before.as_ref())),
            Draw::Poses => drawn.extend(pose_strip(name, motions, &args.poses, args.frames.as_ref())?),
        }
    }
    if drawn.is_empty() {
        let names: Vec<&str> = args.show.iter().map(|show| show.word).collect();
        return Err(format!("there is nothing to draw for {}", names.join(", ")));
    }
    Ok(drawn)
}
