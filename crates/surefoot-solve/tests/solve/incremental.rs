//! After an edit of the plants, the incremental cleaner gives the same bits as a complete run.

use surefoot_core::{Clip, FootPoint, Footplants, Plant, PlantKind, Vec3};
use surefoot_sample::{Body, Kind, Recipe, Skate, make};
use surefoot_solve::{FootRoll, IncrementalCleaner, Method, Settings, clean};

use crate::fixtures::bits;

/// Applies the edits one after the other and compares with a complete run after each.
fn check(recipe: &Recipe, settings: &Settings, edits: &[fn(&mut Footplants)]) {
    let clip = make(recipe).unwrap().into_clip();
    let mut incremental = IncrementalCleaner::new(clip.clone(), settings).unwrap();
    let mut plants = clip.plants.clone();
    let mut is_local = false;
    for edit in [(|_| {}) as fn(&mut Footplants)].iter().chain(edits) {
        edit(&mut plants);
        let ranges = incremental.clean(&plants).unwrap();
        let result = clean(&Clip { plants: plants.clone(), ..clip.clone() }, settings).unwrap();
        let complete = &result.clip.motion;
        for (frame, (incremental, complete)) in
            incremental.after().poses.iter().zip(&complete.poses).enumerate()
        {
            assert_eq!(
                bits(incremental),
                bits(complete),
                "{recipe:?}: frame {frame}, solved again {ranges:?}"
            );
        }
        assert_eq!(incremental.report(), result.report);
        is_local |= ranges.iter().map(|range| range.len()).sum::<usize>() < complete.frames() / 2;
    }
    assert!(is_local, "every edit changed more than half of the frames");
    assert_eq!(incremental.clean(&plants).unwrap(), [], "unchanged plants are not solved again");
}

/// Edits of the plants, each applied to the result of the edits before it.
const EDITS: [fn(&mut Footplants); 9] = [
    |plants| plants.plants[4].frames.start += 3,
    |plants| plants.plants[4].frames.end -= 5,
    |plants| {
        plants.plants.remove(2);
    },
    |plants| plants.plants[6].spot = Some(Vec3::new(0.1, 0.0, 0.4)),
    |plants| {
        let middle = plants.plants[5].frames.start + plants.plants[5].frames.len() / 2;
        let end = std::mem::replace(&mut plants.plants[5].frames.end, middle);
        plants.plants.push(Plant { frames: middle + 1..end, ..plants.plants[5].clone() });
    },
    |plants| plants.plants[6].spot = None,
    |plants| plants.plants[6].kind = Some(PlantKind::Skate),
    |plants| {
        let plant = Plant::new(0, FootPoint::Heel, 1..30);
        plants.plants.insert(0, plant);
    },
    |plants| plants.plants.truncate(3),
];

#[test]
fn edits_of_a_walk_give_the_bits_of_a_complete_run() {
    for fps in [30.0, 100.0, 120.0] {
        let recipe = Recipe { fps, seconds: 14.0, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
        check(&recipe, &Settings::default(), &EDITS);
    }
}

#[test]
fn edits_of_a_run_and_a_dog_give_the_bits_of_a_complete_run_in_every_form() {
    let recipe =
        Recipe { kind: Kind::Run, seconds: 12.0, skate: Some(Skate::Scale(1.2)), ..Recipe::default() };
    check(&recipe, &Settings { stretch: Some(0.0), ..Settings::default() }, &EDITS);
    check(&recipe, &Settings::paper(), &EDITS);
    check(&recipe, &Settings { method: Method::Support, ..Settings::default() }, &EDITS);
    let recipe =
        Recipe { body: Body::FourLegs, seconds: 14.0, skate: Some(Skate::Drift(0.03)), ..Recipe::default() };
    check(&recipe, &Settings { roll: FootRoll::Flat, ..Settings::live() }, &EDITS);
}
