//! Euler angles in degrees, of which the first axis of an order is applied first.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Quat, Vec3};

use crate::bvh::euler::three_angles;

/// The rotation of angles in degrees.
pub(super) fn rotation(degrees: Vec3, order: [usize; 3]) -> Quat {
    order
        .iter()
        .fold(Quat::IDENTITY, |product, &axis| axis_rotation(axis, degrees[axis].to_radians()) * product)
}

/// The angles of a rotation in degrees, nearest to `near`.
pub(super) fn degrees(rotation: Quat, order: [usize; 3], near: Vec3) -> Vec3 {
    // The product of the solver has the axis that is applied last first.
    let axes = [order[2], order[1], order[0]];
    let angles = three_angles(axes, rotation, axes.map(|axis| near[axis].to_radians()));
    let mut degrees = Vec3::ZERO;
    axes.iter().zip(angles).for_each(|(&axis, angle)| degrees[axis] = angle.to_degrees());
    degrees
}
