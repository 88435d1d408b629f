//! The path that a captured foot has travelled.

use crate::kinematics::leg::CapturedLeg;

/// The length of a foot's path, in steps of 2⁻⁴⁰ metres. A sum of whole numbers has no rounding, so it does not depend
/// on the frame at which the stream starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Travel(pub i64);

impl Travel {
    /// Steps per metre.
    const PER_METRE: f64 = (1u64 << 40) as f64;

    /// This path and `metres` more.
    pub fn plus(self, metres: f64) -> Self {
        // The conversion saturates.
        Self(self.0.wrapping_add((metres * Self::PER_METRE) as i64))
    }

    /// In metres.
    pub fn metres(self) -> f64 {
        self.0 as f64 / Self::PER_METRE
    }

    /// The path travelled since an earlier frame.
    pub fn since(self, earlier: Self) -> Self {
        Self(self.0.wrapping_sub(earlier.0))
    }
}

/// Speed below which a foot rests, in metres per second: captured feet at rest shake this fast.
const REST_SPEED: f64 = 0.1;

/// Speed at which a resting foot is taken to travel, in metres per second, so that a correction fades at all where the
/// foot never moves.
const LEAST_SPEED: f64 = 0.001;

/// The path that a foot travels in one frame, in metres: that of the slower of heel and ball.
pub(crate) fn travelled(from: &CapturedLeg, to: &CapturedLeg, fps: f64) -> f64 {
    let slower = (to.heel - from.heel).length().min((to.ball - from.ball).length());
    (slower - REST_SPEED / fps).max(0.0) + LEAST_SPEED / fps
}
