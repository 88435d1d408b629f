//! Checks that two motions share a skeleton and a frame rate.

use core::fmt;

use surefoot_core::Motion;

/// Largest difference of a bone between two equal skeletons, as a share of the summed bone lengths.
///
/// It covers files that print offsets with few digits; a larger value would accept other bodies.
const SAME_BONE: f64 = 1e-3;

/// Largest relative difference of two equal frame rates. It covers rounding of the frame time in
/// files; 29.97 and 30 fps still differ.
const SAME_RATE: f64 = 1e-4;

/// Smallest distance of a joint from its rest offset that counts as a movement of its own, in metres. A stretched bone
/// differs by less.
const MIN_JOINT_MOVEMENT: f64 = 0.05;

/// Why two motions cannot be joined or blended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PairError {
    /// A motion without frames.
    NoFrames {
        /// 0 for the first, 1 for the second.
        motion: usize,
    },
    /// A pose that does not fit its skeleton or contains a number that is not finite.
    Pose {
        /// 0 for the first, 1 for the second.
        motion: usize,
        /// Which frame.
        frame: usize,
    },
    /// The frame rates differ.
    Rates {
        /// Frames per second of the first.
        first: f64,
        /// Of the second.
        second: f64,
    },
    /// The numbers of joints differ.
    Joints {
        /// Joints of the first.
        first: usize,
        /// Of the second.
        second: usize,
    },
    /// A joint has another name or another parent.
    Joint {
        /// Its name in the first.
        first: String,
        /// Its name in the second.
        second: String,
    },
    /// A time of the settings is not a positive number of seconds, or too long.
    Time {
        /// What it sets.
        name: &'static str,
        /// The time, in seconds.
        found: f64,
    },
    /// A bone has another length or direction.
    Bone {
        /// The joint at its end.
        joint: String,
        /// The distance between both offsets, in metres.
        by_m: f64,
    },
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = |motion: &usize| if *motion == 0 { "first" } else { "second" };
        match self {
            Self::NoFrames { motion } => write!(f, "the {} motion has no frames", which(motion)),
            Self::Pose { motion, frame } => {
                write!(
                    f,
                    "frame {frame} of the {} motion does not fit its skeleton or is not finite",
                    which(motion)
                )
            }
            Self::Rates { first, second } => {
                write!(f, "the first motion has {first} frames per second, but the second has {second}")
            }
            Self::Joints { first, second } => {
                write!(f, "the first skeleton has {first} joints, but the second has {second}")
            }
            Self::Joint { first, second } => write!(
                f,
                "the skeletons differ: where the first has joint {first:?}, the second has {second:?} or another parent"
            ),
            Self::Time { name, found } => {
                write!(f, "the {name} is {found} s, expected more than 0 s and at most {MAX_SECONDS} s")
            }
            Self::Bone { joint, by_m } => {
                write!(f, "the skeletons differ: the bone to joint {joint:?} differs by {:.1} mm", by_m * 1e3)
            }
        }
    }
}

impl core::error::Error for PairError {}

/// Returns an error unless both motions have the same skeleton and frame rate.
pub(crate) fn check(first: &Motion, second: &Motion) -> Result<(), PairError> {
    check_joints(first, second)?;
    if (first.fps - second.fps).abs() > SAME_RATE * first.fps {
        return Err(PairError::Rates { first: first.fps, second: second.fps });
    }
    let (a, b) = (first.skeleton.joints(), second.skeleton.joints());
    // The offset of a root is a position, not a bone, and so is that of a joint that moves relative to its parent.
    let moves = |motion: &Motion, joint: usize| {
        let rest = motion.skeleton.joints()[joint].offset;
        motion.poses.iter().any(|pose| pose.offsets[joint].distance(rest) > MIN_JOINT_MOVEMENT)
    };
    let is_bone = |&n: &usize| a[n].parent.is_some() && !(moves(first, n) && moves(second, n));
    let bones: Vec<usize> = (0..a.len()).filter(is_bone).collect();
    let size: f64 = bones.iter().map(|&n| a[n].offset.length()).sum();
    let apart = bones.iter().map(|&n| (&a[n], (a[n].offset - b[n].offset).length()));
    match apart.max_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((joint, by_m)) if by_m > SAME_BONE * size => {
            Err(PairError::Bone { joint: joint.name.clone(), by_m })
        }
        _ => Ok(()),
    }
}

/// Returns an error unless both motions have poses and the same joints, whatever the lengths of their bones are.
pub(crate) fn check_joints(first: &Motion, second: &Motion) -> Result<(), PairError> {
    for (which, motion) in [first, second].into_iter().enumerate() {
        check_one(motion, which)?;
    }
    let (a, b) = (first.skeleton.joints(), second.skeleton.joints());
    if a.len() != b.len() {
        return Err(PairError::Joints { first: a.len(), second: b.len() });
    }
    match a.iter().zip(b).find(|(a, b)| a.name != b.name || a.parent != b.parent) {
        Some((a, b)) => Err(PairError::Joint { first: a.name.clone(), second: b.name.clone() }),
        None => Ok(()),
    }
}

/// Longest window, cross-fade and blend window at a seam, in seconds. Memory grows with the window, and what takes a
/// minute is no transition.
const MAX_SECONDS: f64 = 60.0;

/// Returns an error for a time of the settings that is no time of a transition.
pub(crate) fn check_time(name: &'static str, seconds: f64) -> Result<(), PairError> {
    // A window of no length compares single poses.
    match (0.0..=MAX_SECONDS).contains(&seconds) {
        true => Ok(()),
        false => Err(PairError::Time { name, found: seconds }),
    }
}

/// Returns an error for a motion without frames or with an invalid pose.
pub(crate) fn check_one(motion: &Motion, which: usize) -> Result<(), PairError> {
    if motion.poses.is_empty() {
        return Err(PairError::NoFrames { motion: which });
    }
    let joints = motion.skeleton.len();
    let is_bad = |pose: &surefoot_core::Pose| {
        pose.offsets.len() != joints
            || pose.rotations.len() != joints
            || pose.offsets.iter().any(|offset| !offset.is_finite())
            || pose.rotations.iter().any(|rotation| !rotation.is_finite())
    };
    match motion.poses.iter().position(is_bad) {
        Some(frame) => Err(PairError::Pose { motion: which, frame }),
        None => Ok(()),
    }
}
