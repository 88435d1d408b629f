//! Cleans a made walk of so many frames at 120 fps, for counting instructions.
//!
//! ```sh
//! cargo build --release --package surefoot-solve --example count
//! for frames in 2000 4000; do
//!     valgrind --tool=callgrind --callgrind-out-file=/tmp/count.$frames \
//!         target/release/examples/count default $frames 2>&1 | grep Collected
//! done
//! ```
//!
//! The difference over 2000 is what a frame costs; making the walk and the cleaner drops out, as
//! the same walk is made both times. `paper`, `live` and `rigid` count other settings.

use std::hint::black_box;
use std::process::ExitCode;

use surefoot_core::FootPoint;
use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, Settings};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let settings = match words.first().map(String::as_str) {
        Some("default") => Settings::default(),
        Some("paper") => Settings::paper(),
        Some("live") => Settings::live(),
        Some("rigid") => Settings { stretch_limit: 0.0, ..Settings::default() },
        _ => {
            eprintln!("usage: count default|paper|live|rigid FRAMES");
            return ExitCode::FAILURE;
        }
    };
    let frames = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(2000);
    clean(&settings, frames);
    ExitCode::SUCCESS
}

/// Pushes that many frames of one walk, over and over where it is shorter.
fn clean(settings: &Settings, frames: usize) {
    let recipe = Recipe { fps: 120.0, seconds: 20.0, skate: Some(Skate::Drift(0.025)), ..Recipe::default() };
    let clip = make(&recipe).expect("a walk can be made").into_clip();
    let mut held = vec![[ActivePlants::default(); 2]; clip.motion.frames()];
    for (number, plant) in clip.plants.plants.iter().enumerate() {
        let hold = Some(ActivePlant { id: number as u32, spot: None });
        for held in &mut held[plant.frames.clone()] {
            match plant.point {
                FootPoint::Heel => held[plant.leg].heel = hold,
                FootPoint::Ball => held[plant.leg].ball = hold,
            }
        }
    }
    let longest = clip.plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let poses = &clip.motion.poses;
    let mut cleaner = Cleaner::new(&clip, longest, settings).expect("a walk can be cleaned");
    for frame in 0..frames {
        let at = frame % poses.len();
        black_box(cleaner.push(&poses[at], &held[at]).expect("finite"));
    }
}
