//! Where does the body stand, and which way does it face?

use surefoot_core::math::{atan2, nearest_equivalent_angle, sincos};
use surefoot_core::{Motion, Pose, Quat, Skeleton};

use crate::mix::mix;
use surefoot_core::RigidTransform;

/// A place on the ground and a heading, seen with up upright.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stand {
    x: f64,
    z: f64,
    heading: f64,
}

impl Stand {
    /// The step to another: how far to the side and ahead, and how far it turns.
    pub fn to(&self, next: &Self) -> Self {
        let (sin, cos) = sincos(self.heading);
        let (x, z) = (next.x - self.x, next.z - self.z);
        Self {
            x: cos * x - sin * z,
            z: sin * x + cos * z,
            heading: nearest_equivalent_angle(next.heading - self.heading, 0.0),
        }
    }

    /// Between this one and another.
    pub fn between(&self, other: &Self, share: f64) -> Self {
        let to = |from: f64, to: f64| if share >= 1.0 { to } else { from + (to - from) * share };
        let heading = nearest_equivalent_angle(other.heading, self.heading);
        Self { x: to(self.x, other.x), z: to(self.z, other.z), heading: to(self.heading, heading) }
    }
}

/// A step on from where the body stands: between those of both motions.
pub(super) fn walk(from: Stand, first: Stand, second: Stand, share: f64) -> Stand {
    let step = first.between(&second, share);
    let (sin, cos) = sincos(from.heading);
    Stand {
        x: from.x + cos * step.x + sin * step.z,
        z: from.z - sin * step.x + cos * step.z,
        heading: from.heading + step.heading,
    }
}

/// How a body's stand is seen.
pub(super) struct Ground {
    root: usize,
    upright: Quat,
}

impl Ground {
    pub fn new(skeleton: &Skeleton, upright: Quat) -> Self {
        let root = skeleton.ids().find(|&joint| skeleton.parent(joint).is_none());
        Self { root: root.map_or(0, |root| root.index()), upright }
    }

    /// Below the root, facing as far as it is turned about up.
    pub fn stand(&self, pose: &Pose) -> Stand {
        let place = self.upright * pose.offsets[self.root];
        let turn = self.upright * pose.rotations[self.root];
        // A root that is upside down faces nowhere: atan2 then gives no turn.
        Stand { x: place.x, z: place.z, heading: 2.0 * atan2(turn.y, turn.w) }
    }

    /// The way from the origin to a stand.
    pub fn placement(&self, stand: &Stand) -> RigidTransform {
        RigidTransform::along_ground(self.upright, stand.heading, stand.x, stand.z)
    }
}

/// The pose between two frames; at a whole one to the bit.
pub(super) fn sample(motion: &Motion, frame: f64) -> Pose {
    let last = motion.frames() - 1;
    let below = (frame.max(0.0) as usize).min(last);
    let share = frame - below as f64;
    if share <= 0.0 || below == last {
        return motion.poses[below].clone();
    }
    mix(&motion.poses[below], &motion.poses[below + 1], share)
}
