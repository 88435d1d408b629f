//! Which angles turn a joint this way? Of all that do, those nearest to the captured ones.
//!
//! Angles are in radians; a rotation is the product of turns about the channels' axes, in their
//! order. Three different axes have a closed form with two branches. Any other list of channels
//! is walked to from the captured angles, and may not be able to turn the joint that way at all.

use surefoot_core::math::{Mat3, PI, asin, atan2, axis_rotation, nearest_equivalent_angle, sqrt};
use surefoot_core::{Quat, Vec3};

/// How far a rotation may be missed for the sake of calm angles, in radians.
///
/// At gimbal lock two angles turn about the same axis, and only their sum or difference matters.
/// Next to it they are free up to this error, which moves a point a metre away by 0.1 µm.
const SLACK: f64 = 1e-7;

/// The cosine of the middle angle from which on nothing is missed: 0.06° from the lock. Any farther away
/// there is nothing to calm, and what is missed would only be seen in the sixth decimal.
const UNLOCKED: f64 = 1e-3;

/// A rotation is reached when it is missed by no more than this, in radians.
const REACHED: f64 = 1e-6;

/// The angles about three different axes that make `rotation`, nearest to `near`.
pub(super) fn three_angles(axes: [usize; 3], rotation: Quat, near: [f64; 3]) -> [f64; 3] {
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
    // Locked, the outer angles add up where this is positive, and are taken apart where not.
    let lock = if plus > minus { 1.0 } else { -1.0 };
    let one = settle([first, second, third], near, cos, lock);
    let other = settle([first + PI, PI - second, third + PI], near, cos, lock);
    if distance(one, near) <= distance(other, near) { one } else { other }
}

/// For parts of a unit quaternion, which neither overflow nor, where it matters, vanish.
fn length(a: f64, b: f64) -> f64 {
    sqrt(a * a + b * b)
}

fn distance(angles: [f64; 3], near: [f64; 3]) -> f64 {
    angles.iter().zip(near).map(|(angle, near)| (angle - near) * (angle - near)).sum()
}

/// Moves each angle by whole turns towards `near`, and the outer two against each other as far
/// as that does not matter.
fn settle(angles: [f64; 3], near: [f64; 3], cos: f64, lock: f64) -> [f64; 3] {
    let [mut first, second, mut third] =
        core::array::from_fn(|n| nearest_equivalent_angle(angles[n], near[n]));
    let freedom = (SLACK / cos.max(1e-300) - SLACK / UNLOCKED).max(0.0);
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

/// Turns `angles` about `axes`, however many, towards `rotation`. False if they cannot make it.
pub(super) fn walk_to(axes: &[usize], rotation: Quat, angles: &mut [f64]) -> bool {
    const STEPS: usize = 50;
    for _ in 0..STEPS {
        let made = axes
            .iter()
            .zip(&*angles)
            .fold(Quat::IDENTITY, |turn, (&axis, &angle)| turn * axis_rotation(axis, angle));
        let missed = turn_vector(made.conjugate() * rotation);
        if missed.length() < REACHED * 1e-3 {
            return true;
        }
        step(axes, missed, angles);
    }
    let made = axes
        .iter()
        .zip(&*angles)
        .fold(Quat::IDENTITY, |turn, (&axis, &angle)| turn * axis_rotation(axis, angle));
    turn_vector(made.conjugate() * rotation).length() < REACHED
}

/// One step of least change in the angles towards turning by `missed` more.
fn step(axes: &[usize], missed: Vec3, angles: &mut [f64]) {
    // Each channel's axis as the turned joint sees it: turned back by all channels after it.
    let mut seen = vec![Vec3::ZERO; axes.len()];
    let mut after = Quat::IDENTITY;
    for (n, &axis) in axes.iter().enumerate().rev() {
        seen[n] = after.conjugate() * Vec3::AXES[axis];
        after = axis_rotation(axis, angles[n]) * after;
    }
    // Keeps the step finite where no channel turns the way that is missing.
    const DAMPING: f64 = 1e-9;
    let mut normal = Mat3::from_diagonal(Vec3::splat(DAMPING));
    for &axis in &seen {
        normal += Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
    }
    let weights = normal.inverse() * missed;
    for (angle, axis) in angles.iter_mut().zip(&seen) {
        *angle += axis.dot(weights).clamp(-1.0, 1.0);
    }
}

/// A turn as its axis times its angle.
fn turn_vector(turn: Quat) -> Vec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = Vec3::new(turn.x, turn.y, turn.z);
    let sin = axis.length();
    // Below this the angle is twice the sine to the last bit.
    if sin < 1e-9 { axis * 2.0 } else { axis * (2.0 * asin(sin.min(1.0)) / sin) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [1, 0, 2], [0, 2, 1]];

    fn turn(axes: &[usize], angles: &[f64]) -> Quat {
        axes.iter()
            .zip(angles)
            .fold(Quat::IDENTITY, |turn, (&axis, &angle)| turn * axis_rotation(axis, angle))
    }

    fn apart(a: Quat, b: Quat) -> f64 {
        turn_vector(a.conjugate() * b).length()
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
        fn angles_come_back_as_they_were(order in 0usize..6, captured in angles()) {
            let rotation = turn(&ORDERS[order], &captured);
            let found = three_angles(ORDERS[order], rotation, captured);
            prop_assert!(distance(found, captured) < 1e-10, "{found:?} {captured:?}");
        }

        #[test]
        fn the_angles_found_make_the_rotation(order in 0usize..6, captured in angles(), wanted in angles()) {
            let rotation = turn(&ORDERS[order], &wanted);
            let found = three_angles(ORDERS[order], rotation, captured);
            prop_assert!(apart(turn(&ORDERS[order], &found), rotation) < 2.5 * SLACK);
            for n in 0..3 {
                prop_assert!((found[n] - captured[n]).abs() < 2.0 * PI + 1e-9);
            }
        }

        #[test]
        fn a_small_change_away_from_the_lock_moves_the_angles_little(
            order in 0usize..6, captured in angles(), axis in [-1.0f64..1.0, -1.0..1.0, -1.0..1.0], by in 0.0f64..0.05,
        ) {
            let cos = surefoot_core::math::cos(captured[1]).abs();
            let captured = if cos > 0.3 { captured } else { [captured[0], 0.3, captured[2]] };
            let cos = cos.max(0.3);
            prop_assume!(Vec3::from(axis).length() > 0.1);
            let change = Quat::from_axis_angle(Vec3::from(axis).normalize(), by);
            let found = three_angles(ORDERS[order], turn(&ORDERS[order], &captured) * change, captured);
            prop_assert!(distance(found, captured) < (by / cos * 3.0) * (by / cos * 3.0) + 1e-18);
        }

        #[test]
        fn any_channels_are_walked_back_to(list in proptest::collection::vec(0usize..3, 0..5), start in proptest::collection::vec(-2.0f64..2.0, 5), off in proptest::collection::vec(-0.2f64..0.2, 5)) {
            let captured = &start[..list.len()];
            let wanted: Vec<f64> = captured.iter().zip(&off).map(|(angle, off)| angle + off).collect();
            let rotation = turn(&list, &wanted);
            let mut found = captured.to_vec();
            if walk_to(&list, rotation, &mut found) {
                prop_assert!(apart(turn(&list, &found), rotation) < 2.0 * REACHED);
            }
        }
    }

    #[test]
    fn at_gimbal_lock_the_captured_split_is_kept() {
        for order in ORDERS {
            for b in [PI / 2.0, -PI / 2.0, 1.5 * PI] {
                let captured = [2.9, b, -2.8];
                let found = three_angles(order, turn(&order, &captured), captured);
                assert!(distance(found, captured) < 1e-12, "{order:?} {found:?}");
            }
        }
    }

    #[test]
    fn a_hinge_cannot_turn_sideways() {
        let mut angles = [0.3];
        assert!(walk_to(&[0], axis_rotation(0, 1.2), &mut angles));
        assert!((angles[0] - 1.2).abs() < 1e-9);
        assert!(!walk_to(&[0], axis_rotation(1, 0.2), &mut angles));
        assert!(!walk_to(&[], axis_rotation(1, 0.2), &mut []));
        assert!(walk_to(&[], Quat::IDENTITY, &mut []));
    }
}
