//! Trains the learned method's model on labelled motions.

use crate::boost::{BoostingSettings, boost};
use crate::calibration::{held_out_scores, isotonic};
use crate::error::FitError;
use crate::folds::Folds;
use crate::labelled_motion::LabelledMotion;
use crate::point_calibration::calibrate_points;
use crate::training_set::TrainingSet;
use surefoot_contact::learned::Model;

/// The settings of training.
#[derive(Clone, Copy, Debug)]
pub struct TrainingSettings {
    /// The settings of the trees.
    pub boosting: BoostingSettings,
    /// Damaged copies of each motion, in addition to the motion itself.
    pub copies: usize,
    /// Number of seeds of generated motions that are added.
    pub generated_seeds: u64,
    /// How far kinds of motion with few labels are weighted up, from 0 (all frames weigh alike) to 1
    /// (all kinds weigh alike).
    pub kind_balance: f64,
    /// Seeds damage, frame rates and draws.
    pub seed: u64,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        let boosting = BoostingSettings::default();
        Self { boosting, copies: 15, generated_seeds: 4, kind_balance: 0.5, seed: 1 }
    }
}

impl TrainingSettings {
    /// The settings for adapting a model: a few more trees, a lower learning rate, and no generated motions.
    pub fn for_adaptation(seed: u64) -> Self {
        let boosting =
            BoostingSettings { trees: 40, learning_rate: 0.08, seed, ..BoostingSettings::default() };
        Self { boosting, generated_seeds: 0, seed, ..Self::default() }
    }
}

/// Fewest labelled frames: about a second of two feet.
const MIN_LABELS: usize = 200;

/// Fits a model, on top of an existing one if given, whose calibration is then kept. The same motions and
/// settings give the same bytes.
pub fn fit(
    all: &[&LabelledMotion],
    from: Option<&Model>,
    settings: &TrainingSettings,
) -> Result<Model, FitError> {
    check_labels(all)?;
    let mut model = boost(&TrainingSet::new(all, settings), from, &settings.boosting);
    if let Some(from) = from {
        model.score_calibration.clone_from(&from.score_calibration);
        model.rest_calibration.clone_from(&from.rest_calibration);
        model.plant_calibration.clone_from(&from.plant_calibration);
    }
    Ok(model)
}

/// Checks that there are enough labels of both classes.
fn check_labels(all: &[&LabelledMotion]) -> Result<(), FitError> {
    let found = all.iter().map(|labelled| labelled.label_count()).sum();
    if found < MIN_LABELS {
        return Err(FitError::TooFew { found, expected: MIN_LABELS });
    }
    let mut labels = all.iter().flat_map(|labelled| labelled.contacts.iter().flatten().flatten());
    let first = *labels.next().unwrap_or(&true);
    if labels.all(|&down| down == first) {
        return Err(FitError::OneClass { down: first });
    }
    Ok(())
}

/// Folds from which the scores are calibrated.
const CALIBRATION_FOLDS: usize = 6;

/// Trains a model on all motions, with probabilities that are right for other motions.
///
/// The scores are calibrated by models that each hold out a fold. `progress` is called before each
/// fit with its number and the number of all fits.
pub fn train(
    all: &[LabelledMotion],
    settings: &TrainingSettings,
    mut progress: impl FnMut(usize, usize),
) -> Result<Model, FitError> {
    let motions: Vec<&LabelledMotion> = all.iter().collect();
    check_labels(&motions)?;
    let folds = Folds::new(all, CALIBRATION_FOLDS);
    let used: Vec<usize> = folds.used().collect();
    let mut models = Vec::new();
    // A single fold would hold out everything.
    for &fold in used.iter().filter(|_| used.len() > 1) {
        progress(models.len(), used.len() + 1);
        models.push(fit(&folds.training(fold, all), None, settings)?);
    }
    progress(models.len(), models.len() + 1);
    let mut model = fit(&motions, None, settings)?;
    if !models.is_empty() {
        model.score_calibration = isotonic(&held_out_scores(all, &folds, &models).concat());
    }
    calibrate_points(&mut model);
    Ok(model)
}
