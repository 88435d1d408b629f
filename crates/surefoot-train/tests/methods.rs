//! Nearest neighbours and support vector machines, fitted to made motions and asked of others.

use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::{Settings, knn, svm};
use surefoot_core::Footplants;
use surefoot_train::{
    Damage, Folds, KnnSettings, Labelled, Labels, Score, SvmSettings, Unfit, damaged, fit_knn, fit_svm,
    samples, tables,
};

/// Small enough to be fitted in a blink.
fn svm_settings(labels: Labels) -> SvmSettings {
    let looks = FeatureSpec { set: FeatureSet::B_SPLIT.with(FeatureSet::C), window: Window::ALL[1] };
    SvmSettings { labels, locomotion: looks, other: looks, moments: 250, ..SvmSettings::default() }
}

fn knn_settings() -> KnnSettings {
    KnnSettings { moments: 400, ..KnnSettings::default() }
}

fn score(out: &[Labelled], detect: impl Fn(&Labelled) -> Footplants) -> Score {
    let mut score = Score::default();
    for labelled in out {
        score.add(&Score::of(labelled, &detect(labelled)));
    }
    score
}

fn by_svm(labelled: &Labelled, model: &svm::Model) -> svm::SvmDetection {
    let Labelled { motion, legs, floor, .. } = labelled;
    svm::detect(motion, legs, floor.as_ref(), model, &Settings::default())
}

fn by_knn(labelled: &Labelled, model: &knn::Model) -> Footplants {
    let Labelled { motion, legs, floor, .. } = labelled;
    knn::detect(motion, legs, floor.as_ref(), model, &Settings::default())
}

#[test]
fn feet_of_motions_never_seen_are_told() {
    let (seen, out) = (samples(0, 60.0, 6.0), samples(5, 60.0, 6.0));
    let seen: Vec<&Labelled> = seen.iter().collect();
    let model = fit_knn(&seen, &knn_settings()).unwrap();
    let f1 = score(&out, |labelled| by_knn(labelled, &model)).f1();
    assert!(f1 > 0.95, "knn: {f1}");
    for labels in [Labels::Five, Labels::Apart] {
        let model = fit_svm(&seen, &svm_settings(labels)).unwrap();
        let f1 = score(&out, |labelled| by_svm(labelled, &model).plants).f1();
        assert!(f1 > 0.96, "svm, {labels:?}: {f1}");
    }
}

#[test]
fn skating_feet_are_planted_and_told_to_skate() {
    let seen = samples(0, 60.0, 6.0);
    let model = fit_svm(&seen.iter().collect::<Vec<_>>(), &svm_settings(Labels::Apart)).unwrap();
    let walk = samples(5, 60.0, 6.0).into_iter().find(|one| one.about.kind == "sample walk").unwrap();
    let skating = damaged(&walk, Damage::Skate(surefoot_sample::Skate::Scale(1.3)), 1);
    let frames = |found: &svm::SvmDetection| found.skating.iter().map(|run| run.len()).sum::<usize>();
    let (calm, skates) = (by_svm(&walk, &model), by_svm(&skating, &model));
    assert!(score(&[skating], |_| skates.plants.clone()).f1() > 0.93);
    assert!(frames(&calm) * 5 < frames(&skates), "{} and {}", frames(&calm), frames(&skates));
}

#[test]
fn the_same_data_gives_the_same_bytes_and_they_come_back() {
    let seen = samples(0, 30.0, 6.0);
    let seen: Vec<&Labelled> = seen.iter().collect();
    let bytes = fit_svm(&seen, &svm_settings(Labels::Apart)).unwrap().write();
    assert_eq!(fit_svm(&seen, &svm_settings(Labels::Apart)).unwrap().write(), bytes);
    assert_eq!(svm::Model::read(&bytes).unwrap().write(), bytes);
    let other = SvmSettings { seed: 2, ..svm_settings(Labels::Apart) };
    assert_ne!(fit_svm(&seen, &other).unwrap().write(), bytes);
    let bytes = fit_knn(&seen, &knn_settings()).unwrap().write();
    assert_eq!(fit_knn(&seen, &knn_settings()).unwrap().write(), bytes);
    assert_eq!(knn::Model::read(&bytes).unwrap().write(), bytes);
}

/// A body that stands from the first frame to the last.
fn standing() -> Vec<Labelled> {
    samples(0, 30.0, 6.0).into_iter().filter(|one| one.about.kind == "sample stand").collect()
}

#[test]
fn one_label_only_is_refused() {
    let mut standing = standing();
    for one in &mut standing {
        one.about.kind = "sample walk".into();
    }
    let seen: Vec<&Labelled> = standing.iter().collect();
    let said = "every frame is labelled \"both\", expected at least two of left, right, both, none";
    assert_eq!(fit_knn(&seen, &knn_settings()).unwrap_err().to_string(), said);
    let error = fit_svm(&seen, &svm_settings(Labels::Apart)).unwrap_err();
    assert!(matches!(error, Unfit::OneLabel { label: "both", .. }), "{error}");
}

#[test]
fn no_labels_are_refused() {
    let mut standing = standing();
    for one in &mut standing {
        one.down.iter_mut().flatten().for_each(|label| *label = None);
    }
    let seen: Vec<&Labelled> = standing.iter().collect();
    assert_eq!(fit_knn(&seen, &knn_settings()), Err(Unfit::NoLabels));
    assert_eq!(fit_svm(&seen, &svm_settings(Labels::Five)), Err(Unfit::NoLabels));
    assert_eq!(fit_svm(&[], &svm_settings(Labels::Five)), Err(Unfit::NoLabels));
}

#[test]
fn every_set_of_features_and_every_window_can_be_fitted() {
    let seen = samples(0, 30.0, 4.0);
    let seen: Vec<&Labelled> = seen.iter().take(3).collect();
    for features in FeatureSet::combinations().into_iter().chain([FeatureSet::KNEE]) {
        for window in Window::ALL {
            let looks = FeatureSpec { set: features, window };
            for labels in [Labels::Five, Labels::Apart] {
                let few = SvmSettings {
                    labels,
                    locomotion: looks,
                    other: looks,
                    moments: 40,
                    ..SvmSettings::default()
                };
                let model = fit_svm(&seen, &few).unwrap();
                assert_eq!(svm::Model::read(&model.write()).unwrap(), model, "{features} {window:?}");
            }
        }
    }
}

#[test]
fn the_tables_have_the_rows_of_the_thesis() {
    let mut all = samples(0, 30.0, 6.0);
    all.truncate(2);
    all.extend(samples(1, 30.0, 6.0).into_iter().take(2));
    let made = tables(&all, &Folds::new(&all, 2), &|_| {});
    assert_eq!(made.features.len(), 24);
    let thesis = |row: usize| made.features[row].columns.map(|column| column.thesis.unwrap().share);
    assert_eq!([thesis(0), thesis(1), thesis(2)], [[0.912, 0.901], [0.942, 0.929], [0.946, 0.928]]);
    assert!(made.features[3].columns[0].thesis.is_none());
    assert_eq!(made.windows.iter().map(|row| row.window.samples()).collect::<Vec<_>>(), [1, 3, 5, 10]);
    assert_eq!(made.apart[0].1[1].thesis.unwrap().frames, 876);
    let frames = made.features[0].columns[0].ours.frames;
    assert!(frames > 100 && made.windows.iter().all(|row| row.columns[0].ours.frames == frames));
}
