//! `demo`: makes a walk that skates, and cleans it.

use std::borrow::Cow;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::EditedFile;
use surefoot::sample_files;
use surefoot::text::{bullets, printable};
use surefoot_measure::Figures;
use surefoot_sample::{Recipe, Skate};

use crate::args::Force;
use crate::commands::clean::{report_page, summary};
use crate::edit_input::{Purpose, load_motion};
use crate::edit_output::{EditOptions, finish};
use crate::output::{claim_all, json, print, shown, write_all};
use crate::problem::{CommandError, Problem};
use crate::source::MotionInput;

/// The default folder of the demo.
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

/// The value that `demo --json` prints.
#[derive(Serialize)]
struct DemoJson<'a> {
    motion: String,
    plants_file: String,
    output: String,
    report: String,
    notes: &'a [String],
    #[serde(flatten)]
    figures: &'a Figures,
}

pub fn run(args: &Demo) -> Result<(), CommandError> {
    let recipe = Recipe { skate: Some(Skate::Scale(SCALE)), ..Recipe::default() };
    let sample = sample_files(&recipe).map_err(|error| Problem::new(error.to_string()))?;
    let folder = folder(args)?;
    let files =
        ["walk.bvh", "walk.plants.json", "walk.clean.bvh", "walk.report.html"].map(|name| folder.join(name));
    let mut inputs = claim_all(&files.each_ref().map(PathBuf::as_path), args.force.existing())?;
    let outputs = inputs.split_off(2);
    write_all(inputs.into_iter().zip([&sample.bvh[..], &sample.plants]).collect())?;

    // The walk is loaded from its file, as any other motion.
    let input = MotionInput { file: files[0].clone(), plants: Some(files[1].clone()) };
    let options = EditOptions::default();
    let source = load_motion(&input, &options, Purpose::Clean)?;
    let result = finish(&[&source], Cow::Borrowed(source.clip()), None, &options)?;
    let report = report_page(&files[2], &result, &[], &[])?;
    write_all(outputs.into_iter().zip([&result.file.bytes[..], report.as_bytes()]).collect())?;
    let names = files.map(|name| shown(&name));
    if args.json {
        let [motion, plants_file, output, report] = names;
        let (notes, figures) = (&result.notes, &result.file.figures);
        return print(&json(&DemoJson { motion, plants_file, output, report, notes, figures })?);
    }
    print(text(&names, &result).as_bytes())
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

fn text(names: &[String; 4], result: &EditedFile) -> String {
    let percent = (SCALE - 1.0) * 100.0;
    let mut text = format!(
        "A generated walk. Its path is {percent:.0} % longer than its steps, as after retargeting to longer legs,\n\
         so its planted feet slide. Cleaned:\n\n{}\n{}{}\n",
        summary(&result.file.figures),
        result.file.figures.table(),
        bullets("Notes", &result.notes)
    );
    let descriptions = [
        "the walk that skates",
        "its plants: when each heel and ball should stay in place",
        "the clean walk",
        "the report; open it in a browser",
    ];
    for (name, what) in names.iter().zip(descriptions) {
        text += &format!("{}: {what}\n", printable(name));
    }
    text + "\nTo clean a file of yours: surefoot clean walk.bvh\n"
}
