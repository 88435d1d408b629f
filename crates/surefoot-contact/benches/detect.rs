//! Time per frame of each detection method, for two legs on one thread.
//!
//! Run with `cargo bench -p surefoot-contact --bench detect`. With `INSTRUCTIONS=live` or
//! `INSTRUCTIONS=whole` it makes one pass over a minute of walking, for `valgrind --tool=callgrind`:
//! on a busy machine instruction counts vary less than times.

use std::hint::black_box;
use std::time::Instant;

use surefoot_contact::learned::{
    Ensemble, FEATURES, LOOKAHEAD, LiveDetector, Model, MotionHeader, feature_rows,
};
use surefoot_contact::{Method, Settings, detect};
use surefoot_core::WorldPose;
use surefoot_sample::{Recipe, Sample, make};

/// Passes of which the fastest counts: other processes only ever slow a pass down.
const PASSES: usize = 40;

/// Rows that the ensemble alone is timed on: few enough to stay in the cache, as they do in use.
const ROWS: usize = 60;

/// Every tenth row is used, so that the rows differ from one another.
const ROW_STRIDE: usize = 10;

fn main() {
    let recipe = Recipe { seconds: 60.0, fps: 120.0, ..Recipe::default() };
    let Ok(sample) = make(&recipe) else { return };
    match std::env::var("INSTRUCTIONS").as_deref() {
        Ok("live") => return detect_live(&sample),
        Ok(_) => return detect_whole(&sample, Method::Learned),
        Err(_) => {}
    }
    let frames = sample.motion.frames();
    println!("{frames} frames of a walk at 120 fps, two legs; {FEATURES} features per foot");
    time("forward kinematics, part of every method", frames, &|| forward_kinematics(&sample));
    time_ensemble(&sample);
    time("stream, learned", frames, &|| detect_live(&sample));
    for method in Method::ALL {
        time(&format!("whole motion, {}", method.as_str()), frames, &|| detect_whole(&sample, method));
    }
}

fn header(sample: &Sample) -> MotionHeader<'_> {
    MotionHeader::new(&sample.motion, &sample.legs, Some(&sample.floor))
}

fn detect_live(sample: &Sample) {
    let mut detector = LiveDetector::new(Model::shipped(), &header(sample), LOOKAHEAD);
    for pose in &sample.motion.poses {
        black_box(detector.push(pose));
    }
}

fn detect_whole(sample: &Sample, method: Method) {
    let settings = Settings { detector: method, ..Settings::default() };
    black_box(detect(&sample.motion, &sample.legs, Some(&sample.floor), &settings));
}

fn forward_kinematics(sample: &Sample) {
    let mut world = WorldPose::default();
    for pose in &sample.motion.poses {
        pose.forward_kinematics(&sample.motion.skeleton, &mut world);
        black_box(&world);
    }
}

fn time_ensemble(sample: &Sample) {
    let model = Model::shipped();
    let rows = feature_rows(&header(sample), &sample.motion.poses[..ROW_STRIDE * ROWS]);
    let ensemble = Ensemble::new(&model);
    let start = Instant::now();
    let mut passes = 0;
    while start.elapsed().as_secs_f64() < 0.3 {
        for row in rows.iter().step_by(ROW_STRIDE) {
            black_box(ensemble.score(row));
        }
        passes += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(passes) / ROWS as f64;
    report(&format!("ensemble of {} trees", model.trees.len()), seconds);
}

fn time(label: &str, frames: usize, run: &dyn Fn()) {
    let passes = (0..PASSES).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() / frames as f64
    });
    report(label, passes.fold(f64::INFINITY, f64::min));
}

fn report(label: &str, seconds: f64) {
    println!("{label:46}{:8.3} µs per frame", 1e6 * seconds);
}
