//! A turn as three numbers: its axis times its angle.
//!
//! Three angles about fixed axes lose one of their freedoms somewhere (a shoulder gets there), and
//! files disagree on the axes. A rotation vector from a turn in the midst of what the joint does
//! is smooth for a whole turn around it, is the same whatever the file's channels are, and the
//! length of a change in it is the angle of that change.

use surefoot_core::math::{Mat3, PI, asin, atan2, floor, sincos, sqrt};
use surefoot_core::{JointId, Motion, Quat, Vec3};

/// The turn about `v` by its length, in radians.
#[inline]
pub(super) fn exp(v: Vec3) -> Quat {
    let square = v.length_squared();
    if square < 1e-8 {
        // The series to the last bit: sin(θ/2)/θ and cos(θ/2).
        let s = 0.5 - square / 48.0;
        return Quat::from_xyzw(v.x * s, v.y * s, v.z * s, 1.0 - square / 8.0);
    }
    let angle = sqrt(square);
    let (sin, cos) = sincos(0.5 * angle);
    let s = sin / angle;
    Quat::from_xyzw(v.x * s, v.y * s, v.z * s, cos)
}

/// The shortest rotation vector of a turn; at most π long.
#[inline]
pub(super) fn log(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sin = v.length();
    // Below this the angle is twice the sine to the last bit.
    if sin < 1e-9 { v * 2.0 } else { v * (2.0 * atan2(sin, q.w) / sin) }
}

/// The rotation vector of a turn that is nearest to `near`, whole turns added about its axis.
pub(super) fn log_near(q: Quat, near: Vec3) -> Vec3 {
    let v = log(q);
    let angle = v.length();
    if angle < 1e-12 && near.length_squared() < 1.0 {
        return v;
    }
    // A turn of nothing has no axis of its own; whole turns go on about the axis they had.
    let axis = if angle < 1e-12 { near.normalize_or_zero() } else { v / angle };
    let turns = floor((near.dot(axis) - angle) / (2.0 * PI) + 0.5);
    if turns == 0.0 { v } else { axis * (angle + 2.0 * PI * turns) }
}

/// How the turn `exp(v)` turns, in its own axes, as `v` changes: the columns for x, y and z.
pub(super) fn own_rate(v: Vec3) -> Mat3 {
    let square = v.length_squared();
    let (one, two) = if square < 1e-6 {
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        let angle = sqrt(square);
        let (sin, cos) = sincos(angle);
        ((1.0 - cos) / square, (angle - sin) / (square * angle))
    };
    let cross = cross(v);
    Mat3::IDENTITY - cross * one + cross * cross * two
}

/// How `log(q)` changes as `q` is turned further by the world's axes; `v` is `log(q)`.
pub(super) fn world_rate_of_log(v: Vec3) -> Mat3 {
    let square = v.length_squared();
    let two = if square < 1e-6 {
        1.0 / 12.0 + square / 720.0
    } else {
        let angle = sqrt(square);
        let (sin, cos) = sincos(0.5 * angle);
        // At half a turn the cosine is 0 and this is finite; a whole turn never comes out of `log`.
        (1.0 - 0.5 * angle * cos / sin) / square
    };
    let cross = cross(v);
    Mat3::IDENTITY - cross * 0.5 + cross * cross * two
}

fn cross(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// So much of the way from one turn to another, the short way round.
pub(super) fn between(one: Quat, two: Quat, share: f64) -> Quat {
    if share == 0.0 { one } else { one * exp(log(one.conjugate() * two) * share) }
}

/// The angle from one turn to another, in radians.
pub(super) fn apart(one: Quat, two: Quat) -> f64 {
    let q = one.conjugate() * two;
    2.0 * asin(Vec3::new(q.x, q.y, q.z).length().min(1.0))
}

/// A turn in the midst of what a joint does in a motion.
pub fn mean_turn(motion: &Motion, joint: JointId) -> Quat {
    mean_of(motion.poses.iter().map(|pose| pose.rotations[joint.index()]))
}

/// A joint's turns as rotation vectors from `midst`, in radians, without jumps by whole turns.
pub fn angles(motion: &Motion, joint: JointId, midst: Quat) -> Vec<Vec3> {
    angles_of(motion.poses.iter().map(|pose| pose.rotations[joint.index()]), midst)
}

/// A turn in the midst of others.
pub(super) fn mean_of(turns: impl Iterator<Item = Quat> + Clone) -> Quat {
    let Some(first) = turns.clone().next() else {
        return Quat::IDENTITY;
    };
    let (mut sum, mut count) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), 0.0);
    for turn in turns {
        sum = if turn.dot(first) < 0.0 { sum - turn } else { sum + turn };
        count += 1.0;
    }
    // A joint that turns all round has no midst; any of its turns is as good.
    if sum.length() > 1e-3 * count { sum.normalize() } else { first }
}

/// Turns as rotation vectors from `midst`, each the nearest to the one before.
pub(super) fn angles_of(turns: impl Iterator<Item = Quat>, midst: Quat) -> Vec<Vec3> {
    let back = midst.conjugate();
    let mut near = Vec3::ZERO;
    let angle = |turn: Quat| {
        near = log_near(back * turn, near);
        near
    };
    turns.map(angle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math::axis_rotation;

    const SOME: [Vec3; 5] = [
        Vec3::new(0.3, -0.2, 0.7),
        Vec3::new(1e-5, 2e-5, -1e-5),
        Vec3::ZERO,
        Vec3::new(2.0, 1.5, -1.0),
        Vec3::new(3.0, 0.5, 0.2),
    ];

    #[test]
    fn log_undoes_exp() {
        for v in SOME {
            assert!((log(exp(v)) - v).length() < 1e-12, "{v}");
            assert!((exp(v).length() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn rates_are_those_of_small_steps() {
        let step = 1e-6;
        for v in SOME {
            for axis in Vec3::AXES {
                let turned = log(exp(v).conjugate() * exp(v + axis * step)) / step;
                assert!((own_rate(v) * axis - turned).length() < 3e-6, "{v}");
                let moved = (log(exp(axis * step) * exp(v)) - v) / step;
                assert!((world_rate_of_log(v) * axis - moved).length() < 3e-5, "{v}");
            }
        }
    }

    #[test]
    fn a_spinning_joint_goes_on_past_whole_turns() {
        let mut near = Vec3::ZERO;
        for step in 0..100 {
            let angle = f64::from(step) * 0.25;
            near = log_near(axis_rotation(1, angle), near);
            assert!((near - Vec3::Y * angle).length() < 1e-9, "{angle} {near}");
        }
        assert_eq!(log_near(Quat::IDENTITY, Vec3::Y * 2.0 * PI), Vec3::Y * (2.0 * PI));
    }

    #[test]
    fn the_midst_is_between() {
        let one = axis_rotation(0, 0.2);
        assert!(apart(between(one, axis_rotation(0, 1.0), 0.25), axis_rotation(0, 0.4)) < 1e-12);
    }
}
