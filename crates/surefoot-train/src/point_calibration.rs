//! Calibration of the confidences of heels and balls.
//!
//! Force plates label whole feet. Which of heel and ball is planted is known only in generated motions,
//! so the curves for points are fitted to generated motions with the damage of captures, and are an
//! extrapolation for captures. These motions are not used for training models.

use crate::calibration::{Reliability, ScoredLabel, isotonic, reliability_bins};
use crate::damage::{Damage, damaged};
use crate::generated::generated_motions;
use crate::labelled_motion::LabelledMotion;
use surefoot_contact::Settings;
use surefoot_contact::learned::{CalibrationCurve, DetectedPlant, Model, detect_with_edges, edge_distance};
use surefoot_core::FootPoint;
use surefoot_sample::{Random, Skate};

/// Seeds of the motions that the curves are fitted to.
const CALIBRATION_SEEDS: core::ops::Range<u64> = 900..912;
/// Seeds of the motions on which the reliability is measured.
const VALIDATION_SEEDS: core::ops::Range<u64> = 950..962;
/// Length of each motion, in seconds.
const SECONDS: f64 = 5.0;
/// Frame rates of the motions.
const FRAME_RATES: [f64; 3] = [30.0, 60.0, 120.0];
/// Range of the noise that is added to all motions, in metres. No point of a capture rests exactly, and
/// where points do, the curves are not used.
const NOISE: (f64, f64) = (0.0002, 0.002);
/// Distance from an edge beyond which every detected point rests, in seconds.
const MAX_EDGE_DISTANCE: f32 = 0.4;

/// Fits the curves of a model for points: first [`Model::rest_calibration`], then
/// [`Model::plant_calibration`], which depends on it.
pub fn calibrate_points(model: &mut Model) {
    model.rest_calibration = fit_rest_calibration(model);
    model.plant_calibration = Default::default();
    model.plant_calibration = fit_plant_calibration(model);
}

fn fit_rest_calibration(model: &Model) -> [[CalibrationCurve; 2]; 2] {
    let mut observed: [[Vec<ScoredLabel>; 2]; 2] = Default::default();
    for labelled in noisy_motions(CALIBRATION_SEEDS) {
        for DetectedPlant { plant, edge_is_from_rest, .. } in detect_rests(&labelled, model) {
            let foot = &labelled.contacts[plant.leg];
            for frame in plant.frames.clone().filter(|&frame| foot[frame] == Some(true)) {
                let distances = [frame - plant.frames.start, plant.frames.end - 1 - frame];
                let edge = usize::from(distances[1] < distances[0]);
                let distance = edge_distance(distances[edge], plant.frames.len(), labelled.motion.fps);
                if edge_is_from_rest[edge] && distance < MAX_EDGE_DISTANCE {
                    let rests = is_planted(&labelled, plant.leg, plant.point, frame);
                    observed[plant.point as usize][edge].push((distance, rests));
                }
            }
        }
    }
    observed.map(|point| point.map(|edge| isotonic(&edge)))
}

fn fit_plant_calibration(model: &Model) -> [CalibrationCurve; 2] {
    let scored = |(confidence, planted): (f64, bool)| (confidence as f32, planted);
    let curve = |frames: Vec<(f64, bool)>| isotonic(&frames.into_iter().map(scored).collect::<Vec<_>>());
    plant_frames(model, CALIBRATION_SEEDS).map(curve)
}

/// Returns the reliability of the confidences of heels and of balls, by frames of their plants, in
/// motions that the curves were not fitted to.
pub fn point_reliability(model: &Model) -> [Vec<Reliability>; 2] {
    plant_frames(model, VALIDATION_SEEDS).map(reliability_bins)
}

/// The frames of all plants of heels and of balls: the confidence of the plant, and whether the point is planted.
fn plant_frames(model: &Model, seeds: core::ops::Range<u64>) -> [Vec<(f64, bool)>; 2] {
    let mut frames = [Vec::new(), Vec::new()];
    for labelled in noisy_motions(seeds) {
        for DetectedPlant { plant, .. } in detect_rests(&labelled, model) {
            let confidence = plant.confidence.unwrap_or(0.0);
            let frame = |frame| (confidence, is_planted(&labelled, plant.leg, plant.point, frame));
            frames[plant.point as usize].extend(plant.frames.clone().map(frame));
        }
    }
    frames
}

fn is_planted(labelled: &LabelledMotion, leg: usize, point: FootPoint, frame: usize) -> bool {
    labelled.plants.as_ref().is_some_and(|plants| plants.is_planted(leg, point, frame))
}

/// The plants of a motion, with edges where the points come to rest and leave.
fn detect_rests(labelled: &LabelledMotion, model: &Model) -> Vec<DetectedPlant> {
    let settings = &Settings::default();
    detect_with_edges(model, &labelled.motion, &labelled.legs, labelled.floor.as_ref(), settings)
}

/// Generated motions, each with random damage and noise.
fn noisy_motions(seeds: core::ops::Range<u64>) -> Vec<LabelledMotion> {
    let mut all = Vec::new();
    for seed in seeds {
        let mut random = Random::new(seed, 8);
        for fps in FRAME_RATES {
            for motion in generated_motions(seed, fps, SECONDS) {
                let motion = damaged(&motion, Damage::random(&mut random), seed);
                let noise = Damage::Skate(Skate::Noise(random.between(NOISE.0, NOISE.1)));
                all.push(damaged(&motion, noise, seed));
            }
        }
    }
    all
}
