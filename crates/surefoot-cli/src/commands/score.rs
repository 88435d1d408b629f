//! `score`: how well plants are found where it is known when feet are down.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_contact::learned::{self, Model};
use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::Footplants;
use surefoot_measure::plot::sheet;
use surefoot_train::{
    Damage, Detector, Fitting, Folds, Held, LOOKAHEADS, Labelled, Live, Reliability, Score, fit, held_out,
    isotonic, live, reliability, rests_reliability, told, weigh_points,
};

use crate::args::Force;
use crate::commands::detect::methods;
use crate::commands::train::model;
use crate::fitting::{FitArgs, FittedModel};
use crate::output::{Existing, Output, json, print};
use crate::parse;
use crate::problem::{CommandError, Problem};
use crate::training_data::labelled;

/// Score how well plants are found, against force plates, gait labs or corrected plants
///
/// Every motion is scored by a detector that never saw its person or its trial: what can be fitted
/// is fitted anew without them. A foot is down when its heel or its ball is; frames that are not
/// known are left out. Each motion is scored as captured, with its root path × 0.85 and × 1.15, and
/// drifting slowly.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  surefoot score labelled
  surefoot score labelled --method speed-height
  surefoot score labelled --method svm --features a+b --window 3
  surefoot score labelled --tables
  surefoot score walk.bvh run.bvh --json")]
pub struct ScoreArgs {
    /// Labelled motions: walk.bvh with walk.contacts.csv or walk.plants.json beside it, or folders
    /// of them
    #[arg(value_name = "DATA", value_hint = ValueHint::AnyPath, required = true)]
    data: Vec<PathBuf>,

    /// How plants are found
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().as_str())]
    method: Method,

    /// A model to score as it is, though it may have seen these motions: a file, or `shipped`
    /// [default: models are fitted that have not]
    #[arg(long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    model: Option<PathBuf>,

    /// From where to where plants go: while the foot touches, or only while the point rests
    #[arg(long, value_name = "touch|rest", value_parser = parse::edges, default_value = "touch")]
    edges: Edges,

    /// Draw how true the confidences are, as an SVG picture; - is stdout [default: none is drawn]
    #[arg(long, value_name = "PLOT.svg", value_hint = ValueHint::FilePath)]
    plot: Option<PathBuf>,

    /// How many parts the people and trials are shared out over; each is left out once
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    folds: usize,

    /// Print the tables of Hsu's thesis for DATA, beside the thesis's own numbers: which features,
    /// how many instants, plants and skate apart. Takes a few minutes
    #[arg(long, conflicts_with = "method")]
    tables: bool,

    #[command(flatten)]
    fitting: FitArgs,

    /// Print the table as one JSON value [default: as text]
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    force: Force,
}

/// What `score --json` prints.
#[derive(Serialize)]
struct Scored {
    method: &'static str,
    folds: usize,
    motions: usize,
    /// Whether every motion was scored by what never saw it.
    unseen: bool,
    rows: Vec<Row>,
    /// F1 as a stream finds plants, by kind and look-ahead; of the default only.
    live: Vec<Ahead>,
    /// Of the feet called about so sure, the share that is down.
    reliability: Vec<Called>,
    /// The same of heels and balls, in made motions.
    reliability_of_heels: Vec<Called>,
    reliability_of_balls: Vec<Called>,
}

/// One kind of motion, as captured, found by a stream that looks so far ahead.
#[derive(Serialize)]
struct Ahead {
    kind: String,
    lookahead_s: f64,
    f1: f64,
}

#[derive(Serialize)]
struct Called {
    called: f64,
    down: f64,
    count: usize,
}

impl Called {
    fn of(bin: &Reliability) -> Self {
        Self { called: bin.called, down: bin.down, count: bin.count }
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
    /// In seconds; `null` where there is no edge, or more than 5 % were not found.
    edge_median_s: Option<f64>,
    edge_95_s: Option<f64>,
    strike_late_s: Option<f64>,
    lift_late_s: Option<f64>,
}

pub fn run(args: &ScoreArgs) -> Result<(), CommandError> {
    let plot = args.plot.as_ref().map(|name| Output::claim(name, Existing::from_force(args.force.force)));
    let plot = plot.transpose()?;
    let all = labelled(&args.data)?;
    let is_example = matches!(args.method, Method::Knn | Method::Svm);
    let given = args.model.as_ref().filter(|_| !is_example).map(|file| model(file)).transpose()?;
    let folds = Folds::new(&all, args.folds);
    if args.tables {
        return super::tables::run(&all, &folds, args.json);
    }
    // A fit that fails would fail in a fold, where there is no way out.
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
    let held = held_out(&all, &folds, &Damage::SCORED, |seen| match (args.method, &given) {
        (Method::Learned, Some(model)) => by_model(model.clone(), args),
        (Method::Learned, None) => {
            eprintln!("fitting without fold {} of {}", models.borrow().len() + 1, folds.count);
            match fit(seen, None, &Fitting::default()) {
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
            .help("--model scores a model as it is")
            .into());
    }
    let models = models.take();
    let told = told(&all, &folds, &models);
    let reliability = reliability(&told);
    let [heels, balls] = models.first().map_or_else(Default::default, |model| {
        let mut model = Model { score_calibration: isotonic(&told.concat()), ..model.clone() };
        weigh_points(&mut model);
        rests_reliability(&model)
    });
    let scored = Scored {
        method: args.method.as_str(),
        folds: folds.count,
        motions: all.len(),
        unseen: args.model.is_none(),
        rows: rows(&all, &held),
        live: ahead(&all, &live(&all, &folds, &models)),
        reliability: reliability.iter().map(Called::of).collect(),
        reliability_of_heels: heels.iter().map(Called::of).collect(),
        reliability_of_balls: balls.iter().map(Called::of).collect(),
    };
    if let Some(plot) = plot {
        let drawn = |title, bins: &[Reliability]| {
            let many = bins.iter().filter(|bin| bin.count >= DRAWN);
            let points: Vec<(f64, f64)> = many.map(|bin| (bin.called, bin.down)).collect();
            surefoot_measure::plot::reliability(title, &points)
        };
        let plots = [
            drawn("feet: share that is down, by how sure it was called", &reliability),
            drawn("heels of made motions: the same", &heels),
            drawn("balls of made motions: the same", &balls),
        ];
        plot.write(sheet(&plots).as_bytes())?;
    }
    if args.json {
        return print(&json(&scored)?);
    }
    print(text(&scored).as_bytes())
}

fn settings(method: Method, labelled: &Labelled, args: &ScoreArgs) -> Settings {
    Settings { method, first_frame: labelled.first_frame, edges: args.edges, ..Settings::default() }
}

fn by_model<'a>(model: Model, args: &'a ScoreArgs) -> Detector<'a> {
    Box::new(move |labelled| {
        let Labelled { motion, legs, floor, .. } = labelled;
        let settings = settings(Method::Learned, labelled, args);
        learned::detect(&model, motion, legs, floor.as_ref(), &settings)
    })
}

/// The fewest frames whose share is drawn: of two frames it says nothing.
const DRAWN: usize = 100;

/// Draws what knn and svm are shown.
const SEED: u64 = 1;

/// One of the literature's methods: as it is given, or fitted to what it may see.
fn by_example<'a>(args: &'a ScoreArgs, given: Option<&'a FittedModel>, seen: &[&Labelled]) -> Detector<'a> {
    let fitted = match given {
        Some(_) => None,
        // What cannot be fitted without the motions left out finds nothing in them.
        None => args.fitting.fit(args.method, seen, SEED).ok().flatten(),
    };
    Box::new(move |labelled| {
        let Labelled { motion, legs, floor, .. } = labelled;
        let settings = settings(args.method, labelled, args);
        let model = given.or(fitted.as_ref());
        model.map_or_else(Footplants::default, |model| model.detect(motion, legs, floor.as_ref(), &settings))
    })
}

/// A method that has nothing to fit.
fn by_rule(method: Method, args: &ScoreArgs) -> Detector<'_> {
    Box::new(move |labelled| {
        let Labelled { motion, legs, floor, .. } = labelled;
        detect(motion, legs, floor.as_ref(), &settings(method, labelled, args))
    })
}

/// The kinds of motions, in the order in which they come.
fn kinds(all: &[Labelled]) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for labelled in all {
        if !kinds.contains(&labelled.about.kind.as_str()) {
            kinds.push(&labelled.about.kind);
        }
    }
    kinds
}

/// By kind, then look-ahead.
fn ahead(all: &[Labelled], live: &[Live]) -> Vec<Ahead> {
    if live.is_empty() {
        return Vec::new();
    }
    let one = |kind: &str, lookahead_s: f64| {
        let mut score = Score::default();
        let of = |live: &&Live| live.lookahead == lookahead_s && all[live.motion].about.kind == kind;
        live.iter().filter(of).for_each(|live| score.add(&live.score));
        Ahead { kind: kind.into(), lookahead_s, f1: score.f1() }
    };
    let each = kinds(all).into_iter().flat_map(|kind| LOOKAHEADS.map(|lookahead| (kind, lookahead)));
    each.map(|(kind, lookahead)| one(kind, lookahead)).collect()
}

/// By damage, then kind in the order in which they come.
fn rows(all: &[Labelled], held: &[Held]) -> Vec<Row> {
    let kinds = kinds(all);
    let row = |damage: Damage, kind: &str| {
        let mut score = Score::default();
        let of = |held: &&Held| held.damage == damage && all[held.motion].about.kind == kind;
        held.iter().filter(of).for_each(|held| score.add(&held.score));
        let edges = score.edges();
        let seconds = |value: f64| Some(value).filter(|value| value.is_finite());
        Row {
            kind: kind.into(),
            damage: damage.words(),
            motions: held.iter().filter(of).count(),
            frames: score.frames(),
            f1: score.f1(),
            recall: score.recall(),
            precision: score.precision(),
            edges: edges.map_or(0, |edges| edges.count),
            edges_missed: edges.map_or(0, |edges| edges.missed),
            edge_median_s: edges.and_then(|edges| seconds(edges.median)),
            edge_95_s: edges.and_then(|edges| seconds(edges.within)),
            strike_late_s: score.late()[0],
            lift_late_s: score.late()[1],
        }
    };
    let each = Damage::SCORED.into_iter().flat_map(|damage| kinds.iter().map(move |kind| (damage, *kind)));
    each.map(|(damage, kind)| row(damage, kind)).collect()
}

fn text(scored: &Scored) -> String {
    let Scored { method, folds, motions, unseen, rows, live, .. } = scored;
    let how = if *unseen { "each scored by what never saw it" } else { "scored by a model as it is" };
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
        ("how sure, and how often the foot is down", &scored.reliability),
        (
            "how sure a heel's plant in made motions, and how often the heel is down",
            &scored.reliability_of_heels,
        ),
        (
            "how sure a ball's plant in made motions, and how often the ball is down",
            &scored.reliability_of_balls,
        ),
    ];
    for (title, table) in tables.into_iter().filter(|(_, table)| !table.is_empty()) {
        text += &format!("\n{title}\n");
        for Called { called, down, count } in table {
            text += &format!("  {called:>6.3}{down:>8.3}{count:>8} frames\n");
        }
    }
    text
}

/// F1 of streams, a line a kind and a column a look-ahead.
fn lookaheads(live: &[Ahead]) -> String {
    let mut text = String::new();
    for (at, of_kind) in live.chunk_by(|a, b| a.kind == b.kind).enumerate() {
        if at == 0 {
            let seconds = of_kind.iter().map(|ahead| format!("{:>8}", format!("{} s", ahead.lookahead_s)));
            text += &format!(
                "\nlive, as captured: F1 by look-ahead\n  {:27}{}\n",
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
