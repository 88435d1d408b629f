//! Regression tests: in slow captures of gait labs, cleaning adds no acceleration larger than the largest captured one.
//!
//! Earlier versions made a knee start abruptly at the edge of a stance, or a foot jump off its plant, in these captures.
//! All accelerations are measured in the written file.

use surefoot::contact::{self, detect};
use surefoot::core::{Clip, Floor, Motion, Vec3};
use surefoot::formats::{Space, bvh::Bvh};
use surefoot::infer::{Overrides, infer};
use surefoot::measure::measure;
use surefoot::solve::{Settings, clean};

/// The largest acceleration that cleaning adds to a hip, knee or ankle, as a ratio to the largest captured one. The root
/// path is scaled by `scale` before cleaning.
fn added_ratio(file: &str, scale: f64) -> Option<f64> {
    let bvh = Bvh::read(std::fs::read(surefoot_testdata::path(file)?).unwrap()).unwrap();
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let legs = space.legs_from_file(&inference.legs.unwrap().value);
    let floor = Floor::from(space.plane_from_file(inference.floor.unwrap().value));
    let captured = bvh.motion(&space);
    let plants = detect(&captured, &legs, Some(&floor), &contact::Settings::default());
    let motion = scale_root_path(captured, scale);
    let before = Clip { motion, legs, plants, floor: Some(floor), ..Clip::default() };
    let mut after = clean(&before, &Settings::default()).unwrap().clip;
    after.motion = Bvh::read(bvh.write(&after.motion, &space).unwrap()).unwrap().motion(&space);
    let figures = measure(&after, Some(&before.motion)).unwrap();
    let added = figures.change.unwrap().added_acceleration_max_m_per_s2.unwrap();
    Some(added / figures.before.unwrap().leg_acceleration_max_m_per_s2.unwrap())
}

/// Scales the horizontal path of the root.
fn scale_root_path(mut motion: Motion, scale: f64) -> Motion {
    let start = motion.poses[0].offsets[0];
    for pose in &mut motion.poses {
        let offset = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(offset.x * scale, offset.y, offset.z * scale);
    }
    motion
}

fn check(files: &[&str], scale: f64) {
    for file in files {
        let Some(added) = added_ratio(&format!("labelled/{file}.bvh"), scale) else { return };
        println!("{file} × {scale}: {added:.2}");
        assert!(added <= 1.0, "{file}: {added:.3} of the largest captured acceleration");
    }
}

#[test]
fn cleaning_a_slow_walk_adds_no_larger_acceleration() {
    let files =
        ["biomechzoo/HC002D06_straight", "biomechzoo/HC036A10_straight", "opencap_subject4/s4_walkingTO2"];
    check(&files, 1.0);
}

#[test]
fn cleaning_a_skating_walk_adds_no_larger_acceleration() {
    let files =
        ["biomechzoo/HC002D06_straight", "biomechzoo/HC031A06_straight", "opencap_subject4/s4_walking2"];
    check(&files, 1.1);
}
