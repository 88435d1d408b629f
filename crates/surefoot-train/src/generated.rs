//! Generated motions as labelled motions: their plants are known exactly, for heel and ball.

use crate::labelled_motion::{LabelledMotion, MotionInfo};
use surefoot_sample::{Body, Kind, Recipe, Sample, make};

/// Generates one motion of each kind for each body with two legs.
///
/// The person is the seed, so that a fold leaves whole seeds out.
pub fn generated_motions(seed: u64, fps: f64, seconds: f64) -> Vec<LabelledMotion> {
    let bodies = [Body::Human, Body::NoToe];
    let recipes = bodies
        .into_iter()
        .flat_map(|body| Kind::ALL.map(|kind| Recipe { kind, body, fps, seconds, seed, skate: None }));
    recipes.filter_map(|recipe| Some(labelled(&recipe, make(&recipe).ok()?))).collect()
}

fn labelled(recipe: &Recipe, sample: Sample) -> LabelledMotion {
    let (kind, body) = (recipe.kind.as_str(), recipe.body.as_str());
    let info = MotionInfo {
        name: format!("sample {kind} {body} {}", recipe.seed),
        dataset: "sample".into(),
        person: recipe.seed.to_string(),
        trial: recipe.seed.to_string(),
        kind: format!("sample {kind}"),
    };
    LabelledMotion::from_plants(info, sample.motion, sample.legs, Some(sample.floor), sample.plants)
}
