//! Support vector machines: five labels from the posture and motion of the legs.
//!
//! After Hsu (2009). A frame is labelled with the feet that are down (left, right, both, none) or as
//! skating; alternatively, two classifiers label the feet and the skating separately. One part of the
//! model is trained on locomotion and one on all other motions; the stride speed selects the part.
//! `classifier` is one multi-class machine; `model` combines them and reads and writes the file.

mod classifier;
mod model;

pub use classifier::{Classifier, Decision, SupportVectors};
pub use model::{FramePrediction, KindModel, Model};

use crate::features::LegPair;
use crate::settings::Settings;
use crate::signal::{runs_where, shifted};
use crate::stances::{classify_pairs, plants_from_stances};
use crate::tracks::PointTracks;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, PlantKind};

/// The label of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The left foot is down.
    Left,
    /// The right foot is down.
    Right,
    /// Both feet are down.
    Both,
    /// No foot is down.
    None,
    /// A foot is down and slides.
    Skate,
}

impl Label {
    /// All labels, in the order of their numbers in files.
    pub const ALL: [Self; 5] = [Self::Left, Self::Right, Self::Both, Self::None, Self::Skate];

    /// The label for the feet that are down, left first.
    pub fn from_feet([left, right]: [bool; 2]) -> Self {
        match (left, right) {
            (true, true) => Self::Both,
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            (false, false) => Self::None,
        }
    }

    /// The name of the label.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Both => "both",
            Self::None => "none",
            Self::Skate => "skate",
        }
    }

    /// The label of the mirrored frame.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            other => other,
        }
    }

    /// Whether a foot is down, 0 for the left; `None` for skate, which may be either foot.
    pub(crate) fn is_down(self, foot: usize) -> Option<bool> {
        match self {
            Self::Skate => None,
            Self::Both => Some(true),
            Self::None => Some(false),
            Self::Left => Some(foot == 0),
            Self::Right => Some(foot == 1),
        }
    }
}

/// Plants, and when the feet in them skate.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct SvmDetection {
    /// The plants. One is of kind skate if its foot slides in most of its frames.
    pub plants: Footplants,
    /// The frames in which a foot is down and slides.
    pub skating: Vec<FrameRange>,
}

/// Finds plants, and the frames in which they skate.
pub fn detect(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    model: &Model,
    settings: &Settings,
) -> SvmDetection {
    let first_frame = settings.first_frame;
    let frames = motion.frames().saturating_sub(first_frame);
    let mut skates = vec![false; frames];
    let mut scratch = Scratch::default();
    let confidences = |pair: &LegPair, frame: usize| {
        let prediction = model.predict(pair, frame, &mut scratch);
        skates[frame] |= prediction.skates;
        prediction.confidences
    };
    let stances = classify_pairs(motion, legs, settings, confidences);
    let tracks = PointTracks::new(motion, legs, floor, first_frame);
    let skating = runs_where(|frame| skates[frame], 0..frames);
    let mut plants = plants_from_stances(&stances, &tracks, first_frame, settings);
    for plant in &mut plants.plants {
        let slides = plant.frames.clone().filter(|frame| skates[frame - first_frame]).count();
        plant.kind = Some(match 2 * slides > plant.frames.len() {
            true => PlantKind::Skate,
            false => PlantKind::Plant,
        });
    }
    let skating = skating.iter().map(|run| shifted(run, first_frame)).collect();
    SvmDetection { plants, skating }
}

/// Buffers that are reused from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    vector: Vec<f32>,
    distances: Vec<f32>,
}
