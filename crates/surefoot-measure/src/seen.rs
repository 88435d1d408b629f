//! Both motions as they are seen in the world: the one look that figures and plots share.

use crate::context::{Context, MeasureError, check};
use crate::paths::{Paths, root_joint};
use crate::stretch::{bones, of_legs, rest_bones};
use surefoot_core::Motion;

/// Both motions in the world, and how much their legs are stretched, leg by leg.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub before: Option<Paths>,
    pub after: Paths,
    pub stretch_before: Vec<Vec<f64>>,
    pub stretch_after: Vec<Vec<f64>>,
}

impl Seen {
    /// Looks at a motion, or at two that fit each other.
    ///
    /// Lengths before are the captured ones, so there is no stretch before. Without a before the
    /// skeleton's own lengths stand in.
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

    /// What is seen within some frames.
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
