//! `plot`: curves of one motion, or of two for comparison.

use std::path::PathBuf;

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
use crate::problem::{CommandError, Problem};

/// Draw curves of a motion, or of two motions for comparison
///
/// With two files, the first is drawn as before and the second as after. Draws heights and speeds of
/// the feet, knee angles and more, with the plants below them, as one SVG file.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot plot walk.bvh
  surefoot plot walk.bvh walk.clean.bvh -o walk.svg --plants walk.plants.json
  surefoot plot walk.bvh walk.clean.bvh -o feet.svg --show spots,ground
  surefoot plot walk.bvh --show knees --frames 100-300 -o -")]
pub struct Plot {
    /// One BVH file, or two: before and after; - is stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, num_args = 1..=2, required = true)]
    files: Vec<PathBuf>,

    /// The SVG file to write; - is stdout [default: walk.plot.svg for walk.bvh; stdout for stdin]
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

    /// Draw only these frames, the last included, as 100-300 [default: all]
    #[arg(long, value_name = "FIRST-LAST", value_parser = parse::frames)]
    frames: Option<FrameRange>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    file_options: FileOptions,
}

/// A group of curves that can be drawn.
#[derive(Clone, Copy, Debug)]
struct Show {
    word: &'static str,
    draw: fn(&Curves) -> Vec<Drawn>,
}

const ALL: [Show; 8] = [
    Show { word: "heights", draw: plot::heights },
    Show { word: "speeds", draw: plot::speeds },
    Show { word: "knees", draw: plot::knees },
    Show { word: "ground", draw: plot::ground },
    Show { word: "spots", draw: |curves| plot::spots(curves).into_iter().collect() },
    Show { word: "reach", draw: |curves| plot::reach(curves).into_iter().collect() },
    Show { word: "root", draw: |curves| plot::root(curves).into_iter().collect() },
    Show { word: "stretch", draw: |curves| plot::stretch(curves).into_iter().collect() },
];

fn shown() -> impl TypedValueParser<Value = Show> {
    let find = |word: String| ALL.into_iter().find(|show| show.word == word).ok_or("no such curves");
    PossibleValuesParser::new(ALL.map(|show| show.word)).try_map(find)
}

pub fn run(args: &Plot) -> Result<(), CommandError> {
    let (before, after) = match &args.files[..] {
        [before, after] => (Some(before.as_path()), after),
        files => (None, &files[0]),
    };
    let default = || if is_dash(after) { PathBuf::from("-") } else { after.with_extension("plot.svg") };
    check_exists(args.files.iter().map(PathBuf::as_path))?;
    let name = args.output.clone().unwrap_or_else(default);
    let output = Output::claim(&name, args.force.existing())?;
    let (source, shown, motions) =
        load_before_after(after, before, args.plants.as_deref(), &args.file_options)?;
    let drawn = draw(args, &motions)
        .map_err(|error| Problem::new(format!("cannot draw {}: {error}", printable(&shown))))?;
    output.write(sheet(&drawn).as_bytes())?;
    for note in source.file.clip_notes() {
        eprintln!("{}", printable(&note));
    }
    if !is_dash(&name) {
        eprintln!("{}: the curves; open the file in a browser", printable(&name.display().to_string()));
    }
    Ok(())
}

fn draw(args: &Plot, motions: &BeforeAfter) -> Result<Vec<Drawn>, String> {
    let BeforeAfter { clip, before, .. } = motions;
    let mut curves = Curves::new(clip, before.as_ref()).map_err(|error| error.to_string())?;
    if let Some(frames) = &args.frames {
        let count = clip.motion.frames();
        if frames.start >= count {
            return Err(format!("--frames starts at frame {}, but the motion has {count}", frames.start));
        }
        curves = curves.within(frames.clone());
    }
    let drawn: Vec<Drawn> = args.show.iter().flat_map(|show| (show.draw)(&curves)).collect();
    if drawn.is_empty() {
        let names: Vec<&str> = args.show.iter().map(|show| show.word).collect();
        return Err(format!("there is nothing to draw for {}", names.join(", ")));
    }
    Ok(drawn)
}
