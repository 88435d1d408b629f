//! The default method: boosted trees, trained on force plates and gait-lab events.
//!
//! The stages run in this order:
//!
//! 1. `body`: the positions of the legs, in leg lengths, and the direction the body faces;
//! 2. `signals`: heights, speeds and leg extension of a foot at one frame;
//! 3. `feature_rows`: the signals at fixed times around a frame, which is what the model classifies;
//! 4. `model` and `model_file`: trees, calibration curves and their file;
//! 5. `ensemble`: batched inference of the trees;
//! 6. `foot_contacts`: when each foot is down;
//! 7. `pivots`: removes frames in which a foot turns on one of its points;
//! 8. `point_contacts`: whether a contact is on the heel, the ball or both.
//!
//! `live` runs stages 1 to 5 on a stream. The training is in `surefoot-train`.

mod body;
mod signals;
mod feature_rows;
mod model;
mod model_file;
mod ensemble;
mod foot_contacts;
mod pivots;
mod point_contacts;
mod live;

pub use ensemble::Ensemble;
pub use feature_rows::{FEATURES, FeatureRow, LOOKAHEAD, ROW_LENGTH, feature_rows, row_index};
pub use live::{FootContact, LiveDetector, detect_live};
pub use model::{CalibrationCurve, DEPTH, Edge, LEAVES, Model, SPLITS, Tree, edge_distance};
pub use model_file::ModelError;

use crate::settings::Settings;
use crate::signal::{overlap, overlapping, rounded_confidence, shifted};
use crate::threshold::PointRests;
use crate::tracks::{PointPositions, PointTracks};
use crate::travel::rest_likelihood;
use body::LegPositions;
use point_contacts::{FootRests, PointContact};
use surefoot_core::{Clip, Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Skeleton};

/// Skeleton, legs, floor and frame rate of a motion, for the detector.
#[derive(Clone, Copy, Debug)]
pub struct MotionHeader<'a> {
    /// The skeleton.
    pub skeleton: &'a Skeleton,
    /// Frames per second.
    pub fps: f64,
    /// The legs, left before right. Their points are in metres, Y up.
    pub legs: &'a [Leg],
    /// The floor, of which only the normal is used; Y up without one.
    pub floor: Option<&'a Floor>,
}

impl<'a> MotionHeader<'a> {
    /// The header of a clip.
    pub fn of_clip(clip: &'a Clip) -> Self {
        Self::new(&clip.motion, &clip.legs, clip.floor.as_ref())
    }

    /// The header of a whole motion.
    pub fn new(motion: &'a Motion, legs: &'a [Leg], floor: Option<&'a Floor>) -> Self {
        Self { skeleton: &motion.skeleton, fps: motion.fps, legs, floor }
    }
}

/// Finds plants with the given model; [`detect`](crate::detect) uses the shipped one.
pub fn detect(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Footplants {
    sorted(detect_with_edges(model, motion, legs, floor, settings))
}

/// The plants in their order, without the origin of their edges.
pub(crate) fn sorted(detected: Vec<DetectedPlant>) -> Footplants {
    let mut plants = Footplants { plants: detected.into_iter().map(|detected| detected.plant).collect() };
    plants.sort();
    plants
}

/// A plant with the origin of its edges.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DetectedPlant {
    /// The plant.
    pub plant: Plant,
    /// Whether the start and the end were found from the rest of the point. Otherwise the edge is
    /// that of the foot's contact, of the motion, or of an exact rest, which leaves no doubt.
    pub edge_is_from_rest: [bool; 2],
}

/// Finds plants like [`detect`], unsorted, with the origin of their edges.
pub fn detect_with_edges(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Vec<DetectedPlant> {
    plants_and_rests(model, motion, legs, floor, settings).0
}

/// Finds plants like [`detect_with_edges`], and returns the rests of all points too.
pub(crate) fn plants_and_rests(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> (Vec<DetectedPlant>, PointRests) {
    let poses = motion.poses.get(settings.first_frame..).unwrap_or_default();
    let mut positions = PointPositions::new(legs, poses.len());
    let keep_positions = |feet: &[LegPositions]| {
        for (leg, &LegPositions { points, hip }) in feet.iter().enumerate() {
            positions.push(leg, points, hip);
        }
    };
    let header = MotionHeader::new(motion, legs, floor);
    let scores = foot_contacts::scores(model, &header, poses, keep_positions);
    let tracks = PointTracks::from_positions(positions, motion, legs, floor, settings.first_frame);
    let rests = PointRests::find(tracks, settings);
    let of_foot = |(leg, scores): (usize, &Vec<f32>)| foot_plants(model, leg, scores, &rests, settings);
    let plants = scores.iter().enumerate().flat_map(of_foot).collect();
    (plants, rests)
}

/// Confidence below which a plant is not one: its foot is more likely dragged or swung low over the ground.
const LEAST_CONFIDENCE: f64 = 0.25;

/// The plants of one foot.
fn foot_plants(
    model: &Model,
    leg: usize,
    scores: &[f32],
    rests: &PointRests,
    settings: &Settings,
) -> Vec<DetectedPlant> {
    let fps = rests.tracks.fps;
    let points = [2 * leg, 2 * leg + 1];
    let mut contacts = foot_contacts::contact_runs(scores, fps);
    contacts.retain(|contact| !is_lifted(contact, points, rests));
    let on_ground = points.map(|track| &rests.on_ground[track][..]);
    foot_contacts::close_resting_gaps(&mut contacts, on_ground, fps);
    let foot = FootRests {
        contacts: &contacts,
        rests: points.map(|track| pivots::rests_without_pivots(track, rests, settings)),
        points: points.map(|track| &rests.tracks.tracks[track]),
        travel: points.map(|track| &rests.travel[track]),
    };
    let detected = |PointContact { point, frames, is_exact }: PointContact| {
        let edge_is_from_rest = [
            !is_exact
                && frames.start > 0
                && contacts.binary_search_by_key(&frames.start, |contact| contact.start).is_err(),
            !is_exact
                && frames.end < scores.len()
                && contacts.binary_search_by_key(&frames.end, |contact| contact.end).is_err(),
        ];
        let confidence = confidence(&scores[frames.clone()], point, edge_is_from_rest, fps, model);
        let track = &rests.tracks.tracks[points[point as usize]];
        let confidence = rounded_confidence(confidence * rest_likelihood(&frames, track, &rests.tracks));
        let frames = shifted(&frames, settings.first_frame);
        let plant = Plant { confidence: Some(confidence), ..Plant::new(leg, point, frames) };
        DetectedPlant { plant, edge_is_from_rest }
    };
    let plants = foot.point_contacts(&rests.tracks, settings).into_iter().map(detected);
    plants.filter(|detected| detected.plant.confidence >= Some(LEAST_CONFIDENCE)).collect()
}

/// Returns the probability that each foot is down, by leg and frame of the performance.
pub fn probabilities(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first_frame: usize,
) -> Vec<Vec<f64>> {
    let poses = motion.poses.get(first_frame..).unwrap_or_default();
    let scores = foot_contacts::scores(model, &MotionHeader::new(motion, legs, floor), poses, |_| {});
    let probabilities = |foot: Vec<f32>| foot.into_iter().map(|score| model.probability(score)).collect();
    scores.into_iter().map(probabilities).collect()
}

/// Returns whether a foot is held still in the air during a contact: it rests for most of it, and none
/// of its rests is on the ground.
fn is_lifted(contact: &FrameRange, points: [usize; 2], rests: &PointRests) -> bool {
    let resting_frames = |rests: &[Vec<FrameRange>]| {
        let of_point = |track: usize| {
            overlapping(&rests[track], contact).iter().map(|rest| overlap(rest, contact).len()).sum()
        };
        points.into_iter().map(of_point).max().unwrap_or(0)
    };
    let on_ground: usize = resting_frames(&rests.on_ground);
    let travels = points.into_iter().any(|track| rests.travel[track].frames_within(contact) > 0);
    !travels && on_ground == 0 && 2 * resting_frames(&rests.all) > contact.len()
}

/// Returns the calibrated confidence of a plant: of the frames in plants of confidence 0.9, about
/// 90 % are down.
///
/// The probability of a frame is the probability that the foot is down, multiplied by the probability that
/// the point rests where an edge of the plant was found from the rest of the point. The calibration curve
/// of the point maps the mean over the frames to the confidence.
fn confidence(
    scores: &[f32],
    point: FootPoint,
    edge_is_from_rest: [bool; 2],
    fps: f64,
    model: &Model,
) -> f64 {
    let rests = |edge: Edge, frames: usize| {
        if edge_is_from_rest[edge as usize] {
            model.rest_probability(point, edge, edge_distance(frames, scores.len(), fps))
        } else {
            1.0
        }
    };
    let is_planted = |(frame, &score): (usize, &f32)| {
        model.probability(score) * rests(Edge::Start, frame) * rests(Edge::End, scores.len() - 1 - frame)
    };
    let mean = scores.iter().enumerate().map(is_planted).sum::<f64>() / scores.len().max(1) as f64;
    rounded_confidence(model.plant_confidence(point, mean))
}
