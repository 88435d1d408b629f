//! Changes from the motion before to the motion after.

use crate::acceleration::second_difference;
use crate::context::Context;
use crate::paths::{LegPath, Paths};
use crate::statistics::largest;
use surefoot_core::{Motion, Pose, Quat, Vec3};

/// Figures that compare two motions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// Largest change of a knee's angle, in radians.
    pub knee_changed_max_rad: Option<f64>,
    /// Largest acceleration added to a hip, knee or ankle, in m/s².
    pub added_acceleration_max_m_per_s2: Option<f64>,
    /// Largest root correction, in metres.
    pub root_moved_max_m: Option<f64>,
    /// Frames in which any joint offset or rotation differs.
    pub frames_changed: Option<f64>,
}

/// Difference above which two values of a pose differ, in metres or quaternion components.
///
/// Unchanged frames are read back with the same bits, and the last digit of a file is 1e-6 of its
/// unit, so changed values always differ by more.
const TOLERANCE: f64 = 1e-9;

/// The largest |θ_after − θ_before| of any knee in any frame, in radians.
pub(crate) fn knee_changed_max(before: &Paths, after: &Paths) -> Option<f64> {
    let of_leg = |(before, after): (&LegPath, &LegPath)| {
        let angles = before.knee_angles().into_iter().zip(after.knee_angles());
        largest(angles.map(|(before, after)| (after - before).abs()))
    };
    largest(before.legs.iter().zip(&after.legs).filter_map(of_leg))
}

/// The largest |Δ²p_after − Δ²p_before|·fps² of any hip, knee or ankle, in m/s².
pub(crate) fn added_acceleration_max(before: &Paths, after: &Paths) -> Option<f64> {
    let of_joint = |before: &[Vec3], after: &[Vec3]| {
        let bends = before.windows(3).zip(after.windows(3));
        largest(bends.map(|(before, after)| (second_difference(after) - second_difference(before)).length()))
    };
    let of_leg = |(before, after): (&LegPath, &LegPath)| {
        let joints = [
            of_joint(&before.hip, &after.hip),
            of_joint(&before.knee, &after.knee),
            of_joint(&before.ankle, &after.ankle),
        ];
        largest(joints.into_iter().flatten())
    };
    let most = largest(before.legs.iter().zip(&after.legs).filter_map(of_leg));
    most.map(|most| most * after.fps * after.fps)
}

/// The largest |p_after − p_before| of the root, in metres.
pub(crate) fn root_moved_max(before: &Paths, after: &Paths) -> Option<f64> {
    largest(before.root.iter().zip(&after.root).map(|(before, after)| after.distance(*before)))
}

/// How many frames have a joint whose offset or rotation differs by more than 1e-9.
pub(crate) fn frames_changed(before: &Motion, after: &Motion, context: &Context) -> Option<f64> {
    let pairs = before.poses.iter().zip(&after.poses).skip(context.first_frame);
    Some(pairs.filter(|(before, after)| differs(before, after)).count() as f64)
}

fn differs(before: &Pose, after: &Pose) -> bool {
    let is_moved = |(a, b): (&Vec3, &Vec3)| (*a - *b).abs().max_element() > TOLERANCE;
    let is_rotated = |(a, b): (&Quat, &Quat)| {
        // A quaternion and its negative are the same rotation.
        let differs = |b: Quat| (*a - b).to_array().into_iter().any(|part| part.abs() > TOLERANCE);
        differs(*b) && differs(-*b)
    };
    before.offsets.iter().zip(&after.offsets).any(is_moved)
        || before.rotations.iter().zip(&after.rotations).any(is_rotated)
}
