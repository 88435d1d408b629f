//! Nothing is allocated per frame.

mod made;

use allocation_counter::measure;
use made::*;
use surefoot_core::Floor;
use surefoot_core::floor::Surface;
use surefoot_solve::{Settings, StreamReporter};

/// Pushes and drains a whole motion, counting.
fn check(case: &Case, settings: &Settings) {
    let held: Vec<_> = (0..case.clip.motion.frames()).map(|frame| case.held(frame)).collect();
    let mut cleaner = case.cleaner(settings);
    let mut tally = StreamReporter::new(&case.clip, settings);
    let counted = measure(|| {
        for (pose, held) in case.clip.motion.poses.iter().zip(&held) {
            if std::hint::black_box(cleaner.push(pose, held).unwrap()).is_some() {
                tally.add_frame(&cleaner);
            }
        }
        while cleaner.finish().is_some() {
            tally.add_frame(&cleaner);
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
fn nothing_is_allocated_for_joints_that_move_once_it_is_known_that_they_do() {
    let mut case = few_samples().next().unwrap().with_spots_found();
    for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
        pose.offsets.last_mut().unwrap().y += 1e-3 * frame as f64;
    }
    check(&case, &Settings::default());
}

#[test]
fn nothing_is_allocated_on_uneven_ground_and_many_share_one_floor() {
    let mut case = few_samples().next().unwrap().with_spots_found();
    let bumps = (0..40_000).map(|at| 0.01 * f64::from(at % 7)).collect();
    let field = Surface::from_heights((-10.0, -10.0), (0.1, 0.1), 200, bumps).unwrap();
    let mesh = Surface::from_triangles(field.triangles()).unwrap();
    for floor in [field, mesh].map(Floor::from) {
        case.clip.floor = Some(floor);
        check(&case, &Settings::default());
        let counted = measure(|| drop(std::hint::black_box(case.clip.floor.clone())));
        assert_eq!(counted.count_total, 0);
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
