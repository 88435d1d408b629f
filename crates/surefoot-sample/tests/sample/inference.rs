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
