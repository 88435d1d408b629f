//! `blend`: a weighted mix of two motions.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot::edit_files::{
    BlendDetails, EditDescription, StepChoice, blend_files, parse_weight_point, parse_weights,
};
use surefoot::parse;
use surefoot_edit::blend::{BlendError, Weight};

use crate::edit_input::{MotionPair, load_two, pair_problem};
use crate::edit_output::{EditOptions, finish, write_and_print};
use crate::input::{self, Input, with_spinner};
use crate::output::shown;
use crate::problem::{CommandError, Problem, warn};

/// Blend two motions into one
///
/// The motions are synchronised first: by the landings of their feet where both take the same steps,
/// otherwise by comparing their poses. Poses, steps and timing are then interpolated by the weight: 0 gives the
/// first motion, 1 the second. The plants of both motions are blended in time as well and held.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot blend walk.bvh run.bvh --weight 0.5
  surefoot blend walk.bvh run.bvh --weight 0:0,1.5:1
  surefoot blend walk.bvh run.bvh --weight weights.csv --map map.svg --report mix.report.html")]
pub struct Blend {
    #[command(flatten)]
    pair: MotionPair,

    /// Weight of the second motion: a number from 0 to 1; a curve of seconds and weights, e.g.
    /// 0:0,1.5:1; or a file with one such pair per line
    #[arg(long, value_name = "WEIGHT", allow_hyphen_values = true)]
    weight: String,

    /// Length of the window around two frames in which their motions are compared, e.g. 0.5s
    /// [default: 1/3 s]
    #[arg(long, value_name = "TIME", value_parser = parse::seconds)]
    window: Option<f64>,

    /// The steps to blend: all, or paired, those that both motions take, from the first landing of the
    /// same foot
    #[arg(long, value_name = "STEPS", value_parser = steps(), default_value = "all")]
    steps: StepChoice,

    /// Also draw the distances between all poses and the synchronisation, as SVG; - is stdout
    /// [default: not drawn]
    #[arg(long, value_name = "MAP.svg", value_hint = ValueHint::FilePath)]
    map: Option<PathBuf>,

    #[command(flatten)]
    options: EditOptions,
}

/// The description of the blend in JSON.
#[derive(Serialize)]
struct Details<'a> {
    #[serde(flatten)]
    details: &'a BlendDetails,
    loops: bool,
    map: Option<String>,
}

pub fn run(args: &Blend) -> Result<(), CommandError> {
    let weight = weight(&args.weight)?;
    let options = &args.options;
    let outputs = args.pair.check_outputs(options, "blend", args.map.as_ref())?;
    let [first, second] = &load_two(&args.pair, options)?;
    let files = [&first.file, &second.file];
    let blended = with_spinner(first.size + second.size, "comparing poses", || {
        blend_files(files, &weight, args.window, args.steps)
    });
    let mut blended = blended.map_err(|error| match error {
        BlendError::Pair(error) => pair_problem(first, second, &error),
        error => Problem::new(error.to_string()),
    })?;
    // Said before anything is written; the notes of the result have the details.
    blended.unpaired_steps().iter().for_each(|warning| warn(warning));
    let clip = std::mem::take(&mut blended.clip);
    let mut result = finish(&[first, second], Cow::Owned(clip), None, options)?;
    result.notes.append(&mut blended.notes);
    let map = args.map.as_ref().map(|_| blended.draw()).transpose();
    let map = map.map_err(|error| pair_problem(first, second, &error))?;
    let details =
        Details { details: &blended.details, loops: options.looped, map: args.map.as_deref().map(shown) };
    let about = vec![blended.details.about()];
    let description = EditDescription { command: "blend", about, details, table: None };
    write_and_print(options, outputs, &[first, second], &result, &description, map)
}

fn steps() -> impl TypedValueParser<Value = StepChoice> {
    PossibleValuesParser::new(["all", "paired"]).map(|word| match word.as_str() {
        "paired" => StepChoice::Paired,
        _ => StepChoice::All,
    })
}

/// A number, a curve, or a file with one.
fn weight(word: &str) -> Result<Weight, Problem> {
    let problem = |error: String| Problem::new(format!("--weight {word}: {error}"));
    if let Ok(number) = word.trim().parse::<f64>() {
        let weight = Weight::Constant(number);
        return weight.check().map(|()| weight).map_err(|error| problem(error.to_string()));
    }
    if word.contains(':') && !Path::new(word).exists() {
        let points = word
            .split(',')
            .map(|pair| parse_weight_point(pair, ':'))
            .collect::<Result<_, _>>()
            .map_err(problem)?;
        let weight = Weight::Curve(points);
        return weight.check().map(|()| weight).map_err(|error| problem(error.to_string()));
    }
    let Input { name, bytes, .. } = input::read(Path::new(word)).map_err(|problem| {
        problem.help("--weight takes a number from 0 to 1, a curve as 0:0,1.5:1, or a file of such pairs")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let points = parse_weights(&text).map_err(|message| Problem::in_text(&name, &text, &message))?;
    let weight = Weight::Curve(points);
    weight.check().map(|()| weight).map_err(|error| Problem::new(format!("{name}: {error}")))
}
