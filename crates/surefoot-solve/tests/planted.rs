//! A planted point stays on its spot, or a note says why not.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_solve::Settings;

/// How far a planted point may be from its spot, in metres: rounding.
const HELD: f64 = 1e-9;

/// Cleans a case and holds every plant to the law; says what breaks it.
fn check(case: &Case, settings: &Settings) -> Result<(), String> {
    let (after, report) = case.clean(settings);
    if after.poses.iter().any(|pose| bits(pose).iter().any(|&bits| !f64::from_bits(bits).is_finite())) {
        return Err(format!("{}: not finite", case.name));
    }
    for (plant, told) in case.plants.plants.iter().zip(&report.plants) {
        let drift = drift(&after, &case.scene, plant);
        if drift > HELD && !is_noted(&report, plant) {
            return Err(format!("{}: {plant:?} drifts {drift:e} m and no note says why: {told:?}", case.name));
        }
        if plant.spot.is_some() && (drift - told.slide_m).abs() > 1e-6 {
            return Err(format!("{}: {plant:?} drifts {drift:e} m, told {}", case.name, told.slide_m));
        }
    }
    Ok(())
}

#[test]
fn planted_points_of_every_sample_stay_put() {
    let mut broken = Vec::new();
    for case in samples().flat_map(|case| [case.clone(), case.with_spots_found()]) {
        for (name, settings) in all_settings() {
            broken.extend(check(&case, &settings).err().map(|error| format!("{name}: {error}")));
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn planted_points_of_captured_motions_stay_put() {
    let mut broken = Vec::new();
    for case in real_files() {
        for (name, settings) in all_settings() {
            broken.extend(check(&case, &settings).err().map(|error| format!("{name}: {error}")));
        }
    }
    assert!(broken.is_empty(), "{} broken\n{}", broken.len(), broken.join("\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn planted_points_of_any_motion_stay_put(case in any_case(), which in 0..5usize) {
        let (name, settings) = all_settings()[which];
        let checked = check(&case, &settings);
        prop_assert!(checked.is_ok(), "{}: {}", name, checked.unwrap_err());
    }
}
