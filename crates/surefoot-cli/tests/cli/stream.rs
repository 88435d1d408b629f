//! `stream`: the same bits as `clean`, as late as it says.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};
use surefoot_contact::learned::{Model, MotionHeader, detect_live};
use surefoot_core::{Clip, FootPoint, Footplants, Motion, Plant, Pose};
use surefoot_formats::stream::{Encoding, Frame, Layout, Reader, Record};
use surefoot_solve::{Settings, clean};

use super::here::{Ended, Here};

/// A walk that skates, and its frames as a stream.
pub fn with_frames(seconds: &str) -> Here {
    let here = Here::new();
    let skating = ["--skate", "drift", "--fps", "30", "--seconds", seconds];
    here.run(&[&["sample", "walk"], &skating[..]].concat()).done();
    here.run(&["convert", "walk.bvh", "walk.ndjson"]).done();
    here
}

pub fn stream(here: &Here, args: &[&str], stdin: &[u8]) -> Ended {
    here.run_with_stdin(&[&["stream"], args].concat(), stdin)
}

/// The records of a stream of lines.
pub fn lines(text: &str) -> Vec<Value> {
    assert!(text.ends_with('\n'), "the last line is whole");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What comes out of a stream of any form, bytes in and bytes out.
fn piped(here: &Here, args: &[&str], stdin: &[u8]) -> Vec<u8> {
    let mut command = here.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let writer = std::thread::spawn(move || to.write_all(&stdin).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    output.stdout
}

/// `convert | stream | convert` against `clean`, byte for byte.
fn check_file(here: &Here, file: &str, preset: &str, flags: &[&str], form: &str) {
    let frames = piped(here, &["convert", file, "-", "--to", form], b"");
    let clean = piped(here, &["stream", "--preset", preset], &frames);
    let streamed = piped(here, &["convert", "-", "-", "--like", file], &clean);
    here.run(&[&["clean", file, "-o", "clean.bvh", "--force"], flags].concat()).done();
    assert!(streamed == here.bytes("clean.bvh"), "{file}, {preset}, {form}");
}

#[test]
fn a_streamed_file_is_the_cleaned_one_to_the_byte() {
    let here = with_frames("4");
    check_file(&here, "walk.bvh", "live", &["--live"], "ndjson");
    check_file(&here, "walk.bvh", "clean", &[], "binary");
    check_file(&here, "walk.bvh", "paper", &["--paper"], "ndjson");
}

#[test]
fn a_captured_file_streams_as_it_is_cleaned() {
    // The first begins with a T-pose, which is no part of the stream and comes back untouched.
    for name in ["bvh/cmu/02_01.bvh", "bvh/cmu/16_22.bvh"] {
        if let Some(file) = surefoot_testdata::path(name) {
            check_file(&Here::new(), file.to_str().unwrap(), "live", &["--live"], "binary");
        }
    }
}

/// All frames of a stream.
fn frames(bytes: &[u8]) -> (Layout, Vec<Frame>) {
    let (mut reader, header) = Reader::begin(bytes).unwrap();
    let sides = header.legs.iter().flatten().map(|leg| leg.given.side.clone()).collect();
    let layout = Layout { skeleton: header.skeleton.unwrap(), sides };
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
fn a_stream_has_the_librarys_bits() {
    let here = with_frames("4");
    let given = here.bytes("walk.ndjson");
    let (clip, before) = clip_and_frames(&given);
    let mut plants = Footplants::default();
    for (n, frame) in before.iter().enumerate() {
        for (leg, held) in frame.held.iter().enumerate() {
            for (point, held) in [FootPoint::Heel, FootPoint::Ball].into_iter().zip(held) {
                if let Some(held) = held {
                    let plant = held.plant as usize - 1;
                    let new = Plant { leg, point, frames: n..n, spot: held.spot, confidence: None };
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
        let (_, after) = frames(&piped(&here, &["stream", "--to", to], &given));
        assert_eq!(after.len(), batch.poses.len());
        for ((before, after), batch) in before.iter().zip(&after).zip(&batch.poses) {
            assert_eq!((after.number, &after.held), (before.number, &before.held));
            assert_eq!(bits(&after.pose), bits(batch), "frame {}", after.number);
        }
    }
}

/// Frames that do not say who is held come out as the library detects and cleans them.
#[test]
fn who_is_held_can_be_found_as_the_stream_runs() {
    let here = with_frames("6");
    let given = here.bytes("walk.ndjson");
    let (clip, _) = clip_and_frames(&given);
    let header = MotionHeader::new(&clip.motion, &clip.legs, clip.floor.as_ref());
    let plants = detect_live(&Model::shipped(), &clip.motion, &header, 0, 0.25);
    assert!(plants.plants.len() > 8);
    let batch = clean(&Clip { plants, ..clip }, &Settings::live()).unwrap().clip.motion;
    let mut silent = lines(&here.text("walk.ndjson"));
    silent[1..].iter_mut().for_each(|line| drop(line.as_object_mut().unwrap().remove("held")));
    let silent: String = silent.iter().map(|line| format!("{line}\n")).collect();
    let out = piped(&here, &["stream", "--detect"], silent.as_bytes());
    let (_, after) = frames(&out);
    assert_eq!(after.len(), batch.poses.len());
    for (after, batch) in after.iter().zip(&batch.poses) {
        assert_eq!(bits(&after.pose), bits(batch), "frame {}", after.number);
    }
    let held = after.iter().filter(|frame| frame.held.iter().flatten().any(Option::is_some)).count();
    assert!(held * 10 > after.len() * 8, "{held} of {}", after.len());
    // It is later by what finding out takes: 7 frames at 30 a second.
    let ahead = |bytes: &[u8]| Reader::begin(bytes).unwrap().1.lookahead.unwrap().frames;
    assert_eq!(ahead(&out), ahead(&piped(&here, &["stream"], &given)) + 7);
    let ended = stream(&here, &[], silent.as_bytes());
    assert!(ended.code == Some(2) && ended.stderr.contains("`surefoot stream --detect` detects them"));
}

/// Frame n comes out once frame n + look-ahead is in: no later, and no earlier.
#[test]
fn a_frame_is_as_late_as_the_header_says() {
    let here = with_frames("4");
    let text = here.text("walk.ndjson");
    let mut input = text.lines();
    let mut command = here.command(&["stream"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let from = BufReader::new(child.stdout.take().unwrap());
    let (send, came) = mpsc::channel::<Value>();
    let reader = std::thread::spawn(move || {
        for line in from.lines() {
            send.send(serde_json::from_str(&line.unwrap()).unwrap()).unwrap();
        }
    });
    // Long enough for the slowest machine; a frame that never comes fails here.
    let next = || came.recv_timeout(Duration::from_secs(120)).expect("a record within two minutes");
    let mut put = |line: &str| writeln!(to, "{line}").and_then(|()| to.flush()).unwrap();
    put(input.next().unwrap());
    let header = next();
    let late = header["lookahead"]["frames"].as_u64().unwrap() as usize;
    assert_eq!(header["lookahead"]["seconds"], json!(late as f64 / 30.0));
    let frames: Vec<&str> = input.filter(|line| line.starts_with("{\"frame\"")).collect();
    assert!(late > 10 && frames.len() > 2 * late);
    for (n, frame) in frames.iter().enumerate() {
        assert!(came.try_recv().is_err(), "something came before frame {n} was in");
        put(frame);
        if n >= late {
            assert_eq!(next()["frame"], json!(n - late));
        }
    }
    drop(to);
    for n in frames.len() - late..frames.len() {
        assert_eq!(next()["frame"], json!(n));
    }
    assert_eq!(next()["end"]["frames"], json!(frames.len()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
    reader.join().unwrap();
}

#[test]
fn what_came_out_can_go_in_again() {
    let here = with_frames("4");
    let once = stream(&here, &[], &here.bytes("walk.ndjson")).done();
    let twice = stream(&here, &[], once.stdout.as_bytes()).done();
    let (once, twice) = (lines(&once.stdout), lines(&twice.stdout));
    assert_eq!(once.len(), twice.len());
    assert_eq!(once[0], twice[0]);
}

#[test]
fn legs_and_floor_may_be_left_to_be_found() {
    let here = with_frames("4");
    let text = here.text("walk.ndjson");
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    header.as_object_mut().unwrap().retain(|key, _| matches!(key.as_str(), "surefoot" | "fps" | "joints"));
    let bare = format!("{header}\n{rest}");
    let out = lines(&stream(&here, &[], bare.as_bytes()).done().stdout);
    let sides: Vec<&Value> = out[0]["legs"].as_array().unwrap().iter().map(|leg| &leg["side"]).collect();
    assert_eq!(sides, ["left", "right"]);
    assert_eq!(out[0]["floor"], json!({"normal": [0.0, 1.0, 0.0], "offset_m": 0.0}));
    assert_eq!(out[0]["legs"][0]["hip"], "LeftUpLeg");
    assert_eq!(out.last().unwrap()["end"]["frames"], json!(121));

    // The same from a file: then the header is next to nothing.
    let bare = format!("{{\"surefoot\":\"stream/1\"}}\n{rest}");
    let out = stream(&here, &["--skeleton", "walk.bvh"], bare.as_bytes()).done();
    let whole = stream(&here, &[], text.as_bytes()).done();
    let (out, whole) = (lines(&out.stdout), lines(&whole.stdout));
    assert_eq!(out[0]["legs"], whole[0]["legs"]);
    assert_eq!(out[1..], whole[1..]);
    stream(&here, &["--skeleton", "walk.bvh"], text.as_bytes()).refused("--skeleton states them too");
    stream(&here, &["--floor", "0"], text.as_bytes())
        .refused("--floor states a fact about the file of --skeleton");
}

#[test]
fn flags_win_over_the_header_and_all_is_declared() {
    let here = with_frames("4");
    let text = here.text("walk.ndjson");
    let wants = text.replacen(
        "\"fps\"",
        "\"settings\":{\"stretch\":0.01,\"roll\":\"flat\",\"spots\":0.1},\"fps\"",
        1,
    );
    let declared =
        |args: &[&str], text: &str| lines(&stream(&here, args, text.as_bytes()).done().stdout)[0].clone();
    let settings = &declared(&[], &wants)["settings"];
    assert_eq!(settings["stretch"], json!(0.01));
    assert_eq!((&settings["roll"], &settings["spots"]), (&json!("flat"), &json!(0.1)));
    let settings = &declared(&["--stretch", "0", "--preset", "clean"], &wants)["settings"];
    assert_eq!((&settings["stretch"], &settings["roll"]), (&json!(0.0), &json!("flat")));
    assert_eq!((&settings["whole_plants"], settings.get("spots")), (&json!(true), None));
    let start = text.find("\"longest_plant\"").unwrap();
    let end = start + text[start..].find(',').unwrap() + 1;
    let unsaid = format!("{}{}", &text[..start], &text[end..]);
    stream(&here, &["--preset", "clean"], unsaid.as_bytes()).refused("\"longest_plant\" is missing");
    let endless = wants.replacen("0.1}", "1e9}", 1);
    let endless = endless.replacen(&text[start..end], "", 1);
    stream(&here, &[], endless.as_bytes()).refused("joints in memory, expected no more than 4000000");
}

#[test]
fn a_new_file_holds_the_same_motion() {
    let here = with_frames("4");
    here.run(&["convert", "walk.ndjson", "new.bvh"]).done();
    let read = |name| surefoot_formats::bvh::Bvh::read(here.bytes(name)).unwrap();
    let space = surefoot_formats::Space { unit_m: 0.01, ..surefoot_formats::Space::METRES_Y_UP };
    let (a, b) = (read("walk.bvh").motion(&space), read("new.bvh").motion(&space));
    assert_eq!(a.frames(), b.frames());
    for (one, other) in a.poses.iter().zip(&b.poses) {
        let (one, other) = (one.world(&a.skeleton), other.world(&b.skeleton));
        assert!(one.positions.iter().zip(&other.positions).all(|(one, other)| one.distance(*other) < 1e-6));
    }
    // A stream without its end may be cut, and is no file.
    let text = here.text("walk.ndjson");
    let cut = &text[..text.rfind("{\"end\"").unwrap()];
    here.run_with_stdin(&["convert", "-", "cut.bvh"], cut.as_bytes())
        .refused("no end record after 121 frames");
    here.run_with_stdin(&["convert", "-", "x.bvh", "--like", "walk.bvh"], &here.bytes("walk.bvh"))
        .refused("--like needs a stream");
    assert_eq!(here.names(), ["new.bvh", "walk.bvh", "walk.ndjson", "walk.plants.json"]);
}

#[test]
fn the_form_is_as_it_came_unless_asked() {
    let here = with_frames("4");
    let binary = piped(&here, &["convert", "walk.bvh", "-", "--to", "binary"], b"");
    for (args, form) in
        [(&["stream"][..], Encoding::Binary), (&["stream", "--to", "ndjson"], Encoding::Ndjson)]
    {
        let out = piped(&here, args, &binary);
        assert_eq!(Reader::begin(&out[..]).unwrap().0.encoding(), form);
    }
}
