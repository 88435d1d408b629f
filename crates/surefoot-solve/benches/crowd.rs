//! Time per frame of one cleaner, and the number of characters that one core cleans in real time.
//!
//! Timings on shared machines are noisy: the time of one cleaner is the best of many short runs, and of a crowd the median,
//! best and slowest frame are printed. `examples/count_instructions.rs` counts instructions, which do not depend on load.
//!
//! `cargo bench -p surefoot-solve` runs both parts, `-- one` or `-- crowd` only that part.

use std::hint::black_box;
use std::time::Instant;

use surefoot_core::Clip;
use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::{ActivePlants, Cleaner, Settings, active_plants};

/// Lengths of the walk, in seconds: a typical clip; and a minute, ten megabytes of poses, which does not fit into the cache.
const CLIP_SECONDS: [f64; 2] = [10.0, 60.0];

/// Number of rounds over all settings. More rounds make the best time more stable.
const ROUNDS: usize = 15;

/// Total length of the runs of which the best is taken, in seconds of motion.
const RUN_SECONDS: f64 = 180.0;

const CHARACTERS: usize = 10_000;

/// A skating walk and its plants.
struct Walk {
    clip: Clip,
    /// By frame and leg.
    plants: Vec<ActivePlants>,
    longest_plant: usize,
}

impl Walk {
    fn new(fps: f64, seconds: f64) -> Self {
        let recipe = Recipe { fps, seconds, skate: Some(Skate::Drift(0.025)), ..Recipe::default() };
        let mut clip = make(&recipe).expect("the recipe is valid").into_clip();
        // Without given spots: the cleaner has to compute them.
        clip.plants.plants.iter_mut().for_each(|plant| plant.spot = None);
        let plants = active_plants(clip.motion.frames(), clip.legs.len(), &clip.plants);
        let longest_plant = clip.plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
        Self { clip, plants, longest_plant }
    }

    fn frames(&self) -> usize {
        self.clip.motion.frames()
    }

    fn cleaner(&self, settings: &Settings) -> Cleaner {
        Cleaner::new(&self.clip, self.longest_plant, settings).expect("the sample is valid")
    }

    fn push(&self, cleaner: &mut Cleaner, frame: usize) {
        let legs = self.clip.legs.len();
        let plants = &self.plants[frame * legs..(frame + 1) * legs];
        black_box(cleaner.push(&self.clip.motion.poses[frame], plants).expect("the sample is finite"));
    }
}

/// Prints the time per frame of one cleaner at 120 fps, both legs, from the first push to the last output. The settings take
/// turns, so that a noisy moment affects all of them.
fn time_one(all: &[(&str, Settings)]) {
    let walks = CLIP_SECONDS.map(|seconds| Walk::new(120.0, seconds));
    let mut best = vec![[f64::INFINITY; CLIP_SECONDS.len()]; all.len()];
    for _ in 0..ROUNDS {
        for (best, (_, settings)) in best.iter_mut().zip(all) {
            for (best, walk) in best.iter_mut().zip(&walks) {
                *best = best.min(nanoseconds_per_frame(walk, settings));
            }
        }
    }
    for ([clip, minute], (name, _)) in best.iter().zip(all) {
        println!(
            "{name:8} {clip:8.0} ns per frame at 120 fps, both legs; {minute:.0} for a clip of a minute"
        );
    }
}

/// The best time per frame of several runs.
fn nanoseconds_per_frame(walk: &Walk, settings: &Settings) -> f64 {
    let runs = (RUN_SECONDS * walk.clip.motion.fps) as usize / walk.frames();
    let new_cleaner = walk.cleaner(settings);
    let run = |_| {
        let mut cleaner = new_cleaner.clone();
        let start = Instant::now();
        (0..walk.frames()).for_each(|frame| walk.push(&mut cleaner, frame));
        while black_box(cleaner.finish()).is_some() {}
        start.elapsed().as_secs_f64()
    };
    (0..runs).map(run).fold(f64::INFINITY, f64::min) * 1e9 / walk.frames() as f64
}

/// Prints the time per frame of many characters, each with its own cleaner.
fn time_crowd(name: &str, settings: &Settings) {
    let walk = Walk::new(30.0, 20.0);
    let mut crowd = vec![walk.cleaner(settings); CHARACTERS];
    let frames = walk.frames() / 2;
    // Each character starts at another frame of the walk.
    let start = |character: usize| character * 7 % frames;
    let mut seconds = Vec::with_capacity(frames);
    for frame in 0..frames {
        let clock = Instant::now();
        for (character, cleaner) in crowd.iter_mut().enumerate() {
            cleaner.prefetch();
            walk.push(cleaner, start(character) + frame);
        }
        // No frame comes out before the latency has passed.
        if frame > crowd[0].lookahead() {
            seconds.push(clock.elapsed().as_secs_f64());
        }
    }
    seconds.sort_by(f64::total_cmp);
    let (best, median, slowest) = (seconds[0], seconds[seconds.len() / 2], seconds[seconds.len() - 1]);
    println!(
        "{name:8} {:8.2} µs per character and frame: {CHARACTERS} at 30 fps take {:.0} % of one core; best frame {:.1} ms, slowest {:.1}",
        median * 1e6 / CHARACTERS as f64,
        median * 30.0 * 100.0,
        best * 1e3,
        slowest * 1e3
    );
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let has = |part: &str| args.iter().any(|arg| arg == part);
    if has("one") || !has("crowd") {
        time_one(&[
            ("paper", Settings::paper()),
            ("default", Settings::default()),
            ("live", Settings::live()),
            ("rigid", Settings { stretch: Some(0.0), ..Settings::default() }),
        ]);
    }
    if has("crowd") || !has("one") {
        time_crowd("paper", &Settings::paper());
        time_crowd("live", &Settings::live());
    }
}
