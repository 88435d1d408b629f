//! The scores of a detection method, by kind of motion and damage.

use std::cell::RefCell;

use serde::Serialize;
use surefoot_contact::learned::{self, Model};
use surefoot_contact::{Edges, Method, Settings, detect};
use surefoot_core::Footplants;

use crate::calibration::{Reliability, held_out_scores, isotonic, reliability};
use crate::cross_validation::{Detector, ValidationScore, cross_validate};
use crate::damage::Damage;
use crate::error::FitError;
use crate::example_model::{ExampleModel, ExampleSettings};
use crate::fit::{TrainingSettings, fit};
use crate::folds::Folds;
use crate::labelled_motion::LabelledMotion;
use crate::live::{LOOKAHEADS, LiveScore, score_live};
use crate::point_calibration::{calibrate_points, point_reliability};
use crate::score::Score;

/// The accuracy of a detection method on labelled motions: the value that `score --json` prints.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ScoreReport {
    /// The method's name.
    pub method: &'static str,
    /// The number of folds.
    pub folds: usize,
    /// The number of motions.
    pub motions: usize,
    /// Whether the scores are cross-validated.
    pub cross_validated: bool,
    /// By damage, then kind.
    pub rows: Vec<ScoreRow>,
    /// F1 of live detection by kind and look-ahead, for the learned method.
    pub live: Vec<LookaheadScore>,
    /// Confidence bins of feet: the mean confidence and the fraction that is down.
    pub reliability: Vec<Reliability>,
    /// Confidence bins of heels, in generated motions.
    pub reliability_of_heels: Vec<Reliability>,
    /// Confidence bins of balls, in generated motions.
    pub reliability_of_balls: Vec<Reliability>,
}

/// The score of live detection on one kind of motion, with one look-ahead.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct LookaheadScore {
    /// The kind of motion.
    pub kind: String,
    /// The look-ahead, in seconds.
    pub lookahead_s: f64,
    /// The F1 score.
    pub f1: f64,
}

/// One kind of motion under one damage.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ScoreRow {
    /// The kind of motion.
    pub kind: String,
    /// The damage, in words.
    pub damage: String,
    /// The number of motions.
    pub motions: usize,
    /// The number of labelled frames.
    pub frames: usize,
    /// The F1 score.
    pub f1: f64,
    /// The fraction of frames on the ground that were detected.
    pub recall: f64,
    /// The fraction of detected frames that are on the ground.
    pub precision: f64,
    /// The number of heel strikes and toe offs.
    pub edges: usize,
    /// The number of edges without a detected counterpart.
    pub edges_missed: usize,
    /// Median distance of edges in seconds; `None` without edges, or if more than 5 % of them were missed.
    pub edge_median_s: Option<f64>,
    /// The 95th percentile of the distance of edges, in seconds.
    pub edge_95_s: Option<f64>,
    /// Median delay of heel strikes, in seconds.
    pub strike_late_s: Option<f64>,
    /// Median delay of toe offs, in seconds.
    pub lift_late_s: Option<f64>,
}

/// What is scored.
#[derive(Clone, Debug)]
pub struct ScoreSettings {
    /// The detection method.
    pub method: Method,
    /// The edges of plants.
    pub edges: Edges,
    /// How knn and svm are fitted.
    pub examples: ExampleSettings,
}

/// A model that is scored instead of cross-validated ones.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
#[derive(Clone, Debug)]
pub enum ScoredModel {
    /// A model of the learned method.
    Learned(Model),
    /// A model of knn or svm.
    Examples(ExampleModel),
}

impl ScoreSettings {
    fn detection(&self, labelled: &LabelledMotion) -> Settings {
        let (method, edges) = (self.method, self.edges);
        Settings { detector: method, first_frame: labelled.first_frame, edges, ..Settings::default() }
    }

    fn learned_detector(&self, model: Model) -> Detector<'_> {
        Box::new(move |labelled| {
            let LabelledMotion { motion, legs, floor, .. } = labelled;
            learned::detect(&model, motion, legs, floor.as_ref(), &self.detection(labelled))
        })
    }

    /// A detector by knn or svm: a given model, or one fitted to the training motions.
    fn example_detector<'a>(
        &'a self,
        given: Option<&'a ExampleModel>,
        training: &[&LabelledMotion],
    ) -> Detector<'a> {
        let fitted = match given {
            Some(_) => None,
            // Without enough training motions in this fold, nothing is detected.
            None => ExampleModel::fit(self.method, training, &self.examples).ok().flatten(),
        };
        Box::new(move |labelled| {
            let LabelledMotion { motion, legs, floor, .. } = labelled;
            given.or(fitted.as_ref()).map_or_else(Footplants::default, |model| {
                model.detect(motion, legs, floor.as_ref(), &self.detection(labelled))
            })
        })
    }

    /// A detector with nothing to fit.
    fn rule_detector(&self) -> Detector<'_> {
        Box::new(move |labelled| {
            let LabelledMotion { motion, legs, floor, .. } = labelled;
            detect(motion, legs, floor.as_ref(), &self.detection(labelled))
        })
    }
}

/// Scores a method, cross-validated, or a given model, which may have been trained on the motions.
///
/// `progress` receives the number of the fold that is about to be fitted, from 1, where the method is the learned one.
/// An error is that of the learned method in one of the folds.
pub fn score_method(
    all: &[LabelledMotion],
    folds: &Folds,
    settings: &ScoreSettings,
    given: Option<&ScoredModel>,
    progress: impl Fn(usize),
) -> Result<ScoreReport, FitError> {
    let models = RefCell::new(Vec::new());
    let problem = RefCell::new(None);
    let validation_scores =
        cross_validate(all, folds, &Damage::SCORED, |seen| match (settings.method, given) {
            (Method::Learned, Some(ScoredModel::Learned(model))) => settings.learned_detector(model.clone()),
            (Method::Learned, _) => {
                progress(models.borrow().len() + 1);
                match fit(seen, None, &TrainingSettings::default()) {
                    Ok(model) => {
                        models.borrow_mut().push(model.clone());
                        settings.learned_detector(model)
                    }
                    Err(error) => {
                        problem.replace(Some(error));
                        Box::new(|_| Footplants::default())
                    }
                }
            }
            (Method::Knn | Method::Svm, Some(ScoredModel::Examples(model))) => {
                settings.example_detector(Some(model), seen)
            }
            (Method::Knn | Method::Svm, _) => settings.example_detector(None, seen),
            _ => settings.rule_detector(),
        });
    if let Some(error) = problem.take() {
        return Err(error);
    }
    let models = models.take();
    let scores = held_out_scores(all, folds, &models);
    let [heels, balls] = models.first().map_or_else(Default::default, |model| {
        let mut model = Model { score_calibration: isotonic(&scores.concat()), ..model.clone() };
        calibrate_points(&mut model);
        point_reliability(&model)
    });
    Ok(ScoreReport {
        method: settings.method.as_str(),
        folds: folds.count,
        motions: all.len(),
        cross_validated: given.is_none(),
        rows: rows(all, &validation_scores),
        live: lookahead_scores(all, &score_live(all, folds, &models)),
        reliability: reliability(&scores),
        reliability_of_heels: heels,
        reliability_of_balls: balls,
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
fn lookahead_scores(all: &[LabelledMotion], live: &[LiveScore]) -> Vec<LookaheadScore> {
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
fn rows(all: &[LabelledMotion], scores: &[ValidationScore]) -> Vec<ScoreRow> {
    let kinds = kinds(all);
    let row = |damage: Damage, kind: &str| {
        let mut score = Score::default();
        let of = |one: &&ValidationScore| one.damage == damage && all[one.motion].info.kind == kind;
        scores.iter().filter(of).for_each(|one| score.add(&one.score));
        let edges = score.edge_errors();
        let seconds = |value: f64| Some(value).filter(|value| value.is_finite());
        ScoreRow {
            kind: kind.into(),
            damage: damage.description(),
            motions: scores.iter().filter(of).count(),
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

impl ScoreReport {
    /// The scores as text tables, as `score` prints them.
    pub fn table(&self) -> String {
        text(self)
    }
}

fn text(scored: &ScoreReport) -> String {
    let ScoreReport { method, folds, motions, cross_validated, rows, live, .. } = scored;
    let validation = if *cross_validated {
        "cross-validated"
    } else {
        "scored by one model, which may have been trained on them"
    };
    let mut text = format!("{method}: {motions} motions, {folds} folds; {validation}\n");
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
        for Reliability { confidence, down, count } in table {
            text += &format!("  {confidence:>6.3}{down:>8.3}{count:>8} frames\n");
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

fn line(row: &ScoreRow) -> String {
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
