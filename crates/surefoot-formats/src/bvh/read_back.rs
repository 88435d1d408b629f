//! The motion in a file that was just written, without computing again what was copied from the original file.
//!
//! Most joints of a cleaned motion are as captured: the writer copies their numbers, and reading those back gives the
//! captured pose again. So the motion that was written serves as the result, and only the joints whose numbers
//! differ from the original's are computed from the numbers that were read.

use surefoot_core::{Motion, Pose};

use super::Bvh;
use crate::space::Space;

/// The joints of each row whose pose was bit for bit the one in the original file.
#[derive(Clone, Debug, Default)]
pub struct CopiedJoints {
    /// Row by row, an entry for each joint. Rows beyond the end of the original file have none.
    is_copied: Vec<bool>,
}

impl CopiedJoints {
    /// Adds a row: its pose in the original file, and the pose to write.
    pub(super) fn push_row(&mut self, captured: &Pose, pose: &Pose) {
        let offsets = captured.offsets.iter().zip(&pose.offsets);
        let rotations = captured.rotations.iter().zip(&pose.rotations);
        self.is_copied.extend(offsets.zip(rotations).map(|((a, b), (c, d))| {
            a.to_array().map(f64::to_bits) == b.to_array().map(f64::to_bits)
                && c.to_array().map(f64::to_bits) == d.to_array().map(f64::to_bits)
        }));
    }
}

impl Bvh {
    /// The whole motion in metres, Y up, of a file that was made by writing `written` over `original`.
    ///
    /// Equals [`Bvh::motion`] bit for bit.
    pub(crate) fn motion_written_over(
        &self,
        original: &Self,
        written: Motion,
        copied: &CopiedJoints,
        space: &Space,
    ) -> Motion {
        let is_same_table = self.channels == original.channels && self.skeleton == original.skeleton;
        if !is_same_table || self.frames != written.frames() {
            return self.motion(space);
        }
        let mut motion = Motion {
            skeleton: space.skeleton_from_file(&self.skeleton),
            fps: self.rate.value,
            poses: written.poses,
        };
        let joints = self.skeleton.len();
        let rows = copied.is_copied.chunks_exact(joints.max(1)).map(Some);
        for ((frame, pose), copied) in
            motion.poses.iter_mut().enumerate().zip(rows.chain(core::iter::repeat(None)))
        {
            match copied.filter(|_| frame < original.frames) {
                Some(copied) => self.read_changed_joints(frame, original, copied, space, pose),
                None => self.pose_of_row(self.row(frame), space, pose),
            }
        }
        motion
    }

    /// Computes the joints of a row whose numbers are not those of the original file.
    fn read_changed_joints(
        &self,
        frame: usize,
        original: &Self,
        copied: &[bool],
        space: &Space,
        pose: &mut Pose,
    ) {
        let (row, old) = (self.row(frame), original.row(frame));
        for (joint, channels) in self.channels_of.iter().enumerate() {
            if copied[joint] && row[channels.clone()] == old[channels.clone()] {
                continue;
            }
            (pose.offsets[joint], pose.rotations[joint]) = self.joint_of_row(joint, row, space);
        }
    }
}
