//! The same motion at 30, 60 and 120 frames per second gives the same result.

use surefoot_sample::{Kind, Recipe, Skate};
use surefoot_solve::Settings;

use crate::fixtures::*;

/// The largest difference between the results at two frame rates, and the largest correction, in metres.
struct Difference {
    rates_m: f64,
    correction_m: f64,
}

/// Cleans a sample at three frame rates, with plants at the same times, and compares all joints at common times.
fn compare(kind: Kind, skate: Skate, settings: &Settings) -> Difference {
    let at = |fps| sample(&Recipe { kind, skate: Some(skate), fps, ..Recipe::default() });
    let plants = at(30.0).clip.plants;
    let cleaned = [1, 2, 4].map(|times| {
        let mut case = at(30.0 * times as f64);
        case.clip.plants = plants.clone();
        for plant in &mut case.clip.plants.plants {
            plant.frames = plant.frames.start * times..(plant.frames.end - 1) * times + 1;
        }
        let (after, _) = clean_held_or_noted(&case, settings).unwrap();
        (world(&case.clip.motion), world(&after))
    });
    let mut difference = Difference { rates_m: 0.0, correction_m: 0.0 };
    for frame in 0..cleaned[0].0.len() {
        for joint in 0..cleaned[0].0[0].positions.len() {
            let after = [0, 1, 2].map(|rate| cleaned[rate].1[frame << rate].positions[joint]);
            let correction = after[0].distance(cleaned[0].0[frame].positions[joint]);
            let rates = after[0].distance(after[1]).max(after[0].distance(after[2]));
            difference.correction_m = difference.correction_m.max(correction);
            difference.rates_m = difference.rates_m.max(rates);
        }
    }
    difference
}

/// Largest difference between frame rates, as a fraction of the largest correction: just above the measured one.
///
/// Windows depend on the time, not on the frames, so that steady motions agree to a few thousandths. The slope of a
/// correction at the edge of a stance is the difference of two frames: it depends on the frame rate where the foot lands or
/// lifts off fast, as in runs and jumps. So does the largest acceleration of a landing, relative to which the fit counts
/// jolts, and the part of it that counts as jitter. Noise changes from frame to frame, and root and feet follow it by as much as
/// keeps the knees smooth.
fn most_difference(kind: Kind, skate: Skate) -> f64 {
    match (kind, skate) {
        (Kind::Jump, Skate::Noise(_)) => 0.19,
        (Kind::Jump, Skate::Blend(_)) => 0.284,
        (Kind::Jump, _) => 0.143,
        (Kind::Run, Skate::Noise(_)) => 0.176,
        (Kind::Run, Skate::Blend(_)) => 0.256,
        (Kind::Run, Skate::Drift(_)) => 0.053,
        (Kind::Run, _) => 0.03,
        (_, Skate::Noise(_)) => 0.243,
        (Kind::Walk | Kind::Turn, Skate::Blend(_)) => 0.319,
        (_, Skate::Blend(_)) => 0.058,
        (_, Skate::Drift(_)) => 0.02,
        (Kind::Stairs, _) => 0.011,
        (Kind::Walk | Kind::Turn, Skate::Scale(_)) => 0.006,
        _ => 0.003,
    }
}

#[test]
fn results_at_30_60_and_120_fps_agree() {
    let mut larger = Vec::new();
    for kind in Kind::ALL {
        for skate in Skate::ALL {
            let Difference { rates_m, correction_m } = compare(kind, skate, &Settings::default());
            let (found, most) = (rates_m / correction_m, most_difference(kind, skate));
            if found > most {
                larger.push(format!("{kind:?} {skate:?}: {found:.3} of the correction, expected {most}"));
            }
        }
    }
    assert!(larger.is_empty(), "{larger:#?}");
}
