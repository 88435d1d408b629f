//! The person on other rigs: the feet are where they are on the person's own skeleton.

use surefoot_core::math::PI;
use surefoot_core::{FootPoint, Vec3};
use surefoot_infer::{Excerpt, Overrides, infer};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

fn on(body: Body, kind: Kind) -> Sample {
    make(&Recipe { kind, body, fps: 30.0, ..Recipe::default() }).unwrap()
}

fn size(body: Body) -> f64 {
    if body == Body::Child { 0.6 } else { 1.0 }
}

#[test]
fn legs_of_every_rig_are_at_the_same_places() {
    for kind in [Kind::Walk, Kind::Turn, Kind::Jump] {
        let person = on(Body::Human, kind);
        for body in Body::RIGS {
            let (sample, size) = (on(body, kind), size(body));
            for (pose, other) in person.motion.poses.iter().zip(&sample.motion.poses) {
                let world = pose.world(&person.motion.skeleton);
                let other = other.world(&sample.motion.skeleton);
                for (leg, rigged) in person.legs.iter().zip(&sample.legs) {
                    let points = |leg: &surefoot_core::Leg, world: &surefoot_core::WorldPose| {
                        let joints = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
                        [joints, [leg.heel, leg.ball, leg.toe].map(|point| world.point(&point))].concat()
                    };
                    for (a, b) in points(leg, &world).into_iter().zip(points(rigged, &other)) {
                        assert!((a * size).distance(b) < 1e-9, "{body:?} {kind:?} {a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn plants_of_every_rig_are_true() {
    for body in Body::RIGS {
        let sample = on(body, Kind::Walk);
        for plant in &sample.plants.plants {
            let leg = &sample.legs[plant.leg];
            let point = if plant.point == FootPoint::Heel { leg.heel } else { leg.ball };
            for frame in plant.frames.clone() {
                let world = sample.motion.poses[frame].world(&sample.motion.skeleton);
                assert!(world.point(&point).distance(plant.spot.unwrap()) < 1e-9, "{body:?}");
            }
        }
    }
}

#[test]
fn the_trunk_of_every_rig_is_upright() {
    for body in Body::RIGS {
        let sample = on(body, Kind::Walk);
        let skeleton = &sample.motion.skeleton;
        let world = sample.motion.poses[60].world(skeleton);
        let hips = (world.joint(sample.legs[0].hip) + world.joint(sample.legs[1].hip)) * 0.5;
        let top = skeleton.find("Head").or(skeleton.find("head"));
        let top = top.map_or_else(
            || {
                let torso = skeleton.find("torso").unwrap();
                world.joint(torso) + world.rotations[torso.index()] * skeleton.joint(torso).end.unwrap()
            },
            |head| world.joint(head),
        );
        assert!((top - hips).angle_between(Vec3::Y) < 12.0 * PI / 180.0, "{body:?} {}", top - hips);
    }
}

#[test]
fn the_offset_of_the_hips_differs_between_takes_of_a_ground_root() {
    let take = |seed| make(&Recipe { body: Body::GroundRoot, seed, ..Recipe::default() }).unwrap();
    let offsets = [take(0), take(1)].map(|take| take.motion.skeleton.joints()[1].offset);
    assert!(offsets[0].distance(offsets[1]) > 0.4, "{offsets:?}");
    let still = take(0).motion.poses.iter().all(|pose| pose.offsets[0] == Vec3::ZERO);
    assert!(still);
}

#[test]
fn legs_of_every_rig_are_inferred() {
    for body in Body::RIGS {
        let recipe = Recipe { body, skate: Some(Skate::Scale(1.05)), ..Recipe::default() };
        let sample = make(&recipe).unwrap();
        let frames = (0..sample.motion.frames()).collect();
        let inference = infer(&Excerpt { motion: sample.motion.clone(), frames }, &Overrides::default());
        let legs = inference.legs.unwrap_or_else(|error| panic!("{body:?}: {error:?}")).value;
        for (leg, truth) in legs.iter().zip(&sample.legs) {
            let [found, expected] = [leg, truth].map(|leg| (leg.side.clone(), leg.hip, leg.knee, leg.ankle));
            assert_eq!(found, expected, "{body:?}");
        }
        assert_eq!(inference.up.value.as_str(), "y", "{body:?}");
    }
}
