//! What does a frame cost, and how many characters does one core clean as they walk?
//!
//! Machines are noisy: what one cleaner costs is the best of many short turns, and of a crowd it is told what half of
//! the frames take, the best and the slowest. Instructions are counted by `examples/count.rs`.

use std::hint::black_box;
use std::time::Instant;

use surefoot_core::{Clip, FootPoint};
use surefoot_sample::{Recipe, Skate, make};
use surefoot_solve::{ActivePlant, ActivePlants, Cleaner, Settings};

/// How long the walk of one is, in seconds: a clip as animators have them; and a minute, which is ten megabytes of
/// poses, so that it matters too where they come from.
const CLIPS: [f64; 2] = [10.0, 60.0];
const ROUNDS: usize = 15;
const CHARACTERS: usize = 10_000;

/// A skating walk, and who is held when.
struct Walk {
    clip: Clip,
    held: Vec<[ActivePlants; 2]>,
    longest: usize,
}

impl Walk {
    fn new(fps: f64, seconds: f64) -> Self {
        let recipe = Recipe { fps, seconds, skate: Some(Skate::Drift(0.025)), ..Recipe::default() };
        let clip = make(&recipe).expect("a walk can be made").into_clip();
        let plants = &clip.plants;
        let mut held = vec![[ActivePlants::default(); 2]; clip.motion.frames()];
        for (number, plant) in plants.plants.iter().enumerate() {
            let hold = Some(ActivePlant { id: number as u32, spot: None });
            for held in &mut held[plant.frames.clone()] {
                match plant.point {
                    FootPoint::Heel => held[plant.leg].heel = hold,
                    FootPoint::Ball => held[plant.leg].ball = hold,
                }
            }
        }
        let longest = plants.plants.iter().map(|plant| plant.frames.len()).max().unwrap_or(0);
        Self { clip, held, longest }
    }

    fn cleaner(&self, settings: &Settings) -> Cleaner {
        Cleaner::new(&self.clip, self.longest, settings).expect("a walk can be cleaned")
    }
}

/// Nanoseconds a frame for one cleaner at 120 frames per second, both legs: from the first that is pushed until the last
/// is out. All by turns, so that a noisy moment is nobody's.
fn one(all: &[(&str, Settings)]) {
    let walks = CLIPS.map(|seconds| Walk::new(120.0, seconds));
    let mut least = vec![[f64::INFINITY; CLIPS.len()]; all.len()];
    for _ in 0..ROUNDS {
        for (least, (_, settings)) in least.iter_mut().zip(all) {
            for (least, walk) in least.iter_mut().zip(&walks) {
                *least = least.min(nanoseconds(walk, settings));
            }
        }
    }
    for ([clip, minute], (name, _)) in least.iter().zip(all) {
        println!(
            "{name:8} {clip:8.0} ns a frame at 120 fps, both legs; {minute:.0} where the clip has a minute"
        );
    }
}

/// The least that a frame of a walk takes, of as many turns as make three minutes of walking.
fn nanoseconds(walk: &Walk, settings: &Settings) -> f64 {
    let turns = (180.0 * walk.clip.motion.fps) as usize / walk.clip.motion.poses.len();
    let fresh = walk.cleaner(settings);
    let turn = |_| {
        let mut cleaner = fresh.clone();
        let start = Instant::now();
        for (pose, held) in walk.clip.motion.poses.iter().zip(&walk.held) {
            black_box(cleaner.push(pose, held).expect("finite"));
        }
        while black_box(cleaner.finish()).is_some() {}
        start.elapsed().as_secs_f64()
    };
    (0..turns).map(turn).fold(f64::INFINITY, f64::min) * 1e9 / walk.clip.motion.poses.len() as f64
}

/// Many characters, each with a cleaner of its own, frame by frame.
fn crowd(name: &str, settings: &Settings) {
    let walk = Walk::new(30.0, 20.0);
    let mut crowd = vec![walk.cleaner(settings); CHARACTERS];
    // Everybody is somewhere else in the walk.
    let start = |character: usize| character * 7 % (walk.clip.motion.poses.len() / 2);
    let frames = walk.clip.motion.poses.len() / 2;
    let mut took = Vec::with_capacity(frames);
    for frame in 0..frames {
        let clock = Instant::now();
        for (character, cleaner) in crowd.iter_mut().enumerate() {
            let at = start(character) + frame;
            cleaner.prefetch();
            black_box(cleaner.push(&walk.clip.motion.poses[at], &walk.held[at]).expect("finite"));
        }
        // The first frames go in, and none come out yet.
        if frame > crowd[0].lookahead() {
            took.push(clock.elapsed().as_secs_f64());
        }
    }
    took.sort_by(f64::total_cmp);
    let (best, half, slowest) = (took[0], took[took.len() / 2], took[took.len() - 1]);
    println!(
        "{name:8} {:8.2} µs a character and frame: {CHARACTERS} at 30 fps take {:.0} % of one core; best frame {:.1} ms, slowest {:.1}",
        half * 1e6 / CHARACTERS as f64,
        half * 30.0 * 100.0,
        best * 1e3,
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
        ("rigid", Settings { stretch_limit: 0.0, ..Settings::default() }),
    ];
    if is_asked("one", "crowd") {
        one(&all);
    }
    if is_asked("crowd", "one") {
        let online = [("paper", Settings::paper()), ("live", Settings::live())];
        online.iter().for_each(|(name, settings)| crowd(name, settings));
    }
}
