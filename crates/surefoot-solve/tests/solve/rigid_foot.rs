//! A foot with joints between ankle and ball is rigid while it is planted, and bends as captured while it is free.

use surefoot_core::math::sincos;
use surefoot_core::{Clip, Footplants, Joint, JointId, JointPoint, Leg, Pose, Quat, Skeleton, Vec3};
use surefoot_sample::{Recipe, Skate};
use surefoot_solve::{Form, IncrementalCleaner, Note, Settings};

use crate::fixtures::*;

/// A walk at 120 fps whose feet have a joint halfway between ankle and ball, which turns by up to `bend` radians.
fn walk(bend: f64) -> (Case, Vec<JointId>) {
    let recipe = Recipe { seconds: 6.0, fps: 120.0, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
    let mut case = sample(&recipe).without_spots();
    let middles = (0..case.clip.legs.len()).map(|leg| insert_middle(&mut case.clip, leg)).collect::<Vec<_>>();
    for (frame, pose) in case.clip.motion.poses.iter_mut().enumerate() {
        for (leg, middle) in middles.iter().enumerate() {
            let (sine, _) = sincos(frame as f64 / 20.0 + leg as f64);
            pose.rotations[middle.index()] = pitch(bend * sine);
        }
    }
    (case, middles)
}

/// Adds a joint between ankle and ball of a leg and a joint at its ball. The toe tip moves with the ball.
fn insert_middle(clip: &mut Clip, leg: usize) -> JointId {
    let Leg { ankle, ball, toe, .. } = clip.legs[leg].clone();
    let rest = Pose::rest(&clip.motion.skeleton).world(&clip.motion.skeleton);
    let in_ankle = rest.rotations[ankle.index()].conjugate() * (rest.point(&ball) - rest.joint(ankle));
    let to_toe = rest.rotations[ankle.index()].conjugate() * (rest.point(&toe) - rest.point(&ball));
    let joints = clip.motion.skeleton.joints();
    let (middle, offset) = (JointId(joints.len() as u32), 0.5 * in_ankle);
    let joint =
        |name: &str, parent| Joint { name: format!("{name} {leg}"), parent: Some(parent), offset, end: None };
    let joints = joints.iter().cloned().chain([joint("middle", ankle), joint("ball", middle)]).collect();
    clip.motion.skeleton = Skeleton::new(joints).unwrap();
    for pose in &mut clip.motion.poses {
        pose.offsets.extend([offset, offset]);
        pose.rotations.extend([Quat::IDENTITY; 2]);
    }
    let joint = JointId(middle.0 + 1);
    clip.legs[leg].ball = JointPoint { joint, offset: Vec3::ZERO };
    clip.legs[leg].toe = JointPoint { joint, offset: to_toe };
    middle
}

#[test]
fn plants_of_a_foot_that_bends_are_held() {
    let (case, _) = walk(0.3);
    let improved = all_settings().into_iter().filter(|(_, settings)| settings.form == Form::Improved);
    for (name, settings) in improved {
        let (after, report) = clean_held_or_noted(&case, &settings).unwrap();
        let held = held_plants(&case, &after, &report);
        assert_eq!(held, case.clip.plants.plants.len(), "{name}: {:?}", report.notes);
    }
    let (_, report) = clean_held_or_noted(&case, &Settings::paper()).unwrap();
    let is_mismatch = |note: &Note| matches!(note, Note::FootLengthMismatch { .. });
    assert!(report.notes.iter().any(is_mismatch), "the published form notes what it cannot hold");
}

#[test]
fn the_middle_of_a_foot_keeps_its_rotation_in_a_stance_and_returns_without_a_jump() {
    let (case, middles) = walk(0.3);
    let (after, _) = case.clean(&Settings::default());
    let active = case.active_plants();
    let mut compared = [0, 0];
    for (leg, middle) in middles.iter().enumerate() {
        let rotation = |pose: &Pose| pose.rotations[middle.index()];
        let is_planted =
            |frame: usize| active[frame][leg].heel.is_some() || active[frame][leg].ball.is_some();
        for frame in 1..active.len() {
            let step = rotation(&after.poses[frame]).angle_between(rotation(&after.poses[frame - 1]));
            if is_planted(frame) && is_planted(frame - 1) {
                assert_eq!(rotation(&after.poses[frame]), rotation(&after.poses[frame - 1]), "frame {frame}");
                compared[0] += 1;
            }
            // The captured joint turns by at most 0.015 rad a frame, and returns from at most 0.6 rad in 24 frames.
            assert!(step < 0.015 + 1.5 * 0.6 / 24.0, "frame {frame}: {step} rad");
            if frame >= 24 && (frame - 24..=frame).all(|frame| !is_planted(frame)) {
                assert_eq!(rotation(&after.poses[frame]), rotation(&case.clip.motion.poses[frame]));
                compared[1] += 1;
            }
        }
    }
    assert!(compared.iter().all(|&frames| frames > 50), "{compared:?}");
}

#[test]
fn a_middle_that_does_not_turn_is_not_changed_by_a_bit() {
    let (case, middles) = walk(0.0);
    let (after, _) = case.clean(&Settings::default());
    for (before, after) in case.clip.motion.poses.iter().zip(&after.poses) {
        for middle in &middles {
            assert_eq!(before.rotations[middle.index()], after.rotations[middle.index()]);
        }
    }
}

#[test]
fn stream_and_incremental_cleaner_give_the_bits_of_a_batch_for_a_foot_that_bends() {
    let (case, _) = walk(0.3);
    let settings = Settings::default();
    let (batch, _) = case.clean(&settings);
    let mut cleaner = case.cleaner(&settings);
    let mut stream = Vec::new();
    for (pose, plants) in case.clip.motion.poses.iter().zip(case.active_plants()) {
        stream.extend(cleaner.push(pose, &plants).unwrap().cloned());
    }
    while let Some(pose) = cleaner.finish() {
        stream.push(pose.clone());
    }
    assert!(stream.iter().map(bits).eq(batch.poses.iter().map(bits)));

    let mut incremental = IncrementalCleaner::new(case.clip.clone(), &settings).unwrap();
    let mut plants: Footplants = case.clip.plants.clone();
    for edit in 0..4 {
        if edit > 0 {
            plants.plants[2 * edit].frames.end -= 6;
            plants.plants.remove(edit);
        }
        incremental.clean(&plants).unwrap();
        let edited = Case { clip: Clip { plants: plants.clone(), ..case.clip.clone() }, ..case.clone() };
        let complete = edited.clean(&settings).0;
        assert!(
            incremental.after().poses.iter().map(bits).eq(complete.poses.iter().map(bits)),
            "edit {edit}"
        );
    }
}
