//! How is it done? What a person may choose.

use super::goals::{ReachError, check_joints};
use super::limits::Limits;
use surefoot_core::{JointId, Skeleton};

/// Which curve is laid through the keyframes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The captured turns, and a smooth curve of further turns added to them.
    ///
    /// All that is in the capture stays in it, however fast; what is added has no ripples.
    #[default]
    Displacement,
    /// A curve of its own in place of the captured angles, as published: its slope is the captured
    /// one at every auxiliary frame, its velocity as like as can be between.
    Paper,
}

/// What becomes of the residue that the trade between nearness and likeness leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Residue {
    /// It is closed: goals are met.
    #[default]
    Closed,
    /// It is left, as published.
    Left,
}

/// Which turns a joint of the chain may make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freedom {
    /// Those that it makes in the capture: a hinge stays a hinge, and a joint that never turns is
    /// left alone. Where a goal cannot be met so, all.
    #[default]
    AsCaptured,
    /// All.
    All,
}

/// How goals are met.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// What a square metre of distance weighs against a square radian of change: w against 1 − w.
    /// From 0 (nothing is changed) to 1. 0.99 unless said.
    pub w: f64,
    /// The first joint of every chain; it turns too. `None` for the joint next to the root: the
    /// root stays, and with it the feet of a body that stands.
    pub chain_from: Option<JointId>,
    /// Whether the root of the body may also be moved, by a metre at the price of a radian.
    pub moves_root: bool,
    /// Which turns a joint may make.
    pub freedom: Freedom,
    /// How far joints may turn.
    pub limits: Limits,
    /// What becomes of the residue.
    pub residue: Residue,
    /// Which curve is laid through the keyframes.
    pub form: Form,
    /// Seconds from one auxiliary frame to the next. 1/15 unless said: every other frame at 30 a
    /// second.
    pub spacing: f64,
    /// Seconds over which the added velocity changes at a keyframe, in the displacement form. 0.1
    /// unless said. Smaller keeps velocities nearer to the captured and makes changes harder.
    pub ease: f64,
    /// Frames farther than this from every keyframe stay as they are, in seconds. `None`: a change
    /// goes on before the first and after the last keyframe.
    pub fade: Option<f64>,
    /// Frames before this one are no part of the performance and stay as they are, unless a goal
    /// is among them.
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

impl Settings {
    /// All as published: the residue is left, and a curve takes the capture's place.
    pub fn paper() -> Self {
        Self { residue: Residue::Left, form: Form::Paper, ..Self::default() }
    }

    pub(super) fn check(&self, skeleton: &Skeleton) -> Result<(), ReachError> {
        let wrong = |name, found, expected| Err(ReachError::Setting { name, found, expected });
        // Written so that what is no number is refused too.
        if !(0.0..=1.0).contains(&self.w) {
            return wrong("w", self.w, "a number from 0 to 1");
        }
        let positive = |seconds: f64| seconds > 0.0 && seconds.is_finite();
        if !positive(self.spacing) {
            return wrong("spacing", self.spacing, "a time above 0");
        }
        if !positive(self.ease) {
            return wrong("ease", self.ease, "a time above 0");
        }
        if let Some(fade) = self.fade.filter(|&fade| !positive(fade)) {
            return wrong("fade", fade, "a time above 0");
        }
        self.limits.check()?;
        check_joints(skeleton, self.chain_from.into_iter().chain(self.limits.joints()))
    }
}
