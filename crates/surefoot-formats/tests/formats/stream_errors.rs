//! Errors of streams state where, what was found and what was expected.
//!
//! After a change run with `UPDATE_EXPECT=1` and review the new texts.

use expect_test::{Expect, expect};
use surefoot_formats::stream::*;

const HEADER: &str = r#"{"surefoot":"stream/1","fps":30,"joints":[{"name":"Hips","parent":null,"offset":[0,0.9,0]},{"name":"Leg","parent":0,"offset":[0,-0.4,0]}]}"#;
const FRAME: &str = r#"{"frame":7,"root":[0,0.9,0],"rotations":[[0,0,0,1],[0,0,0,1]],"held":{}}"#;

/// The error of a stream, or `no error`.
fn message(bytes: &[u8]) -> String {
    let (mut reader, header) = match Reader::begin(bytes) {
        Ok(begun) => begun,
        Err(error) => return error.to_string(),
    };
    let layout = Layout {
        skeleton: header.skeleton.unwrap_or_default(),
        sides: vec!["left".into(), "right".into()],
        holds: header.holds == Some(true),
    };
    let mut frame = Frame::default();
    loop {
        match reader.next(&layout, &mut frame) {
            Ok(Record::EndOfInput) => return "no error".into(),
            Ok(_) => {}
            Err(error) => return error.to_string(),
        }
    }
}

fn all(texts: &[&str]) -> String {
    texts.iter().map(|text| message(text.as_bytes()) + "\n").collect()
}

fn check_headers(headers: &[&str], expected: Expect) {
    expected.assert_eq(&all(headers));
}

/// Checks the errors of frames after a valid one with number 7.
fn check_frames(frames: &[&str], expected: Expect) {
    let streams: Vec<String> = frames.iter().map(|frame| format!("{HEADER}\n{FRAME}\n{frame}\n")).collect();
    expected.assert_eq(&all(&streams.iter().map(String::as_str).collect::<Vec<_>>()));
}

#[test]
fn invalid_headers_are_refused() {
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
            "{\"surefoot\":\"stream/1\",\"ground_m_per_s\":[0,0,1e4]}",
            "{\"surefoot\":\"stream/1\",\"settings\":{\"preset\":true}}",
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
            no error
            line 1: header: the input is empty, expected a header: a line of JSON, or SUREFOOT in the binary encoding
            line 1: header: found "HIERARCH", expected a header: a line of JSON, or SUREFOOT in the binary encoding
            line 1: header: the input ends inside this record, after 33 bytes
            line 1: header: column 33: the line ends before its braces are closed
            line 1: header: "surefoot" is missing, expected "stream/1"
            line 1: header: "surefoot" is "plants/1", expected "stream/1"
            line 1: header: column 33: unknown field `skeleton`, expected one of `surefoot`, `fps`, `lookahead`, `settings`, `longest_plant`, `floor`, `ground_m_per_s`, `joint_translations`, `holds`, `legs`, `joints`
            line 1: header: "fps" is 0, expected more than 0 and up to 10000 frames per second
            line 1: header: column 33: invalid type: string "30", expected f64
            line 1: header: "normal" is [0.0, 2.0, 0.0], expected a direction of length 1
            line 1: header: "ground_m_per_s" is [0.0, 0.0, 10000.0], expected metres per second within 1000
            line 1: header: column 49: a setting is a number or a word
            line 1: header: "joints" is missing, expected the joints that the legs name
            line 1: header: "joints" is [], expected at least one joint
            line 1: header: joint 0 has joint 0 as its parent, expected an earlier joint
            line 1: header: joint 0 is at [0, 10000000000, 0], expected metres within 1e9
            line 1: header: column 73: invalid length 2, expected an array of length 3
            no error
            line 1: header: found a second leg called "left", expected different sides
            line 1: header: the left leg names the joint "Lge", which the skeleton does not have; similar: "Leg"
            line 1: header: "knee_axis" is [1.0, 1.0, 0.0], expected a direction of length 1
        "#]],
    );
}

#[test]
fn invalid_frames_are_refused() {
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
            &frame.replace("{}", r#"{"left":{"sole":true}}"#),
            &frame.replace("{}", r#"{"left":{"heel":"yes"}}"#),
            &frame.replace("{}", r#"{"left":{"heel":{"plant":1,"spot":[0,2e9,0]}}}"#),
            &frame.replace("{}}", "{}"),
            "[1, 2]",
            "hello",
            r#"{"end":{"frames":2}}"#,
            "{\"end\":{\"frames\":1}}\n{}",
        ],
        expect![[r#"
            no error
            line 3: frame 8: the frame number is 7, expected 8
            line 3: frame 8: the frame number is 9, expected 8
            line 3: frame 8: column 22: found NaN, expected a number
            line 3: frame 8: column 23: found Infinity, expected a number
            line 3: frame 8: column 26: number out of range
            line 3: frame 8: root is at [0, -1000000000000, 0], expected metres within 1e9
            line 3: frame 8: column 25: invalid type: null, expected f64
            line 3: frame 8: "root" is missing, expected the position of joint 0 in metres
            line 3: frame 8: found 1 rotations, expected 2, one per joint
            line 3: frame 8: column 58: invalid length 3, expected an array of length 4
            line 3: frame 8: the rotation of joint 1 has the length 0, expected 1 (in the order x, y, z, w)
            line 3: frame 8: "rotations" is missing, expected x, y, z, w for every joint
            line 3: frame 8: found an offset of joint 2, but the joints are 0 to 1
            line 3: frame 8: found an offset of joint 0.5, but the joints are 0 to 1
            line 3: frame 8: "held" is missing, expected the feet that are held, or {} for none
            line 3: frame 8: column 71: unknown field `planted`, expected one of `frame`, `root`, `rotations`, `offsets`, `held`, `end`
            line 3: frame 8: found the foot "Left" in "held", expected left or right
            line 3: frame 8: column 84: unknown field `sole`, expected one of `heel`, `ball`, `toe`
            line 3: frame 8: column 91: expected true, false, a plant's number, or its "plant", "spot", "hold" and "strength" in braces
            line 3: frame 8: the spot of the left heel is at [0, 2000000000, 0], expected metres within 1e9
            line 3: frame 8: column 71: the line ends before its braces are closed
            line 3: frame 8: "frame" is [1, 2], expected fields in braces
            line 3: frame 8: "frame" is hello, expected fields in braces
            line 3: frame 8: the end states 2 frames, but 1 were read
            line 4: frame 8: found a record after the end, expected none
        "#]],
    );
}

#[test]
fn truncated_and_endless_lines_are_refused() {
    let cut = format!("{HEADER}\n{FRAME}\n{}", &FRAME[..40]);
    let long = format!("{HEADER}\n{{\"frame\":{}1", " ".repeat(200_000));
    let long_header = format!("{{\"surefoot\":{}", " ".repeat(LONGEST_HEADER));
    check_headers(
        &[&cut, &long, &long_header],
        expect![[r#"
            line 3: frame 8: the input ends inside this record, after 40 bytes
            line 2: frame 0: the record is too long, expected at most 67584 bytes
            line 1: header: the record is too long, expected at most 4194304 bytes
        "#]],
    );
}

#[test]
fn an_endless_line_is_refused_at_the_limit() {
    /// Returns blanks for ever.
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
fn invalid_binary_records_are_refused() {
    let joints = HEADER.as_bytes();
    let header = |magic: &[u8], version: u32, length: usize| {
        [magic, &version.to_le_bytes(), &(length as u32).to_le_bytes(), joints].concat()
    };
    let good = header(b"SUREFOOT", 1, joints.len());
    let size = 8 + 2 * 56 + 2 * 64;
    let frame = |tag: &[u8], size: usize, number: u64, rotation_w: f64, flags: u32| {
        let mut frame = [tag, &(size as u32).to_le_bytes(), &number.to_le_bytes()].concat();
        let numbers = [0.0, 0.9, 0.0, 0.0, -0.4, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, rotation_w];
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
    let all: String = streams.iter().map(|stream| message(stream) + "\n").collect();
    expect![[r#"
        no error
        no error
        byte 0: header: found "SUREFEET........", expected a header: a line of JSON, or SUREFOOT in the binary encoding
        byte 0: header: the input ends inside this record, after 4 of 16 bytes
        byte 0: header: "surefoot" is binary version 2, expected "stream/1"
        byte 0: header: the input ends inside this record, after 138 of 147 bytes
        byte 0: header: the record is too long, expected at most 4194304 bytes
        byte 0: header: column 137: the line ends before its braces are closed
        byte 410: frame 8: the input ends inside this record, after 3 of 8 bytes
        byte 410: frame 8: the input ends inside this record, after 100 of 256 bytes
        byte 410: frame 8: the stated size is 256 bytes, expected 248 for the joints and legs of the header
        byte 410: frame 8: found the tag "MARF", expected FRAM or END_
        byte 410: frame 8: the frame number is 9, expected 8
        byte 410: frame 8: the rotation of joint 1 has the length NaN, expected 1 (in the order x, y, z, w)
        byte 410: frame 8: the rotation of joint 1 has the length 0.5, expected 1 (in the order x, y, z, w)
        byte 410: frame 8: a held point has the flags 0x2, expected 0 or 1
        byte 410: frame 8: the spot of the left ball is at [NaN, NaN, NaN], expected metres within 1e9
        byte 410: frame 8: the end states 5 frames, but 1 were read
        byte 410: frame 8: column 10: the line ends before its braces are closed
        byte 430: frame 8: found a record after the end, expected none
    "#]].assert_eq(&all);
}
