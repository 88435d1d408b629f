//! The poses inside the cleaner, and the pose that leaves it.
//!
//! In nearly every file all offsets but the root's are those of the skeleton. A pose is stored as its
//! rotations and its root position, and leaves with the skeleton's offsets; the offsets are stored only for
//! poses that have their own.

use surefoot_core::{JointId, Pose, Quat, Vec3};
use wide::f64x2;

use crate::kinematics::leg::LegCorrection;
use crate::kinematics::leg_fk::CapturedPose;
use crate::kinematics::rotation::rotate;
use crate::setup::{LegSetup, Setup};
use crate::stream::slots::LegCost;

/// The poses that some phase still needs, by ring index.
#[derive(Clone, Debug)]
pub(crate) struct Poses {
    stored: Vec<StoredPose>,
    /// Offsets of every pose, one after the other; empty until a pose has its own.
    offsets: Vec<Vec3>,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
struct StoredPose {
    rotations: Vec<Quat>,
    root: Vec3,
    /// Whether joints other than the root have other offsets than in the skeleton.
    has_own_offsets: bool,
}

/// The frame that left the cleaner last.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub pose: Pose,
    /// The correction of each leg; `None` where it is as captured.
    pub corrections: Vec<Option<LegCorrection>>,
    /// How far each toe tip that is planted beside the ball is from its spot, in metres; `None` where none is held.
    pub toe_errors: Vec<Option<f64>>,
    has_own_offsets: bool,
}

impl Output {
    pub fn new(setup: &Setup) -> Self {
        let rotations = vec![Quat::IDENTITY; setup.offsets.len()];
        Self {
            pose: Pose { offsets: setup.offsets.clone(), rotations },
            corrections: vec![None; setup.legs.len()],
            toe_errors: vec![None; setup.legs.len()],
            has_own_offsets: false,
        }
    }

    /// What the correction of a leg cost.
    pub fn cost(&self, leg: usize) -> LegCost {
        let toe_error = self.toe_errors[leg];
        let cost = |correction: &LegCorrection| LegCost {
            stretch: correction.stretch,
            target_error: correction.target_error,
            toe_error,
        };
        self.corrections[leg].as_ref().map_or_else(|| LegCost { toe_error, ..LegCost::default() }, cost)
    }

    /// Applies the correction of a leg to its joints. Sets the bone lengths of a leg without one too, since they
    /// may still be those of the frame before.
    #[inline(always)]
    pub fn apply(&mut self, leg: usize, setup: &LegSetup) {
        let Self { pose, corrections, has_own_offsets, .. } = self;
        let Some(correction) = &corrections[leg] else {
            return set_bone_lengths(pose, *has_own_offsets, &setup.bones, 0.0);
        };
        set_bone_lengths(pose, *has_own_offsets, &setup.bones, correction.stretch);
        let joints = [setup.leg.hip, setup.leg.knee, setup.leg.ankle];
        let rotations = [correction.hip, correction.knee, correction.ankle];
        for (joint, rotation) in joints.into_iter().zip(rotations) {
            let captured = &mut pose.rotations[joint.index()];
            *captured = rotation * *captured;
        }
    }
}

/// Sets bones to their captured length, stretched by a fraction.
fn set_bone_lengths(pose: &mut Pose, has_own_offsets: bool, bones: &[(JointId, Vec3)], stretch: f64) {
    for (joint, skeleton_offset) in bones {
        let offset = &mut pose.offsets[joint.index()];
        *offset = if has_own_offsets { *offset } else { *skeleton_offset } * (1.0 + stretch);
    }
}

/// The last joint of a chain, relative to the joint above the chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainEnd {
    pub position: Vec3,
    /// Rotation of the joint before the last.
    pub parent: Quat,
}

impl ChainEnd {
    pub fn of(
        chain: &[JointId],
        offset: impl Fn(JointId) -> Vec3,
        rotation: impl Fn(JointId) -> Quat,
    ) -> Self {
        let mut end = Self { position: Vec3::ZERO, parent: Quat::IDENTITY };
        for (n, joint) in chain.iter().enumerate() {
            end.position += rotate(end.parent, offset(*joint));
            if n + 1 < chain.len() {
                end.parent *= rotation(*joint);
            }
        }
        end
    }
}

impl Poses {
    /// Room for `count` poses.
    pub fn new(setup: &Setup, count: usize) -> Self {
        let rotations = vec![Quat::IDENTITY; setup.offsets.len()];
        let empty = StoredPose { rotations, root: Vec3::ZERO, has_own_offsets: false };
        Self { stored: vec![empty; count], offsets: Vec::new() }
    }

    /// Stores a pose that fits the skeleton. Returns whether its rotations are finite.
    #[must_use]
    pub fn store(&mut self, setup: &Setup, index: usize, captured: CapturedPose) -> bool {
        let CapturedPose { pose, has_own_offsets } = captured;
        let stored = &mut self.stored[index];
        stored.rotations.copy_from_slice(&pose.rotations);
        stored.root = pose.offsets.get(setup.root.index()).copied().unwrap_or_default();
        stored.has_own_offsets = has_own_offsets;
        if has_own_offsets {
            self.reserve_offsets(setup);
            let joints = setup.offsets.len();
            self.offsets[index * joints..][..joints].copy_from_slice(&pose.offsets);
        }
        are_finite(&pose.rotations)
    }

    /// The captured position of the root; stays valid after the pose has been taken.
    pub fn root(&self, index: usize) -> Vec3 {
        self.stored[index].root
    }

    /// The captured position of a joint, in world space; `above` are the joints above it, from the root on. Valid until the
    /// pose is taken.
    pub fn joint_position(&self, setup: &Setup, index: usize, above: &[JointId], joint: JointId) -> Vec3 {
        let (mut position, mut rotation) = (Vec3::ZERO, Quat::IDENTITY);
        for joint in above {
            position += rotation * self.offset(setup, index, *joint);
            rotation *= self.stored[index].rotations[joint.index()];
        }
        position + rotation * self.offset(setup, index, joint)
    }

    fn offset(&self, setup: &Setup, index: usize, joint: JointId) -> Vec3 {
        match joint == setup.root {
            true => self.stored[index].root,
            false if self.stored[index].has_own_offsets => {
                self.offsets[index * setup.offsets.len() + joint.index()]
            }
            false => setup.offsets[joint.index()],
        }
    }

    /// The captured end of a chain, relative to the joint above the chain. Valid until the pose is taken.
    pub fn chain_end(&self, setup: &Setup, index: usize, chain: &[JointId]) -> ChainEnd {
        let rotation = |joint: JointId| self.stored[index].rotations[joint.index()];
        ChainEnd::of(chain, |joint| self.offset(setup, index, joint), rotation)
    }

    /// Reads from every cache line of the stored rotations. See [`Window::prefetch`].
    ///
    /// [`Window::prefetch`]: super::window::Window::prefetch
    pub fn prefetch(&self, index: usize) -> f64 {
        self.stored[index].rotations.iter().step_by(2).map(|rotation| rotation.x).sum()
    }

    /// Allocates the offsets of poses that have their own.
    #[cold]
    pub fn reserve_offsets(&mut self, setup: &Setup) {
        self.offsets.resize(self.stored.len() * setup.offsets.len(), Vec3::ZERO);
    }

    /// Moves a stored pose to the output; the stored pose is invalid afterwards.
    ///
    /// The bones of the legs may still have the length of the frame before; [`Output::apply`] sets them.
    pub fn take(&mut self, setup: &Setup, index: usize, output: &mut Output) {
        let (pose, stored, joints) = (&mut output.pose, &mut self.stored[index], setup.offsets.len());
        core::mem::swap(&mut pose.rotations, &mut stored.rotations);
        if stored.has_own_offsets {
            pose.offsets.copy_from_slice(&self.offsets[index * joints..][..joints]);
        } else if output.has_own_offsets {
            pose.offsets.copy_from_slice(&setup.offsets);
        }
        if let Some(root) = pose.offsets.get_mut(setup.root.index()) {
            *root = stored.root;
        }
        output.has_own_offsets = stored.has_own_offsets;
    }
}

/// Whether all components are finite: NaN and infinity propagate through their sum.
///
/// Four sums of two lanes, so that the additions need not wait for each other.
fn are_finite(rotations: &[Quat]) -> bool {
    let (eights, rest) = bytemuck::cast_slice::<Quat, f64>(rotations).as_chunks::<8>();
    let mut sums = [f64x2::ZERO; 4];
    for eight in eights {
        for (sum, two) in sums.iter_mut().zip(eight.as_chunks::<2>().0) {
            *sum += f64x2::new(*two);
        }
    }
    let sum: f64 = (sums[0] + sums[1] + (sums[2] + sums[3])).to_array().iter().chain(rest).sum();
    sum.is_finite()
}
