//! A capture with its plants, unchanged or with a longer root path.

use std::borrow::Cow;
use std::path::Path;

use surefoot::contact::{self, detect};
use surefoot::core::Vec3;
use surefoot::measure::Figures;
use surefoot::{Clip, Motion, MotionFile, Settings, finish};

use super::options::Options;

/// A capture that can be cleaned, with the plants that were detected in it.
pub struct Capture {
    pub name: String,
    pub file: MotionFile,
}

impl Capture {
    /// `None` for a file that cannot be read or has no legs or no floor.
    pub fn read(path: &Path, options: &Options) -> Option<Self> {
        let mut file = MotionFile::load(path).ok()?;
        file.require_legs().ok()?;
        let floor = file.detection_floor()?;
        let settings =
            contact::Settings { edges: options.edges, detector: options.method, ..file.detection_settings() };
        let plants = detect(&file.clip.motion, &file.clip.legs, Some(&floor), &settings);
        file.set_detected_plants(plants);
        Some(Self { name: path.file_name()?.to_string_lossy().into_owned(), file })
    }

    /// The clip with its root path over the ground made longer. The plants stay those of the capture.
    fn clip(&self, scale: f64) -> Cow<'_, Clip> {
        if scale == 1.0 {
            return Cow::Borrowed(&self.file.clip);
        }
        let clip = self.file.clip.relative_to_ground();
        let motion = scale_root_path(&clip.motion, clip.first_frame, scale);
        Cow::Owned(Clip { motion, ..clip })
    }

    /// Cleans the capture, writes it, reads the bytes back and measures them.
    pub fn clean(&self, scale: f64, settings: &Settings) -> Option<Figures> {
        finish(self.file.target(), self.clip(scale), &(*settings).into()).ok().map(|clean| clean.figures)
    }
}

/// Scales the horizontal path of the root, from `first_frame` on.
fn scale_root_path(motion: &Motion, first_frame: usize, scale: f64) -> Motion {
    let mut motion = motion.clone();
    let Some(start) = motion.poses.get(first_frame).map(|pose| pose.offsets[0]) else { return motion };
    for pose in &mut motion.poses[first_frame..] {
        let offset = pose.offsets[0] - start;
        pose.offsets[0] = start + Vec3::new(offset.x * scale, offset.y, offset.z * scale);
    }
    motion
}
