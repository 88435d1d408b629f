//! One motion file, or two: before and after cleaning or editing.

use surefoot_core::{Clip, Motion};
use surefoot_formats::SourceFile;
use surefoot_measure::{Figures, MeasureError, measure};

use crate::{FileChannels, MotionFile};

/// A motion to measure or draw, in the ground's frame of reference, and the one before it.
///
/// Legs, unit, floor and T-pose are inferred from the file before and used for both. Inferred from each file on its own
/// they would differ by as much as the feet were moved.
#[derive(Clone, Debug)]
pub struct BeforeAfter {
    /// The clip of the file after, or of the only one.
    pub clip: Clip,
    /// The motion before, where there is one.
    pub before: Option<Motion>,
    /// The joints with other channels than in the file before, where there is one.
    pub channels_changed: Option<Vec<String>>,
}

impl BeforeAfter {
    /// A file, whose plants are known, and the file after it, if there is one.
    pub fn new(file: &MotionFile, after: Option<&SourceFile>) -> Self {
        let clip = file.clip.relative_to_ground();
        let Some(after) = after else { return Self { clip, before: None, channels_changed: None } };
        let mut motion = after.motion(&file.space());
        if let Some(velocity) = file.clip.ground_velocity {
            motion = motion.with_added_velocity(-velocity);
        }
        let channels_changed = Some(FileChannels::of(&file.source).changed_in(after));
        Self { before: Some(clip.motion), clip: Clip { motion, ..clip }, channels_changed }
    }

    /// The figures of the motion, compared with the motion before where there is one.
    pub fn measure(&self) -> Result<Figures, MeasureError> {
        let mut figures = measure(&self.clip, self.before.as_ref())?;
        figures.events.channels_changed.clone_from(&self.channels_changed);
        Ok(figures)
    }
}
