//! A changed motion is written, read again as it was written, and written once more to the same bytes.

use surefoot_core::{Motion, Quat, Vec3};
use surefoot_formats::Space;
use surefoot_formats::source::{SourceFile, Track};

/// Larger files are not written: their runs take longer and find no more.
const MOST_NUMBERS: usize = 60_000;

/// Largest distance from the origin at which positions are compared, in metres: a file states six decimals, or numbers
/// of 32 bits.
const FARTHEST_M: f64 = 1e3;

/// Largest difference of a position that was read again, in metres, and of a rotation, in radians.
const TOLERANCE: f64 = 1e-3;

/// Checks a file that was read.
pub fn check(file: &SourceFile) {
    let space = Space::METRES_Y_UP;
    let joints = file.skeleton().len();
    if file.frames() == 0 || file.frames() * joints > MOST_NUMBERS {
        return;
    }
    let mut motion = file.motion(&space);
    let is_usual = |offset: &Vec3| offset.is_finite() && offset.length() < FARTHEST_M;
    if !motion.poses.iter().all(|pose| pose.offsets.iter().all(is_usual)) {
        return;
    }
    let turned: Vec<usize> = (0..joints).filter(|&joint| can_turn(&file.tracks()[joint])).collect();
    for (frame, pose) in motion.poses.iter_mut().enumerate() {
        for &joint in turned.iter().filter(|&&joint| (joint + frame) % 3 == 0) {
            let turn = Quat::from_rotation_x(0.01) * Quat::from_rotation_y(0.02 + 0.0001 * frame as f64);
            pose.rotations[joint] = (pose.rotations[joint] * turn).normalize();
        }
    }
    // A format may be unable to hold the change, and refuses it.
    let Ok(written) = file.write(&motion, &space) else { return };
    let again = file.read_back(written.clone()).expect("a written file can be read");
    assert_eq!(again.frames(), file.frames());
    let read = again.motion(&space);
    compare(&read, &motion, &turned);
    assert!(
        again.write(&read, &space).expect("a file accepts its own motion") == written,
        "not the same bytes"
    );
}

/// Whether a joint can take any rotation.
fn can_turn(tracks: &[Track]) -> bool {
    let has_angle = |axis: usize| tracks.contains(&Track::Angle(axis));
    tracks.contains(&Track::Rotation) || (0..3).all(has_angle)
}

fn compare(found: &Motion, expected: &Motion, turned: &[usize]) {
    for (frame, (found, expected)) in found.poses.iter().zip(&expected.poses).enumerate() {
        for &joint in turned {
            let [a, b] = [found.rotations[joint], expected.rotations[joint]];
            let apart = 1.0 - a.dot(b).abs();
            assert!(apart < TOLERANCE * TOLERANCE, "frame {frame}, joint {joint}: {a} instead of {b}");
        }
        let apart = found.offsets.iter().zip(&expected.offsets).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f64::max);
        assert!(apart < TOLERANCE, "frame {frame}: an offset differs by {apart} m");
    }
}
