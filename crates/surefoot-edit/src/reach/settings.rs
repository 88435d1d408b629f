//! Settings of the reach edit.

use super::goals::{ReachError, check_joints};
use super::limits::Limits;
use surefoot_core::{JointId, Skeleton};

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

/// Settings of [`reach`](super::reach()).
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Weight of a square metre of distance; a square radian of change weighs 1 − w. From 0 (no
    /// change) to 1. Default 0.99.
    pub w: f64,
    /// The first joint of every chain, included. `None` for the joint below the root: the root then
    /// stays, and with it the feet of a standing body.
    pub chain_from: Option<JointId>,
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
    /// Blend window around keyframes, in seconds: frames farther away are unchanged. `None`: the
    /// change extends to both ends of the motion.
    pub fade: Option<f64>,
    /// First frame of the performance. Earlier frames are unchanged unless they have a goal.
    pub first_frame: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            w: 0.99,
            chain_from: None,
            moves_root: false,
            freedom: Freedom::default(),
            limits: Limits::default(),
            residue: Residue::default(),
            form: Form::default(),
            spacing: 1.0 / 15.0,
            ease: 0.1,
            fade: None,
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
        let times = [("spacing", Some(self.spacing)), ("ease", Some(self.ease)), ("fade", self.fade)];
        for (name, seconds) in times {
            if let Some(seconds) = seconds.filter(|&seconds| !(seconds > 0.0 && seconds <= MAX_SECONDS)) {
                return wrong(name, seconds, "a time above 0 s and up to 3600 s");
            }
        }
        self.limits.check()?;
        check_joints(skeleton, self.chain_from.into_iter().chain(self.limits.joints()))
    }
}
