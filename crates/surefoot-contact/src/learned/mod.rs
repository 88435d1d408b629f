//! The default: a model fitted to force plates and a gait lab's events.
//!
//! Each file answers one question, in the order they are asked:
//!
//! 1. `seen`: where are a leg's points, in legs, and which way does the body face?
//! 2. `lows`: where is the ground under a foot? Where it was lowest of late.
//! 3. `signals`: what does a foot do at one frame?
//! 4. `watch`: what is a model shown of it? That, at instants around the frame.
//! 5. `model`: what is asked of it, and how sure is what answer that the foot is down?
//! 6. `asked`: what do all trees of a model say?
//! 7. `feet`: when is each foot down?
//! 8. `pivots`: where does it turn on one of its points?
//! 9. `points`: is it on its heel, on its ball, or on both?
//!
//! `live` asks the first six of a stream.

mod seen;
mod lows;
mod signals;
mod watch;
mod model;
mod asked;
mod feet;
mod pivots;
mod points;
mod live;

pub use asked::Asked;
pub use live::{Held, LiveDetector, detect_live};
pub use model::{DEPTH, Edge, LEAVES, Model, ModelError, QUESTIONS, Sure, Tree, from_edge};
pub use watch::{LOOKAHEAD, ROOM, ROW, Row, place, rows};

use self::points::Part;
use crate::settings::Settings;
use crate::speed_height::{Places, Rests, Tracks};
use surefoot_core::{Floor, FootPoint, Footplants, FrameRange, Leg, Motion, Plant, Vec3};

/// Finds the plants by a model; [`detect`](crate::detect) asks the one inside the program.
pub fn detect(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Footplants {
    let found = find(model, motion, legs, floor, settings);
    let mut plants = Footplants { plants: found.into_iter().map(|found| found.plant).collect() };
    plants.sort();
    plants
}

/// A plant that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The plant.
    pub plant: Plant,
    /// Whether it begins, and whether it ends, where its point was seen to come to rest or to leave; else there
    /// its foot comes down or leaves, as the model has it, or the motion begins or ends, or the point rests exactly and
    /// there is no doubt.
    pub by_rest: [bool; 2],
}

/// The same plants, in no order, with what tells their edges.
pub fn find(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Vec<Found> {
    let poses = motion.poses.get(settings.first_frame..).unwrap_or_default();
    let mut places = Places::new(legs, poses.len());
    let keep = |feet: &[([Vec3; seen::POINTS], Vec3)]| {
        feet.iter().enumerate().for_each(|(leg, &([heel, ball, _], hip))| places.push(leg, heel, ball, hip));
    };
    let scores = feet::scores(model, &motion.skeleton, motion.fps, poses, legs, floor, keep);
    let rests = Rests::find(Tracks::of(places, motion, legs, floor, settings.first_frame), settings);
    let mut all = Vec::new();
    for (leg, scores) in scores.iter().enumerate() {
        let own = [2 * leg, 2 * leg + 1];
        let mut steps = feet::steps(scores, motion.fps);
        steps.retain(|step| !is_lifted(step, own, &rests));
        let tracks = own.map(|track| &rests.tracks.tracks[track]);
        let found = [0, 1].map(|point: usize| {
            let pair = [tracks[point], tracks[1 - point]];
            let cut = |rest| pivots::cut(rest, pair, &rests.speeds[own[point]], &rests.tracks, settings);
            rests.found[own[point]].iter().flat_map(cut).collect::<Vec<_>>()
        });
        let found = [found[0].as_slice(), found[1].as_slice()];
        for Part { point, frames, is_exact } in points::parts(&steps, found, &rests.tracks, tracks, settings)
        {
            let by_rest = [
                !is_exact && frames.start > 0 && steps.iter().all(|step| step.start != frames.start),
                !is_exact && frames.end < scores.len() && steps.iter().all(|step| step.end != frames.end),
            ];
            let confidence = confidence(&scores[frames.clone()], point, by_rest, motion.fps, model);
            let frames = frames.start + settings.first_frame..frames.end + settings.first_frame;
            let plant = Plant { leg, point, confidence: Some(confidence), spot: None, frames };
            all.push(Found { plant, by_rest });
        }
    }
    all
}

/// The probability that each foot is down, by leg and frame of the performance.
pub fn probabilities(
    model: &Model,
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    first_frame: usize,
) -> Vec<Vec<f64>> {
    let poses = motion.poses.get(first_frame..).unwrap_or_default();
    let scores = feet::scores(model, &motion.skeleton, motion.fps, poses, legs, floor, |_| {});
    let sure = |foot: Vec<f32>| foot.into_iter().map(|score| model.probability(score)).collect();
    scores.into_iter().map(sure).collect()
}

/// Whether a foot is held still in the air all through a step: it has come to rest there and
/// carries nothing.
fn is_lifted(step: &FrameRange, own: [usize; 2], rests: &Rests) -> bool {
    let within = |found: &[Vec<FrameRange>]| {
        let shared = |rest: &FrameRange| rest.end.min(step.end).saturating_sub(rest.start.max(step.start));
        own.into_iter().map(|track| found[track].iter().map(shared).sum::<usize>()).max().unwrap_or(0)
    };
    within(&rests.found) == 0 && 2 * within(&rests.with_lifted) > step.len()
}

/// Confidences have so many steps from 0 to 1; more digits would say nothing in a file.
const STEPS: f64 = 100.0;

/// How sure a plant is: what the mean of its frames is worth, so that of the frames in plants that are 90 % sure
/// about 90 % are down. A frame is as sure as its foot is down and, near an edge that rest tells, as its point rests.
fn confidence(scores: &[f32], point: FootPoint, by_rest: [bool; 2], fps: f64, model: &Model) -> f64 {
    let rests = |edge: Edge, frames: usize| {
        if by_rest[edge as usize] {
            model.rests(point, edge, from_edge(frames, scores.len(), fps))
        } else {
            1.0
        }
    };
    let sure = |(frame, &score): (usize, &f32)| {
        model.probability(score) * rests(Edge::Start, frame) * rests(Edge::End, scores.len() - 1 - frame)
    };
    let mean = scores.iter().enumerate().map(sure).sum::<f64>() / scores.len().max(1) as f64;
    (model.plant(point, mean) * STEPS).round() / STEPS
}
