//! A stream is a batch, to the bit, and knows nothing of what comes after its look-ahead.

mod made;

use made::*;
use proptest::prelude::*;
use surefoot_core::{Motion, Pose};
use surefoot_solve::{Cleaner, LegShape, Settings, SetupError, StreamReporter, leg_shapes};

/// Pushes the first `frames` poses one by one, and drains. What is needed next is fetched now and then, which changes
/// nothing.
fn streamed(case: &Case, settings: &Settings, frames: usize) -> Vec<Pose> {
    let mut cleaner = case.cleaner(settings);
    let late = cleaner.lookahead();
    let mut poses = Vec::new();
    for (frame, pose) in case.clip.motion.poses[..frames].iter().enumerate() {
        if frame % 3 != 0 {
            cleaner.prefetch();
        }
        let clean = cleaner.push(pose, &case.held(frame)).unwrap().cloned();
        assert_eq!(clean.is_some(), frame >= late, "{}: frame {frame}, {late} late", case.name);
        poses.extend(clean);
    }
    while let Some(pose) = cleaner.finish() {
        poses.push(pose.clone());
        cleaner.prefetch();
    }
    poses
}

/// The stream of a case against its batch, whole and cut short.
fn check(case: &Case, settings: &Settings) {
    let (Motion { poses: batch, .. }, _) = case.clean(settings);
    let frames = case.clip.motion.frames();
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
    for (frame, pose) in case.clip.motion.poses[..100].iter().enumerate() {
        cleaner.push(pose, &case.held(frame)).unwrap();
    }
    let mut copy = cleaner.clone();
    for (frame, pose) in case.clip.motion.poses.iter().enumerate().skip(100) {
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

/// Pushes and drains a case, and counts what comes out.
fn tallied(case: &Case, settings: &Settings) -> surefoot_solve::StreamReport {
    let mut cleaner = case.cleaner(settings);
    let mut tally = StreamReporter::new(&case.clip, settings);
    for (frame, pose) in case.clip.motion.poses.iter().enumerate() {
        if cleaner.push(pose, &case.held(frame)).unwrap().is_some() {
            tally.add_frame(&cleaner);
        }
    }
    while cleaner.finish().is_some() {
        tally.add_frame(&cleaner);
    }
    tally.finish()
}

#[test]
fn a_stream_notes_what_a_batch_does() {
    let mut noted = 0;
    for case in few_samples().flat_map(|case| [case.clone(), case.with_spots_found()]) {
        for (_, settings) in all_settings() {
            let report = case.clean(&settings).1;
            let total = tallied(&case, &settings);
            let sorted = |notes: &[surefoot_solve::Note]| {
                let mut notes: Vec<String> = notes.iter().map(|note| format!("{note:?}")).collect();
                notes.sort();
                notes
            };
            assert_eq!(sorted(&total.notes), sorted(&report.notes), "{}", case.name);
            assert_eq!((total.frames, total.omitted_notes), (case.clip.motion.frames(), 0), "{}", case.name);
            let held = report.plants.iter().filter(|plant| plant.spot.is_some());
            assert_eq!(total.plants, held.count(), "{}", case.name);
            noted += total.notes.len();
        }
    }
    assert!(noted > 0, "these cases should have something to note");
}

#[test]
fn legs_of_known_shape_need_no_poses() {
    for case in few_samples() {
        let shapes = leg_shapes(&case.clip).unwrap();
        let settings = Settings::live();
        let mut cleaner = Cleaner::with_shapes(&case.clip, &shapes, 0, &settings).unwrap();
        let batch = case.clean(&settings).0.poses;
        let mut frame = 0;
        let mut check = |cleaner: &Cleaner| {
            let last = cleaner.output().unwrap();
            assert_eq!((last.frame, bits(last.pose)), (frame, bits(&batch[frame])), "{}", case.name);
            assert!(last.active_plants().eq(case.held(frame)), "{}", case.name);
            frame += 1;
        };
        for (frame, pose) in case.clip.motion.poses.iter().enumerate() {
            if cleaner.push(pose, &case.held(frame)).unwrap().is_some() {
                check(&cleaner);
            }
        }
        while cleaner.finish().is_some() {
            check(&cleaner);
        }
        assert_eq!(frame, batch.len());
    }
}

#[test]
fn a_leg_without_a_good_shape_is_refused() {
    let case = few_samples().next().unwrap();
    let mut without_poses = case.clip.clone();
    without_poses.motion.poses.clear();
    let mut shapes = leg_shapes(&without_poses).unwrap();
    shapes[1] = LegShape { knee_axis: shapes[1].knee_axis * 2.0, ..shapes[1] };
    let error = Cleaner::with_shapes(&case.clip, &shapes, 0, &Settings::live()).unwrap_err();
    assert_eq!(error, SetupError::InvalidLegShape { side: "right".into() });
    assert!(Cleaner::with_shapes(&case.clip, &shapes[..1], 0, &Settings::live()).is_err());
}
