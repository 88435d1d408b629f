//! The rows that the boosted trees are fitted to.
//!
//! Each motion contributes its frames as captured and from damaged copies, some of them at other frame
//! rates or with moved foot points. Generated motions are added with a small weight.

use crate::damage::{Damage, damaged, resampled};
use crate::fit::TrainingSettings;
use crate::generated::generated_motions;
use crate::labelled_motion::LabelledMotion;
use std::collections::BTreeMap;
use surefoot_contact::learned::{FeatureRow, MotionHeader, feature_rows};
use surefoot_core::math::{exp, ln, pow};
use surefoot_sample::Random;

/// Rows with labels and weights.
#[derive(Clone, Debug, Default)]
pub struct TrainingSet {
    /// The features of a foot at a frame.
    pub rows: Vec<FeatureRow>,
    /// Whether the foot is down.
    pub down: Vec<bool>,
    /// The weight of each row.
    pub weights: Vec<f32>,
}

/// Time around an edge in which every frame is used, in seconds; elsewhere one in [`THINNING`] is.
const EDGE_TIME: f64 = 0.12;
const THINNING: usize = 4;
/// Total weight of the generated motions, as a fraction of that of the captures.
const GENERATED_WEIGHT: f64 = 0.35;
/// Time around an edge of a generated motion in which no frame is used, in seconds. Plants of
/// generated motions mark when a point rests, force plates when the foot touches; the trees should learn
/// the edges from force plates alone.
const GENERATED_EDGE_TIME: f64 = 0.05;
/// Length of each generated motion, in seconds.
const GENERATED_SECONDS: f64 = 5.0;
/// Seeds of generated motions start here; calibration and tests use others.
const GENERATED_SEEDS: u64 = 100;
/// Largest offset of the foot points in every second copy, in metres.
const FOOT_POINT_OFFSET: f64 = 0.015;
/// The range of frame rates of resampled copies.
const FRAME_RATES: (f64, f64) = (24.0, 240.0);
/// Weights count frames at this rate, in frames per second.
const REFERENCE_RATE: f64 = 100.0;

impl TrainingSet {
    /// Collects the rows of all motions and their damaged copies, and of generated motions.
    pub(crate) fn new(all: &[&LabelledMotion], settings: &TrainingSettings) -> Self {
        let mut random = Random::new(settings.seed, 5);
        let mut set = Self::default();
        set.add_captures(all, settings, &mut random);
        set.add_generated(settings, &mut random);
        set.normalise_weights();
        set
    }

    fn add_captures(&mut self, all: &[&LabelledMotion], settings: &TrainingSettings, random: &mut Random) {
        let mut amounts: BTreeMap<&str, f64> = BTreeMap::new();
        for labelled in all {
            *amounts.entry(&labelled.info.kind).or_default() +=
                labelled.label_count() as f64 * REFERENCE_RATE / labelled.motion.fps;
        }
        for labelled in all {
            let amount = amounts[labelled.info.kind.as_str()].max(1.0);
            let weight = 1.0 / pow(amount, settings.kind_balance);
            for copy in 0..=settings.copies {
                let copied = damaged_copy(labelled, copy, settings.copies, random);
                self.add(&copied, weight, 0.0, random);
            }
        }
    }

    fn add_generated(&mut self, settings: &TrainingSettings, random: &mut Random) {
        let captured: f64 = self.weights.iter().map(|&weight| f64::from(weight)).sum();
        let first = self.rows.len();
        for seed in 0..settings.generated_seeds {
            let fps = random_frame_rate(random);
            for motion in generated_motions(seed + GENERATED_SEEDS, fps, GENERATED_SECONDS) {
                let damage = if seed % 2 == 0 { Damage::None } else { Damage::random(random) };
                self.add(&damaged(&motion, damage, seed), 1.0, GENERATED_EDGE_TIME, random);
            }
        }
        let count = (self.rows.len() - first).max(1) as f64;
        self.weights[first..].fill((GENERATED_WEIGHT * captured / count) as f32);
    }

    /// Scales the weights to a mean of 1, so that the regularisation does not depend on the data.
    fn normalise_weights(&mut self) {
        let sum = self.weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        let mean = sum / self.rows.len().max(1) as f64;
        self.weights.iter_mut().for_each(|weight| *weight /= mean as f32);
    }

    /// Adds the labelled frames of a motion, except those within `excluded` seconds of an edge.
    fn add(&mut self, labelled: &LabelledMotion, weight: f64, excluded: f64, random: &mut Random) {
        let first = labelled.performance_start();
        let fps = labelled.motion.fps;
        let header = MotionHeader::new(&labelled.motion, &labelled.legs, labelled.floor.as_ref());
        let (near, excluded) = ((EDGE_TIME * fps) as usize + 1, (excluded * fps + 0.5) as usize);
        let weight = (weight * (REFERENCE_RATE / fps).clamp(0.4, 2.5)) as f32;
        let rows = feature_rows(&header, &labelled.motion.poses[first..]);
        for (at, row) in rows.iter().enumerate() {
            let (frame, leg) = (first + at / labelled.legs.len(), at % labelled.legs.len());
            let foot = &labelled.contacts[leg];
            let Some(down) = foot[frame] else { continue };
            if is_near_edge(foot, frame, excluded) {
                continue;
            }
            let is_near = is_near_edge(foot, frame, near);
            if is_near || random.below(THINNING) == 0 {
                self.rows.push(*row);
                self.down.push(down);
                self.weights.push(if is_near { weight } else { weight * THINNING as f32 });
            }
        }
    }
}

/// A copy of a motion. The first is undamaged, every second has moved foot points, and those of the
/// second half have another frame rate.
fn damaged_copy(
    labelled: &LabelledMotion,
    copy: usize,
    copies: usize,
    random: &mut Random,
) -> LabelledMotion {
    let seed = random.below(1 << 30) as u64;
    let damage = if copy == 0 { Damage::None } else { Damage::random(random) };
    let mut copied = damaged(labelled, damage, seed);
    if copy % 2 == 1 {
        copied = damaged(&copied, Damage::FootPoints(FOOT_POINT_OFFSET), seed);
    }
    if copy > copies / 2 { resampled(&copied, random_frame_rate(random)) } else { copied }
}

/// Draws a frame rate, evenly on a logarithmic scale.
fn random_frame_rate(random: &mut Random) -> f64 {
    exp(random.between(ln(FRAME_RATES.0), ln(FRAME_RATES.1)))
}

/// Whether the label changes within `distance` frames of a frame.
fn is_near_edge(foot: &[Option<bool>], frame: usize, distance: usize) -> bool {
    let around = &foot[frame.saturating_sub(distance)..(frame + distance).min(foot.len())];
    around.windows(2).any(|pair| pair[0] != pair[1])
}
