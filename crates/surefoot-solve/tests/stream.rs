//! A stream is a batch, to the bit, and knows nothing of what comes after its look-ahead.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_core::{Motion, Pose};
use surefoot_solve::{Cleaner, Settings};

/// Pushes the first `frames` poses one by one, and drains.
fn streamed(case: &Case, settings: &Settings, frames: usize) -> Vec<Pose> {
    let mut cleaner = case.cleaner(settings);
    let late = cleaner.lookahead();
    let mut poses = Vec::new();
    for (frame, pose) in case.motion.poses[..frames].iter().enumerate() {
        let clean = cleaner.push(pose, &case.held(frame)).unwrap().cloned();
        assert_eq!(clean.is_some(), frame >= late, "{}: frame {frame}, {late} late", case.name);
        poses.extend(clean);
    }
    while let Some(pose) = cleaner.finish() {
        poses.push(pose.clone());
    }
    poses
}

/// The stream of a case against its batch, whole and cut short.
fn check(case: &Case, settings: &Settings) {
    let (Motion { poses: batch, .. }, _) = case.clean(settings);
    let frames = case.motion.frames();
    let whole = streamed(case, settings, frames);
    assert_eq!(whole.len(), batch.len(), "{}", case.name);
    for (frame, (stream, batch)) in whole.iter().zip(&batch).enumerate() {
        assert_eq!(bits(stream), bits(batch), "{}: frame {frame}", case.name);
    }
    let late = case.cleaner(settings).lookahead();
    for cut in [frames / 3, frames / 2, frames - 1] {
        let short = streamed(case, settings, cut);
        assert_eq!(short.len(), cut);
        for frame in 0..cut.saturating_sub(late) {
            assert_eq!(
                bits(&short[frame]),
                bits(&batch[frame]),
                "{}: cut at {cut}, frame {frame}",
                case.name
            );
        }
    }
}

#[test]
fn a_stream_equals_a_batch_and_cutting_its_tail_keeps_earlier_frames() {
    for case in few_samples().flat_map(|case| [case.clone(), case.with_spots_found()]) {
        for (_, settings) in all_settings() {
            check(&case, &settings);
        }
    }
}

#[test]
fn a_captured_motion_streams_as_it_is_cleaned_whole() {
    for case in real_files() {
        check(&case, &Settings::default());
        check(&case, &Settings::live());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_motion_streams_as_it_is_cleaned_whole(case in any_case(), which in 0..5usize) {
        check(&case, &all_settings()[which].1);
    }
}

#[test]
fn one_build_gives_the_same_bits_every_time() {
    for case in few_samples() {
        let poses = || case.clean(&Settings::default()).0.poses;
        assert!(poses().iter().zip(&poses()).all(|(one, other)| bits(one) == bits(other)));
    }
}

#[test]
fn a_copy_of_a_cleaner_goes_on_as_the_first_does() {
    let case = few_samples().next().unwrap();
    let mut cleaner = case.cleaner(&Settings::live());
    for (frame, pose) in case.motion.poses[..100].iter().enumerate() {
        cleaner.push(pose, &case.held(frame)).unwrap();
    }
    let mut copy = cleaner.clone();
    for (frame, pose) in case.motion.poses.iter().enumerate().skip(100) {
        let held = case.held(frame);
        let (one, other) = (cleaner.push(pose, &held).unwrap(), copy.push(pose, &held).unwrap());
        assert_eq!(one.map(bits), other.map(bits));
    }
}

#[test]
fn a_cleaner_can_go_to_another_thread() {
    fn is_send<T: Send + Sync + 'static>() {}
    is_send::<Cleaner>();
}
