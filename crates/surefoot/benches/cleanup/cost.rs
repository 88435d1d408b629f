//! Time per frame of a stream.

use std::hint::black_box;
use std::time::Instant;

use surefoot::solve::{Cleaner, Settings, active_plants};

use crate::capture::Capture;

/// Runs, of which the fastest counts.
const RUNS: usize = 500;

/// Time per frame of a stream, in nanoseconds: the minimum of many runs, from the first push to the last pose.
pub fn nanoseconds(capture: &Capture, settings: &Settings) -> Option<f64> {
    let clip = capture.file.clip.performance();
    let (poses, plants) = (&clip.motion.poses, &clip.plants);
    let held = active_plants(poses.len(), clip.legs.len(), plants);
    let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let new_cleaner = Cleaner::new(&clip, longest, settings).ok()?;
    let run = |_| {
        let mut cleaner = new_cleaner.clone();
        let start = Instant::now();
        for (pose, held) in poses.iter().zip(held.chunks_exact(clip.legs.len())) {
            black_box(cleaner.push(pose, held)).ok()?;
        }
        while black_box(cleaner.finish()).is_some() {}
        Some(start.elapsed().as_secs_f64())
    };
    (0..RUNS).filter_map(run).reduce(f64::min).map(|seconds| seconds * 1e9 / poses.len() as f64)
}
