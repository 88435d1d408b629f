//! Prints the comparison of the method `support` with the method `phases`, with the time that each takes.

mod comparison;

use std::time::Instant;

use comparison::{CAPTURES, HEADING, METHODS, capture, row, sample, title};
use surefoot::core::Clip;
use surefoot::sample::{Kind, Skate};

fn run(name: &str, clip: &Clip) {
    println!("{}", title(name, clip));
    for (method, work) in METHODS {
        // The minimum time is least affected by other processes.
        let mut cost = f64::INFINITY;
        let mut after = None;
        for _ in 0..5 {
            let start = Instant::now();
            after = work(clip);
            cost = cost.min(start.elapsed().as_secs_f64());
        }
        match after.and_then(|after| row(name, method, clip, &after)) {
            Some(row) => println!("{row}   {:>7.2} µs/frame", cost * 1e6 / clip.motion.frames() as f64),
            None => println!("{name:<13} {method:<10} cannot be cleaned"),
        }
    }
}

fn main() {
    print!("{HEADING}");
    for kind in [Kind::Walk, Kind::Turn, Kind::Run, Kind::Stand] {
        for skate in Skate::ALL {
            if let Some(clip) = sample(kind, skate) {
                run(&format!("{} {}", kind.as_str(), skate.as_str()), &clip);
            }
        }
    }
    for name in CAPTURES {
        if let Some(clip) = capture(name) {
            run(name, &clip);
        }
    }
}
