//! Labelled moments as the examples of the nearest neighbours.

use crate::labelled::Labelled;
use crate::moments::{Moment, Moments, draw};
use crate::svm::{Unfit, on_scale};
use surefoot_contact::features::{FeatureSet, FeatureSpec, View, Window};
use surefoot_contact::knn::Model;
use surefoot_contact::svm::Label;

/// How examples are chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct KnnSettings {
    /// What is looked at: by default the places of knees, heels, toes and root, at five instants.
    pub looks: FeatureSpec,
    /// How many of the nearest vote. 9 by default: fewer follow single examples, more blur edges.
    pub neighbours: u8,
    /// The most moments that are kept; each is kept twice, once in a mirror.
    pub moments: usize,
    /// Draws the damage and the moments.
    pub seed: u64,
}

impl Default for KnnSettings {
    fn default() -> Self {
        let looks = FeatureSpec { set: FeatureSet::A, window: Window::ALL[2] };
        Self { looks, neighbours: 9, moments: 700, seed: 1 }
    }
}

/// Draws the examples.
pub fn fit_knn(all: &[&Labelled], settings: &KnnSettings) -> Result<Model, Unfit> {
    let moments = Moments::new(all, settings.seed);
    let truth = |moment: &Moment| Some(moment.feet);
    let least = settings.moments / 20;
    let drawn = draw(moments.moments.iter(), truth, settings.moments, least, settings.seed);
    let views = |moment: &Moment| {
        let feet = moment.feet;
        [(feet, *moment, View::AsIs), (feet.mirrored(), *moment, View::Mirrored)]
    };
    let shown: Vec<(Label, Moment, View)> = drawn.iter().flat_map(views).collect();
    let Some((first, ..)) = shown.first() else {
        return Err(Unfit::NoLabels);
    };
    if shown.iter().all(|(feet, ..)| feet == first) {
        return Err(Unfit::OneLabel { label: first.as_str(), among: "left, right, both, none" });
    }
    let (scale, points) = on_scale(&moments, &shown, settings.looks);
    let feet = |label: &Label| match label {
        Label::Left => 1,
        Label::Right => 2,
        Label::Both => 3,
        Label::None | Label::Skate => 0,
    };
    let feet = shown.iter().map(|(label, ..)| feet(label)).collect();
    Ok(Model::new(settings.looks, settings.neighbours, scale, points, feet))
}
