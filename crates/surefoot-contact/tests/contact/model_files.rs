//! Model files are read back unchanged, and damaged ones are refused.

use super::common::sample;
use surefoot_contact::learned::{Model, ModelError};
use surefoot_contact::{Settings, knn, svm};
use surefoot_core::Motion;
use surefoot_sample::{Kind, Sample};

#[test]
fn a_learned_model_is_read_back_unchanged() {
    let model = Model::shipped();
    assert!(model.trees.len() > 50 && model.score_calibration.len() > 5);
    let bytes = model.write();
    assert!(bytes.len() < 1 << 20);
    assert_eq!(Model::read(&bytes), Ok(model));
}

#[test]
fn damaged_learned_models_are_refused() {
    let bytes = Model::shipped().write();
    assert_eq!(Model::read(b""), Err(ModelError::NotAModel));
    assert_eq!(Model::read(b"HIERARCHY ROOT Hips"), Err(ModelError::NotAModel));
    let mut other_version = bytes.clone();
    other_version[15] = b'2';
    assert_eq!(Model::read(&other_version), Err(ModelError::Version));
    let mut other_features = bytes.clone();
    other_features[16] ^= 1;
    assert_eq!(Model::read(&other_features), Err(ModelError::Version));
    let cut = bytes.len() - 9;
    assert_eq!(Model::read(&bytes[..cut]), Err(ModelError::Length { found: cut, expected: bytes.len() }));
    for at in [60, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(Model::read(&damaged), Err(ModelError::Damaged), "byte {at}");
    }
    for cut in 0..70 {
        assert!(Model::read(&bytes[..cut]).is_err());
    }
}

#[test]
fn shipped_knn_and_svm_models_are_small() {
    for bytes in [knn::Model::shipped().write(), svm::Model::shipped().write()] {
        assert!(bytes.len() <= 300_000, "{} bytes", bytes.len());
    }
}

#[test]
fn models_of_another_kind_or_version_are_refused() {
    let (knn_bytes, svm_bytes) = (knn::Model::shipped().write(), svm::Model::shipped().write());
    let message = |bytes: &[u8]| svm::Model::read(bytes).unwrap_err().to_string();
    let train = "train it again with this version";
    assert_eq!(message(&knn_bytes), format!("found a model of \"knn/2\", expected \"svm/2\"; {train}"));
    let mut newer = svm_bytes.clone();
    newer[13] = b'3';
    assert_eq!(message(&newer), format!("found a model of \"svm/3\", expected \"svm/2\"; {train}"));
    assert_eq!(message(b"HIERARCHY"), "not a model: the file does not start with \"surefoot svm/2\"");
    let (end, whole) = (svm_bytes.len() - 10, svm_bytes.len());
    assert_eq!(
        message(&svm_bytes[..end]),
        format!("byte {end}: the file ends here, expected {} more bytes", whole - end)
    );
    let longer: Vec<u8> = svm_bytes.iter().copied().chain([0]).collect();
    assert_eq!(message(&longer), "1 unexpected bytes after the model");
    assert!(knn::Model::read(&knn_bytes[..100]).is_err());
}

#[test]
fn knn_and_svm_models_with_random_damage_never_panic() {
    let Sample { motion, legs, .. } = sample(Kind::Walk, 30.0, None);
    let short = Motion { poses: motion.poses[..10].to_vec(), ..motion };
    let (knn_bytes, svm_bytes) = (knn::Model::shipped().write(), svm::Model::shipped().write());
    let mut state = 1u64;
    let mut draw = |sides: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % sides
    };
    for round in 0..400 {
        let mut bytes = if round % 2 == 0 { knn_bytes.clone() } else { svm_bytes.clone() };
        // Half of the damage is in the header, where the counts are.
        let at = if draw(2) == 0 { draw(60) } else { draw(bytes.len()) };
        bytes[at] = draw(256) as u8;
        if let Ok(model) = knn::Model::read(&bytes) {
            knn::detect(&short, &legs, None, &model, &Settings::default());
        }
        if let Ok(model) = svm::Model::read(&bytes) {
            svm::detect(&short, &legs, None, &model, &Settings::default());
        }
    }
}
