//! What does finding plants cost, a frame? Two legs, one thread.
//!
//! `cargo bench -p surefoot-contact --bench detect`. With `INSTRUCTIONS=live` or `INSTRUCTIONS=whole` it makes one
//! pass over a minute of walking, for `valgrind --tool=callgrind`: on a machine that others use as well,
//! instructions are the steadier figure.

use std::hint::black_box;
use std::time::Instant;

use surefoot_contact::learned::{Asked, LOOKAHEAD, LiveDetector, Model, ROW, rows};
use surefoot_contact::{Method, Settings, detect};
use surefoot_core::WorldPose;
use surefoot_sample::{Recipe, Sample, make};

/// The quickest of so many passes: others slow a pass down, nothing makes it quicker than it is.
const BEST_OF: usize = 40;

/// Frames whose rows the model alone is asked of: few enough to stay at hand, as they do when each is made
/// and asked at once.
const ROWS: usize = 60;

fn main() {
    let recipe = Recipe { seconds: 60.0, fps: 120.0, ..Recipe::default() };
    let Ok(Sample { motion, legs, floor, .. }) = make(&recipe) else { return };
    let frames = motion.frames();
    let live = || {
        let model = Model::shipped();
        let mut live = LiveDetector::new(model, &motion.skeleton, motion.fps, &legs, Some(&floor), LOOKAHEAD);
        for pose in &motion.poses {
            black_box(live.push(pose));
        }
    };
    let whole = |method: Method| {
        let settings = Settings { method, ..Settings::default() };
        black_box(detect(&motion, &legs, Some(&floor), &settings));
    };
    match std::env::var("INSTRUCTIONS").as_deref() {
        Ok("live") => return live(),
        Ok(_) => return whole(Method::Learned),
        Err(_) => {}
    }
    let time = |what: &str, run: &dyn Fn()| {
        let best = (0..BEST_OF).map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64() / frames as f64
        });
        println!("{what:46}{:8.3} µs a frame", 1e6 * best.fold(f64::INFINITY, f64::min));
    };
    println!("{frames} frames of a walk at 120 frames a second, two legs; {ROW} numbers a foot");
    time("forward kinematics, which all of them take", &|| {
        let mut placed = WorldPose::default();
        for pose in &motion.poses {
            pose.forward_kinematics(&motion.skeleton, &mut placed);
            black_box(&placed);
        }
    });
    let model = Model::shipped();
    let all = rows(&motion.skeleton, motion.fps, &motion.poses[..10 * ROWS], &legs, Some(&floor));
    let asked = Asked::new(&model);
    let start = Instant::now();
    let mut times = 0;
    while start.elapsed().as_secs_f64() < 0.3 {
        for row in all.iter().step_by(10) {
            black_box(asked.score(row));
        }
        times += 1;
    }
    let each = start.elapsed().as_secs_f64() / f64::from(times) / ROWS as f64;
    println!("{:46}{:8.3} µs a frame", format!("the model, {} trees", model.trees.len()), 1e6 * each);
    time("live, all of it", &live);
    for method in Method::ALL {
        time(&format!("a whole motion, {}", method.as_str()), &|| whole(method));
    }
}
