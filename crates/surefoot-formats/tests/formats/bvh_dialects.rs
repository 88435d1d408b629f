//! Dialects of BVH that programs write, each as a small file.

use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Pose, Vec3};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, ChannelKind};

/// Two joints and an end, as most programs write them.
const PLAIN: &str = "\
HIERARCHY
ROOT Hips
{
	OFFSET 0.00 0.00 0.00
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Leg
	{
		OFFSET 0.00 -10.00 0.00
		CHANNELS 3 Zrotation Xrotation Yrotation
		End Site
		{
			OFFSET 0.00 -9.00 1.00
		}
	}
}
MOTION
Frames: 2
Frame Time: 0.0333333
1 2 3 10 20 30 40 50 60
1.5 2.5 3.5 11 21 31 41 51 61
";

fn read(text: impl AsRef<[u8]>) -> Bvh {
    Bvh::read(text.as_ref().to_vec()).unwrap_or_else(|error| panic!("{error}"))
}

/// Reads `text` and checks that it has the same content as the plain file, and that it is written back
/// unchanged.
#[track_caller]
fn check(text: impl AsRef<[u8]>) -> Bvh {
    let dialect = check_content(text);
    check_unchanged(&dialect);
    dialect
}

/// Reads `text` and checks that it has the same content as the plain file.
#[track_caller]
fn check_content(text: impl AsRef<[u8]>) -> Bvh {
    let (plain, dialect) = (read(PLAIN), read(text.as_ref()));
    assert_eq!(dialect.frames(), plain.frames());
    let shape = |bvh: &Bvh| -> Vec<_> {
        bvh.skeleton().joints().iter().map(|joint| (joint.parent, joint.offset, joint.end)).collect()
    };
    assert_eq!(shape(&dialect), shape(&plain));
    for frame in 0..plain.frames() {
        assert_eq!(dialect.row(frame), plain.row(frame), "frame {frame}");
    }
    dialect
}

#[track_caller]
fn check_unchanged(bvh: &Bvh) {
    let space = Space::METRES_Y_UP;
    let written = bvh.write(&bvh.motion(&space), &space).unwrap();
    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(bvh.text()));
}

fn notes(bvh: &Bvh) -> String {
    bvh.notes().iter().map(|note| format!("{}: {}\n", note.line, note.text)).collect()
}

#[test]
fn the_plain_file_reads_without_notes() {
    let bvh = check(PLAIN);
    assert!(bvh.notes().is_empty());
    assert_eq!(bvh.rate().value, 30.0);
    assert_eq!(bvh.skeleton().joints()[0].name, "Hips");
}

#[test]
fn positions_replace_the_offset_and_rotations_multiply_in_file_order() {
    let bvh = read(PLAIN.replace("OFFSET 0.00 0.00 0.00", "OFFSET 7 8 9"));
    let mut pose = Pose::default();
    bvh.pose_into(0, &mut pose);
    assert_eq!(pose.offsets[0], Vec3::new(1.0, 2.0, 3.0));
    let degrees = PI / 180.0;
    let expected = axis_rotation(2, 10.0 * degrees)
        * axis_rotation(0, 20.0 * degrees)
        * axis_rotation(1, 30.0 * degrees);
    assert!((pose.rotations[0] - expected).length() < 1e-15);
}

#[test]
fn channel_names_may_have_any_spelling() {
    for (plain_name, other_name) in [
        ("rotation", "Rotation"),
        ("Xrotation", "xrotation"),
        ("rotation", "ROTATION"),
        ("position", "Position"),
        ("position", "translation"),
        ("rotation", "_rotation"),
    ] {
        check(PLAIN.replace(plain_name, other_name));
    }
}

#[test]
fn channels_may_have_any_order_and_number() {
    let text = PLAIN
        .replace("3 Zrotation Xrotation Yrotation", "4 Yrotation Yposition Xrotation Zrotation")
        .replace("40 50 60", "40 5 50 60")
        .replace("41 51 61", "41 5 51 61");
    let bvh = read(text);
    let kinds: Vec<_> = bvh.channels()[6..].iter().map(|channel| channel.kind).collect();
    use ChannelKind::{Position, Rotation};
    assert_eq!(kinds, [Rotation(1), Position(1), Rotation(0), Rotation(2)]);
    let mut pose = Pose::default();
    bvh.pose_into(0, &mut pose);
    assert_eq!(pose.offsets[1], Vec3::new(0.0, 5.0, 0.0));
    check_unchanged(&bvh);
}

#[test]
fn joints_without_channels_stay_still() {
    for channels in ["CHANNELS 0", ""] {
        let text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", channels);
        let bvh = read(text.replace(" 40 50 60", "").replace(" 41 51 61", ""));
        assert_eq!((bvh.channels().len(), bvh.frames()), (6, 2));
        check_unchanged(&bvh);
    }
}

#[test]
fn an_angle_of_billions_of_turns_is_read() {
    for angle in ["-41", "400", "1e9", "123456789012.25", "1e12"] {
        let text = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Zrotation");
        check_unchanged(&read(text.replace(" 40 50 60", " 40").replace(" 41 51 61", &format!(" {angle}"))));
    }
}

#[test]
fn white_space_and_line_ends_do_not_matter() {
    check(PLAIN.replace('\n', "\r\n"));
    check(PLAIN.replace('\n', "\r"));
    check(PLAIN.replace('\t', "    "));
    check(PLAIN.replace(' ', "\t"));
    check(PLAIN.replace('\n', "\n\n"));
    check(PLAIN.replace('\n', " \t \n"));
    check(PLAIN.trim_end());
    check(format!("{PLAIN}\n\n \n"));
    check(format!("{PLAIN}\x1a"));
    check(format!("{PLAIN}\0\0\0\0"));
}

#[test]
fn a_byte_order_mark_is_ignored() {
    check(format!("\u{feff}{PLAIN}"));
}

#[test]
fn keywords_may_have_any_case() {
    check(PLAIN.replace("HIERARCHY", "Hierarchy").replace("ROOT", "Root").replace("JOINT", "Joint"));
    check(PLAIN.replace("End Site", "END SITE").replace("OFFSET", "Offset").replace("CHANNELS", "Channels"));
    check(
        PLAIN.replace("MOTION", "Motion").replace("Frames:", "FRAMES:").replace("Frame Time:", "FRAME TIME:"),
    );
    check(PLAIN.replace("End Site", "EndSite"));
    check(PLAIN.replace("End Site", "End Site LegTip"));
}

#[test]
fn braces_may_be_on_any_line() {
    check(PLAIN.replace("ROOT Hips\n", "ROOT Hips ").replace("JOINT Leg\n", "JOINT Leg"));
    check(PLAIN.replace("End Site\n\t\t", "End Site "));
    check(PLAIN.replace("1.00\n\t\t\t}\n\t\t}", "1.00}}").replace("\n\t}\n}", "}}").replace("}}}}", "}}}"));
    check(PLAIN.replace("{\n\tOFFSET", "{ OFFSET"));
}

#[test]
fn names_may_have_spaces_namespaces_and_any_letters() {
    for name in ["Left Leg", "mixamorig:LeftLeg", "Bip01 L Thigh", "左足", "Jambe gauche  (été)", "", "{"]
    {
        let bvh =
            check(PLAIN.replace("JOINT Leg", &format!("JOINT {name}")).replace("JOINT {\n\t{", "JOINT\n\t{"));
        assert_eq!(bvh.skeleton().joints()[1].name, name.trim_matches('{'));
    }
    let bvh = check(PLAIN.replace("JOINT Leg", "JOINT \t Left Leg \t"));
    assert_eq!(bvh.skeleton().joints()[1].name, "Left Leg");
}

#[test]
fn a_name_that_is_not_utf_8_is_decoded_as_latin_1() {
    let (before, after) = PLAIN.split_once("Leg").unwrap();
    let text = [before.as_bytes(), b"F\xfc\xdfe", after.as_bytes()].concat();
    assert_eq!(check(text).skeleton().joints()[1].name, "Füße");
}

#[test]
fn two_joints_may_have_the_same_name() {
    let bvh = check(PLAIN.replace("JOINT Leg", "JOINT Hips"));
    assert_eq!(bvh.skeleton().joints()[0].name, bvh.skeleton().joints()[1].name);
}

#[test]
fn end_sites_may_have_no_length_and_joints_no_end_site() {
    let bvh = read(PLAIN.replace("OFFSET 0.00 -9.00 1.00", "OFFSET 0 0 0"));
    assert_eq!(bvh.skeleton().joints()[1].end, Some(Vec3::ZERO));
    let bvh = read(PLAIN.replace("End Site\n\t\t{\n\t\t\tOFFSET 0.00 -9.00 1.00\n\t\t}\n", ""));
    assert_eq!(bvh.skeleton().joints()[1].end, None);
    check_unchanged(&bvh);
}

#[test]
fn the_second_end_site_of_a_joint_becomes_a_joint() {
    let bvh = read(PLAIN.replace("\t\tEnd Site", "\t\tEnd Site { OFFSET 1 2 3 }\n\t\tEnd Site"));
    let joints = bvh.skeleton().joints();
    assert_eq!(joints[1].end, Some(Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(joints[2].offset, Vec3::new(0.0, -9.0, 1.0));
}

#[test]
fn an_end_site_with_channels_becomes_a_joint() {
    let text = PLAIN.replace("OFFSET 0.00 -9.00 1.00", "OFFSET 0 -9 1\n\t\t\tCHANNELS 1 Xrotation");
    let bvh = read(text.replace("60\n", "60 5\n").replace("61\n", "61 6\n"));
    assert_eq!(bvh.skeleton().joints()[2].offset, Vec3::new(0.0, -9.0, 1.0));
    assert_eq!(bvh.row(1)[9], 6.0);
    check_unchanged(&bvh);
}

#[test]
fn frames_may_be_split_over_lines() {
    check(PLAIN.replace(" 10 20", "\n10 20"));
    check(PLAIN.replace("3 10", "3\n10").replace("40", "\n40"));
    let (head, rows) = PLAIN.split_at(PLAIN.find("1 2 3 10").unwrap());
    check(format!("{head}{}", rows.replace(' ', "\n")));
}

#[test]
fn all_frames_may_be_on_one_line() {
    let (head, rows) = PLAIN.split_at(PLAIN.find("1 2 3 10").unwrap());
    check(format!("{head}{}", rows.replace('\n', " ")));
}

#[test]
fn lines_may_break_anywhere_if_the_frame_count_is_right() {
    let (head, rows) = PLAIN.split_at(PLAIN.find("1 2 3 10").unwrap());
    let numbers: Vec<&str> = rows.split_whitespace().collect();
    let lines: Vec<String> = numbers.chunks(5).map(|five| five.join(" ")).collect();
    check(format!("{head}{}\n", lines.join("\n")));
}

#[test]
fn numbers_may_have_any_spelling() {
    check(PLAIN.replace("1.5 2.5 3.5", "1.5e0 +2.5 35E-1").replace("11 21 31", "11. 021 3.1e+1"));
    check(PLAIN.replace("1.5 2.5 3.5", "1.50000000000000000000001 2.5 3.5"));
}

#[test]
fn a_wrong_frame_count_is_noted_and_corrected_in_every_copy() {
    for (line, note) in [
        ("Frames: 5", "Frames states 5, the file has 2: it may be truncated"),
        ("Frames: 1", "Frames states 1, the file has 2: all were read"),
        ("Frames: 0", "Frames states 0, the file has 2: all were read"),
        ("Frames:", "Frames is \"\": the frames were counted instead"),
        ("Frames: many", "Frames is \"many\": the frames were counted instead"),
        ("Frames: -3", "Frames is \"-3\": the frames were counted instead"),
    ] {
        let bvh = check_content(PLAIN.replace("Frames: 2", line));
        assert!(notes(&bvh).contains(note), "{line}: {}", notes(&bvh));
        let space = Space::METRES_Y_UP;
        let unchanged = bvh.write(&bvh.motion(&space), &space).unwrap();
        for copy in [unchanged, bvh.write_copy()] {
            assert_eq!(String::from_utf8_lossy(&copy), PLAIN, "{line}");
        }
        assert_eq!(bvh.write_reprinted(), read(PLAIN).write_reprinted(), "{line}");
    }
    let missing = check(PLAIN.replace("Frames: 2", ""));
    assert!(notes(&missing).contains("Frames is missing: the frames were counted"));
    for line in ["Frames 2", "Frames:2", "Frames : 2", "Frames:\t2", "Frames: 2.0", "frames:   2  "] {
        assert!(check(PLAIN.replace("Frames: 2", line)).notes().is_empty(), "{line}");
    }
}

#[test]
fn a_wrong_or_missing_frame_time_lowers_the_confidence() {
    for line in ["Frame Time: 0", "Frame Time: 1.0", "Frame Time: -1", "Frame Time:", "", "Frame Time: 0.0"] {
        let bvh = check(PLAIN.replace("Frame Time: 0.0333333", line));
        assert_eq!(bvh.rate().value, 30.0, "{line}");
        assert!(bvh.rate().confidence < 0.5, "{line}");
    }
    for (line, fps) in
        [("Frame Time: .0083333", 120.0), ("FrameTime: 0.01", 100.0), ("Frame Time 0.02", 50.0)]
    {
        let bvh = check(PLAIN.replace("Frame Time: 0.0333333", line));
        assert_eq!((bvh.rate().value, bvh.rate().confidence), (fps, 1.0), "{line}");
    }
}

#[test]
fn the_motion_header_may_have_any_order() {
    let header = "Frames: 2\nFrame Time: 0.0333333";
    check(PLAIN.replace(header, "Frame Time: 0.0333333\nFrames: 2"));
    check(PLAIN.replace(header, &format!("\n\n{header}\n\n")));
}

#[test]
fn several_roots_move_independently() {
    let second = "ROOT Ball\n{\n\tOFFSET 0 0 0\n\tCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION";
    let text = PLAIN.replace("MOTION", second).replace("60\n", "60 7 8 9\n").replace("61\n", "61 7 8 9\n");
    let bvh = read(text);
    let mut pose = Pose::default();
    bvh.pose_into(1, &mut pose);
    assert_eq!(bvh.skeleton().joints()[2].parent, None);
    assert_eq!(pose.world(bvh.skeleton()).positions[2], Vec3::new(7.0, 8.0, 9.0));
    check_unchanged(&bvh);
}

#[test]
fn a_file_may_have_no_frames() {
    let head = &PLAIN[..PLAIN.find("1 2 3 10").unwrap()];
    let bvh = read(head.replace("Frames: 2", "Frames: 0"));
    assert_eq!(bvh.frames(), 0);
    check_unchanged(&bvh);
    let bvh = read(&PLAIN[..PLAIN.find("MOTION").unwrap()]);
    assert_eq!(bvh.frames(), 0);
    assert!(notes(&bvh).contains("MOTION is missing"));
    check_unchanged(&bvh);
}

#[test]
fn unknown_channels_are_copied_and_noted() {
    let text = PLAIN
        .replace("3 Zrotation Xrotation Yrotation", "4 Zrotation Xrotation Yrotation Xscale")
        .replace("60\n", "60 1.25\n")
        .replace("61\n", "61 1.25\n");
    let bvh = read(text);
    assert!(notes(&bvh).contains("\"Xscale\" is copied but has no effect"));
    check_unchanged(&bvh);
}

#[test]
fn the_channel_names_override_a_wrong_count() {
    let bvh = check(PLAIN.replace("CHANNELS 3", "CHANNELS 6"));
    assert!(notes(&bvh).contains("CHANNELS states 6 and names 3"), "{}", notes(&bvh));
}

#[test]
fn a_channel_list_may_follow_the_children() {
    let text = "HIERARCHY ROOT a { OFFSET 0 0 0 JOINT b { OFFSET 1 0 0 CHANNELS 1 Xrotation } \
                CHANNELS 2 Yrotation Zrotation }\nMOTION\nFrames: 1\nFrame Time: 0.01\n5 6 7\n";
    let bvh = read(text.replace("ROOT a {", "ROOT a\n{").replace("JOINT b {", "JOINT b\n{"));
    let joints: Vec<u32> = bvh.channels().iter().map(|channel| channel.joint.0).collect();
    assert_eq!(joints, [1, 0, 0]);
    check_unchanged(&bvh);
    let space = Space::METRES_Y_UP;
    let mut motion = bvh.motion(&space);
    motion.poses[0].offsets[0].x = 4.0;
    let written = read(bvh.write(&motion, &space).unwrap());
    assert_eq!(written.motion(&space).poses[0].offsets[0], Vec3::new(4.0, 0.0, 0.0));
    assert_eq!(written.motion(&space).poses[0].rotations, motion.poses[0].rotations);
}

#[test]
fn a_skeleton_may_be_ten_thousand_joints_deep() {
    const DEEP: usize = 10_000;
    let mut text = String::from("HIERARCHY\n");
    for n in 0..DEEP {
        let word = if n == 0 { "ROOT" } else { "JOINT" };
        text += &format!("{word} j{n}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n");
    }
    text += &"}\n".repeat(DEEP);
    text += "MOTION\nFrames: 1\nFrame Time: 0.01\n";
    text += &"0 ".repeat(DEEP);
    let bvh = read(&text);
    assert_eq!(bvh.skeleton().len(), DEEP);
    let mut pose = Pose::default();
    bvh.pose_into(0, &mut pose);
    assert_eq!(pose.world(bvh.skeleton()).positions[DEEP - 1].y, (DEEP - 1) as f64 + 1.0);
    check_unchanged(&bvh);
}

#[test]
fn an_excerpt_of_a_long_file_is_bounded_and_includes_both_ends() {
    let (head, _) = PLAIN.split_at(PLAIN.find("1 2 3 10").unwrap());
    let mut text = head.replace("Frames: 2", "Frames: 50000");
    (0..50_000).for_each(|n| text += &format!("{n} 0 0 0 0 0 0 0 0\n"));
    let excerpt = read(text).excerpt();
    assert!(excerpt.frames.len() <= 6_000);
    assert_eq!((excerpt.frames[0], excerpt.frames[1]), (0, 1));
    assert_eq!(excerpt.frames.last(), Some(&49_999));
    assert!(excerpt.frames.windows(2).all(|pair| pair[0] < pair[1]));
    for (frame, pose) in excerpt.frames.iter().zip(&excerpt.motion.poses) {
        assert_eq!(pose.offsets[0].x, *frame as f64);
    }
}
