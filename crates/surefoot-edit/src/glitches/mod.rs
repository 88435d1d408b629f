//! Glitches: one or two frames in which a capture jumps away and comes back.
//!
//! A marker that is lost or swapped throws joints off for a frame. A correction that follows such a frame spreads
//! the jump over its windows. With [`Settings::repair_glitches`] the cleaner gets the motion without glitches.
//!
//! `find` recognises glitches, `curve` interpolates across them.

mod curve;
mod find;

pub use find::find;

use std::borrow::Cow;

use surefoot_core::{Clip, FrameRange, JointId, Motion};
use surefoot_solve::Settings;

/// One or two frames in which some joints jump away and come back; more at high frame rates.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Glitch {
    /// The frames.
    pub frames: FrameRange,
    /// The joints that jump, with how far they do.
    pub jumps: Vec<Jump>,
}

/// How far a joint jumps in a glitch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Jump {
    /// The joint.
    pub joint: JointId,
    /// The largest rotation away from the frames around, in radians.
    pub angle: f64,
    /// The largest distance from the frames around, in metres: of a root, or of a joint with translations.
    pub distance: f64,
}

/// The glitches of a clip that these settings repair.
pub fn of_clip(clip: &Clip, settings: &Settings) -> Vec<Glitch> {
    match settings.repair_glitches {
        true => find(&clip.motion, &clip.legs, clip.first_frame),
        false => Vec::new(),
    }
}

/// The motion of a clip without its glitches, for a detector of contacts.
pub fn without_glitches(clip: &Clip) -> Cow<'_, Motion> {
    match find(&clip.motion, &clip.legs, clip.first_frame).as_slice() {
        [] => Cow::Borrowed(&clip.motion),
        glitches => Cow::Owned(repaired(&clip.motion, glitches)),
    }
}

/// The motion with its glitches replaced by what lies around them.
pub fn repaired(motion: &Motion, glitches: &[Glitch]) -> Motion {
    let mut repaired = motion.clone();
    for glitch in glitches {
        for frame in glitch.frames.clone() {
            for Jump { joint, .. } in &glitch.jumps {
                let (offset, rotation) = curve::interpolated(motion, *joint, &glitch.frames, frame);
                repaired.poses[frame].offsets[joint.index()] = offset;
                repaired.poses[frame].rotations[joint.index()] = rotation;
            }
        }
    }
    repaired
}
