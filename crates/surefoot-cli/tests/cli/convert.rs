//! `convert`: byte-for-byte copies, and the same motion in another unit, axis or rate.

use surefoot_core::UpAxis;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;

use super::test_folder::{TestFolder, walk};

#[test]
fn a_copy_is_equal_byte_for_byte() {
    let folder = TestFolder::with_walk();
    folder.run(&["convert", "walk.bvh", "copy.bvh"]).expect_success();
    assert_eq!(folder.bytes("copy.bvh"), folder.bytes("walk.bvh"));
    let odd = walk().replace('\n', "\r\n") + "\r\n\r\n";
    folder.write("odd.bvh", &odd);
    folder.run(&["convert", "odd.bvh", "odd.copy.bvh"]).expect_success();
    assert_eq!(folder.text("odd.copy.bvh"), odd);
}

#[test]
fn a_wrong_frame_count_reaches_no_output() {
    let folder = TestFolder::new();
    for stated in ["Frames: 344", "Frames: 7", "Frames: many"] {
        folder.write("wrong.bvh", &walk().replace("Frames: 40", stated));
        for command in [
            &["convert", "wrong.bvh", "out.bvh", "--force"][..],
            &["convert", "wrong.bvh", "out.bvh", "--force", "--fresh"],
            &["convert", "wrong.bvh", "out.bvh", "--force", "--relabel-fps", "30"],
            &["convert", "wrong.bvh", "out.bvh", "--force", "--to-unit", "m"],
            &["clean", "wrong.bvh", "-o", "out.bvh", "--force"],
        ] {
            let outcome = folder.run(command).expect_success();
            assert!(folder.text("out.bvh").contains("\nFrames: 40\n"), "{stated} {command:?}");
            assert!(outcome.stderr.contains("Frames"), "{command:?}: {}", outcome.stderr);
        }
    }
}

#[test]
fn fresh_rewrites_every_number() {
    let folder = TestFolder::with_walk();
    folder.run(&["convert", "walk.bvh", "fresh.bvh", "--fresh"]).expect_success();
    let fresh = folder.text("fresh.bvh");
    assert!(fresh.contains("\n0.000000 95.000000 3.000000 "), "{fresh}");
    let (a, b) = (read(&folder, "walk.bvh"), read(&folder, "fresh.bvh"));
    assert_eq!(a.row(7), b.row(7));
}

#[test]
fn another_unit_and_axis_give_the_same_motion() {
    let folder = TestFolder::with_walk();
    let to = ["--to-unit", "m", "--to-up", "z"];
    let convert = ["convert", "walk.bvh", "z.bvh", "--unit", "cm", "--up", "y"];
    folder.run(&[&convert[..], &to].concat()).expect_success();
    let space = |unit_m, up| Space { unit_m, up: UpAxis::from_name(up).unwrap() };
    let before = read(&folder, "walk.bvh").motion(&space(0.01, "y"));
    let after = read(&folder, "z.bvh").motion(&space(1.0, "z"));
    assert_eq!(before.frames(), after.frames());
    assert_eq!(before.fps, after.fps);
    for (a, b) in before.poses.iter().zip(&after.poses) {
        let (a, b) = (a.world(&before.skeleton), b.world(&after.skeleton));
        for (a, b) in a.positions.iter().zip(&b.positions) {
            // Six decimals of a metre at the root, and of a degree at every joint above.
            assert!(a.distance(*b) < 2e-6, "{a} {b}");
        }
    }
}

#[test]
fn converting_back_gives_the_same_positions() {
    let folder = TestFolder::with_walk();
    let convert = |from, to, unit: &str, up, old_up| {
        let args = ["convert", from, to, "--to-unit", unit, "--to-up", up, "--up", old_up];
        folder.run(&args).expect_success();
    };
    convert("walk.bvh", "1.bvh", "mm", "-x", "y");
    convert("1.bvh", "2.bvh", "cm", "y", "-x");
    let (a, b) = (read(&folder, "walk.bvh"), read(&folder, "2.bvh"));
    let (a, b) = (a.motion(&Space::METRES_Y_UP), b.motion(&Space::METRES_Y_UP));
    for (a, b) in a.poses.iter().zip(&b.poses) {
        assert!(a.offsets[0].distance(b.offsets[0]) < 1e-5);
    }
}

#[test]
fn stating_the_input_unit_without_an_output_unit_is_refused() {
    let folder = TestFolder::with_walk();
    folder
        .run(&["convert", "walk.bvh", "out.bvh", "--unit", "m"])
        .expect_error("--unit describes IN")
        .expect_error("--to-unit sets the unit or axis of OUT");
    folder
        .run(&["convert", "walk.bvh", "out.bvh", "--up", "z"])
        .expect_error("--to-up sets the unit or axis of OUT");
    assert_eq!(folder.names(), ["walk.bvh"]);
}

fn read(folder: &TestFolder, name: &str) -> Bvh {
    Bvh::read(folder.bytes(name)).unwrap()
}

#[test]
fn another_stated_rate_changes_only_the_frame_time() {
    let folder = TestFolder::with_walk();
    folder.run(&["convert", "walk.bvh", "out.bvh", "--relabel-fps", "120"]).expect_success();
    let expected = walk().replace("Frame Time: 0.0333333", "Frame Time: 0.008333333");
    assert_eq!(folder.text("out.bvh"), expected);
    folder.write("none.bvh", &walk().replace("Frame Time: 0.0333333\n", ""));
    folder
        .run(&["convert", "none.bvh", "out2.bvh", "--relabel-fps", "120"])
        .expect_error("it has no `Frame Time` line for the rate");
}

#[test]
fn another_rate_resamples_the_motion() {
    let folder = TestFolder::new();
    for (fps, name) in [("120", "fast.bvh"), ("30", "slow.bvh")] {
        folder.run(&["sample", "walk", "-o", name, "--fps", fps, "--seconds", "4"]).expect_success();
    }
    folder.run(&["convert", "fast.bvh", "out.bvh", "--to-fps", "30"]).expect_success();
    let (truth, out) = (read(&folder, "slow.bvh"), read(&folder, "out.bvh"));
    assert_eq!(out.rate().value.round(), 30.0);
    let [truth, out] = [truth, out].map(|bvh| bvh.motion(&Space::METRES_Y_UP));
    assert_eq!(truth.frames(), out.frames());
    for (a, b) in truth.poses.iter().zip(&out.poses) {
        let (a, b) = (a.world(&truth.skeleton), b.world(&out.skeleton));
        // Six decimals of a centimetre.
        assert!(a.positions.iter().zip(&b.positions).all(|(a, b)| a.distance(*b) < 1e-4));
    }
}
