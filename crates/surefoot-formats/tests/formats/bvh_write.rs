//! Laws of writing BVH: unchanged numbers are copied byte for byte, changed ones read back correctly.

use proptest::prelude::*;
use surefoot_core::UpAxis;
use surefoot_core::math::{PI, axis_rotation};
use surefoot_core::{Joint, JointId, Motion, Pose, Quat, Skeleton, Vec3};
use surefoot_formats::bvh::{Bvh, from_motion};
use surefoot_formats::{SourceFile, Space, WriteError};

const FILE: &str = "\
HIERARCHY
ROOT Hips
{
	OFFSET 0.00 0.00 0.00
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Thigh
	{
		OFFSET 0.00 -10.00 0.00
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Shin
		{
			OFFSET 0.00 -9.00 1.00
			CHANNELS 1 Xrotation
			JOINT Foot
			{
				OFFSET 0 -9.5 0
				End Site
				{
					OFFSET 0 0 3
				}
			}
		}
	}
}
MOTION
Frames: 3
Frame Time: 0.01
1.0 2.00 3.000 10.0000 20.00000 30.000000 40 50.5 60 7e1
1.0 2.00 3.000 10.0000 20.00000 30.000000 41 51.5 61 71.0
1.0 2.00 3.000 10.0000 20.00000 30.000000 42 52.5 62 72.
";

const HIPS: usize = 0;
const THIGH: usize = 1;
const SHIN: usize = 2;
const FOOT: usize = 3;

const CM_Z_UP: Space = Space { unit_m: 0.01, up: UpAxis { axis: 2, negative: false } };

fn read(text: impl Into<Vec<u8>>) -> Bvh {
    Bvh::read(text.into()).unwrap_or_else(|error| panic!("{error}"))
}

/// Writes the file after `change`, reads it back and checks the motion. Returns the text.
#[track_caller]
fn check(change: impl FnOnce(&mut Motion)) -> String {
    let bvh = read(FILE);
    let mut motion = bvh.motion(&CM_Z_UP);
    change(&mut motion);
    let text = bvh.write(&motion, &CM_Z_UP).unwrap();
    let back = read(text.clone()).motion(&CM_Z_UP);
    assert_eq!(back.frames(), motion.frames());
    assert!((back.fps - motion.fps).abs() < 1e-6);
    for (written, expected) in back.poses.iter().zip(&motion.poses) {
        let (written, expected) = (written.world(&back.skeleton), expected.world(&motion.skeleton));
        for (a, b) in written.positions.iter().zip(&expected.positions) {
            assert!((*a - *b).length() < 1e-7, "{a} {b}");
        }
        for (a, b) in written.rotations.iter().zip(&expected.rotations) {
            assert!(a.dot(*b).abs() > 1.0 - 1e-12, "{a} {b}");
        }
    }
    String::from_utf8(text).unwrap()
}

/// The lines that differ from the file's, with their numbers from 1.
fn changed_lines(text: &str) -> Vec<(usize, String)> {
    assert_eq!(text.lines().count(), FILE.lines().count());
    let pairs = text.lines().zip(FILE.lines()).enumerate();
    pairs.filter(|(_, (new, old))| new != old).map(|(n, (new, _))| (n + 1, new.to_owned())).collect()
}

#[test]
fn an_unchanged_motion_writes_the_same_bytes() {
    assert_eq!(check(|_| {}), FILE);
}

/// The file with other white space in its table: each entry of `breaks` stands between two of its rows.
fn with_row_breaks(breaks: [&str; 2], inside: &str) -> String {
    let (head, table) = FILE.split_at(FILE.find("1.0 2.00").unwrap());
    let rows: Vec<String> = table.lines().map(|row| row.replace(' ', inside)).collect();
    format!("{head}{}{}{}{}{}\r\n", rows[0], breaks[0], rows[1], breaks[1], rows[2])
}

#[test]
fn white_space_around_changed_and_kept_rows_is_copied() {
    let files = [
        with_row_breaks(["  \n\n ", "\t\r\n"], " "),
        with_row_breaks([" ", "\n"], "\n"),
        with_row_breaks(["\n", "\n"], "\t "),
    ];
    for text in files {
        let bvh = read(text.clone());
        for frame in 0..3 {
            let mut motion = bvh.motion(&CM_Z_UP);
            motion.poses[frame].rotations[THIGH] *= axis_rotation(1, 0.1);
            let written = String::from_utf8(bvh.write(&motion, &CM_Z_UP).unwrap()).unwrap();
            let gaps = |text: &str| text.split(|c: char| !c.is_whitespace()).collect::<String>();
            assert_eq!(gaps(&written), gaps(&text), "{written}");
            let kept = read(written.clone());
            assert!((0..3).all(|other| (kept.row(other) == bvh.row(other)) == (other != frame)), "{written}");
        }
        let mut motion = bvh.motion(&CM_Z_UP);
        motion.poses.truncate(2);
        assert_eq!(read(bvh.write(&motion, &CM_Z_UP).unwrap()).frames(), 2);
    }
}

/// The motion in what is written over a file, computed from all of its numbers and from the changed ones alone.
fn read_back_twice(bvh: Bvh, motion: Motion, space: &Space) -> [Motion; 2] {
    let source = SourceFile::from(bvh);
    let (bytes, copied) = source.write_and_list_copies(&motion, space).unwrap();
    let mut written = source.read_back(bytes).unwrap();
    written.set_rate(motion.fps);
    [written.motion(space), written.motion_written_over(&source, motion, &copied, space)]
}

#[test]
fn a_motion_is_read_back_without_computing_what_was_copied() {
    let changes: [fn(&mut Motion); 6] = [
        |_| {},
        |motion| motion.poses[1].rotations[THIGH] *= axis_rotation(1, 0.1),
        |motion| motion.poses[2].offsets[HIPS].x += 1e-9,
        |motion| motion.poses[0].offsets[SHIN].y -= 0.01,
        |motion| motion.poses.truncate(2),
        |motion| motion.poses.push(motion.poses[1].clone()),
    ];
    for change in changes {
        let bvh = read(FILE);
        let mut motion = bvh.motion(&CM_Z_UP);
        change(&mut motion);
        let [computed, reused] = read_back_twice(bvh, motion, &CM_Z_UP);
        assert_eq!(computed, reused);
    }
}

#[test]
fn a_rotated_joint_changes_only_its_own_numbers() {
    let text = check(|motion| motion.poses[1].rotations[THIGH] *= axis_rotation(1, 0.1));
    let lines = changed_lines(&text);
    assert_eq!(lines.len(), 1);
    let (line, text) = &lines[0];
    assert_eq!(*line, 29);
    assert!(text.starts_with("1.0 2.00 3.000 10.0000 20.00000 30.000000 "), "{text}");
    assert!(text.ends_with(" 71.0"), "{text}");
    assert!(text.split(' ').nth(6).unwrap().split_once('.').unwrap().1.len() == 6, "{text}");
}

#[test]
fn a_moved_root_keeps_its_angles_and_unchanged_coordinates() {
    let text = check(|motion| motion.poses[2].offsets[HIPS].x += 0.5);
    let rows = changed_lines(&text);
    assert_eq!(rows, [(30, "51.000000 2.00 3.000 10.0000 20.00000 30.000000 42 52.5 62 72.".to_owned())]);
}

#[test]
fn a_change_that_six_decimals_do_not_show_is_not_written() {
    assert_eq!(check(|motion| motion.poses[2].offsets[HIPS].x += 1e-10), FILE);
}

#[test]
fn a_stretched_bone_gets_position_channels_and_no_other_joint_does() {
    let text = check(|motion| motion.poses[1].offsets[SHIN] *= 1.02);
    assert_eq!(text.matches("position").count(), 6);
    assert!(text.contains("CHANNELS 4 Xposition Yposition Zposition Xrotation\n"), "{text}");
    let rows: Vec<&str> = text.lines().skip(27).collect();
    assert_eq!(
        rows,
        [
            "1.0 2.00 3.000 10.0000 20.00000 30.000000 40 50.5 60 0.000000 -9.000000 1.000000 7e1",
            "1.0 2.00 3.000 10.0000 20.00000 30.000000 41 51.5 61 0.000000 -9.180000 1.020000 71.0",
            "1.0 2.00 3.000 10.0000 20.00000 30.000000 42 52.5 62 0.000000 -9.000000 1.000000 72.",
        ]
    );
}

#[test]
fn a_joint_without_channels_gets_those_it_needs() {
    let text = check(|motion| {
        motion.poses[0].rotations[FOOT] = axis_rotation(0, 0.3);
        motion.poses[2].offsets[FOOT].x = 0.02;
    });
    assert!(text.contains(
        "OFFSET 0 -9.5 0\n\t\t\t\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    ));
}

#[test]
fn only_a_hinge_rotated_about_another_axis_gets_three_axes() {
    let text = check(|motion| motion.poses[1].rotations[SHIN] *= axis_rotation(0, 0.2));
    assert!(text.contains("CHANNELS 1 Xrotation"));
    let text = check(|motion| motion.poses[1].rotations[SHIN] *= axis_rotation(1, 0.2));
    assert!(text.contains("CHANNELS 3 Zrotation Xrotation Yrotation\n\t\t\tJOINT Foot"), "{text}");
}

#[test]
fn frames_can_be_added_and_removed_and_the_rate_changed() {
    let text = check(|motion| motion.poses.truncate(1));
    assert!(text.contains("Frames: 1\n") && text.ends_with("40 50.5 60 7e1\n"), "{text}");
    let text = check(|motion| motion.poses.clear());
    assert!(text.contains("Frames: 0\n"), "{text}");
    let text = check(|motion| motion.poses.extend_from_within(..));
    assert!(text.contains("Frames: 6\n"), "{text}");
    let added = text.lines().last().unwrap();
    assert_eq!(added.split(' ').count(), 10);
    assert!(added.ends_with("72.000000"), "{added}");
    let text = check(|motion| motion.fps = 60.0);
    assert!(text.contains("Frame Time: 0.016666667\n"), "{text}");
}

#[test]
fn a_file_without_motion_gets_a_motion_section() {
    let bvh = read(&FILE[..FILE.find("MOTION").unwrap()]);
    let mut motion = bvh.motion(&CM_Z_UP);
    motion.poses.push(Pose::rest(&motion.skeleton));
    motion.poses[0].offsets[HIPS].y = 1.0;
    let back = read(bvh.write(&motion, &CM_Z_UP).unwrap());
    assert_eq!((back.frames(), back.rate().value), (1, motion.fps));
    assert_eq!(back.motion(&CM_Z_UP).poses[0].offsets[HIPS], Vec3::new(0.0, 1.0, 0.0));
}

#[test]
fn a_motion_of_another_skeleton_or_with_nan_is_refused() {
    let bvh = read(FILE);
    let space = CM_Z_UP;
    let other = Motion { skeleton: Skeleton::default(), ..bvh.motion(&space) };
    assert_eq!(bvh.write(&other, &space), Err(WriteError::OtherSkeleton { found: 0, expected: 4 }));
    let mut motion = bvh.motion(&space);
    motion.poses[2].offsets.pop();
    assert_eq!(bvh.write(&motion, &space), Err(WriteError::OtherSkeleton { found: 3, expected: 4 }));
    let mut motion = bvh.motion(&space);
    motion.poses[1].rotations[SHIN].x = f64::NAN;
    let error = bvh.write(&motion, &space).unwrap_err();
    assert_eq!(error.to_string(), "frame 1: the offset or rotation of joint \"Shin\" is not finite");
}

#[test]
fn angles_do_not_jump_through_gimbal_lock() {
    // The middle angle passes 90°, where both outer angles rotate about one axis: no number may jump.
    let mut text = FILE[..FILE.find("1.0 2.00").unwrap()].replace("Frames: 3", "Frames: 181");
    (0..181).for_each(|n| text += &format!("0 0 0 0 0 0 35 {} -20 0\n", f64::from(n) + 0.25));
    let bvh = read(text);
    let space = Space::METRES_Y_UP;
    let mut motion = bvh.motion(&space);
    for pose in &mut motion.poses {
        pose.rotations[THIGH] *= axis_rotation(0, 1e-3);
    }
    let back = read(bvh.write(&motion, &space).unwrap());
    for frame in 0..back.frames() {
        for (new, old) in back.row(frame).iter().zip(bvh.row(frame)) {
            assert!((new - old).abs() < 15.0, "frame {frame}: {old} became {new}");
        }
    }
}

#[test]
fn joints_may_have_any_order_with_parents_first() {
    let joint = |name: &str, parent: Option<u32>, x: f64| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset: Vec3::new(x, 1.0, 0.0),
        end: None,
    };
    // The joints are in breadth-first order; a file has them in depth-first order.
    let joints = vec![
        joint("a", None, 0.0),
        joint("b", Some(0), 1.0),
        joint("c", Some(0), 2.0),
        joint("d", Some(1), 3.0),
    ];
    let skeleton = Skeleton::new(joints).unwrap();
    let mut pose = Pose::rest(&skeleton);
    for (n, rotation) in pose.rotations.iter_mut().enumerate() {
        *rotation = axis_rotation(n % 3, 0.2 + n as f64 * 0.1);
    }
    let world = pose.world(&skeleton);
    let motion = Motion { skeleton: skeleton.clone(), fps: 24.0, poses: vec![pose] };
    let back = read(from_motion(&motion, &CM_Z_UP).unwrap());
    let back_world = back.motion(&CM_Z_UP).poses[0].world(&back.motion(&CM_Z_UP).skeleton);
    for joint in skeleton.ids() {
        let back_joint = back.skeleton().find(&skeleton.joint(joint).name).unwrap();
        assert!((back_world.joint(back_joint) - world.joint(joint)).length() < 1e-6);
    }
}

/// Any skeleton of up to eight joints, parents first.
fn skeletons() -> impl Strategy<Value = Skeleton> {
    let joint = (any::<proptest::sample::Index>(), [-2.0f64..2.0, -2.0..2.0, -2.0..2.0], any::<bool>());
    proptest::collection::vec(joint, 1..8).prop_map(|joints| {
        let joints = joints.into_iter().enumerate().map(|(n, (parent, offset, ends))| Joint {
            name: format!("joint {n}"),
            parent: (n > 0).then(|| JointId(parent.index(n) as u32)),
            offset: offset.into(),
            end: ends.then_some(Vec3::new(0.0, 0.5, 0.0)),
        });
        Skeleton::new(joints.collect()).unwrap()
    })
}

fn motions() -> impl Strategy<Value = Motion> {
    skeletons().prop_flat_map(|skeleton| {
        let rotation = [-PI..PI, -PI..PI, -PI..PI]
            .prop_map(|[a, b, c]| axis_rotation(2, a) * axis_rotation(0, b) * axis_rotation(1, c));
        let count = skeleton.len();
        let pose = (
            proptest::collection::vec(rotation, count),
            proptest::collection::vec(prop_oneof![3 => Just(0.0), 1 => -0.1f64..0.1], count),
        );
        proptest::collection::vec(pose, 0..5).prop_map(move |poses| {
            let pose = |(rotations, stretches): (Vec<Quat>, Vec<f64>)| {
                let rest = skeleton.joints().iter().map(|joint| joint.offset);
                let offsets = rest.zip(stretches).map(|(offset, stretch)| offset * (1.0 + stretch)).collect();
                Pose { offsets, rotations }
            };
            Motion { skeleton: skeleton.clone(), fps: 120.0, poses: poses.into_iter().map(pose).collect() }
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_motion_reads_back_as_written(motion in motions(), axis in 0usize..3, negative: bool, unit_m in 0.001f64..2.0) {
        let space = Space { unit_m, up: UpAxis { axis, negative } };
        let bvh = read(from_motion(&motion, &space).unwrap());
        let back = bvh.motion(&space);
        prop_assert_eq!(back.frames(), motion.frames());
        for (written, expected) in back.poses.iter().zip(&motion.poses) {
            let (written, expected) = (written.world(&back.skeleton), expected.world(&motion.skeleton));
            for joint in motion.skeleton.ids() {
                let back_joint = bvh.skeleton().find(&motion.skeleton.joint(joint).name).unwrap();
                let distance = (written.joint(back_joint) - expected.joint(joint)).length();
                prop_assert!(distance < 1e-5, "{} off by {distance}", joint.0);
            }
        }
        prop_assert_eq!(bvh.write(&back, &space).unwrap(), bvh.text());
    }

    #[test]
    fn any_changed_motion_is_read_back_without_computing_what_was_copied(motion in motions(), at: proptest::sample::Index, frame: proptest::sample::Index, by in -0.5f64..0.5) {
        let space = Space { unit_m: 0.01, up: UpAxis { axis: 1, negative: false } };
        let bvh = read(from_motion(&motion, &space).unwrap());
        let mut motion = bvh.motion(&space);
        if !motion.poses.is_empty() {
            let (frame, joint) = (frame.index(motion.poses.len()), at.index(motion.skeleton.len()));
            motion.poses[frame].rotations[joint] *= axis_rotation(0, by);
        }
        let [computed, reused] = read_back_twice(bvh, motion, &space);
        prop_assert_eq!(computed, reused);
    }

    #[test]
    fn changing_one_joint_keeps_all_other_numbers(motion in motions(), at: proptest::sample::Index, frame: proptest::sample::Index, by in -0.5f64..0.5) {
        prop_assume!(motion.frames() > 0);
        let space = Space::METRES_Y_UP;
        let bvh = read(from_motion(&motion, &space).unwrap());
        let mut motion = bvh.motion(&space);
        let (joint, frame) = (at.index(motion.skeleton.len()), frame.index(motion.frames()));
        motion.poses[frame].rotations[joint] *= axis_rotation(1, by);
        let back = read(bvh.write(&motion, &space).unwrap());
        for other in 0..motion.frames() {
            for (column, (new, old)) in back.row(other).iter().zip(bvh.row(other)).enumerate() {
                let is_changed = other == frame && bvh.channels()[column].joint.index() == joint;
                prop_assert!(is_changed || new == old);
            }
        }
    }
}
