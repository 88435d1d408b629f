//! Detection in a stream: a pose in, the planted points of the pose a quarter of a second earlier out.
//!
//! The stream classifies the same feature rows with the same model as a whole motion. It lacks
//! hindsight: short gaps and short contacts stay, and a point is planted while the foot is down and
//! the point is near its lowest recent height, not where it comes to rest later, which is in the
//! future.

use super::MotionHeader;
use super::ensemble::Ensemble;
use super::feature_rows::{FeatureExtractor, FeatureRow, ROW_LENGTH};
use super::model::Model;
use surefoot_core::{FootPoint, Footplants, Motion, Plant, Pose};

/// Height above its lowest recent height from which a point is no longer at rest, in leg lengths:
/// 1.5 cm in an adult. Lower loses plants to jitter; higher holds a point that is leaving.
const MAX_RISE: f32 = 0.018;

/// Which points of a foot are planted at one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FootContact {
    /// Whether the heel is planted.
    pub heel: bool,
    /// Whether the ball is planted.
    pub ball: bool,
    /// The probability that the foot is down, from 0 to 1.
    pub confidence: f64,
}

/// Finds plants in a stream of poses. Nothing is allocated per frame.
pub struct LiveDetector {
    extractor: FeatureExtractor,
    ensemble: Ensemble,
    model: Model,
    row: Box<FeatureRow>,
    contacts: Vec<FootContact>,
}

impl LiveDetector {
    /// A detector with a look-ahead in seconds, at most [`LOOKAHEAD`](super::LOOKAHEAD), which is the most accurate.
    pub fn new(model: Model, header: &MotionHeader, lookahead: f64) -> Self {
        Self {
            extractor: FeatureExtractor::new(header, lookahead),
            ensemble: Ensemble::new(&model),
            model,
            row: Box::new([0.0; ROW_LENGTH]),
            contacts: vec![FootContact::default(); header.legs.len()],
        }
    }

    /// The latency in frames: how many poses must follow a pose before its contacts are known.
    pub fn lookahead(&self) -> usize {
        self.extractor.lookahead()
    }

    /// Adds a pose and returns the contacts, by leg, of the pose [`lookahead`](Self::lookahead)
    /// frames earlier.
    pub fn push(&mut self, pose: &Pose) -> Option<&[FootContact]> {
        self.extractor.push(pose);
        self.next_contacts()
    }

    /// After the last pose: returns the contacts of the next pose that was not returned yet, until none is left.
    pub fn finish(&mut self) -> Option<&[FootContact]> {
        self.extractor.end();
        self.next_contacts()
    }

    fn next_contacts(&mut self) -> Option<&[FootContact]> {
        if !self.extractor.prepare() {
            return None;
        }
        for (leg, contact) in self.contacts.iter_mut().enumerate() {
            self.extractor.row(leg, &mut self.row);
            let score = self.ensemble.score(&self.row);
            let is_down = score > 0.0;
            let [heel, ball] = self.extractor.heights(leg).map(|height| height < MAX_RISE);
            *contact = FootContact {
                heel: is_down && heel,
                // A foot that is down with both points raised stands on its toes, at the end of a stance.
                ball: is_down && (ball || !heel),
                confidence: self.model.probability(score),
            };
        }
        self.extractor.consume();
        Some(&self.contacts)
    }
}

/// Returns the plants of a whole motion as a stream would find them. `lookahead` is in seconds.
pub fn detect_live(
    model: &Model,
    motion: &Motion,
    header: &MotionHeader,
    first_frame: usize,
    lookahead: f64,
) -> Footplants {
    let mut detector = LiveDetector::new(model.clone(), header, lookahead);
    let mut frames: Vec<Vec<FootContact>> = Vec::new();
    for pose in motion.poses.get(first_frame..).unwrap_or_default() {
        frames.extend(detector.push(pose).map(<[FootContact]>::to_vec));
    }
    while let Some(contacts) = detector.finish() {
        frames.push(contacts.to_vec());
    }
    let mut plants = Footplants::default();
    for leg in 0..header.legs.len() {
        let contacts: Vec<FootContact> = frames.iter().map(|frame| frame[leg]).collect();
        for point in [FootPoint::Heel, FootPoint::Ball] {
            plants.plants.extend(plants_of_point(&contacts, leg, point, first_frame));
        }
    }
    plants
}

/// The plants of one point from the contacts of its foot, frame by frame.
fn plants_of_point(contacts: &[FootContact], leg: usize, point: FootPoint, first_frame: usize) -> Vec<Plant> {
    let is_planted =
        |contact: &FootContact| if point == FootPoint::Heel { contact.heel } else { contact.ball };
    let mut plants = Vec::new();
    let mut start = first_frame;
    for run in contacts.chunk_by(|a, b| is_planted(a) == is_planted(b)) {
        if is_planted(&run[0]) {
            let confidence = run.iter().map(|contact| contact.confidence).sum::<f64>() / run.len() as f64;
            let frames = start..start + run.len();
            plants.push(Plant { confidence: Some(confidence), ..Plant::new(leg, point, frames) });
        }
        start += run.len();
    }
    plants
}
