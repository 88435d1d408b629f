//! Nearest neighbours and support vector machines, trained on some generated motions and scored on others.

use surefoot_contact::features::{FeatureSet, FeatureSpec, Window};
use surefoot_contact::svm::SvmDetection;
use surefoot_contact::{Settings, knn, svm};
use surefoot_core::{Footplants, PlantKind};
use surefoot_sample::Skate;
use surefoot_train::{
    Damage, FitError, Folds, KnnSettings, LabelScheme, LabelledMotion, Score, SvmSettings, TableRows,
    damaged, fit_knn, fit_svm, generated_motions, tables,
};

const SCHEMES: [LabelScheme; 2] = [LabelScheme::FiveLabels, LabelScheme::PlantAndSkate];

/// Few enough frames to train within a test.
fn svm_settings(labels: LabelScheme) -> SvmSettings {
    let set = FeatureSet::B_SPLIT.with(FeatureSet::C);
    let features = FeatureSpec { set, window: Window::ALL[1] };
    SvmSettings { labels, locomotion: features, other: features, max_frames: 250, ..SvmSettings::default() }
}

fn knn_settings() -> KnnSettings {
    KnnSettings { max_frames: 400, ..KnnSettings::default() }
}

fn score(motions: &[LabelledMotion], detect: impl Fn(&LabelledMotion) -> Footplants) -> Score {
    let mut score = Score::default();
    for labelled in motions {
        score.add(&Score::of(labelled, &detect(labelled)));
    }
    score
}

fn by_svm(labelled: &LabelledMotion, model: &svm::Model) -> SvmDetection {
    let LabelledMotion { motion, legs, floor, .. } = labelled;
    svm::detect(motion, legs, floor.as_ref(), model, &Settings::default())
}

fn by_knn(labelled: &LabelledMotion, model: &knn::Model) -> Footplants {
    let LabelledMotion { motion, legs, floor, .. } = labelled;
    knn::detect(motion, legs, floor.as_ref(), model, &Settings::default())
}

#[test]
fn contacts_of_other_motions_are_found() {
    let (training, others) = (generated_motions(0, 60.0, 6.0), generated_motions(5, 60.0, 6.0));
    let training: Vec<&LabelledMotion> = training.iter().collect();
    let model = fit_knn(&training, &knn_settings()).unwrap();
    let f1 = score(&others, |labelled| by_knn(labelled, &model)).f1();
    println!("knn: F1 {f1:.4}");
    // Measured: 0.9996 for each method; the few wrong frames are at edges.
    assert!(f1 > 0.999, "knn: {f1}");
    for labels in SCHEMES {
        let model = fit_svm(&training, &svm_settings(labels)).unwrap();
        let f1 = score(&others, |labelled| by_svm(labelled, &model).plants).f1();
        println!("svm, {labels:?}: F1 {f1:.4}");
        assert!(f1 > 0.999, "svm, {labels:?}: {f1}");
    }
}

#[test]
fn skating_feet_are_planted_and_labelled_as_skating() {
    let training = generated_motions(0, 60.0, 6.0);
    let settings = svm_settings(LabelScheme::PlantAndSkate);
    let model = fit_svm(&training.iter().collect::<Vec<_>>(), &settings).unwrap();
    let mut others = generated_motions(5, 60.0, 6.0).into_iter();
    let walk = others.find(|one| one.info.kind == "sample walk").unwrap();
    let skating = damaged(&walk, Damage::Skate(Skate::Scale(1.3)), 1);
    let (clean, skates) = (by_svm(&walk, &model), by_svm(&skating, &model));
    let f1 = score(&[skating], |_| skates.plants.clone()).f1();
    println!("svm, skating walk: F1 {f1:.4}");
    // Measured: 0.9933.
    assert!(f1 > 0.992, "{f1}");
    let skating_frames =
        |detection: &SvmDetection| detection.skating.iter().map(|run| run.len()).sum::<usize>();
    let (clean, skates) = (skating_frames(&clean), skating_frames(&skates));
    assert!(clean * 5 < skates, "{clean} {skates}");
}

/// Walks whose feet creep while they are down: too slow for skate and too fast for standing by the damage alone.
fn creeping(seed: u64) -> impl Iterator<Item = LabelledMotion> {
    let skate = Damage::Skate(Skate::Scale(1.14));
    let all = generated_motions(seed, 60.0, 6.0).into_iter();
    all.filter(|one| one.info.kind == "sample walk").map(move |one| damaged(&one, skate, seed))
}

#[test]
fn a_person_teaches_svm_what_skate_is() {
    let skating_plants = |kind: Option<PlantKind>| {
        let mut training = generated_motions(0, 60.0, 6.0);
        training.retain(|one| one.info.kind == "sample walk");
        training.extend((1..4).flat_map(creeping).map(|mut walk| {
            walk.plants.iter_mut().flat_map(|plants| &mut plants.plants).for_each(|plant| plant.kind = kind);
            walk
        }));
        let training: Vec<&LabelledMotion> = training.iter().collect();
        let settings = SvmSettings { max_frames: 900, ..svm_settings(LabelScheme::PlantAndSkate) };
        let model = fit_svm(&training, &settings).unwrap();
        let found: Vec<Option<PlantKind>> = creeping(5)
            .flat_map(|walk| by_svm(&walk, &model).plants.plants)
            // A sample stands in its first and last second.
            .filter(|plant| plant.frames.start > 40 && plant.frames.end < 300)
            .map(|plant| plant.kind)
            .collect();
        let skating = found.iter().filter(|kind| **kind == Some(PlantKind::Skate)).count();
        assert!(found.iter().all(Option::is_some) && found.len() > 20);
        skating as f64 / found.len() as f64
    };
    let (stand, skate) = (skating_plants(Some(PlantKind::Plant)), skating_plants(Some(PlantKind::Skate)));
    println!("creeping plants that are labelled skate: {stand:.2}, and {skate:.2} after training on them");
    assert!(stand < 0.05 && skate > 0.95, "{stand} {skate}");
}

#[test]
fn the_same_data_gives_the_same_bytes_and_they_are_read_back() {
    let training = generated_motions(0, 30.0, 6.0);
    let training: Vec<&LabelledMotion> = training.iter().collect();
    let settings = svm_settings(LabelScheme::PlantAndSkate);
    let bytes = fit_svm(&training, &settings).unwrap().write();
    assert_eq!(fit_svm(&training, &settings).unwrap().write(), bytes);
    assert_eq!(svm::Model::read(&bytes).unwrap().write(), bytes);
    assert_ne!(fit_svm(&training, &SvmSettings { seed: 2, ..settings }).unwrap().write(), bytes);
    let bytes = fit_knn(&training, &knn_settings()).unwrap().write();
    assert_eq!(fit_knn(&training, &knn_settings()).unwrap().write(), bytes);
    assert_eq!(knn::Model::read(&bytes).unwrap().write(), bytes);
}

/// Motions that stand from the first frame to the last.
fn standing() -> Vec<LabelledMotion> {
    generated_motions(0, 30.0, 6.0).into_iter().filter(|one| one.info.kind == "sample stand").collect()
}

#[test]
fn a_single_label_is_refused() {
    let mut standing = standing();
    for one in &mut standing {
        one.info.kind = "sample walk".into();
    }
    let training: Vec<&LabelledMotion> = standing.iter().collect();
    let message = "every frame is labelled \"both\", expected at least two of left, right, both, none";
    assert_eq!(fit_knn(&training, &knn_settings()).unwrap_err().to_string(), message);
    let error = fit_svm(&training, &svm_settings(LabelScheme::PlantAndSkate)).unwrap_err();
    assert!(matches!(error, FitError::OneLabel { label: "both", .. }), "{error}");
}

#[test]
fn motions_without_labels_are_refused() {
    let mut standing = standing();
    for one in &mut standing {
        one.contacts.iter_mut().flatten().for_each(|label| *label = None);
    }
    let training: Vec<&LabelledMotion> = standing.iter().collect();
    assert_eq!(fit_knn(&training, &knn_settings()), Err(FitError::NoLabels));
    let settings = svm_settings(LabelScheme::FiveLabels);
    assert_eq!(fit_svm(&training, &settings), Err(FitError::NoLabels));
    assert_eq!(fit_svm(&[], &settings), Err(FitError::NoLabels));
}

#[test]
fn every_feature_set_and_window_can_be_trained() {
    let training = generated_motions(0, 30.0, 4.0);
    let training: Vec<&LabelledMotion> = training.iter().take(3).collect();
    for set in FeatureSet::combinations().into_iter().chain([FeatureSet::KNEE, FeatureSet::ANKLE]) {
        for (window, labels) in
            Window::ALL.into_iter().flat_map(|window| SCHEMES.map(|labels| (window, labels)))
        {
            let features = FeatureSpec { set, window };
            let settings = SvmSettings { locomotion: features, other: features, ..svm_settings(labels) };
            let model = fit_svm(&training, &SvmSettings { max_frames: 40, ..settings }).unwrap();
            assert_eq!(svm::Model::read(&model.write()).unwrap(), model, "{set} {window:?}");
        }
    }
}

#[test]
fn the_tables_have_the_rows_of_the_thesis() {
    let mut all = generated_motions(0, 30.0, 6.0);
    all.truncate(2);
    all.extend(generated_motions(1, 30.0, 6.0).into_iter().take(2));
    let tables = tables(&all, &Folds::new(&all, 2), &TableRows::default(), &|_| {});
    assert_eq!(tables.features.len(), 25);
    let thesis = |row: usize| tables.features[row].columns.map(|column| column.thesis.unwrap().accuracy);
    assert_eq!([thesis(0), thesis(1), thesis(2)], [[0.912, 0.901], [0.942, 0.929], [0.946, 0.928]]);
    assert_eq!(tables.features[3].features, FeatureSet::ANKLE);
    assert!(tables.features[3].columns[0].thesis.is_none());
    assert_eq!(tables.windows.iter().map(|row| row.window.samples()).collect::<Vec<_>>(), [1, 3, 5, 10]);
    assert_eq!(tables.plant_and_skate[0].1[1].thesis.unwrap().frames, 876);
    assert_eq!(tables.data.iter().filter(|row| row.kind.is_some()).map(|row| row.motions).sum::<usize>(), 4);
    let frames = tables.features[0].columns[0].by_person.frames;
    assert!(frames > 100 && tables.windows.iter().all(|row| row.columns[0].by_person.frames == frames));
}
