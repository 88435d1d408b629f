//! Which channels does a motion need? The file's own, and more only where they cannot say it.
//!
//! A joint whose offset varies and has no position channels gets them. A joint with fewer or
//! other rotation channels than three axes, turned a way they cannot, gets three.

use core::ops::Range;

use surefoot_core::{JointId, Motion, Vec3};

use super::euler::walk_to;
use super::{Bvh, ChannelKind};
use crate::space::Space;

/// A column of the table to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub joint: JointId,
    pub kind: ChannelKind,
    /// The file's own column of the same meaning.
    pub captured: Option<usize>,
}

/// The columns of a table to be written.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    /// All columns, in the order they are written.
    pub all: Vec<Column>,
    /// Each joint's part of them.
    pub of: Vec<JointColumns>,
    /// The joints whose columns are not the file's, in the order of the text.
    pub changed: Vec<JointId>,
}

/// The columns of one joint.
#[derive(Clone, Debug, Default)]
pub(super) struct JointColumns {
    /// All of them: their places among the columns.
    pub all: Range<usize>,
    /// Those that turn the joint: their places and axes.
    pub turns: Vec<usize>,
    pub axes: Vec<usize>,
    /// Whether they are not the file's.
    pub is_changed: bool,
}

/// A change of an offset, in the file's unit, that six decimals do not show.
pub(super) const UNSEEN: f64 = 0.5e-6;

/// The order of rotation channels given to a joint whose own are too few.
const THREE_AXES: [usize; 3] = [2, 0, 1];

/// The columns that `motion` needs.
pub(super) fn columns(bvh: &Bvh, motion: &Motion, space: &Space) -> Columns {
    let mut columns = Columns {
        all: Vec::new(),
        of: vec![JointColumns::default(); bvh.skeleton.len()],
        changed: Vec::new(),
    };
    // Columns stand in the order of the CHANNELS in the text, which is not always the joints'.
    let mut joints: Vec<JointId> = bvh.skeleton.ids().collect();
    joints.sort_by_key(|joint| bvh.marks.channels[joint.index()].start);
    let needs = needs(bvh, motion, space);
    for joint in joints {
        let Needs { moves, turns, .. } = needs[joint.index()];
        let first = columns.all.len();
        columns.all.extend(joint_columns(bvh, joint, moves, turns));
        let all = first..columns.all.len();
        let is_turn = |at: &usize| matches!(columns.all[*at].kind, ChannelKind::Rotation(_));
        columns.of[joint.index()] = JointColumns {
            turns: all.clone().filter(is_turn).collect(),
            axes: rotation_axes(columns.all[all.clone()].iter().map(|column| column.kind)),
            all,
            is_changed: moves || turns,
        };
        if moves || turns {
            columns.changed.push(joint);
        }
    }
    columns
}

fn joint_columns(bvh: &Bvh, joint: JointId, moves: bool, turns: bool) -> Vec<Column> {
    let own = bvh.channels_of[joint.index()].clone();
    let captured = |kind| own.clone().find(|&column| bvh.channels[column].kind == kind);
    let column = |kind| Column { joint, kind, captured: captured(kind) };
    let is_kept = |kind: ChannelKind| match kind {
        ChannelKind::Position(_) => !moves,
        ChannelKind::Rotation(_) => !turns,
        ChannelKind::Other => true,
    };
    let moved = (0..3).filter(|_| moves).map(|axis| column(ChannelKind::Position(axis)));
    let kept = own.clone().filter(|&n| is_kept(bvh.channels[n].kind));
    let kept = kept.map(|n| Column { joint, kind: bvh.channels[n].kind, captured: Some(n) });
    let turned = THREE_AXES.into_iter().filter(|_| turns);
    let turned = turned.map(|axis| Column { joint, kind: ChannelKind::Rotation(axis), captured: None });
    moved.chain(kept).chain(turned).collect()
}

/// What one joint needs beyond its own channels.
struct Needs {
    /// Its offset varies along an axis that no channel speaks of.
    moves: bool,
    /// It is turned in a way that its own channels cannot make.
    turns: bool,
    /// The axes that no channel moves it along.
    free: [bool; 3],
    /// The axes its channels turn it about, unless they are three different ones.
    odd_axes: Option<Vec<usize>>,
    /// Its angles, for those.
    angles: Vec<f64>,
}

/// What every joint needs, in one pass over the poses.
fn needs(bvh: &Bvh, motion: &Motion, space: &Space) -> Vec<Needs> {
    let mut needs: Vec<Needs> = bvh.skeleton.ids().map(|joint| own_channels(bvh, joint)).collect();
    let rest: Vec<Vec3> =
        bvh.skeleton.joints().iter().map(|joint| space.position_from_file(joint.offset)).collect();
    for (frame, pose) in motion.poses.iter().enumerate() {
        for (n, need) in needs.iter_mut().enumerate() {
            if pose.offsets[n] != rest[n] && !need.moves {
                let apart = (space.position_to_file(pose.offsets[n]) - bvh.skeleton.joints()[n].offset).abs();
                need.moves = (0..3).any(|axis| need.free[axis] && apart[axis] > UNSEEN);
            }
            if let (Some(axes), false) = (&need.odd_axes, need.turns) {
                if frame < bvh.frames {
                    angles_of_row(bvh, bvh.channels_of[n].clone(), frame, &mut need.angles);
                }
                need.turns = !walk_to(axes, space.rotation_to_file(pose.rotations[n]), &mut need.angles);
            }
        }
    }
    needs
}

fn own_channels(bvh: &Bvh, joint: JointId) -> Needs {
    let channels = &bvh.channels[bvh.channels_of[joint.index()].clone()];
    let is_free = |axis: usize| !channels.iter().any(|channel| channel.kind == ChannelKind::Position(axis));
    let axes = rotation_axes(channels.iter().map(|channel| channel.kind));
    Needs {
        moves: false,
        turns: false,
        free: core::array::from_fn(is_free),
        angles: vec![0.0; axes.len()],
        odd_axes: Some(axes).filter(|axes| three_axes(axes).is_none()),
    }
}

/// The captured angles of one joint, in radians, less whole turns: those would take up the digits of a large one.
fn angles_of_row(bvh: &Bvh, own: Range<usize>, frame: usize, angles: &mut [f64]) {
    let row = bvh.row(frame);
    let turns = own.filter(|&column| matches!(bvh.channels[column].kind, ChannelKind::Rotation(_)));
    for (angle, column) in angles.iter_mut().zip(turns) {
        *angle = (row[column] % 360.0).to_radians();
    }
}

/// The axes that these channels turn about, in their order.
fn rotation_axes(kinds: impl Iterator<Item = ChannelKind>) -> Vec<usize> {
    let axis = |kind| match kind {
        ChannelKind::Rotation(axis) => Some(axis),
        _ => None,
    };
    kinds.filter_map(axis).collect()
}

/// The axes, if they are three different ones.
pub(super) fn three_axes(axes: &[usize]) -> Option<[usize; 3]> {
    let three: [usize; 3] = axes.try_into().ok()?;
    let [a, b, c] = three;
    (a != b && b != c && c != a).then_some(three)
}
