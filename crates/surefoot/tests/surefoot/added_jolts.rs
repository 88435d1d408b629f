//! Calm captures of gait labs, in which no joint is ever jolted much: cleaning must not add more than they have.
//!
//! In each of these a knee once started at the edge of a stance, or a foot hopped off its plant, by more than all that was
//! captured. Of the file as written.

use surefoot::contact::{self, detect};
use surefoot::core::{Clip, Floor, Motion, Vec3};
use surefoot::formats::{Space, bvh::Bvh};
use surefoot::infer::{Overrides, infer};
use surefoot::measure::measure;
use surefoot::solve::{Settings, clean};

/// The largest acceleration that cleaning adds to a hip, knee or ankle of a capture whose root goes `scale` times as far, against
/// the largest that it has itself.
fn added(file: &str, scale: f64) -> Option<f64> {
    let bvh = Bvh::read(std::fs::read(surefoot_testdata::path(file)?).unwrap()).unwrap();
    let found = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: found.unit_m.value, up: found.up.value };
    let legs = space.legs_from_file(&found.legs.unwrap().value);
    let floor = Floor::from(space.plane_from_file(found.floor.unwrap().value));
    let captured = bvh.motion(&space);
    let settings = contact::Settings { edges: contact::Edges::Rest, ..Default::default() };
    let plants = detect(&captured, &legs, Some(&floor), &settings);
    let motion = longer(captured, scale);
    let before = Clip { motion, legs, plants, floor: Some(floor), ..Clip::default() };
    let mut after = clean(&before, &Settings::default()).unwrap().clip;
    after.motion = Bvh::read(bvh.write(&after.motion, &space).unwrap()).unwrap().motion(&space);
    let figures = measure(&after, Some(&before.motion)).unwrap();
    let added = figures.change.unwrap().added_acceleration_max_m_per_s2.unwrap();
    Some(added / figures.before.unwrap().leg_acceleration_max_m_per_s2.unwrap())
}

/// The motion with its root's way over the ground made longer.
fn longer(mut motion: Motion, scale: f64) -> Motion {
    let start = motion.poses[0].offsets[0];
    for pose in &mut motion.poses {
        let way = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(way.x * scale, way.y, way.z * scale);
    }
    motion
}

fn check(files: &[&str], scale: f64) {
    for file in files {
        let Some(added) = added(&format!("labelled/{file}.bvh"), scale) else { return };
        println!("{file} × {scale}: {added:.2}");
        assert!(added <= 1.0, "{file}: {added:.3} of the capture's own largest");
    }
}

#[test]
fn a_calm_walk_is_jolted_no_more_than_it_was() {
    let files =
        ["biomechzoo/HC002D06_straight", "biomechzoo/HC036A10_straight", "opencap_subject4/s4_walkingTO2"];
    check(&files, 1.0);
}

#[test]
fn nor_is_one_that_skates() {
    let files =
        ["biomechzoo/HC002D06_straight", "biomechzoo/HC031A06_straight", "opencap_subject4/s4_walking2"];
    check(&files, 1.1);
}
