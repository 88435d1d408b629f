//! Settings of the reach edit.

use super::chain::is_below;
use super::goals::{ReachError, check_joints};
use super::limits::Limits;
use surefoot_core::{FrameRange, JointId, Skeleton};

/// The kind of curve through the keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The captured rotations plus a smooth displacement curve.
    ///
    /// It preserves all captured detail, however fast, and adds no ripples.
    #[default]
    Displacement,
    /// A curve that replaces the captured angles, as published. It has the captured slope at every
    /// auxiliary frame and the closest possible velocity in between.
    Paper,
}

/// Treatment of the distance that the weighted minimum leaves between points and goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residue {
    /// Removed: goals are reached exactly.
    #[default]
    Closed,
    /// Kept, as published.
    Left,
}

/// The rotations available to the joints of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freedom {
    /// Those that occur in the capture: a hinge stays a hinge, and a joint that never rotates stays
    /// rigid. If a goal is out of reach this way, all rotations are allowed.
    #[default]
    AsCaptured,
    /// All rotations.
    All,
}

/// How far the change extends before the first keyframe and after the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Fade {
    /// [`ROOT_FADE`] where the root moves or turns, since that displaces the whole body; to both ends of the motion
    /// otherwise, which preserves all velocities.
    #[default]
    Automatic,
    /// The change ends within this time of each keyframe, in seconds: frames farther away are unchanged.
    Within(f64),
    /// The change extends to both ends of the motion.
    Never,
}

/// Time within which a change of the root fades, in seconds: about one step, so that the body shifts its weight and
/// returns. A shorter time accelerates the body harder, a longer one bends the legs in more frames.
pub const ROOT_FADE: f64 = 0.5;

/// Frames in which a joint keeps its captured rotation.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldJoint {
    /// The joint.
    pub joint: JointId,
    /// The frames.
    pub frames: FrameRange,
}

/// Settings of [`reach`](super::reach()).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Weight of a square metre of distance; a square radian of change weighs 1 − w. From 0 (no
    /// change) to 1. Default 0.99.
    pub w: f64,
    /// The first joint of every chain, included. `None` for the joint below the pelvis: the pelvis then
    /// stays, and with it the feet of a standing body.
    pub chain_from: Option<JointId>,
    /// The joint from which the legs hang. `None` for the root.
    pub pelvis: Option<JointId>,
    /// Joints that keep their captured rotation in some frames, such as those of planted legs.
    pub held: Vec<HeldJoint>,
    /// Whether the root may be translated too; a metre costs as much as a radian.
    pub moves_root: bool,
    /// The rotations available to the joints.
    pub freedom: Freedom,
    /// Limits of joint rotations.
    pub limits: Limits,
    /// Treatment of the remaining distance.
    pub residue: Residue,
    /// The kind of curve through the keyframes.
    pub form: Form,
    /// Time between auxiliary knots, in seconds. Default 1/15: every other frame at 30 fps.
    pub spacing: f64,
    /// Time over which the added velocity changes at a keyframe in the displacement form, in seconds.
    /// Default 0.1. Smaller values preserve velocities better but accelerate harder.
    pub ease: f64,
    /// How far the change extends before the first keyframe and after the last one.
    pub fade: Fade,
    /// First frame of the performance. Earlier frames are unchanged unless they have a goal.
    pub first_frame: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            w: 0.99,
            chain_from: None,
            pelvis: None,
            held: Vec::new(),
            moves_root: false,
            freedom: Freedom::default(),
            limits: Limits::default(),
            residue: Residue::default(),
            form: Form::default(),
            spacing: 1.0 / 15.0,
            ease: 0.1,
            fade: Fade::default(),
            first_frame: 0,
        }
    }
}

/// Longest time of a setting, in seconds: an hour. Longer ones do not fit into frame numbers.
const MAX_SECONDS: f64 = 3600.0;

impl Settings {
    /// The published method: the remaining distance is kept, and a curve replaces the capture.
    pub fn paper() -> Self {
        Self { residue: Residue::Left, form: Form::Paper, ..Self::default() }
    }

    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), ReachError> {
        let wrong = |name, found, expected| Err(ReachError::Setting { name, found, expected });
        // Negated so that NaN is an error too.
        if !(0.0..=1.0).contains(&self.w) {
            return wrong("w", self.w, "a number from 0 to 1");
        }
        let fade = match self.fade {
            Fade::Within(seconds) => Some(seconds),
            Fade::Automatic | Fade::Never => None,
        };
        let times = [("spacing", Some(self.spacing)), ("ease", Some(self.ease)), ("fade", fade)];
        for (name, seconds) in times {
            if let Some(seconds) = seconds.filter(|&seconds| !(seconds > 0.0 && seconds <= MAX_SECONDS)) {
                return wrong(name, seconds, "a time above 0 s and up to 3600 s");
            }
        }
        self.limits.check()?;
        let held = self.held.iter().map(|held| held.joint);
        let named = self.chain_from.into_iter().chain(self.pelvis).chain(held);
        check_joints(skeleton, named.chain(self.limits.joints()))
    }

    /// Whether a joint carries the whole body: the pelvis, a joint above it, or a root.
    pub(super) fn carries_body(&self, skeleton: &Skeleton, joint: JointId) -> bool {
        skeleton.parent(joint).is_none()
            || self.pelvis.is_some_and(|pelvis| is_below(skeleton, pelvis, joint))
    }

    /// The time within which changes fade, in seconds; `None` if they extend to both ends. `moves_body` states whether
    /// the root moves or turns.
    pub(super) fn fade_seconds(&self, moves_body: bool) -> Option<f64> {
        match self.fade {
            Fade::Within(seconds) => Some(seconds),
            Fade::Automatic if moves_body => Some(ROOT_FADE),
            Fade::Automatic | Fade::Never => None,
        }
    }
}
