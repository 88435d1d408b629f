//! Plants of hands: found where they are, and nowhere else.

use surefoot_contact::{Hold, Settings, detect};
use surefoot_core::{FootPoint, Footplants, Leg};
use surefoot_sample::{Kind, Recipe, Sample, Skate, make};

fn sample(kind: Kind, fps: f64, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, fps, skate, seconds: 8.0, ..Recipe::default() }).unwrap()
}

fn hands(sample: &Sample) -> Footplants {
    let settings = Settings { hold: Hold::Hands, ..Settings::default() };
    detect(&sample.motion, &sample.legs, Some(&sample.floor), &settings)
}

/// F1 of the frames in which palms are planted.
fn f1(sample: &Sample, found: &Footplants) -> f64 {
    let (mut both, mut either) = (0.0, 0.0);
    for arm in (0..sample.legs.len()).filter(|&leg| sample.legs[leg].is_arm()) {
        for frame in 0..sample.motion.frames() {
            let [truth, found] =
                [&sample.plants, found].map(|plants| plants.is_planted(arm, FootPoint::Ball, frame));
            both += if truth && found { 1.0 } else { 0.0 };
            either += f64::from(u8::from(truth) + u8::from(found));
        }
    }
    2.0 * both / either
}

#[test]
fn planted_hands_are_found_at_every_frame_rate() {
    for kind in Kind::HANDS {
        for fps in [24.0, 30.0, 60.0, 120.0, 240.0] {
            let sample = sample(kind, fps, None);
            let found = hands(&sample);
            assert!(f1(&sample, &found) >= 0.97, "{kind:?} at {fps}: {}", f1(&sample, &found));
            assert!(found.plants.iter().all(|plant| plant.confidence.is_some_and(|sure| sure >= 0.5)));
        }
    }
}

#[test]
fn planted_hands_are_found_although_they_skate() {
    let damage = [
        (Skate::Scale(1.1), 0.94),
        (Skate::Drift(0.025), 0.94),
        (Skate::Blend(0.5), 0.8),
        (Skate::Noise(0.002), 0.75),
    ];
    for kind in Kind::HANDS {
        for (skate, least) in damage {
            let sample = sample(kind, 60.0, Some(skate));
            let found = hands(&sample);
            assert!(f1(&sample, &found) >= least, "{kind:?} {skate:?}: {}", f1(&sample, &found));
        }
    }
}

/// The human with its arms, which motions without planted hands do not have.
fn with_arms(kind: Kind, skate: Option<Skate>) -> Sample {
    let arms = sample(Kind::Push, 60.0, None).legs;
    let mut sample = sample(kind, 60.0, skate);
    sample.legs.extend(arms.into_iter().filter(Leg::is_arm));
    sample
}

#[test]
fn hands_that_swing_or_hang_are_not_planted() {
    for kind in Kind::ALL.into_iter().chain(Kind::HARD) {
        for skate in [None, Some(Skate::Scale(1.1)), Some(Skate::Drift(0.025)), Some(Skate::Noise(0.002))] {
            let found = hands(&with_arms(kind, skate));
            assert_eq!(found.plants, [], "{kind:?} {skate:?}");
        }
    }
}

#[test]
fn feet_are_found_the_same_with_and_without_hands() {
    let Sample { motion, legs, floor, .. } = sample(Kind::Crawl, 60.0, None);
    let found = |legs: &[Leg], hold| {
        let settings = Settings { hold, ..Settings::default() };
        detect(&motion, legs, Some(&floor), &settings).plants
    };
    let feet = found(Leg::without_arms(&legs), Hold::Feet);
    assert_eq!(found(&legs, Hold::Feet), feet);
    let both = found(&legs, Hold::FeetAndHands);
    assert_eq!(both[..feet.len()], feet);
    assert_eq!(both[feet.len()..], found(&legs, Hold::Hands));
    assert_eq!(found(Leg::without_arms(&legs), Hold::Hands), []);
}

#[test]
fn motions_without_frames_or_with_one_have_no_plants() {
    let mut sample = sample(Kind::Push, 60.0, None);
    for frames in [1, 0] {
        sample.motion.poses.truncate(frames);
        assert_eq!(hands(&sample).plants, []);
    }
}
