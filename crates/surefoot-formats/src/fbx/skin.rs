//! Reads the meshes that follow the joints, with the pose in which their skins bind them.

use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Vec3};
use surefoot_infer::{SkinMesh, SkinVertex};

use crate::node_transforms::{Affine, Shape};
use crate::skin_budget::SkinBudget;

/// The meshes of all skins, as many as fit into memory beside a file of this size. `order` has the node of each joint, and
/// `shapes` the scales above and in it.
pub(super) fn meshes(scene: &ufbx::Scene, size: usize, order: &[usize], shapes: &[Shape]) -> Vec<SkinMesh> {
    let mut joint_of = vec![None; scene.nodes.len()];
    for (joint, &node) in order.iter().enumerate() {
        joint_of[node] = Some(JointId(joint as u32));
    }
    let skins = scene.meshes.iter().flat_map(|mesh| {
        let mesh: &ufbx::Mesh = mesh;
        mesh.skin_deformers.iter().map(move |skin| (mesh, &**skin))
    });
    let mut budget = SkinBudget::new(size);
    let fits = |(mesh, _): &(&ufbx::Mesh, &ufbx::SkinDeformer)| {
        budget.take_joints(shapes.len()).and_then(|()| budget.take_vertices(mesh.vertices.len())).is_some()
    };
    skins.take_while(fits).map(|(mesh, skin)| skin_mesh(mesh, skin, &joint_of, shapes)).collect()
}

fn skin_mesh(
    mesh: &ufbx::Mesh,
    skin: &ufbx::SkinDeformer,
    joint_of: &[Option<JointId>],
    shapes: &[Shape],
) -> SkinMesh {
    let joint = |cluster: &ufbx::SkinCluster| {
        let node = cluster.bone_node.as_ref()?.element.typed_id as usize;
        joint_of.get(node).copied().flatten()
    };
    let joints: Vec<Option<JointId>> = skin.clusters.iter().map(|cluster| joint(cluster)).collect();
    let mut binds = vec![None; shapes.len()];
    for (cluster, joint) in skin.clusters.iter().zip(&joints) {
        if let Some(joint) = joint {
            binds[joint.index()] = Some(shapes[joint.index()].bind(&affine(&cluster.geometry_to_bone)));
        }
    }
    let vertex = |(position, own): (&ufbx::Vec3, &ufbx::SkinVertex)| {
        let weights = skin.weights.get(own.weight_begin as usize..)?.get(..own.num_weights as usize)?;
        let most = weights.iter().reduce(|most, one| if one.weight > most.weight { one } else { most })?;
        let joint = joints.get(most.cluster_index as usize).copied().flatten()?;
        Some(SkinVertex { position: Vec3::new(position.x, position.y, position.z), joint })
    };
    SkinMesh { binds, vertices: mesh.vertices.iter().zip(&skin.vertices).filter_map(vertex).collect() }
}

pub(super) fn affine(matrix: &ufbx::Matrix) -> Affine {
    let ufbx::Matrix { m00, m10, m20, m01, m11, m21, m02, m12, m22, m03, m13, m23 } = *matrix;
    let columns = [Vec3::new(m00, m10, m20), Vec3::new(m01, m11, m21), Vec3::new(m02, m12, m22)];
    let linear = Mat3::from_cols(columns[0], columns[1], columns[2]);
    Affine { linear, translation: Vec3::new(m03, m13, m23) }
}
