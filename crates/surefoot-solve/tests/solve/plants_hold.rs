//! A planted point stays on its spot, or a note gives the reason.

use proptest::prelude::*;

use crate::fixtures::*;

fn check(case: Case) {
    clean_with_all_settings(&case);
}

#[test]
fn plants_of_every_sample_are_held_or_noted() {
    samples().flat_map(|case| [case.clone(), case.without_spots()]).for_each(check);
}

#[test]
fn plants_of_captured_motions_are_held_or_noted() {
    captures().into_iter().for_each(check);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn plants_of_random_motions_are_held_or_noted(case in any_case()) {
        check(case);
    }
}
