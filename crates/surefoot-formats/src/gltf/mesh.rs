//! Reads the meshes that follow the joints: skinned ones, and rigid ones below a joint.

use std::collections::BTreeMap;

use surefoot_core::Vec3;
use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Pose};

use super::Gltf;
use super::document::Primitive;
use super::looks::Looks;
use super::rig::local_affine;
use crate::mesh::{Bone, CharacterMesh, Part, Vertex};
use crate::node_transforms::{Affine, Shape};
use crate::skin_budget::SkinBudget;
use crate::source::{LoadBeside, MotionSource};
use crate::space::Space;

/// Sets of four joints and weights of a vertex that are read.
const SETS: usize = 2;

/// The meshes that the joints of a file move, up to a limit of memory; `None` if they move none.
pub(super) fn mesh(file: &Gltf, space: &Space, load_beside: LoadBeside) -> Option<CharacterMesh> {
    let looks = Looks::read(file);
    let mut builder = Builder::new(file, space);
    for (n, node) in file.document.nodes.iter().enumerate() {
        let Some(index) = node.mesh else { continue };
        let first = match node.skin {
            Some(skin) => builder.bones_of_skin(skin),
            None => builder.bone_of_node(n),
        };
        let (Some(first), Some(mesh)) = (first, file.document.meshes.get(index)) else { continue };
        for (n, primitive) in mesh.primitives.iter().enumerate() {
            if let Some(material) = looks.material_of(index, n) {
                // A primitive that cannot be read is left out.
                let _ = builder.add(primitive, first, node.skin.is_some(), material);
            }
        }
    }
    let mut mesh = Some(builder.mesh).filter(|mesh| !mesh.triangles.is_empty())?;
    looks.add_materials(file, load_beside, &mut mesh);
    Some(mesh)
}

struct Builder<'a> {
    file: &'a Gltf,
    space: &'a Space,
    /// The scales of the joints.
    shapes: Vec<Shape>,
    parents: Vec<Option<usize>>,
    /// The joint of each node.
    joints: Vec<Option<usize>>,
    mesh: CharacterMesh,
    /// The first bone of each skin that was used.
    skins: BTreeMap<usize, Option<usize>>,
    budget: SkinBudget,
}

impl<'a> Builder<'a> {
    fn new(file: &'a Gltf, space: &'a Space) -> Self {
        let nodes = &file.document.nodes;
        let mut parents = vec![None; nodes.len()];
        for (parent, node) in nodes.iter().enumerate() {
            node.children.iter().for_each(|&child| parents[child] = Some(parent));
        }
        let mut joints = vec![None; nodes.len()];
        for (index, joint) in file.rig.joints.iter().enumerate() {
            joints[joint.node] = Some(index);
        }
        Self {
            file,
            space,
            shapes: file.rig.transforms.to_pose(&file.nodes(0), &mut Pose::default()),
            parents,
            joints,
            mesh: CharacterMesh::default(),
            skins: BTreeMap::new(),
            budget: SkinBudget::for_drawing(file.size()),
        }
    }

    /// Adds the bones of a skin and returns the first.
    fn bones_of_skin(&mut self, skin: usize) -> Option<usize> {
        if let Some(first) = self.skins.get(&skin) {
            return *first;
        }
        let of = self.file.document.skins.get(skin)?;
        let matrices =
            of.inverse_bind_matrices.and_then(|index| self.file.accessors().floats(index, 16).ok());
        let first = self.mesh.bones.len();
        let fits = u16::try_from(first + of.joints.len()).is_ok();
        if fits {
            for (n, &node) in of.joints.iter().enumerate() {
                let bind = matrices.as_ref().and_then(|all| all.get(16 * n..16 * n + 16));
                let bone = self.bone(node, &bind.map_or(Affine::IDENTITY, affine));
                self.mesh.bones.push(bone);
            }
        }
        let first = fits.then_some(first);
        self.skins.insert(skin, first);
        first
    }

    /// Adds the bone of a mesh without a skin, if a joint is above it.
    fn bone_of_node(&mut self, node: usize) -> Option<usize> {
        let mut own = Affine::IDENTITY;
        let mut at = node;
        while self.joints[at].is_none() {
            own = local_affine(&self.file.document.nodes[at]).then(&own);
            at = self.parents[at]?;
        }
        let first = self.mesh.bones.len();
        u16::try_from(first).ok()?;
        let bone = self.bone(at, &own);
        self.mesh.bones.push(bone);
        Some(first)
    }

    /// The bone of a node; `own` leads from the space of the mesh to the node.
    fn bone(&self, node: usize, own: &Affine) -> Bone {
        match self.joints[node] {
            Some(joint) => Bone::moving(JointId(joint as u32), &self.shapes[joint], own, self.space),
            None => {
                let above = core::iter::successors(Some(node), |&node| self.parents[node]);
                let nodes = &self.file.document.nodes;
                let world =
                    above.fold(Affine::IDENTITY, |below, node| local_affine(&nodes[node]).then(&below));
                Bone::still(&world.then(own), self.space)
            }
        }
    }

    /// The values of a vertex attribute. `None` without an accessor, as in meshes with Draco compression.
    fn attribute(&self, index: Option<&usize>, components: usize) -> Option<std::sync::Arc<[f32]>> {
        let accessor = self.file.document.accessors.get(*index?)?;
        let has_bytes = accessor.buffer_view.is_some() || accessor.sparse.is_some();
        has_bytes.then(|| self.file.accessors().floats(*index?, components).ok())?
    }

    /// Adds the triangles of a primitive. `None` if it cannot be read.
    fn add(&mut self, primitive: &Primitive, first: usize, is_skinned: bool, material: usize) -> Option<()> {
        let positions = self.attribute(primitive.attributes.get("POSITION"), 3)?;
        let count = positions.len() / 3;
        let indices: Vec<usize> = match primitive.indices {
            Some(_) => self.attribute(primitive.indices.as_ref(), 1)?.iter().map(|&n| n as usize).collect(),
            None => (0..count).collect(),
        };
        self.budget.take_drawn(count, indices.len() / 3)?;
        let vertices = self.vertices(primitive, &positions, first, is_skinned);
        let base = self.mesh.vertices.len();
        let before = self.mesh.triangles.len();
        let triangles = indices.as_chunks::<3>().0.iter();
        self.mesh.triangles.extend(
            triangles
                .filter(|corners| corners.iter().all(|&corner| corner < count))
                .map(|corners| corners.map(|corner| (base + corner) as u32)),
        );
        self.mesh.vertices.extend(vertices);
        self.mesh.parts.push(Part { triangles: self.mesh.triangles.len() - before, material });
        Some(())
    }

    fn vertices(
        &self,
        primitive: &Primitive,
        positions: &[f32],
        first: usize,
        is_skinned: bool,
    ) -> Vec<Vertex> {
        let get = |name: &str, components: usize| self.attribute(primitive.attributes.get(name), components);
        let (normals, uvs) = (get("NORMAL", 3), get("TEXCOORD_0", 2));
        let sets: Vec<_> = (0..SETS)
            .filter(|_| is_skinned)
            .filter_map(|n| get(&format!("JOINTS_{n}"), 4).zip(get(&format!("WEIGHTS_{n}"), 4)))
            .collect();
        let bones = self.mesh.bones.len();
        let vertex = |n: usize| {
            let mut vertex = Vertex { position: three(positions, n), ..Vertex::default() };
            vertex.normal = normals.as_ref().map_or([0.0; 3], |normals| three(normals, n));
            if let Some([u, v]) = uvs.as_ref().and_then(|uvs| uvs.get(2 * n..2 * n + 2)) {
                vertex.uv = [*u, *v];
            }
            let pairs = sets.iter().flat_map(|(joints, weights)| {
                let at = 4 * n..4 * n + 4;
                joints.get(at.clone()).into_iter().flatten().zip(weights.get(at).into_iter().flatten())
            });
            let pairs = pairs.map(|(&joint, &weight)| (first.saturating_add(joint as usize), weight));
            let pairs = pairs.filter(|(bone, _)| *bone < bones).map(|(bone, weight)| (bone as u16, weight));
            vertex.follow(pairs.collect(), first as u16);
            vertex
        };
        (0..positions.len() / 3).map(vertex).collect()
    }
}

fn three(numbers: &[f32], n: usize) -> [f32; 3] {
    numbers.get(3 * n..3 * n + 3).and_then(|three| three.try_into().ok()).unwrap_or_default()
}

/// The map that a matrix of 16 numbers, column by column, stands for.
fn affine(matrix: &[f32]) -> Affine {
    let column =
        |n: usize| Vec3::from_array(three(matrix.get(4 * n..).unwrap_or_default(), 0).map(f64::from));
    Affine { linear: Mat3::from_cols(column(0), column(1), column(2)), translation: column(3) }
}
