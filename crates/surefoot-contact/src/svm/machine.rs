//! One machine: support vectors, and which label each pair of labels decides for.
//!
//! As in LIBSVM: a Gaussian kernel, and for each pair of labels a plane between the two; the
//! label that wins most of them is told.

use super::{Label, Scratch};
use crate::features::{Features, Pair, View, Window};
use crate::knn::{features, scale, window};
use crate::points::{ModelError, Points, Reader, Scale, Writer};
use surefoot_core::math::exp;

/// A machine that tells labels apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    features: Features,
    window: Window,
    /// The kernel is `exp(-gamma · distance²)`.
    gamma: f32,
    scale: Scale,
    /// In the order of their numbers.
    labels: Vec<Label>,
    /// How many support vectors each label has; they come in that order.
    counts: Vec<usize>,
    points: Points,
    /// For each other label but one, the weight of every support vector in the plane against it.
    weights: Vec<f32>,
    /// What each plane is off, by pair of labels.
    offsets: Vec<f32>,
}

/// What the planes between labels say of one moment.
pub struct Decided<'a> {
    labels: &'a [Label],
    /// By pair: above 0 for the first of the two.
    planes: Vec<f64>,
}

impl Machine {
    /// A machine of support vectors that lie one after the other, those of the first label first.
    ///
    /// `weights` has for each support vector its weight against every other label, in order;
    /// `offsets` what is taken off each plane, by pair. Panics where they do not fit one another:
    /// that is a bug of whoever fits it.
    #[expect(clippy::too_many_arguments, reason = "the parts of a machine, checked here once")]
    pub fn new(
        features: Features,
        window: Window,
        gamma: f32,
        scale: Scale,
        labels: Vec<Label>,
        counts: Vec<usize>,
        vectors: &[f32],
        weights: &[Vec<f32>],
        offsets: Vec<f32>,
    ) -> Self {
        let numbers = features.len(window);
        let (classes, count) = (labels.len(), counts.iter().sum::<usize>());
        assert!(classes > 1 && counts.len() == classes && vectors.len() == count * numbers);
        assert!(weights.len() == count && weights.iter().all(|own| own.len() == classes - 1));
        assert_eq!(offsets.len(), classes * (classes - 1) / 2);
        let column = |other: usize| weights.iter().map(move |own| own[other]);
        let weights = (0..classes - 1).flat_map(column).collect();
        let points = Points::new(vectors, numbers);
        Self { features, window, gamma, scale, labels, counts, points, weights, offsets }
    }

    /// The labels it tells apart.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// How many support vectors it has.
    pub fn vectors(&self) -> usize {
        self.points.count()
    }

    /// What it decides of one frame.
    pub fn decide(&self, pair: &Pair, frame: usize, scratch: &mut Scratch) -> Decided<'_> {
        let mut moment = core::mem::take(&mut scratch.moment);
        pair.vector(frame, self.features, self.window, View::AsIs, &mut moment);
        let decided = self.decide_moment(&mut moment, scratch);
        scratch.moment = moment;
        decided
    }

    /// What it decides of a moment's numbers, which are put on its scale.
    pub fn decide_moment(&self, moment: &mut [f32], scratch: &mut Scratch) -> Decided<'_> {
        self.scale.put_on(moment);
        self.points.distances(moment, &mut scratch.distances);
        for distance in &mut scratch.distances {
            *distance = exp(f64::from(-self.gamma * *distance)) as f32;
        }
        let kernel = &scratch.distances;
        let count = self.points.count();
        let starts: Vec<usize> = self
            .counts
            .iter()
            .scan(0, |next, count| {
                let start = *next;
                *next += count;
                Some(start)
            })
            .collect();
        // The vectors of one label, weighed against another.
        let sum = |label: usize, other: usize| {
            let against = if other < label { other } else { other - 1 };
            let own = starts[label]..starts[label] + self.counts[label];
            let weights = &self.weights[against * count..(against + 1) * count][own.clone()];
            weights.iter().zip(&kernel[own]).map(|(weight, near)| f64::from(weight * near)).sum::<f64>()
        };
        let mut planes = Vec::with_capacity(self.offsets.len());
        for first in 0..self.labels.len() {
            for second in first + 1..self.labels.len() {
                let offset = f64::from(self.offsets[planes.len()]);
                planes.push(sum(first, second) + sum(second, first) - offset);
            }
        }
        Decided { labels: &self.labels, planes }
    }

    pub(super) fn read(reader: &mut Reader) -> Result<Self, ModelError> {
        let (features, window) = (features(reader)?, window(reader)?);
        let gamma = reader.float("gamma")?;
        let at = reader.at();
        let labels = labels(reader)?;
        let mut counts = Vec::with_capacity(labels.len());
        for _ in &labels {
            counts.push(reader.count()?);
        }
        let count = counts.iter().fold(0usize, |sum, count| sum.saturating_add(*count));
        if count > u32::MAX as usize {
            let found = count.to_string();
            return Err(ModelError::Value { at, what: "the number of vectors", found, expected: "fewer" });
        }
        let numbers = features.len(window);
        let scale = scale(reader, numbers)?;
        let weights = reader.floats(count.saturating_mul(labels.len() - 1), "a weight")?;
        let offsets = reader.floats(labels.len() * (labels.len() - 1) / 2, "an offset")?;
        let points = Points::from_steps(count, reader.steps(count.saturating_mul(numbers))?);
        Ok(Self { features, window, gamma, scale, labels, counts, points, weights, offsets })
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        writer.bytes.extend([self.features.to_byte(), self.window.instants()]);
        writer.floats(&[self.gamma]);
        writer.bytes.push(self.labels.len() as u8);
        writer.bytes.extend(self.labels.iter().map(|&label| label as u8));
        self.counts.iter().for_each(|&count| writer.count(count));
        writer.floats(&self.scale.means);
        writer.floats(&self.scale.spreads);
        writer.floats(&self.weights);
        writer.floats(&self.offsets);
        writer.steps(&self.points.steps);
    }
}

/// At least two labels, each once, in order.
fn labels(reader: &mut Reader) -> Result<Vec<Label>, ModelError> {
    let at = reader.at();
    let count = usize::from(reader.byte()?);
    let numbers = reader.bytes(count)?;
    let labels: Vec<Label> =
        numbers.iter().filter_map(|&label| Label::ALL.get(usize::from(label)).copied()).collect();
    let is_sorted = labels.windows(2).all(|pair| pair[0] < pair[1]);
    if labels.len() != count || count < 2 || !is_sorted {
        let expected = "two to five, each once, in order";
        return Err(ModelError::Value { at, what: "the labels", found: format!("{numbers:?}"), expected });
    }
    Ok(labels)
}

impl Decided<'_> {
    /// The label that wins most planes; of equals the one that wins by more.
    pub fn label(&self) -> Label {
        self.best(&|_| true)
    }

    /// The same among the labels that say which feet are down.
    pub fn feet(&self) -> Label {
        self.best(&|label| label != Label::Skate)
    }

    fn best(&self, may: &dyn Fn(Label) -> bool) -> Label {
        let mut best = (Label::None, f64::NEG_INFINITY);
        for (number, &label) in self.labels.iter().enumerate() {
            let others =
                || (0..self.labels.len()).filter(|&other| other != number && may(self.labels[other]));
            let won = others().filter(|&other| self.plane(number, other) > 0.0).count() as f64;
            // By how much, squeezed to less than a plane.
            let by: f64 = others().map(|other| self.plane(number, other)).sum();
            let rank = won + 0.5 * by / (1.0 + by.abs());
            if may(label) && rank > best.1 {
                best = (label, rank);
            }
        }
        best.0
    }

    /// How sure it is that each foot is down, from 0 to 1, left first; from a half on it is.
    ///
    /// The plane by which the told label wins against the nearest one that differs in that foot,
    /// squeezed. It is in order, and not a probability.
    pub fn sure(&self) -> [f64; 2] {
        let feet = self.feet();
        let told = self.labels.iter().position(|&label| label == feet).unwrap_or(0);
        [0, 1].map(|foot| {
            let is_down = feet.has(foot).unwrap_or(false);
            let differs = |other: &usize| self.labels[*other].has(foot) == Some(!is_down);
            let others = (0..self.labels.len()).filter(differs);
            let by = others.map(|other| self.plane(told, other)).fold(f64::INFINITY, f64::min);
            // Without a label that differs it is as sure as can be.
            let sure = 1.0 / (1.0 + exp(-2.0 * by.clamp(0.0, 20.0)));
            if is_down { sure } else { 1.0 - sure.max(0.5 + 1e-9) }
        })
    }

    /// The plane between two labels by their places: above 0 for the first.
    fn plane(&self, one: usize, other: usize) -> f64 {
        let (first, second) = (one.min(other), one.max(other));
        let classes = self.labels.len();
        let at = first * (2 * classes - first - 1) / 2 + second - first - 1;
        if one < other { self.planes[at] } else { -self.planes[at] }
    }
}
