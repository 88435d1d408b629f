//! The mesh of the character for the page, and the matrices that move its vertices.
//!
//! A mesh is a line of JSON and arrays of numbers behind it: positions, normals and places in the image (f32), weights of
//! bones (f32), triangles (u32), bones (u16), the foot point of each vertex (u8), then the images.

use serde_json::json;
use surefoot_core::math::Mat3;
use surefoot_core::{FrameRange, JointId, Leg, Vec3, WorldPose};
use surefoot_formats::mesh::{Bone, CharacterMesh, Vertex};

use crate::open_file::OpenFile;

/// Share of a vertex that must follow the joints of a foot, for the vertex to belong to the foot.
const MOSTLY: f32 = 0.5;

/// The bytes of the mesh; empty for a file without one.
pub fn page_mesh(open: &OpenFile) -> Vec<u8> {
    let Some(mesh) = open.read_mesh() else { return Vec::new() };
    let part = |part: &surefoot_formats::mesh::Part| json!({ "triangles": part.triangles, "material": part.material });
    let material = |material: &surefoot_formats::mesh::Material| {
        json!({
            "colour": material.colour,
            "image": material.image,
            "cutoff": material.cutoff,
            "double_sided": material.is_double_sided,
        })
    };
    let header = json!({
        "vertices": mesh.vertices.len(),
        "triangles": mesh.triangles.len(),
        "bones": mesh.bones.len(),
        "parts": mesh.parts.iter().map(part).collect::<Vec<_>>(),
        "materials": mesh.materials.iter().map(material).collect::<Vec<_>>(),
        "images": mesh.images.iter().map(Vec::len).collect::<Vec<_>>(),
    });
    let mut bytes = header.to_string().into_bytes();
    // The numbers begin at a multiple of four, where the page can read them in place.
    bytes.resize((bytes.len() + 1).next_multiple_of(4) - 1, b' ');
    bytes.push(b'\n');
    let floats = |bytes: &mut Vec<u8>, get: &dyn Fn(&Vertex) -> Vec<f32>| {
        bytes.extend(mesh.vertices.iter().flat_map(get).flat_map(f32::to_le_bytes));
    };
    floats(&mut bytes, &|vertex| vertex.position.to_vec());
    floats(&mut bytes, &|vertex| vertex.normal.to_vec());
    floats(&mut bytes, &|vertex| vertex.uv.to_vec());
    floats(&mut bytes, &|vertex| vertex.weights.to_vec());
    bytes.extend(mesh.triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()));
    bytes.extend(mesh.vertices.iter().flat_map(|vertex| vertex.bones).flat_map(u16::to_le_bytes));
    bytes.extend(foot_points(open, &mesh));
    mesh.images.iter().for_each(|image| bytes.extend(image));
    bytes
}

/// The matrices of all bones in each frame, 16 numbers each, column by column.
pub fn bone_matrices(open: &OpenFile, bones: &[Bone], after: bool, frames: FrameRange) -> Vec<f32> {
    let mut world = WorldPose::default();
    let mut numbers = Vec::with_capacity(frames.len() * 16 * bones.len());
    for frame in frames {
        open.pose(after, frame).forward_kinematics(&open.at_rest.motion.skeleton, &mut world);
        for bone in bones {
            let (linear, translation) = bone.in_world(&world);
            let columns =
                [(linear.x_axis, 0.0), (linear.y_axis, 0.0), (linear.z_axis, 0.0), (translation, 1.0)];
            numbers.extend(columns.iter().flat_map(|(v, w)| [v.x, v.y, v.z, *w]).map(|x| x as f32));
        }
    }
    numbers
}

/// For each vertex 0, or, if it belongs to a foot, the number of the foot's heel or ball: 1 + 2 · leg, and 1 more for the
/// ball.
fn foot_points(open: &OpenFile, mesh: &CharacterMesh) -> Vec<u8> {
    let clip = &open.at_rest;
    let mut world = WorldPose::default();
    if clip.motion.frames() == 0 {
        return vec![0; mesh.vertices.len()];
    }
    open.pose(false, open.first_frame()).forward_kinematics(&clip.motion.skeleton, &mut world);
    let maps: Vec<(Mat3, Vec3)> = mesh.bones.iter().map(|bone| bone.in_world(&world)).collect();
    let leg_of_bone: Vec<Option<usize>> =
        mesh.bones.iter().map(|bone| leg_of_joint(open, bone.joint?)).collect();
    let foot_point = |vertex: &Vertex| {
        let share = |leg: usize| {
            let own = vertex.bones.iter().zip(vertex.weights);
            let own = own.filter(|(bone, _)| leg_of_bone[usize::from(**bone)] == Some(leg));
            own.map(|(_, weight)| weight).sum::<f32>()
        };
        let leg = (0..clip.legs.len().min(MOST_LEGS)).find(|&leg| share(leg) > MOSTLY)?;
        let Leg { heel, ball, .. } = &clip.legs[leg];
        let (heel, ball) = (world.point(heel), world.point(ball));
        let along = (vertex.in_world(&maps) - heel).dot(ball - heel);
        let is_ball = along > 0.5 * (ball - heel).length_squared();
        Some(1 + 2 * leg as u8 + u8::from(is_ball))
    };
    mesh.vertices.iter().map(|vertex| foot_point(vertex).unwrap_or(0)).collect()
}

/// The number of legs whose feet the page colours: more do not fit into the numbers of vertices.
const MOST_LEGS: usize = 8;

/// The leg whose foot a joint belongs to: the ankle and everything below it.
fn leg_of_joint(open: &OpenFile, joint: JointId) -> Option<usize> {
    let joints = open.at_rest.motion.skeleton.joints();
    let mut above = core::iter::successors(Some(joint), |joint| joints[joint.index()].parent);
    above.find_map(|joint| open.at_rest.legs.iter().position(|leg| leg.ankle == joint))
}
