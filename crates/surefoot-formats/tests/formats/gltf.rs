//! Files with every way to store an animation are read as a matrix reader reads them, and written with nothing else changed.

use serde_json::{Value, json};
use surefoot_core::math::axis_rotation;
use surefoot_core::{Motion, Vec3};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space, WriteError};

use crate::gltf_judge::{Judge, encode};
use crate::gltf_maker::{FPS, Maker, frame_times, turn};

const FRAMES: usize = 21;
/// The frames that the tests edit.
const EDITED: core::ops::Range<usize> = 8..12;

fn read(bytes: Vec<u8>) -> SourceFile {
    SourceFile::read(bytes, &ReadOptions::default()).unwrap()
}

/// World positions of the joints at a frame, by name.
fn positions(motion: &Motion, frame: usize) -> Vec<(String, Vec3)> {
    let world = motion.poses[frame].world(&motion.skeleton);
    let names = motion.skeleton.joints().iter().map(|joint| joint.name.clone());
    names.zip(world.positions).collect()
}

/// The greatest distance between joints of a motion and nodes of the same name in the file, at all frames.
fn distance(motion: &Motion, judge: &Judge, start: f64) -> f64 {
    let nodes = judge.document["nodes"].as_array().unwrap();
    let mut greatest: f64 = 0.0;
    for frame in 0..motion.frames() {
        let judged = judge.positions(0, f64::from((start + frame as f64 / motion.fps) as f32));
        for (name, position) in positions(motion, frame) {
            let node = nodes.iter().position(|node| node["name"] == name.as_str()).unwrap();
            greatest = greatest.max(position.distance(Vec3::from_array(judged[node])));
        }
    }
    greatest
}

/// The motion with the hips moved and the knee bent at some frames.
fn edited(motion: &Motion) -> Motion {
    let mut edited = motion.clone();
    let joint = |name: &str| motion.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
    for frame in EDITED {
        let pose = &mut edited.poses[frame];
        pose.offsets[joint("hips")] += Vec3::new(0.01, -0.02, 0.03);
        pose.rotations[joint("shin")] *= axis_rotation(0, 0.2);
    }
    edited
}

/// Checks that a file reads as the judge reads it, is written back unchanged, and holds an edited motion at every frame.
///
/// Returns the bytes of the edited file. `start` is the time of its first key.
fn check(bytes: &[u8], start: f64) -> Vec<u8> {
    let file = read(bytes.to_vec());
    assert_eq!((file.rate().value, file.frames()), (FPS, FRAMES));
    let motion = file.motion(&Space::METRES_Y_UP);
    let before = Judge::new(bytes, None);
    assert!(distance(&motion, &before, start) < 1e-6, "{}", distance(&motion, &before, start));
    assert!(
        file.write(&motion, &Space::METRES_Y_UP).unwrap() == bytes,
        "an unchanged motion changed the file"
    );
    let edited = edited(&motion);
    let written = file.write(&edited, &Space::METRES_Y_UP).unwrap();
    let after = Judge::new(&written, None);
    assert!(distance(&edited, &after, start) < 1e-6, "{}", distance(&edited, &after, start));
    let again = file.read_back(written.clone()).unwrap().motion(&Space::METRES_Y_UP);
    assert_eq!(again.frames(), motion.frames());
    assert!(distance(&again, &after, start) < 1e-6);
    check_between_frames(&before, &after, start);
    assert_eq!(after.document["extras"], before.document["extras"]);
    assert!(written.windows(27).any(|part| part == b"other data, which must stay"));
    written
}

/// Far from the edit the curves are the same between frames too.
fn check_between_frames(before: &Judge, after: &Judge, start: f64) {
    let far = |frame: &f64| *frame < EDITED.start as f64 - 1.0 || *frame > EDITED.end as f64;
    for frame in (0..10 * FRAMES - 10).map(|tenth| tenth as f64 / 10.0).filter(far) {
        let time = f64::from((start + frame / FPS) as f32);
        let pairs = before.positions(0, time).into_iter().zip(after.positions(0, time));
        for (a, b) in pairs {
            let apart = Vec3::from_array(a).distance(Vec3::from_array(b));
            assert!(apart < 2e-6, "at frame {frame} the motion moved by {apart}");
        }
    }
}

/// The bytes of a buffer that accessors of changed tracks do not cover are equal.
fn check_only_keys_changed(before: &[u8], after: &[u8], changed: &[usize]) {
    let (old, new) = (Judge::new(before, None), Judge::new(after, None));
    let spans: Vec<core::ops::Range<usize>> = changed
        .iter()
        .map(|&accessor| {
            let view = &old.document["accessors"][accessor]["bufferView"];
            let view = &old.document["bufferViews"][view.as_u64().unwrap() as usize];
            let start = view["byteOffset"].as_u64().unwrap() as usize;
            start..start + view["byteLength"].as_u64().unwrap() as usize
        })
        .collect();
    let differs = |&at: &usize| old.buffers[0][at] != new.buffers[0][at];
    let outside = |at: &usize| !spans.iter().any(|span| span.contains(at));
    assert_eq!((0..old.buffers[0].len()).filter(differs).filter(outside).count(), 0);
    assert!((0..old.buffers[0].len()).any(|at| differs(&at)));
}

#[test]
fn keys_at_frames_are_overwritten_where_they_lie() {
    let bytes = Maker::with_tracks(FRAMES).glb();
    let written = check(&bytes, 0.0);
    assert_eq!(written.len(), bytes.len());
    // Accessors 1 and 7 are the translation of the hips and the rotation of the shin.
    check_only_keys_changed(&bytes, &written, &[1, 7]);
    let (old, new) = (Judge::new(&bytes, None), Judge::new(&written, None));
    assert_eq!(old.document["animations"], new.document["animations"]);
    assert_eq!(
        old.document["accessors"].as_array().unwrap().len(),
        new.document["accessors"].as_array().unwrap().len()
    );
    for accessor in [1, 7] {
        check_bounds(&new, accessor);
    }
}

/// `min` and `max` of an accessor are those of its values.
fn check_bounds(judge: &Judge, accessor: usize) {
    let values = judge.accessor(accessor);
    for (key, least) in [("min", true), ("max", false)] {
        let bounds = judge.document["accessors"][accessor][key].as_array().unwrap();
        for (n, bound) in bounds.iter().enumerate() {
            let column = values.iter().map(|value| value[n]);
            let expected =
                if least { column.fold(f64::MAX, f64::min) } else { column.fold(f64::MIN, f64::max) };
            assert_eq!(bound.as_f64().unwrap() as f32, expected as f32);
        }
    }
}

#[test]
fn the_first_key_may_be_at_any_time() {
    let mut maker = Maker::new();
    let times: Vec<f32> = frame_times(FRAMES).iter().map(|time| time + 1.5).collect();
    for node in 0..4 {
        let values: Vec<f32> = times.iter().flat_map(|&t| turn(node, t)).collect();
        maker.track(node, "rotation", "LINEAR", &times, &values);
    }
    check(&maker.glb(), 1.5);
}

#[test]
fn sparse_keys_get_keys_at_the_edited_frames_only() {
    let mut maker = Maker::new();
    let times: Vec<f32> = frame_times(FRAMES).into_iter().step_by(5).collect();
    for node in 0..4 {
        let values: Vec<f32> = times.iter().flat_map(|&t| turn(node, t)).collect();
        maker.track(node, "rotation", "LINEAR", &times, &values);
    }
    let all = frame_times(FRAMES);
    maker.track(
        0,
        "translation",
        "LINEAR",
        &all,
        &all.iter().flat_map(|t| [*t, 1.0, 0.0]).collect::<Vec<_>>(),
    );
    let written = check(&maker.glb(), 0.0);
    let judge = Judge::new(&written, None);
    let shin = &judge.document["animations"][0]["samplers"][2];
    // Keys at frames 0, 5, 15 and 20 are kept, and frames 7 to 12 have keys, of which 10 was one before.
    assert_eq!(judge.accessor(shin["input"].as_u64().unwrap() as usize).len(), 4 + 6);
    let thigh = &judge.document["animations"][0]["samplers"][1];
    assert_eq!(thigh, &maker.document["animations"][0]["samplers"][1], "an unchanged track is not resampled");
}

#[test]
fn keys_between_frames_are_read_and_rewritten_near_the_edit_only() {
    let mut maker = Maker::with_tracks(FRAMES);
    // The shin has its keys at times of its own, of which some are on frames.
    let times: Vec<f32> = (0..=60).map(|n| n as f32 * 0.8 / 60.0).collect();
    let values: Vec<f32> = times.iter().flat_map(|&t| turn(2, t)).collect();
    let input = maker.floats("SCALAR", 1, &times);
    let output = maker.floats("VEC4", 4, &values);
    maker.document["animations"][0]["samplers"][3] = json!({"input": input, "output": output});
    let file = read(maker.glb());
    let mut given = file.clone();
    given.set_rate(FPS);
    let motion = given.motion(&Space::METRES_Y_UP);
    let before = Judge::new(&maker.glb(), None);
    assert!(distance(&motion, &before, 0.0) < 1e-6);
    let edited = edited(&motion);
    let written = given.write(&edited, &Space::METRES_Y_UP).unwrap();
    let after = Judge::new(&written, None);
    assert!(distance(&edited, &after, 0.0) < 1e-6);
    check_between_frames(&before, &after, 0.0);
}

#[test]
fn a_step_track_stays_a_step_track() {
    let mut maker = Maker::with_tracks(FRAMES);
    maker.document["animations"][0]["samplers"][3]["interpolation"] = json!("STEP");
    let written = check(&maker.glb(), 0.0);
    let judge = Judge::new(&written, None);
    assert_eq!(judge.document["animations"][0]["samplers"][3]["interpolation"], "STEP");
}

/// Adds a spline to the shin with a key every `step` frames.
fn with_spline(step: usize) -> Maker {
    let mut maker = Maker::with_tracks(FRAMES);
    let times: Vec<f32> = frame_times(FRAMES).into_iter().step_by(step).collect();
    let slope = |t: f32, n: usize| (turn(2, t + 0.01)[n] - turn(2, t - 0.01)[n]) / 0.02;
    let key = |&t: &f32| {
        let tangent: [f32; 4] = core::array::from_fn(|n| slope(t, n));
        [tangent, turn(2, t), tangent].concat()
    };
    let values: Vec<f32> = times.iter().flat_map(key).collect();
    let input = maker.floats("SCALAR", 1, &times);
    let output = maker.floats("VEC4", 4, &values);
    let sampler = json!({"input": input, "output": output, "interpolation": "CUBICSPLINE"});
    maker.document["animations"][0]["samplers"][3] = sampler;
    maker
}

#[test]
fn a_spline_stays_a_spline_with_smooth_tangents() {
    for step in [1, 4] {
        let maker = with_spline(step);
        let written = check(&maker.glb(), 0.0);
        let judge = Judge::new(&written, None);
        let sampler = &judge.document["animations"][0]["samplers"][3];
        assert_eq!(sampler["interpolation"], "CUBICSPLINE");
        // Inside the edit, half-way between two frames, the curve is between its values at the frames.
        let foot = |frame: f64| Vec3::from_array(judge.positions(0, frame / FPS)[3]);
        let middle = foot(9.5).distance((foot(9.0) + foot(10.0)) * 0.5);
        assert!(middle < 1e-3, "a key every {step} frames: {middle}");
    }
}

#[test]
fn quantised_rotations_become_floats_where_they_change() {
    let mut maker = Maker::with_tracks(FRAMES);
    for node in [1, 2] {
        let values = frame_times(FRAMES).into_iter().flat_map(|t| turn(node, t));
        let bytes: Vec<u8> = values.flat_map(|v| ((v * 32767.0).round() as i16).to_le_bytes()).collect();
        let view = maker.view(&bytes);
        let accessor = json!({"bufferView": view, "componentType": 5122, "normalized": true, "count": FRAMES, "type": "VEC4"});
        let output = maker.accessor(accessor);
        maker.document["animations"][0]["samplers"][1 + node]["output"] = json!(output);
    }
    let written = check(&maker.glb(), 0.0);
    let judge = Judge::new(&written, None);
    let kind = |sampler: usize| {
        let output = judge.document["animations"][0]["samplers"][sampler]["output"].as_u64().unwrap();
        judge.document["accessors"][output as usize]["componentType"].clone()
    };
    assert_eq!((kind(2), kind(3)), (json!(5122), json!(5126)));
}

#[test]
fn sparse_accessors_are_read_and_left_alone() {
    for has_view in [true, false] {
        let mut maker = Maker::with_tracks(FRAMES);
        let output = maker.document["animations"][0]["samplers"][0]["output"].as_u64().unwrap() as usize;
        let indices = maker.view(&[2, 0, 9, 0]);
        let values: Vec<u8> =
            [0.5f32, 1.1, 0.2, 0.6, 1.2, 0.3].iter().flat_map(|v| v.to_le_bytes()).collect();
        let values = maker.view(&values);
        let accessor = &mut maker.document["accessors"][output];
        accessor["sparse"] = json!({
            "count": 2,
            "indices": {"bufferView": indices, "componentType": 5123},
            "values": {"bufferView": values},
        });
        if !has_view {
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
        let written = check(&maker.glb(), 0.0);
        let judge = Judge::new(&written, None);
        assert_eq!(judge.document["accessors"][output], maker.document["accessors"][output]);
    }
}

#[test]
fn a_track_whose_keys_another_track_uses_gets_keys_of_its_own() {
    // Shin and foot share an accessor, then a sampler, then the same bytes by two accessors.
    for share in ["accessor", "sampler", "bytes"] {
        let mut maker = Maker::with_tracks(FRAMES);
        let output = maker.document["animations"][0]["samplers"][3]["output"].clone();
        match share {
            "accessor" => maker.document["animations"][0]["samplers"][4]["output"] = output,
            "sampler" => maker.document["animations"][0]["channels"][4]["sampler"] = json!(3),
            _ => {
                let copy = maker.document["accessors"][output.as_u64().unwrap() as usize].clone();
                maker.document["animations"][0]["samplers"][4]["output"] = json!(maker.accessor(copy));
            }
        }
        let bytes = maker.glb();
        let written = check(&bytes, 0.0);
        check_only_keys_changed(&bytes, &written, &[1]);
    }
}

#[test]
fn another_animation_of_the_same_nodes_is_left_alone() {
    let mut maker = Maker::with_tracks(FRAMES);
    let mut other = maker.document["animations"][0].clone();
    other["name"] = json!("other");
    maker.document["animations"].as_array_mut().unwrap().push(other);
    let bytes = maker.glb();
    let written = check(&bytes, 0.0);
    let (before, after) = (Judge::new(&bytes, None), Judge::new(&written, None));
    for frame in 0..FRAMES {
        let time = frame as f64 / FPS;
        assert_eq!(before.positions(1, time), after.positions(1, time));
    }
    let named = ReadOptions { animation: Some("other"), ..ReadOptions::default() };
    let file = SourceFile::read(bytes.clone(), &named).unwrap();
    assert_eq!(file.contents().chosen, 1);
    let missing = ReadOptions { animation: Some("run"), ..ReadOptions::default() };
    let error = SourceFile::read(bytes, &missing).unwrap_err().to_string();
    assert_eq!(error, r#"animations: found none that is called "run", expected "walk", "other""#);
}

#[test]
fn scaled_mirrored_and_turned_armatures_are_exact() {
    let armatures = [
        json!({"name": "Armature", "rotation": [-0.6, 0.0, 0.0, 0.8], "scale": [0.01, 0.01, 0.01]}),
        json!({"name": "Armature", "scale": [-1.0, 1.0, 1.0], "translation": [1.0, 0.0, 2.0]}),
        json!({"name": "Armature", "scale": [1.0, 2.0, 0.5]}),
        json!({"matrix": [0.0, 0.0, 2.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 5.0, 6.0, 7.0, 1.0]}),
    ];
    for armature in armatures {
        let mut maker = Maker::with_tracks(FRAMES);
        maker.armature(armature.clone());
        let file = read(maker.glb());
        assert_eq!(file.skeleton().joints()[0].name, "hips", "the armature does not move");
        check(&maker.glb(), 0.0);
    }
}

#[test]
fn animated_scales_are_exact() {
    let times = frame_times(FRAMES);
    let uniform: Vec<f32> = times.iter().flat_map(|t| [1.0 + 0.2 * t; 3]).collect();
    let mirrored: Vec<f32> = times.iter().flat_map(|_| [-1.0, 1.0, 1.0]).collect();
    let uneven: Vec<f32> = times.iter().flat_map(|t| [1.0, 1.0 + 0.2 * t, 1.0]).collect();
    for scales in [uniform, mirrored, uneven] {
        let mut maker = Maker::with_tracks(FRAMES);
        maker.track(1, "scale", "LINEAR", &times, &scales);
        check(&maker.glb(), 0.0);
    }
}

#[test]
fn a_still_joint_with_a_matrix_can_be_moved() {
    let mut maker = Maker::new();
    let times = frame_times(FRAMES);
    for node in [0, 1, 3] {
        let values: Vec<f32> = times.iter().flat_map(|&t| turn(node, t)).collect();
        maker.track(node, "rotation", "LINEAR", &times, &values);
    }
    // The shin is turned by 90° about X and scaled by 2.
    let shin = json!({"name": "shin", "children": [3],
        "matrix": [2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, -0.4, 0.0, 1.0]});
    maker.document["nodes"][2] = shin;
    let written = check(&maker.glb(), 0.0);
    let judge = Judge::new(&written, None);
    assert!(judge.document["nodes"][2].get("matrix").is_none());
    assert_eq!(judge.document["animations"][0]["channels"].as_array().unwrap().len(), 5);
}

#[test]
fn a_stretched_bone_gets_a_translation_track() {
    let bytes = Maker::with_tracks(FRAMES).glb();
    let file = read(bytes.clone());
    let mut motion = file.motion(&Space::METRES_Y_UP);
    motion.poses[10].offsets[2] *= 1.02;
    let written = file.write(&motion, &Space::METRES_Y_UP).unwrap();
    let judge = Judge::new(&written, None);
    assert!(distance(&motion, &judge, 0.0) < 1e-6);
    let again = file.read_back(written).unwrap();
    assert_eq!(file.tracks()[2].len() + 1, again.tracks()[2].len());
}

#[test]
fn a_longer_or_shorter_motion_replaces_all_tracks_of_the_joints() {
    for frames in [5, 30] {
        let mut maker = with_spline(1);
        maker.document["animations"][0]["samplers"][0]["interpolation"] = json!("STEP");
        let file = read(maker.glb());
        let mut motion = file.motion(&Space::METRES_Y_UP);
        motion.poses.resize(frames, motion.poses[3].clone());
        motion.fps = 50.0;
        let written = file.write(&motion, &Space::METRES_Y_UP).unwrap();
        assert!(distance(&motion, &Judge::new(&written, None), 0.0) < 1e-6);
        let again = file.read_back(written).unwrap();
        assert_eq!((again.frames(), again.rate().value), (frames, 50.0));
    }
}

#[test]
fn a_gltf_keeps_its_buffers() {
    let mut maker = Maker::with_tracks(FRAMES);
    maker.buffer.resize(maker.buffer.len().next_multiple_of(3), 0);
    // In a data URI, keys are overwritten where they lie.
    let uri = format!("data:application/octet-stream;base64,{}", encode(&maker.buffer));
    let embedded = maker.gltf(&uri);
    let file = read(embedded.clone());
    let motion = file.motion(&Space::METRES_Y_UP);
    assert_eq!(file.write(&motion, &Space::METRES_Y_UP).unwrap(), embedded);
    let written = file.write(&edited(&motion), &Space::METRES_Y_UP).unwrap();
    assert!(written.len().abs_diff(embedded.len()) < 200);
    let again = file.read_back(written).unwrap().motion(&Space::METRES_Y_UP);
    assert!(distance(&edited(&motion), &judge_of(&again), 0.0) < 1e-6);

    // A file beside it is left alone: new keys are in a buffer of their own.
    let buffer = maker.buffer.clone();
    let beside = |name: &str| (name == "walk cycle.bin").then(|| buffer.clone());
    let options = ReadOptions { load_beside: Some(&beside), ..ReadOptions::default() };
    let file = SourceFile::read(maker.gltf("walk%20cycle.bin"), &options).unwrap();
    let written = file.write(&edited(&motion), &Space::METRES_Y_UP).unwrap();
    let judge = Judge::new(&written, Some(&buffer));
    assert_eq!(judge.document["buffers"].as_array().unwrap().len(), 2);
    assert!(distance(&edited(&motion), &judge, 0.0) < 1e-6);
    assert!(file.read_back(written).is_ok());
    let error = SourceFile::read(maker.gltf("no.bin"), &options).unwrap_err().to_string();
    assert!(
        error.ends_with(r#"accessor 0: found no file "no.bin" beside it, expected 21 elements"#),
        "{error}"
    );
}

/// A judge of a motion that the library has read: the tracks of a new file with the same poses.
fn judge_of(motion: &Motion) -> Judge {
    let mut maker = Maker::new();
    let times = frame_times(motion.frames());
    for node in 0..4 {
        let poses = || motion.poses.iter();
        let turns: Vec<f32> =
            poses().flat_map(|pose| pose.rotations[node].to_array().map(|n| n as f32)).collect();
        let moves: Vec<f32> =
            poses().flat_map(|pose| pose.offsets[node].to_array().map(|n| n as f32)).collect();
        maker.track(node, "rotation", "LINEAR", &times, &turns);
        maker.track(node, "translation", "LINEAR", &times, &moves);
    }
    Judge::new(&maker.glb(), None)
}

#[test]
fn nodes_between_joints_are_joints_and_others_are_not() {
    let mut maker = Maker::with_tracks(FRAMES);
    maker.document["skins"] = json!([{"joints": [0, 1, 3]}]);
    maker.document["nodes"].as_array_mut().unwrap().push(json!({"name": "lamp"}));
    let times = frame_times(FRAMES);
    maker.track(4, "rotation", "LINEAR", &times, &times.iter().flat_map(|&t| turn(0, t)).collect::<Vec<_>>());
    let file = read(maker.glb());
    let names: Vec<&str> = file.skeleton().joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["hips", "thigh", "shin", "foot"]);
    assert_eq!((file.contents().skins[0].joints, file.contents().animations[0].tracks), (3, 6));
}

#[test]
fn a_file_without_animation_has_one_frame_and_cannot_be_changed() {
    let mut maker = Maker::new();
    maker.document["skins"] = json!([{"joints": [0, 1, 2, 3]}]);
    maker.document.as_object_mut().unwrap().remove("animations");
    let file = read(maker.glb());
    let mut motion = file.motion(&Space::METRES_Y_UP);
    assert_eq!(motion.frames(), 1);
    motion.poses[0].offsets[0].x += 1.0;
    assert!(matches!(file.write(&motion, &Space::METRES_Y_UP), Err(WriteError::Refused(_))));
}

/// The error of a file after a change of its document.
fn error(change: impl FnOnce(&mut Value)) -> String {
    let mut maker = Maker::with_tracks(FRAMES);
    change(&mut maker.document);
    SourceFile::read(maker.glb(), &ReadOptions::default()).unwrap_err().to_string()
}

#[test]
fn errors_state_animation_node_track_and_key() {
    let at = r#"animation 0 "walk", channel 3, node 2 "shin", rotation"#;
    let samplers = |document: &mut Value, n: usize| document["animations"][0]["samplers"][n].take();
    assert_eq!(
        error(|document| document["animations"][0]["channels"][3]["sampler"] = json!(9)),
        format!("{at}: found sampler 9, expected one of 5 samplers")
    );
    assert_eq!(
        error(|document| document["animations"][0]["samplers"][3]["interpolation"] = json!("BEZIER")),
        format!(r#"{at}: found interpolation "BEZIER", expected LINEAR, STEP or CUBICSPLINE"#)
    );
    assert_eq!(
        error(|document| document["accessors"][7]["count"] = json!(20)),
        format!("{at}: found 20 values, expected 21 for 21 keys")
    );
    assert_eq!(
        error(|document| document["accessors"][7]["count"] = json!(2000)),
        format!("{at}, accessor 7: found a buffer that ends before the last element, expected 2000 elements")
    );
    assert_eq!(
        error(|document| document["accessors"][7]["type"] = json!("VEC2")),
        format!(r#"{at}, accessor 7: found type "VEC2", expected 4 numbers in each element"#)
    );
    assert_eq!(
        error(|document| document["nodes"][3]["children"] = json!([1])),
        r#"node 3 "foot": found child 1, which is a child of node 0 too, expected one parent for each node"#
    );
    assert_eq!(
        error(|document| document["asset"]["version"] = json!("1.0")),
        r#"asset: found version "1.0", expected version 2.0"#
    );
    assert!(error(|document| drop(samplers(document, 3))).contains("the JSON text, line 1"));
}

#[test]
fn a_key_that_is_not_a_number_is_an_error() {
    let mut maker = Maker::with_tracks(FRAMES);
    let mut values: Vec<f32> = frame_times(FRAMES).iter().flat_map(|&t| turn(2, t)).collect();
    values[4 * 12 + 1] = f32::NAN;
    let output = maker.floats("VEC4", 4, &values);
    maker.document["accessors"][output]
        .as_object_mut()
        .unwrap()
        .retain(|key, _| key != "min" && key != "max");
    maker.document["animations"][0]["samplers"][3]["output"] = json!(output);
    let error = SourceFile::read(maker.glb(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(
        error,
        r#"animation 0 "walk", channel 3, node 2 "shin", rotation, key 12: found NaN, expected a number"#
    );
}

#[test]
fn a_new_file_holds_the_motion() {
    let mut motion = read(Maker::with_tracks(FRAMES).glb()).motion(&Space::METRES_Y_UP);
    motion.poses[3].offsets[2].x += 0.01;
    let bytes = surefoot_formats::gltf::from_motion(&motion).unwrap();
    assert!(distance(&motion, &Judge::new(&bytes, None), 0.0) < 1e-6);
    let file = read(bytes);
    assert_eq!((file.frames(), file.rate().value), (FRAMES, FPS));
    assert_eq!(file.tracks().iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 2, 1]);
}

#[test]
fn captured_files_are_written_back_unchanged() {
    for path in surefoot_testdata::files("gltf", ".glb") {
        let bytes = std::fs::read(&path).unwrap();
        let file = read(bytes.clone());
        for animation in 0..file.contents().animations.len() {
            let number = animation.to_string();
            let options = ReadOptions { animation: Some(&number), ..ReadOptions::default() };
            let file = SourceFile::read(bytes.clone(), &options).unwrap();
            for space in [Space::METRES_Y_UP, Space { unit_m: 0.01, ..Space::METRES_Y_UP }] {
                let motion = file.motion(&space);
                assert!(file.write(&motion, &space).unwrap() == bytes, "{} changed", path.display());
            }
        }
    }
}

#[test]
fn tracks_that_meshopt_has_packed_are_read_and_changed() {
    let plain = Maker::with_tracks(FRAMES);
    let mut maker = Maker::with_tracks(FRAMES);
    maker.pack();
    let bytes = maker.glb();
    let file = read(bytes.clone());
    let motion = file.motion(&Space::METRES_Y_UP);
    assert_eq!(motion, read(plain.glb()).motion(&Space::METRES_Y_UP));
    assert!(file.write(&motion, &Space::METRES_Y_UP).unwrap() == bytes);
    let edited = edited(&motion);
    let written = file.write(&edited, &Space::METRES_Y_UP).unwrap();
    let again = file.read_back(written.clone()).unwrap().motion(&Space::METRES_Y_UP);
    for frame in 0..FRAMES {
        for ((_, a), (_, b)) in positions(&edited, frame).into_iter().zip(positions(&again, frame)) {
            assert!(a.distance(b) < 1e-6);
        }
    }
    assert!(written.windows(maker.buffer.len()).any(|part| part == maker.buffer), "packed data changed");
    maker.document["bufferViews"][0]["extensions"]["EXT_meshopt_compression"]["filter"] = json!("OTHER");
    let error = SourceFile::read(maker.glb(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("found a buffer view that meshopt has packed in a way that is not read"),
        "{error}"
    );
}
