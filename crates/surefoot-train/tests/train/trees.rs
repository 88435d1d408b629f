//! Training of the boosted trees.

use surefoot_contact::learned::{Model, detect};
use surefoot_contact::{Edges, Settings};
use surefoot_core::Motion;
use surefoot_sample::Skate;
use surefoot_train::{
    BoostingSettings, Damage, FitError, LabelledMotion, Score, TrainingSettings, damaged, fit,
    generated_motions,
};

/// Enough trees to classify generated motions, few enough for a test.
fn quick() -> TrainingSettings {
    let boosting = BoostingSettings { trees: 8, learning_rate: 0.4, ..BoostingSettings::default() };
    TrainingSettings { boosting, copies: 1, generated_seeds: 0, ..TrainingSettings::default() }
}

/// One motion of each kind, of the body with toes.
pub fn motions() -> Vec<LabelledMotion> {
    generated_motions(3, 50.0, 4.0).into_iter().filter(|one| !one.info.name.contains("no-toe")).collect()
}

fn f1(model: &Model, labelled: &LabelledMotion) -> f64 {
    let LabelledMotion { motion, legs, floor, .. } = labelled;
    let settings = Settings { edges: Edges::Touch, ..Settings::default() };
    Score::of(labelled, &detect(model, motion, legs, floor.as_ref(), &settings)).f1()
}

#[test]
fn the_same_motions_give_the_same_bytes() {
    let all = motions();
    let training: Vec<&LabelledMotion> = all.iter().collect();
    let model = fit(&training, None, &quick()).unwrap();
    assert_eq!(model.write(), fit(&training, None, &quick()).unwrap().write());
    let other = fit(&training, None, &TrainingSettings { seed: 2, ..quick() }).unwrap();
    assert_ne!(model.write(), other.write());
    let other_motion = &generated_motions(9, 60.0, 4.0)[0];
    assert!(f1(&model, other_motion) > 0.95, "{}", f1(&model, other_motion));
}

#[test]
fn one_class_and_too_few_labels_are_refused() {
    let mut standing = motions();
    standing.iter_mut().flat_map(|one| &mut one.contacts).flatten().for_each(|down| *down = Some(true));
    let training: Vec<&LabelledMotion> = standing.iter().collect();
    assert_eq!(fit(&training, None, &quick()), Err(FitError::OneClass { down: true }));
    let mut short = motions().swap_remove(0);
    short.motion = Motion { poses: short.motion.poses[..3].to_vec(), ..short.motion };
    short.contacts.iter_mut().for_each(|foot| foot.truncate(3));
    assert_eq!(fit(&[&short], None, &quick()), Err(FitError::TooFew { found: 6, expected: 200 }));
    assert_eq!(fit(&[], None, &quick()), Err(FitError::TooFew { found: 0, expected: 200 }));
}

#[test]
fn a_model_adapts_to_corrected_labels() {
    // Labels that end every stance 0.2 s early. With noise, because exact rests take precedence over the model.
    let mut corrected = damaged(&motions().swap_remove(0), Damage::Skate(Skate::Noise(0.002)), 1);
    let early = (0.2 * corrected.motion.fps) as usize;
    for foot in &mut corrected.contacts {
        let before = foot.clone();
        for frame in 0..foot.len() {
            let lifts_soon = before[frame..before.len().min(frame + early)].contains(&Some(false));
            foot[frame] = before[frame].map(|down| down && !lifts_soon);
        }
    }
    let shipped = Model::shipped();
    let boosting = BoostingSettings { trees: 20, learning_rate: 0.3, ..BoostingSettings::default() };
    let adapted = fit(&[&corrected], Some(&shipped), &TrainingSettings { boosting, ..quick() }).unwrap();
    let (before, after) = (f1(&shipped, &corrected), f1(&adapted, &corrected));
    assert!(after > before + 0.02, "{before} {after}");
    assert_eq!(adapted.trees.len(), shipped.trees.len() + 20);
}
