//! Which numbers can be meant?

use surefoot_core::{Quat, Vec3};

use super::error::StreamProblem;

/// The farthest that anything is from anything, in metres: beyond the moon, and still far from
/// where squares of it overflow.
pub(super) const FARTHEST: f64 = 1e9;

/// How far a quaternion's squared length may be from 1 and be left as it is: what rounding does.
const ROUNDING: f64 = 1e-12;

/// How far its length may be from 1 and be put right: what few decimals or 16-bit floats do.
/// Farther, it is not a rotation, or its numbers are in another order than x, y, z, w.
const PUT_RIGHT: f64 = 0.01;

pub(super) fn place(of: impl FnOnce() -> String, found: [f64; 3]) -> Result<Vec3, StreamProblem> {
    // Not-a-number is within nothing.
    if found.iter().all(|number| number.abs() <= FARTHEST) {
        return Ok(Vec3::from_array(found));
    }
    Err(StreamProblem::Place { of: of(), found })
}

pub(super) fn turn(joint: usize, [x, y, z, w]: [f64; 4]) -> Result<Quat, StreamProblem> {
    let squared = x * x + y * y + z * z + w * w;
    if (squared - 1.0).abs() <= ROUNDING {
        return Ok(Quat::from_xyzw(x, y, z, w));
    }
    let length = squared.sqrt();
    let is_near = (length - 1.0).abs() <= PUT_RIGHT;
    if !is_near {
        return Err(StreamProblem::Turn { joint, length });
    }
    Ok(Quat::from_xyzw(x / length, y / length, z / length, w / length))
}

/// A direction of unit length, left as it is.
pub(super) fn direction(field: &'static str, found: [f64; 3]) -> Result<Vec3, StreamProblem> {
    let direction = Vec3::from_array(found);
    if direction.is_finite() && direction.is_normalized() {
        return Ok(direction);
    }
    let found = Some(format!("{found:?}"));
    Err(StreamProblem::Field { field, found, expected: "a direction of length 1" })
}
