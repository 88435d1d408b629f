//! Retargeting: transfers a motion with its plants to another body.
//!
//! 1. `names.rs` and `roles.rs` assign an anatomical role to each joint of both bodies.
//! 2. `matching.rs` matches joints by role, then by name.
//! 3. `reference.rs` finds an upright pose of each body, and `align.rs` aligns the bones of both in it.
//! 4. `transfer.rs` transfers the world rotations of every pose, `trunk.rs` puts the head over the hips as captured, and
//!    `root.rs` finds out what the root of the target carries.
//! 5. `ground.rs` scales root path, floor and plants by the ratio of leg lengths.
//!
//! The feet skate afterwards, so clean the result with [`clean`](surefoot_solve::clean).
//!
//! ```
//! use surefoot_edit::retarget::{TargetBody, retarget};
//! use surefoot_sample::{Recipe, make};
//! use surefoot_solve::clean;
//!
//! let walk = make(&Recipe::default())?;
//! let giant = TargetBody {
//!     skeleton: walk.motion.skeleton.scaled(1.6),
//!     legs: walk.legs.iter().map(|leg| surefoot_edit::retarget::scale_leg(leg, 1.6)).collect(),
//!     ..TargetBody::default()
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
mod reference;
mod align;
mod root;
mod trunk;
mod limbs;
mod pelvis;
mod transfer;
mod ground;
mod deviation;

use core::fmt;

use surefoot_core::{
    Floor, JointId, JointPoint, Leg, Motion, Pose, Quat, Skeleton, SkeletonError, Vec3, WorldPose,
};
use surefoot_solve::{SetupError, leg_shapes};

use align::{Alignment, ReferenceBody};
use ground::Ground;
use limbs::Limb;
use pelvis::tilt_pelvis;
use reference::reference_pose;
use root::{RootConvention, RootJoints, root_convention};
use surefoot_core::Clip;
use transfer::{PoseTransfer, stretching_bones};
use trunk::TrunkTurn;

pub use deviation::{Segment, SegmentDeviation, segment_deviations};
pub use matching::{Match, Matching, matching};
pub use names::Side;
pub use roles::{Role, RoleSource, Roles, roles};

/// The body that receives the motion, in metres, Y up.
#[derive(Clone, Debug, Default)]
pub struct TargetBody {
    /// Its skeleton.
    pub skeleton: Skeleton,
    /// Its legs.
    pub legs: Vec<Leg>,
    /// Poses of the body, if available: they show the orientation of its soles.
    pub poses: Vec<Pose>,
    /// The floor of these poses.
    pub floor: Option<Floor>,
}

impl From<&Clip> for TargetBody {
    /// The body of a clip, with the poses of its performance.
    fn from(clip: &Clip) -> Self {
        Self {
            skeleton: clip.motion.skeleton.clone(),
            legs: clip.legs.clone(),
            poses: clip.performance_poses().to_vec(),
            floor: clip.floor.clone(),
        }
    }
}

/// A motion transferred to another body.
#[derive(Clone, Debug)]
pub struct RetargetResult {
    /// The motion, with plants and floor, not yet cleaned.
    pub clip: Clip,
    /// The matched joints.
    pub matching: Matching,
    /// Ratio of the leg lengths, target to source.
    pub scale: f64,
    /// Height added to the root so that planted feet keep their height, in metres: the remainder that
    /// scaling leaves.
    pub height_offset: f64,
}

/// Why a motion cannot be retargeted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RetargetError {
    /// The bodies have different legs.
    OtherLegs {
        /// The legs of the motion's body.
        from: Vec<String>,
        /// The legs of the target.
        to: Vec<String>,
    },
    /// A body is invalid.
    Setup(SetupError),
    /// A skeleton is invalid.
    Skeleton(SkeletonError),
    /// The legs of a body have no length, so there is no scale.
    NoLength,
}

impl fmt::Display for RetargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |legs: &[String]| if legs.is_empty() { "none".into() } else { legs.join(", ") };
        match self {
            Self::OtherLegs { from, to } => write!(
                f,
                "the motion has the legs {}, but the target has {}; expected the same legs",
                list(from),
                list(to)
            ),
            Self::Setup(error) => write!(f, "{error}"),
            Self::Skeleton(error) => write!(f, "{error}"),
            Self::NoLength => write!(f, "the legs of a body have length 0, expected a positive length"),
        }
    }
}

impl core::error::Error for RetargetError {}

impl From<SetupError> for RetargetError {
    fn from(error: SetupError) -> Self {
        Self::Setup(error)
    }
}

/// Transfers a motion to another body.
///
/// Retargeting to the same body changes nothing. Every leg needs a counterpart; other joints without
/// one keep their rest rotation.
pub fn retarget(clip: &Clip, target: &TargetBody) -> Result<RetargetResult, RetargetError> {
    let from = &clip.motion.skeleton;
    let is_same = is_same_body(from, &target.skeleton, &clip.legs);
    check_legs(&clip.legs, if is_same { &clip.legs } else { &target.legs })?;
    let to_legs = &if is_same { clip.legs.clone() } else { rolling_legs(clip, target) };
    let scale = leg_length(&target.skeleton, to_legs) / leg_length(from, &clip.legs);
    if !(scale.is_finite() && scale > 0.0) {
        return Err(RetargetError::NoLength);
    }
    let (from_roles, to_roles) = (roles(from, &clip.legs), roles(&target.skeleton, to_legs));
    let matching = matching((from, &from_roles), (&target.skeleton, &to_roles));
    let source = captured_body(clip, &from_roles)?;
    let other = match is_same {
        true => source.clone(),
        false => target_body(target, to_legs, &to_roles, clip.motion.fps)?,
    };
    let hips = transfer::hips(&clip.legs, to_legs);
    let mut transfer = PoseTransfer {
        rotations: alignments(&matching, &source, &other),
        stretching: stretching_bones(&clip.motion),
        limbs: Vec::new(),
        hips: &hips,
        trunk: None,
        joints: root_joints(&target.skeleton, to_legs, &to_roles),
        convention: RootConvention::IsPelvis,
        from,
        to: &target.skeleton,
        scale,
        is_same,
    };
    if !is_same {
        let length = leg_length(&target.skeleton, to_legs);
        transfer.convention = root_convention(&target.skeleton, transfer.joints, &target.poses, length);
        tilt_pelvis(&mut transfer.rotations, &source, &other, scale);
        transfer.limbs = Limb::all((&from_roles, &to_roles), &target.skeleton, &transfer.rotations);
        transfer.trunk = TrunkTurn::new((from, &from_roles), (&target.skeleton, &to_roles), &hips);
    }
    let ground = Ground::new(clip, scale, other.mean_ankle_height() - scale * source.mean_ankle_height());
    let motion = transfer.motion(&clip.motion, &ground);
    let (mut retargeted, height_offset) = ground.place_on_floor(clip, motion, to_legs, &transfer);
    // Recomputed from the retargeted poses, the normals would differ slightly.
    retargeted.sole_normals = other.soles;
    Ok(RetargetResult { clip: retargeted, matching, scale, height_offset })
}

/// The captured body in its reference pose.
fn captured_body<'a>(clip: &'a Clip, roles: &'a Roles) -> Result<ReferenceBody<'a>, SetupError> {
    let (skeleton, legs) = (&clip.motion.skeleton, &clip.legs);
    let soles = match clip.sole_normals.len() == legs.len() {
        true => clip.sole_normals.clone(),
        false => soles(clip)?,
    };
    let world = reference_pose(skeleton, legs, roles, &clip.motion.poses);
    Ok(ReferenceBody { skeleton, legs, roles, world, soles })
}

/// The target in its reference pose.
fn target_body<'a>(
    target: &'a TargetBody,
    legs: &'a [Leg],
    roles: &'a Roles,
    fps: f64,
) -> Result<ReferenceBody<'a>, SetupError> {
    let world = reference_pose(&target.skeleton, legs, roles, &target.poses);
    let soles = target_soles(target, &world, fps)?;
    Ok(ReferenceBody { skeleton: &target.skeleton, legs, roles, world, soles })
}

/// For each joint of the target its match and the alignment of both.
fn alignments(
    matching: &Matching,
    source: &ReferenceBody,
    target: &ReferenceBody,
) -> Vec<Option<(Match, Quat)>> {
    let alignment = Alignment::new(source, target);
    let mut rotations = vec![None; target.skeleton.len()];
    for one in &matching.matches {
        rotations[one.to.index()] = Some((one.clone(), alignment.of(one)));
    }
    rotations
}

/// Scales the foot points of a leg.
pub fn scale_leg(leg: &Leg, scale: f64) -> Leg {
    let point = |point: JointPoint| JointPoint { offset: point.offset * scale, ..point };
    Leg { heel: point(leg.heel), ball: point(leg.ball), toe: point(leg.toe), ..leg.clone() }
}

/// Length of thigh plus shin at rest, mean over all legs, in metres.
pub fn leg_length(skeleton: &Skeleton, legs: &[Leg]) -> f64 {
    let world = Pose::rest(skeleton).world(skeleton);
    let bone = |a: JointId, b: JointId| world.joint(a).distance(world.joint(b));
    let leg = |leg: &Leg| bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle);
    legs.iter().map(leg).sum::<f64>() / legs.len().max(1) as f64
}

/// Largest difference of equal offsets, as a share of the longest offset: rounding in files.
const SAME_OFFSET: f64 = 1e-6;

/// Whether two skeletons have the same joint names, parents and bones.
///
/// The offsets of the root, of the pelvis and of joints between them are positions in many files, not bones, and differ
/// from take to take. `legs` are those of either skeleton.
pub fn is_same_body(one: &Skeleton, other: &Skeleton, legs: &[Leg]) -> bool {
    let has_same_joints = one.len() == other.len()
        && one.joints().iter().zip(other.joints()).all(|(a, b)| a.name == b.name && a.parent == b.parent);
    if !has_same_joints {
        return false;
    }
    let pelvis = roles(one, legs).joint(&Role::Pelvis);
    let above = pelvis.map_or_else(Vec::new, |pelvis| roles::path(one, pelvis));
    let is_bone = |joint: &JointId| one.parent(*joint).is_some() && !above.contains(joint);
    let offsets = |joint: JointId| (one.joint(joint).offset, other.joint(joint).offset);
    let size = one.ids().filter(is_bone).map(|joint| offsets(joint).0.length()).fold(0.0, f64::max);
    one.ids().filter(is_bone).map(offsets).all(|(a, b)| (a - b).length() <= SAME_OFFSET * size)
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

/// Sole normals of the target; without poses, up in its reference pose.
fn target_soles(target: &TargetBody, reference: &WorldPose, fps: f64) -> Result<Vec<Vec3>, SetupError> {
    let TargetBody { skeleton, legs, poses, floor } = target;
    let motion = Motion { skeleton: skeleton.clone(), fps, poses: poses.clone() };
    let clip = Clip { motion, legs: legs.clone(), floor: floor.clone(), ..Clip::default() };
    let soles = soles(&clip)?;
    if !poses.is_empty() {
        return Ok(soles);
    }
    let up = align::up_of(legs, reference);
    Ok(legs.iter().map(|leg| reference.rotations[leg.ankle.index()].conjugate() * up).collect())
}

/// The legs of the target. Where its feet are rigid and the captured ones have toes, a foot rolls over its tip: held at a
/// ball further back, its tip would go below the floor as soon as the heel rises.
fn rolling_legs(clip: &Clip, target: &TargetBody) -> Vec<Leg> {
    let has_toes = |skeleton: &Skeleton, leg: &Leg| roles::toes(skeleton, leg).is_some();
    let rolling = |leg: &Leg| {
        let captured = clip.legs.iter().find(|other| other.side == leg.side);
        let had_toes = captured.is_some_and(|captured| has_toes(&clip.motion.skeleton, captured));
        match had_toes && !has_toes(&target.skeleton, leg) && leg.toe.joint == leg.ankle {
            true => Leg { ball: leg.toe, ..leg.clone() },
            false => leg.clone(),
        }
    };
    target.legs.iter().map(rolling).collect()
}

fn root_joints(skeleton: &Skeleton, legs: &[Leg], roles: &Roles) -> RootJoints {
    let root = roles::path(skeleton, legs[0].hip)[0];
    let of_side = |word: &str| legs.iter().find(|leg| leg.side.contains(word)).map(|leg| leg.hip);
    let (first, last) = (legs[0].hip, legs[legs.len() - 1].hip);
    let hips = [of_side("left").unwrap_or(first), of_side("right").unwrap_or(last)];
    RootJoints { root, pelvis: roles.joint(&Role::Pelvis).unwrap_or(root), hips }
}
