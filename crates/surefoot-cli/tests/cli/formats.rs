//! Motion files of other formats: every command takes them, and the same walk gives the same result in each.

use surefoot_core::{Motion, Vec3};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space};

use super::test_folder::TestFolder;

/// A folder with a walk that skates, as `walk.bvh` in centimetres, and as `walk.glb` and `walk.npz` in metres.
fn with_walks() -> TestFolder {
    let folder = TestFolder::new();
    let sample = ["sample", "walk", "-o", "walk.bvh", "--seconds", "4", "--skate", "scale=1.15"];
    folder.run(&sample).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.glb", "--unit", "cm"]).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.npz", "--unit", "cm"]).expect_success();
    folder
}

fn motion(folder: &TestFolder, name: &str) -> Motion {
    let file = SourceFile::read(folder.bytes(name), &ReadOptions::default()).unwrap();
    let unit_m = if name.ends_with(".bvh") { 0.01 } else { 1.0 };
    file.motion(&Space { unit_m, ..Space::METRES_Y_UP })
}

/// The greatest distance between the joints of two motions, in metres.
fn distance(a: &Motion, b: &Motion) -> f64 {
    assert_eq!((a.frames(), a.skeleton.len()), (b.frames(), b.skeleton.len()));
    let positions = |motion: &Motion| -> Vec<Vec3> {
        motion.poses.iter().flat_map(|pose| pose.world(&motion.skeleton).positions).collect()
    };
    positions(a).into_iter().zip(positions(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}

#[test]
fn a_walk_converted_to_gltf_and_back_has_the_same_positions() {
    let folder = with_walks();
    folder.run(&["convert", "walk.glb", "back.bvh", "--to-unit", "cm"]).expect_success();
    assert!(distance(&motion(&folder, "walk.bvh"), &motion(&folder, "walk.glb")) < 2e-6);
    assert!(distance(&motion(&folder, "walk.bvh"), &motion(&folder, "back.bvh")) < 2e-6);
    folder.run(&["convert", "walk.glb", "copy.glb"]).expect_success();
    assert!(folder.bytes("copy.glb") == folder.bytes("walk.glb"));
}

#[test]
fn the_same_walk_cleans_to_the_same_motion_in_every_format() {
    let folder = with_walks();
    for name in ["walk.bvh", "walk.glb", "walk.npz"] {
        // Detection is not continuous: the rounding of a file can move the end of a plant by a frame.
        folder.run(&["clean", name, "--plants", "walk.plants.json", "--floor", "0"]).expect_success();
    }
    let apart = distance(&motion(&folder, "walk.clean.bvh"), &motion(&folder, "walk.clean.glb"));
    assert!(apart < 1e-4, "{apart}");
    let apart = distance(&motion(&folder, "walk.clean.bvh"), &motion(&folder, "walk.clean.npz"));
    assert!(apart < 1e-4, "{apart}");
    let measure = ["measure", "walk.clean.glb", "--before", "walk.glb", "--plants", "walk.plants.json"];
    folder.run(&[&measure[..], &["--max-drift", "0.05mm"]].concat()).expect_success();
}

#[test]
fn every_command_takes_a_glb() {
    let folder = with_walks();
    folder.run(&["inspect", "walk.glb"]).expect_success();
    folder.run(&["detect", "walk.glb", "--force"]).expect_success();
    folder.run(&["plot", "walk.glb"]).expect_success();
    folder.run(&["loop", "walk.glb"]).expect_success();
    folder.run(&["follow", "walk.glb", "--turn", "20deg"]).expect_success();
    folder.run(&["join", "walk.glb", "walk.glb"]).expect_success();
    folder.run(&["retarget", "walk.bvh", "--to", "walk.glb", "-o", "same.bvh"]).expect_success();
    folder.run(&["convert", "walk.glb", "walk.ndjson"]).expect_success();
    assert!(folder.names().contains(&"walk.loop.glb".to_owned()), "{:?}", folder.names());
}

#[test]
fn every_command_takes_arrays() {
    let folder = with_walks();
    folder.run(&["inspect", "walk.npz"]).expect_success();
    folder.run(&["detect", "walk.npz", "--force"]).expect_success();
    folder.run(&["plot", "walk.npz"]).expect_success();
    folder.run(&["loop", "walk.npz"]).expect_success();
    folder.run(&["follow", "walk.npz", "--turn", "20deg"]).expect_success();
    folder.run(&["join", "walk.npz", "walk.npz"]).expect_success();
    folder.run(&["retarget", "walk.bvh", "--to", "walk.npz", "-o", "same.npz"]).expect_success();
    folder.run(&["convert", "walk.npz", "walk.ndjson"]).expect_success();
    folder.run(&["convert", "walk.npz", "copy.npz"]).expect_success();
    assert!(folder.bytes("copy.npz") == folder.bytes("walk.npz"));
    folder.run(&["convert", "walk.npz", "back.bvh", "--to-unit", "cm"]).expect_success();
    assert!(distance(&motion(&folder, "walk.bvh"), &motion(&folder, "back.bvh")) < 2e-6);
    folder.run(&["batch", "walk.npz", "walk.bvh", "-o", "batch"]).expect_success();
}

#[test]
fn positions_alone_are_cleaned_and_keep_the_length_of_every_bone() {
    let folder = with_walks();
    folder.run(&["convert", "walk.bvh", "walk.npy", "--unit", "cm"]).expect_success();
    let as_walk = ["--skeleton", "walk.bvh", "--fps", "60"];
    let clean = ["clean", "walk.npy", "-o", "clean.npy", "--max-drift", "0.05mm", "--max-stretch", "0.001%"];
    // Foot points that the file does not store must not make the figures worse than those of a file with rotations.
    let events = ["--max-knee-pops", "0", "--max-deeper-frames", "0", "--max-new-slides", "0"];
    folder.run(&[&clean[..], &as_walk, &events].concat()).expect_success();
    let measure = ["measure", "clean.npy", "--before", "walk.npy", "--max-drift", "0.05mm"];
    folder.run(&[&measure[..], &as_walk].concat()).expect_success();
    assert_eq!(folder.bytes("clean.npy").len(), folder.bytes("walk.npy").len());
}

#[test]
fn plants_are_the_same_as_labels_in_an_array_and_in_gltf_extras() {
    let folder = with_walks();
    for name in ["plants.csv", "labels.npy", "with_plants.glb"] {
        folder.run(&["detect", "walk.glb", "-o", name]).expect_success();
        folder.run(&["clean", "walk.glb", "--plants", name, "-o", &format!("{name}.glb")]).expect_success();
    }
    assert!(folder.bytes("labels.npy.glb") == folder.bytes("plants.csv.glb"));
    assert!(folder.bytes("with_plants.glb.glb") == folder.bytes("plants.csv.glb"));
    let (with, without) = (folder.bytes("with_plants.glb"), folder.bytes("walk.glb"));
    assert!(with.ends_with(&without[without.len() / 2..]), "the binary chunk is copied");
    folder.run(&["detect", "with_plants.glb", "-o", "again.glb"]).expect_success();
    assert!(folder.bytes("again.glb") == with, "plants replace those that are there");
    folder.run(&["clean", "walk.glb", "--plants", "walk.glb"]).expect_error("found no plants");
    folder.run(&["detect", "walk.bvh", "-o", "plants.glb"]).expect_error("plants files end in");
    // A table of numbers alone is in the order of the data sets.
    let table = folder.text("plants.csv");
    folder.write("numbers.csv", table.split_once('\n').unwrap().1);
    folder.run(&["clean", "walk.glb", "--plants", "numbers.csv", "-o", "numbers.glb"]).expect_success();
    assert!(folder.bytes("numbers.glb") == folder.bytes("plants.csv.glb"));
}

#[test]
fn like_writes_a_motion_into_a_copy_of_another_file() {
    let folder = with_walks();
    folder.run(&["clean", "walk.bvh"]).expect_success();
    folder.run(&["convert", "walk.clean.bvh", "out.glb", "--like", "walk.glb"]).expect_success();
    assert!(distance(&motion(&folder, "out.glb"), &motion(&folder, "walk.clean.bvh")) < 2e-6);
    folder.run(&["sample", "walk", "-o", "dog.bvh", "--skeleton", "four-legs"]).expect_success();
    folder.run(&["convert", "dog.bvh", "dog.glb", "--like", "walk.glb"]).expect_error("surefoot retarget");
}

#[test]
fn a_conversion_that_makes_no_sense_is_refused_with_the_reason() {
    let folder = with_walks();
    folder
        .run(&["convert", "walk.bvh", "walk.fbx"])
        .expect_error("--like FILE writes the motion into a copy");
    folder.run(&["convert", "walk.bvh", "walk.c3d"]).expect_error("a C3D file holds markers");
    folder.run(&["convert", "walk.bvh", "walk.gltf"]).expect_error("is written as .glb");
    folder.run(&["convert", "walk.glb", "m.glb", "--to-unit", "cm"]).expect_error("need a BVH file as OUT");
    folder.run(&["clean", "walk.glb", "--animation", "run"]).expect_error("none that is called \"run\"");
}

#[test]
fn an_acclaim_pair_is_cleaned_within_its_degrees_of_freedom() {
    let [Some(skeleton), Some(motion)] =
        ["02.asf", "02_01.amc"].map(|name| surefoot_testdata::path(&format!("acclaim/cmu_asfamc/{name}")))
    else {
        return;
    };
    let folder = TestFolder::new();
    std::fs::copy(&motion, folder.path("02_01.amc")).unwrap();
    folder.run(&["clean", "02_01.amc"]).expect_error("no skeleton was found beside the motion");
    // The only skeleton of the folder, whatever its name.
    std::fs::copy(skeleton, folder.path("actor.asf")).unwrap();
    folder.run(&["clean", "02_01.amc", "--max-drift", "0.01mm"]).expect_success();
    assert_eq!(folder.names(), ["02_01.amc", "02_01.clean.amc", "actor.asf"]);
    folder.run(&["convert", "02_01.amc", "out.glb"]).expect_success();
    // The joints of a .glb are in another order.
    folder.run(&["convert", "out.glb", "back.amc", "--like", "02_01.amc"]).expect_success();
    let measure = ["measure", "back.amc", "--before", "02_01.amc", "--max-drift", "10cm"];
    folder.run(&measure).expect_success();
    folder.run(&["convert", "02_01.amc", "copy.amc"]).expect_success();
    assert_eq!(folder.bytes("copy.amc"), std::fs::read(motion).unwrap());
}

#[test]
fn an_fbx_file_is_cleaned_in_place() {
    let Some(walk) = surefoot_testdata::path("fbx/rocketbox/m_walk_neutral.max.fbx") else { return };
    let folder = TestFolder::new();
    // The content tells the format, whatever the name.
    std::fs::copy(&walk, folder.path("walk.dat")).unwrap();
    folder.run(&["clean", "walk.dat", "-o", "clean.fbx", "--max-drift", "0.05mm"]).expect_success();
    assert_eq!(folder.bytes("clean.fbx").len(), std::fs::read(&walk).unwrap().len());
    folder.run(&["measure", "clean.fbx", "--before", "walk.dat", "--max-drift", "0.05mm"]).expect_success();
    folder.run(&["convert", "walk.dat", "copy.fbx"]).expect_success();
    assert_eq!(folder.bytes("copy.fbx"), std::fs::read(&walk).unwrap());
    folder.run(&["convert", "clean.fbx", "clean.glb"]).expect_success();
}

#[test]
fn all_animations_of_a_file_are_cleaned_in_one_copy() {
    let Some(fox) = surefoot_testdata::path("gltf/khronos/Fox/glTF-Binary/Fox.glb") else { return };
    let folder = TestFolder::new();
    std::fs::copy(&fox, folder.path("fox.glb")).unwrap();
    folder.run(&["clean", "fox.glb", "--all-animations"]).expect_success();
    for animation in ["Survey", "Walk", "Run"] {
        let named = ["--animation", animation];
        // The keys of one animation do not depend on the others.
        folder
            .run(&[&["clean", "fox.glb", "-o", "one.glb", "--force"][..], &named].concat())
            .expect_success();
        let poses = |name: &str| {
            let options = ReadOptions { animation: Some(animation), ..ReadOptions::default() };
            SourceFile::read(folder.bytes(name), &options).unwrap().motion(&Space::METRES_Y_UP).poses
        };
        assert!(poses("one.glb") == poses("fox.clean.glb"), "{animation}");
        assert!(poses("fox.glb") != poses("fox.clean.glb"), "{animation}");
    }
    let result = folder.run(&["clean", "fox.glb", "--all-animations", "--json", "--force"]).expect_success();
    let value = result.json();
    let names: Vec<&str> = value["animations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["animation"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Survey", "Walk", "Run"]);
}

#[test]
fn plants_in_an_fbx_file_are_those_that_were_written() {
    let Some(walk) = surefoot_testdata::path("fbx/rocketbox/m_walk_neutral.max.fbx") else { return };
    let folder = TestFolder::new();
    std::fs::copy(&walk, folder.path("walk.fbx")).unwrap();
    folder.run(&["detect", "walk.fbx", "-o", "with_plants.fbx"]).expect_success();
    folder.run(&["clean", "walk.fbx", "--plants", "with_plants.fbx", "-o", "given.fbx"]).expect_success();
    folder.run(&["clean", "walk.fbx", "-o", "detected.fbx"]).expect_success();
    assert!(folder.bytes("given.fbx") == folder.bytes("detected.fbx"));
    let none = folder.run(&["clean", "walk.fbx", "--plants", "walk.fbx", "-o", "none.fbx"]);
    none.expect_error("found no plants in the properties of its first joint, expected some");
}

#[test]
fn foot_points_come_from_the_mesh_unless_joints_are_chosen() {
    let Some(man) = surefoot_testdata::path("gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb") else {
        return;
    };
    let folder = TestFolder::new();
    std::fs::copy(&man, folder.path("man.glb")).unwrap();
    let inspect = |flags: &[&str]| {
        let result = folder.run(&[&["inspect", "man.glb", "--json"][..], flags].concat()).expect_success();
        serde_json::from_str::<serde_json::Value>(&result.stdout).unwrap()
    };
    let (mesh, joints) = (inspect(&[]), inspect(&["--foot-points", "joints"]));
    assert_eq!((&mesh["foot_points"], &joints["foot_points"]), (&"mesh".into(), &"joints".into()));
    let floor = |value: &serde_json::Value| value["floor"]["offset_m"].as_f64().unwrap();
    // The sole is some centimetres below the joint of the toes.
    assert!((0.015..0.05).contains(&(floor(&joints) - floor(&mesh))));
    folder.run(&["clean", "man.glb", "--max-drift", "0.05mm"]).expect_success();
}
