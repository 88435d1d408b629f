//! Streams a sample walk at 120 fps through a cleaner, for counting instructions per frame.
//!
//! ```sh
//! cargo build --release --package surefoot-solve --example count_instructions
//! for frames in 2000 4000; do
//!     valgrind --tool=callgrind --callgrind-out-file=/tmp/count.$frames \
//!         target/release/examples/count_instructions default $frames 2>&1 | grep Collected
//! done
//! ```
//!
//! The difference divided by 2000 is the cost of a frame; the cost of the sample and of the setup cancels out. `paper`,
//! `live` and `rigid` count other settings.

use std::hint::black_box;
use std::process::ExitCode;

use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::{Cleaner, Settings, active_plants};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let settings = match args.first().map(String::as_str) {
        Some("default") => Settings::default(),
        Some("paper") => Settings::paper(),
        Some("live") => Settings::live(),
        Some("rigid") => Settings { stretch: Some(0.0), ..Settings::default() },
        _ => {
            eprintln!("usage: count_instructions default|paper|live|rigid FRAMES");
            return ExitCode::FAILURE;
        }
    };
    let frames = args.get(1).and_then(|frames| frames.parse().ok()).unwrap_or(2000);
    clean(&settings, frames);
    ExitCode::SUCCESS
}

/// Pushes `frames` frames of a walk of 20 s, repeating it as needed.
fn clean(settings: &Settings, frames: usize) {
    let recipe = Recipe { fps: 120.0, seconds: 20.0, skate: Some(Skate::Drift(0.025)), ..Recipe::default() };
    let clip = make(&recipe).expect("the recipe is valid").into_clip();
    let (poses, legs) = (&clip.motion.poses, clip.legs.len());
    // Without given spots: the cleaner has to compute them.
    let mut plants = clip.plants.clone();
    plants.plants.iter_mut().for_each(|plant| plant.spot = None);
    let active = active_plants(poses.len(), legs, &plants);
    let longest_plant = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
    let mut cleaner = Cleaner::new(&clip, longest_plant, settings).expect("the sample is valid");
    for frame in 0..frames {
        let at = frame % poses.len();
        let plants = &active[at * legs..(at + 1) * legs];
        black_box(cleaner.push(&poses[at], plants).expect("the sample is finite"));
    }
}
