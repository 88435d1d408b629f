//! Nearest neighbours: what was known of the most similar moments holds for this one.
//!
//! After Ikemoto, Arikan and Forsyth (2006). The places of knees, heels and toes at a few
//! instants around a frame, seen from the body, are compared with labelled examples; the nearest
//! vote for each foot. `model.rs` keeps the examples.

mod model;

pub use model::Model;
pub(crate) use model::{features, scale, window};

use crate::features::{Pair, View};
use crate::settings::Settings;
use crate::speed_height::track::Tracks;
use crate::stance::{stances, told};
use surefoot_core::{Floor, Footplants, Leg, Motion};

/// Finds the plants, from the examples of a model.
pub fn detect(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    model: &Model,
    settings: &Settings,
) -> Footplants {
    let first_frame = settings.first_frame;
    let mut found = Vec::new();
    let mut scratch = Scratch::default();
    // Legs come left, right, left, right; one that is left over is a pair with itself.
    for (number, pair) in legs.chunks(2).enumerate() {
        let seen = Pair::new(motion, &pair[0], &pair[pair.len() - 1], first_frame);
        let mut sure = [0, 1].map(|_| Vec::with_capacity(seen.frames()));
        for frame in 0..seen.frames() {
            let shares = model.shares(&seen, frame, &mut scratch);
            sure.iter_mut().zip(shares).for_each(|(sure, share)| sure.push(share));
        }
        for (side, sure) in sure.iter().enumerate().take(pair.len()) {
            found.extend(stances(2 * number + side, sure, motion.fps, settings));
        }
    }
    told(&found, &Tracks::new(motion, legs, floor, first_frame), first_frame, settings)
}

/// Room that is used again from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    moment: Vec<f32>,
    distances: Vec<f32>,
    nearest: Vec<(f32, usize)>,
}

impl Model {
    /// For each foot, left first, the share of the nearest examples in which it is down.
    pub fn shares(&self, pair: &Pair, frame: usize, scratch: &mut Scratch) -> [f64; 2] {
        let Scratch { moment, distances, nearest } = scratch;
        pair.vector(frame, self.features, self.window, View::AsIs, moment);
        self.scale.put_on(moment);
        self.points.distances(moment, distances);
        nearest.clear();
        for (example, &distance) in distances.iter().enumerate() {
            if nearest.len() == self.neighbours && distance >= nearest[nearest.len() - 1].0 {
                continue;
            }
            // Of two equally near the earlier counts, so an example goes behind its equals.
            let at = nearest.partition_point(|(near, _)| *near <= distance);
            nearest.truncate(self.neighbours - 1);
            nearest.insert(at.min(nearest.len()), (distance, example));
        }
        let votes = |foot: u8| nearest.iter().filter(|(_, example)| self.feet[*example] & foot != 0).count();
        [1, 2].map(|foot| votes(foot) as f64 / nearest.len().max(1) as f64)
    }
}
