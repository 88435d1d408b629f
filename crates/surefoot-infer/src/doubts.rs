//! What should a person know about the findings?

use crate::Inference;
use crate::sight::Sight;
use surefoot_core::Leg;

/// Below this confidence a finding is worth a warning.
const DOUBTFUL: f64 = 0.7;

/// What a person should know about findings that are none too sure.
pub(crate) fn find(found: &Inference, sight: &Sight) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut doubt = |what: &str, confidence: f64, reason: &str| {
        if confidence < DOUBTFUL {
            let percent = 100.0 * confidence;
            warnings.push(format!("the {what} doubtful ({percent:.0} %): {reason}"));
        }
    };
    if let Ok(legs) = &found.legs {
        doubt("legs are", legs.confidence, &legs.reason);
    }
    doubt("unit is", found.unit_m.confidence, &found.unit_m.reason);
    doubt("up axis is", found.up.confidence, &found.up.reason);
    if let Some(floor) = &found.floor {
        doubt("floor is", floor.confidence, &floor.reason);
    } else if found.legs.is_ok() {
        warnings.push("no floor was found: there are no frames to see the feet stand in".into());
    }
    if let Ok(legs) = &found.legs {
        warnings.extend(unlike(&legs.value, sight));
    }
    warnings
}

/// A warning about a left and a right leg whose lengths differ by more than a tenth.
fn unlike(legs: &[Leg], sight: &Sight) -> Option<String> {
    let placed = sight.looks.first().map_or(&sight.rest, |look| &look.now);
    let length = |leg: &Leg| {
        let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| placed.joint(joint));
        hip.distance(knee) + knee.distance(ankle)
    };
    let [left, right] = legs else { return None };
    let ratio = length(left) / length(right);
    (ratio.is_finite() && !(0.9..1.1).contains(&ratio))
        .then(|| format!("the left leg is {:.0} % as long as the right one", 100.0 * ratio))
}
