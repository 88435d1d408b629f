//! Decides which channels a changed motion needs: the file's own, and more where they cannot
//! represent it.
//!
//! A joint whose offset varies without position channels gets three. A joint with fewer than three
//! rotation axes gets three if its own cannot represent a rotation of the motion.

use core::ops::Range;

use surefoot_core::{JointId, Motion, Vec3};

use super::euler::solve_angles;
use super::{Bvh, ChannelKind};
use crate::space::Space;

/// A column of the table to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub joint: JointId,
    pub kind: ChannelKind,
    /// The column of the file with the same meaning.
    pub captured: Option<usize>,
}

/// The columns of the table to write.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// All columns, in the order they are written.
    pub all: Vec<Column>,
    /// For each joint, its columns.
    pub of: Vec<JointColumns>,
    /// The joints whose columns differ from the file's, in the order of the text.
    pub changed: Vec<JointId>,
}

/// The columns of one joint.
#[derive(Clone, Debug, Default)]
pub(super) struct JointColumns {
    /// Indices of all its columns.
    pub all: Range<usize>,
    /// Indices of its rotation columns.
    pub rotations: Vec<usize>,
    /// The axes of its rotation columns, in the same order.
    pub axes: Vec<usize>,
    /// Whether they differ from the file's.
    pub is_changed: bool,
}

/// Largest change of a number that printing with six decimals does not show, in the file's unit or
/// degrees. A number with a smaller change is copied from the file.
pub(super) const INVISIBLE: f64 = 0.5e-6;

/// Order of the rotation channels added to a joint: Z, X, Y, as most programs write them.
const ADDED_ROTATIONS: [usize; 3] = [2, 0, 1];

/// The columns that represent `motion`.
pub(super) fn columns(bvh: &Bvh, motion: &Motion, space: &Space) -> Columns {
    let mut columns = Columns {
        all: Vec::new(),
        of: vec![JointColumns::default(); bvh.skeleton.len()],
        changed: Vec::new(),
    };
    // Columns follow the order of CHANNELS in the text, which can differ from that of the joints.
    let mut joints: Vec<JointId> = bvh.skeleton.ids().collect();
    joints.sort_by_key(|joint| bvh.spans.channels[joint.index()].start);
    let needs = needs(bvh, motion, space);
    for joint in joints {
        let need = &needs[joint.index()];
        let first = columns.all.len();
        columns.all.extend(joint_columns(bvh, joint, need));
        let all = first..columns.all.len();
        let is_rotation = |at: &usize| matches!(columns.all[*at].kind, ChannelKind::Rotation(_));
        columns.of[joint.index()] = JointColumns {
            rotations: all.clone().filter(is_rotation).collect(),
            axes: rotation_axes(columns.all[all.clone()].iter().map(|column| column.kind)),
            all,
            is_changed: need.positions || need.rotations,
        };
        if need.positions || need.rotations {
            columns.changed.push(joint);
        }
    }
    columns
}

/// The columns of one joint: added positions, the file's own channels, added rotations.
fn joint_columns(bvh: &Bvh, joint: JointId, need: &Needs) -> Vec<Column> {
    let own = bvh.channels_of[joint.index()].clone();
    let captured = |kind| own.clone().find(|&column| bvh.channels[column].kind == kind);
    let column = |kind| Column { joint, kind, captured: captured(kind) };
    let is_kept = |kind: ChannelKind| match kind {
        ChannelKind::Position(_) => !need.positions,
        ChannelKind::Rotation(_) => !need.rotations,
        ChannelKind::Other => true,
    };
    let positions = (0..3).filter(|_| need.positions).map(|axis| column(ChannelKind::Position(axis)));
    let kept = own.clone().filter(|&n| is_kept(bvh.channels[n].kind));
    let kept = kept.map(|n| Column { joint, kind: bvh.channels[n].kind, captured: Some(n) });
    let rotations = ADDED_ROTATIONS.into_iter().filter(|_| need.rotations);
    let rotations = rotations.map(|axis| Column { joint, kind: ChannelKind::Rotation(axis), captured: None });
    positions.chain(kept).chain(rotations).collect()
}

/// Whether one joint needs other channels than its own.
struct Needs {
    /// Its offset varies along an axis without a position channel.
    positions: bool,
    /// It has a rotation that its own channels cannot represent.
    rotations: bool,
    /// The axes without a position channel.
    fixed_axes: [bool; 3],
    /// The axes of its rotation channels, unless they are three different ones.
    odd_axes: Option<Vec<usize>>,
    /// The current angles about `odd_axes`.
    angles: Vec<f64>,
}

/// The needs of every joint, in one pass over the poses.
fn needs(bvh: &Bvh, motion: &Motion, space: &Space) -> Vec<Needs> {
    let mut needs: Vec<Needs> = bvh.skeleton.ids().map(|joint| own_channels(bvh, joint)).collect();
    let rest: Vec<Vec3> =
        bvh.skeleton.joints().iter().map(|joint| space.position_from_file(joint.offset)).collect();
    for (frame, pose) in motion.poses.iter().enumerate() {
        for (n, need) in needs.iter_mut().enumerate() {
            if pose.offsets[n] != rest[n] && !need.positions {
                let moved = (space.position_to_file(pose.offsets[n]) - bvh.skeleton.joints()[n].offset).abs();
                need.positions = (0..3).any(|axis| need.fixed_axes[axis] && moved[axis] > INVISIBLE);
            }
            if let (Some(axes), false) = (&need.odd_axes, need.rotations) {
                if frame < bvh.frames {
                    captured_angles(bvh, bvh.channels_of[n].clone(), frame, &mut need.angles);
                }
                let rotation = space.rotation_to_file(pose.rotations[n]);
                need.rotations = !solve_angles(axes, rotation, &mut need.angles);
            }
        }
    }
    needs
}

fn own_channels(bvh: &Bvh, joint: JointId) -> Needs {
    let channels = &bvh.channels[bvh.channels_of[joint.index()].clone()];
    let is_fixed = |axis: usize| !channels.iter().any(|channel| channel.kind == ChannelKind::Position(axis));
    let axes = rotation_axes(channels.iter().map(|channel| channel.kind));
    Needs {
        positions: false,
        rotations: false,
        fixed_axes: core::array::from_fn(is_fixed),
        angles: vec![0.0; axes.len()],
        odd_axes: Some(axes).filter(|axes| three_axes(axes).is_none()),
    }
}

/// Writes the captured angles of one joint to `angles`, in radians. Whole turns are removed, since
/// they would cost a large angle its precision.
fn captured_angles(bvh: &Bvh, own: Range<usize>, frame: usize, angles: &mut [f64]) {
    let row = bvh.row(frame);
    let rotations = own.filter(|&column| matches!(bvh.channels[column].kind, ChannelKind::Rotation(_)));
    for (angle, column) in angles.iter_mut().zip(rotations) {
        *angle = (row[column] % 360.0).to_radians();
    }
}

/// The axes of the rotation channels, in their order.
fn rotation_axes(kinds: impl Iterator<Item = ChannelKind>) -> Vec<usize> {
    let axis = |kind| match kind {
        ChannelKind::Rotation(axis) => Some(axis),
        _ => None,
    };
    kinds.filter_map(axis).collect()
}

/// The axes as an array, if they are three different ones.
pub(super) fn three_axes(axes: &[usize]) -> Option<[usize; 3]> {
    let three: [usize; 3] = axes.try_into().ok()?;
    let [a, b, c] = three;
    (a != b && b != c && c != a).then_some(three)
}
