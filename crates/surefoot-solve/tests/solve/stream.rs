//! A stream gives the same bits as a batch, and a frame depends only on its window.

use proptest::prelude::*;
use surefoot_core::{Motion, Pose};
use surefoot_solve::{
    Cleaner, Form, LegShape, Method, Note, Settings, SetupError, StreamReport, StreamReporter, leg_shapes,
};

use crate::fixtures::*;

/// Streams the first `frames` poses. Prefetches before some of them, which must change nothing.
fn stream(case: &Case, settings: &Settings, frames: usize) -> Vec<Pose> {
    let mut cleaner = case.cleaner(settings);
    let (latency, plants) = (cleaner.lookahead(), case.active_plants());
    let mut poses = Vec::new();
    for (frame, pose) in case.clip.motion.poses[..frames].iter().enumerate() {
        if frame % 3 != 0 {
            cleaner.prefetch();
        }
        let clean = cleaner.push(pose, &plants[frame]).unwrap().cloned();
        assert_eq!(clean.is_some(), frame >= latency, "{}: frame {frame}, latency {latency}", case.name);
        poses.extend(clean);
    }
    while let Some(pose) = cleaner.finish() {
        poses.push(pose.clone());
        cleaner.prefetch();
    }
    poses
}

/// Compares the stream of a case with its batch, complete and truncated.
fn check(case: &Case, settings: &Settings) {
    let (Motion { poses: batch, .. }, _) = case.clean(settings);
    let frames = case.clip.motion.frames();
    let complete = stream(case, settings, frames);
    assert_eq!(complete.len(), batch.len(), "{}", case.name);
    for (frame, (stream, batch)) in complete.iter().zip(&batch).enumerate() {
        assert_eq!(bits(stream), bits(batch), "{}: frame {frame}", case.name);
    }
    let latency = case.cleaner(settings).lookahead();
    for end in [frames / 3, frames / 2, frames - 1] {
        let truncated = stream(case, settings, end);
        assert_eq!(truncated.len(), end);
        for frame in 0..end.saturating_sub(latency) {
            assert_eq!(
                bits(&truncated[frame]),
                bits(&batch[frame]),
                "{}: truncated at {end}, frame {frame}",
                case.name
            );
        }
    }
}

#[test]
fn streams_of_samples_equal_their_batch_and_truncating_them_keeps_earlier_frames() {
    for case in few_samples().flat_map(|case| [case.clone(), case.without_spots()]) {
        for (_, settings) in all_settings() {
            check(&case, &settings);
            if settings.form == Form::Improved {
                check(&case, &Settings { method: Method::Support, ..settings });
            }
        }
    }
}

#[test]
fn streams_of_captures_equal_their_batch() {
    for case in captures() {
        check(&case, &Settings::default());
        check(&case, &Settings::live());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn streams_of_random_motions_equal_their_batch(case in any_case(), settings in 0..5usize) {
        check(&case, &all_settings()[settings].1);
    }
}

#[test]
fn two_runs_give_the_same_bits() {
    for case in few_samples() {
        let poses = || case.clean(&Settings::default()).0.poses;
        assert!(poses().iter().zip(&poses()).all(|(one, other)| bits(one) == bits(other)));
    }
}

#[test]
fn a_clone_of_a_running_cleaner_continues_like_the_original() {
    let case = few_samples().next().unwrap();
    let (mut cleaner, plants) = (case.cleaner(&Settings::live()), case.active_plants());
    for (frame, pose) in case.clip.motion.poses[..100].iter().enumerate() {
        cleaner.push(pose, &plants[frame]).unwrap();
    }
    let mut clone = cleaner.clone();
    for (frame, pose) in case.clip.motion.poses.iter().enumerate().skip(100) {
        let original = cleaner.push(pose, &plants[frame]).unwrap();
        assert_eq!(original.map(bits), clone.push(pose, &plants[frame]).unwrap().map(bits));
    }
}

#[test]
fn a_cleaner_can_be_sent_to_another_thread() {
    fn is_send<T: Send + Sync + 'static>() {}
    is_send::<Cleaner>();
}

/// Streams a case and returns the report of the stream.
fn stream_report(case: &Case, settings: &Settings) -> StreamReport {
    let (mut cleaner, plants) = (case.cleaner(settings), case.active_plants());
    let mut reporter = StreamReporter::new(&case.clip);
    for (frame, pose) in case.clip.motion.poses.iter().enumerate() {
        if cleaner.push(pose, &plants[frame]).unwrap().is_some() {
            reporter.add_frame(&cleaner);
        }
    }
    while cleaner.finish().is_some() {
        reporter.add_frame(&cleaner);
    }
    reporter.finish()
}

#[test]
fn the_report_of_a_stream_has_the_notes_of_the_batch() {
    let mut notes = 0;
    for case in few_samples().flat_map(|case| [case.clone(), case.without_spots()]) {
        for (_, settings) in all_settings() {
            let report = case.clean(&settings).1;
            let streamed = stream_report(&case, &settings);
            let sorted = |notes: &[Note]| {
                let mut notes: Vec<String> = notes.iter().map(|note| format!("{note:?}")).collect();
                notes.sort();
                notes
            };
            assert_eq!(sorted(&streamed.notes), sorted(&report.notes), "{}", case.name);
            assert_eq!(
                (streamed.frames, streamed.omitted_notes),
                (case.clip.motion.frames(), 0),
                "{}",
                case.name
            );
            let held = report.plants.iter().filter(|plant| plant.spot.is_some());
            assert_eq!(streamed.plants, held.count(), "{}", case.name);
            notes += streamed.notes.len();
        }
    }
    assert!(notes > 0, "no case has a note");
}

#[test]
fn legs_with_known_shapes_need_no_poses() {
    for case in few_samples() {
        let shapes = leg_shapes(&case.clip).unwrap();
        let settings = Settings::live();
        let mut cleaner = Cleaner::with_shapes(&case.clip, &shapes, 0, &settings).unwrap();
        let batch = case.clean(&settings).0.poses;
        let plants = case.active_plants();
        let mut frame = 0;
        let mut check = |cleaner: &Cleaner| {
            let output = cleaner.output().unwrap();
            assert_eq!((output.frame, bits(output.pose)), (frame, bits(&batch[frame])), "{}", case.name);
            assert!(output.active_plants().eq(plants[frame].iter().copied()), "{}", case.name);
            frame += 1;
        };
        for (frame, pose) in case.clip.motion.poses.iter().enumerate() {
            if cleaner.push(pose, &plants[frame]).unwrap().is_some() {
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
fn a_leg_with_an_invalid_or_missing_shape_is_rejected() {
    let case = few_samples().next().unwrap();
    let mut without_poses = case.clip.clone();
    without_poses.motion.poses.clear();
    let mut shapes = leg_shapes(&without_poses).unwrap();
    shapes[1] = LegShape { knee_axis: shapes[1].knee_axis * 2.0, ..shapes[1] };
    let error = Cleaner::with_shapes(&case.clip, &shapes, 0, &Settings::live()).unwrap_err();
    assert_eq!(error, SetupError::InvalidLegShape { side: "right".into() });
    assert!(Cleaner::with_shapes(&case.clip, &shapes[..1], 0, &Settings::live()).is_err());
}
