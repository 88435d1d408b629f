//! How sure is it that a point rests near the edges of its plant, and what is a plant worth in all? The share of
//! points that do, in made motions that no model is fitted to.
//!
//! Force plates know feet. Which of heel and ball stands only made motions know, so what is said of
//! points is true of those, damaged the way captures are, and a guess for captures.

use crate::calibrate::{Reliability, Told, binned, isotonic};
use crate::damage::{Damage, damaged};
use crate::labelled::Labelled;
use crate::samples::samples;
use surefoot_contact::learned::{CalibrationCurve, DetectedPlant, Model, detect_with_edges, edge_distance};
use surefoot_contact::{Edges, Settings};
use surefoot_core::FootPoint;
use surefoot_sample::{Random, Skate};

/// Seeds of the motions that are looked at; those that models are fitted to have others.
const LOOKED_AT: core::ops::Range<u64> = 900..912;
/// And of those that the outcome is held against.
const HELD_AGAINST: core::ops::Range<u64> = 950..962;
/// Seconds of each, and their frame rates.
const SECONDS: f64 = 5.0;
const RATES: [f64; 3] = [30.0, 60.0, 120.0];
/// How much all of them are shaken, in metres: nothing rests exactly in a capture, and where points do there is no doubt
/// and these tables are not asked.
const SHAKEN: (f64, f64) = (0.0002, 0.002);
/// Seconds from an edge beyond which every point that is taken to rest does.
const FAR: f32 = 0.4;

/// Fills in what a model says of points: [`Model::rest_calibration`], and on top of it [`Model::plant_calibration`].
pub fn weigh_points(model: &mut Model) {
    model.rest_calibration = rests(model);
    model.plant_calibration = Default::default();
    model.plant_calibration = plants(model);
}

fn rests(model: &Model) -> [[CalibrationCurve; 2]; 2] {
    let mut told: [[Vec<Told>; 2]; 2] = Default::default();
    for labelled in made(LOOKED_AT) {
        for DetectedPlant { plant, edge_is_from_rest, .. } in found(&labelled, model) {
            for frame in plant.frames.clone().filter(|&frame| labelled.down[plant.leg][frame] == Some(true)) {
                let from = [frame - plant.frames.start, plant.frames.end - 1 - frame];
                let edge = usize::from(from[1] < from[0]);
                let from = edge_distance(from[edge], plant.frames.len(), labelled.motion.fps);
                if edge_is_from_rest[edge] && from < FAR {
                    let rests = is_down(&labelled, plant.leg, plant.point, frame);
                    told[plant.point as usize][edge].push((from, rests));
                }
            }
        }
    }
    told.map(|point| point.map(|told| isotonic(&told)))
}

fn plants(model: &Model) -> [CalibrationCurve; 2] {
    let told = |(sure, down): (f64, bool)| (sure as f32, down);
    called(model, LOOKED_AT).map(|point| isotonic(&point.into_iter().map(told).collect::<Vec<Told>>()))
}

/// How true the confidences of heels and of balls are: frames of plants by how sure their plant was called, in
/// made motions that were not looked at.
pub fn rests_reliability(model: &Model) -> [Vec<Reliability>; 2] {
    called(model, HELD_AGAINST).map(binned)
}

/// The frames of all plants of heels, and of balls: how sure their plant was called, and whether they are down.
fn called(model: &Model, seeds: core::ops::Range<u64>) -> [Vec<(f64, bool)>; 2] {
    let mut called = [Vec::new(), Vec::new()];
    for labelled in made(seeds) {
        for DetectedPlant { plant, .. } in found(&labelled, model) {
            let sure = plant.confidence.unwrap_or(0.0);
            let down = |frame| is_down(&labelled, plant.leg, plant.point, frame);
            called[plant.point as usize].extend(plant.frames.clone().map(|frame| (sure, down(frame))));
        }
    }
    called
}

fn is_down(labelled: &Labelled, leg: usize, point: FootPoint, frame: usize) -> bool {
    labelled.points.as_ref().is_some_and(|points| points.is_planted(leg, point, frame))
}

/// Its plants, from where to where points rest.
fn found(labelled: &Labelled, model: &Model) -> Vec<DetectedPlant> {
    let settings = Settings { edges: Edges::Rest, ..Settings::default() };
    detect_with_edges(model, &labelled.motion, &labelled.legs, labelled.floor.as_ref(), &settings)
}

/// Made motions, each damaged in its own way and shaken.
fn made(seeds: core::ops::Range<u64>) -> Vec<Labelled> {
    let mut all = Vec::new();
    for seed in seeds {
        let mut random = Random::new(seed, 8);
        for fps in RATES {
            for sample in samples(seed, fps, SECONDS) {
                let sample = damaged(&sample, Damage::drawn(&mut random), seed);
                let shaken = Damage::Skate(Skate::Noise(random.between(SHAKEN.0, SHAKEN.1)));
                all.push(damaged(&sample, shaken, seed));
            }
        }
    }
    all
}
