//! The calibration of the shipped model.

use surefoot_contact::learned::Model;
use surefoot_train::point_reliability;

/// Bins with fewer frames come from few plants and are not significant.
const MIN_FRAMES: usize = 3000;

#[test]
fn plant_confidence_is_calibrated_for_heels_and_balls() {
    for (point, bins) in ["heels", "balls"].into_iter().zip(point_reliability(&Model::shipped())) {
        for bin in bins.into_iter().filter(|bin| bin.count >= MIN_FRAMES) {
            println!("{point}: confidence {:.3}, planted {:.3} of {}", bin.confidence, bin.down, bin.count);
            // The largest measured difference is 0.014.
            assert!((bin.confidence - bin.down).abs() < 0.016, "{point}: {bin:?}");
        }
    }
}
