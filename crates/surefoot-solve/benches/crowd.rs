//! What does a frame cost, and how many characters does one core clean as they walk?
//!
//! Machines are noisy: each figure is the best of several turns, and where the system tells it, time
//! is what this thread had of a core and not what passed on the wall. Instructions are counted by
//! `examples/count.rs`.

use std::hint::black_box;
use std::time::Instant;

use surefoot_core::{FootPoint, Pose};
use surefoot_sample::{Recipe, Sample, Skate, make};
use surefoot_solve::{Cleaner, Held, Hold, Scene, Settings};

const TURNS: usize = 7;
const CHARACTERS: usize = 10_000;

/// A skating walk, and who is held when.
struct Walk {
    scene: Scene,
    poses: Vec<Pose>,
    held: Vec<[Held; 2]>,
    longest: usize,
}

impl Walk {
    fn new(fps: f64, seconds: f64) -> Self {
        let recipe = Recipe { fps, seconds, skate: Some(Skate::Drift(0.025)), ..Recipe::default() };
        let Sample { motion, legs, plants, floor, .. } = make(&recipe).expect("a walk can be made");
        let mut held = vec![[Held::default(); 2]; motion.frames()];
        for (number, plant) in plants.plants.iter().enumerate() {
            let hold = Some(Hold { plant: number as u32, spot: None });
            for held in &mut held[plant.frames.clone()] {
                match plant.point {
                    FootPoint::Heel => held[plant.leg].heel = hold,
                    FootPoint::Ball => held[plant.leg].ball = hold,
                }
            }
        }
        let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
        let scene = Scene { skeleton: motion.skeleton, fps, legs, floor: Some(floor) };
        Self { scene, poses: motion.poses, held, longest }
    }

    fn cleaner(&self, settings: &Settings) -> Cleaner {
        Cleaner::new(&self.scene, &self.poses, self.longest, settings).expect("a walk can be cleaned")
    }
}

/// A clock of what this thread has had of a core, in seconds; of the wall where that is not told.
struct Clock(Instant, Option<f64>);

impl Clock {
    fn start() -> Self {
        Self(Instant::now(), Self::had())
    }

    fn had() -> Option<f64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse::<f64>().ok().map(|ns| ns * 1e-9)
    }

    fn elapsed(&self) -> f64 {
        match (self.1, Self::had()) {
            (Some(start), Some(now)) => now - start,
            _ => self.0.elapsed().as_secs_f64(),
        }
    }
}

/// The shortest time of one call, in seconds.
fn best(mut work: impl FnMut()) -> f64 {
    let turn = |_| {
        let start = Clock::start();
        work();
        start.elapsed()
    };
    (0..TURNS).map(turn).fold(f64::INFINITY, f64::min)
}

/// Nanoseconds a frame for one cleaner at 120 frames per second, both legs.
fn one(name: &str, settings: &Settings) {
    let walk = Walk::new(120.0, 60.0);
    let fresh = walk.cleaner(settings);
    // The core's time may be told in steps of 4 ms: one walk would be two of them.
    const WALKS: usize = 30;
    let seconds = best(|| {
        for _ in 0..WALKS {
            let mut cleaner = fresh.clone();
            for (pose, held) in walk.poses.iter().zip(&walk.held) {
                black_box(cleaner.push(pose, held).expect("finite"));
            }
        }
    });
    let ns = seconds * 1e9 / (WALKS * walk.poses.len()) as f64;
    println!("{name:8} {ns:8.0} ns a frame at 120 fps, both legs, {} joints", walk.scene.skeleton.len());
}

/// Many characters, each with a cleaner of its own, frame by frame.
fn crowd(name: &str, settings: &Settings) {
    let walk = Walk::new(30.0, 20.0);
    let mut crowd = vec![walk.cleaner(settings); CHARACTERS];
    // Everybody is somewhere else in the walk.
    let start = |character: usize| character * 7 % (walk.poses.len() / 2);
    let frames = walk.poses.len() / 2;
    let clock = Clock::start();
    let mut slowest = 0.0f64;
    for frame in 0..frames {
        let clock = Clock::start();
        for (character, cleaner) in crowd.iter_mut().enumerate() {
            let at = start(character) + frame;
            black_box(cleaner.push(&walk.poses[at], &walk.held[at]).expect("finite"));
        }
        slowest = slowest.max(clock.elapsed());
    }
    let seconds = clock.elapsed();
    let us = seconds * 1e6 / (frames * CHARACTERS) as f64;
    let load = seconds / (frames as f64 / 30.0);
    println!(
        "{name:8} {us:8.2} µs a character and frame: {CHARACTERS} at 30 fps take {:.0} % of one core; slowest frame {:.1} ms",
        load * 100.0,
        slowest * 1e3
    );
}

fn main() {
    // `-- one` and `-- crowd` run only that part.
    let words: Vec<String> = std::env::args().collect();
    let is_asked = |part: &str, other: &str| {
        words.iter().any(|word| word == part) || !words.iter().any(|word| word == other)
    };
    let all = [
        ("paper", Settings::paper()),
        ("default", Settings::default()),
        ("live", Settings::live()),
        ("rigid", Settings { stretch: 0.0, ..Settings::default() }),
    ];
    if is_asked("one", "crowd") {
        all.iter().for_each(|(name, settings)| one(name, settings));
    }
    if is_asked("crowd", "one") {
        let online = [("paper", Settings::paper()), ("live", Settings::live())];
        online.iter().for_each(|(name, settings)| crowd(name, settings));
    }
}
