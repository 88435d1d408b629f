//! The velocity of the ground on a treadmill, in plants files and streams.

/// Fastest ground along any axis, in metres per second: faster than any vehicle, and slow enough that the
/// distance that it travels during a motion does not overflow.
const FASTEST_GROUND: f64 = 1000.0;

/// The velocities that [`is_ground_velocity`] accepts, for errors.
pub(crate) const GROUND_RANGE: &str = "metres per second within 1000";

/// Whether this can be the velocity of the ground along an axis, in metres per second. False for NaN.
pub(crate) fn is_ground_velocity(velocity: f64) -> bool {
    velocity.abs() <= FASTEST_GROUND
}
