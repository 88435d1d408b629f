//! Converts a rotation to the angles of a joint's channels, nearest to the captured angles.
//!
//! Angles are in radians; a rotation is the product of rotations about the channels' axes, in
//! their order. Three different axes have a closed form with two branches. Any other list of
//! channels is solved by damped least squares from the captured angles; such a list may be unable
//! to represent the rotation.

use surefoot_core::math::{Mat3, PI, asin, atan2, axis_rotation, nearest_equivalent_angle, sqrt};
use surefoot_core::{Quat, Vec3};

/// Rotation error accepted near gimbal lock to keep the angles close to the captured ones, in
/// radians.
///
/// At gimbal lock two angles rotate about the same axis and only their sum or difference matters.
/// Close to it they may be exchanged up to this error, which moves a point a metre away by 0.1 µm.
/// With 0 the outer angles would jump from frame to frame near the lock.
const LOCK_TOLERANCE: f64 = 1e-7;

/// Cosine of the middle angle above which no error is accepted: 0.06° from gimbal lock. Farther
/// away the angles do not jump, and an error would only change the sixth decimal.
const UNLOCKED: f64 = 1e-3;

/// Largest error of the iterative solution, in radians. A larger error counts as unreachable.
const REACHED: f64 = 1e-6;

/// The angles about three different axes that compose `rotation`, nearest to `near`.
pub(crate) fn three_angles(axes: [usize; 3], rotation: Quat, near: [f64; 3]) -> [f64; 3] {
    let [i, j, k] = axes;
    let sign = if (i + 1) % 3 == j { 1.0 } else { -1.0 };
    let part = [rotation.x, rotation.y, rotation.z].map(|part| sign * part);
    // With β the middle angle, the outer two appear only as half their sum, times
    // cos β/2 + sin β/2, and half their difference, times cos β/2 − sin β/2.
    let (sum_sin, sum_cos) = (part[i] + part[k], rotation.w + part[j]);
    let (off_sin, off_cos) = (part[i] - part[k], rotation.w - part[j]);
    let (plus, minus) = (length(sum_sin, sum_cos), length(off_sin, off_cos));
    let (sum, off) = (atan2(sum_sin, sum_cos), atan2(off_sin, off_cos));
    let first = sign * (sum + off);
    let second = sign * (2.0 * atan2(plus, minus) - PI / 2.0);
    let third = sign * (sum - off);
    let cos = plus * minus;
    // At gimbal lock only the sum of the outer angles matters (+1), or their difference (−1).
    let lock = if plus > minus { 1.0 } else { -1.0 };
    let one = nearest_equivalent([first, second, third], near, cos, lock);
    let other = nearest_equivalent([first + PI, PI - second, third + PI], near, cos, lock);
    if distance(one, near) <= distance(other, near) { one } else { other }
}

/// Length of a 2D vector. Not `hypot`: components of a unit quaternion cannot overflow.
fn length(a: f64, b: f64) -> f64 {
    sqrt(a * a + b * b)
}

fn distance(angles: [f64; 3], near: [f64; 3]) -> f64 {
    angles.iter().zip(near).map(|(angle, near)| (angle - near) * (angle - near)).sum()
}

/// Moves each angle by whole turns towards `near`, and near gimbal lock also the outer two against
/// each other, as far as [`LOCK_TOLERANCE`] allows.
fn nearest_equivalent(angles: [f64; 3], near: [f64; 3], cos: f64, lock: f64) -> [f64; 3] {
    let [mut first, second, mut third] =
        core::array::from_fn(|n| nearest_equivalent_angle(angles[n], near[n]));
    // `max` avoids a division by zero exactly at the lock.
    let freedom = (LOCK_TOLERANCE / cos.max(1e-300) - LOCK_TOLERANCE / UNLOCKED).max(0.0);
    if freedom > 2.0 * PI {
        let excess = nearest_equivalent_angle(first - near[0] + lock * (third - near[2]), 0.0);
        return [near[0] + excess / 2.0, second, near[2] + lock * excess / 2.0];
    }
    let shift = ((near[0] - first) - lock * (near[2] - third)) / 2.0;
    let shift = shift.clamp(-freedom, freedom);
    first += shift;
    third -= lock * shift;
    [first, second, third]
}

/// Adjusts `angles` about any number of `axes` until they compose `rotation`.
///
/// Returns false if the channels cannot represent the rotation.
pub(crate) fn solve_angles(axes: &[usize], rotation: Quat, angles: &mut [f64]) -> bool {
    /// Newton steps. Ten suffice for reachable rotations; more only delay the answer for others.
    const STEPS: usize = 50;
    for _ in 0..STEPS {
        let error = rotation_vector(compose(axes, angles).conjugate() * rotation);
        if error.length() < REACHED * 1e-3 {
            return true;
        }
        step(axes, error, angles);
    }
    rotation_vector(compose(axes, angles).conjugate() * rotation).length() < REACHED
}

/// The product of rotations by `angles` about `axes`.
fn compose(axes: &[usize], angles: &[f64]) -> Quat {
    let rotations = axes.iter().zip(angles);
    rotations.fold(Quat::IDENTITY, |product, (&axis, &angle)| product * axis_rotation(axis, angle))
}

/// One Gauss–Newton step with the least change of the angles that reduces the rotation `error`.
fn step(axes: &[usize], error: Vec3, angles: &mut [f64]) {
    /// Keeps the normal matrix invertible where no channel rotates about some axis.
    const DAMPING: f64 = 1e-9;
    // Each channel's axis in the frame of the rotated joint: rotated back by all later channels.
    let mut local_axes = vec![Vec3::ZERO; axes.len()];
    let mut later = Quat::IDENTITY;
    for (n, &axis) in axes.iter().enumerate().rev() {
        local_axes[n] = later.conjugate() * Vec3::AXES[axis];
        later = axis_rotation(axis, angles[n]) * later;
    }
    let mut normal = Mat3::from_diagonal(Vec3::splat(DAMPING));
    for &axis in &local_axes {
        normal += Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    }
    let weights = normal.inverse() * error;
    for (angle, axis) in angles.iter_mut().zip(&local_axes) {
        // Steps beyond one radian leave the range in which the linearisation holds.
        *angle += axis.dot(weights).clamp(-1.0, 1.0);
    }
}

/// The rotation vector (axis times angle) of a unit quaternion, by the shorter way round.
fn rotation_vector(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = Vec3::new(rotation.x, rotation.y, rotation.z);
    let sin = axis.length();
    // Below this the angle equals twice the sine to the last bit; exactly zero would divide 0 by 0.
    if sin < 1e-9 { axis * 2.0 } else { axis * (2.0 * asin(sin.min(1.0)) / sin) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [1, 0, 2], [0, 2, 1]];

    fn angle_between(a: Quat, b: Quat) -> f64 {
        rotation_vector(a.conjugate() * b).length()
    }

    fn angles() -> impl Strategy<Value = [f64; 3]> {
        let angle = prop_oneof![
            4 => -10.0..10.0,
            1 => (-4i32..=4).prop_map(|quarter| f64::from(quarter) * PI / 2.0),
            1 => (-1i32..=1, -1e-6f64..1e-6).prop_map(|(half, off)| (f64::from(half) + 0.5) * PI + off),
        ];
        [angle.clone(), angle.clone(), angle]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn captured_angles_are_recovered(order in 0usize..6, captured in angles()) {
            let rotation = compose(&ORDERS[order], &captured);
            let found = three_angles(ORDERS[order], rotation, captured);
            prop_assert!(distance(found, captured) < 1e-10, "{found:?} {captured:?}");
        }

        #[test]
        fn the_angles_compose_the_rotation(order in 0usize..6, captured in angles(), target in angles()) {
            let rotation = compose(&ORDERS[order], &target);
            let found = three_angles(ORDERS[order], rotation, captured);
            prop_assert!(angle_between(compose(&ORDERS[order], &found), rotation) < 2.5 * LOCK_TOLERANCE);
            for n in 0..3 {
                prop_assert!((found[n] - captured[n]).abs() < 2.0 * PI + 1e-9);
            }
        }

        #[test]
        fn away_from_gimbal_lock_a_small_rotation_changes_the_angles_little(
            order in 0usize..6, captured in angles(), axis in [-1.0f64..1.0, -1.0..1.0, -1.0..1.0], by in 0.0f64..0.05,
        ) {
            let cos = surefoot_core::math::cos(captured[1]).abs();
            let captured = if cos > 0.3 { captured } else { [captured[0], 0.3, captured[2]] };
            let cos = cos.max(0.3);
            prop_assume!(Vec3::from(axis).length() > 0.1);
            let change = Quat::from_axis_angle(Vec3::from(axis).normalize(), by);
            let found = three_angles(ORDERS[order], compose(&ORDERS[order], &captured) * change, captured);
            prop_assert!(distance(found, captured) < (by / cos * 3.0) * (by / cos * 3.0) + 1e-18);
        }

        #[test]
        fn angles_of_any_list_of_channels_compose_the_rotation(list in proptest::collection::vec(0usize..3, 0..5), start in proptest::collection::vec(-2.0f64..2.0, 5), off in proptest::collection::vec(-0.2f64..0.2, 5)) {
            let captured = &start[..list.len()];
            let target: Vec<f64> = captured.iter().zip(&off).map(|(angle, off)| angle + off).collect();
            let rotation = compose(&list, &target);
            let mut found = captured.to_vec();
            if solve_angles(&list, rotation, &mut found) {
                prop_assert!(angle_between(compose(&list, &found), rotation) < 2.0 * REACHED);
            }
        }
    }

    #[test]
    fn at_gimbal_lock_the_outer_angles_stay_as_captured() {
        for order in ORDERS {
            for b in [PI / 2.0, -PI / 2.0, 1.5 * PI] {
                let captured = [2.9, b, -2.8];
                let found = three_angles(order, compose(&order, &captured), captured);
                assert!(distance(found, captured) < 1e-12, "{order:?} {found:?}");
            }
        }
    }

    #[test]
    fn a_hinge_cannot_represent_a_rotation_about_another_axis() {
        let mut angles = [0.3];
        assert!(solve_angles(&[0], axis_rotation(0, 1.2), &mut angles));
        assert!((angles[0] - 1.2).abs() < 1e-9);
        assert!(!solve_angles(&[0], axis_rotation(1, 0.2), &mut angles));
        assert!(!solve_angles(&[], axis_rotation(1, 0.2), &mut []));
        assert!(solve_angles(&[], Quat::IDENTITY, &mut []));
    }
}
