//! Fits support vector machines to labelled moments.
//!
//! `smo.rs` finds the plane between two classes; here every pair of labels gets one, over one
//! table of kernels. Each moment is shown as it is and in a mirror.

mod smo;
mod tables;

pub use tables::{Cell, Column, FeatureRow, Tables, Thesis, WindowRow, tables};

use crate::labelled::Labelled;
use crate::moments::{Moment, Moments, draw};
use smo::Kernels;
use surefoot_contact::examples::{ExampleSet, FeatureScaling};
use surefoot_contact::features::{FeatureSet, FeatureSpec, View, Window};
use surefoot_contact::svm::{Classifier, KindModel, Label, Model, SupportVectors};
use surefoot_core::math::exp;

/// How labels are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// One machine for all five.
    Five,
    /// One for the feet that are down and one for skate.
    Apart,
}

/// How a model is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct SvmSettings {
    /// Plant and skate apart by default.
    pub labels: Labels,
    /// What is looked at in locomotion: by default A and B split at three instants, which tell
    /// most in the least room.
    pub locomotion: FeatureSpec,
    /// What is looked at in all else: by default B split and C. Places are of no help where every
    /// body sits and jumps in its own way.
    pub other: FeatureSpec,
    /// The most moments that each machine is fitted to; each is shown twice, once in a mirror.
    pub moments: usize,
    /// What a moment on the wrong side costs. 10 by default: higher follows single moments, lower
    /// smooths over them.
    pub cost: f64,
    /// Draws the damage and the moments.
    pub seed: u64,
}

impl Default for SvmSettings {
    fn default() -> Self {
        let looks = |features: FeatureSet| FeatureSpec { set: features, window: Window::ALL[1] };
        Self {
            labels: Labels::Apart,
            locomotion: looks(FeatureSet::A.with(FeatureSet::B_SPLIT)),
            other: looks(FeatureSet::B_SPLIT.with(FeatureSet::C)),
            moments: 900,
            cost: 10.0,
            seed: 1,
        }
    }
}

/// Why nothing can be fitted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfit {
    /// There is no moment at which both feet are labelled.
    NoLabels,
    /// All labels are the same.
    OneLabel {
        /// The one.
        label: &'static str,
        /// What was to be told apart.
        among: &'static str,
    },
}

impl core::fmt::Display for Unfit {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoLabels => write!(f, "there is no frame in which both feet are labelled"),
            Self::OneLabel { label, among } => {
                write!(f, "every frame is labelled {label:?}, expected at least two of {among}")
            }
        }
    }
}

impl core::error::Error for Unfit {}

/// Fits a model: a part for locomotion, one for all else, and when each is asked.
///
/// Where the labels allow only one of the two it is asked always.
pub fn fit_svm(all: &[&Labelled], settings: &SvmSettings) -> Result<Model, Unfit> {
    let moments = Moments::new(all, settings.seed);
    let part = |locomotion: bool, looks: FeatureSpec| {
        let may =
            |moment: &Moment| moments.locomotion[moment.motion] == locomotion || moments.jumps[moment.motion];
        part(&moments, &may, looks, settings)
    };
    let locomotion = part(true, settings.locomotion);
    let other = part(false, settings.other);
    match (locomotion, other) {
        (Ok(locomotion), Ok(other)) => {
            Ok(Model::new(locomotion, Some(other), strides(&moments, |_| true) as f32))
        }
        (Ok(only), Err(_)) | (Err(Unfit::NoLabels), Ok(only)) => Ok(Model::new(only, None, 0.0)),
        (Err(Unfit::NoLabels), Err(error)) | (Err(error), _) => Err(error),
    }
}

/// What a moment is to be told as, where that is known.
type Truth = fn(&Moment) -> Option<Label>;

/// The feet that are down; always known.
fn feet(moment: &Moment) -> Option<Label> {
    Some(moment.feet)
}

/// Of a rare label at least one in so many of the moments drawn is shown: of five labels, of the
/// feet, and of skate or none, where skate is rare and both must be told.
const LEAST: [(Truth, usize); 3] = [(Moment::five, 10), (feet, 10), (Moment::skate, 2)];

fn part(
    moments: &Moments,
    may: &dyn Fn(&Moment) -> bool,
    looks: FeatureSpec,
    settings: &SvmSettings,
) -> Result<KindModel, Unfit> {
    let fit = |task: usize, features: FeatureSet| {
        let (truth, one_in) = LEAST[task];
        let least = settings.moments / one_in;
        let own = moments.moments.iter().filter(|moment| may(moment));
        let drawn = draw(own, truth, settings.moments, least, settings.seed);
        machine(moments, &drawn, truth, FeatureSpec { set: features, ..looks }, settings.cost)
    };
    match settings.labels {
        Labels::Five => Ok(KindModel::FiveLabels(fit(0, looks.set)?)),
        Labels::Apart => {
            let plant = fit(1, looks.set.only(FeatureSet::B_UP))?;
            Ok(KindModel::PlantAndSkate { plant, skate: fit(2, looks.set.only(FeatureSet::B_LEVEL))? })
        }
    }
}

/// Fits one machine to moments, by what is known of them.
fn machine(
    moments: &Moments,
    drawn: &[Moment],
    truth: Truth,
    looks: FeatureSpec,
    cost: f64,
) -> Result<Classifier, Unfit> {
    // Sorted by label: the vectors of a label lie together, and equal votes go to the first.
    let views = |moment: &Moment| {
        let label = truth(moment)?;
        Some([(label, *moment, View::AsIs), (label.mirrored(), *moment, View::Mirrored)])
    };
    let mut shown: Vec<(Label, Moment, View)> = drawn.iter().filter_map(views).flatten().collect();
    shown.sort_by_key(|(label, ..)| *label);
    let mut labels: Vec<Label> = shown.iter().map(|(label, ..)| *label).collect();
    labels.dedup();
    match labels.as_slice() {
        [] => return Err(Unfit::NoLabels),
        [only] => {
            return Err(Unfit::OneLabel { label: only.as_str(), among: "left, right, both, none, skate" });
        }
        _ => {}
    }
    let (scale, points) = on_scale(moments, &shown, looks);
    let numbers = looks.count();
    let gamma = 1.0 / numbers as f32;
    let mut example = Vec::new();
    let kernels = Kernels::new(shown.len(), |one, row| {
        points.example(one, &mut example);
        points.squared_distances(&example, row);
        row.iter_mut().for_each(|distance| *distance = exp(f64::from(-gamma * *distance)) as f32);
    });
    let of = |label: Label| -> Vec<usize> { (0..shown.len()).filter(|&at| shown[at].0 == label).collect() };
    let classes: Vec<Vec<usize>> = labels.iter().map(|&label| of(label)).collect();
    let mut weights = vec![vec![0.0f32; labels.len() - 1]; shown.len()];
    let mut offsets = Vec::new();
    for first in 0..labels.len() {
        for second in first + 1..labels.len() {
            let plane = smo::between(&kernels, &classes[first], &classes[second], cost);
            let places = classes[first].iter().map(|&at| (at, second - 1));
            let places = places.chain(classes[second].iter().map(|&at| (at, first)));
            for ((at, other), weight) in places.zip(&plane.weights) {
                weights[at][other] = *weight as f32;
            }
            offsets.push(plane.offset as f32);
        }
    }
    // What has no weight in any plane is not kept.
    let kept: Vec<usize> =
        (0..shown.len()).filter(|&at| weights[at].iter().any(|&weight| weight != 0.0)).collect();
    let counts =
        labels.iter().map(|&label| kept.iter().filter(|&&at| shown[at].0 == label).count()).collect();
    let mut vectors = Vec::with_capacity(kept.len() * numbers);
    for &at in &kept {
        points.example(at, &mut example);
        vectors.extend(&example);
    }
    let weights: Vec<Vec<f32>> = kept.iter().map(|&at| weights[at].clone()).collect();
    let support = SupportVectors { labels, counts, vectors, weights, offsets };
    Ok(Classifier::new(looks, gamma, scale, support))
}

/// The examples' scale, and the examples on it, rounded as a model keeps them.
pub(crate) fn on_scale<L>(
    moments: &Moments,
    shown: &[(L, Moment, View)],
    looks: FeatureSpec,
) -> (FeatureScaling, ExampleSet) {
    let numbers = looks.count();
    let mut examples = Vec::with_capacity(shown.len() * numbers);
    let mut one = Vec::new();
    for (_, moment, view) in shown {
        moments.vector(moment, looks, *view, &mut one);
        examples.extend(&one);
    }
    let scale = FeatureScaling::fit(&examples, numbers);
    examples.chunks_exact_mut(numbers).for_each(|example| scale.apply(example));
    let points = ExampleSet::new(&examples, numbers);
    (scale, points)
}

/// By how much feet go their own ways where it is locomotion: the bound that tells most moments
/// right, each kind counting alike.
fn strides(moments: &Moments, may: impl Fn(&Moment) -> bool) -> f64 {
    let of = |moment: &Moment| (moments.strides(moment), moments.locomotion[moment.motion]);
    let mut all: Vec<(f64, bool)> = moments.moments.iter().filter(|moment| may(moment)).map(of).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let going = all.iter().filter(|(_, locomotion)| *locomotion).count().max(1) as f64;
    let staying = (all.len() as f64 - going).max(1.0);
    // Below the bound all that is not locomotion is told right, and all that is, wrong.
    let (mut right, mut best) = (0.0, (0.0, 0.0));
    for (strides, locomotion) in all {
        right += if locomotion { -1.0 / going } else { 1.0 / staying };
        if right > best.0 {
            best = (right, strides);
        }
    }
    best.1
}
