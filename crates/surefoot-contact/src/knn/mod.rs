//! Nearest neighbours: the most similar labelled frames vote on whether each foot is down.
//!
//! After Ikemoto, Arikan and Forsyth (2006). The positions of knees, heels and toes at a few times
//! around a frame, relative to the body, are compared with labelled examples. `model` holds the examples.

mod model;

pub use model::Model;

use crate::features::{LegPair, View};
use crate::settings::Settings;
use crate::stances::{classify_pairs, plants_from_stances};
use crate::tracks::PointTracks;
use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Finds plants with the examples of a model.
pub fn detect(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    model: &Model,
    settings: &Settings,
) -> Footplants {
    let mut scratch = Scratch::default();
    let confidences = |pair: &LegPair, frame: usize| model.contact_votes(pair, frame, &mut scratch);
    let stances = classify_pairs(motion, legs, settings, confidences);
    let tracks = PointTracks::new(motion, legs, floor, settings.first_frame);
    plants_from_stances(&stances, &tracks, settings.first_frame, settings)
}

/// Buffers that are reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    vector: Vec<f32>,
    distances: Vec<f32>,
    /// The nearest examples so far with their squared distances, nearest first.
    nearest: Vec<(f32, usize)>,
}

impl Model {
    /// Returns the fraction of the nearest examples in which each foot is down, left first.
    pub fn contact_votes(&self, pair: &LegPair, frame: usize, scratch: &mut Scratch) -> [f64; 2] {
        let Scratch { vector, distances, nearest } = scratch;
        pair.feature_vector(frame, self.features, View::AsIs, vector);
        self.scaling.apply(vector);
        self.examples.squared_distances(vector, distances);
        nearest.clear();
        for (example, &distance) in distances.iter().enumerate() {
            if nearest.len() == self.neighbours && distance >= nearest[nearest.len() - 1].0 {
                continue;
            }
            // Among equal distances the earlier example comes first.
            let at = nearest.partition_point(|(near, _)| *near <= distance);
            nearest.truncate(self.neighbours - 1);
            nearest.insert(at.min(nearest.len()), (distance, example));
        }
        let votes = |foot: u8| nearest.iter().filter(|(_, example)| self.feet[*example] & foot != 0).count();
        [1, 2].map(|foot| votes(foot) as f64 / nearest.len().max(1) as f64)
    }
}
