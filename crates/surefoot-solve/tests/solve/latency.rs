//! The latency of a stream: the same at every frame rate, and as short as stated.

use surefoot_core::Clip;
use surefoot_sample::{Recipe, make};
use surefoot_solve::{Cleaner, Settings};

const RATES: [f64; 14] =
    [24.0, 25.0, 30.0, 48.0, 50.0, 59.94, 60.0, 90.0, 100.0, 120.0, 144.0, 200.0, 240.0, 1000.0];

/// The time from a pose to its clean counterpart, in seconds: stated, and counted.
fn latency(fps: f64, settings: &Settings) -> [f64; 2] {
    let sample = make(&Recipe { fps, ..Recipe::default() }).unwrap();
    let clip = Clip { motion: sample.motion, legs: sample.legs, ..Clip::default() };
    let mut cleaner = Cleaner::new(&clip, usize::MAX, settings).unwrap();
    let stated = cleaner.lookahead();
    let first = clip.motion.poses.iter().position(|pose| cleaner.push(pose, &[]).unwrap().is_some());
    [stated, first.unwrap()].map(|frames| frames as f64 / fps)
}

#[test]
fn the_live_form_takes_less_than_nine_tenths_of_a_second_at_every_frame_rate() {
    for fps in RATES {
        let [stated, counted] = latency(fps, &Settings::live());
        assert_eq!(stated, counted, "{fps} fps");
        assert!((0.5..0.9).contains(&stated), "{fps} fps: {stated} s");
    }
}

#[test]
fn the_published_form_takes_half_a_second_to_a_second_at_every_frame_rate() {
    for fps in RATES {
        let [stated, counted] = latency(fps, &Settings::paper());
        assert_eq!(stated, counted, "{fps} fps");
        assert!((0.5..=1.0).contains(&stated), "{fps} fps: {stated} s");
    }
}

/// The published form has no knee window, and without a stretch limit no easing of the root.
#[test]
fn a_form_does_not_wait_for_windows_that_it_does_not_use() {
    for fps in RATES {
        let paper = Settings::paper();
        let long = Settings { knee_window: 5.0, root_cell: 1.0, ..paper };
        assert_eq!(latency(fps, &paper), latency(fps, &long), "{fps} fps");
    }
}
