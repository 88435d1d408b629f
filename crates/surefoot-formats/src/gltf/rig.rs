//! Chooses the nodes that are joints, and their order, parents and rest transforms.
//!
//! `node_joints.rs` chooses them. Nodes above the first joint that do not move become its base, such as the armature of
//! Blender with its scale of 0.01.

use surefoot_core::math::Mat3;
use surefoot_core::{Joint, JointId, Pose, Quat, Skeleton, Vec3};

use super::document::{Document, Node};
use super::error::{GltfError, quoted};
use super::track::{Interpolation, Moment, Path, Track, rotation, vector};
use crate::node_joints::Forest;
use crate::node_transforms::{Affine, NodeTransform, NodeTransforms};

/// Relative change of a scale, and change of an offset relative to the longest one, that is rounding in the file.
const ROUNDING: f64 = 1e-5;

/// The joints of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Rig {
    /// The node of each joint, parents first.
    pub joints: Vec<RigJoint>,
    /// The skeleton in the file's unit and axes.
    pub skeleton: Skeleton,
    /// Converts the transforms of the joints to poses.
    pub transforms: NodeTransforms,
    /// Irregularities, one sentence each.
    pub notes: Vec<String>,
}

/// A node that is a joint.
#[derive(Clone, Debug)]
pub(super) struct RigJoint {
    /// Its index in the document.
    pub node: usize,
    /// The transform where no track applies.
    pub rest: NodeTransform,
    /// The index of the track of each property, if it varies.
    pub varying: [Option<usize>; 3],
    /// The index of the track of each property, if there is one.
    pub tracks: [Option<usize>; 3],
}

impl RigJoint {
    /// The transform at a moment.
    pub fn transform<'t>(&self, tracks: &'t [Track], moment: &mut Moment<'t>) -> NodeTransform {
        let mut value = |path: Path| {
            let track = &tracks[self.varying[path as usize]?];
            Some(track.value_at(moment.position(track)))
        };
        NodeTransform {
            translation: value(Path::Translation).map_or(self.rest.translation, vector),
            rotation: value(Path::Rotation).map_or(self.rest.rotation, rotation),
            scale: value(Path::Scale).map_or(self.rest.scale, vector),
        }
    }
}

/// The nodes of a document as a forest.
fn forest(document: &Document) -> Result<Forest, GltfError> {
    let nodes = &document.nodes;
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for &child in &node.children {
            let at = || format!("node {parent}{}", quoted(&node.name));
            let Some(slot) = parents.get_mut(child) else {
                let (found, expected) = (format!("child {child}"), format!("one of {} nodes", nodes.len()));
                return Err(GltfError::new(at(), found, expected));
            };
            if let Some(other) = slot.replace(parent) {
                let found = format!("child {child}, which is a child of node {other} too");
                return Err(GltfError::new(at(), found, "one parent for each node"));
            }
        }
    }
    let mut order: Vec<usize> = Vec::with_capacity(nodes.len());
    let mut open: Vec<usize> = (0..nodes.len()).rev().filter(|&node| parents[node].is_none()).collect();
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(nodes[node].children.iter().rev());
    }
    match order.len() == nodes.len() {
        true => Ok(Forest { parents, order }),
        false => Err(GltfError::new("nodes", "a node that is its own ancestor", "a tree")),
    }
}

impl Rig {
    /// The joints that these tracks and the skins of the document move.
    pub fn new(document: &Document, tracks: &[Track]) -> Result<Self, GltfError> {
        let forest = forest(document)?;
        let is_joint = joint_nodes(document, tracks, &forest)?;
        let nodes: Vec<usize> = forest.order.iter().copied().filter(|&node| is_joint[node]).collect();
        let mut notes = Vec::new();
        let affines: Vec<Affine> = document.nodes.iter().map(local_affine).collect();
        let mut index_of = vec![None; document.nodes.len()];
        let (mut skeleton, mut bases) = (Vec::new(), Vec::new());
        for (index, &node) in nodes.iter().enumerate() {
            index_of[node] = Some(index);
            let parent = forest.parents[node].and_then(|parent| index_of[parent]);
            let name = document.nodes[node].name.clone().unwrap_or_else(|| format!("node {node}"));
            let parent_id = parent.map(|parent| JointId(parent as u32));
            skeleton.push(Joint { name, parent: parent_id, offset: Vec3::ZERO, end: None });
            bases.push(
                parent
                    .is_none()
                    .then(|| base(&forest, &affines, node))
                    .filter(|base| *base != Affine::IDENTITY),
            );
        }
        let mut joints: Vec<RigJoint> = nodes
            .iter()
            .map(|&node| rig_joint(node, &document.nodes[node], &affines[node], &mut notes))
            .collect();
        add_tracks(&mut joints, tracks, &index_of);
        fix_still_properties(&mut joints, tracks, &skeleton);
        let not_finite = |_| GltfError::new("nodes", "a transform that is not finite", "numbers");
        let skeleton = Skeleton::new(skeleton).map_err(not_finite)?;
        let transforms = NodeTransforms::new(&skeleton, bases);
        let skeleton = at_rest(&skeleton, &transforms, &joints, &ends(document, &joints, &is_joint));
        let skeleton = skeleton.map_err(not_finite)?;
        Ok(Self { joints, skeleton, transforms, notes })
    }
}

/// Which nodes are joints.
fn joint_nodes(document: &Document, tracks: &[Track], forest: &Forest) -> Result<Vec<bool>, GltfError> {
    let count = document.nodes.len();
    let mut is_joint = vec![false; count];
    for (n, skin) in document.skins.iter().enumerate() {
        for &joint in &skin.joints {
            let Some(slot) = is_joint.get_mut(joint) else {
                let at = format!("skin {n}{}", quoted(&skin.name));
                return Err(GltfError::new(at, format!("joint {joint}"), format!("one of {count} nodes")));
            };
            *slot = true;
        }
    }
    let (mut is_animated, mut is_moving) = (vec![false; count], vec![false; count]);
    for track in tracks {
        is_animated[track.node] = true;
        is_moving[track.node] |= varies(track, 0.0);
    }
    let is_joint = forest.joints(is_joint, &is_animated, &is_moving);
    match is_joint.contains(&true) {
        true => Ok(is_joint),
        false => Err(GltfError::new("the file", "no skin and no animation of nodes", "joints to move")),
    }
}

/// The greatest distance of a key from the first one is more than `rounding`, or the curve leaves its keys.
fn varies(track: &Track, rounding: f64) -> bool {
    let first = track.key_value(0);
    let is_far = |key: usize| {
        let value = track.key_value(key);
        (0..4).any(|n| (value[n] - first[n]).abs() > rounding)
    };
    let has_tangent =
        |key: usize| [0, 2].iter().any(|&part| track.stored(key, part).iter().any(|n| *n != 0.0));
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    (0..track.times.len()).any(|key| is_far(key) || (is_spline && has_tangent(key)))
}

/// The matrix of a node relative to its parent.
pub(super) fn local_affine(node: &Node) -> Affine {
    if let Some(m) = &node.matrix {
        let column = |n: usize| Vec3::new(m[4 * n], m[4 * n + 1], m[4 * n + 2]);
        return Affine { linear: Mat3::from_cols(column(0), column(1), column(2)), translation: column(3) };
    }
    Affine::from(&local_transform(node))
}

fn local_transform(node: &Node) -> NodeTransform {
    let rotation = node.rotation.map(Quat::from_array).filter(|q| q.is_finite() && q.length() > 0.0);
    NodeTransform {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation: rotation.map_or(Quat::IDENTITY, |rotation| rotation.normalize()),
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    }
}

/// The matrix of everything above a node.
fn base(forest: &Forest, affines: &[Affine], node: usize) -> Affine {
    forest.ancestors(node).fold(Affine::IDENTITY, |base, above| affines[above].then(&base))
}

fn rig_joint(node: usize, source: &Node, affine: &Affine, notes: &mut Vec<String>) -> RigJoint {
    let rest = match source.matrix {
        None => local_transform(source),
        Some(_) => {
            let (rest, has_shear) = NodeTransform::from_affine(affine);
            if has_shear {
                notes.push(format!(
                    "node {node}{}: its matrix has shear, which is left out",
                    quoted(&source.name)
                ));
            }
            rest
        }
    };
    RigJoint { node, rest, varying: [None; 3], tracks: [None; 3] }
}

fn add_tracks(joints: &mut [RigJoint], tracks: &[Track], index_of: &[Option<usize>]) {
    for (index, track) in tracks.iter().enumerate() {
        if let Some(joint) = index_of[track.node] {
            // Of two tracks for one property, which the specification forbids, the last one counts.
            joints[joint].tracks[track.path as usize] = Some(index);
            joints[joint].varying[track.path as usize] = Some(index);
        }
    }
}

/// Makes scales and offsets constant that vary by rounding only, so that bones are rigid where the animator left them so.
fn fix_still_properties(joints: &mut [RigJoint], tracks: &[Track], skeleton: &[Joint]) {
    let longest = joints.iter().map(|joint| joint.rest.translation.length()).fold(0.0, f64::max);
    for (joint, place) in joints.iter_mut().zip(skeleton) {
        let first = |track: usize| vector(tracks[track].key_value(0));
        if let Some(track) =
            joint.varying[Path::Scale as usize].filter(|&track| !varies(&tracks[track], ROUNDING))
        {
            joint.rest.scale = first(track);
            joint.varying[Path::Scale as usize] = None;
        }
        joint.rest.scale = without_rounding(joint.rest.scale);
        let still = |&track: &usize| !varies(&tracks[track], ROUNDING * longest);
        let translation = joint.varying[Path::Translation as usize].filter(|_| place.parent.is_some());
        if let Some(track) = translation.filter(still) {
            joint.rest.translation = first(track);
            joint.varying[Path::Translation as usize] = None;
        }
    }
}

/// A scale that is nearly the same along all axes as one that is the same, and a scale of nearly 1 as 1.
fn without_rounding(scale: Vec3) -> Vec3 {
    let sizes = scale.abs();
    if sizes.max_element() - sizes.min_element() > ROUNDING * sizes.max_element() {
        return scale;
    }
    let size = if (sizes.x - 1.0).abs() < ROUNDING { 1.0 } else { sizes.x };
    scale.signum() * size
}

/// The end of each bone: the translation of the only child of a joint, if it is called an end and is nothing else.
fn ends(document: &Document, joints: &[RigJoint], is_joint: &[bool]) -> Vec<Option<Vec3>> {
    let end = |joint: &RigJoint| {
        let [child] = document.nodes[joint.node].children[..] else { return None };
        let node = &document.nodes[child];
        let is_named = node.name.as_ref().is_some_and(|name| name.to_ascii_lowercase().ends_with("_end"));
        let is_empty = node.mesh.is_none() && node.children.is_empty() && !is_joint[child];
        (is_named && is_empty).then(|| local_transform(node).translation)
    };
    joints.iter().map(end).collect()
}

/// The skeleton with the offsets of its rest transforms.
fn at_rest(
    skeleton: &Skeleton,
    transforms: &NodeTransforms,
    joints: &[RigJoint],
    ends: &[Option<Vec3>],
) -> Result<Skeleton, surefoot_core::SkeletonError> {
    let rest: Vec<NodeTransform> = joints.iter().map(|joint| joint.rest).collect();
    let mut pose = Pose::default();
    let shapes = transforms.to_pose(&rest, &mut pose);
    let joint = |(n, joint): (usize, &Joint)| {
        let end = ends[n].map(|end| shapes[n].apply(end));
        Joint { offset: pose.offsets[n], end, ..joint.clone() }
    };
    Skeleton::new(skeleton.joints().iter().enumerate().map(joint).collect())
}
