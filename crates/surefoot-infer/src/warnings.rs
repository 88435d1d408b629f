//! Warnings about uncertain or unusual results.

use crate::Inference;
use crate::pose_samples::PoseSamples;
use surefoot_core::Leg;

/// Confidence below which a result gets a warning.
const UNCERTAIN: f64 = 0.7;

/// Warnings about results with low confidence and legs of different length.
pub(crate) fn of_results(inference: &Inference, samples: &PoseSamples) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut check = |subject: &str, confidence: f64, reason: &str| {
        if confidence < UNCERTAIN {
            let percent = 100.0 * confidence;
            warnings.push(format!("the {subject} uncertain (confidence {percent:.0} %): {reason}"));
        }
    };
    if let Ok(legs) = &inference.legs {
        check("legs are", legs.confidence, &legs.reason);
    }
    check("unit is", inference.unit_m.confidence, &inference.unit_m.reason);
    check("up axis is", inference.up.confidence, &inference.up.reason);
    if let Some(floor) = &inference.floor {
        check("floor is", floor.confidence, &floor.reason);
    }
    if let Ok(legs) = &inference.legs {
        warnings.extend(different_lengths(&legs.value, samples));
    }
    warnings
}

/// A warning about a left and a right leg whose lengths differ by more than 10 %.
fn different_lengths(legs: &[Leg], samples: &PoseSamples) -> Option<String> {
    let world = samples.first_or_rest();
    let length = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
        hip.distance(knee) + knee.distance(ankle)
    };
    let [left, right] = legs else { return None };
    let ratio = length(left) / length(right);
    (ratio.is_finite() && !(0.9..1.1).contains(&ratio))
        .then(|| format!("the left leg is {:.0} % as long as the right one", 100.0 * ratio))
}
