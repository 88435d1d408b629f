//! FBX files are written with nothing but the keys of changed curves changed, whatever parts a transform has.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Motion, Vec3};
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space, WriteError};

use crate::damage::Damage;
use crate::fbx_maker::{Encoding, FPS, FRAMES, Odd, encoded, file};
use crate::own_process;

const SPACE: Space = Space { unit_m: 0.01, ..Space::METRES_Y_UP };

fn read(bytes: Vec<u8>) -> SourceFile {
    SourceFile::read(bytes, &ReadOptions::default()).unwrap()
}

/// The greatest distance between the joints of two motions, in metres.
fn distance(a: &Motion, b: &Motion) -> f64 {
    assert_eq!((a.frames(), a.skeleton.len()), (b.frames(), b.skeleton.len()));
    let positions = |motion: &Motion| -> Vec<Vec3> {
        motion.poses.iter().flat_map(|pose| pose.world(&motion.skeleton).positions).collect()
    };
    positions(a).into_iter().zip(positions(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}

/// A motion in which some frames of the root and of a joint with children are changed.
fn edited(motion: &Motion, joint: usize) -> Motion {
    let mut edited = motion.clone();
    let frames = motion.frames();
    for pose in &mut edited.poses[frames / 3..frames / 2] {
        pose.offsets[0] += Vec3::new(0.01, -0.02, 0.03);
        pose.rotations[joint] *= axis_rotation(0, 0.2) * axis_rotation(2, -0.1);
    }
    edited
}

/// Name, properties and depth of every record of a binary file.
fn records(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let version = u32::from_le_bytes(bytes[23..27].try_into().unwrap());
    let (size, header) = if version >= 7500 { (8, 25) } else { (4, 13) };
    let number =
        |at: usize| bytes[at..at + size].iter().rev().fold(0usize, |sum, &byte| sum << 8 | usize::from(byte));
    let mut list = Vec::new();
    let mut ends = vec![bytes.len()];
    let mut at = 27;
    loop {
        let (end, length) = (number(at), number(at + 2 * size));
        if end == 0 {
            at += header;
            ends.pop();
            if ends.is_empty() {
                return list;
            }
            assert_eq!(
                at,
                *ends.last().unwrap_or(&at).min(&at),
                "a list of records ends where its parent ends"
            );
            continue;
        }
        let name = at + header..at + header + usize::from(bytes[at + header - 1]);
        let properties = name.end..name.end + length;
        list.push((String::from_utf8_lossy(&bytes[name]).into_owned(), bytes[properties.clone()].to_vec()));
        at = properties.end;
        if at < end {
            ends.push(end);
        }
    }
}

/// Checks that only arrays of keys differ between two files with the same records.
fn check_only_keys_changed(before: &[u8], after: &[u8]) {
    let (before, after) = (records(before), records(after));
    assert_eq!(before.len(), after.len());
    let mut changed = 0;
    for (old, new) in before.iter().zip(&after) {
        assert_eq!(old.0, new.0);
        if old.1 != new.1 {
            assert!(old.0.starts_with("Key"), "{} changed", old.0);
            changed += 1;
        }
    }
    assert!(changed > 0);
}

fn odd_files() -> Vec<Odd> {
    let pre = [10.0, -90.0, 30.0];
    let mut files: Vec<Odd> =
        (0..6).map(|order| Odd { order, pre, post: [5.0, 20.0, -15.0], ..Odd::default() }).collect();
    files.push(Odd::default());
    let pivots = Odd {
        pre,
        pivot: [1.0, 2.0, 3.0],
        scaling_pivot: [-1.0, 0.5, 2.0],
        offset: [0.3, 0.2, 0.1],
        ..Odd::default()
    };
    files.push(Odd { scale: Some([1.5, 1.5, 1.5]), ..pivots.clone() });
    files.push(pivots);
    files.push(Odd { scale: Some([1.0, 2.0, 0.5]), ..Odd::default() });
    files.push(Odd { scale: Some([-1.0, 1.0, 1.0]), ..Odd::default() });
    files.push(Odd { geometric: [1.0, 2.0, 3.0], ..Odd::default() });
    for (unit, is_z_up) in [(2.54, false), (100.0, true), (1.0, true)] {
        files.push(Odd { unit, is_z_up, ..Odd::default() });
    }
    for inherit in 0..3 {
        files.push(Odd { inherit, thigh_scale: Some([1.5, 1.5, 1.5]), ..Odd::default() });
        files.push(Odd { inherit, thigh_scale: Some([1.0, 2.0, 0.5]), ..Odd::default() });
    }
    files
}

/// The greatest distance of the joints of a motion from where `ufbx` evaluates the nodes of these names, in metres.
fn distance_from_ufbx(bytes: &[u8], motion: &Motion, space: &Space) -> f64 {
    let scene = ufbx::load_memory(bytes, ufbx::LoadOpts::default()).unwrap();
    let anim: &ufbx::Anim = &scene.anim_stacks[0].anim;
    let mut greatest = 0.0_f64;
    for (frame, pose) in motion.poses.iter().enumerate() {
        let options = ufbx::EvaluateOpts::default();
        let scene = ufbx::evaluate_scene(&scene, anim, frame as f64 / FPS, options).unwrap();
        for (joint, position) in motion.skeleton.joints().iter().zip(pose.world(&motion.skeleton).positions) {
            let node = scene.nodes.iter().find(|node| *node.element.name == *joint.name).unwrap();
            let ufbx::Matrix { m03, m13, m23, .. } = node.node_to_world;
            let own = space.position_from_file(Vec3::new(m03, m13, m23));
            greatest = greatest.max(own.distance(position));
        }
    }
    greatest
}

fn space_of(source: &SourceFile) -> Space {
    let stated = source.stated_space().unwrap();
    Space { unit_m: stated.unit_m, up: stated.up }
}

#[test]
fn ufbx_evaluates_the_joints_of_every_kind_of_transform_where_they_are_read_and_written() {
    for (n, odd) in odd_files().into_iter().enumerate() {
        let bytes = encoded(Encoding::Ascii, 7400, &odd);
        let source = read(bytes.clone());
        let space = space_of(&source);
        let motion = source.motion(&space);
        let apart = distance_from_ufbx(&bytes, &motion, &space);
        assert!(apart < 1e-6, "file {n}, read: {apart}");
        let edited = edited(&motion, 2);
        let written = source.write(&edited, &space).unwrap();
        let apart = distance_from_ufbx(&written, &edited, &space);
        // In metres the body is 90 m tall.
        assert!(apart < 1e-5 * space.unit_m.max(0.1), "file {n}, written: {apart}");
    }
}

#[test]
fn one_of_several_stacks_is_changed_and_the_others_stay() {
    for encoding in [Encoding::Binary, Encoding::Ascii] {
        let bytes = encoded(encoding, 7400, &Odd { has_two_stacks: true, ..Odd::default() });
        let stack = |bytes: &[u8], name| {
            let options = ReadOptions { animation: Some(name), ..ReadOptions::default() };
            SourceFile::read(bytes.to_vec(), &options).unwrap()
        };
        let [take, other] = ["Take", "Other"].map(|name| stack(&bytes, name));
        assert_eq!(take.contents().animations.len(), 2);
        let changed = edited(&other.motion(&SPACE), 2);
        let written = other.write(&changed, &SPACE).unwrap();
        assert!(distance(&changed, &stack(&written, "Other").motion(&SPACE)) < 2e-7);
        assert_eq!(take.motion(&SPACE).poses, stack(&written, "Take").motion(&SPACE).poses);
    }
}

#[test]
fn keys_are_changed_in_place_for_every_kind_of_transform() {
    for version in [7400, 7700] {
        for odd in odd_files() {
            let bytes = file(version, &odd);
            let source = read(bytes.clone());
            assert_eq!((source.rate().value, source.frames()), (FPS, FRAMES));
            let motion = source.motion(&SPACE);
            assert!(source.write(&motion, &SPACE).unwrap() == bytes, "an unchanged motion changed the file");
            let edited = edited(&motion, 2);
            let written = source.write(&edited, &SPACE).unwrap();
            let again = source.read_back(written.clone()).unwrap().motion(&SPACE);
            assert!(distance(&edited, &again) < 2e-7, "version {version}: {}", distance(&edited, &again));
            if odd.scale.is_none() && odd.thigh_scale.is_none() && odd.pivot == [0.0; 3] {
                check_only_keys_changed(&bytes, &written);
                assert_eq!(written.len(), bytes.len());
            }
            assert!(written.windows(27).any(|part| part == b"other data, which must stay"));
        }
    }
}

/// Checks that two texts differ in numbers only, and returns how many tokens differ.
fn changed_numbers(before: &[u8], after: &[u8]) -> usize {
    let tokens = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        text.split_inclusive([',', '\n', ' ', '\t']).map(String::from).collect()
    };
    let (before, after) = (tokens(before), tokens(after));
    assert_eq!(before.len(), after.len());
    let mut changed = 0;
    for (old, new) in before.iter().zip(&after).filter(|(old, new)| old != new) {
        let number = |token: &str| token.trim_end_matches([',', '\n', ' ', '\t']).parse::<f64>();
        assert!(number(old).is_ok() && number(new).is_ok(), "{old:?} became {new:?}");
        changed += 1;
    }
    changed
}

/// Every encoding and version that is written, beside binary files since version 7000.
const OTHER_ENCODINGS: [(Encoding, u32); 5] = [
    (Encoding::Ascii, 7100),
    (Encoding::Ascii, 7400),
    (Encoding::Ascii, 7700),
    (Encoding::Ascii, 6100),
    (Encoding::Binary, 6100),
];

#[test]
fn in_texts_and_in_version_6_only_numbers_of_changed_keys_change() {
    for (encoding, version) in OTHER_ENCODINGS {
        for (n, odd) in odd_files().into_iter().enumerate() {
            let place = format!("{encoding:?} {version}, file {n}");
            let bytes = encoded(encoding, version, &odd);
            let source = read(bytes.clone());
            assert_eq!((source.rate().value, source.frames()), (FPS, FRAMES), "{place}");
            let motion = source.motion(&SPACE);
            let same = read(file(7400, &odd)).motion(&SPACE);
            assert!(distance(&motion, &same) < 2e-7, "{place}: {}", distance(&motion, &same));
            assert!(source.write(&motion, &SPACE).unwrap() == bytes, "{place}: an unchanged motion changed");
            let edited = edited(&motion, 2);
            let written = source.write(&edited, &SPACE).unwrap();
            let again = source.read_back(written.clone()).unwrap().motion(&SPACE);
            assert!(distance(&edited, &again) < 2e-7, "{place}: {}", distance(&edited, &again));
            let has_new_curves = odd.scale.is_some() || odd.thigh_scale.is_some() || odd.pivot != [0.0; 3];
            if encoding == Encoding::Ascii && !has_new_curves {
                // Two of twelve frames, of three axes of the hips' position and of the shin's rotation.
                assert_eq!(changed_numbers(&bytes, &written), 12, "{place}");
            } else if encoding == Encoding::Binary && !has_new_curves {
                assert_eq!(bytes.len(), written.len(), "{place}");
                let differ = bytes.iter().zip(&written).filter(|(a, b)| a != b).count();
                assert!(differ <= 12 * 8, "{place}: {differ} bytes differ");
            }
        }
    }
}

#[test]
fn in_texts_and_in_version_6_curves_are_made_where_there_are_none() {
    for (encoding, version) in OTHER_ENCODINGS {
        let off = Odd { is_off_frames: true, ..Odd::default() };
        let source = read(encoded(encoding, version, &off));
        let mut motion = edited(&source.motion(&SPACE), 2);
        motion.poses[4].rotations[3] *= axis_rotation(1, 0.3);
        motion.poses[5].offsets[3] *= 1.02;
        motion.poses[5].offsets[2] *= 1.02;
        let written = source.write(&motion, &SPACE).unwrap();
        let again = source.read_back(written.clone()).unwrap();
        let apart = distance(&motion, &again.motion(&SPACE));
        assert!(apart < 2e-7, "{encoding:?} {version}: {apart}");
        assert_eq!(source.tracks()[3].len() + 2, again.tracks()[3].len());
        assert!(written.windows(27).any(|part| part == b"other data, which must stay"));
    }
}

#[test]
fn curves_with_keys_between_frames_get_a_key_at_each_frame() {
    let bytes = file(7700, &Odd { is_off_frames: true, ..Odd::default() });
    let source = read(bytes.clone());
    let edited = edited(&source.motion(&SPACE), 2);
    let written = source.write(&edited, &SPACE).unwrap();
    check_only_keys_changed(&bytes, &written);
    let again = source.read_back(written).unwrap().motion(&SPACE);
    assert!(distance(&edited, &again) < 2e-7, "{}", distance(&edited, &again));
}

#[test]
fn a_joint_without_curves_gets_them() {
    for version in [7400, 7700] {
        let source = read(file(version, &Odd::default()));
        let mut motion = source.motion(&SPACE);
        motion.poses[4].rotations[3] *= axis_rotation(1, 0.3);
        motion.poses[5].offsets[3] *= 1.02;
        let written = source.write(&motion, &SPACE).unwrap();
        let again = source.read_back(written).unwrap();
        assert!(distance(&motion, &again.motion(&SPACE)) < 2e-7);
        assert_eq!(source.tracks()[3].len() + 2, again.tracks()[3].len());
    }
}

#[test]
fn a_property_on_several_layers_is_refused_with_the_reason() {
    let source = read(file(7700, &Odd { has_two_layers: true, ..Odd::default() }));
    let motion = source.motion(&SPACE);
    let Err(WriteError::Refused(reason)) = source.write(&edited(&motion, 2), &SPACE) else { panic!() };
    assert!(reason.starts_with("node \"shin\", Lcl Rotation: it is animated on several layers"), "{reason}");
    let mut longer = motion.clone();
    longer.poses.push(motion.poses[0].clone());
    let Err(WriteError::Refused(reason)) = source.write(&longer, &SPACE) else { panic!() };
    assert!(reason.contains("write it as .glb or .bvh"), "{reason}");
}

#[test]
fn plants_are_stored_as_properties_and_curves_and_leave_the_rest_alone() {
    let plants = |last: usize| {
        let plant = format!("{{\"foot\":\"left\",\"point\":\"heel\",\"first\":2,\"last\":{last}}}");
        format!("{{\"surefoot\":\"plants/1\",\"plants\":[{plant}]}}")
    };
    for version in [7400, 7700] {
        let bytes = file(version, &Odd::default());
        let source = read(bytes.clone());
        assert_eq!(source.stored_plants(), None);
        let written = source.write_plants(&plants(5)).unwrap();
        let again = read(written.clone());
        assert_eq!(again.stored_plants().as_deref(), Some(plants(5).as_bytes()));
        assert_eq!(again.motion(&SPACE).poses, source.motion(&SPACE).poses);
        let scene = ufbx::load_memory(&written, ufbx::LoadOpts::default()).unwrap();
        let value = |frame: usize| {
            let node = scene.nodes.iter().find(|node| &*node.element.name == "hips").unwrap();
            let time = frame as f64 / FPS;
            ufbx::evaluate_prop(&scene.anim, &node.element, "left_heel", time).value_vec4.x
        };
        assert_eq!([1, 2, 5, 6].map(value), [0.0, 1.0, 1.0, 0.0]);
        // All records of the original are there, unchanged and in order.
        let after = records(&written);
        let mut rest = after.iter();
        assert!(records(&bytes).iter().all(|record| rest.any(|other| other == record)));
        let replaced = again.write_plants(&plants(3)).unwrap();
        assert_eq!(records(&replaced).len(), after.len(), "plants are replaced, not added");
        assert_eq!(read(replaced).stored_plants().as_deref(), Some(plants(3).as_bytes()));
    }
}

#[test]
fn a_take_without_channels_for_the_axes_is_refused_with_the_reason() {
    let bytes = encoded(Encoding::Ascii, 6100, &Odd::default());
    let text = String::from_utf8(bytes).unwrap();
    // The value of the whole property in front of the axes, which hides them from readers.
    let odd = text.replace("Channel: \"R\" {", "Channel: \"R\" { Default: 1.5");
    let source = read(odd.into_bytes());
    let motion = source.motion(&SPACE);
    let Err(WriteError::Refused(reason)) = source.write(&edited(&motion, 2), &SPACE) else { panic!() };
    assert!(
        reason.ends_with("Lcl Rotation: found no channels X, Y and Z in its take, expected them"),
        "{reason}"
    );
}

#[test]
fn a_text_holds_plants_and_version_6_refuses_them() {
    let plants = "{\"surefoot\":\"plants/1\",\"plants\":[{\"foot\":\"left\",\"point\":\"heel\",\"first\":2,\"last\":5}]}";
    for version in [7100, 7400] {
        let bytes = encoded(Encoding::Ascii, version, &Odd::default());
        let source = read(bytes.clone());
        let written = source.write_plants(plants).unwrap();
        let again = read(written.clone());
        assert_eq!(again.stored_plants().as_deref(), Some(plants.as_bytes()));
        assert_eq!(again.motion(&SPACE).poses, source.motion(&SPACE).poses);
        assert!(again.write_plants(plants).unwrap() == written, "the same plants changed the file");
        // All lines of the original are there, unchanged and in order.
        let [before, after] = [bytes, written].map(|bytes| String::from_utf8(bytes).unwrap());
        let mut rest = after.lines();
        assert!(before.lines().all(|line| rest.any(|other| other == line)));
    }
    let source = read(encoded(Encoding::Binary, 6100, &Odd::default()));
    let Err(WriteError::Refused(reason)) = source.write_plants(plants) else { panic!() };
    assert_eq!(reason, "an FBX file before version 7 cannot hold plants: write them to a .json file");
}

#[test]
fn a_file_that_was_cut_off_is_refused_in_one_sentence() {
    for (encoding, version) in [(Encoding::Binary, 7700), (Encoding::Binary, 6100), (Encoding::Ascii, 7400)] {
        let bytes = encoded(encoding, version, &Odd::default());
        for part in 2..6 {
            let cut = bytes[..bytes.len() * part / 7].to_vec();
            let expected = format!(
                "the FBX file ends after {} bytes, inside a record: it was not written or copied as a whole",
                cut.len()
            );
            let error = SourceFile::read(cut, &ReadOptions::default()).unwrap_err().to_string();
            assert_eq!(error, expected, "{encoding:?} {version}");
        }
    }
}

#[test]
fn captured_files_are_written_with_only_keys_changed() {
    let files = [surefoot_testdata::files("fbx", ".fbx"), surefoot_testdata::files("gltf", ".fbx")].concat();
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let source = read(bytes.clone());
        let motion = source.motion(&SPACE);
        assert!(source.write(&motion, &SPACE).unwrap() == bytes, "{} changed", path.display());
        let has_children = |joint: &usize| {
            motion.skeleton.joints().iter().any(|one| one.parent.is_some_and(|p| p.index() == *joint))
        };
        let joint = (1..motion.skeleton.len()).filter(has_children).nth(3).unwrap();
        let edited = edited(&motion, joint);
        let written = source.write(&edited, &SPACE).unwrap();
        let again = source.read_back(written.clone()).unwrap().motion(&SPACE);
        assert!(distance(&edited, &again) < 5e-6, "{}: {}", path.display(), distance(&edited, &again));
        if records(&bytes).len() == records(&written).len() {
            check_only_keys_changed(&bytes, &written);
        }
    }
}

#[test]
fn damaged_copies_are_accepted_or_refused() {
    const FBX: Damage = Damage {
        fragments: &[
            b"\xff\xff\xff\xff",
            b"AnimationCurve",
            b"\0\0\0\0\0\0\0\0\0\0\0\0\0",
            b"l\xff\xff\0\0",
            b"OP",
            b"Objects",
            b"{ a: 1,",
            b"\"",
            b"Key: *9",
            b"U,s,",
        ],
        copies: 2_000,
        memory_per_byte: 20,
        // The transforms of a motion that a damaged time makes long.
        memory_besides: 100 << 20,
    };
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        let mut files = vec![(Encoding::Binary, 7700)];
        files.extend(OTHER_ENCODINGS);
        for (encoding, version) in files {
            let outcome = FBX.check(
                &encoded(encoding, version, &Odd::default()),
                |bytes| SourceFile::read(bytes.to_vec(), &ReadOptions::default()),
                |source, bytes| {
                    let mut motion = source.motion(&SPACE);
                    let written = source.write(&motion, &SPACE);
                    assert!(
                        written.is_err() || written.unwrap() == bytes,
                        "an unchanged motion changed the file"
                    );
                    motion.poses[0].offsets[0] = Vec3::new(0.25, -3.5, 10.0);
                    if let Ok(written) = source.write(&motion, &SPACE) {
                        let _ = source.read_back(written);
                    }
                },
            );
            assert!(outcome.accepted > 100 && outcome.refused > 20, "{encoding:?} {version}: {outcome:?}");
        }
    });
}
