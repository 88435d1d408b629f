//! The same motion at 30, 60 and 120 frames per second is cleaned alike.

mod made;

use made::*;
use surefoot_sample::{Kind, Recipe, Skate};
use surefoot_solve::Settings;

/// Cleans a sample at three frame rates, with plants from and to the same instants: every plant is
/// held at each, and at common times no joint is further from itself than a few millimetres and a
/// seventh of the largest move: a fade is sampled at its steepest, and slopes from frame to frame.
fn check(kind: Kind, skate: Skate, settings: &Settings) {
    let at = |fps| sample(&Recipe { kind, skate: Some(skate), fps, ..Recipe::default() });
    let plants = at(30.0).clip.plants;
    let cleaned = [1, 2, 4].map(|times| {
        let mut case = at(30.0 * times as f64);
        case.clip.plants = plants.clone();
        for plant in &mut case.clip.plants.plants {
            plant.frames = plant.frames.start * times..(plant.frames.end - 1) * times + 1;
        }
        let (after, _) = held_or_noted(&case, settings).unwrap();
        (world(&case.clip.motion), world(&after))
    });
    let mut most = (0.0, 0, 0);
    let mut moved = 0.0f64;
    for frame in 0..cleaned[0].0.len() {
        for joint in 0..cleaned[0].0[0].positions.len() {
            let after = [0, 1, 2].map(|rate| cleaned[rate].1[frame << rate].positions[joint]);
            moved = moved.max(after[0].distance(cleaned[0].0[frame].positions[joint]));
            let off = after[0].distance(after[1]).max(after[0].distance(after[2]));
            if off > most.0 {
                most = (off, frame, joint);
            }
        }
    }
    let (off, frame, joint) = most;
    let mm = 1000.0;
    println!(
        "{} {}: {:.2} mm apart at most (frame {frame}, joint {joint}), moved by {:.1} mm",
        kind.as_str(),
        skate.as_str(),
        off * mm,
        moved * mm
    );
    assert!(off < 0.003 + moved / 7.0, "{kind:?} {skate:?}: {off} m, frame {frame}, joint {joint}");
}

#[test]
fn thirty_sixty_and_a_hundred_and_twenty_frames_per_second_agree() {
    for kind in Kind::ALL {
        for skate in Skate::ALL {
            check(kind, skate, &Settings::default());
        }
    }
}
