//! `score`: the accuracy of contact detection on labelled motions.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_contact::learned::{self, Model};
use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::Footplants;
use surefoot_measure::plot::sheet;
use surefoot_train::{
    Damage, Detector, Folds, LOOKAHEADS, LabelledMotion, LiveScore, Reliability, Score, TrainingSettings,
    ValidationScore, calibrate_points, cross_validate, fit, held_out_scores, isotonic, point_reliability,
    reliability, score_live,
};

use crate::args::Force;
use crate::commands::detect::methods;
use crate::commands::train::model;
use crate::fitting::{FitArgs, FittedModel};
use crate::output::{Existing, Output, json, print};
use crate::parse;
use crate::problem::{CommandError, Problem};
use crate::training_data::load_labelled;

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
    /// Labelled motions: walk.bvh with walk.contacts.csv or walk.plants.json in the same folder; or
    /// folders of them
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath, required = true)]
    data: Vec<PathBuf>,

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

    /// Print the tables of Hsu's thesis for DATA, beside the numbers of the thesis: feature sets, window
    /// lengths, and plants and skate in separate classifiers. Takes a few minutes
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

/// The value that `score --json` prints.
#[derive(Serialize)]
struct ScoreJson {
    method: &'static str,
    folds: usize,
    motions: usize,
    /// Whether the scores are cross-validated.
    unseen: bool,
    rows: Vec<Row>,
    /// F1 of live detection by kind and look-ahead, for the learned method.
    live: Vec<LookaheadScore>,
    /// Confidence bins of feet: the mean confidence and the fraction that is down.
    reliability: Vec<ReliabilityBin>,
    /// Confidence bins of heels and balls, in generated motions.
    reliability_of_heels: Vec<ReliabilityBin>,
    reliability_of_balls: Vec<ReliabilityBin>,
}

/// The score of live detection on one kind of motion, with one look-ahead.
#[derive(Serialize)]
struct LookaheadScore {
    kind: String,
    lookahead_s: f64,
    f1: f64,
}

#[derive(Serialize)]
struct ReliabilityBin {
    called: f64,
    down: f64,
    count: usize,
}

impl ReliabilityBin {
    fn of(bin: &Reliability) -> Self {
        Self { called: bin.confidence, down: bin.down, count: bin.count }
    }
}

/// One kind of motion under one damage.
#[derive(Serialize)]
struct Row {
    kind: String,
    damage: String,
    motions: usize,
    frames: usize,
    f1: f64,
    recall: f64,
    precision: f64,
    edges: usize,
    edges_missed: usize,
    /// In seconds; `null` without edges, or if more than 5 % of them were missed.
    edge_median_s: Option<f64>,
    edge_95_s: Option<f64>,
    strike_late_s: Option<f64>,
    lift_late_s: Option<f64>,
}

pub fn run(args: &ScoreArgs) -> Result<(), CommandError> {
    let plot = args.plot.as_ref().map(|name| Output::claim(name, Existing::from_force(args.force.force)));
    let plot = plot.transpose()?;
    let all = load_labelled(&args.data)?;
    let is_example = matches!(args.method, Method::Knn | Method::Svm);
    let given = args.model.as_ref().filter(|_| !is_example).map(|file| model(file)).transpose()?;
    let folds = Folds::new(&all, args.folds);
    if args.tables {
        return super::tables::run(&all, &folds, args.json);
    }
    // Fits once before the cross-validation, because an error cannot be returned from within a fold.
    let shown = match (&args.model, is_example) {
        (Some(file), true) => Some(FittedModel::open(args.method, file)?),
        (None, true) => {
            args.fitting.fit(args.method, &all.iter().collect::<Vec<_>>(), SEED)?;
            None
        }
        _ => None,
    };
    let models = RefCell::new(Vec::new());
    let problem = RefCell::new(None);
    let held = cross_validate(&all, &folds, &Damage::SCORED, |seen| match (args.method, &given) {
        (Method::Learned, Some(model)) => by_model(model.clone(), args),
        (Method::Learned, None) => {
            eprintln!("fitting fold {} of {}", models.borrow().len() + 1, folds.count);
            match fit(seen, None, &TrainingSettings::default()) {
                Ok(model) => {
                    models.borrow_mut().push(model.clone());
                    by_model(model, args)
                }
                Err(error) => {
                    problem.replace(Some(error));
                    Box::new(|_| Footplants::default())
                }
            }
        }
        (Method::Knn | Method::Svm, _) => by_example(args, shown.as_ref(), seen),
        (method, _) => by_rule(method, args),
    });
    if let Some(error) = problem.take() {
        return Err(Problem::new(format!("cannot fit a model without one fold: {error}"))
            .help("--model scores a model without fitting")
            .into());
    }
    let models = models.take();
    let scores = held_out_scores(&all, &folds, &models);
    let reliability = reliability(&scores);
    let [heels, balls] = models.first().map_or_else(Default::default, |model| {
        let mut model = Model { score_calibration: isotonic(&scores.concat()), ..model.clone() };
        calibrate_points(&mut model);
        point_reliability(&model)
    });
    let scored = ScoreJson {
        method: args.method.as_str(),
        folds: folds.count,
        motions: all.len(),
        unseen: args.model.is_none(),
        rows: rows(&all, &held),
        live: ahead(&all, &score_live(&all, &folds, &models)),
        reliability: reliability.iter().map(ReliabilityBin::of).collect(),
        reliability_of_heels: heels.iter().map(ReliabilityBin::of).collect(),
        reliability_of_balls: balls.iter().map(ReliabilityBin::of).collect(),
    };
    if let Some(plot) = plot {
        let drawn = |title, bins: &[Reliability]| {
            let many = bins.iter().filter(|bin| bin.count >= LEAST_FRAMES);
            let points: Vec<(f64, f64)> = many.map(|bin| (bin.confidence, bin.down)).collect();
            surefoot_measure::plot::reliability(title, &points)
        };
        let plots = [
            drawn("feet: fraction down, by confidence", &reliability),
            drawn("heels of generated motions: fraction down, by confidence", &heels),
            drawn("balls of generated motions: fraction down, by confidence", &balls),
        ];
        plot.write(sheet(&plots).as_bytes())?;
    }
    if args.json {
        return print(&json(&scored)?);
    }
    print(text(&scored).as_bytes())
}

fn settings(method: Method, labelled: &LabelledMotion, args: &ScoreArgs) -> Settings {
    Settings { method, first_frame: labelled.first_frame, edges: args.edges, ..Settings::default() }
}

fn by_model<'a>(model: Model, args: &'a ScoreArgs) -> Detector<'a> {
    Box::new(move |labelled| {
        let LabelledMotion { motion, legs, floor, .. } = labelled;
        let settings = settings(Method::Learned, labelled, args);
        learned::detect(&model, motion, legs, floor.as_ref(), &settings)
    })
}

/// Bins with fewer frames are not drawn: their fraction is mostly noise.
const LEAST_FRAMES: usize = 100;

/// Seed of the random subset of frames that knn and svm are fitted to.
const SEED: u64 = 1;

/// A detector by knn or svm: a given model, or one fitted to the training motions.
fn by_example<'a>(
    args: &'a ScoreArgs,
    given: Option<&'a FittedModel>,
    seen: &[&LabelledMotion],
) -> Detector<'a> {
    let fitted = match given {
        Some(_) => None,
        // Without enough training motions in this fold, nothing is detected.
        None => args.fitting.fit(args.method, seen, SEED).ok().flatten(),
    };
    Box::new(move |labelled| {
        let LabelledMotion { motion, legs, floor, .. } = labelled;
        let settings = settings(args.method, labelled, args);
        let model = given.or(fitted.as_ref());
        model.map_or_else(Footplants::default, |model| model.detect(motion, legs, floor.as_ref(), &settings))
    })
}

/// A detector with nothing to fit.
fn by_rule(method: Method, args: &ScoreArgs) -> Detector<'_> {
    Box::new(move |labelled| {
        let LabelledMotion { motion, legs, floor, .. } = labelled;
        detect(motion, legs, floor.as_ref(), &settings(method, labelled, args))
    })
}

/// The kinds of motions, in order of appearance.
fn kinds(all: &[LabelledMotion]) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for labelled in all {
        if !kinds.contains(&labelled.info.kind.as_str()) {
            kinds.push(&labelled.info.kind);
        }
    }
    kinds
}

/// Scores of live detection by kind, then look-ahead.
fn ahead(all: &[LabelledMotion], live: &[LiveScore]) -> Vec<LookaheadScore> {
    if live.is_empty() {
        return Vec::new();
    }
    let one = |kind: &str, lookahead_s: f64| {
        let mut score = Score::default();
        let of = |live: &&LiveScore| live.lookahead == lookahead_s && all[live.motion].info.kind == kind;
        live.iter().filter(of).for_each(|live| score.add(&live.score));
        LookaheadScore { kind: kind.into(), lookahead_s, f1: score.f1() }
    };
    let each = kinds(all).into_iter().flat_map(|kind| LOOKAHEADS.map(|lookahead| (kind, lookahead)));
    each.map(|(kind, lookahead)| one(kind, lookahead)).collect()
}

/// Scores by damage, then kind.
fn rows(all: &[LabelledMotion], held: &[ValidationScore]) -> Vec<Row> {
    let kinds = kinds(all);
    let row = |damage: Damage, kind: &str| {
        let mut score = Score::default();
        let of = |held: &&ValidationScore| held.damage == damage && all[held.motion].info.kind == kind;
        held.iter().filter(of).for_each(|held| score.add(&held.score));
        let edges = score.edge_errors();
        let seconds = |value: f64| Some(value).filter(|value| value.is_finite());
        Row {
            kind: kind.into(),
            damage: damage.description(),
            motions: held.iter().filter(of).count(),
            frames: score.frames(),
            f1: score.f1(),
            recall: score.recall(),
            precision: score.precision(),
            edges: edges.map_or(0, |edges| edges.count),
            edges_missed: edges.map_or(0, |edges| edges.missed),
            edge_median_s: edges.and_then(|edges| seconds(edges.median)),
            edge_95_s: edges.and_then(|edges| seconds(edges.percentile_95)),
            strike_late_s: score.median_delays()[0],
            lift_late_s: score.median_delays()[1],
        }
    };
    let each = Damage::SCORED.into_iter().flat_map(|damage| kinds.iter().map(move |kind| (damage, *kind)));
    each.map(|(damage, kind)| row(damage, kind)).collect()
}

fn text(scored: &ScoreJson) -> String {
    let ScoreJson { method, folds, motions, unseen, rows, live, .. } = scored;
    let how = if *unseen { "cross-validated" } else { "scored by one model, which may know them" };
    let mut text = format!("{method}: {motions} motions, {folds} folds; {how}\n");
    let mut damage = "";
    for row in rows {
        if row.damage != damage {
            damage = &row.damage;
            text += &format!(
                "\n{damage}\n  {:27}{:>8}{:>8}{:>8}{:>11}{:>14}{:>9}{:>13}{:>11}\n",
                "",
                "frames",
                "F1",
                "recall",
                "precision",
                "edges: median",
                "95 %",
                "strike late",
                "lift late"
            );
        }
        text += &line(row);
    }
    text += &lookaheads(live);
    let tables = [
        ("feet: confidence, and fraction that is down", &scored.reliability),
        ("heels of generated motions: confidence, and fraction that is down", &scored.reliability_of_heels),
        ("balls of generated motions: confidence, and fraction that is down", &scored.reliability_of_balls),
    ];
    for (title, table) in tables.into_iter().filter(|(_, table)| !table.is_empty()) {
        text += &format!("\n{title}\n");
        for ReliabilityBin { called, down, count } in table {
            text += &format!("  {called:>6.3}{down:>8.3}{count:>8} frames\n");
        }
    }
    text
}

/// F1 of live detection, one line per kind and one column per look-ahead.
fn lookaheads(live: &[LookaheadScore]) -> String {
    let mut text = String::new();
    for (at, of_kind) in live.chunk_by(|a, b| a.kind == b.kind).enumerate() {
        if at == 0 {
            let seconds = of_kind.iter().map(|ahead| format!("{:>8}", format!("{} s", ahead.lookahead_s)));
            text += &format!(
                "\nlive detection, as captured: F1 by look-ahead\n  {:27}{}\n",
                "",
                seconds.collect::<String>()
            );
        }
        let each = of_kind.iter().map(|ahead| format!("{:>8.4}", ahead.f1));
        text += &format!("  {:27}{}\n", of_kind[0].kind, each.collect::<String>());
    }
    text
}

fn line(row: &Row) -> String {
    let ms =
        |seconds: Option<f64>| seconds.map_or("–".into(), |seconds| format!("{:.0} ms", 1000.0 * seconds));
    format!(
        "  {:27}{:>8}{:>8.4}{:>8.4}{:>11.4}{:>14}{:>9}{:>13}{:>11}\n",
        row.kind,
        row.frames,
        row.f1,
        row.recall,
        row.precision,
        ms(row.edge_median_s),
        ms(row.edge_95_s),
        ms(row.strike_late_s),
        ms(row.lift_late_s)
    )
}
