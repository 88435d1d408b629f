//! Reads the meshes that follow the joints, with the pose in which their skins bind them.

use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Pose, Vec3};
use surefoot_infer::{BindTransform, SkinMesh, SkinVertex};

use super::document::{Primitive, Skin};
use super::{Gltf, GltfError};
use crate::node_transforms::{Affine, NodeTransform, Shape};
use crate::skin_budget::SkinBudget;
use crate::source::MotionSource;

/// Sets of joints and weights of a vertex that are read. Each has four joints.
const SETS: usize = 4;

/// The meshes of all skins, as many as fit into memory. A mesh that cannot be read is left out: nothing but the feet is
/// found on it.
pub(super) fn meshes(file: &Gltf) -> Vec<SkinMesh> {
    let mut joint_of = vec![None; file.document.nodes.len()];
    for (index, joint) in file.rig.joints.iter().enumerate() {
        joint_of[joint.node] = Some(JointId(index as u32));
    }
    let rest: Vec<NodeTransform> = file.rig.joints.iter().map(|joint| joint.rest).collect();
    let shapes = file.rig.transforms.to_pose(&rest, &mut Pose::default());
    let mut budget = SkinBudget::new(file.size());
    let nodes = file.document.nodes.iter();
    let skinned = nodes.filter_map(|node| {
        Some((file.document.meshes.get(node.mesh?)?, file.document.skins.get(node.skin?)?))
    });
    let mut meshes = Vec::new();
    for (mesh, skin) in skinned {
        let joints: Vec<Option<JointId>> =
            skin.joints.iter().map(|&node| joint_of.get(node).copied().flatten()).collect();
        if budget.take_joints(shapes.len()).is_none() {
            break;
        }
        let Ok(binds) = binds(file, skin, &joints, &shapes) else { continue };
        let primitives = mesh.primitives.iter();
        let vertices = primitives.filter_map(|one| vertices(file, one, &joints, &mut budget).ok()).flatten();
        meshes.push(SkinMesh { binds, vertices: vertices.collect() });
    }
    meshes
}

fn binds(
    file: &Gltf,
    skin: &Skin,
    joints: &[Option<JointId>],
    shapes: &[Shape],
) -> Result<Vec<Option<BindTransform>>, GltfError> {
    const IDENTITY: [f32; 16] =
        [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    let matrices = match skin.inverse_bind_matrices {
        Some(accessor) => file.accessors().floats(accessor, 16)?,
        None => IDENTITY.repeat(joints.len()).into(),
    };
    let mut binds = vec![None; shapes.len()];
    for (joint, matrix) in joints.iter().zip(matrices.chunks_exact(16)) {
        let column = |n: usize| {
            let [x, y, z] = [matrix[4 * n], matrix[4 * n + 1], matrix[4 * n + 2]].map(f64::from);
            Vec3::new(x, y, z)
        };
        if let Some(joint) = joint {
            let linear = Mat3::from_cols(column(0), column(1), column(2));
            let to_node = Affine { linear, translation: column(3) };
            binds[joint.index()] = Some(shapes[joint.index()].bind(&to_node));
        }
    }
    Ok(binds)
}

/// The vertices of a primitive, each with the joint that it follows most.
fn vertices(
    file: &Gltf,
    primitive: &Primitive,
    joints: &[Option<JointId>],
    budget: &mut SkinBudget,
) -> Result<Vec<SkinVertex>, GltfError> {
    let read = |name: &str, components: usize| {
        let accessor = primitive.attributes.get(name).copied();
        // Without a buffer view the vertices are in an extension, compressed.
        let accessor = accessor.filter(|&index| {
            file.document.accessors.get(index).is_some_and(|accessor| accessor.buffer_view.is_some())
        });
        accessor.map(|accessor| file.accessors().floats(accessor, components)).transpose()
    };
    let stated = primitive.attributes.get("POSITION").and_then(|&index| file.document.accessors.get(index));
    if budget.take_vertices(stated.map_or(0, |accessor| accessor.count)).is_none() {
        return Ok(Vec::new());
    }
    let Some(positions) = read("POSITION", 3)? else { return Ok(Vec::new()) };
    let count = positions.len() / 3;
    // The weight of the strongest joint so far, and that joint.
    let mut strongest: Vec<(f32, Option<JointId>)> = vec![(0.0, None); count];
    for set in 0..SETS {
        let (own, weights) = (read(&format!("JOINTS_{set}"), 4)?, read(&format!("WEIGHTS_{set}"), 4)?);
        let (Some(own), Some(weights)) = (own, weights) else { break };
        let influences = own.chunks_exact(4).zip(weights.chunks_exact(4));
        for (vertex, (own, weights)) in strongest.iter_mut().zip(influences) {
            for (joint, weight) in own.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
                if *weight > vertex.0 {
                    *vertex = (*weight, joints.get(*joint as usize).copied().flatten());
                }
            }
        }
    }
    let vertex = |(position, (_, joint)): (&[f32], (f32, Option<JointId>))| {
        let [x, y, z] = [position[0], position[1], position[2]].map(f64::from);
        Some(SkinVertex { position: Vec3::new(x, y, z), joint: joint? })
    };
    Ok(positions.chunks_exact(3).zip(strongest).filter_map(vertex).collect())
}
