//! Validates the numbers of a stream.

use surefoot_core::{Quat, Vec3};

use super::error::StreamProblem;

/// Largest coordinate, in metres: farther than the moon, and its products are far from overflow.
pub(super) const FARTHEST: f64 = 1e9;

/// Largest difference of a quaternion's squared length from 1 that is rounding error. Such a
/// quaternion is used unchanged, so that writing a stream back does not change its digits.
const ROUNDING: f64 = 1e-12;

/// Largest difference of a quaternion's length from 1 that is normalised: the precision of few
/// decimals or 16-bit floats. A larger one is not a rotation, or not in the order x, y, z, w.
const NORMALISED: f64 = 0.01;

/// A strength from 0 to 1. `name` names the point in the error.
pub(super) fn strength(name: impl FnOnce() -> String, found: f64) -> Result<f64, StreamProblem> {
    match (0.0..=1.0).contains(&found) {
        true => Ok(found),
        false => Err(StreamProblem::Strength { point: name(), found }),
    }
}

/// A position with finite coordinates. `context` names it in the error.
pub(super) fn position(context: impl FnOnce() -> String, found: [f64; 3]) -> Result<Vec3, StreamProblem> {
    // False for NaN too.
    if found.iter().all(|number| number.abs() <= FARTHEST) {
        return Ok(Vec3::from_array(found));
    }
    Err(StreamProblem::Position { what: context(), found })
}

/// A rotation of unit length.
pub(super) fn rotation(joint: usize, [x, y, z, w]: [f64; 4]) -> Result<Quat, StreamProblem> {
    let squared = x * x + y * y + z * z + w * w;
    if (squared - 1.0).abs() <= ROUNDING {
        return Ok(Quat::from_xyzw(x, y, z, w));
    }
    let length = squared.sqrt();
    // Written so that NaN is refused.
    let is_near_unit = (length - 1.0).abs() <= NORMALISED;
    if !is_near_unit {
        return Err(StreamProblem::Rotation { joint, length });
    }
    Ok(Quat::from_xyzw(x / length, y / length, z / length, w / length))
}

/// A direction of unit length.
pub(super) fn direction(field: &'static str, found: [f64; 3]) -> Result<Vec3, StreamProblem> {
    let direction = Vec3::from_array(found);
    if direction.is_finite() && direction.is_normalized() {
        return Ok(direction);
    }
    let found = Some(format!("{found:?}"));
    Err(StreamProblem::Field { field, found, expected: "a direction of length 1" })
}
