//! Detection in a stream.

use super::common::{disagreement, sample};
use surefoot_contact::learned::{
    FootContact, LOOKAHEAD, LiveDetector, Model, MotionHeader, detect_live, probabilities,
};
use surefoot_core::Pose;
use surefoot_sample::{Kind, Sample};

fn detector(sample: &Sample, lookahead: f64) -> LiveDetector {
    let header = MotionHeader::new(&sample.motion, &sample.legs, Some(&sample.floor));
    LiveDetector::new(Model::shipped(), &header, lookahead)
}

#[test]
fn stream_probabilities_equal_batch_probabilities_bit_for_bit() {
    for fps in [24.0, 30.0, 60.0, 120.0, 240.0] {
        let sample = sample(Kind::Run, fps, None);
        let Sample { motion, legs, floor, .. } = &sample;
        let batch = probabilities(&Model::shipped(), motion, legs, Some(floor), 0);
        let mut detector = detector(&sample, LOOKAHEAD);
        let mut stream: Vec<Vec<FootContact>> = Vec::new();
        for (frame, pose) in motion.poses.iter().enumerate() {
            let contacts = detector.push(pose).map(<[_]>::to_vec);
            assert_eq!(contacts.is_some(), frame >= detector.lookahead());
            stream.extend(contacts);
        }
        while let Some(contacts) = detector.finish() {
            stream.push(contacts.to_vec());
        }
        assert_eq!(stream.len(), motion.frames());
        for (frame, contacts) in stream.iter().enumerate() {
            for (leg, contact) in contacts.iter().enumerate() {
                assert_eq!(contact.confidence, batch[leg][frame], "frame {frame} at {fps} fps");
            }
        }
    }
}

#[test]
fn contacts_do_not_depend_on_poses_beyond_the_lookahead() {
    let sample = sample(Kind::Walk, 60.0, None);
    let contacts = |poses: &[Pose]| {
        let mut detector = detector(&sample, LOOKAHEAD);
        poses.iter().filter_map(|pose| detector.push(pose).map(<[_]>::to_vec)).collect::<Vec<_>>()
    };
    let whole = contacts(&sample.motion.poses);
    let cut = contacts(&sample.motion.poses[..200]);
    assert_eq!(cut[..], whole[..cut.len()]);
    assert!(cut.len() >= 200 - 15);
}

#[test]
fn the_latency_is_at_most_the_allowed_lookahead() {
    for fps in [24.0, 60.0, 100.0, 240.0] {
        let sample = sample(Kind::Walk, fps, None);
        for lookahead in [0.0, 0.02, 0.05, 0.1, 0.15, LOOKAHEAD] {
            let mut detector = detector(&sample, lookahead);
            let latency = detector.lookahead();
            assert!(latency as f64 <= lookahead * fps + 1e-9, "{lookahead} s at {fps}");
            for (frame, pose) in sample.motion.poses.iter().take(60).enumerate() {
                assert_eq!(detector.push(pose).is_some(), frame >= latency, "{lookahead} s at {fps}");
            }
        }
    }
}

#[test]
fn a_stream_finds_the_stances_of_walks_runs_and_stairs() {
    for kind in [Kind::Walk, Kind::Run, Kind::Stairs] {
        let Sample { motion, legs, floor, plants, .. } = sample(kind, 60.0, None);
        let header = MotionHeader::new(&motion, &legs, Some(&floor));
        let live = detect_live(&Model::shipped(), &motion, &header, 0, LOOKAHEAD);
        let wrong = disagreement(&live, &plants, motion.frames());
        // The model's edges are those of a force plate, about a frame from where a generated foot comes to rest.
        let max_wrong = if kind == Kind::Run { 0.035 } else { 0.025 };
        assert!(wrong < max_wrong, "{}: {wrong}", kind.as_str());
    }
}

#[test]
fn nothing_is_allocated_per_frame() {
    let sample = sample(Kind::Stairs, 120.0, None);
    let mut detector = detector(&sample, LOOKAHEAD);
    let counted = allocation_counter::measure(|| {
        for pose in &sample.motion.poses {
            std::hint::black_box(detector.push(pose));
        }
        while std::hint::black_box(detector.finish()).is_some() {}
    });
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
