//! NumPy arrays: every layout is read, written back byte for byte, and changed only where the motion changes.

use std::sync::Arc;

use surefoot_core::math::{Mat3, Quat, Vec3, axis_rotation};
use surefoot_core::{Motion, Skeleton};
use surefoot_formats::arrays::{npy_from_motion, npz_from_motion};
use surefoot_formats::source::{ArrayOptions, ReadOptions};
use surefoot_formats::{SourceFile, Space, WriteError};

use crate::arrays_maker::{Archive, npy, npy_in_order, npz, words};

const FRAMES: usize = 12;
const JOINTS: usize = 4;
const PARENTS: [f64; JOINTS] = [-1.0, 0.0, 1.0, 1.0];
const OFFSETS: [[f64; 3]; JOINTS] = [[0.0, 0.0, 0.0], [0.0, 0.5, 0.0], [0.25, 0.0, 0.0], [0.0, 0.0, 0.75]];

/// A rotation that turns half the way round in the course of the motion.
fn rotation(frame: usize, joint: usize) -> Quat {
    let turn = frame as f64 * 0.25 * (joint + 1) as f64 / JOINTS as f64;
    axis_rotation(joint % 3, turn) * axis_rotation((joint + 1) % 3, 0.3)
}

fn rows(numbers: impl Fn(Quat) -> Vec<f64>) -> Vec<f64> {
    let all = (0..FRAMES).flat_map(|frame| (0..JOINTS).map(move |joint| rotation(frame, joint)));
    all.flat_map(numbers).collect()
}

fn wxyz(q: Quat) -> Vec<f64> {
    vec![q.w, q.x, q.y, q.z]
}

fn axis_angle(q: Quat) -> Vec<f64> {
    let (axis, angle) = q.to_axis_angle();
    (axis * angle).to_array().to_vec()
}

fn matrix_rows(q: Quat) -> Vec<f64> {
    Mat3::from_quat(q).transpose().to_cols_array().to_vec()
}

fn roots() -> Vec<f64> {
    (0..FRAMES).flat_map(|frame| [0.1 * frame as f64, 1.0, -0.05 * frame as f64]).collect()
}

/// A skeleton, a rate, and arrays that have nothing to do with the motion.
fn beside(rotations: (&'static str, Vec<u8>)) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("gender", words(&["female"])),
        rotations,
        ("root_pos", npy("<f8", &[FRAMES, 3], &roots())),
        ("offsets", npy("<f8", &[JOINTS, 3], OFFSETS.as_flattened())),
        ("parents", npy("<i8", &[JOINTS], &PARENTS)),
        ("joint_names", words(&["hips", "spine", "left_arm", "head"])),
        ("fps", npy("<f8", &[], &[60.0])),
        ("betas", npy("<f4", &[3], &[1.5, -2.5, 0.25])),
    ]
}

fn read(bytes: &[u8]) -> SourceFile {
    SourceFile::read(bytes.to_vec(), &ReadOptions::default()).unwrap()
}

fn read_as(bytes: &[u8], arrays: &ArrayOptions) -> Result<SourceFile, String> {
    let options = ReadOptions { arrays: Some(arrays), ..ReadOptions::default() };
    SourceFile::read(bytes.to_vec(), &options).map_err(|error| error.to_string())
}

fn error(bytes: &[u8]) -> String {
    SourceFile::read(bytes.to_vec(), &ReadOptions::default()).unwrap_err().to_string()
}

fn motion(file: &SourceFile) -> Motion {
    file.motion(&Space::METRES_Y_UP)
}

fn write(file: &SourceFile, motion: &Motion) -> Vec<u8> {
    file.write(motion, &Space::METRES_Y_UP).unwrap()
}

/// The largest distance between joints of two motions.
fn distance(a: &Motion, b: &Motion) -> f64 {
    assert_eq!((a.frames(), a.skeleton.len()), (b.frames(), b.skeleton.len()));
    let positions = |motion: &Motion| -> Vec<Vec3> {
        motion.poses.iter().flat_map(|pose| pose.world(&motion.skeleton).positions).collect()
    };
    positions(a).into_iter().zip(positions(b)).map(|(a, b)| a.distance(b)).fold(0.0, f64::max)
}

/// Every layout of rotations, with the name that states its form where it cannot be recognised.
fn layouts() -> Vec<(&'static str, Option<&'static str>, Vec<u8>)> {
    let column = |q: Quat, n: usize| Mat3::from_quat(q).to_cols_array()[3 * n..3 * n + 3].to_vec();
    let six = |q: Quat| [column(q, 0), column(q, 1)].concat();
    let matrix = rows(matrix_rows);
    let rows_six = rows(|q| matrix_rows(q)[..6].to_vec());
    let interleaved = rows(|q| {
        let m = matrix_rows(q);
        vec![m[0], m[1], m[3], m[4], m[6], m[7]]
    });
    let xyzw = rows(|q| q.to_array().to_vec());
    let four = [FRAMES, JOINTS, 4];
    vec![
        ("quaternions", None, npy("<f8", &four, &rows(wxyz))),
        ("single precision", None, npy("<f4", &four, &rows(wxyz))),
        ("big-endian", None, npy(">f4", &four, &rows(wxyz))),
        ("Fortran order", None, npy_in_order("<f8", true, &four, &rows(wxyz))),
        ("real part last", None, npy("<f8", &four, &xyzw)),
        ("a batch of one", None, npy("<f8", &[1, FRAMES, JOINTS, 4], &rows(wxyz))),
        ("one row per frame", None, npy("<f8", &[FRAMES, 4 * JOINTS], &rows(wxyz))),
        ("axis–angle", None, npy("<f8", &[FRAMES, JOINTS, 3], &rows(axis_angle))),
        ("matrices", None, npy("<f8", &[FRAMES, JOINTS, 3, 3], &matrix)),
        ("6D", None, npy("<f8", &[FRAMES, JOINTS, 6], &rows(six))),
        ("6D, rows", Some("6d-rows"), npy("<f8", &[FRAMES, JOINTS, 6], &rows_six)),
        ("6D, interleaved", Some("6d-interleaved"), npy("<f8", &[FRAMES, JOINTS, 6], &interleaved)),
    ]
}

fn options(rotations: Option<&str>) -> ArrayOptions {
    ArrayOptions { rotations: rotations.map(str::to_owned), ..ArrayOptions::default() }
}

#[test]
fn every_form_of_rotations_gives_the_same_motion() {
    let first = motion(&read(&npz(Archive::NumPy, &beside(("rotations", layouts()[0].2.clone())))));
    assert_eq!((first.fps, first.frames(), first.skeleton.len()), (60.0, FRAMES, JOINTS));
    assert_eq!(first.skeleton.joints()[3].name, "head");
    for (name, form, array) in layouts() {
        let file = read_as(&npz(Archive::NumPy, &beside(("rotations", array))), &options(form)).unwrap();
        assert!(distance(&first, &motion(&file)) < 1e-6, "{name}");
    }
}

#[test]
fn an_unchanged_motion_gives_the_same_bytes() {
    for archive in [Archive::NumPy, Archive::Compressed, Archive::Streamed] {
        for (name, form, array) in layouts() {
            let bytes = npz(archive, &beside(("rotations", array)));
            let file = read_as(&bytes, &options(form)).unwrap();
            assert!(write(&file, &motion(&file)) == bytes, "{name}, {archive:?}");
        }
    }
}

/// The content of every member of an archive, read by its directory.
fn members(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let number = |at: usize, width: usize| {
        bytes[at..at + width].iter().rev().fold(0, |sum, &digit| sum << 8 | usize::from(digit))
    };
    let end = bytes.len() - 22;
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut found = Vec::new();
    for _ in 0..count {
        assert!(bytes[at..].starts_with(b"PK\x01\x02"));
        let (name, extra, comment) = (number(at + 28, 2), number(at + 30, 2), number(at + 32, 2));
        let (header, compressed) = (number(at + 42, 4), number(at + 20, 4));
        assert!(bytes[header..].starts_with(b"PK\x03\x04"));
        let start = header + 30 + number(header + 26, 2) + number(header + 28, 2);
        let data = &bytes[start..start + compressed];
        let content = match number(at + 10, 2) {
            0 => data.to_vec(),
            _ => {
                let mut content = Vec::new();
                std::io::Read::read_to_end(&mut flate2::read::DeflateDecoder::new(data), &mut content)
                    .unwrap();
                content
            }
        };
        let mut crc = flate2::Crc::new();
        crc.update(&content);
        assert_eq!(crc.sum() as usize, number(at + 16, 4));
        assert_eq!(content.len(), number(at + 24, 4));
        found.push((String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap(), content));
        at += 46 + name + extra + comment;
    }
    found
}

#[test]
fn a_change_of_one_joint_changes_only_its_numbers() {
    for archive in [Archive::NumPy, Archive::Compressed, Archive::Streamed] {
        for (name, form, array) in layouts() {
            let bytes = npz(archive, &beside(("rotations", array)));
            let file = read_as(&bytes, &options(form)).unwrap();
            let mut changed = motion(&file);
            changed.poses[5].rotations[2] = axis_rotation(1, 2.5);
            changed.poses[7].offsets[0].y = 1.25;
            let written = write(&file, &changed);
            let back = file.read_back(written.clone()).unwrap();
            assert!(distance(&changed, &motion(&back)) < 1e-6, "{name}, {archive:?}");
            let (before, after) = (members(&bytes), members(&written));
            for ((member, old), (_, new)) in before.iter().zip(&after) {
                let differing = old.iter().zip(new).filter(|(old, new)| old != new).count();
                let most = match member.as_str() {
                    "rotations.npy" => 9 * 8,
                    "root_pos.npy" => 8,
                    _ => 0,
                };
                assert!(
                    old.len() == new.len() && differing <= most,
                    "{name}, {member}: {differing} bytes differ"
                );
            }
        }
    }
}

#[test]
fn bones_that_the_arrays_keep_rigid_are_not_stretched() {
    let file = read(&npz(Archive::NumPy, &beside(("rotations", layouts()[0].2.clone()))));
    let mut changed = motion(&file);
    changed.poses[3].offsets[2].x += 0.01;
    let Err(WriteError::Refused(reason)) = file.write(&changed, &Space::METRES_Y_UP) else { panic!() };
    assert!(reason.contains("frame 3") && reason.contains("left_arm"), "{reason}");
}

#[test]
fn local_positions_hold_stretched_bones_and_the_root() {
    let mut local: Vec<f64> =
        core::iter::repeat_n(OFFSETS.as_flattened(), FRAMES).flatten().copied().collect();
    for (frame, root) in roots().chunks_exact(3).enumerate() {
        local[3 * JOINTS * frame..][..3].copy_from_slice(root);
    }
    let bytes = npz(
        Archive::NumPy,
        &[
            ("X", npy("<f4", &[FRAMES, JOINTS, 3], &local)),
            ("Q", npy("<f4", &[FRAMES, JOINTS, 4], &rows(wxyz))),
            ("parents", npy("<i4", &[JOINTS], &PARENTS)),
        ],
    );
    let file = read(&bytes);
    let mut changed = motion(&file);
    assert!(write(&file, &changed) == bytes);
    changed.poses[3].offsets[2].x += 0.01;
    changed.poses[4].offsets[0].y += 0.5;
    let back = file.read_back(write(&file, &changed)).unwrap();
    assert!(distance(&changed, &motion(&back)) < 1e-6);
}

#[test]
fn world_positions_beside_rotations_follow_them() {
    let with_rotations = beside(("rotations", layouts()[1].2.clone()));
    let plain = motion(&read(&npz(Archive::NumPy, &with_rotations)));
    let world = |motion: &Motion| -> Vec<f64> {
        let positions = motion.poses.iter().flat_map(|pose| pose.world(&motion.skeleton).positions);
        positions.flat_map(|position| position.to_array()).collect()
    };
    let positions = ("positions", npy("<f8", &[FRAMES, JOINTS, 3], &world(&plain)));
    let file = read(&npz(Archive::Compressed, &[&with_rotations[..], &[positions]].concat()));
    let mut changed = motion(&file);
    changed.poses[5].rotations[1] = axis_rotation(0, 1.0);
    let written = members(&write(&file, &changed));
    let (_, array) = written.iter().find(|(name, _)| name == "positions.npy").unwrap();
    let numbers: Vec<f64> = array[array.len() - 8 * 3 * JOINTS * FRAMES..]
        .chunks_exact(8)
        .map(|n| f64::from_le_bytes(n.try_into().unwrap()))
        .collect();
    let largest = numbers.iter().zip(world(&changed)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(largest < 1e-6, "{largest}");
}

#[test]
fn a_pose_of_smpl_is_read_with_a_skeleton_beside_it() {
    let pose: Vec<f64> =
        (0..FRAMES * 156).map(|n| if n % 156 < 66 { (n % 7) as f64 * 0.05 } else { 0.3 }).collect();
    let part = |from: usize, to: usize| -> Vec<f64> {
        pose.chunks_exact(156).flat_map(|row| row[from..to].to_vec()).collect()
    };
    let bytes = npz(
        Archive::NumPy,
        &[
            ("poses", npy("<f8", &[FRAMES, 156], &pose)),
            ("trans", npy("<f8", &[FRAMES, 3], &roots())),
            ("mocap_framerate", npy("<f8", &[], &[120.0])),
            ("root_orient", npy("<f8", &[FRAMES, 3], &part(0, 3))),
            ("pose_body", npy("<f8", &[FRAMES, 63], &part(3, 66))),
            ("betas", npy("<f8", &[16], &[0.0; 16])),
        ],
    );
    assert!(error(&bytes).contains("a `skeleton`"), "{}", error(&bytes));
    let parents = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19];
    let offsets: Vec<[f64; 3]> = (0..22).map(|joint| [0.02 * f64::from(joint), -0.2, 0.01]).collect();
    let text = serde_json::json!({ "parents": parents, "offsets": offsets }).to_string();
    let arrays = ArrayOptions { skeleton: Some(Arc::from(text.into_bytes())), ..ArrayOptions::default() };
    let file = read_as(&bytes, &arrays).unwrap();
    let mut changed = motion(&file);
    assert_eq!((changed.skeleton.len(), changed.fps), (22, 120.0));
    // The root is at its position at rest plus the translation.
    assert_eq!(changed.poses[0].offsets[0], Vec3::new(0.0, 0.8, 0.01));
    assert!(write(&file, &changed) == bytes);
    changed.poses[2].rotations[4] = axis_rotation(0, 1.0);
    let written = members(&write(&file, &changed));
    let number = |name: &str, row: usize, at: usize| {
        let (_, array) = written.iter().find(|(member, _)| *member == format!("{name}.npy")).unwrap();
        let start = array.len() - 8 * FRAMES * row + 8 * (2 * row + at);
        f64::from_le_bytes(array[start..start + 8].try_into().unwrap())
    };
    assert!((number("poses", 156, 12) - 1.0).abs() < 1e-12);
    assert!((number("pose_body", 63, 9) - 1.0).abs() < 1e-12, "a copy of the rotations is written too");
}

/// Positions of a body with these many joints that moves as a whole.
fn positions(joints: usize) -> Vec<f64> {
    let place =
        |joint: usize| [0.1 * (joint % 5) as f64, 0.08 * joint as f64, 0.03 * (joint * joint % 7) as f64];
    let all = (0..FRAMES).flat_map(|frame| (0..joints).map(move |joint| (frame, joint)));
    all.flat_map(|(frame, joint)| {
        let [x, y, z] = place(joint);
        [x + 0.02 * frame as f64, y, z + 0.01 * (frame * joint) as f64]
    })
    .collect()
}

#[test]
fn positions_alone_are_read_in_every_joint_order() {
    for (order, joints) in [
        ("smpl-22", 22),
        ("smpl-24", 24),
        ("kit-21", 21),
        ("smplh-52", 52),
        ("smplx-55", 55),
        ("body-25", 25),
        ("mediapipe-33", 33),
        ("h36m-17", 17),
        ("coco-17", 17),
    ] {
        let numbers = positions(joints);
        let bytes = npy("<f8", &[FRAMES, joints, 3], &numbers);
        let named = ArrayOptions { joints: Some(order.into()), ..ArrayOptions::default() };
        let file = read_as(&bytes, &named).unwrap();
        let mut changed = motion(&file);
        let world = changed.poses[4].world(&changed.skeleton);
        let hip = changed.skeleton.find("left_hip").unwrap();
        let stored: Vec<&[f64]> = numbers.chunks_exact(3).skip(4 * joints).take(joints).collect();
        let found = world.joint(hip).to_array();
        assert!(
            stored.iter().any(|place| place.iter().zip(found).all(|(a, b)| (a - b).abs() < 1e-12)),
            "{order}"
        );
        assert!(write(&file, &changed) == bytes, "{order}");
        changed.poses[4].rotations[0] = axis_rotation(1, 0.2) * changed.poses[4].rotations[0];
        let back = file.read_back(write(&file, &changed)).unwrap();
        assert!(distance(&changed, &motion(&back)) < 1e-12, "{order}");
    }
}

#[test]
fn the_joint_order_follows_from_the_number_of_joints() {
    let file = read(&npy("<f4", &[FRAMES, 22, 3], &positions(22)));
    assert_eq!(file.skeleton().joints()[10].name, "left_foot");
    assert_eq!(file.rate().value, 20.0);
    assert!(file.notes()[0].contains("smpl-22"), "{:?}", file.notes());
    // Seventeen joints that begin with a pelvis between the hips are those of Human3.6M.
    let mut numbers = positions(17);
    assert!(read(&npy("<f4", &[FRAMES, 17, 3], &numbers)).skeleton().find("nose").is_some());
    for row in numbers.chunks_exact_mut(3 * 17) {
        for axis in 0..3 {
            row[axis] = 0.5 * (row[3 + axis] + row[12 + axis]);
        }
    }
    assert!(read(&npy("<f4", &[FRAMES, 17, 3], &numbers)).skeleton().find("nose").is_none());
    let unknown = error(&npy("<f4", &[FRAMES, 19, 3], &positions(19)));
    assert!(unknown.contains("found 19 joints") && unknown.contains("smpl-22"), "{unknown}");
}

#[test]
fn positions_with_parents_have_their_own_skeleton() {
    let parents: Vec<f64> = (0..19).map(|joint| f64::from(joint) - 1.0).collect();
    let bytes = npz(
        Archive::Compressed,
        &[("motion", npy("<f4", &[FRAMES, 19, 3], &positions(19))), ("parents", npy("<i4", &[19], &parents))],
    );
    let file = read(&bytes);
    assert_eq!(file.skeleton().len(), 19);
    assert!(!file.has_rotations());
    assert!(write(&file, &motion(&file)) == bytes);
}

#[test]
fn a_motion_with_more_or_fewer_frames_gets_other_rows() {
    for frames in [FRAMES - 5, FRAMES + 3] {
        for archive in [Archive::NumPy, Archive::Compressed] {
            let file = read(&npz(archive, &beside(("rotations", layouts()[3].2.clone()))));
            let mut changed = motion(&file);
            let last = changed.poses[FRAMES - 1].clone();
            changed.poses.resize(frames, last);
            changed.poses[1].offsets[0].x = 3.0;
            let back = motion(&file.read_back(write(&file, &changed)).unwrap());
            assert!(distance(&changed, &back) < 1e-12, "{frames}");
        }
    }
    let mut arrays = beside(("rotations", layouts()[0].2.clone()));
    arrays.push(("dmpls", npy("<f8", &[FRAMES, 2], &[0.0; 2 * FRAMES])));
    let file = read(&npz(Archive::NumPy, &arrays));
    let mut changed = motion(&file);
    changed.poses.pop();
    let Err(WriteError::Refused(reason)) = file.write(&changed, &Space::METRES_Y_UP) else { panic!() };
    assert!(reason.contains("dmpls"), "{reason}");
}

#[test]
fn a_new_file_holds_the_motion() {
    let made = motion(&read(&npz(Archive::NumPy, &beside(("rotations", layouts()[0].2.clone())))));
    let back = read(&npz_from_motion(&made).unwrap());
    assert!(distance(&made, &motion(&back)) < 1e-6);
    assert_eq!(back.skeleton().joints()[2].name, "left_arm");
    assert_eq!(back.rate().value, 60.0);
    let mut stretched = made.clone();
    stretched.poses[2].offsets[3].z += 0.1;
    assert!(distance(&stretched, &motion(&read(&npz_from_motion(&stretched).unwrap()))) < 1e-6);
    let positions = npy_from_motion(&made).unwrap();
    assert_eq!(positions.len(), 128 + 12 * FRAMES * JOINTS);
    let empty = Motion { skeleton: Skeleton::default(), ..made };
    assert!(npz_from_motion(&empty).is_err());
}

#[test]
fn errors_state_the_array_and_what_was_expected() {
    let object =
        b"\x93NUMPY\x01\x00\x36\x00{'descr': '|O', 'fortran_order': False, 'shape': (), }\n\x80\x04K\x01.";
    assert!(error(object).contains("pickled Python objects"), "{}", error(object));
    let features = npy("<f4", &[2, 263], &[0.0; 526]);
    assert!(error(&features).contains("new_joints"));
    let mut numbers = positions(22);
    numbers[3 * (22 * 7 + 3) + 1] = f64::NAN;
    let expected = "array \"arr_0\": frame 7, joint 3: found NaN, expected a finite number";
    assert_eq!(error(&npy("<f4", &[FRAMES, 22, 3], &numbers)), expected);
    let mut short = npy("<f4", &[FRAMES, 22, 3], &positions(22));
    short.truncate(short.len() - 1);
    let found = short.len();
    assert_eq!(
        error(&short),
        format!(
            "array \"arr_0\": {found} bytes were found, expected {} for the shape (12, 22, 3)",
            found + 1
        )
    );
    let mut damaged = npz(Archive::NumPy, &[("x", npy("<f4", &[FRAMES, 22, 3], &positions(22)))]);
    damaged[500] ^= 1;
    assert!(error(&damaged).contains("the file is damaged"), "{}", error(&damaged));
    let none = ArrayOptions { joints: Some("smpl".into()), ..ArrayOptions::default() };
    let reason = read_as(&npy("<f4", &[FRAMES, 22, 3], &positions(22)), &none).unwrap_err();
    assert!(reason.starts_with("no joint order is called \"smpl\", expected one of smpl-22"), "{reason}");
}

#[test]
fn labels_are_read_in_the_order_of_the_data_sets() {
    use surefoot_core::{FootPoint, JointId, JointPoint, Leg};
    use surefoot_formats::arrays::{read_labels, write_labels};
    let point = JointPoint { joint: JointId(0), offset: Vec3::ZERO };
    let joint = JointId(0);
    let leg = |side: &str| Leg {
        side: side.into(),
        hip: joint,
        knee: joint,
        ankle: joint,
        heel: point,
        ball: point,
        toe: point,
        limb: surefoot_core::Limb::Leg,
    };
    // The legs of a motion need not be in the order of the labels.
    let legs = [leg("right"), leg("left")];
    let labels = npy(
        "<f4",
        &[5, 4],
        &[[1., 0., 0., 0.], [1., 1., 0., 0.], [0., 1., 0., 0.], [0., 0., 1., 0.], [0., 0., 0., 1.]].concat(),
    );
    let plants = read_labels(&labels, &legs, 5).unwrap();
    let found: Vec<_> = plants.plants.iter().map(|one| (one.leg, one.point, one.frames.clone())).collect();
    let expected = [
        (0, FootPoint::Heel, 3..4),
        (0, FootPoint::Ball, 4..5),
        (1, FootPoint::Heel, 0..2),
        (1, FootPoint::Ball, 1..3),
    ];
    assert!(expected.iter().all(|one| found.contains(one)) && found.len() == 4, "{found:?}");
    assert!(write_labels(&plants, &legs, 5).ends_with(&labels[labels.len() - 80..]));
    // HumanML3D has a row less than the motion.
    assert_eq!(read_labels(&labels, &legs, 6).unwrap().plants[1].frames, 4..6);
    assert!(read_labels(&labels, &legs, 9).unwrap_err().to_string().contains('5'));
    let wrong = npy("<f4", &[1, 4], &[0.0, 2.0, 0.0, 0.0]);
    let error = read_labels(&wrong, &legs, 1).unwrap_err().to_string();
    assert_eq!(error, "frame 0, column 1: found 2, expected a number from 0 to 1");
}
