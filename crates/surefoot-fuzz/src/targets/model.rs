//! Any bytes as a model of the learned detector are refused, or read, written back and evaluated to probabilities.

use surefoot_contact::learned::Model;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Ok(model) = Model::read(bytes) else { return };
    let written = model.write();
    assert_eq!(Model::read(&written).expect("a written model can be read").write(), written);
    for score in [-10.0, 0.0, 3.5] {
        let probability = model.probability(score);
        assert!((0.0..=1.0).contains(&probability), "{probability}");
    }
}
