//! Captures and samples as takes.

use std::path::Path;

use surefoot_contact::detect;
use surefoot_core::understand::{Given, understand};
use surefoot_core::{Floor, Leg, Motion, Pose};
use surefoot_edit::Take;
use surefoot_edit::retarget::Target;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_sample::{Recipe, make};

/// A file of the data, understood, its plants found.
#[allow(dead_code)]
pub fn read(path: &Path) -> (Bvh, Space, Take) {
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let found = understand(&bvh.excerpt(), &Given::default());
    let space = Space { unit_m: found.unit_m.value, up: found.up.value };
    let leg = |leg: &Leg| Leg {
        heel: space.point_in(leg.heel),
        ball: space.point_in(leg.ball),
        toe: space.point_in(leg.toe),
        ..leg.clone()
    };
    let legs: Vec<Leg> = found.legs.iter().flat_map(|legs| &legs.value).map(leg).collect();
    let floor = found.floor.map(|floor| Floor::from(space.plane_in(floor.value)));
    let first_frame = usize::from(found.inserted_t_pose.value);
    let motion = bvh.motion(&space);
    // As the command finds what it holds: only while a point rests.
    let edges = surefoot_contact::Edges::Rest;
    let settings = surefoot_contact::Settings { first_frame, edges, ..Default::default() };
    let plants = detect(&motion, &legs, floor.as_ref(), &settings);
    let take = Take { motion, legs, plants, floor, first_frame, ..Take::default() };
    (bvh, space, take)
}

/// The body of a take as a target.
#[allow(dead_code)]
pub fn body(take: &Take) -> Target {
    Target {
        skeleton: take.motion.skeleton.clone(),
        legs: take.legs.clone(),
        poses: take.motion.poses[take.first_frame..].to_vec(),
        floor: take.floor.clone(),
    }
}

/// A made motion.
#[allow(dead_code)]
pub fn sample(recipe: &Recipe) -> Take {
    let sample = make(recipe).unwrap();
    Take {
        motion: sample.motion,
        legs: sample.legs,
        plants: sample.plants,
        floor: Some(sample.floor),
        ..Take::default()
    }
}

/// As [`knee_speed_added`](surefoot_edit::knee_speed_added), of the angle between thigh and shin, which
/// turns back where a knee goes through straight: as the figures of a report have it.
#[allow(dead_code)]
pub fn knee_speed_folded(before: &Motion, after: &Motion, legs: &[Leg], first_frame: usize) -> f64 {
    let angles = |motion: &Motion, leg: &Leg| -> Vec<f64> {
        let angle = |pose: &Pose| {
            let placed = pose.placed(&motion.skeleton);
            let knee = placed.joint(leg.knee);
            let (up, down) = (placed.joint(leg.hip) - knee, placed.joint(leg.ankle) - knee);
            surefoot_core::math::acos(up.normalize().dot(down.normalize()).clamp(-1.0, 1.0))
        };
        motion.poses[first_frame..].iter().map(angle).collect()
    };
    let added = |leg: &Leg| {
        let (before, after) = (angles(before, leg), angles(after, leg));
        let changes: Vec<f64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
        changes.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    };
    legs.iter().map(added).fold(0.0, f64::max) * after.fps
}
