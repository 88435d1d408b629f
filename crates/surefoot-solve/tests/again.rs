//! Cleaning again after an edit gives what a whole clean gives, to the bit.

use surefoot_core::{Clip, FootPoint, Footplants, Plant, Vec3};
use surefoot_sample::{Body, Kind, Recipe, Skate, make};
use surefoot_solve::{FootRoll, IncrementalCleaner, Settings, clean};

fn check(recipe: &Recipe, settings: &Settings, edits: &[fn(&mut Footplants)]) {
    let clip = make(recipe).unwrap().into_clip();
    let mut again = IncrementalCleaner::new(clip.clone(), settings).unwrap();
    let mut plants = clip.plants.clone();
    let mut fewer = false;
    for edit in [(|_| {}) as fn(&mut Footplants)].iter().chain(edits) {
        edit(&mut plants);
        let runs = again.clean(&plants).unwrap();
        let result = clean(&Clip { plants: plants.clone(), ..clip.clone() }, settings).unwrap();
        let whole = &result.clip.motion;
        for (frame, (ours, theirs)) in again.after().poses.iter().zip(&whole.poses).enumerate() {
            let bits = |pose: &surefoot_core::Pose| -> Vec<u64> {
                let offsets = pose.offsets.iter().flat_map(|v| v.to_array());
                offsets.chain(pose.rotations.iter().flat_map(|q| q.to_array())).map(f64::to_bits).collect()
            };
            assert_eq!(bits(ours), bits(theirs), "{recipe:?}: frame {frame}, solved again {runs:?}");
        }
        assert_eq!(again.report(), result.report);
        fewer |= runs.iter().map(|run| run.len()).sum::<usize>() < whole.frames() / 2;
    }
    assert!(fewer, "some edit is felt in less than half of the frames");
    assert_eq!(again.clean(&plants).unwrap(), [], "nothing changed, so nothing is solved");
}

const EDITS: [fn(&mut Footplants); 8] = [
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
    |plants| {
        let plant = Plant { leg: 0, point: FootPoint::Heel, frames: 1..30, spot: None, confidence: None };
        plants.plants.insert(0, plant);
    },
    |plants| plants.plants.truncate(3),
];

#[test]
fn an_edited_walk_is_solved_again_as_a_whole_clean_would() {
    for fps in [30.0, 100.0, 120.0] {
        let recipe = Recipe { fps, seconds: 14.0, skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
        check(&recipe, &Settings::default(), &EDITS);
    }
}

#[test]
fn so_is_a_run_a_dog_and_every_form() {
    let recipe =
        Recipe { kind: Kind::Run, seconds: 12.0, skate: Some(Skate::Scale(1.2)), ..Recipe::default() };
    check(&recipe, &Settings { stretch_limit: 0.0, ..Settings::default() }, &EDITS);
    check(&recipe, &Settings::paper(), &EDITS);
    let recipe =
        Recipe { body: Body::FourLegs, seconds: 14.0, skate: Some(Skate::Drift(0.03)), ..Recipe::default() };
    check(&recipe, &Settings { foot_roll: FootRoll::Flat, ..Settings::live() }, &EDITS);
}
