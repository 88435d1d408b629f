//! `stream`: the same bits as `clean`, with a fixed latency.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use surefoot_contact::learned::{Model, MotionHeader, detect_live};
use surefoot_core::{Clip, FootPoint, Footplants, Motion, Plant, Pose};
use surefoot_formats::stream::{Encoding, Frame, Layout, Reader, Record};
use surefoot_solve::{Settings, clean};

use super::test_folder::{Outcome, TestFolder};

/// A walk that skates, and its frames as a stream.
pub fn with_frames(seconds: &str) -> TestFolder {
    let folder = TestFolder::new();
    let skating = ["--skate", "drift", "--fps", "30", "--seconds", seconds];
    folder.run(&[&["sample", "walk"], &skating[..]].concat()).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.ndjson"]).expect_success();
    folder
}

pub fn stream(folder: &TestFolder, args: &[&str], stdin: &[u8]) -> Outcome {
    folder.run_with_stdin(&[&["stream"], args].concat(), stdin)
}

/// The records of a stream of lines.
pub fn lines(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'), "the last line is whole");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The output of a command for this input, as bytes.
pub fn pipe(folder: &TestFolder, args: &[&str], stdin: &[u8]) -> Vec<u8> {
    let mut command = folder.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let writer = std::thread::spawn(move || input.write_all(&stdin).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    output.stdout
}

/// `convert | stream | convert` against `clean`, byte for byte.
pub fn check_file(folder: &TestFolder, file: &str, preset: &str, flags: &[&str], form: &str) {
    let frames = pipe(folder, &["convert", file, "-", "--to", form], b"");
    let clean = pipe(folder, &["stream", "--preset", preset], &frames);
    let streamed = pipe(folder, &["convert", "-", "-", "--like", file], &clean);
    folder.run(&[&["clean", file, "-o", "clean.bvh", "--force"], flags].concat()).expect_success();
    assert!(streamed == folder.bytes("clean.bvh"), "{file}, {preset}, {form}");
}

#[test]
fn a_streamed_file_equals_the_cleaned_file_byte_for_byte() {
    let folder = with_frames("4");
    check_file(&folder, "walk.bvh", "live", &["--live"], "ndjson");
    check_file(&folder, "walk.bvh", "clean", &[], "binary");
    check_file(&folder, "walk.bvh", "paper", &["--paper"], "ndjson");
}

/// The stretch limit `auto` is 3 % for a file whose joints have translations, in a stream as in a file.
#[test]
fn a_streamed_file_with_joint_translations_stretches_like_the_cleaned_file() {
    let folder = with_frames("4");
    folder.run(&["clean", "walk.bvh", "--paper", "-o", "moved.bvh"]).expect_success();
    check_file(&folder, "moved.bvh", "clean", &[], "binary");
    check_file(&folder, "moved.bvh", "live", &["--live"], "ndjson");
    folder.run(&["clean", "moved.bvh", "--live", "--stretch", "0", "-o", "rigid.bvh"]).expect_success();
    assert!(folder.bytes("rigid.bvh") != folder.bytes("clean.bvh"), "nothing was stretched");
    let frames = folder.run(&["convert", "moved.bvh", "-", "--to", "ndjson"]).expect_success().stdout;
    assert_eq!(lines(&frames)[0]["joint_translations"], json!(true));
    assert_eq!(lines(&folder.text("walk.ndjson"))[0]["joint_translations"], json!(false));
    let skeleton = ["--skeleton", "moved.bvh"];
    let bare = format!("{{\"surefoot\":\"stream/1\"}}\n{}", frames.split_once('\n').unwrap().1);
    let (bare, whole) =
        (stream(&folder, &skeleton, bare.as_bytes()), stream(&folder, &[], frames.as_bytes()));
    let (bare, whole) = (lines(&bare.expect_success().stdout), lines(&whole.expect_success().stdout));
    assert_eq!(bare[1..], whole[1..]);
}

#[test]
fn a_streamed_capture_equals_the_cleaned_capture() {
    // The first capture begins with a T-pose, which is not streamed and is written back unchanged.
    for name in ["bvh/cmu/02_01.bvh", "bvh/cmu/16_22.bvh"] {
        if let Some(file) = surefoot_testdata::path(name) {
            check_file(&TestFolder::new(), file.to_str().unwrap(), "live", &["--live"], "binary");
        }
    }
}

/// All frames of a stream.
fn frames(bytes: &[u8]) -> (Layout, Vec<Frame>) {
    let (mut reader, header) = Reader::begin(bytes).unwrap();
    let sides = header.legs.iter().flatten().map(|leg| leg.given.side.clone()).collect();
    let layout = Layout { skeleton: header.skeleton.unwrap(), sides, holds: header.holds == Some(true) };
    let (mut frames, mut frame) = (Vec::new(), Frame::default());
    while reader.next(&layout, &mut frame).unwrap() == Record::Frame {
        frames.push(frame.clone());
    }
    (layout, frames)
}

fn bits(pose: &Pose) -> Vec<u64> {
    let offsets = pose.offsets.iter().flat_map(|offset| offset.to_array());
    offsets.chain(pose.rotations.iter().flat_map(|turn| turn.to_array())).map(f64::to_bits).collect()
}

/// The clip and the frames of a stream.
fn clip_and_frames(given: &[u8]) -> (Clip, Vec<Frame>) {
    let (_, header) = Reader::begin(given).unwrap();
    let (layout, before) = frames(given);
    let legs: Vec<_> = header.legs.unwrap();
    let leg = |leg: &surefoot_formats::stream::StreamLeg| surefoot_core::Leg {
        side: leg.given.side.clone(),
        limb: surefoot_core::Limb::Leg,
        hip: leg.given.hip,
        knee: leg.given.knee,
        ankle: leg.given.ankle,
        heel: leg.given.heel.unwrap(),
        ball: leg.given.ball.unwrap(),
        toe: leg.given.toe.unwrap(),
    };
    let poses = before.iter().map(|frame| frame.pose.clone()).collect();
    let motion = Motion { skeleton: layout.skeleton.clone(), fps: header.fps.unwrap(), poses };
    let floor = header.floor.unwrap().map(Into::into);
    (Clip { motion, legs: legs.iter().map(leg).collect(), floor, ..Clip::default() }, before)
}

#[test]
fn a_stream_gives_the_same_bits_as_the_library() {
    let folder = with_frames("4");
    let given = folder.bytes("walk.ndjson");
    let (clip, before) = clip_and_frames(&given);
    let mut plants = Footplants::default();
    for (n, frame) in before.iter().enumerate() {
        for (leg, held) in frame.held.iter().enumerate() {
            for (point, held) in FootPoint::ALL.into_iter().zip(held) {
                if let Some(held) = held {
                    let plant = held.plant as usize - 1;
                    let new = Plant { spot: held.spot, ..Plant::new(leg, point, n..n) };
                    if plants.plants.len() <= plant {
                        plants.plants.resize(plant + 1, new.clone());
                    }
                    let known = &mut plants.plants[plant];
                    if known.frames.is_empty() {
                        *known = new;
                    }
                    known.frames.end = n + 1;
                }
            }
        }
    }
    assert!(plants.plants.len() > 8);
    let batch = clean(&Clip { plants, ..clip }, &Settings::live()).unwrap().clip.motion;
    for to in ["ndjson", "binary"] {
        let (_, after) = frames(&pipe(&folder, &["stream", "--to", to], &given));
        assert_eq!(after.len(), batch.poses.len());
        for ((before, after), batch) in before.iter().zip(&after).zip(&batch.poses) {
            assert_eq!((after.number, &after.held), (before.number, &before.held));
            assert_eq!(bits(&after.pose), bits(batch), "frame {}", after.number);
        }
    }
}

/// Frames without plants give the result of the library that detects and cleans them.
#[test]
fn plants_are_detected_while_the_stream_runs() {
    let folder = with_frames("6");
    let given = folder.bytes("walk.ndjson");
    let (clip, _) = clip_and_frames(&given);
    let header = MotionHeader::new(&clip.motion, &clip.legs, clip.floor.as_ref());
    let plants = detect_live(&Model::shipped(), &clip.motion, &header, 0, 0.25);
    assert!(plants.plants.len() > 8);
    let batch = clean(&Clip { plants, ..clip }, &Settings::live()).unwrap().clip.motion;
    let mut without_plants = lines(&folder.text("walk.ndjson"));
    without_plants[1..].iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("held")));
    let without_plants: String = without_plants.iter().map(|line| format!("{line}\n")).collect();
    let out = pipe(&folder, &["stream", "--detect"], without_plants.as_bytes());
    let (_, after) = frames(&out);
    assert_eq!(after.len(), batch.poses.len());
    for (after, batch) in after.iter().zip(&batch.poses) {
        assert_eq!(bits(&after.pose), bits(batch), "frame {}", after.number);
    }
    let held = after.iter().filter(|frame| frame.held.iter().flatten().any(Option::is_some)).count();
    assert!(held * 10 > after.len() * 8, "{held} of {}", after.len());
    // The detection adds 7 frames of look-ahead at 30 frames per second.
    let lookahead = |bytes: &[u8]| Reader::begin(bytes).unwrap().1.lookahead.unwrap().frames;
    assert_eq!(lookahead(&out), lookahead(&pipe(&folder, &["stream"], &given)) + 7);
    let outcome = stream(&folder, &[], without_plants.as_bytes());
    assert!(outcome.code == Some(2) && outcome.stderr.contains("`surefoot stream --detect` detects them"));
}

/// Frame n is written as soon as frame n + look-ahead has been read, and not before.
#[test]
fn the_latency_of_a_frame_is_the_look_ahead_in_the_header() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let mut lines = text.lines();
    let mut command = folder.command(&["stream"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let (sender, records) = mpsc::channel::<Value>();
    let reader = std::thread::spawn(move || {
        for line in output.lines() {
            sender.send(serde_json::from_str(&line.unwrap()).unwrap()).unwrap();
        }
    });
    // A time-out that only a missing frame exceeds, also on a slow machine.
    let next_record = || records.recv_timeout(Duration::from_secs(120)).expect("a record within two minutes");
    let mut write_line = |line: &str| writeln!(input, "{line}").and_then(|()| input.flush()).unwrap();
    write_line(lines.next().unwrap());
    let header = next_record();
    let lookahead = header["lookahead"]["frames"].as_u64().unwrap() as usize;
    assert_eq!(header["lookahead"]["seconds"], json!(lookahead as f64 / 30.0));
    let frames: Vec<&str> = lines.filter(|line| line.starts_with("{\"frame\"")).collect();
    assert!(lookahead > 10 && frames.len() > 2 * lookahead);
    for (n, frame) in frames.iter().enumerate() {
        assert!(records.try_recv().is_err(), "a record arrived before frame {n} was sent");
        write_line(frame);
        if n >= lookahead {
            assert_eq!(next_record()["frame"], json!(n - lookahead));
        }
    }
    drop(input);
    for n in frames.len() - lookahead..frames.len() {
        assert_eq!(next_record()["frame"], json!(n));
    }
    assert_eq!(next_record()["end"]["frames"], json!(frames.len()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    reader.join().unwrap();
}

/// The header states the latency in seconds, and the book lists it for the usual frame rates.
#[test]
fn the_latencies_in_the_book_are_those_of_the_header() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    // Short plants shorten the look-ahead, and a live stream does not know how long its plants are.
    let header = text.lines().next().unwrap().replacen("\"longest_plant\":", "\"longest_plant\":1000", 1);
    assert!(header.contains("\"fps\":30.0") && header.contains("\"longest_plant\":1000"));
    let seconds = |fps: &str, preset: &str| {
        let header = header.replace("\"fps\":30.0", &format!("\"fps\":{fps}"));
        let out = stream(&folder, &["--preset", preset], format!("{header}\n").as_bytes()).expect_success();
        let lookahead = &lines(&out.stdout)[0]["lookahead"];
        let seconds = lookahead["seconds"].as_f64().unwrap();
        assert_eq!(seconds, lookahead["frames"].as_f64().unwrap() / fps.parse::<f64>().unwrap());
        format!("{seconds:.2} s")
    };
    let book = include_str!("../../../../book/src/formats/stream.md");
    let rows: Vec<Vec<&str>> = book
        .lines()
        .skip_while(|line| !line.starts_with("| fps"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let rates: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(rates, ["24", "25", "30", "48", "50", "60", "90", "100", "120", "144", "200", "240"]);
    for row in rows {
        assert_eq!(row[1..], [seconds(row[0], "live"), seconds(row[0], "paper")], "{} fps", row[0]);
    }
}

#[test]
fn the_output_of_a_stream_is_a_valid_input() {
    let folder = with_frames("4");
    let once = stream(&folder, &[], &folder.bytes("walk.ndjson")).expect_success();
    let twice = stream(&folder, &[], once.stdout.as_bytes()).expect_success();
    let (once, twice) = (lines(&once.stdout), lines(&twice.stdout));
    assert_eq!(once.len(), twice.len());
    assert_eq!(once[0], twice[0]);
}

#[test]
fn missing_legs_and_floor_are_inferred() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    header.as_object_mut().unwrap().retain(|key, _| matches!(key.as_str(), "surefoot" | "fps" | "joints"));
    let bare = format!("{header}\n{rest}");
    let out = lines(&stream(&folder, &[], bare.as_bytes()).expect_success().stdout);
    let sides: Vec<&Value> = out[0]["legs"].as_array().unwrap().iter().map(|leg| &leg["side"]).collect();
    assert_eq!(sides, ["left", "right"]);
    assert_eq!(out[0]["floor"], json!({"normal": [0.0, 1.0, 0.0], "offset_m": 0.0}));
    assert_eq!(out[0]["legs"][0]["hip"], "LeftUpLeg");
    assert_eq!(out.last().unwrap()["end"]["frames"], json!(121));

    // With --skeleton the header needs no joints, legs or floor.
    let bare = format!("{{\"surefoot\":\"stream/1\"}}\n{rest}");
    let out = stream(&folder, &["--skeleton", "walk.bvh"], bare.as_bytes()).expect_success();
    let whole = stream(&folder, &[], text.as_bytes()).expect_success();
    let (out, whole) = (lines(&out.stdout), lines(&whole.stdout));
    assert_eq!(out[0]["legs"], whole[0]["legs"]);
    assert_eq!(out[1..], whole[1..]);
    stream(&folder, &["--skeleton", "walk.bvh"], text.as_bytes())
        .expect_error("the skeleton comes from a file");
    stream(&folder, &["--floor", "0"], text.as_bytes())
        .expect_error("--floor describes the file of --skeleton, which is missing");
}

#[test]
fn flags_override_the_header_and_the_output_states_all_settings() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let with_settings = text.replacen(
        "\"fps\"",
        "\"settings\":{\"stretch\":0.01,\"roll\":\"flat\",\"spot_window\":0.1},\"fps\"",
        1,
    );
    let declared = |args: &[&str], text: &str| {
        lines(&stream(&folder, args, text.as_bytes()).expect_success().stdout)[0].clone()
    };
    let settings = &declared(&[], &with_settings)["settings"];
    assert_eq!(settings["stretch"], json!(0.01));
    assert_eq!((&settings["roll"], &settings["spot_window"]), (&json!("flat"), &json!(0.1)));
    let settings = &declared(&["--stretch", "0", "--preset", "clean"], &with_settings)["settings"];
    assert_eq!((&settings["stretch"], &settings["roll"]), (&json!(0.0), &json!("flat")));
    assert_eq!(settings["spot_window"], "whole");
    let start = text.find("\"longest_plant\"").unwrap();
    let end = start + text[start..].find(',').unwrap() + 1;
    let without_longest_plant = format!("{}{}", &text[..start], &text[end..]);
    stream(&folder, &["--preset", "clean"], without_longest_plant.as_bytes())
        .expect_error("\"longest_plant\" is missing");
    let endless = with_settings.replacen("0.1}", "1e9}", 1);
    let endless = endless.replacen(&text[start..end], "", 1);
    stream(&folder, &[], endless.as_bytes()).expect_error("joints in memory, expected no more than 4000000");
}

#[test]
fn a_stream_converted_to_a_new_file_has_the_same_motion() {
    let folder = with_frames("4");
    folder.run(&["convert", "walk.ndjson", "new.bvh"]).expect_success();
    let read = |name| surefoot_formats::bvh::Bvh::read(folder.bytes(name)).unwrap();
    let space = surefoot_formats::Space { unit_m: 0.01, ..surefoot_formats::Space::METRES_Y_UP };
    let (a, b) = (read("walk.bvh").motion(&space), read("new.bvh").motion(&space));
    assert_eq!(a.frames(), b.frames());
    for (one, other) in a.poses.iter().zip(&b.poses) {
        let (one, other) = (one.world(&a.skeleton), other.world(&b.skeleton));
        assert!(one.positions.iter().zip(&other.positions).all(|(one, other)| one.distance(*other) < 1e-6));
    }
    // A stream without an end record may be truncated, and is refused.
    let text = folder.text("walk.ndjson");
    let cut = &text[..text.rfind("{\"end\"").unwrap()];
    folder
        .run_with_stdin(&["convert", "-", "cut.bvh"], cut.as_bytes())
        .expect_error("no end record after 121 frames");
    assert_eq!(folder.names(), ["new.bvh", "walk.bvh", "walk.ndjson", "walk.plants.json"]);
}

#[test]
fn the_output_has_the_encoding_of_the_input_unless_a_flag_sets_it() {
    let folder = with_frames("4");
    let binary = pipe(&folder, &["convert", "walk.bvh", "-", "--to", "binary"], b"");
    for (args, form) in
        [(&["stream"][..], Encoding::Binary), (&["stream", "--to", "ndjson"], Encoding::Ndjson)]
    {
        let out = pipe(&folder, args, &binary);
        assert_eq!(Reader::begin(&out[..]).unwrap().0.encoding(), form);
    }
}
