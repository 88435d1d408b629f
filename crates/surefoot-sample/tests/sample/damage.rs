//! Damage makes planted points drift by a plausible distance and changes nothing else.

use surefoot_core::{FootPoint, Motion};
use surefoot_sample::{Body, Kind, Recipe, Sample, Skate, make};

/// The largest and the mean drift of planted points from the start of their plant, in metres.
fn drifts(sample: &Sample) -> (f64, f64) {
    let Motion { skeleton, poses, .. } = &sample.motion;
    let (mut most, mut sum) = (0.0f64, 0.0);
    for plant in &sample.plants.plants {
        let leg = &sample.legs[plant.leg];
        let point = match plant.point {
            FootPoint::Heel => &leg.heel,
            FootPoint::Ball => &leg.ball,
            FootPoint::Toe => &leg.toe,
        };
        let at = |frame: usize| poses[frame].world(skeleton).point(point);
        let start = at(plant.frames.start);
        let drift = plant.frames.clone().map(|frame| at(frame).distance(start)).fold(0.0, f64::max);
        most = most.max(drift);
        sum += drift;
    }
    (most, sum / sample.plants.plants.len() as f64)
}

fn damaged(kind: Kind, body: Body, skate: Option<Skate>) -> Sample {
    make(&Recipe { kind, body, skate, ..Recipe::default() }).unwrap()
}

#[test]
fn every_damage_makes_planted_points_drift() {
    for skate in Skate::ALL {
        for kind in Kind::ALL {
            let (most, mean) = drifts(&damaged(kind, Body::Human, Some(skate)));
            println!(
                "{:6} {:6} at most {:5.1} cm, mean {:5.1} cm",
                skate.as_str(),
                kind.as_str(),
                most * 100.0,
                mean * 100.0
            );
            let nearly_still = skate.as_str() == "scale" && kind == Kind::Stand;
            let least = if nearly_still { 0.0005 } else { 0.01 };
            assert!((least..0.30).contains(&most), "{skate:?} {kind:?}: {most} m");
        }
    }
}

#[test]
fn damage_keeps_frames_bones_and_plants() {
    for skate in Skate::ALL {
        for body in Body::ALL {
            let clean = damaged(Kind::Walk, body, None);
            let skating = damaged(Kind::Walk, body, Some(skate));
            assert_eq!(clean.plants, skating.plants);
            assert_eq!(clean.motion.fps, skating.motion.fps);
            assert_eq!(clean.motion.skeleton, skating.motion.skeleton);
            assert_eq!(clean.motion.frames(), skating.motion.frames());
            for (before, after) in clean.motion.poses.iter().zip(&skating.motion.poses) {
                assert_eq!(before.offsets[1..], after.offsets[1..]);
                for rotation in &after.rotations {
                    assert!((rotation.length() - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}

#[test]
fn an_amount_of_zero_changes_nothing() {
    let clean = damaged(Kind::Turn, Body::Human, None);
    for skate in [Skate::Scale(1.0), Skate::Drift(0.0), Skate::Noise(0.0), Skate::Blend(0.0)] {
        let same = damaged(Kind::Turn, Body::Human, Some(skate));
        for (before, after) in clean.motion.poses.iter().zip(&same.motion.poses) {
            assert!(before.offsets[0].distance(after.offsets[0]) < 1e-12);
            for (a, b) in before.rotations.iter().zip(&after.rotations) {
                assert!(a.dot(*b).abs() > 1.0 - 1e-12);
            }
        }
    }
}

#[test]
fn damage_out_of_range_is_refused() {
    let recipe = Recipe { skate: Some(Skate::Blend(1.5)), ..Recipe::default() };
    assert_eq!(make(&recipe).unwrap_err().to_string(), "found blend of 1.5, expected 0 to 1");
}
