//! Inference finds the true legs, floor and unit of generated motions.

use surefoot_infer::{Excerpt, Overrides, infer};
use surefoot_sample::{Body, Kind, Recipe, make};

#[test]
fn legs_floor_and_unit_are_inferred() {
    for kind in Kind::ALL {
        for body in [Body::Human, Body::FourLegs] {
            let sample = make(&Recipe { kind, body, ..Recipe::default() }).unwrap();
            let frames = (0..sample.motion.frames()).collect();
            let inference = infer(&Excerpt { motion: sample.motion.clone(), frames }, &Overrides::default());
            assert_eq!(inference.unit_m.value, 1.0, "{kind:?} {body:?}");
            assert_eq!(inference.up.value.as_str(), "y");
            let floor = inference.floor.unwrap().value;
            assert!(floor.offset.abs() < 1e-3 && floor.normal.y > 0.9999, "{kind:?} {body:?}: {floor:?}");
            let legs = inference.legs.unwrap().value;
            assert_eq!(legs.len(), sample.legs.len());
            for (leg, truth) in legs.iter().zip(&sample.legs) {
                assert_eq!(
                    (leg.side.as_str(), leg.hip, leg.knee),
                    (truth.side.as_str(), truth.hip, truth.knee)
                );
                let world = sample.motion.poses[0].world(&sample.motion.skeleton);
                for (point, truth) in [(leg.heel, truth.heel), (leg.ball, truth.ball), (leg.toe, truth.toe)] {
                    assert!(world.point(&point).distance(world.point(&truth)) < 1e-3);
                }
            }
        }
    }
}

#[test]
fn arms_and_palms_of_every_rig_are_inferred() {
    for kind in Kind::HANDS {
        for body in Body::RIGS.into_iter().chain([Body::Human]) {
            // Without a rest pose that stands, a person who crawls throughout is an animal with front legs.
            if kind == Kind::Crawl && matches!(body, Body::GroundRoot | Body::Mirrored) {
                continue;
            }
            let sample = make(&Recipe { kind, body, ..Recipe::default() }).unwrap();
            let frames = (0..sample.motion.frames()).collect();
            let inference = infer(&Excerpt { motion: sample.motion.clone(), frames }, &Overrides::default());
            let (arms, truth) = (inference.arms.value, &sample.legs[2..]);
            assert_eq!(arms.len(), 2, "{kind:?} {body:?}: {}", inference.arms.reason);
            for (arm, truth) in arms.iter().zip(truth) {
                let joints =
                    |arm: &surefoot_core::Leg| (arm.side.clone(), arm.hip, arm.knee, arm.ankle, arm.limb);
                assert_eq!(joints(arm), joints(truth), "{kind:?} {body:?}");
                let world = sample.motion.poses[0].world(&sample.motion.skeleton);
                let miss = world.point(&arm.ball).distance(world.point(&truth.ball));
                assert!(miss < 1e-3, "{kind:?} {body:?}: the palm is {miss} m off");
            }
        }
    }
}

#[test]
fn an_animal_has_no_arms() {
    let sample = make(&Recipe { body: Body::FourLegs, ..Recipe::default() }).unwrap();
    let frames = (0..sample.motion.frames()).collect();
    let inference = infer(&Excerpt { motion: sample.motion, frames }, &Overrides::default());
    assert_eq!(inference.arms.value, []);
}
