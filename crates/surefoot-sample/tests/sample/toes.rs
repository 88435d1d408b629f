//! Motions on the front of the feet.

use surefoot_core::{FootPoint, HoldKind, WorldPose};
use surefoot_sample::{Body, Kind, Recipe, Sample, make};

fn sample(kind: Kind, body: Body) -> Sample {
    make(&Recipe { kind, body, seconds: 8.0, ..Recipe::default() }).unwrap()
}

#[test]
fn planted_points_are_where_their_plants_hold_them_and_nothing_is_below_the_floor() {
    for kind in Kind::TOES {
        for body in [Body::Human, Body::RootPelvis, Body::Twist, Body::ZUp] {
            let Sample { motion, legs, plants, floor, .. } = sample(kind, body);
            let worlds: Vec<WorldPose> =
                motion.poses.iter().map(|pose| pose.world(&motion.skeleton)).collect();
            for plant in &plants.plants {
                for frame in plant.frames.clone() {
                    let point = worlds[frame].point(&plant.foot_point(&legs).unwrap());
                    let held = plant.hold.position(plant.spot.unwrap(), point, Some(&floor));
                    let miss = point.distance(held);
                    assert!(miss < 1e-9, "{kind:?} {body:?} {plant:?} misses by {miss} at {frame}");
                }
            }
            for (frame, world) in worlds.iter().enumerate() {
                for (leg, point) in legs.iter().flat_map(|leg| FootPoint::ALL.map(|point| (leg, point))) {
                    let height = floor.above(world.point(leg.point(point)));
                    assert!(height > -1e-9, "{kind:?} {body:?} {} {point:?} {frame}: {height}", leg.side);
                }
            }
        }
    }
}

#[test]
fn on_tiptoe_only_the_tips_touch_the_floor() {
    let Sample { motion, legs, plants, floor, .. } = sample(Kind::Tiptoe, Body::Human);
    let toes = plants.plants.iter().filter(|plant| plant.point == FootPoint::Toe);
    let mut steps = 0;
    for plant in toes {
        steps += 1;
        let middle = (plant.frames.start + plant.frames.end) / 2;
        let world = motion.poses[middle].world(&motion.skeleton);
        let [heel, ball] = [FootPoint::Heel, FootPoint::Ball]
            .map(|point| floor.above(world.point(legs[plant.leg].point(point))));
        assert!(heel > 0.1 && ball > 0.02, "{plant:?}: {heel} {ball}");
    }
    assert!(steps > 6, "{steps}");
}

#[test]
fn the_feet_turn_about_pivots() {
    let plants = sample(Kind::Pivot, Body::Human).plants;
    let count = |kind: HoldKind| plants.plants.iter().filter(|plant| plant.hold.kind == kind).count();
    assert!(count(HoldKind::Pivot) >= 6 && count(HoldKind::Pivot) == count(HoldKind::Height));
}

#[test]
fn bodies_without_toes_are_refused() {
    for body in [Body::NoToe, Body::FourLegs] {
        let recipe = Recipe { kind: Kind::Tiptoe, body, ..Recipe::default() };
        let error = make(&recipe).unwrap_err().to_string();
        assert_eq!(error, format!("found the body {}, but a tiptoe needs human toes", body.as_str()));
    }
}
