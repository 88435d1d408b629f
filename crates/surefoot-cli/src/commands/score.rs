//! `score`: how well plants are found where it is known when feet are down.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use serde::Serialize;
use surefoot_contact::{Method, Settings, detect};
use surefoot_core::Footplants;
use surefoot_train::{Damage, Detector, Folds, Held, Labelled, Score, held_out};

use crate::commands::detect::methods;
use crate::fitting::Fitting;
use crate::labelled::labelled;
use crate::output::{json, print};
use crate::problem::Stop;

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
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = Method::default().word())]
    method: Method,

    /// How many parts the people and trials are shared out over; each is left out once
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    folds: usize,

    /// Print the tables of Hsu's thesis for DATA, beside the thesis's own numbers: which features,
    /// how many instants, plants and skate apart. Takes a few minutes
    #[arg(long, conflicts_with = "method")]
    tables: bool,

    #[command(flatten)]
    fitting: Fitting,

    /// Print the table as one JSON value [default: as text]
    #[arg(long)]
    json: bool,
}

/// What `score --json` prints.
#[derive(Serialize)]
struct Scored {
    method: &'static str,
    folds: usize,
    motions: usize,
    rows: Vec<Row>,
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

pub fn run(args: &ScoreArgs) -> Result<(), Stop> {
    let all = labelled(&args.data)?;
    let folds = Folds::new(&all, args.folds);
    if args.tables {
        return super::tables::run(&all, &folds, args.json);
    }
    // A fit that fails would fail in a fold, where there is no way out.
    args.fitting.fit(args.method, &all.iter().collect::<Vec<_>>())?;
    let held = held_out(&all, &folds, &Damage::SCORED, |seen| fitted(args.method, &args.fitting, seen));
    let scored = Scored {
        method: args.method.word(),
        folds: folds.count,
        motions: all.len(),
        rows: rows(&all, &held),
    };
    if args.json {
        return print(&json(&scored)?);
    }
    print(text(&scored).as_bytes())
}

/// A detector of this method, fitted to what it may see.
fn fitted<'a>(method: Method, fitting: &Fitting, seen: &[&Labelled]) -> Detector<'a> {
    // What cannot be fitted without the motions left out finds nothing in them.
    let model = fitting.fit(method, seen);
    Box::new(move |labelled| {
        let Labelled { motion, legs, floor, first_frame, .. } = labelled;
        let settings = Settings { method, first_frame: *first_frame, ..Settings::default() };
        match &model {
            Ok(Some(model)) => model.detect(motion, legs, floor.as_ref(), &settings),
            Ok(None) => detect(motion, legs, floor.as_ref(), &settings),
            Err(_) => Footplants::default(),
        }
    })
}

/// By damage, then kind in the order in which they come.
fn rows(all: &[Labelled], held: &[Held]) -> Vec<Row> {
    let mut kinds: Vec<&str> = Vec::new();
    for labelled in all {
        if !kinds.contains(&labelled.about.kind.as_str()) {
            kinds.push(&labelled.about.kind);
        }
    }
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
    let Scored { method, folds, motions, rows } = scored;
    let mut text = format!("{method}: {motions} motions, {folds} folds; each scored by what never saw it\n");
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
