//! Captures and samples as takes.

use std::path::Path;

use surefoot_contact::detect;
use surefoot_core::understand::{Given, understand};
use surefoot_core::{Floor, Leg};
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
