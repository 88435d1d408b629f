//! A planted point stays on its spot, or a note says why not.

mod made;

use made::*;
use proptest::prelude::*;

/// Holds a case to the law under all settings.
fn check(case: &Case) {
    for (name, settings) in all_settings() {
        if let Err(broken) = held_or_noted(case, &settings) {
            panic!("{name}: {broken}");
        }
    }
}

#[test]
fn planted_points_of_every_sample_stay_put() {
    samples().flat_map(|case| [case.clone(), case.with_spots_found()]).for_each(|case| check(&case));
}

#[test]
fn planted_points_of_captured_motions_stay_put() {
    real_files().iter().for_each(check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn planted_points_of_any_motion_stay_put(case in any_case()) {
        check(&case);
    }
}
