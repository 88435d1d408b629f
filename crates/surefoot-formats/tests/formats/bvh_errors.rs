//! Errors of BVH files state where, what was found and what was expected.
//!
//! After a change run with `UPDATE_EXPECT=1` and review the new texts.

use expect_test::{Expect, expect};
use surefoot_formats::bvh::Bvh;

const GOOD: &str = "\
HIERARCHY
ROOT Hips
{
	OFFSET 0.00 0.00 0.00
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	End Site
	{
		OFFSET 0.00 -9.00 1.00
	}
}
MOTION
Frames: 3
Frame Time: 0.0333333
1 2 3 10 20 30
4 5 6 11 21 31
7 8 9 12 22 32
";

/// The error, its line and a mark under its column.
fn shown(text: &[u8]) -> String {
    match Bvh::read(text.to_vec()) {
        Ok(bvh) => format!("read, {} frames\n", bvh.frames()),
        Err(error) => {
            let position = &error.position;
            format!("{error}\n| {}\n| {}^\n", position.text, " ".repeat(position.text_column))
        }
    }
}

fn check(before: &str, after: &str, expect: Expect) {
    assert!(GOOD.contains(before), "{before:?}");
    expect.assert_eq(&shown(GOOD.replacen(before, after, 1).as_bytes()));
}

#[test]
fn words_that_are_not_numbers_are_refused() {
    check(
        "5 6 11",
        "nan 6 11",
        expect![[r#"
            line 15, column 3: found "nan" in frame 1, expected a number: the program that wrote this file computed an invalid value here
            | 4 nan 6 11 21 31
            |   ^
        "#]],
    );
    check(
        "5 6 11",
        "5 -1.#IND 11",
        expect![[r#"
            line 15, column 5: found "-1.#IND" in frame 1, expected a number: the program that wrote this file computed an invalid value here
            | 4 5 -1.#IND 11 21 31
            |     ^
        "#]],
    );
    check(
        "5 6 11",
        "5 1.#QNAN 11",
        expect![[r#"
            line 15, column 5: found "1.#QNAN" in frame 1, expected a number: the program that wrote this file computed an invalid value here
            | 4 5 1.#QNAN 11 21 31
            |     ^
        "#]],
    );
    check(
        "5 6 11",
        "5,5 6 11",
        expect![[r#"
            line 15, column 3: found "5,5" in frame 1, expected a number: decimals need a point, and spaces separate numbers
            | 4 5,5 6 11 21 31
            |   ^
        "#]],
    );
    check(
        "4 5 6",
        "4, 5, 6",
        expect![[r#"
            line 15, column 1: found "4," in frame 1, expected a number: decimals need a point, and spaces separate numbers
            | 4, 5, 6 11 21 31
            | ^
        "#]],
    );
    check(
        "5 6 11",
        "inf 6 11",
        expect![[r#"
            line 15, column 3: found "inf" in frame 1, expected a number: no angle or position is this large
            | 4 inf 6 11 21 31
            |   ^
        "#]],
    );
    check(
        "5 6 11",
        "5 1e300 11",
        expect![[r#"
            line 15, column 5: found "1e300" in frame 1, expected a number: no angle or position is this large
            | 4 5 1e300 11 21 31
            |     ^
        "#]],
    );
    check(
        "5 6 11",
        "5 six 11",
        expect![[r#"
        line 15, column 5: found "six" in frame 1, expected a number
        | 4 5 six 11 21 31
        |     ^
    "#]],
    );
    check(
        "0.00 -9.00",
        "0.00 nan",
        expect![[r#"
            line 8, column 15: found "nan" in an offset, expected a number: the program that wrote this file computed an invalid value here
            |   OFFSET 0.00 nan 1.00
            |               ^
        "#]],
    );
    check(
        "0.0333333",
        "0,0333333",
        expect![[r#"
            line 13, column 13: found "0,0333333" in Frame Time, expected a number: decimals need a point, and spaces separate numbers
            | Frame Time: 0,0333333
            |             ^
        "#]],
    );
    check(
        "0.0333333",
        "nan",
        expect![[r#"
            line 13, column 13: found "nan" in Frame Time, expected a number: the program that wrote this file computed an invalid value here
            | Frame Time: nan
            |             ^
        "#]],
    );
}

#[test]
fn frames_of_the_wrong_length_are_refused() {
    check(
        "5 6 11 21 31",
        "5 6 11 21",
        expect![[r#"
        line 15, column 1: frame 1 has 5 numbers, but the joints need 6
        | 4 5 6 11 21
        | ^
    "#]],
    );
    check(
        "5 6 11 21 31",
        "5 6 11 21 31 41",
        expect![[r#"
        line 15, column 1: frame 1 has 7 numbers, but the joints need 6
        | 4 5 6 11 21 31 41
        | ^
    "#]],
    );
    check(
        "1 2 3 10 20 30",
        "1 2 3 10 20",
        expect![[r#"
        line 14, column 1: frame 0 has 5 numbers, but the joints need 6
        | 1 2 3 10 20
        | ^
    "#]],
    );
    check(
        "12 22 32\n",
        "12 22",
        expect![[r#"
        line 16, column 12: the file ends in frame 2 after 5 numbers, but the joints need 6
        | 7 8 9 12 22
        |            ^
    "#]],
    );
    check(
        "CHANNELS 6 Xposition",
        "CHANNELS 5",
        expect![[r#"
        line 14, column 1: frame 0 has 6 numbers, but the joints need 5
        | 1 2 3 10 20 30
        | ^
    "#]],
    );
}

#[test]
fn truncated_files_are_refused() {
    for (at, expect) in [
        (
            "Yrotation\n",
            expect![[r#"
            line 5, column 62: the file ends here, expected a channel such as Xrotation or Yposition
            | …position Yposition Zposition Zrotation Xrotation
            |                                                  ^
        "#]],
        ),
        (
            "OFFSET 0.00 -9",
            expect![[r#"
            line 7, column 3: the file ends inside joint "Hips", expected 2 more closing }
            |  {
            |   ^
        "#]],
        ),
        (
            "CHANNELS",
            expect![[r#"
            line 4, column 23: the file ends inside joint "Hips", expected 1 more closing }
            |  OFFSET 0.00 0.00 0.00
            |                       ^
        "#]],
        ),
        (
            "MOTION",
            expect![[r#"
            read, 0 frames
        "#]],
        ),
        (
            "1 2 3",
            expect![[r#"
                line 13, column 22: the file ends before the first frame, but Frames states 3
                | Frame Time: 0.0333333
                |                      ^
            "#]],
        ),
        (
            "8 9 12",
            expect![[r#"
            line 16, column 2: the file ends in frame 2 after 1 numbers, but the joints need 6
            | 7
            |  ^
        "#]],
        ),
    ] {
        expect.assert_eq(&shown(&GOOD.as_bytes()[..GOOD.find(at).unwrap()]));
    }
}

#[test]
fn files_of_other_formats_are_refused() {
    expect![[r#"
        line 1, column 1: the file is empty, expected HIERARCHY
        | 
        | ^
    "#]]
    .assert_eq(&shown(b""));
    expect![[r#"
        line 1, column 1: the file is empty, expected HIERARCHY
        |  
        | ^
    "#]]
    .assert_eq(&shown(b" \n\n \0\0"));
    expect![[r#"
        line 1, column 1: found "Kaydara", expected HIERARCHY: this is not a BVH file
        | Kaydara FBX Binary
        | ^
    "#]]
    .assert_eq(&shown(b"Kaydara FBX Binary  \0\x1a\0"));
    expect![[r#"
        line 1, column 1: the text is UTF-16, expected UTF-8 or Latin-1: save the file as plain text
        | ÿþH I E 
        | ^
    "#]]
    .assert_eq(&shown(b"\xff\xfeH\0I\0E\0"));
    expect![[r#"
        line 1, column 1: found "\u{89}PNG", expected HIERARCHY: this is not a BVH file
        |  PNG
        | ^
    "#]]
    .assert_eq(&shown(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"));
    expect![[r#"
        line 1, column 10: the file ends here, expected ROOT
        | HIERARCHY
        |          ^
    "#]]
    .assert_eq(&shown(b"HIERARCHY\n"));
}

#[test]
fn unexpected_keywords_are_refused() {
    check(
        "ROOT Hips\n{",
        "ROOT Hips\n",
        expect![[r#"
        line 4, column 2: found "OFFSET", expected { after the name of "Hips"
        |  OFFSET 0.00 0.00 0.00
        |  ^
    "#]],
    );
    check(
        "OFFSET 0.00 0.00 0.00",
        "OFFSET 0.00 0.00",
        expect![[r#"
            line 5, column 2: found "CHANNELS" in an offset, expected a number
            |  CHANNELS 6 Xposition Yposition Zposition Zrotati…
            |  ^
        "#]],
    );
    check(
        "CHANNELS 6",
        "CHANELS 6",
        expect![[r#"
        line 5, column 2: found "CHANELS", expected OFFSET, CHANNELS, JOINT, End Site or }
        |  CHANELS 6 Xposition Yposition Zposition Zrotatio…
        |  ^
    "#]],
    );
    check(
        "Xposition",
        "Xpositoin",
        expect![[r#"
        line 5, column 13: found "Xpositoin", expected a channel such as Xrotation or Yposition
        |  CHANNELS 6 Xpositoin Yposition Zposition Zrotation Xrotatio…
        |             ^
    "#]],
    );
    check(
        "\t}\n}\nMOTION",
        "\t}\nMOTION",
        expect![[r#"
        line 10, column 1: found "MOTION", expected OFFSET, CHANNELS, JOINT, End Site or }
        | MOTION
        | ^
    "#]],
    );
    check(
        "\t}\n}\nMOTION",
        "\t}\n}\n}\nMOTION",
        expect![[r#"
        line 11, column 1: found "}", expected ROOT or MOTION
        | }
        | ^
    "#]],
    );
    check(
        "Frames: 3",
        "Framez: 3",
        expect![[r#"
        line 12, column 1: found "Framez:", expected Frames:, Frame Time: or the numbers of frame 0
        | Framez: 3
        | ^
    "#]],
    );
    check(
        "OFFSET 0.00 0.00 0.00",
        "OFFSET 0 0 0 OFFSET 1 1 1",
        expect![[r#"
        line 4, column 15: joint "Hips" has a second OFFSET, expected one
        |  OFFSET 0 0 0 OFFSET 1 1 1
        |               ^
    "#]],
    );
    check(
        "End Site",
        "CHANNELS 1 Xrotation\n\tEnd Site",
        expect![[r#"
        line 6, column 2: joint "Hips" has a second CHANNELS, expected one
        |  CHANNELS 1 Xrotation
        |  ^
    "#]],
    );
    check(
        "OFFSET 0.00 -9.00 1.00",
        "JOINT Toe",
        expect![[r#"
        line 8, column 3: found "JOINT", expected OFFSET or }
        |   JOINT Toe
        |   ^
    "#]],
    );
}

#[test]
fn columns_count_characters() {
    let text = GOOD.replace("Hips", "Hüfte").replace("\t}\n}\nMOTION", "\t}\n}\n# é MOTION");
    expect![[r##"
        line 11, column 1: found "#", expected ROOT or MOTION
        | # é MOTION
        | ^
    "##]]
    .assert_eq(&shown(text.as_bytes()));
}

#[test]
fn only_part_of_a_long_line_is_shown() {
    let (head, rows) = GOOD.split_at(GOOD.find("1 2 3").unwrap());
    let one_line = format!("{} 1.0x {}", rows.replace('\n', " ").repeat(50), "1 ".repeat(500));
    expect![[r#"
        line 14, column 2252: found "1.0x" in frame 150, expected a number
        | …2 1 2 3 10 20 30 4 5 6 11 21 31 7 8 9 12 22 32  1.0x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1…
        |                                                  ^
    "#]]
    .assert_eq(&shown(format!("{head}{one_line}").as_bytes()));
}
