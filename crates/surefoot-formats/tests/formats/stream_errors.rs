//! Everything that can be wrong with a stream, as it is said.

use expect_test::{Expect, expect};
use surefoot_formats::stream::*;

const HEADER: &str = r#"{"surefoot":"stream/1","fps":30,"joints":[{"name":"Hips","parent":null,"offset":[0,0.9,0]},{"name":"Leg","parent":0,"offset":[0,-0.4,0]}]}"#;
const FRAME: &str = r#"{"frame":7,"root":[0,0.9,0],"rotations":[[0,0,0,1],[0,0,0,1]],"held":{}}"#;

/// What is said of a stream, or that nothing is wrong.
fn said(bytes: &[u8]) -> String {
    let (mut reader, header) = match Reader::begin(bytes) {
        Ok(begun) => begun,
        Err(error) => return error.to_string(),
    };
    let layout =
        Layout { skeleton: header.skeleton.unwrap_or_default(), sides: vec!["left".into(), "right".into()] };
    let mut frame = Frame::default();
    loop {
        match reader.next(&layout, &mut frame) {
            Ok(Record::EndOfInput) => return "nothing is wrong".into(),
            Ok(_) => {}
            Err(error) => return error.to_string(),
        }
    }
}

fn all(texts: &[&str]) -> String {
    texts.iter().map(|text| said(text.as_bytes()) + "\n").collect()
}

fn check_headers(headers: &[&str], expected: Expect) {
    expected.assert_eq(&all(headers));
}

/// What is said of frames that come after a good one, number 7.
fn check_frames(frames: &[&str], expected: Expect) {
    let streams: Vec<String> = frames.iter().map(|frame| format!("{HEADER}\n{FRAME}\n{frame}\n")).collect();
    expected.assert_eq(&all(&streams.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn headers() {
    let joints = |joints: &str| format!(r#"{{"surefoot":"stream/1","joints":[{joints}]}}"#);
    let leg = |leg: &str| HEADER.replace("\"joints\"", &format!(r#""legs":[{leg}],"joints""#));
    let one = r##"{"side":"left","hip":"Hips","knee":"Leg","ankle":"#1"}"##;
    check_headers(
        &[
            HEADER,
            "",
            "HIERARCHY\nROOT Hips",
            "{\"surefoot\":\"stream/1\",\"joints\":[",
            "{\"surefoot\":\"stream/1\",\"joints\":[\n",
            "{\"plants\": 1}",
            "{\"surefoot\": \"plants/1\"}",
            "{\"surefoot\":\"stream/1\",\"skeleton\":3}",
            "{\"surefoot\":\"stream/1\",\"fps\":0}",
            "{\"surefoot\":\"stream/1\",\"fps\":\"30\"}",
            "{\"surefoot\":\"stream/1\",\"floor\":{\"normal\":[0,2,0],\"offset_m\":0}}",
            "{\"surefoot\":\"stream/1\",\"settings\":{\"preset\":\"fast\"}}",
            "{\"surefoot\":\"stream/1\",\"legs\":[]}",
            &joints(""),
            &joints(r#"{"name":"a","parent":0,"offset":[0,0,0]}"#),
            &joints(r#"{"name":"a","parent":null,"offset":[0,1e10,0]}"#),
            &joints(r#"{"name":"a","parent":null,"offset":[0,0]}"#),
            &leg(one),
            &leg(&format!("{one},{one}")),
            &leg(&one.replace("\"Leg\"", "\"Lge\"")),
            &leg(&one.replace('}', r#","knee_axis":[1,1,0]}"#)),
        ],
        expect![[r#"
            nothing is wrong
            line 1: header: nothing came, expected a header: a line of JSON, or the binary form's SUREFOOT
            line 1: header: begins with "HIERARCH", expected a header: a line of JSON, or the binary form's SUREFOOT
            line 1: header: the input ends in the midst of it, after 33 bytes
            line 1: header: column 33: the line ends before its braces are closed
            line 1: header: does not say "surefoot": "stream/1"
            line 1: header: "surefoot" is "plants/1", expected "stream/1"
            line 1: header: column 33: unknown field `skeleton`, expected one of `surefoot`, `fps`, `lookahead`, `settings`, `longest_plant`, `floor`, `legs`, `joints`
            line 1: header: "fps" is 0, expected more than 0 and up to 10000 frames per second
            line 1: header: column 33: invalid type: string "30", expected f64
            line 1: header: "normal" is [0.0, 2.0, 0.0], expected a direction of length 1
            line 1: header: column 50: unknown variant `fast`, expected one of `live`, `clean`, `paper`
            line 1: header: "joints" is missing, expected the joints that the legs name
            line 1: header: "joints" is [], expected at least one joint
            line 1: header: joint 0 names joint 0 as its parent, but parents come first
            line 1: header: joint 0 is at [0, 10000000000, 0], expected metres within 1e9
            line 1: header: column 73: invalid length 2, expected an array of length 3
            nothing is wrong
            line 1: header: a second leg is called "left"
            line 1: header: the left leg names a joint "Lge", which the skeleton does not have; is it "Leg"?
            line 1: header: "knee_axis" is [1.0, 1.0, 0.0], expected a direction of length 1
        "#]],
    );
}

#[test]
fn frames() {
    let frame = FRAME.replace("7", "8");
    check_frames(
        &[
            &frame,
            FRAME,
            &frame.replace('8', "9"),
            &frame.replace("[0,0.9,0]", "[0,NaN,0]"),
            &frame.replace("[0,0.9,0]", "[0,-Infinity,0]"),
            &frame.replace("[0,0.9,0]", "[0,1e999,0]"),
            &frame.replace("[0,0.9,0]", "[0,-1e12,0]"),
            &frame.replace("[0,0.9,0]", "[0,null,0]"),
            &frame.replace("\"root\":[0,0.9,0],", ""),
            &frame.replace("[[0,0,0,1],[0,0,0,1]]", "[[0,0,0,1]]"),
            &frame.replace("[[0,0,0,1],[0,0,0,1]]", "[[0,0,0,1],[0,0,1]]"),
            &frame.replace("[[0,0,0,1],[0,0,0,1]]", "[[0,0,0,1],[0,0,0,0]]"),
            &frame.replace("\"rotations\":[[0,0,0,1],[0,0,0,1]],", ""),
            &frame.replace("\"held\"", "\"offsets\":[[2,0,0,0]],\"held\""),
            &frame.replace("\"held\"", "\"offsets\":[[0.5,0,0,0]],\"held\""),
            &frame.replace(",\"held\":{}", ""),
            &frame.replace("\"held\"", "\"planted\""),
            &frame.replace("{}", r#"{"Left":{"heel":true}}"#),
            &frame.replace("{}", r#"{"left":{"toe":true}}"#),
            &frame.replace("{}", r#"{"left":{"heel":"yes"}}"#),
            &frame.replace("{}", r#"{"left":{"heel":{"plant":1,"spot":[0,2e9,0]}}}"#),
            &frame.replace("{}}", "{}"),
            "[1, 2]",
            "hello",
            r#"{"end":{"frames":2}}"#,
            "{\"end\":{\"frames\":1}}\n{}",
        ],
        expect![[r#"
            nothing is wrong
            line 3: frame 8: its number is 7, expected 8
            line 3: frame 8: its number is 9, expected 8
            line 3: frame 8: column 22: found NaN, expected a number
            line 3: frame 8: column 23: found Infinity, expected a number
            line 3: frame 8: column 26: number out of range
            line 3: frame 8: root is at [0, -1000000000000, 0], expected metres within 1e9
            line 3: frame 8: column 25: invalid type: null, expected f64
            line 3: frame 8: "root" is missing, expected the place of joint 0 in metres
            line 3: frame 8: 1 rotations, but the skeleton has 2 joints
            line 3: frame 8: column 58: invalid length 3, expected an array of length 4
            line 3: frame 8: joint 1 is turned by a quaternion of length 0, expected 1 (its order is x, y, z, w)
            line 3: frame 8: "rotations" is missing, expected x, y, z, w for every joint
            line 3: frame 8: an offset of joint 2, but the joints are 0 to 1
            line 3: frame 8: an offset of joint 0.5, but the joints are 0 to 1
            line 3: frame 8: does not say who is held, expected "held" with the feet that are, or {} where none is; `surefoot stream --detect` finds it out
            line 3: frame 8: column 71: unknown field `planted`, expected one of `frame`, `root`, `rotations`, `offsets`, `held`, `end`
            line 3: frame 8: held is the foot "Left", but the feet are left, right
            line 3: frame 8: column 83: unknown field `toe`, expected `heel` or `ball`
            line 3: frame 8: column 91: expected true, false, a plant's number, or its "plant" and "spot" in braces
            line 3: frame 8: the spot of the left heel is at [0, 2000000000, 0], expected metres within 1e9
            line 3: frame 8: column 71: the line ends before its braces are closed
            line 3: frame 8: "frame" is [1, 2], expected fields in braces
            line 3: frame 8: "frame" is hello, expected fields in braces
            line 3: frame 8: the end speaks of 2 frames, but there were 1
            line 4: frame 8: comes after the end
        "#]],
    );
}

#[test]
fn lines_that_are_cut_or_without_end() {
    let cut = format!("{HEADER}\n{FRAME}\n{}", &FRAME[..40]);
    let long = format!("{HEADER}\n{{\"frame\":{}1", " ".repeat(200_000));
    let long_header = format!("{{\"surefoot\":{}", " ".repeat(LONGEST_HEADER));
    check_headers(
        &[&cut, &long, &long_header],
        expect![[r#"
        line 3: frame 8: the input ends in the midst of it, after 40 bytes
        line 2: frame 0: longer than 67584 bytes, which is more than it may be
        line 1: header: longer than 4194304 bytes, which is more than it may be
    "#]],
    );
}

#[test]
fn a_line_without_end_is_refused_without_reading_it() {
    /// Gives blanks for ever.
    struct Endless;
    impl std::io::Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            into.fill(b' ');
            Ok(into.len())
        }
    }
    let input = std::io::BufReader::new(std::io::Read::chain(&b"{"[..], Endless));
    let error = Reader::begin(input).map(|_| ()).unwrap_err();
    assert_eq!(error.problem, StreamProblem::TooLong { limit: LONGEST_HEADER });
}

#[test]
fn the_binary_form() {
    let joints = HEADER.as_bytes();
    let header = |magic: &[u8], version: u32, length: usize| {
        [magic, &version.to_le_bytes(), &(length as u32).to_le_bytes(), joints].concat()
    };
    let good = header(b"SUREFOOT", 1, joints.len());
    let size = 8 + 2 * 56 + 2 * 64;
    let frame = |tag: &[u8], size: usize, number: u64, turn: f64, flags: u32| {
        let mut frame = [tag, &(size as u32).to_le_bytes(), &number.to_le_bytes()].concat();
        let numbers = [0.0, 0.9, 0.0, 0.0, -0.4, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, turn];
        frame.extend(numbers.iter().flat_map(|number: &f64| number.to_le_bytes()));
        for point in 0..4u32 {
            frame.extend((point % 2).to_le_bytes());
            frame.extend(flags.to_le_bytes());
            frame.extend([f64::NAN; 3].iter().flat_map(|number| number.to_le_bytes()));
        }
        frame
    };
    let whole = frame(b"FRAM", size, 7, 1.0, 0);
    let end = |text: &str| [b"END_", &(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
    let after = |rest: &[u8]| [&good, &whole, rest].concat();
    let streams = [
        after(b""),
        after(&end("{\"frames\":1}")),
        b"SUREFEET........".to_vec(),
        b"SURE".to_vec(),
        header(b"SUREFOOT", 2, 0),
        header(b"SUREFOOT", 1, joints.len() + 9),
        header(b"SUREFOOT", 1, 1 << 30),
        header(b"SUREFOOT", 1, joints.len() - 1),
        after(b"FRA"),
        after(&frame(b"FRAM", size, 8, 1.0, 0)[..100]),
        after(&frame(b"FRAM", size + 8, 8, 1.0, 0)),
        after(&frame(b"MARF", size, 8, 1.0, 0)),
        after(&frame(b"FRAM", size, 9, 1.0, 0)),
        after(&frame(b"FRAM", size, 8, f64::NAN, 0)),
        after(&frame(b"FRAM", size, 8, 0.5, 0)),
        after(&frame(b"FRAM", size, 8, 1.0, 2)),
        after(&frame(b"FRAM", size, 8, 1.0, 1)),
        after(&end("{\"frames\":5}")),
        after(&end("{\"frames\":")),
        after(&[end("{\"frames\":1}"), whole.clone()].concat()),
    ];
    let all: String = streams.iter().map(|stream| said(stream) + "\n").collect();
    expect![[r#"
        nothing is wrong
        nothing is wrong
        byte 0: header: begins with "SUREFEET........", expected a header: a line of JSON, or the binary form's SUREFOOT
        byte 0: header: the input ends in the midst of it, after 4 of 16 bytes
        byte 0: header: "surefoot" is binary version 2, expected "stream/1"
        byte 0: header: the input ends in the midst of it, after 138 of 147 bytes
        byte 0: header: longer than 4194304 bytes, which is more than it may be
        byte 0: header: column 137: the line ends before its braces are closed
        byte 410: frame 8: the input ends in the midst of it, after 3 of 8 bytes
        byte 410: frame 8: the input ends in the midst of it, after 100 of 256 bytes
        byte 410: frame 8: states a size of 256 bytes, but the header's joints and legs need 248
        byte 410: frame 8: begins with "MARF", expected FRAM or END_
        byte 410: frame 8: its number is 9, expected 8
        byte 410: frame 8: joint 1 is turned by a quaternion of length NaN, expected 1 (its order is x, y, z, w)
        byte 410: frame 8: joint 1 is turned by a quaternion of length 0.5, expected 1 (its order is x, y, z, w)
        byte 410: frame 8: a held point has the flags 0x2, expected 0 or 1
        byte 410: frame 8: the spot of the left ball is at [NaN, NaN, NaN], expected metres within 1e9
        byte 410: frame 8: the end speaks of 5 frames, but there were 1
        byte 410: frame 8: column 10: the line ends before its braces are closed
        byte 430: frame 8: comes after the end
    "#]].assert_eq(&all);
}
