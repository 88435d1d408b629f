//! Every captured BVH file is read and written without loss.

use surefoot_core::{Pose, Vec3, WorldPose};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, from_motion};

use crate::captures;

/// The largest distance between the same joint in two files, in metres.
fn largest_distance(one: &Bvh, other: &Bvh, unit_m: f64) -> f64 {
    let (mut pose, mut a, mut b) = (Pose::default(), WorldPose::default(), WorldPose::default());
    let mut largest = 0.0f64;
    for frame in 0..one.frames() {
        one.pose_into(frame, &mut pose);
        pose.forward_kinematics(one.skeleton(), &mut a);
        other.pose_into(frame, &mut pose);
        pose.forward_kinematics(other.skeleton(), &mut b);
        let distance = |(p, q): (&Vec3, &Vec3)| (*p - *q).length() * unit_m;
        largest = a.positions.iter().zip(&b.positions).map(distance).fold(largest, f64::max);
    }
    largest
}

/// The largest plausible unit of a file, so that distances are not underestimated.
fn unit_for(bvh: &Bvh) -> f64 {
    let span: f64 = bvh.skeleton().joints().iter().map(|joint| joint.offset.length()).sum();
    if span < 20.0 { 1.0 } else { 0.1 }
}

#[test]
fn an_unchanged_capture_writes_the_same_bytes() {
    for path in captures::all() {
        let bytes = std::fs::read(&path).unwrap();
        let bvh = Bvh::read(bytes.clone()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let space = Space { unit_m: 0.056444, ..Space::METRES_Y_UP };
        let written = bvh.write(&bvh.motion(&space), &space).unwrap();
        assert!(written == bytes, "{} changed", path.display());
    }
}

#[test]
fn reprinting_all_numbers_moves_no_joint() {
    for path in captures::all() {
        let bvh = Bvh::read(std::fs::read(&path).unwrap()).unwrap();
        let fresh = Bvh::read(bvh.write_reprinted()).unwrap();
        let distance = largest_distance(&bvh, &fresh, unit_for(&bvh));
        assert!(distance < 1e-5, "{}: {distance} m", path.display());
    }
}

#[test]
fn writing_as_a_new_file_moves_no_joint() {
    for path in captures::all() {
        let bvh = Bvh::read(std::fs::read(&path).unwrap()).unwrap();
        let text = from_motion(&bvh.motion(&Space::METRES_Y_UP), &Space::METRES_Y_UP).unwrap();
        let fresh = Bvh::read(text).unwrap();
        assert_eq!(fresh.frames(), bvh.frames());
        let distance = largest_distance(&bvh, &fresh, unit_for(&bvh));
        assert!(distance < 1e-5, "{}: {distance} m", path.display());
        assert_eq!(fresh.rate().value, bvh.rate().value, "{}", path.display());
    }
}
