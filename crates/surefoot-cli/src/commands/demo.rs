//! `demo`: a walk that skates, made from nothing, and what surefoot sees in it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_sample::{Recipe, Sample, Skate};

use crate::args::{Force, Told};
use crate::commands::sample::made;
use crate::look::{Looked, look};
use crate::output::{Existing, Output, print, write_all};
use crate::problem::{Problem, Stop};
use crate::slide::{Slide, slides};
use crate::tell::tell;

/// The folder the demo makes for itself.
const FOLDER: &str = "surefoot-demo";
/// How much longer the demo's path is than its steps.
const SCALE: f64 = 1.1;

/// Make a walk that skates, and show by how much
///
/// Needs no files. Makes a folder of its own, surefoot-demo, or surefoot-demo-2 and so on where
/// that is there already, and writes into it a walk whose feet slide and when each heel and ball
/// should stand still. Then reads the walk back, says what surefoot finds out about it, and how
/// far each planted point slides.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot demo
  surefoot demo -o elsewhere
  surefoot demo -o elsewhere --force")]
pub struct Demo {
    /// The folder to write to; it is made if need be
    /// [default: surefoot-demo, or the first free one of surefoot-demo-2, surefoot-demo-3, …]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,

    /// Print the figures as one JSON value, lengths in metres [default: as text, in mm]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,
}

/// What `demo --json` prints.
#[derive(Serialize)]
struct Figures<'a> {
    motion: &'a Path,
    plants_file: &'a Path,
    drift_max_m: f64,
    drift_mean_m: f64,
    plants: &'a [Slide],
}

pub fn run(args: &Demo) -> Result<(), Stop> {
    let recipe = Recipe { skate: Some(Skate::Scale(SCALE)), ..Recipe::default() };
    let made = made(&recipe)?;
    let folder = folder(args)?;
    let (motion, plants) = (folder.join("walk.bvh"), folder.join("walk.plants.json"));
    let existing = Existing::from_force(args.force.force);
    let outputs = [Output::claim(&motion, existing)?, Output::claim(&plants, existing)?];
    write_all(outputs.into_iter().zip([&made.bvh[..], &made.plants]).collect())?;

    let looked = look(&motion, &Told::default())?;
    let Sample { motion: true_motion, legs, plants: true_plants, .. } = &made.sample;
    let slides = slides(&looked, true_plants, legs, &true_motion.skeleton);
    if args.json {
        return print(&json(&motion, &plants, &slides)?);
    }
    print(text(&looked, &plants, &slides).as_bytes())
}

/// The folder to write to, which exists when this returns.
fn folder(args: &Demo) -> Result<PathBuf, Problem> {
    if let Some(folder) = &args.output {
        fs::create_dir_all(folder).map_err(|error| Problem::with_file(folder, "make the folder", &error))?;
        return Ok(folder.clone());
    }
    let names = (1..1000).map(|number| match number {
        1 => PathBuf::from(FOLDER),
        _ => PathBuf::from(format!("{FOLDER}-{number}")),
    });
    for name in names {
        match fs::create_dir(&name) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if args.force.force {
                    return Ok(name);
                }
            }
            Err(error) => {
                return Err(Problem::with_file(&name, "make the folder", &error)
                    .help("-o DIR makes the demo elsewhere"));
            }
        }
    }
    Err(Problem::new("there are 999 demo folders here already").help("-o DIR names another"))
}

fn json(motion: &Path, plants_file: &Path, slides: &[Slide]) -> Result<Vec<u8>, Problem> {
    let (drift_max_m, drift_mean_m) = overall(slides);
    let figures = Figures { motion, plants_file, drift_max_m, drift_mean_m, plants: slides };
    let mut text = serde_json::to_vec_pretty(&figures)
        .map_err(|error| Problem::new(format!("cannot make JSON of this: {error}")))?;
    text.push(b'\n');
    Ok(text)
}

/// The largest drift, and the mean over all planted frames.
fn overall(slides: &[Slide]) -> (f64, f64) {
    let largest = slides.iter().map(|slide| slide.drift_max_m).fold(0.0, f64::max);
    let frames: usize = slides.iter().map(Slide::frames).sum();
    let total: f64 = slides.iter().map(|slide| slide.drift_mean_m * slide.frames() as f64).sum();
    (largest, total / frames.max(1) as f64)
}

fn text(looked: &Looked, plants: &Path, slides: &[Slide]) -> String {
    let percent = (SCALE - 1.0) * 100.0;
    let mut text = format!(
        "A walk, made from nothing. Its path is {percent:.0} % longer than its steps, as after moving it\n\
         onto longer legs, so its feet slide while they should stand.\n\n\
         \x20 {}\n  {}   when each heel and ball should stand still\n\n\
         What surefoot finds out about it, as `surefoot inspect` would:\n\n{}\n\
         How far each planted point gets from where its plant began, in the file as written:\n\n",
        looked.name,
        plants.display(),
        tell(looked),
    );
    text += &table(slides);
    text += "\nHolding these points still is what surefoot is being made for; `surefoot clean` is not there\n\
             yet. What is there: surefoot --help. Your own file: surefoot inspect walk.bvh\n";
    text
}

fn table(slides: &[Slide]) -> String {
    let mut text = format!("  {:8}{:8}{:>9}{:>12}{:>12}\n", "foot", "point", "frames", "largest", "mean");
    let row = |foot: &str, point: &str, frames: String, largest: f64, mean: f64| {
        let (largest, mean) = (largest * 1000.0, mean * 1000.0);
        format!("  {foot:8}{point:8}{frames:>9}{largest:>9.1} mm{mean:>9.1} mm\n")
    };
    for slide in slides {
        let frames = format!("{}–{}", slide.first, slide.last);
        text += &row(&slide.foot, slide.point, frames, slide.drift_max_m, slide.drift_mean_m);
    }
    let (largest, mean) = overall(slides);
    text + &row("all", "", String::new(), largest, mean)
}
