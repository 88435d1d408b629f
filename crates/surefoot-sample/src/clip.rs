//! A sample as a clip, for cleaning and measuring.

use surefoot_core::Clip;

use crate::sample::Sample;

impl Sample {
    /// The sample as a clip with its true plants. Copies the motion.
    pub fn clip(&self) -> Clip {
        self.clone().into_clip()
    }

    /// The sample as a clip with its true plants.
    pub fn into_clip(self) -> Clip {
        let Self { motion, legs, plants, floor, .. } = self;
        Clip { motion, legs, plants, floor: Some(floor), ..Clip::default() }
    }
}
