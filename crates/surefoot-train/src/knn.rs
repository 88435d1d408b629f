//! Chooses the examples of the nearest-neighbour method.

use crate::error::FitError;
use crate::frame_examples::{DrawCount, FrameExample, FrameExamples, draw};
use crate::labelled_motion::LabelledMotion;
use crate::svm::{LabelledView, both_views, standardised};
use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::knn::Model;
use surefoot_contact::svm::Label;

/// The settings of the nearest-neighbour method.
#[derive(Clone, Debug, PartialEq)]
pub struct KnnSettings {
    /// The features: by default the positions of knees, heels, toes and root at five times.
    pub features: FeatureSpec,
    /// Number of nearest examples that vote. 9 by default: fewer follow single examples, more blur edges.
    pub neighbours: u8,
    /// The most frames that are kept, each also mirrored. 700 by default.
    pub max_frames: usize,
    /// Draws the damage and the frames.
    pub seed: u64,
}

impl Default for KnnSettings {
    fn default() -> Self {
        let features = FeatureSpec { set: FeatureSet::A, window: Window::ALL[2] };
        Self { features, neighbours: 9, max_frames: 700, seed: 1 }
    }
}

/// One in this many examples is reserved for each label, so that rare labels are represented.
const MIN_LABEL_FRACTION: usize = 20;

/// Chooses the examples of a model.
pub fn fit_knn(all: &[&LabelledMotion], settings: &KnnSettings) -> Result<Model, FitError> {
    let examples = FrameExamples::new(all, settings.seed);
    let count =
        DrawCount { max: settings.max_frames, min_per_label: settings.max_frames / MIN_LABEL_FRACTION };
    let drawn = draw(examples.frames.iter(), FrameExample::feet_label, count, settings.seed);
    let views: Vec<LabelledView> = both_views(&drawn, FrameExample::feet_label).collect();
    let Some(first) = views.first() else {
        return Err(FitError::NoLabels);
    };
    if views.iter().all(|view| view.label == first.label) {
        return Err(FitError::OneLabel { label: first.label.as_str(), among: "left, right, both, none" });
    }
    let (scaling, vectors) = standardised(&examples, &views, settings.features);
    let feet_bits = |label: Label| match label {
        Label::Left => 1,
        Label::Right => 2,
        Label::Both => 3,
        Label::None | Label::Skate => 0,
    };
    let feet = views.iter().map(|view| feet_bits(view.label)).collect();
    Ok(Model::new(settings.features, settings.neighbours, scaling, vectors, feet))
}
