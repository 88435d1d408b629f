//! The outline of a shoe's sole through heel, ball and toe.

use surefoot_core::Vec3;

/// A point of the outline: along the foot, from 0 at the heel to 1 at the toe tip, and to the outer side, in lengths
/// of the foot.
pub type SolePoint = (f64, f64);

/// The outline of a sole, once around the foot from the back of the heel. The big toe is longest, and the arch is on
/// the inner side, so that left and right can be told apart.
pub const SOLE: [SolePoint; 14] = [
    (-0.08, 0.0),
    (-0.04, 0.10),
    (0.12, 0.14),
    (0.40, 0.125),
    (0.66, 0.17),
    (0.85, 0.15),
    (0.97, 0.07),
    (1.04, -0.05),
    (1.0, -0.13),
    (0.86, -0.175),
    (0.70, -0.18),
    (0.42, -0.085),
    (0.12, -0.13),
    (-0.04, -0.10),
];

/// Length from heel to ball ÷ length from heel to toe tip, for a foot whose toe tip is unknown.
const BALL_AT: f64 = 0.72;

/// The outline of a sole in space. `outer` is 1 or −1, see [`FootShape`](super::FootShape).
///
/// The sole bends at the ball. It is level across the foot and follows heel, ball and toe along it; without a
/// direction from heel to ball all points are at the heel.
pub fn sole_outline(heel: Vec3, ball: Vec3, toe: Vec3, up: Vec3, outer: f64) -> [Vec3; SOLE.len()] {
    let (rear, front) = ((ball - heel).length(), (toe - ball).length());
    let has_toe = front > 0.05 * rear;
    let toe = if has_toe { toe } else { heel + (ball - heel) / BALL_AT };
    // A heel at the ball would leave no length for the rear part.
    let bend = if has_toe { (rear / (rear + front)).max(0.05) } else { BALL_AT };
    let length = (toe - heel).length();
    let across = up.cross(ball - heel).normalize_or_zero() * (outer * length);
    SOLE.map(|(along, aside)| {
        let on_axis = if along < bend {
            heel + (ball - heel) * (along / bend)
        } else {
            ball + (toe - ball) * ((along - bend) / (1.0 - bend))
        };
        on_axis + across * aside
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sole_is_as_long_and_as_wide_as_a_foot() {
        let sole = sole_outline(Vec3::ZERO, Vec3::Z * 0.18, Vec3::Z * 0.25, Vec3::Y, 1.0);
        let span = |axis: fn(&Vec3) -> f64| {
            let values = || sole.iter().map(axis);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        assert!((span(|p| p.z) - 0.28).abs() < 0.01, "{}", span(|p| p.z));
        assert!((0.07..0.11).contains(&span(|p| p.x)) && span(|p| p.y) == 0.0);
    }

    #[test]
    fn a_foot_without_toes_or_length_has_a_finite_sole() {
        for ball in [Vec3::ZERO, Vec3::Z * 0.2] {
            let sole = sole_outline(Vec3::ZERO, ball, ball, Vec3::Y, -1.0);
            assert!(sole.iter().all(|point| point.is_finite()), "{sole:?}");
        }
    }
}
