//! Everything that is fixed while a motion is cleaned, checked once.

use core::fmt;

use surefoot_core::{Clip, Floor, JointId, JointPoint, Leg, Skeleton, Vec3};
use wide::f64x2;

use crate::kinematics::knee_hinge::Hinge;
use crate::kinematics::leg_fk::Pair;
use crate::kinematics::sole_normal::up_from_sole;
use crate::phases::clearance::landing::Landing;
use crate::settings::Settings;
use crate::stream::frame_windows::{
    KneeWeights, LONGEST_WINDOW, MOST_FPS, Windows, cell_weights, steady_weights, windows,
};
use crate::validation::{PoseError, check_pose};

/// What poses show of a leg, and its skeleton does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegShape {
    /// The axis the knee turns about, of unit length, as seen from the joint that the knee hangs
    /// from. A positive turn bends.
    pub knee_axis: Vec3,
    /// Which way is up from the sole, of unit length, as seen from the ankle.
    pub sole_normal: Vec3,
}

/// The knee axis and sole normal of each leg, estimated from the poses of the performance.
///
/// A few poses are enough; without any, the rest pose is used.
pub fn leg_shapes(clip: &Clip) -> Result<Vec<LegShape>, SetupError> {
    let (skeleton, poses) = (&clip.motion.skeleton, clip.performance_poses());
    for (frame, pose) in poses.iter().enumerate() {
        check_pose(pose, frame, skeleton.len())?;
    }
    check_floor(clip)?;
    let shape = |leg: &Leg| {
        check_leg(skeleton, leg)?;
        Ok(LegShape {
            knee_axis: Hinge::find(skeleton, leg, poses).axis,
            sole_normal: up_from_sole(skeleton, leg, poses, clip.floor.as_ref()),
        })
    };
    clip.legs.iter().map(shape).collect()
}

/// Why a clip cannot be cleaned.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SetupError {
    /// The frame rate is not a number above 0 and up to 10,000.
    FrameRate(f64),
    /// A setting is not a number from 0 up.
    InvalidSetting(&'static str, f64),
    /// A time to look around, in seconds, is not a number from 0 to 10.
    InvalidWindow(&'static str, f64),
    /// The floor's normal is not of unit length, or it lies nowhere.
    InvalidFloor,
    /// A pose cannot be taken.
    Pose(PoseError),
    /// Hip, knee and ankle are not one below the other.
    NotALeg {
        /// Which leg.
        side: String,
    },
    /// A point of the foot is not on its ankle or a joint below.
    PointNotOnFoot {
        /// Which leg.
        side: String,
        /// `heel`, `ball` or `toe`.
        point: &'static str,
    },
    /// A leg without a shape, or with one whose directions are not of unit length.
    InvalidLegShape {
        /// Which leg.
        side: String,
    },
    /// Thigh or shin has no length.
    ZeroLengthBone {
        /// Which leg.
        side: String,
    },
    /// The legs do not hang from one root.
    SeveralRoots,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FrameRate(fps) => {
                write!(f, "{fps} frames per second, expected more than 0 and up to {MOST_FPS}")
            }
            Self::InvalidSetting(name, value) => write!(f, "{name} is {value}, expected a number from 0 up"),
            Self::InvalidWindow(name, value) => {
                write!(f, "{name} is {value} seconds, expected 0 to {LONGEST_WINDOW}")
            }
            Self::InvalidFloor => write!(f, "the floor has no normal of unit length, or lies nowhere"),
            Self::Pose(error) => error.fmt(f),
            Self::PointNotOnFoot { side, point } => {
                write!(f, "the {side} leg's {point} is not on its ankle or a joint below")
            }
            Self::NotALeg { side } => {
                write!(f, "the {side} leg's hip, knee and ankle are not one below the other in the skeleton")
            }
            Self::InvalidLegShape { side } => {
                write!(f, "the {side} leg's knee axis or its sole's up is not a direction of unit length")
            }
            Self::ZeroLengthBone { side } => write!(f, "the {side} leg has a thigh or shin of no length"),
            Self::SeveralRoots => write!(f, "the legs do not hang from one root"),
        }
    }
}

impl core::error::Error for SetupError {}

impl From<PoseError> for SetupError {
    fn from(error: PoseError) -> Self {
        Self::Pose(error)
    }
}

/// One leg as the phases see it.
#[derive(Clone, Debug)]
pub(crate) struct LegSetup {
    pub leg: Leg,
    /// The joints from below the hip to the knee, and from below the knee to the ankle. More than
    /// one each where a twist joint sits in the bone.
    pub thigh: Vec<JointId>,
    pub shin: Vec<JointId>,
    /// Both, which stretching moves, and their offsets.
    pub bones: Vec<(JointId, Vec3)>,
    /// The joints from the root to the one that the hip hangs from.
    pub above: Vec<JointId>,
    /// Heel, ball and toe tip.
    pub foot: [OnFoot; 3],
    /// Which way the knee bends.
    pub hinge: Hinge,
    /// The joint at which the toes turn, if turning it leaves heel and ball where they are.
    pub toe: Option<JointId>,
    /// Which way is up from the sole, in the ankle.
    pub sole: Vec3,
}

impl LegSetup {
    /// Whether there are as many joints on every way down it.
    pub fn is_built_as(&self, other: &Self) -> bool {
        let lengths = |leg: &Self| {
            let [heel, ball, toe] = &leg.foot;
            let on_foot = [heel, ball, toe].map(|point| [point.turning.len(), point.path.len()]);
            ([&leg.above, &leg.thigh, &leg.shin].map(Vec::len), on_foot)
        };
        lengths(self) == lengths(other)
    }
}

/// A point on the ankle or on a joint below it.
#[derive(Clone, Debug)]
pub(crate) struct OnFoot {
    /// The joints from below the ankle to the one that it is on: none if that is the ankle.
    pub path: Vec<JointId>,
    /// Those of them that move it when they turn, from the last up. The last does not if the point is where
    /// that joint is.
    pub turning: Vec<JointId>,
    /// The joint at which it is, if it is at one.
    pub at: Option<JointId>,
    /// Where it is on its joint.
    pub offset: Vec3,
}

impl OnFoot {
    fn new(skeleton: &Skeleton, ankle: JointId, point: &JointPoint) -> Self {
        let path = path(skeleton, ankle, point.joint).unwrap_or_default();
        let at = path.last().copied().filter(|_| point.offset == Vec3::ZERO);
        let moving = if at.is_some() { &path[..path.len() - 1] } else { &path[..] };
        let turning = moving.iter().rev().copied().collect();
        Self { turning, at, offset: point.offset, path }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Setup {
    pub skeleton: Skeleton,
    /// Where each joint sits in its parent, as the skeleton has it.
    pub offsets: Vec<Vec3>,
    pub fps: f64,
    pub floor: Option<Floor>,
    pub legs: Vec<LegSetup>,
    /// The legs two by two.
    pub pairs: Vec<Pair>,
    pub root: JointId,
    pub settings: Settings,
    pub frames: Windows,
    /// How many frames make a cell, when the root's moves are averaged.
    pub cell: usize,
    /// The weights of the cells from the first in the window to the last, for each frame of a cell.
    pub root_weights: Vec<Vec<f64x2>>,
    /// How much each frame counts when a foot is steadied by so many on either side.
    pub steady_weights: Vec<Vec<f64>>,
    /// How much each frame counts when the knee's bends are averaged.
    pub knee: KneeWeights,
    /// How much each frame counts for a foot that lands.
    pub landing: Landing,
}

impl Setup {
    /// `longest_plant` in frames bounds a spot window that is infinite. There is a shape for each
    /// leg.
    pub fn new(
        clip: &Clip,
        shapes: &[LegShape],
        longest_plant: usize,
        settings: &Settings,
    ) -> Result<Self, SetupError> {
        let frames = windows(clip.motion.fps, longest_plant, settings)?;
        check_floor(clip)?;
        let skeleton = clip.motion.skeleton.clone();
        let leg = |(n, leg)| leg_setup(&skeleton, leg, shapes.get(n));
        let legs: Vec<LegSetup> = clip.legs.iter().enumerate().map(leg).collect::<Result<_, _>>()?;
        let mut roots = legs.iter().map(|leg| root_of(&skeleton, leg.leg.hip));
        let root = roots.next().unwrap_or(JointId(0));
        if roots.any(|other| other != root) {
            return Err(SetupError::SeveralRoots);
        }
        let offsets: Vec<Vec3> = skeleton.joints().iter().map(|joint| joint.offset).collect();
        let cell =
            ((clip.motion.fps * settings.root_cell).round() as usize).min(frames.root.frames / 4).max(1);
        Ok(Self {
            root_weights: (0..cell).map(|at| cell_weights(frames.root, cell, at)).collect(),
            cell,
            steady_weights: steady_weights(frames.steady.frames),
            knee: KneeWeights::new(frames.knee),
            landing: Landing::new(clip.motion.fps),
            fps: clip.motion.fps,
            floor: clip.floor.clone(),
            root,
            pairs: Pair::all(&legs, &offsets),
            offsets,
            legs,
            skeleton,
            settings: *settings,
            frames,
        })
    }

    /// How many frames late a clean pose comes out.
    pub fn lookahead(&self) -> usize {
        let Windows { spots, ankles, root, ease, knee, blend, .. } = self.frames;
        spots + ankles.frames + root.frames + ease.frames + knee.frames + blend.frames
    }
}

fn check_floor(clip: &Clip) -> Result<(), SetupError> {
    let plane = clip.floor.as_ref().and_then(Floor::as_plane);
    if plane.is_some_and(|plane| !plane.normal.is_normalized() || !plane.offset.is_finite()) {
        Err(SetupError::InvalidFloor)
    } else {
        Ok(())
    }
}

/// The joints of a leg's thigh and shin, each from below the first to the last.
type Paths = [Vec<JointId>; 2];

/// Refuses what is no leg of this skeleton.
fn check_leg(skeleton: &Skeleton, leg: &Leg) -> Result<Paths, SetupError> {
    let not_a_leg = || SetupError::NotALeg { side: leg.side.clone() };
    if [leg.hip, leg.knee, leg.ankle].iter().any(|joint| joint.index() >= skeleton.len()) {
        return Err(not_a_leg());
    }
    for (point, on) in [("heel", leg.heel), ("ball", leg.ball), ("toe", leg.toe)] {
        let is_there = on.joint.index() < skeleton.len() && on.offset.is_finite();
        if !is_there || (on.joint != leg.ankle && path(skeleton, leg.ankle, on.joint).is_none()) {
            return Err(SetupError::PointNotOnFoot { side: leg.side.clone(), point });
        }
    }
    let thigh = path(skeleton, leg.hip, leg.knee).ok_or_else(not_a_leg)?;
    let shin = path(skeleton, leg.knee, leg.ankle).ok_or_else(not_a_leg)?;
    let length =
        |path: &[JointId]| path.iter().map(|&joint| skeleton.joint(joint).offset.length()).sum::<f64>();
    // Shorter than this, in metres, a bone has no direction to speak of.
    if length(&thigh) < 1e-6 || length(&shin) < 1e-6 {
        return Err(SetupError::ZeroLengthBone { side: leg.side.clone() });
    }
    Ok([thigh, shin])
}

fn leg_setup(skeleton: &Skeleton, leg: &Leg, shape: Option<&LegShape>) -> Result<LegSetup, SetupError> {
    let [thigh, shin] = check_leg(skeleton, leg)?;
    let is_good = |shape: &&LegShape| shape.knee_axis.is_normalized() && shape.sole_normal.is_normalized();
    let shape =
        shape.filter(is_good).ok_or_else(|| SetupError::InvalidLegShape { side: leg.side.clone() })?;
    let moves_with = |point: &JointPoint| point.joint == leg.toe.joint && point.offset != Vec3::ZERO;
    let is_toe = leg.toe.joint != leg.ankle && !moves_with(&leg.heel) && !moves_with(&leg.ball);
    let toe = Some(leg.toe.joint).filter(|_| is_toe);
    let hinge = Hinge { axis: shape.knee_axis };
    Ok(LegSetup {
        leg: leg.clone(),
        above: above(skeleton, leg.hip),
        foot: [&leg.heel, &leg.ball, &leg.toe].map(|point| OnFoot::new(skeleton, leg.ankle, point)),
        bones: thigh.iter().chain(&shin).map(|&joint| (joint, skeleton.joint(joint).offset)).collect(),
        thigh,
        shin,
        hinge,
        toe,
        sole: shape.sole_normal,
    })
}

/// The joints after `top` down to `bottom`.
fn path(skeleton: &Skeleton, top: JointId, bottom: JointId) -> Option<Vec<JointId>> {
    let mut path = vec![bottom];
    while let Some(parent) = skeleton.parent(*path.last()?) {
        if parent == top {
            path.reverse();
            return Some(path);
        }
        path.push(parent);
    }
    None
}

/// The joints from the root down to the one that `joint` hangs from.
fn above(skeleton: &Skeleton, joint: JointId) -> Vec<JointId> {
    let mut joints: Vec<JointId> =
        core::iter::successors(skeleton.parent(joint), |&next| skeleton.parent(next)).collect();
    joints.reverse();
    joints
}

fn root_of(skeleton: &Skeleton, mut joint: JointId) -> JointId {
    while let Some(parent) = skeleton.parent(joint) {
        joint = parent;
    }
    joint
}
