//! The memory that the poses of a motion may take, in proportion to the size of its file.
//!
//! A small file can state a motion of any size: joints without tracks, two keys far apart, compressed arrays. A program
//! that cleans a motion holds its poses twice beside the file, its numbers and the written text, and promises to take at
//! most 12 times the size of the file and 64 MB. So a motion whose poses would break that promise is refused before they
//! are computed.

use core::fmt;

use surefoot_core::{Quat, Vec3};

/// Most memory of the poses, as a multiple of the size of the file.
///
/// A number takes at least five bytes in a real text file (`0.00`), which makes 3.7 times its size. A larger value
/// admits files that take more than 12 times their size to clean.
const TIMES_FILE: usize = 4;

/// Memory of the poses that a file of any size may take, in bytes. It is two minutes at 30 fps of a body of 60 joints.
const BESIDES: usize = 12 << 20;

/// Most joints of a skeleton. The largest rigs of films have a few thousand, and every joint takes a hundred bytes in
/// each of some twenty places, however short its line in the file is.
pub const MOST_JOINTS: usize = 10_000;

/// Memory of a joint in a pose, in bytes.
const PER_JOINT: usize = core::mem::size_of::<Vec3>() + core::mem::size_of::<Quat>();

/// Memory of a pose beside its joints, in bytes: two lists and their allocations.
const PER_POSE: usize = 80;

/// A motion whose poses take too much memory for the size of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// The joints of the skeleton.
    pub joints: usize,
    /// The frames of the motion.
    pub frames: usize,
    /// The size of the file, in bytes.
    pub file: usize,
}

impl TooLarge {
    /// Checks that the poses of a motion are in proportion to its file of `file` bytes.
    pub fn check(joints: usize, frames: usize, file: usize) -> Result<(), Self> {
        match joints <= MOST_JOINTS && poses_bytes(joints, frames) <= allowed_bytes(file) {
            true => Ok(()),
            false => Err(Self { joints, frames, file }),
        }
    }
}

/// The most frames that an edit may make of a motion, whose file grows in proportion to its frames.
pub fn most_frames_of_edit(joints: usize, frames: usize, file: usize) -> usize {
    let in_file = allowed_bytes(file).saturating_sub(BESIDES) as f64 / frames.max(1) as f64;
    let beyond_file = poses_bytes(joints, 1) as f64 - in_file;
    match beyond_file > 0.0 {
        true => ((BESIDES as f64 / beyond_file) as usize).max(frames),
        false => usize::MAX,
    }
}

/// The memory of poses, in bytes.
fn poses_bytes(joints: usize, frames: usize) -> usize {
    joints.saturating_mul(PER_JOINT).saturating_add(PER_POSE).saturating_mul(frames)
}

fn allowed_bytes(file: usize) -> usize {
    file.saturating_mul(TIMES_FILE).saturating_add(BESIDES)
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { joints, frames, file } = *self;
        if joints > MOST_JOINTS {
            return write!(f, "found {joints} joints, expected at most {MOST_JOINTS}");
        }
        let megabytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
        write!(
            f,
            "{frames} frames of {joints} joints take {:.0} MB, expected at most {:.0} MB: {TIMES_FILE} times the size of \
             the file and {:.0} MB",
            megabytes(poses_bytes(joints, frames)),
            megabytes(allowed_bytes(file)),
            megabytes(BESIDES),
        )
    }
}

impl core::error::Error for TooLarge {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_in_proportion_to_its_file_is_accepted() {
        // An hour at 120 fps of 31 joints, whose 96 numbers take five bytes each.
        let frames = 120 * 3600;
        assert_eq!(TooLarge::check(31, frames, frames * 96 * 5), Ok(()));
    }

    #[test]
    fn a_motion_out_of_proportion_is_refused_with_the_limit() {
        let error = TooLarge::check(8024, 3000, 1_287_505).unwrap_err();
        let text = "3000 frames of 8024 joints take 1286 MB, expected at most 17 MB: 4 times the size of the file and 12 MB";
        assert_eq!(error.to_string(), text);
        assert!(TooLarge::check(usize::MAX, usize::MAX, 1).is_err());
        let joints = TooLarge::check(400_000, 1, 100 << 20).unwrap_err();
        assert_eq!(joints.to_string(), "found 400000 joints, expected at most 10000");
    }

    #[test]
    fn a_longer_motion_is_compared_with_its_longer_file() {
        assert_eq!(most_frames_of_edit(31, 1000, 1000 * 96 * 5), usize::MAX);
        let most = most_frames_of_edit(3000, 50, 97_000);
        assert!((60..100).contains(&most), "{most}");
        assert_eq!(most_frames_of_edit(3000, 200, 97_000), 200);
    }
}
