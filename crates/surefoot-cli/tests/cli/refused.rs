//! Files that are no motion, and how they are turned down.

use expect_test::{Expect, expect};

use super::here::{Here, walk};

fn check(text: &[u8], expected: Expect) {
    let here = Here::new();
    std::fs::write(here.path("walk.bvh"), text).unwrap();
    let ended = here.run(&["inspect", "walk.bvh"]).refused("walk.bvh");
    expected.assert_eq(&ended.stderr);
    // Nor does it become something else on the way through.
    here.run(&["convert", "walk.bvh", "out.bvh"]).refused("walk.bvh");
    assert_eq!(here.names(), ["walk.bvh"]);
}

#[test]
fn an_empty_file() {
    check(b"", expect![[]]);
}

#[test]
fn binary_junk() {
    let junk: Vec<u8> = (0..4096_u32).map(|n| (n * 2_654_435_761 >> 13) as u8).collect();
    let here = Here::new();
    std::fs::write(here.path("walk.bvh"), junk).unwrap();
    let ended = here.run(&["inspect", "walk.bvh"]).refused("walk.bvh:1:1");
    assert!(!ended.stderr.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn a_file_cut_in_its_skeleton() {
    check(&walk().as_bytes()[..600], expect![[]]);
}

#[test]
fn a_file_cut_in_a_frame() {
    let text = walk();
    check(&text.as_bytes()[..text.len() - 30], expect![[]]);
}

#[test]
fn a_frame_with_a_number_too_few() {
    let text = walk();
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap();
    let short = last.rsplit_once(' ').unwrap().0;
    check(
        format!("{before}\n{short}\n{last}\n").as_bytes(),
        expect![[]],
    );
}

#[test]
fn a_frame_with_a_word_in_it() {
    check(
        walk().replacen(" 6.00 95", " 6.00 nan", 1).replace("95.00 9.00", "95.00 -1.#IND").as_bytes(),
        expect![[]],
    );
}

#[test]
fn another_kind_of_file() {
    check(b"# MayaAscii 2022\nrequires maya \"2022\";\n", expect![[]]);
}
