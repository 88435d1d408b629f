//! `demo`: makes a walk that skates, and cleans it.

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{EditedFile, RootMotion};
use surefoot_measure::Figures;
use surefoot_sample::{Recipe, Skate};

use crate::args::Force;
use crate::commands::clean::{report_page, summary};
use crate::commands::sample::sample_files;
use crate::edit_input::load_one;
use crate::edit_output::{EditOptions, finish};
use crate::output::{Existing, claim_all, json, path_text, print, write_all};
use crate::problem::{CommandError, Problem};
use crate::source::MotionInput;
use crate::text::{bullets, printable};

/// The folder the demo makes for itself.
const FOLDER: &str = "surefoot-demo";
/// Ratio of the demo's path to its steps: above 1, the feet slide.
const SCALE: f64 = 1.1;

/// Make a walk that skates, and clean it
///
/// Needs no files. Creates a folder surefoot-demo (or surefoot-demo-2 and so on, if that exists) and
/// writes four files: a walk whose feet slide, its plants, the clean walk, and a report for a
/// browser. Prints the figures before and after.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot demo
  surefoot demo -o elsewhere
  surefoot demo -o elsewhere --force")]
pub struct Demo {
    /// The folder to write to; created if it does not exist
    /// [default: surefoot-demo, or the first of surefoot-demo-2, surefoot-demo-3, … that does not exist]
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    output: Option<PathBuf>,

    /// Print the figures as one JSON value, as `measure` does [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,
}

/// The files of the demo.
#[derive(Serialize)]
struct Files {
    #[serde(serialize_with = "path_text")]
    motion: PathBuf,
    #[serde(serialize_with = "path_text")]
    plants_file: PathBuf,
    #[serde(serialize_with = "path_text")]
    output: PathBuf,
    #[serde(serialize_with = "path_text")]
    report: PathBuf,
}

/// The value that `demo --json` prints.
#[derive(Serialize)]
struct DemoJson<'a> {
    #[serde(flatten)]
    files: &'a Files,
    notes: &'a [String],
    #[serde(flatten)]
    figures: &'a Figures,
}

pub fn run(args: &Demo) -> Result<(), CommandError> {
    let sample = sample_files(&Recipe { skate: Some(Skate::Scale(SCALE)), ..Recipe::default() })?;
    let files = Files::within(&folder(args)?);
    let names = [&files.motion, &files.plants_file, &files.output, &files.report].map(PathBuf::as_path);
    let mut inputs = claim_all(&names, Existing::from_force(args.force.force))?;
    let outputs = inputs.split_off(2);
    write_all(inputs.into_iter().zip([&sample.bvh[..], &sample.plants]).collect())?;

    // The walk is loaded from its file, as any other motion.
    let input = MotionInput { file: files.motion.clone(), plants: Some(files.plants_file.clone()) };
    let options = EditOptions::default();
    let source = load_one(&input, &options, RootMotion::Keep)?;
    let finished = finish(&[&source], Cow::Borrowed(source.clip()), None, &options)?;
    let report = report_page(&files.output, &finished)?;
    write_all(outputs.into_iter().zip([&finished.file.bytes[..], report.as_bytes()]).collect())?;
    if args.json {
        let (notes, figures) = (&finished.notes, &finished.file.figures);
        return print(&json(&DemoJson { files: &files, notes, figures })?);
    }
    print(text(&files, &finished).as_bytes())
}

impl Files {
    fn within(folder: &Path) -> Self {
        Self {
            motion: folder.join("walk.bvh"),
            plants_file: folder.join("walk.plants.json"),
            output: folder.join("walk.clean.bvh"),
            report: folder.join("walk.report.html"),
        }
    }
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
    Err(Problem::new("999 demo folders exist in this folder").help("-o DIR names another"))
}

fn text(files: &Files, finished: &EditedFile) -> String {
    let percent = (SCALE - 1.0) * 100.0;
    let mut text = format!(
        "A generated walk. Its path is {percent:.0} % longer than its steps, as after retargeting to longer legs,\n\
         so its planted feet slide. Cleaned:\n\n{}\n{}{}\n",
        summary(&finished.file.figures),
        finished.file.figures.table(),
        bullets("Notes", &finished.notes)
    );
    let written = [
        (&files.motion, "the walk that skates"),
        (&files.plants_file, "its plants: when each heel and ball should stay in place"),
        (&files.output, "the clean walk"),
        (&files.report, "the report; open it in a browser"),
    ];
    for (name, what) in written {
        text += &format!("{}: {what}\n", printable(&name.display().to_string()));
    }
    text + "\nTo clean a file of yours: surefoot clean walk.bvh\n"
}
