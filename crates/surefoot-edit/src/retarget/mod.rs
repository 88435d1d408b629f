//! The motion of one body on another, planted feet and all.
//!
//! Joints are matched by the part they play, rest poses are laid against each other, the root's
//! path is scaled by the length of the legs about the floor, and plants come along. What then
//! skates is left to the cleaner: [`clean`](surefoot_solve::clean).
//!
//! In the order they are asked:
//!
//! | file | question |
//! |---|---|
//! | `names.rs` | what does a joint's name say? |
//! | `roles.rs` | which joint plays which part? |
//! | `matching.rs` | which joint of one body is which of the other? |
//! | `align.rs` | how do the bodies lie to each other at rest? |
//! | `carry.rs` | what does that make of every pose? |
//! | `ground.rs` | where do path, floor and plants go? |
//!
//! ```
//! use surefoot_edit::retarget::{Target, retarget};
//! use surefoot_sample::{Recipe, make};
//! use surefoot_solve::clean;
//!
//! let walk = make(&Recipe::default())?;
//! let giant = Target {
//!     skeleton: walk.motion.skeleton.scaled(1.6),
//!     legs: walk.legs.iter().map(|leg| surefoot_edit::retarget::scaled_leg(leg, 1.6)).collect(),
//!     ..Target::default()
//! };
//! let clip = walk.into_clip();
//! let retargeted = retarget(&clip, &giant)?;
//! assert!((retargeted.scale - 1.6).abs() < 1e-9);
//! let clean = clean(&retargeted.clip, &Default::default())?.clip;
//! # assert_eq!(clean.motion.frames(), clip.motion.frames());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod names;
mod roles;
mod matching;
mod align;
mod carry;
mod ground;

use core::fmt;

use surefoot_core::{Floor, JointId, JointPoint, Leg, Motion, Pose, Skeleton, SkeletonError, Vec3};
use surefoot_solve::{SetupError, leg_shapes};

use align::{AtRest, Lay};
use carry::Carry;
use ground::Ground;
use surefoot_core::Clip;

pub use matching::{Match, Matching, matching};
pub use names::Side;
pub use roles::{How, Role, Roles, roles};

/// The body that is to move, in metres, Y up.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// Its joints.
    pub skeleton: Skeleton,
    /// Its legs.
    pub legs: Vec<Leg>,
    /// Poses of it, if there are any: they show how its soles lie.
    pub poses: Vec<Pose>,
    /// What it stands on in these.
    pub floor: Option<Floor>,
}

/// A motion on another body.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// The motion, with plants and floor, not yet cleaned.
    pub clip: Clip,
    /// Which joint moves like which.
    pub matching: Matching,
    /// The target's legs by the source's.
    pub scale: f64,
    /// How far the body was raised so that its planted feet are at their height, in metres: what
    /// scaling alone would have left.
    pub raised: f64,
}

/// Why a motion cannot be retargeted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RetargetError {
    /// The bodies have not the same legs.
    OtherLegs {
        /// The legs of the motion's body.
        from: Vec<String>,
        /// Those of the target.
        to: Vec<String>,
    },
    /// A body is none.
    Setup(SetupError),
    /// A skeleton cannot be made.
    Skeleton(SkeletonError),
    /// Bones so short that there is nothing to scale by.
    NoLength,
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |legs: &[String]| if legs.is_empty() { "none".into() } else { legs.join(", ") };
        match self {
            Self::OtherLegs { from, to } => write!(
                f,
                "the motion has the legs {}, but the target has {}; each needs its counterpart",
                list(from),
                list(to)
            ),
            Self::Setup(error) => write!(f, "{error}"),
            Self::Skeleton(error) => write!(f, "{error}"),
            Self::NoLength => write!(f, "legs of no length cannot be scaled by"),
        }
    }
}

impl core::error::Error for RetargetError {}

impl From<SetupError> for RetargetError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

/// Puts a motion on another body.
///
/// To the body it has, it comes back as it was. Every leg needs its counterpart; other joints that
/// have none stay as they are at rest.
pub fn retarget(clip: &Clip, target: &Target) -> Result<Retargeted, RetargetError> {
    let from = &clip.motion.skeleton;
    let is_same = is_same_body(from, &target.skeleton);
    let to_legs = if is_same { &clip.legs } else { &target.legs };
    check_legs(&clip.legs, to_legs)?;
    let scale = leg_length(&target.skeleton, to_legs) / leg_length(from, &clip.legs);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(RetargetError::NoLength);
    }
    let (from_roles, to_roles) = (roles(from, &clip.legs), roles(&target.skeleton, to_legs));
    let matching = matching((from, &from_roles), (&target.skeleton, &to_roles));
    let from_soles = match clip.sole_normals.len() == clip.legs.len() {
        true => clip.sole_normals.clone(),
        false => soles(clip)?,
    };
    let to_soles = if is_same { from_soles.clone() } else { target_soles(target, clip.motion.fps)? };
    let rest = |skeleton: &Skeleton| Pose::rest(skeleton).world(skeleton);
    let one = AtRest {
        skeleton: from,
        legs: &clip.legs,
        roles: &from_roles,
        placed: rest(from),
        soles: from_soles,
    };
    let other = AtRest {
        skeleton: &target.skeleton,
        legs: to_legs,
        roles: &to_roles,
        placed: rest(&target.skeleton),
        soles: to_soles,
    };
    let lay = Lay::new(&one, &other);
    let mut turns = vec![None; target.skeleton.len()];
    for one in &matching.matches {
        // Between two joints there is no bone to lie like.
        let laid = if one.towards.is_some() { lay.whole() } else { lay.turn(&one.role, one.from, one.to) };
        turns[one.to.index()] = Some((one.clone(), laid));
    }
    let carry = Carry {
        from,
        to: &target.skeleton,
        turns,
        hips: carry::hips(&clip.legs, to_legs),
        root: root_of(&target.skeleton, to_legs),
        scale,
        is_same,
    };
    let ankles = |body: &AtRest| {
        body.legs.iter().map(|leg| body.ankle_height(&leg.side)).sum::<f64>() / body.legs.len() as f64
    };
    let ground = Ground::new(clip, scale, ankles(&other) - scale * ankles(&one));
    let motion = carry.motion(&clip.motion, |place| ground.hips(place));
    let (mut retargeted, raised) = ground.stand(clip, motion, to_legs, carry.root);
    // Poses of another body's motion would show them a little otherwise.
    retargeted.sole_normals = other.soles;
    Ok(Retargeted { clip: retargeted, matching, scale, raised })
}

/// A leg of a body that is so many times as large.
pub fn scaled_leg(leg: &Leg, scale: f64) -> Leg {
    let point = |point: JointPoint| JointPoint { offset: point.offset * scale, ..point };
    Leg { heel: point(leg.heel), ball: point(leg.ball), toe: point(leg.toe), ..leg.clone() }
}

/// From hip to ankle along the bones at rest, mean of all legs, in metres.
pub fn leg_length(skeleton: &Skeleton, legs: &[Leg]) -> f64 {
    let placed = Pose::rest(skeleton).world(skeleton);
    let bone = |a: JointId, b: JointId| placed.joint(a).distance(placed.joint(b));
    let leg = |leg: &Leg| bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle);
    legs.iter().map(leg).sum::<f64>() / legs.len().max(1) as f64
}

/// Offsets nearer than this share of a leg are the same, written with other digits.
const SAME: f64 = 1e-6;

/// Whether two skeletons are of one body: the same joints, hung in the same way.
pub fn is_same_body(one: &Skeleton, other: &Skeleton) -> bool {
    let size = one.joints().iter().map(|joint| joint.offset.length()).fold(0.0, f64::max);
    let near = |a: Vec3, b: Vec3| (a - b).length() <= SAME * size;
    one.len() == other.len()
        && one.joints().iter().zip(other.joints()).all(|(a, b)| {
            // A root's offset is where it stands, not how it is built.
            let hung = a.parent.is_none() || near(a.offset, b.offset);
            a.name == b.name && a.parent == b.parent && hung
        })
}

fn check_legs(from: &[Leg], to: &[Leg]) -> Result<(), RetargetError> {
    let sides = |legs: &[Leg]| {
        let mut sides: Vec<String> = legs.iter().map(|leg| leg.side.clone()).collect();
        sides.sort();
        sides
    };
    let (from, to) = (sides(from), sides(to));
    if from.is_empty() || from != to { Err(RetargetError::OtherLegs { from, to }) } else { Ok(()) }
}

fn soles(clip: &Clip) -> Result<Vec<Vec3>, SetupError> {
    Ok(leg_shapes(clip)?.iter().map(|shape| shape.sole_normal).collect())
}

/// Up from the target's soles; at rest, where no pose shows it.
fn target_soles(target: &Target, fps: f64) -> Result<Vec<Vec3>, SetupError> {
    let Target { skeleton, legs, poses, floor } = target;
    let motion = Motion { skeleton: skeleton.clone(), fps, poses: poses.clone() };
    let clip = Clip { motion, legs: legs.clone(), floor: floor.clone(), ..Clip::default() };
    let shown = soles(&clip)?;
    if !poses.is_empty() {
        return Ok(shown);
    }
    let rest = Pose::rest(skeleton).world(skeleton);
    Ok(vec![align::up_of(legs, &rest); legs.len()])
}

fn root_of(skeleton: &Skeleton, legs: &[Leg]) -> JointId {
    roles::path(skeleton, legs[0].hip)[0]
}
