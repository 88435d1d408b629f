//! Motions in which hands are planted.

use surefoot_core::{FootPoint, WorldPose};
use surefoot_sample::{Body, Kind, Recipe, Sample, SampleError, make};

fn sample(kind: Kind, body: Body) -> Sample {
    make(&Recipe { kind, body, seconds: 8.0, ..Recipe::default() }).unwrap()
}

#[test]
fn planted_palms_are_at_their_spots() {
    for kind in Kind::HANDS {
        for body in [Body::Human, Body::RootPelvis, Body::Twist, Body::APose] {
            let Sample { motion, legs, plants, .. } = sample(kind, body);
            assert_eq!(
                legs.iter().map(|leg| leg.side.as_str()).collect::<Vec<_>>(),
                ["left", "right", "left hand", "right hand"]
            );
            for arm in [2, 3] {
                assert!(plants.plants.iter().any(|plant| plant.leg == arm), "{kind:?}: no plant of {arm}");
            }
            let mut world = WorldPose::default();
            for plant in &plants.plants {
                assert!(plant.leg < 2 || plant.point == FootPoint::Ball, "{plant:?}");
                for frame in plant.frames.clone() {
                    motion.poses[frame].forward_kinematics(&motion.skeleton, &mut world);
                    let point = world.point(&plant.foot_point(&legs).unwrap());
                    let miss = point.distance(plant.spot.unwrap());
                    assert!(miss < 1e-9, "{kind:?} {body:?} {plant:?} misses by {miss} at {frame}");
                }
            }
        }
    }
}

/// An arm or leg that does not reach would leave its spot; one that is nearly straight would jerk.
#[test]
fn no_limb_is_straight_or_jerks() {
    for kind in Kind::HANDS {
        let Sample { motion, legs, .. } = sample(kind, Body::Human);
        let worlds: Vec<WorldPose> = motion.poses.iter().map(|pose| pose.world(&motion.skeleton)).collect();
        for leg in &legs {
            let angle = |world: &WorldPose| {
                let [hip, knee, ankle] = [leg.hip, leg.knee, leg.ankle].map(|joint| world.joint(joint));
                (hip - knee).angle_between(ankle - knee)
            };
            let angles: Vec<f64> = worlds.iter().map(angle).collect();
            let widest = angles.iter().copied().fold(0.0, f64::max);
            assert!(widest < 2.98, "{kind:?} {}: {widest}", leg.side);
            let fastest = angles.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
            // 12 radians per second; a sprinter's knee reaches 20.
            assert!(fastest < 0.2, "{kind:?} {}: {fastest} a frame", leg.side);
            let low = worlds.iter().flat_map(|world| [leg.knee, leg.ankle].map(|joint| world.joint(joint).y));
            let low = low.fold(f64::INFINITY, f64::min);
            assert!(low > 0.0, "{kind:?} {}: {low} m", leg.side);
        }
    }
}

#[test]
fn a_body_without_hands_cannot_crawl() {
    let recipe = Recipe { kind: Kind::Crawl, body: Body::FourLegs, ..Recipe::default() };
    let error = make(&recipe).unwrap_err();
    assert_eq!(error, SampleError::NoHands { kind: Kind::Crawl, body: Body::FourLegs });
    assert_eq!(error.to_string(), "found the body four-legs, but a crawl needs hands");
}
