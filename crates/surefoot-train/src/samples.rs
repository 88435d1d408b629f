//! Made motions as labelled ones: their plants are known exactly, heel and ball apart.

use crate::labelled::{About, Labelled};
use surefoot_sample::{Body, Kind, Recipe, Sample, make};

/// One of each kind and body with two legs, of this seed, at this rate.
///
/// The person is the seed, so that a fold leaves whole seeds out.
pub fn samples(seed: u64, fps: f64, seconds: f64) -> Vec<Labelled> {
    let bodies = [Body::Human, Body::NoToe];
    let recipes = bodies
        .into_iter()
        .flat_map(|body| Kind::ALL.map(|kind| Recipe { kind, body, fps, seconds, seed, skate: None }));
    recipes.filter_map(|recipe| Some(labelled(&recipe, make(&recipe).ok()?))).collect()
}

fn labelled(recipe: &Recipe, sample: Sample) -> Labelled {
    let (kind, body) = (recipe.kind.as_str(), recipe.body.as_str());
    let about = About {
        name: format!("sample {kind} {body} {}", recipe.seed),
        set: "sample".into(),
        person: recipe.seed.to_string(),
        trial: recipe.seed.to_string(),
        kind: format!("sample {kind}"),
    };
    Labelled::from_plants(about, sample.motion, sample.legs, Some(sample.floor), sample.plants)
}
