//! `convert`: the same to the byte, or the same places in another unit and axis.

use surefoot_core::UpAxis;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;

use super::here::{Here, walk};

#[test]
fn a_copy_is_the_same_to_the_byte() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "copy.bvh"]).done();
    assert_eq!(here.bytes("copy.bvh"), here.bytes("walk.bvh"));
    let odd = walk().replace('\n', "\r\n") + "\r\n\r\n";
    here.put("odd.bvh", &odd);
    here.run(&["convert", "odd.bvh", "odd.copy.bvh"]).done();
    assert_eq!(here.text("odd.copy.bvh"), odd);
}

#[test]
fn fresh_prints_every_number_anew() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "fresh.bvh", "--fresh"]).done();
    let fresh = here.text("fresh.bvh");
    assert!(fresh.contains("\n0.000000 95.000000 3.000000 "), "{fresh}");
    let (a, b) = (read(&here, "walk.bvh"), read(&here, "fresh.bvh"));
    assert_eq!(a.row(7), b.row(7));
}

#[test]
fn another_unit_and_axis_hold_the_same_motion() {
    let here = Here::with_walk();
    let to = ["--to-unit", "m", "--to-up", "z"];
    let convert = ["convert", "walk.bvh", "z.bvh", "--unit", "cm", "--up", "y"];
    here.run(&[&convert[..], &to].concat()).done();
    let up = |word| UpAxis::from_name(word).unwrap();
    let space = |unit_m, word| Space { unit_m, up: up(word) };
    let before = read(&here, "walk.bvh").motion(&space(0.01, "y"));
    let after = read(&here, "z.bvh").motion(&space(1.0, "z"));
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
fn there_and_back_is_where_it_was() {
    let here = Here::with_walk();
    let to = |from, to, unit: &str, up, was| {
        let args = ["convert", from, to, "--to-unit", unit, "--to-up", up, "--up", was];
        here.run(&args).done();
    };
    to("walk.bvh", "1.bvh", "mm", "-x", "y");
    to("1.bvh", "2.bvh", "cm", "y", "-x");
    let (a, b) = (read(&here, "walk.bvh"), read(&here, "2.bvh"));
    let (a, b) = (a.motion(&Space::METRES_Y_UP), b.motion(&Space::METRES_Y_UP));
    for (a, b) in a.poses.iter().zip(&b.poses) {
        assert!(a.offsets[0].distance(b.offsets[0]) < 1e-5);
    }
}

#[test]
fn saying_what_in_has_without_wanting_another_out_is_a_mistake() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "out.bvh", "--unit", "m"])
        .refused("--unit states a fact about IN")
        .refused("--to-unit sets the unit or axis of OUT");
    here.run(&["convert", "walk.bvh", "out.bvh", "--up", "z"])
        .refused("--to-up sets the unit or axis of OUT");
    assert_eq!(here.names(), ["walk.bvh"]);
}

fn read(here: &Here, name: &str) -> Bvh {
    Bvh::read(here.bytes(name)).unwrap()
}

#[test]
fn another_rate_changes_the_frame_time_alone() {
    let here = Here::with_walk();
    here.run(&["convert", "walk.bvh", "out.bvh", "--to-fps", "120"]).done();
    let expected = walk().replace("Frame Time: 0.0333333", "Frame Time: 0.008333333");
    assert_eq!(here.text("out.bvh"), expected);
    here.put("none.bvh", &walk().replace("Frame Time: 0.0333333\n", ""));
    here.run(&["convert", "none.bvh", "out2.bvh", "--to-fps", "120"])
        .refused("it has no `Frame Time` line for the rate");
}
