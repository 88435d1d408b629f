//! Meshes follow the joints of their file, at every scale.

use serde_json::json;
use surefoot_core::math::Mat3;
use surefoot_core::{Motion, Vec3};
use surefoot_formats::mesh::{CharacterMesh, Vertex};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

use crate::gltf_maker::Maker;

fn read(bytes: Vec<u8>) -> SourceFile {
    SourceFile::read(bytes, &ReadOptions::default()).unwrap()
}

fn mesh_of(source: &SourceFile, space: &Space) -> CharacterMesh {
    source.mesh(space, &|_| None).expect("the file has a mesh")
}

/// The positions of all vertices in the world, at a frame.
fn posed(mesh: &CharacterMesh, motion: &Motion, frame: usize) -> Vec<Vec3> {
    let world = motion.poses[frame].world(&motion.skeleton);
    let maps: Vec<(Mat3, Vec3)> = mesh.bones.iter().map(|bone| bone.in_world(&world)).collect();
    mesh.vertices.iter().map(|vertex| vertex.in_world(&maps)).collect()
}

const CORNERS: [[f32; 3]; 3] = [[0.1, 0.9, 0.0], [0.3, 0.5, 0.2], [-0.2, 0.1, 0.4]];

/// A file with one triangle, whose skin is bound in the pose of a frame, below an armature of this scale.
fn skinned(scale: f64, frame: usize) -> SourceFile {
    let mut maker = Maker::with_tracks(7);
    maker.armature(json!({"scale": [scale, scale, scale], "rotation": [0.5, 0.5, 0.5, 0.5]}));
    let motion = read(maker.glb()).motion(&Space::METRES_Y_UP);
    let world = motion.poses[frame].world(&motion.skeleton);
    // The inverse of a node's matrix, whose linear part is its rotation times the scale above it.
    let inverse = |joint: usize| {
        let linear = Mat3::from_quat(world.rotations[joint]).transpose()
            * Mat3::from_diagonal(Vec3::splat(1.0 / scale));
        let translation = -(linear * world.positions[joint]);
        let columns = [(linear.x_axis, 0.0), (linear.y_axis, 0.0), (linear.z_axis, 0.0), (translation, 1.0)];
        columns.into_iter().flat_map(|(v, w)| [v.x as f32, v.y as f32, v.z as f32, w])
    };
    let matrices: Vec<f32> = (0..4).flat_map(inverse).collect();
    let binds = maker.floats("MAT4", 16, &matrices);
    let positions = maker.floats("VEC3", 3, CORNERS.as_flattened());
    let joints = maker.view(&[0, 1, 0, 0, 2, 3, 0, 0, 3, 9, 0, 0]);
    let joints =
        maker.accessor(json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"}));
    let weights = maker.floats("VEC4", 4, &[0.6, 0.2, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let attributes = json!({"POSITION": positions, "JOINTS_0": joints, "WEIGHTS_0": weights});
    maker.document["meshes"] = json!([{"primitives": [{"attributes": attributes, "material": 0}]}]);
    maker.document["materials"] =
        json!([{"pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.25, 1, 1]}, "doubleSided": true}]);
    maker.document["skins"] = json!([{"joints": [0, 1, 2, 3], "inverseBindMatrices": binds}]);
    let nodes = maker.document["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "body", "mesh": 0, "skin": 0}));
    read(maker.glb())
}

#[test]
fn a_skin_has_its_modelled_shape_in_the_pose_that_it_is_bound_in() {
    for (scale, frame) in [(1.0, 0), (0.01, 3), (2.5, 6)] {
        let source = skinned(scale, frame);
        let space = Space::METRES_Y_UP;
        let (mesh, motion) = (mesh_of(&source, &space), source.motion(&space));
        let bound = posed(&mesh, &motion, frame);
        for (position, corner) in bound.iter().zip(CORNERS) {
            let wanted = Vec3::from_array(corner.map(f64::from));
            assert!(position.distance(wanted) < 1e-5, "scale {scale}: {position} instead of {wanted}");
        }
        let other = posed(&mesh, &motion, (frame + 3) % 7);
        assert!(bound.iter().zip(&other).all(|(a, b)| a.distance(*b) > 1e-3), "the mesh moves");
    }
}

#[test]
fn a_mesh_is_in_metres_and_turned_with_the_axes_of_its_file() {
    let source = skinned(1.0, 2);
    let space = Space { unit_m: 0.01, up: surefoot_core::UpAxis { axis: 2, negative: false } };
    let (mesh, motion) = (mesh_of(&source, &space), source.motion(&space));
    for (position, corner) in posed(&mesh, &motion, 2).iter().zip(CORNERS) {
        let wanted = space.position_from_file(Vec3::from_array(corner.map(f64::from)));
        assert!(position.distance(wanted) < 1e-7, "{position} instead of {wanted}");
    }
}

#[test]
fn weights_are_normalised_and_bones_that_do_not_exist_are_left_out() {
    let mesh = mesh_of(&skinned(1.0, 0), &Space::METRES_Y_UP);
    let Vertex { bones, weights, .. } = mesh.vertices[0];
    assert!(bones[..2] == [0, 1] && (weights[0] - 0.75).abs() < 1e-6 && (weights[1] - 0.25).abs() < 1e-6);
    assert_eq!((mesh.vertices[2].bones[0], mesh.vertices[2].weights), (3, [1.0, 0.0, 0.0, 0.0]));
    let material = mesh.materials[mesh.parts[0].material];
    assert_eq!((material.colour, material.is_double_sided), ([0.5, 0.25, 1.0, 1.0], true));
}

#[test]
fn a_rigid_mesh_moves_with_the_joint_above_it() {
    let mut maker = Maker::with_tracks(5);
    let positions = maker.floats("VEC3", 3, CORNERS.as_flattened());
    maker.document["meshes"] = json!([{"primitives": [{"attributes": {"POSITION": positions}}]}]);
    let nodes = maker.document["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"name": "shoe", "mesh": 0, "translation": [0.0, -0.1, 0.0]}));
    nodes.push(json!({"name": "stage", "mesh": 0}));
    nodes[3]["children"] = json!([4]);
    let source = read(maker.glb());
    let space = Space::METRES_Y_UP;
    let (mesh, motion) = (mesh_of(&source, &space), source.motion(&space));
    assert_eq!(mesh.vertices.len(), 3, "a mesh that no joint moves is not part of the character");
    let world = motion.poses[4].world(&motion.skeleton);
    for (position, corner) in posed(&mesh, &motion, 4).iter().zip(CORNERS) {
        let in_foot = Vec3::from_array(corner.map(f64::from)) - Vec3::new(0.0, 0.1, 0.0);
        let wanted = world.positions[3] + world.rotations[3] * in_foot;
        assert!(position.distance(wanted) < 1e-6, "{position} instead of {wanted}");
    }
}

#[test]
fn a_file_without_a_mesh_has_none() {
    let source = read(Maker::with_tracks(5).glb());
    assert_eq!(source.mesh(&Space::METRES_Y_UP, &|_| None), None);
    // An index beyond the vertices, and a buffer that ends too early, leave out their triangles.
    let mut maker = Maker::with_tracks(5);
    let positions = maker.floats("VEC3", 3, CORNERS.as_flattened());
    let indices = maker.floats("SCALAR", 1, &[0.0, 1.0, 7.0]);
    maker.document["meshes"] =
        json!([{"primitives": [{"attributes": {"POSITION": positions}, "indices": indices}]}]);
    maker.document["nodes"][3]["mesh"] = json!(0);
    assert_eq!(read(maker.glb()).mesh(&Space::METRES_Y_UP, &|_| None), None);
}

/// The skin of a captured character is around its joints.
#[test]
fn a_captured_mesh_is_around_its_joints() {
    let Some(path) = surefoot_testdata::path("gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb") else {
        return;
    };
    let source = read(std::fs::read(path).unwrap());
    let space = Space::METRES_Y_UP;
    let (mesh, motion) = (mesh_of(&source, &space), source.motion(&space));
    assert_eq!((mesh.vertices.len(), mesh.images.len()), (3273, 1));
    let frame = motion.frames() / 2;
    let world = motion.poses[frame].world(&motion.skeleton);
    for (vertex, position) in mesh.vertices.iter().zip(posed(&mesh, &motion, frame)) {
        let Some(joint) = mesh.bones[usize::from(vertex.bones[0])].joint else { continue };
        let distance = position.distance(world.positions[joint.index()]);
        assert!(distance < 0.6, "a vertex is {distance} m from {joint:?}");
    }
}

/// The skin of a captured FBX file is where `ufbx` itself evaluates it.
#[cfg(feature = "fbx")]
#[test]
fn an_fbx_mesh_is_where_its_reader_evaluates_it() {
    let Some(path) = surefoot_testdata::path("gltf/momentum/simple_anim.fbx") else { return };
    let bytes = std::fs::read(path).unwrap();
    let source = read(bytes.clone());
    let stated = source.stated_space().unwrap();
    let space = Space { unit_m: stated.unit_m, up: stated.up };
    let (mesh, motion) = (mesh_of(&source, &space), source.motion(&space));
    let scene = ufbx::load_memory(&bytes, ufbx::LoadOpts::default()).unwrap();
    let stack = &scene.anim_stacks[source.contents().chosen];
    let frame = motion.frames() / 2;
    let time = stack.time_begin + frame as f64 / motion.fps;
    let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
    let scene = ufbx::evaluate_scene(&scene, &stack.anim, time, options).unwrap();
    let skinned = scene.meshes.iter().find(|mesh| !mesh.skin_deformers.is_empty()).unwrap();
    let key = |x: f32, y: f32, z: f32| [x.to_bits(), y.to_bits(), z.to_bits()];
    let mut wanted: std::collections::HashMap<[u32; 3], Vec<Vec3>> = std::collections::HashMap::new();
    for (modelled, posed) in skinned.vertices.iter().zip(&skinned.skinned_position.values) {
        let at = key(modelled.x as f32, modelled.y as f32, modelled.z as f32);
        let posed = space.position_from_file(Vec3::new(posed.x, posed.y, posed.z));
        wanted.entry(at).or_default().push(posed);
    }
    assert!(!skinned.skinned_is_local && mesh.vertices.len() > 7000);
    // The reader blends more than four bones, so vertices of one bone are compared.
    let rigid = mesh.vertices.iter().zip(posed(&mesh, &motion, frame)).filter(|(v, _)| v.weights[0] == 1.0);
    let mut compared = 0;
    for (vertex, position) in rigid {
        let [x, y, z] = vertex.position;
        let distance = wanted[&key(x, y, z)].iter().map(|at| at.distance(position)).fold(f64::MAX, f64::min);
        assert!(distance < 1e-5, "{distance} m");
        compared += 1;
    }
    assert!(compared > 500, "{compared} vertices");
}
