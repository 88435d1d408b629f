//! Finds the angles of bones with few degrees of freedom for a pose that was found without regard to them.
//!
//! A bone with three angles takes any rotation. Where a bone with fewer does not reach its rotation, it is solved
//! together with the bones above it, up to the first one with three: a leg of femur (3), tibia (1), foot (2) and toes (1).
//! Damped least squares bring the ends of the limited bones where the pose has them, which is where feet are planted, and
//! with a far smaller weight the orientations too.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Pose, Quat, Vec3};

use super::rotation;
use super::skeleton::{AcclaimSkeleton, Bone, Freedom};
use crate::bvh::euler::solve_angles;

/// Weight of the orientation error of a bone that carries the last one, such as a foot with its toes, relative to a
/// position error and times the size of the chain. Heels are planted too, and follow the orientation of the foot.
const CARRIER_ORIENTATION: f64 = 0.3;
/// The same of all other bones: enough to choose among the poses that have the same feet.
const ORIENTATION: f64 = 1e-3;
/// Weight of the end of the last bone, such as the tip of the toes, which must not move the bone that carries it.
const LAST_END: f64 = 1e-3;
/// Most steps of the solver. It takes 3 to 8 for a pose that can be reached.
const STEPS: usize = 40;
/// A step of less than this, in radians, ends the solution.
const SMALL_STEP: f64 = 1e-11;

/// The angles of a frame: the captured row, and the pose that it should have, in the file's unit and axes.
pub(super) struct Fit<'a> {
    pub skeleton: &'a AcclaimSkeleton,
    pub columns: &'a [core::ops::Range<usize>],
    /// Radians per angle of the file.
    pub radians: f64,
    pub pose: &'a Pose,
    /// For each bone, whether its rotation differs from that of the row.
    pub is_changed: &'a [bool],
}

impl Fit<'_> {
    /// Changes the angles of a row so that it has the pose, as far as its degrees of freedom allow.
    pub fn solve(&self, row: &mut [f64]) {
        let mut limited = Vec::new();
        for bone in (0..self.skeleton.bones.len()).filter(|&bone| self.is_changed[bone]) {
            if !self.solve_bone(bone, row) {
                limited.push(bone);
            }
        }
        let mut tops: Vec<usize> = limited.iter().map(|&bone| self.top(bone)).collect();
        tops.dedup();
        tops.sort_unstable();
        tops.dedup();
        for top in tops {
            let is_below = |bone: &usize| self.is_changed[*bone] && self.has_ancestor(*bone, top);
            let chain: Vec<usize> = (0..self.skeleton.bones.len()).filter(is_below).collect();
            self.solve_chain(&chain, row);
        }
    }

    /// Solves the angles of one bone. Returns whether they reach its rotation.
    fn solve_bone(&self, bone: usize, row: &mut [f64]) -> bool {
        let Bone { axes, freedoms, .. } = &self.skeleton.bones[bone];
        let wanted = axes.conjugate() * self.pose.rotations[bone] * *axes;
        // The solver's product is in the opposite order.
        let columns = self.rotations(bone).rev();
        let (columns, turned): (Vec<usize>, Vec<usize>) = columns.unzip();
        let mut angles: Vec<f64> = columns.iter().map(|&column| row[column] * self.radians).collect();
        let is_reached = solve_angles(&turned, wanted, &mut angles);
        if is_reached || freedoms.len() > 2 {
            columns.iter().zip(&angles).for_each(|(&column, angle)| row[column] = angle / self.radians);
        }
        is_reached
    }

    /// The columns of a bone's rotations, and their axes.
    fn rotations(&self, bone: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> + '_ {
        let freedoms = &self.skeleton.bones[bone].freedoms;
        let columns = self.columns[bone].clone().zip(freedoms);
        columns.filter_map(|(column, freedom)| match freedom {
            Freedom::Rotation(axis) => Some((column, *axis)),
            _ => None,
        })
    }

    fn parent(&self, bone: usize) -> Option<usize> {
        self.skeleton.skeleton.joints()[bone].parent.map(|parent| parent.index())
    }

    /// The nearest bone above, or itself, with three rotations; the bone below the root if there is none.
    fn top(&self, bone: usize) -> usize {
        let mut top = bone;
        while let Some(parent) = self.parent(top).filter(|&parent| parent > 0) {
            if self.rotations(top).count() >= 3 {
                break;
            }
            top = parent;
        }
        top
    }

    fn has_ancestor(&self, bone: usize, top: usize) -> bool {
        core::iter::successors(Some(bone), |&bone| self.parent(bone)).any(|bone| bone == top)
    }

    /// Damped least squares over all angles of a chain of bones.
    fn solve_chain(&self, chain: &[usize], row: &mut [f64]) {
        let columns: Vec<usize> =
            chain.iter().flat_map(|&bone| self.rotations(bone).map(|(column, _)| column)).collect();
        let wanted = self.pose.world(&self.skeleton.skeleton);
        let size = chain.iter().map(|&bone| self.skeleton.bones[bone].vector.length()).fold(0.0, f64::max);
        let mut damping = 1e-6;
        let mut system = self.system(chain, row, &wanted, size.max(f64::MIN_POSITIVE));
        for _ in 0..STEPS {
            let Some(step) = damped_step(&system, damping) else { return };
            let mut next = row.to_vec();
            columns.iter().zip(&step).for_each(|(&column, step)| next[column] += step / self.radians);
            let next_system = self.system(chain, &next, &wanted, size.max(f64::MIN_POSITIVE));
            if next_system.error() < system.error() {
                row.copy_from_slice(&next);
                system = next_system;
                damping = (damping * 0.1).max(1e-12);
            } else {
                damping *= 100.0;
            }
            if step.iter().all(|step| step.abs() < SMALL_STEP) || damping > 1e6 {
                return;
            }
        }
    }

    /// The residuals of a chain and their derivatives by its angles.
    fn system(&self, chain: &[usize], row: &[f64], wanted: &surefoot_core::WorldPose, size: f64) -> System {
        let bones = &self.skeleton.bones;
        let mut pose = self.pose.clone();
        for (bone, columns) in self.columns.iter().enumerate() {
            pose.rotations[bone] = rotation(&bones[bone], &row[columns.clone()], self.radians);
        }
        let world = pose.world(&self.skeleton.skeleton);
        let axes: Vec<(usize, Vec3)> =
            chain.iter().flat_map(|&bone| self.world_axes(bone, row, &world)).collect();
        let mut system = System::default();
        for &bone in chain {
            let end = |world: &surefoot_core::WorldPose| {
                world.positions[bone] + world.rotations[bone] * bones[bone].vector
            };
            let Weights { end: weight, orientation } = self.weights(bone, size);
            let error = (end(wanted) - end(&world)) * weight;
            let turn = rotation_vector(wanted.rotations[bone] * world.rotations[bone].conjugate());
            let derivative = |(of, axis): &(usize, Vec3)| {
                let moves = self.has_ancestor(bone, *of);
                let position = axis.cross(end(&world) - world.positions[*of]) * weight;
                if moves { (position, *axis * orientation) } else { (Vec3::ZERO, Vec3::ZERO) }
            };
            let derivatives: Vec<(Vec3, Vec3)> = axes.iter().map(derivative).collect();
            for n in 0..3 {
                system.push(error[n], derivatives.iter().map(|(position, _)| position[n]));
                system.push(turn[n] * orientation, derivatives.iter().map(|(_, turn)| turn[n]));
            }
        }
        system
    }

    /// The weights of a bone's errors in a chain of this size.
    fn weights(&self, bone: usize, size: f64) -> Weights {
        let joints = self.skeleton.skeleton.joints();
        let has_children =
            |bone: usize| joints.iter().any(|joint| joint.parent.is_some_and(|p| p.index() == bone));
        let is_child = |child: &usize| self.parent(*child) == Some(bone);
        let mut children = (0..joints.len()).filter(is_child).peekable();
        let is_last = children.peek().is_none();
        let is_carrier = !is_last && children.all(|child| !has_children(child));
        let end = match (self.rotations(bone).count() < 3, is_last) {
            (false, _) => 0.0,
            (true, true) => LAST_END / size,
            (true, false) => 1.0 / size,
        };
        Weights { end, orientation: if is_carrier { CARRIER_ORIENTATION } else { ORIENTATION } }
    }

    /// The axis of each rotation of a bone in world space.
    fn world_axes(&self, bone: usize, row: &[f64], world: &surefoot_core::WorldPose) -> Vec<(usize, Vec3)> {
        let parent = self.parent(bone).map_or(Quat::IDENTITY, |parent| world.rotations[parent]);
        let rotations: Vec<(usize, usize)> = self.rotations(bone).collect();
        let mut frame = parent * self.skeleton.bones[bone].axes;
        let mut axes = Vec::with_capacity(rotations.len());
        // The rotation that is listed last is the outermost one.
        for &(column, axis) in rotations.iter().rev() {
            axes.push((bone, frame * Vec3::AXES[axis]));
            frame *= axis_rotation(axis, row[column] * self.radians);
        }
        axes.reverse();
        axes
    }
}

/// The weights of the errors of a bone: of its end per length, and of its orientation per radian.
struct Weights {
    end: f64,
    orientation: f64,
}

/// Weighted residuals, and their derivatives row by row.
#[derive(Default)]
struct System {
    residuals: Vec<f64>,
    derivatives: Vec<Vec<f64>>,
}

impl System {
    fn push(&mut self, residual: f64, derivatives: impl Iterator<Item = f64>) {
        self.residuals.push(residual);
        self.derivatives.push(derivatives.collect());
    }

    fn error(&self) -> f64 {
        self.residuals.iter().map(|residual| residual * residual).sum()
    }
}

/// Solves `(Jᵀ·J + damping) · step = Jᵀ · residual` by Cholesky decomposition. `None` if a number overflows.
fn damped_step(system: &System, damping: f64) -> Option<Vec<f64>> {
    let count = system.derivatives.first()?.len();
    let mut matrix = vec![vec![0.0; count]; count];
    let mut right = vec![0.0; count];
    for (row, residual) in system.derivatives.iter().zip(&system.residuals) {
        for i in 0..count {
            right[i] += row[i] * residual;
            for j in 0..=i {
                matrix[i][j] += row[i] * row[j];
            }
        }
    }
    for i in 0..count {
        matrix[i][i] += damping;
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| matrix[i][k] * matrix[j][k]).sum();
            let value = matrix[i][j] - sum;
            matrix[i][j] =
                if i == j { surefoot_core::math::sqrt(value.max(1e-300)) } else { value / matrix[j][j] };
        }
    }
    for i in 0..count {
        let sum: f64 = (0..i).map(|k| matrix[i][k] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    for i in (0..count).rev() {
        let sum: f64 = (i + 1..count).map(|k| matrix[k][i] * right[k]).sum();
        right[i] = (right[i] - sum) / matrix[i][i];
    }
    right.iter().all(|step| step.is_finite()).then_some(right)
}

/// The axis of a rotation, times its angle in radians, for angles well below a half turn.
fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    Vec3::new(q.x, q.y, q.z) * 2.0
}
