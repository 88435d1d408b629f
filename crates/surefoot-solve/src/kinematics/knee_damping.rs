//! How far a knee near full extension follows its correction, and how far the bones stretch instead.
//!
//! Near full extension a millimetre of reach costs the knee several degrees, which shows as a pop.
//! There the knee follows only a part of its correction.

use surefoot_core::math::PI;

/// A bend correction, damped where the knee angle is above `start`, in radians. Equations 10 and 11, integrated in
/// closed form.
pub(crate) fn damp(start: f64, bend: f64, correction: f64) -> f64 {
    let angle = PI - bend;
    damping_integral(start, angle) - damping_integral(start, angle - correction)
}

/// Whether damping from the knee angle `start` on leaves a correction from `bend` to `corrected` unchanged.
pub(crate) fn is_undamped(start: f64, bend: f64, corrected: f64) -> bool {
    bend.min(corrected) >= PI - start
}

/// The integral of the damping weight over the knee angle, from 0.
fn damping_integral(start: f64, angle: f64) -> f64 {
    // A start beyond the straight leg damps nothing.
    if angle <= start || start >= PI {
        return angle;
    }
    let range = PI - start;
    let u = ((angle - start) / range).min(1.0);
    start + range * (u * u * u * (0.5 * u - 1.0) + u)
}

/// `value`, approaching `limit` asymptotically; 0 where the limit is 0.
pub(crate) fn soft_limit(value: f64, limit: f64) -> f64 {
    if limit > 0.0 { value / (1.0 + (value / limit).abs()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::math;

    /// The default of the settings.
    const START: f64 = 2.8;

    /// The weight of equation 10.
    fn weight(angle: f64) -> f64 {
        math::fade((angle - START) / (PI - START))
    }

    #[test]
    fn damping_is_the_integral_of_its_weight() {
        const STEPS: usize = 20_000;
        for from in [-0.2, 0.0, 0.05, 0.3, 0.34, 0.5, 1.5, 3.0] {
            for change in [-0.6, -0.3, -0.1, 0.01, 0.2, 1.0] {
                // The bend falls as the knee angle rises.
                let angle = |n: f64| PI - (from + change * n / STEPS as f64);
                let sum: f64 = (0..STEPS).map(|n| weight(angle(n as f64 + 0.5))).sum();
                let integral = sum * change / STEPS as f64;
                assert!((damp(START, from, change) - integral).abs() < 1e-8, "{from} {change}");
            }
        }
    }

    #[test]
    fn a_damped_knee_never_straightens_past_straight() {
        for from in [0.01, 0.1, 0.3, 1.0] {
            let after = from + damp(START, from, -from);
            assert!(after > 0.0, "{from} to {after}");
        }
        assert_eq!(damp(START, 1.0, 0.5), 0.5);
        assert!((damp(PI, 0.2, -0.1) + 0.1).abs() < 1e-15, "no damping");
        assert_eq!(damp(START, 0.2, 0.0), 0.0);
    }
    #[test]
    fn a_soft_limit_is_never_exceeded_and_passes_small_values() {
        for value in [-10.0, -0.1, -1e-6, 0.0, 1e-6, 0.02, 5.0] {
            assert!(soft_limit(value, 0.03).abs() <= 0.03);
            assert_eq!(soft_limit(value, 0.0), 0.0);
            assert_eq!(soft_limit(value, f64::INFINITY), value);
        }
        assert!((soft_limit(1e-6, 0.03) / 1e-6 - 1.0).abs() < 1e-4);
    }
}
