//! From labelled motions to a model.

use crate::boost::{Boosting, Table, boost};
use crate::calibrate::{isotonic, told};
use crate::damage::{Damage, damaged, resampled};
use crate::folds::Folds;
use crate::labelled::Labelled;
use crate::rests::weigh_points;
use crate::samples::samples;
use core::fmt;
use std::collections::BTreeMap;
use surefoot_contact::learned::{Model, MotionHeader, feature_rows};
use surefoot_core::math::{exp, ln, pow};
use surefoot_sample::Random;

/// How a model is fitted.
#[derive(Clone, Copy, Debug)]
pub struct Fitting {
    /// The trees.
    pub boosting: Boosting,
    /// Damaged copies of each motion beside the whole one.
    pub copies: usize,
    /// Seeds of made motions that are fitted too; none with 0.
    pub samples: u64,
    /// How much less a frame counts of a kind of which there is much: the power of how much there is.
    /// With 0 every frame counts alike, with 1 every kind.
    pub power: f64,
    /// Seeds damage, frame rates and draws.
    pub seed: u64,
}

impl Default for Fitting {
    fn default() -> Self {
        Self { boosting: Boosting::default(), copies: 15, samples: 4, power: 0.5, seed: 1 }
    }
}

/// Why no model can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum C3dFitError {
    /// Too few frames are labelled.
    TooFew {
        /// How many are.
        found: usize,
        /// How many it takes.
        expected: usize,
    },
    /// All feet are down, or all are up.
    OneClass {
        /// Whether they are down.
        down: bool,
    },
}

impl fmt::Display for C3dFitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { found, expected } => {
                write!(f, "{found} labelled frames are too few to fit a model, expected {expected} at least")
            }
            Self::OneClass { down } => {
                let word = if *down { "down" } else { "up" };
                write!(f, "every labelled foot is {word}: there is nothing to tell apart")
            }
        }
    }
}

impl core::error::Error for C3dFitError {}

/// Labelled frames below which no model is fitted: about a second of two feet.
const LEAST: usize = 200;

/// Fits a model; the same motions and settings give the same bytes.
pub fn fit(all: &[&Labelled], from: Option<&Model>, how: &Fitting) -> Result<Model, C3dFitError> {
    check(all)?;
    let mut model = boost(&table(all, how), from, &how.boosting);
    if let Some(from) = from {
        model.score_calibration.clone_from(&from.score_calibration);
        model.rest_calibration.clone_from(&from.rest_calibration);
        model.plant_calibration.clone_from(&from.plant_calibration);
    }
    Ok(model)
}

/// Whether there is anything to fit.
fn check(all: &[&Labelled]) -> Result<(), C3dFitError> {
    let found = all.iter().map(|labelled| labelled.labels()).sum();
    if found < LEAST {
        return Err(C3dFitError::TooFew { found, expected: LEAST });
    }
    let mut labels = all.iter().flat_map(|labelled| labelled.down.iter().flatten().flatten());
    let first = *labels.next().unwrap_or(&true);
    if labels.all(|&down| down == first) {
        return Err(C3dFitError::OneClass { down: first });
    }
    Ok(())
}

/// How many parts the people and trials are shared out over to find out what scores are worth.
const FOLDS: usize = 6;

/// Fits a model to all motions, with probabilities that are true of motions it did not see.
///
/// What its scores are worth is found from models that each leave a part of the motions out.
/// `step` is told of each model that is fitted: which one, of how many.
pub fn train(
    all: &[Labelled],
    how: &Fitting,
    mut step: impl FnMut(usize, usize),
) -> Result<Model, C3dFitError> {
    check(&all.iter().collect::<Vec<_>>())?;
    let folds = Folds::new(all, FOLDS);
    let used: Vec<usize> = (0..folds.count).filter(|fold| folds.of.contains(fold)).collect();
    let mut models = Vec::new();
    for fold in used.iter().filter(|_| used.len() > 1) {
        step(models.len(), used.len() + 1);
        let seen: Vec<&Labelled> =
            all.iter().zip(&folds.of).filter(|(_, of)| *of != fold).map(|(one, _)| one).collect();
        models.push(fit(&seen, None, how)?);
    }
    step(models.len(), models.len() + 1);
    let mut model = fit(&all.iter().collect::<Vec<_>>(), None, how)?;
    if !models.is_empty() {
        model.score_calibration = isotonic(&told(all, &folds, &models).concat());
    }
    weigh_points(&mut model);
    Ok(model)
}

/// Seconds to each side of an edge in which every frame is fitted; farther off one in `THINNED` is.
const NEAR_EDGE: f64 = 0.12;
const THINNED: usize = 4;
/// What all made motions together weigh against all captured ones.
const SAMPLES_WEIGH: f64 = 0.35;
/// Seconds to each side of an edge of a made motion in which no frame is fitted: its plants say when a
/// point rests, a force plate when the foot touches, and which of the two an edge is would be
/// learned from whichever weighs more.
const MADE_EDGE: f64 = 0.05;
/// Made motions to fit: seconds of each.
const SAMPLE_SECONDS: f64 = 5.0;
/// How far the points of the feet are put off in every second copy, in metres.
const POINTS_OFF: f64 = 0.015;
/// The frame rates that copies are made at, and the one in how many copies keeps its own.
const RATES: (f64, f64) = (24.0, 240.0);

/// The rows of all motions, each whole and damaged.
pub(crate) fn table(all: &[&Labelled], how: &Fitting) -> Table {
    let mut random = Random::new(how.seed, 5);
    let mut table = Table::default();
    let mut amounts: BTreeMap<&str, f64> = BTreeMap::new();
    for labelled in all {
        *amounts.entry(&labelled.about.kind).or_default() +=
            labelled.labels() as f64 * 100.0 / labelled.motion.fps;
    }
    for labelled in all {
        let weight = 1.0 / pow(amounts[labelled.about.kind.as_str()].max(1.0), how.power);
        for copy in 0..=how.copies {
            let seed = random.below(1 << 30) as u64;
            let damage = if copy == 0 { Damage::None } else { Damage::drawn(&mut random) };
            let copied = damaged(labelled, damage, seed);
            let copied =
                if copy % 2 == 1 { damaged(&copied, Damage::Points(POINTS_OFF), seed) } else { copied };
            let copied = if copy > how.copies / 2 { resampled(&copied, rate(&mut random)) } else { copied };
            add(&copied, weight, 0.0, &mut table, &mut random);
        }
    }
    let captured: f64 = table.weights.iter().map(|&weight| f64::from(weight)).sum();
    let first = table.rows.len();
    for seed in 0..how.samples {
        let fps = rate(&mut random);
        for sample in samples(seed + 100, fps, SAMPLE_SECONDS) {
            let damage = if seed % 2 == 0 { Damage::None } else { Damage::drawn(&mut random) };
            add(&damaged(&sample, damage, seed), 1.0, MADE_EDGE, &mut table, &mut random);
        }
    }
    let made = (table.rows.len() - first).max(1) as f64;
    table.weights[first..].fill((SAMPLES_WEIGH * captured / made) as f32);
    // Weights of 1 on the mean, so that `shrink` means the same whatever is fitted.
    let mean =
        table.weights.iter().map(|&weight| f64::from(weight)).sum::<f64>() / table.rows.len().max(1) as f64;
    table.weights.iter_mut().for_each(|weight| *weight /= mean as f32);
    table
}

/// A frame rate, drawn evenly on a scale on which doubling is a step.
fn rate(random: &mut Random) -> f64 {
    exp(random.between(ln(RATES.0), ln(RATES.1)))
}

/// Adds the rows of a motion, but those within `unsure` seconds of an edge.
fn add(labelled: &Labelled, weight: f64, unsure: f64, table: &mut Table, random: &mut Random) {
    let first = labelled.first_frame.min(labelled.motion.frames());
    let fps = labelled.motion.fps;
    let poses = &labelled.motion.poses[first..];
    let header = MotionHeader::new(&labelled.motion, &labelled.legs, labelled.floor.as_ref());
    let rows = feature_rows(&header, poses);
    let (near, unsure) = ((NEAR_EDGE * fps) as usize + 1, (unsure * fps + 0.5) as usize);
    let is_edge = |foot: &[Option<bool>], frame: usize, near: usize| {
        let around = &foot[frame.saturating_sub(near)..(frame + near).min(foot.len())];
        around.windows(2).any(|pair| pair[0] != pair[1])
    };
    // A frame of a fast file is worth less than one of a slow file.
    let weight = (weight * (100.0 / fps).clamp(0.4, 2.5)) as f32;
    for (at, row) in rows.iter().enumerate() {
        let (frame, leg) = (first + at / labelled.legs.len(), at % labelled.legs.len());
        let foot = &labelled.down[leg];
        let Some(down) = foot[frame] else { continue };
        if is_edge(foot, frame, unsure) {
            continue;
        }
        let near = is_edge(foot, frame, near);
        if near || random.below(THINNED) == 0 {
            table.rows.push(*row);
            table.down.push(down);
            table.weights.push(if near { weight } else { weight * THINNED as f32 });
        }
    }
}
