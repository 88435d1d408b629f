//! Acclaim pairs agree with the BVH conversions of the CMU library, and are written with nothing else changed.

use surefoot_core::math::axis_rotation;
use surefoot_core::{Motion, Vec3};
use surefoot_formats::bvh::Bvh;
use surefoot_formats::source::ReadOptions;
use surefoot_formats::{SourceFile, Space, WriteError};

use crate::damage::Damage;
use crate::own_process;

/// A leg with the degrees of freedom of the CMU library, and an arm.
const SKELETON: &str = "# comment before a keyword\r\n:version 1.10\r\n:name VICON\r\n:units\r\n  mass 1.0\r\n  length 0.45\r\n  \
    angle deg\r\n:documentation\r\n  begin here is a text\r\n:root\r\n  order TX TY TZ RX RY RZ\r\n  axis XYZ\r\n  \
    position 0 0 0\r\n  orientation 0 0 0\r\n:bonedata\r\n\
    begin\r\n id 1\r\n name lhipjoint\r\n direction 0.65 -0.71 0.25\r\n length 2.5\r\n axis 0 0 0 XYZ\r\nend\r\n\
    begin\r\n id 2\r\n name lfemur\r\n direction 0.34202 -0.939693 0\r\n length 7.5\r\n axis 0 0 20 XYZ\r\n dof rx ry rz\r\n \
    limits (-160.0 20.0)\r\n (-70.0 70.0)\r\n (-60.0 70.0)\r\nend\r\n\
    begin\r\n id 3\r\n name ltibia\r\n direction 0.34202 -0.939693 0\r\n length 7.2\r\n axis 0 0 20 XYZ\r\n dof rx\r\nend\r\n\
    begin\r\n id 4\r\n name lfoot\r\n direction 0.0886837 -0.243657 0.965798\r\n length 2.2\r\n \
    axis -90 7.62852e-016 20 XYZ\r\n dof rx rz\r\nend\r\n\
    begin\r\n id 5\r\n name ltoes\r\n direction 0 0 1\r\n length 1.1\r\n axis -90 0 20 XYZ\r\n dof rx\r\nend\r\n\
    :hierarchy\r\n begin\r\n root lhipjoint\r\n lhipjoint lfemur\r\n lfemur ltibia\r\n ltibia lfoot\r\n lfoot ltoes\r\n end\r\n";

fn frame(n: usize) -> String {
    let t = n as f64;
    format!(
        "{}\r\nroot {} 17 1e-001 {} 2 3\r\nlfemur {} -1.25 4\r\nltibia {}\r\nlfoot -12.5 3\r\nltoes -1.6e-014\r\n",
        n + 1,
        0.1 * t,
        0.3 * t,
        -20.0 + t,
        25.0 + t
    )
}

fn motion_text() -> String {
    "#!OML:ASF C:\\x.ASF\r\n:FULLY-SPECIFIED\r\n:DEGREES\r\n".to_owned()
        + &(0..9).map(frame).collect::<String>()
}

fn read_text(motion: &str, skeleton: &str) -> Result<SourceFile, String> {
    let beside = |name: &str| (name == "walk.asf").then(|| skeleton.as_bytes().to_vec());
    let options =
        ReadOptions { name: Some("a/walk_01.amc"), load_beside: Some(&beside), ..ReadOptions::default() };
    SourceFile::read(motion.as_bytes().to_vec(), &options).map_err(|error| error.to_string())
}

fn read_file(path: &std::path::Path) -> SourceFile {
    let beside = |name: &str| std::fs::read(path.with_file_name(name)).ok();
    let name = path.to_string_lossy();
    let options = ReadOptions { name: Some(&name), load_beside: Some(&beside), ..ReadOptions::default() };
    SourceFile::read(std::fs::read(path).unwrap(), &options).unwrap()
}

fn position(motion: &Motion, frame: usize, joint: &str) -> Vec3 {
    let index = motion.skeleton.joints().iter().position(|one| one.name == joint).unwrap();
    motion.poses[frame].world(&motion.skeleton).positions[index]
}

#[test]
fn hips_and_legs_agree_with_the_bvh_conversions_of_the_library() {
    let pairs = [
        ("root", "Hips"),
        ("lfemur", "LeftUpLeg"),
        ("ltibia", "LeftLeg"),
        ("lfoot", "LeftFoot"),
        ("ltoes", "LeftToeBase"),
        ("rfemur", "RightUpLeg"),
        ("rtibia", "RightLeg"),
        ("rfoot", "RightFoot"),
        ("rtoes", "RightToeBase"),
    ];
    for take in ["02_01", "02_03", "02_04", "02_05"] {
        let acclaim = surefoot_testdata::path(&format!("acclaim/cmu_asfamc/{take}.amc"));
        let bvh = surefoot_testdata::path(&format!("bvh/cmu/{take}.bvh"));
        let (Some(acclaim), Some(bvh)) = (acclaim, bvh) else { return };
        let acclaim = read_file(&acclaim).motion(&Space::METRES_Y_UP);
        let bvh = Bvh::read(std::fs::read(bvh).unwrap()).unwrap().motion(&Space::METRES_Y_UP);
        // The conversions begin with a T-pose.
        assert_eq!(bvh.frames(), acclaim.frames() + 1);
        for frame in (0..acclaim.frames()).step_by(7) {
            for (own, other) in pairs {
                let apart = position(&acclaim, frame, own).distance(position(&bvh, frame + 1, other));
                // 0.1 mm in units of 56 mm.
                assert!(apart < 1.7e-3, "{take}, frame {frame}, {own}: {apart}");
            }
        }
    }
}

#[test]
fn captured_files_are_written_back_unchanged() {
    for path in surefoot_testdata::files("acclaim", ".amc") {
        let file = read_file(&path);
        for space in [Space::METRES_Y_UP, Space { unit_m: 0.056444, ..Space::METRES_Y_UP }] {
            let written = file.write(&file.motion(&space), &space).unwrap();
            assert!(written == file.bytes(), "{} changed", path.display());
        }
    }
}

#[test]
fn a_changed_frame_changes_its_numbers_only() {
    let file = read_text(&motion_text(), SKELETON).unwrap();
    let mut motion = file.motion(&Space::METRES_Y_UP);
    motion.poses[4].offsets[0].y += 0.5;
    let written = String::from_utf8(file.write(&motion, &Space::METRES_Y_UP).unwrap()).unwrap();
    assert_eq!(written, motion_text().replacen("root 0.4 17 1e-001", "root 0.4 17.500000 1e-001", 1));
}

#[test]
fn a_foot_pose_is_met_within_the_degrees_of_freedom() {
    let file = read_text(&motion_text(), SKELETON).unwrap();
    let mut motion = file.motion(&Space::METRES_Y_UP);
    let joint = |name: &str| motion.skeleton.joints().iter().position(|joint| joint.name == name).unwrap();
    let [femur, tibia, foot] = ["lfemur", "ltibia", "lfoot"].map(joint);
    // The knee turns about an axis that it does not have, and the ankle about its third one.
    motion.poses[4].rotations[femur] *= axis_rotation(1, 0.05);
    motion.poses[4].rotations[tibia] *= axis_rotation(0, 0.1) * axis_rotation(1, 0.03);
    motion.poses[4].rotations[foot] *= axis_rotation(2, 0.04);
    let written = file.write(&motion, &Space::METRES_Y_UP).unwrap();
    let again = file.read_back(written).unwrap().motion(&Space::METRES_Y_UP);
    for name in ["lfoot", "ltoes"] {
        let apart = position(&again, 4, name).distance(position(&motion, 4, name));
        assert!(apart < 2e-5, "{name}: {apart}");
    }
    let heel = |motion: &Motion| {
        let world = motion.poses[4].world(&motion.skeleton);
        world.positions[foot] + world.rotations[foot] * Vec3::new(0.2, -0.5, -0.5)
    };
    assert!(heel(&again).distance(heel(&motion)) < 5e-4, "{}", heel(&again).distance(heel(&motion)));
}

#[test]
fn frames_are_added_and_removed() {
    let file = read_text(&motion_text(), SKELETON).unwrap();
    for frames in [3, 12] {
        let mut motion = file.motion(&Space::METRES_Y_UP);
        motion.poses.resize(frames, motion.poses[2].clone());
        let again = file.read_back(file.write(&motion, &Space::METRES_Y_UP).unwrap()).unwrap();
        let read = again.motion(&Space::METRES_Y_UP);
        assert_eq!(read.frames(), frames);
        let last = frames - 1;
        assert!(position(&read, last, "ltoes").distance(position(&motion, last, "ltoes")) < 1e-4);
    }
}

#[test]
fn a_stretched_bone_is_refused() {
    let file = read_text(&motion_text(), SKELETON).unwrap();
    let mut motion = file.motion(&Space::METRES_Y_UP);
    motion.poses[4].offsets[3] *= 1.01;
    let Err(WriteError::Refused(reason)) = file.write(&motion, &Space::METRES_Y_UP) else { panic!() };
    assert!(reason.contains("frame 4: the motion moves bone \"ltibia\""), "{reason}");
}

#[test]
fn errors_state_frame_bone_and_what_was_expected() {
    let error = |from: &str, to: &str| read_text(&motion_text().replacen(from, to, 1), SKELETON).unwrap_err();
    assert_eq!(
        error("ltibia 25", "ltibia x"),
        "line 7, column 8: frame 0, bone \"ltibia\": found \"x\", expected a number"
    );
    assert_eq!(
        error("ltibia 25", "ltibia 25 3"),
        "line 7, column 1: frame 0, bone \"ltibia\": found 2 numbers, expected 1"
    );
    assert_eq!(
        error("ltibia 25", "knee 25"),
        "line 7, column 1: frame 0: found bone \"knee\", expected a bone of the .asf file"
    );
    assert_eq!(
        error("ltibia 25\r\n", ""),
        "line 9, column 1: frame 0 ends without bone \"ltibia\", expected a line for each bone"
    );
    let broken = SKELETON.replacen("dof rx rz", "dof rx qz", 1);
    assert_eq!(
        read_text(&motion_text(), &broken).unwrap_err(),
        "the .asf file, line 48: found \"qz\", expected tx, ty, tz, rx, ry, rz or l"
    );
    let alone =
        SourceFile::read(motion_text().into_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(alone, "no skeleton was found beside the motion, expected *.asf");
    let skeleton = SourceFile::read(SKELETON.into(), &ReadOptions::default()).unwrap_err().to_string();
    assert_eq!(skeleton, "it is the skeleton of an Acclaim pair, expected the motion: the .amc file");
}

const ACCLAIM: Damage = Damage {
    fragments: &[
        b"nan",
        b"1e999",
        b"\n12\n",
        b"root",
        b"lfemur 1 2 3\n",
        b":hierarchy\n",
        b"begin\n",
        b"dof rx ry rz\n",
        b"root root\n",
        b"#",
        b"length 1e300\n",
        b"\0",
    ],
    copies: 2_000,
    memory_per_byte: 20,
    memory_besides: 100_000,
};

#[test]
fn damaged_copies_are_accepted_or_refused() {
    own_process::run(module_path!(), "damaged_copies_are_accepted_or_refused", || {
        let check = |file: SourceFile, text: &[u8]| {
            let mut motion = file.motion(&Space::METRES_Y_UP);
            assert!(file.write(&motion, &Space::METRES_Y_UP).is_ok_and(|written| written == text));
            if let Some(pose) = motion.poses.first_mut() {
                pose.rotations.iter_mut().for_each(|rotation| *rotation *= axis_rotation(1, 0.1));
                if let Ok(written) = file.write(&motion, &Space::METRES_Y_UP) {
                    file.read_back(written).unwrap();
                }
            }
        };
        let text = motion_text();
        let read = |bytes: &[u8]| read_bytes(bytes, SKELETON.as_bytes());
        let outcome = ACCLAIM.check(text.as_bytes(), read, check);
        assert!(outcome.accepted > 50 && outcome.refused > 100, "{outcome:?}");
        let read = |bytes: &[u8]| read_bytes(text.as_bytes(), bytes);
        let outcome = ACCLAIM.check(SKELETON.as_bytes(), read, |file, _| check(file, text.as_bytes()));
        assert!(outcome.accepted > 100 && outcome.refused > 100, "{outcome:?}");
    });
}

fn read_bytes(motion: &[u8], skeleton: &[u8]) -> Result<SourceFile, surefoot_formats::source::ReadError> {
    let beside = |_: &str| Some(skeleton.to_vec());
    SourceFile::read(motion.to_vec(), &ReadOptions { load_beside: Some(&beside), ..ReadOptions::default() })
}
