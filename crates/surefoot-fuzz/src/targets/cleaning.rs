//! Any bytes as edits of plants: a stream, a batch and the incremental cleaner give the same bits.
//!
//! The first byte chooses the settings and the motion, the others are edits (`plant_edits.rs`).

use std::sync::OnceLock;

use surefoot_core::{Clip, Pose};
use surefoot_sample::{Kind, Recipe, Skate, make};
use surefoot_solve::{Cleaner, IncrementalCleaner, Method, Settings, active_plants, clean};

use crate::plant_edits::edits;

/// Frames per second of the motions: few, so that a run is short.
const FPS: f64 = 15.0;

fn clips() -> &'static [Clip; 3] {
    static CLIPS: OnceLock<[Clip; 3]> = OnceLock::new();
    CLIPS.get_or_init(|| {
        [(Kind::Walk, 4.0), (Kind::Turn, 5.0), (Kind::Jump, 4.0)].map(|(kind, seconds)| {
            let recipe =
                Recipe { kind, seconds, fps: FPS, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
            make(&recipe).expect("the recipe is valid").into_clip()
        })
    })
}

fn settings(byte: u8) -> Settings {
    match byte / 3 % 4 {
        0 => Settings::default(),
        1 => Settings::live(),
        2 => Settings::paper(),
        _ => Settings { method: Method::Support, ..Settings::default() },
    }
}

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let (clip, settings) = (&clips()[usize::from(first % 3)], settings(first));
    let mut incremental = IncrementalCleaner::new(clip.clone(), &settings).expect("the clip has legs");
    let mut plants = clip.plants.clone();
    for edit in edits(rest) {
        edit.apply(&mut plants, clip.legs.len(), clip.motion.frames());
        let edited = Clip { plants: plants.clone(), ..clip.clone() };
        let whole = clean(&edited, &settings).expect("the plants are valid").clip.motion.poses;
        incremental.clean(&plants).expect("the plants are valid");
        compare(&incremental.after().poses, &whole, "incremental");
        compare(&stream(&edited, &settings), &whole, "stream");
    }
}

/// The poses of a clip, cleaned one by one.
fn stream(clip: &Clip, settings: &Settings) -> Vec<Pose> {
    let Clip { motion, plants, legs, .. } = clip;
    let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let mut cleaner = Cleaner::new(clip, longest, settings).expect("the clip has legs");
    let active = active_plants(motion.frames(), legs.len(), plants);
    let mut poses = Vec::new();
    for (pose, held) in motion.poses.iter().zip(active.chunks(legs.len())) {
        poses.extend(cleaner.push(pose, held).expect("the pose fits").cloned());
    }
    while let Some(pose) = cleaner.finish() {
        poses.push(pose.clone());
    }
    poses
}

fn compare(found: &[Pose], expected: &[Pose], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (frame, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(bits(found) == bits(expected), "{what}: frame {frame}");
    }
}

fn bits(pose: &Pose) -> Vec<u64> {
    let offsets = pose.offsets.iter().flat_map(|offset| offset.to_array());
    let rotations = pose.rotations.iter().flat_map(|rotation| rotation.to_array());
    offsets.chain(rotations).map(f64::to_bits).collect()
}
