//! A body with volume for any skeleton: tapered limbs between points of joints, a head, and a sole for each foot.
//!
//! Drawings of a motion need a shape that a viewer recognises, but a motion file has only joints. The shape follows
//! from the legs and from the chains of joints: paired chains are arms, the longest unpaired chain is the trunk with
//! the head at its end. Fingers, twist joints and props are left out, and so is a root on the ground below the body.
//! Radii are fractions of the length of a leg, so that the shape does not depend on the size of the body.

mod chains;
mod limbs;
mod sole;

use crate::context::Context;
use crate::paths::root_joint;
use surefoot_core::{Clip, JointPoint, Leg, Skeleton, Vec3, WorldPose};

pub use sole::{SOLE, SolePoint, sole_outline};

/// The drawn points of a body and the shapes between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyShape {
    /// The points, each fixed to a joint.
    pub points: Vec<JointPoint>,
    /// Limbs, trunk and head.
    pub limbs: Vec<Limb>,
    /// The feet, in the order of the legs.
    pub feet: Vec<FootShape>,
    /// The index of the point at the pelvis, which a camera can follow.
    pub pelvis: usize,
    /// The length of a leg from hip to ankle, in metres; the longest of all legs.
    pub leg_length: f64,
}

/// A solid between two points: a ball at each end and the surface that touches both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limb {
    /// Indices of both points. A limb from a point to itself is a ball.
    pub ends: [usize; 2],
    /// The radius at each end, in metres.
    pub radii: [f64; 2],
    /// The leg that the limb belongs to; `None` for trunk, arms and head.
    pub leg: Option<usize>,
}

/// Indices of the points of one foot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FootShape {
    /// The ankle joint.
    pub ankle: usize,
    /// The heel.
    pub heel: usize,
    /// The ball.
    pub ball: usize,
    /// The tip of the toes.
    pub toe: usize,
    /// 1 where the outer side of the foot is to the left of its direction, −1 where it is to the right.
    pub outer: f64,
}

impl BodyShape {
    /// The shape of the body of a clip. Empty without legs.
    pub fn of(clip: &Clip) -> Self {
        let skeleton = &clip.motion.skeleton;
        let is_known = |leg: &Leg| leg.joints().iter().all(|joint| joint.index() < skeleton.len());
        let pelvis = root_joint(&clip.motion, &Context::of(clip, None));
        match pelvis.filter(|_| !clip.legs.is_empty() && clip.legs.iter().all(is_known)) {
            Some(pelvis) => limbs::build(skeleton, &clip.legs, pelvis),
            None => Self::default(),
        }
    }

    /// The positions of all points in one pose, in metres.
    pub fn place(&self, world: &WorldPose) -> Vec<Vec3> {
        self.points.iter().map(|point| world.point(point)).collect()
    }

    /// The index of a point, which is added where the shape does not have it.
    fn point(&mut self, point: JointPoint) -> usize {
        self.points.iter().position(|known| *known == point).unwrap_or_else(|| {
            self.points.push(point);
            self.points.len() - 1
        })
    }
}

/// The length of a leg from hip to ankle along the bones of the skeleton, in metres.
fn leg_length(skeleton: &Skeleton, leg: &Leg) -> f64 {
    let up = |joint: &_| skeleton.parent(*joint).filter(|_| *joint != leg.hip);
    core::iter::successors(Some(leg.ankle), up)
        .take_while(|joint| *joint != leg.hip)
        .map(|joint| skeleton.joint(joint).offset.length())
        .sum()
}
