//! Nothing is allocated per frame.

mod made;

use allocation_counter::measure;
use made::*;
use surefoot_solve::{Settings, Tally};

/// Pushes and drains a whole motion, counting.
fn check(case: &Case, settings: &Settings) {
    let held: Vec<_> = (0..case.motion.frames()).map(|frame| case.held(frame)).collect();
    let mut cleaner = case.cleaner(settings);
    let mut tally = Tally::new(&case.scene, settings);
    let counted = measure(|| {
        for (pose, held) in case.motion.poses.iter().zip(&held) {
            if std::hint::black_box(cleaner.push(pose, held).unwrap()).is_some() {
                tally.count(&cleaner);
            }
        }
        while cleaner.finish().is_some() {
            tally.count(&cleaner);
        }
    });
    assert_eq!(counted.count_total, 0, "{}: {counted:?}", case.name);
}

#[test]
fn nothing_is_allocated_per_frame() {
    for case in few_samples().flat_map(|case| [case.clone(), case.with_spots_found()]) {
        for (_, settings) in all_settings() {
            check(&case, &settings);
        }
    }
}

#[test]
fn a_cleaner_is_small_enough_for_thousands() {
    let case = few_samples().next().unwrap();
    let mut cleaner = None;
    let counted = measure(|| cleaner = Some(case.cleaner(&Settings::live())));
    println!("{} bytes a character, live settings at 60 fps", counted.bytes_current);
    assert!(cleaner.is_some() && counted.bytes_current < 2_000_000, "{counted:?}");
}
