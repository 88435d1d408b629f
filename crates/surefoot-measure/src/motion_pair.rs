//! World-space paths of one motion, or of a motion before and after, for figures and plots.

use crate::context::{Context, MeasureError, check};
use crate::paths::{Paths, root_joint};
use crate::stretch::{bones, of_legs, rest_bones};
use surefoot_core::Motion;

/// World-space paths and leg stretch of a motion and, optionally, of the motion before.
#[derive(Clone, Debug)]
pub(crate) struct MotionPair {
    pub before: Option<Paths>,
    pub after: Paths,
    pub stretch_before: Vec<Vec<f64>>,
    pub stretch_after: Vec<Vec<f64>>,
}

impl MotionPair {
    /// Computes the paths of one motion or of two motions of the same skeleton.
    ///
    /// Stretch is relative to the bone lengths of the motion before, so the motion before has none.
    /// Without a motion before, the bone lengths of the skeleton are used.
    pub fn new(after: &Motion, before: Option<&Motion>, context: &Context) -> Result<Self, MeasureError> {
        check(after, before, context)?;
        let root = root_joint(before.unwrap_or(after), context);
        let captured_paths = before.map(|motion| Paths::of(motion, context, root));
        let paths = Paths::of(after, context, root);
        let captured = match &captured_paths {
            Some(before) => before.legs.iter().map(bones).collect(),
            None => rest_bones(after, context, paths.frames),
        };
        Ok(Self {
            stretch_before: captured_paths.iter().flat_map(|paths| of_legs(paths, &captured)).collect(),
            stretch_after: of_legs(&paths, &captured),
            before: captured_paths,
            after: paths,
        })
    }

    /// The part within a range of frames.
    pub fn within(&self, frames: core::ops::Range<usize>) -> Self {
        let part = |leg: &Vec<f64>| leg.get(frames.clone()).unwrap_or_default().to_vec();
        Self {
            before: self.before.as_ref().map(|paths| paths.within(frames.clone())),
            after: self.after.within(frames.clone()),
            stretch_before: self.stretch_before.iter().map(part).collect(),
            stretch_after: self.stretch_after.iter().map(part).collect(),
        }
    }
}
