//! Folds separate people and trials.

use super::trees::motions;
use surefoot_core::Footplants;
use surefoot_train::{Damage, Folds, LabelledMotion, MotionInfo, cross_validate};

fn named(dataset_and_name: &[(&str, &str)]) -> Vec<LabelledMotion> {
    let motion = motions().swap_remove(0);
    let labelled = |(dataset, name): &(&str, &str)| LabelledMotion {
        info: MotionInfo::from_names(dataset, name),
        ..motion.clone()
    };
    dataset_and_name.iter().map(labelled).collect()
}

#[test]
fn no_person_or_trial_is_both_trained_on_and_scored() {
    let all = named(&[
        ("biomechzoo", "HC030A05_straight"),
        ("biomechzoo", "HC030A22_turn"),
        ("biomechzoo", "HC031A06_straight"),
        ("hamner04_overground", "hamner04_og_run200"),
        ("hamner04_treadmill", "hamner04_run200"),
        ("hamner04_treadmill", "hamner04_run300"),
        ("opencap_subject4", "s4_DJ1"),
        ("opencap_subject4", "s4_DJ2"),
    ]);
    let folds = Folds::new(&all, 6);
    let same_fold = |a: usize, b: usize| folds.fold_of[a] == folds.fold_of[b];
    assert!(same_fold(0, 1) && !same_fold(0, 2), "by person: {folds:?}");
    assert!(same_fold(3, 4) && !same_fold(4, 5), "both versions of a take: {folds:?}");
    assert!(!same_fold(6, 7), "by trial: {folds:?}");
    cross_validate(&all, &folds, &[Damage::None], |training| {
        assert!(training.len() < all.len());
        let is_held_out = |one: &&LabelledMotion| training.iter().all(|other| other.info != one.info);
        for held_out in all.iter().filter(is_held_out) {
            let by_person = held_out.info.dataset == "biomechzoo";
            let group = |info: &MotionInfo| if by_person { info.person.clone() } else { info.trial.clone() };
            for other in training {
                let names = (&other.info.name, &held_out.info.name);
                assert_ne!(group(&other.info), group(&held_out.info), "{names:?}");
            }
        }
        Box::new(|_| Footplants::default())
    });
}
