//! The same motion at 30, 60 and 120 frames per second is cleaned alike.

mod made;

use made::*;
use surefoot_sample::{Kind, Recipe, Skate};
use surefoot_solve::Settings;

/// Cleans a sample at three frame rates: every plant is held at each, and at common times the
/// joints are within `limit` metres of one another.
fn check(kind: Kind, skate: Skate, settings: &Settings, limit: f64) {
    let cleaned = [30.0, 60.0, 120.0].map(|fps| {
        let case = sample(&Recipe { kind, skate: Some(skate), fps, ..Recipe::default() });
        world(&held_or_noted(&case, settings).unwrap().0)
    });
    let mut most = (0.0, 0, 0);
    for (frame, slow) in cleaned[0].iter().enumerate() {
        for (times, fast) in [(2, &cleaned[1]), (4, &cleaned[2])] {
            for (joint, place) in slow.positions.iter().enumerate() {
                let off = place.distance(fast[times * frame].positions[joint]);
                if off > most.0 {
                    most = (off, frame, joint);
                }
            }
        }
    }
    println!("{} {}: {:.2} mm at most", kind.word(), skate.word(), most.0 * 1000.0);
    assert!(most.0 < limit, "{kind:?} {skate:?}: {most:?}");
}

#[test]
fn thirty_sixty_and_a_hundred_and_twenty_frames_per_second_agree() {
    for kind in Kind::ALL {
        for skate in Skate::ALL {
            check(kind, skate, &Settings::default(), 0.005);
        }
    }
}
