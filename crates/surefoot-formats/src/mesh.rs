//! The meshes of a character that its joints move, for drawing.
//!
//! Meshes of all parts of a file become one list of vertices and triangles in metres, Y up. Each vertex follows up to four
//! bones; a bone is a joint together with the map from the space in which the mesh was modelled to the space of the joint.
//! Blend shapes are left out, and scales that are animated are those of the first frame.

use surefoot_core::math::Mat3;
use surefoot_core::{JointId, Vec3, WorldPose};

#[cfg(any(feature = "gltf", feature = "fbx"))]
use crate::node_transforms::{Affine, Shape};
#[cfg(any(feature = "gltf", feature = "fbx"))]
use crate::space::Space;

/// The number of bones that a vertex follows at most: those with the largest weights.
pub const BONES_PER_VERTEX: usize = 4;

/// The meshes of a file that its joints move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharacterMesh {
    /// The bones.
    pub bones: Vec<Bone>,
    /// The vertices of all parts.
    pub vertices: Vec<Vertex>,
    /// Three vertices for each triangle, part by part.
    pub triangles: Vec<[u32; 3]>,
    /// Triangles with one material, in order.
    pub parts: Vec<Part>,
    /// The materials.
    pub materials: Vec<Material>,
    /// Images as files of their own: PNG, JPEG and others.
    pub images: Vec<Vec<u8>>,
}

/// A vertex, in the space in which its mesh was modelled.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// The position.
    pub position: [f32; 3],
    /// The normal; zero where the file has none.
    pub normal: [f32; 3],
    /// The position in the image, from 0 at its left and upper edge to 1.
    pub uv: [f32; 2],
    /// The bones that the vertex follows.
    pub bones: [u16; BONES_PER_VERTEX],
    /// Their weights, whose sum is 1; bones without a weight are not followed.
    pub weights: [f32; BONES_PER_VERTEX],
}

/// A joint, and the map from the space of a mesh to the space of the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bone {
    /// The joint; `None` for a node that does not move, whose map leads to the world.
    pub joint: Option<JointId>,
    /// The linear part of the map; its result is in metres, Y up.
    pub linear: Mat3,
    /// The translation of the map, in metres.
    pub translation: Vec3,
}

/// Triangles with one material.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The number of triangles.
    pub triangles: usize,
    /// The index of the material.
    pub material: usize,
}

/// The look of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Red, green, blue and opacity, linear, from 0 to 1.
    pub colour: [f32; 4],
    /// The image that the colour is multiplied with.
    pub image: Option<usize>,
    /// Opacity below which nothing is drawn; 0 for a surface without holes.
    pub cutoff: f32,
    /// Whether the back of the surface is visible.
    pub is_double_sided: bool,
}

impl Default for Material {
    fn default() -> Self {
        Self { colour: [1.0; 4], image: None, cutoff: 0.0, is_double_sided: false }
    }
}

impl Bone {
    /// The map of a bone that moves with a joint. `own` leads from the space of the mesh to that of the joint's node, and
    /// `shape` holds the scales above and in that node.
    #[cfg(any(feature = "gltf", feature = "fbx"))]
    pub(crate) fn moving(joint: JointId, shape: &Shape, own: &Affine, space: &Space) -> Self {
        let map = |v: Vec3| space.position_from_file(shape.apply(v));
        let Affine { linear, translation } = own;
        let linear = Mat3::from_cols(map(linear.x_axis), map(linear.y_axis), map(linear.z_axis));
        Self { joint: Some(joint), linear, translation: map(*translation) }
    }

    /// The map of a bone that does not move. `own` leads from the space of the mesh to the world of the file.
    #[cfg(any(feature = "gltf", feature = "fbx"))]
    pub(crate) fn still(own: &Affine, space: &Space) -> Self {
        let map = |v: Vec3| space.position_from_file(v);
        let Affine { linear, translation } = own;
        let linear = Mat3::from_cols(map(linear.x_axis), map(linear.y_axis), map(linear.z_axis));
        Self { joint: None, linear, translation: map(*translation) }
    }

    /// The map from the space of the mesh to the world, for a pose.
    pub fn in_world(&self, world: &WorldPose) -> (Mat3, Vec3) {
        let Some(joint) = self.joint else { return (self.linear, self.translation) };
        let (rotation, position) = (world.rotations[joint.index()], world.positions[joint.index()]);
        (Mat3::from_quat(rotation) * self.linear, position + rotation * self.translation)
    }
}

impl Vertex {
    /// Makes the vertex follow the bones with the largest weights. Without any weight it follows `default`.
    #[cfg(any(feature = "gltf", feature = "fbx"))]
    pub(crate) fn follow(&mut self, mut bones: Vec<(u16, f32)>, default: u16) {
        bones.retain(|(_, weight)| *weight > 0.0 && weight.is_finite());
        bones.sort_by(|a, b| b.1.total_cmp(&a.1));
        bones.truncate(BONES_PER_VERTEX);
        if bones.is_empty() {
            bones.push((default, 1.0));
        }
        let sum: f32 = bones.iter().map(|(_, weight)| weight).sum();
        for (n, (bone, weight)) in bones.into_iter().enumerate() {
            (self.bones[n], self.weights[n]) = (bone, weight / sum);
        }
    }

    /// The position of the vertex in the world. `bones` are the maps of all bones, as [`Bone::in_world`] gives them.
    pub fn in_world(&self, bones: &[(Mat3, Vec3)]) -> Vec3 {
        let position = Vec3::from_array(self.position.map(f64::from));
        let parts = self.bones.iter().zip(self.weights).filter(|(_, weight)| *weight > 0.0);
        parts
            .map(|(&bone, weight)| {
                let (linear, translation) = bones[usize::from(bone)];
                (linear * position + translation) * f64::from(weight)
            })
            .sum()
    }
}
