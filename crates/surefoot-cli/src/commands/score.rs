//! `score`: the accuracy of contact detection on labelled motions.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use surefoot::parse;
use surefoot_contact::{Edges, Method};
use surefoot_measure::plot::{Plot, sheet};
use surefoot_train::{
    Folds, LabelledMotion, Reliability, ScoreReport, ScoreSettings, ScoredModel, TableRows, score_method,
    tables,
};

use crate::args::Force;
use crate::commands::detect::methods;
use crate::commands::train::model;
use crate::fitting::{FitArgs, read_model};
use crate::input::fitting_bar;
use crate::output::{claim_drawing, json, print, print_beside};
use crate::problem::{CommandError, Problem};
use crate::training_data::{LabelledData, load_labelled};

/// Score contact detection against labelled motions
///
/// Labels come from force plates, gait labs or corrected plants. Cross-validated: every motion is
/// scored by a detector that was fitted without its person and trial. A foot is down when its heel
/// or ball is; unlabelled frames are left out. Each motion is scored as captured, with its root path
/// scaled by 0.85 and 1.15, and with a slow drift.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot score labelled
  surefoot score labelled --method speed-height
  surefoot score labelled --method svm --features a+b --window 3
  surefoot score labelled --tables
  surefoot score walk.bvh run.bvh --json")]
pub struct ScoreArgs {
    #[command(flatten)]
    data: LabelledData,

    /// The detection method
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().as_str())]
    method: Method,

    /// Score this model, although it may have been fitted to these motions: a file, or `shipped` for
    /// the built-in one [default: cross-validated models]
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// touch: score contacts from heel strike to toe off; rest: only while the point itself rests
    #[arg(long, value_name = "touch|rest", value_parser = parse::edges, default_value = "touch")]
    edges: Edges,

    /// Also draw the calibration of the confidences, as SVG; - is stdout [default: not drawn]
    #[arg(long, value_name = "PLOT.svg", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,

    /// Number of folds of the cross-validation, split by person and trial
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    folds: usize,

    /// Print the tables of Hsu's thesis for DATA, beside the numbers of the thesis: the data, feature sets,
    /// window lengths, and plants and skate in separate classifiers; split by person and at random. Takes a
    /// few minutes; with --features, the rows of these features alone
    #[arg(long, conflicts_with = "method")]
    tables: bool,

    #[command(flatten)]
    fitting: FitArgs,

    /// Print the scores as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,
}

pub fn run(args: &ScoreArgs) -> Result<(), CommandError> {
    let plot = claim_drawing("--plot", args.plot.as_deref(), args.force.existing(), args.json)?;
    let all = load_labelled(&args.data)?;
    let given = given_model(args)?;
    let folds = Folds::new(&all, args.folds);
    if args.tables {
        let rows = args.fitting.features().map_or_else(TableRows::default, TableRows::of);
        return print_tables(&all, &folds, &rows, args.json);
    }
    if given.is_none() {
        // Fits once before the cross-validation, in which a fold that cannot be fitted detects nothing.
        args.fitting.fit(args.method, &all, SEED)?;
    }
    let ScoreArgs { method, edges, .. } = *args;
    let settings = ScoreSettings { method, edges, examples: args.fitting.settings(SEED) };
    let progress = |fold| stderr_line!("fitting fold {fold} of {}", folds.count);
    let scored = score_method(&all, &folds, &settings, given.as_ref(), progress).map_err(|error| {
        Problem::new(format!("cannot fit a model without one fold: {error}"))
            .help("--model scores a model without fitting")
    })?;
    let text = if args.json { json(&scored)? } else { scored.table().into_bytes() };
    print_beside(plot.map(|plot| (plot, sheet(&calibration_plots(&scored)))), &text)
}

/// The model of `--model`.
fn given_model(args: &ScoreArgs) -> Result<Option<ScoredModel>, Problem> {
    let Some(file) = &args.model else { return Ok(None) };
    Ok(Some(match args.method {
        Method::Knn | Method::Svm => ScoredModel::Examples(read_model(args.method, file)?),
        _ => ScoredModel::Learned(model(file)?),
    }))
}

/// Bins with fewer frames are not drawn: their fraction is mostly noise.
const LEAST_FRAMES: usize = 100;

/// Seed of the random subset of frames that knn and svm are fitted to.
const SEED: u64 = 1;

fn calibration_plots(scored: &ScoreReport) -> [Plot; 3] {
    let drawn = |title, bins: &[Reliability]| {
        let many = bins.iter().filter(|bin| bin.count >= LEAST_FRAMES);
        let points: Vec<(f64, f64)> = many.map(|bin| (bin.confidence, bin.down)).collect();
        surefoot_measure::plot::reliability(title, &points)
    };
    [
        drawn("feet: fraction down, by confidence", &scored.reliability),
        drawn("heels of generated motions: fraction down, by confidence", &scored.reliability_of_heels),
        drawn("balls of generated motions: fraction down, by confidence", &scored.reliability_of_balls),
    ]
}

/// Prints the tables of Hsu's thesis for these motions.
fn print_tables(
    all: &[LabelledMotion],
    folds: &Folds,
    rows: &TableRows,
    as_json: bool,
) -> Result<(), CommandError> {
    let bar = fitting_bar();
    let cells = tables(all, folds, rows, &|share| bar.set_position((100.0 * share) as u64));
    bar.finish_and_clear();
    if as_json {
        return print(&json(&cells.cells())?);
    }
    print(cells.text(all.len(), folds.count).as_bytes())
}
