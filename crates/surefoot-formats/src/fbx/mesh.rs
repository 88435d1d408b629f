//! Reads the meshes that follow the joints: skinned ones, and rigid ones below a joint.

use std::collections::HashMap;

use surefoot_core::{JointId, Pose};

use super::Fbx;
use super::joint::vector;
use super::scene::{ObjectId, load_options, object_id};
use super::skin::affine;
use crate::mesh::{Bone, CharacterMesh, Material, Part, Vertex};
use crate::node_transforms::{Affine, Shape};
use crate::skin_budget::SkinBudget;
use crate::source::LoadBeside;
use crate::space::Space;

/// The meshes that the joints of a file move, up to a limit of memory; `None` if they move none.
pub(super) fn mesh(file: &Fbx, space: &Space, load_beside: LoadBeside) -> Option<CharacterMesh> {
    let options = ufbx::LoadOpts {
        ignore_embedded: false,
        ignore_animation: true,
        generate_missing_normals: true,
        ..load_options(&file.bytes)
    };
    let scene = ufbx::load_memory(&file.bytes, options).ok()?;
    let shapes = file.scene.transforms.to_pose(file.scene.frames.first()?, &mut Pose::default());
    let mut builder = Builder {
        file,
        space,
        shapes,
        mesh: CharacterMesh::default(),
        materials: HashMap::new(),
        budget: SkinBudget::for_drawing(file.bytes.len()),
    };
    // The first material is that of faces without one.
    builder.mesh.materials.push(Material::default());
    for mesh in &scene.meshes {
        for node in &mesh.element.instances {
            // A mesh that no joint moves is part of the surroundings.
            let _ = builder.add(mesh, node, load_beside);
        }
    }
    Some(builder.mesh).filter(|mesh| !mesh.triangles.is_empty())
}

struct Builder<'a> {
    file: &'a Fbx,
    space: &'a Space,
    /// The scales of the joints.
    shapes: Vec<Shape>,
    mesh: CharacterMesh,
    /// The numbers of the materials that were read, by their numbers in the scene.
    materials: HashMap<u32, usize>,
    budget: SkinBudget,
}

/// A corner of a face: the indices of its position, normal and place in the image.
type Corner = (u32, u32, u32);

impl Builder<'_> {
    /// Adds a mesh at a node, if a joint moves it and there is memory for it.
    fn add(&mut self, mesh: &ufbx::Mesh, node: &ufbx::Node, load_beside: LoadBeside) -> Option<()> {
        let first = self.mesh.bones.len();
        let skin = mesh.skin_deformers.first().map(|skin| &**skin);
        let bones = self.bones(skin, node)?;
        u16::try_from(first + bones.len()).ok()?;
        self.budget.take_drawn(mesh.num_indices, mesh.num_triangles)?;
        self.mesh.bones.extend(bones);
        let own = if node.materials.is_empty() { &mesh.materials } else { &node.materials };
        let materials: Vec<usize> = own.iter().map(|material| self.material(material, load_beside)).collect();
        let material = |face: usize| {
            let material = mesh.face_material.get(face).and_then(|&n| materials.get(n as usize));
            material.copied().unwrap_or(0)
        };
        let mut faces: Vec<(usize, &ufbx::Face)> =
            mesh.faces.iter().enumerate().map(|(n, face)| (material(n), face)).collect();
        faces.sort_by_key(|(material, _)| *material);
        let mut numbers: HashMap<Corner, u32> = HashMap::new();
        for (material, face) in faces {
            let before = self.mesh.triangles.len();
            self.add_face(mesh, skin, face, first, &mut numbers);
            let triangles = self.mesh.triangles.len() - before;
            match self.mesh.parts.last_mut().filter(|part| part.material == material) {
                Some(part) => part.triangles += triangles,
                None => self.mesh.parts.push(Part { triangles, material }),
            }
        }
        Some(())
    }

    /// The bones of a skin, or of a mesh without one. `None` if no joint moves it.
    fn bones(&self, skin: Option<&ufbx::SkinDeformer>, node: &ufbx::Node) -> Option<Vec<Bone>> {
        let Some(skin) = skin else { return self.rigid_bone(node).map(|bone| vec![bone]) };
        let bone = |cluster: &ufbx::SkinCluster| match &cluster.bone_node {
            Some(bone) => self.bone(bone, &affine(&cluster.geometry_to_bone)),
            None => Bone::still(&affine(&cluster.geometry_to_world), self.space),
        };
        let bones: Vec<Bone> = skin.clusters.iter().map(|cluster| bone(cluster)).collect();
        Some(bones).filter(|bones| !bones.is_empty())
    }

    /// Adds a face as a fan of triangles.
    fn add_face(
        &mut self,
        mesh: &ufbx::Mesh,
        skin: Option<&ufbx::SkinDeformer>,
        face: &ufbx::Face,
        first: usize,
        numbers: &mut HashMap<Corner, u32>,
    ) {
        let index = |list: &ufbx::List<u32>, n: usize| list.get(n).copied().unwrap_or(0);
        let all =
            face.index_begin as usize..(face.index_begin as usize).saturating_add(face.num_indices as usize);
        if face.num_indices < 3 || all.end > mesh.vertex_indices.len() {
            return;
        }
        let corners: Vec<u32> = all
            .map(|n| {
                let corner = (
                    index(&mesh.vertex_indices, n),
                    index(&mesh.vertex_normal.indices, n),
                    index(&mesh.vertex_uv.indices, n),
                );
                *numbers.entry(corner).or_insert_with(|| {
                    self.mesh.vertices.push(vertex(mesh, skin, corner, first));
                    self.mesh.vertices.len() as u32 - 1
                })
            })
            .collect();
        let fan = corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]);
        self.mesh.triangles.extend(fan);
    }

    /// The joint of a node.
    fn joint(&self, node: &ufbx::Node) -> Option<usize> {
        let id = object_id(&node.element);
        let (ids, joints) = (&self.file.scene.ids, self.file.scene.skeleton.joints());
        match id {
            // Old files number nothing: their objects are known by their names.
            ObjectId::Number(0) => joints.iter().position(|joint| *joint.name == *node.element.name),
            id => ids.iter().position(|own| *own == id),
        }
    }

    /// The bone of a node; `own` leads from the space of the mesh to the node.
    fn bone(&self, node: &ufbx::Node, own: &Affine) -> Bone {
        match self.joint(node) {
            Some(joint) => Bone::moving(JointId(joint as u32), &self.shapes[joint], own, self.space),
            None => Bone::still(&affine(&node.node_to_world).then(own), self.space),
        }
    }

    /// The bone of a mesh without a skin, if a joint is above it.
    fn rigid_bone(&self, node: &ufbx::Node) -> Option<Bone> {
        let mut own = affine(&node.geometry_to_node);
        let mut at = node;
        while self.joint(at).is_none() {
            own = affine(&at.node_to_parent).then(&own);
            at = at.parent.as_ref()?;
        }
        Some(self.bone(at, &own))
    }

    fn material(&mut self, material: &ufbx::Material, load_beside: LoadBeside) -> usize {
        let number = material.element.typed_id;
        if let Some(known) = self.materials.get(&number) {
            return *known;
        }
        let map = &material.pbr.base_color;
        let texture = map.texture.as_ref().filter(|_| map.texture_enabled);
        let image = texture.and_then(|texture| image_bytes(texture, load_beside)).map(|bytes| {
            self.mesh.images.push(bytes);
            self.mesh.images.len() - 1
        });
        let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
        // A texture replaces the colour of the material, which many programs leave black or grey then.
        let colour = if image.is_some() { [1.0; 4] } else { [x as f32, y as f32, z as f32, 1.0] };
        self.mesh.materials.push(Material { colour, image, ..Material::default() });
        self.materials.insert(number, self.mesh.materials.len() - 1);
        self.mesh.materials.len() - 1
    }
}

/// The image of a texture: in the file, or a file of its own.
fn image_bytes(texture: &ufbx::Texture, load_beside: LoadBeside) -> Option<Vec<u8>> {
    if !texture.content.is_empty() {
        return Some(texture.content.to_vec());
    }
    let video = texture.video.as_ref().filter(|video| !video.content.is_empty());
    if let Some(video) = video {
        return Some(video.content.to_vec());
    }
    let name = texture.relative_filename.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
    load_beside(name)
}

fn vertex(mesh: &ufbx::Mesh, skin: Option<&ufbx::SkinDeformer>, corner: Corner, first: usize) -> Vertex {
    let [position, normal] =
        [(&mesh.vertices, corner.0), (&mesh.vertex_normal.values, corner.1)].map(|(values, n)| {
            values.get(n as usize).map_or([0.0; 3], |v| vector(*v).to_array().map(|x| x as f32))
        });
    // Images of FBX begin at their lower edge.
    let uv =
        mesh.vertex_uv.values.get(corner.2 as usize).map_or([0.0; 2], |v| [v.x as f32, 1.0 - v.y as f32]);
    let mut vertex = Vertex { position, normal, uv, ..Vertex::default() };
    let followed = skin.and_then(|skin| {
        let own = skin.vertices.get(corner.0 as usize)?;
        let begin = own.weight_begin as usize;
        let weights = skin.weights.get(begin..begin.checked_add(own.num_weights as usize)?)?;
        let bone = |weight: &ufbx::SkinWeight| {
            let is_bone = (weight.cluster_index as usize) < skin.clusters.len();
            is_bone.then_some(((first + weight.cluster_index as usize) as u16, weight.weight as f32))
        };
        Some(weights.iter().filter_map(bone).collect())
    });
    vertex.follow(followed.unwrap_or_default(), first as u16);
    vertex
}
