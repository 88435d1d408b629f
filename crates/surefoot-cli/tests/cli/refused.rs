//! Error messages for files that are not a valid BVH.

use expect_test::{Expect, expect};

use super::test_folder::{TestFolder, walk};

fn check(text: &[u8], expected: Expect) {
    let folder = TestFolder::new();
    std::fs::write(folder.path("walk.bvh"), text).unwrap();
    let outcome = folder.run(&["inspect", "walk.bvh"]).expect_error("walk.bvh");
    expected.assert_eq(&outcome.stderr);
    folder.run(&["convert", "walk.bvh", "out.bvh"]).expect_error("walk.bvh");
    assert_eq!(folder.names(), ["walk.bvh"]);
}

#[test]
fn an_empty_file_is_refused() {
    check(
        b"",
        expect![[r#"
        error: the file is empty, expected HIERARCHY
        --> walk.bvh:1:1
    "#]],
    );
}

#[test]
fn binary_data_is_refused_without_control_characters_in_the_message() {
    let junk: Vec<u8> = (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let folder = TestFolder::new();
    std::fs::write(folder.path("walk.bvh"), junk).unwrap();
    let outcome = folder.run(&["inspect", "walk.bvh"]).expect_error("walk.bvh:1:1");
    assert!(!outcome.stderr.chars().any(|c| c.is_control() && c != '\n'));
}

#[test]
fn a_file_truncated_in_its_hierarchy_is_refused() {
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
fn a_file_truncated_in_a_frame_is_refused() {
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
fn a_frame_with_a_missing_number_is_refused() {
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
fn a_frame_with_a_word_is_refused() {
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
fn a_file_of_another_format_is_refused() {
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
