//! Plants of toe tips: found where a foot stands on its tip alone, and nowhere else.

use surefoot_contact::{Method, Settings, detect};
use surefoot_core::{FootPoint, Footplants};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

fn found(sample: &Sample, detector: Method) -> Footplants {
    let settings = Settings { detector, ..Settings::default() };
    detect(&sample.motion, &sample.legs, Some(&sample.floor), &settings)
}

/// F1 of the frames in which toe tips are planted.
fn f1(sample: &Sample, found: &Footplants) -> f64 {
    let (mut both, mut either) = (0.0, 0.0);
    for leg in 0..sample.legs.len() {
        for frame in 0..sample.motion.frames() {
            let [truth, found] =
                [&sample.plants, found].map(|plants| plants.is_planted(leg, FootPoint::Toe, frame));
            both += if truth && found { 1.0 } else { 0.0 };
            either += f64::from(u8::from(truth) + u8::from(found));
        }
    }
    2.0 * both / either
}

#[test]
fn standing_tips_are_found_and_their_balls_are_free() {
    let damage = [None, Some(Skate::Scale(1.1)), Some(Skate::Drift(0.02))];
    for fps in [30.0, 60.0, 120.0] {
        for skate in damage {
            let recipe = Recipe { kind: Kind::Tiptoe, fps, skate, seconds: 8.0, ..Recipe::default() };
            let sample = make(&recipe).unwrap();
            let found = found(&sample, Method::Learned);
            // The toes become steep only after the ball has left the floor.
            assert!(f1(&sample, &found) > 0.8, "{fps} {skate:?}: {}", f1(&sample, &found));
            for toe in found.plants.iter().filter(|plant| plant.point == FootPoint::Toe) {
                let is_free = |point: FootPoint| {
                    toe.frames.clone().all(|frame| !found.is_planted(toe.leg, point, frame))
                };
                assert!(is_free(FootPoint::Ball) && is_free(FootPoint::Heel), "{fps} {skate:?} {toe:?}");
            }
        }
    }
}

#[test]
fn no_tip_is_planted_in_any_other_motion() {
    for kind in Kind::ALL.into_iter().chain(Kind::HARD).chain([Kind::Pivot]) {
        for body in Body::ALL {
            let Ok(sample) = make(&Recipe { kind, body, ..Recipe::default() }) else { continue };
            let found = found(&sample, Method::Threshold);
            let toes = found.plants.iter().filter(|plant| plant.point == FootPoint::Toe).count();
            assert_eq!(toes, 0, "{kind:?} {body:?}");
        }
    }
}
