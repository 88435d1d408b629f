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
    check(
        b"",
        expect![[r#"
        error: the file is empty, expected HIERARCHY
        --> walk.bvh:1:1
    "#]],
    );
}

#[test]
fn binary_junk() {
    let junk: Vec<u8> = (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let here = Here::new();
    std::fs::write(here.path("walk.bvh"), junk).unwrap();
    let ended = here.run(&["inspect", "walk.bvh"]).refused("walk.bvh:1:1");
    assert!(!ended.stderr.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn a_file_cut_in_its_skeleton() {
    check(
        &walk().as_bytes()[..600],
        expect![[r#"
            error: found "JO", expected OFFSET, CHANNELS, JOINT, End Site or }
              --> walk.bvh:30:3
               |
            30 |   JO
               |   ^^
        "#]],
    );
}

#[test]
fn a_file_cut_in_a_frame() {
    let text = walk();
    check(
        &text.as_bytes()[..text.len() - 30],
        expect![[r#"
            error: the file ends in frame 39 after 25 numbers, but the joints need 30
              --> walk.bvh:97:131
               |
            97 | …00 0.00 0.00 0.00 -19.00 0.00 0.00 38.00 0.00 0.
               |                                                  ^
        "#]],
    );
}

#[test]
fn a_frame_with_a_number_too_few() {
    let text = walk();
    let (before, last) = text.trim_end().rsplit_once('\n').unwrap();
    let short = last.rsplit_once(' ').unwrap().0;
    check(
        format!("{before}\n{short}\n{last}\n").as_bytes(),
        expect![[r#"
            error: frame 39 has 29 numbers, but the joints need 30
              --> walk.bvh:97:1
               |
            97 | 0.00 95.00 117.00 0.00 0.00 0.00 0.00 -0.00 0.00…
               | ^^^^
        "#]],
    );
}

#[test]
fn a_frame_with_a_word_in_it() {
    check(
        walk().replacen(" 6.00 95", " 6.00 nan", 1).replace("95.00 9.00", "95.00 -1.#IND").as_bytes(),
        expect![[r#"
            error: found "-1.#IND" in frame 3, expected a number: the program that wrote this file computed an invalid value here
              --> walk.bvh:61:12
               |
            61 | 0.00 95.00 -1.#IND 0.00 0.00 0.00 0.00 -3.00 0.00 0.00 6.00…
               |            ^^^^^^^
        "#]],
    );
}

#[test]
fn another_kind_of_file() {
    check(
        b"# MayaAscii 2022\nrequires maya \"2022\";\n",
        expect![[r##"
        error: found "#", expected HIERARCHY: this is not a BVH file
         --> walk.bvh:1:1
          |
        1 | # MayaAscii 2022
          | ^
    "##]],
    );
}
