//! How a `stream` ends: whole, cut, wrong, with a reader that is slow or gone.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::here::Here;
use super::stream::{lines, stream, with_frames};

/// Streams something wrong: exit code 2, what is said, and every whole frame before it.
#[track_caller]
fn check_wrong(here: &Here, stdin: &str, said: &str, frames: usize) {
    let ended = stream(here, &[], stdin.as_bytes());
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error: stdin: "), "{}", ended.stderr);
    assert!(ended.stderr.contains(said), "expected {said:?} in {}", ended.stderr);
    let out = lines(&ended.stdout);
    assert_eq!(out.len(), 1 + frames);
    for (n, frame) in out[1..].iter().enumerate() {
        assert_eq!(frame["frame"], json!(n));
    }
    // As a motion that ends there: nothing is made of what is wrong.
    let whole: String = stdin.lines().take(1 + frames).map(|line| format!("{line}\n")).collect();
    let alone = lines(&stream(here, &[], whole.as_bytes()).done().stdout);
    assert_eq!(alone[..1 + frames], out[..]);
    assert_eq!(alone[1 + frames]["end"]["frames"], json!(frames));
}

#[test]
fn cut_or_wrong_input_gives_all_frames_before_it_and_no_end() {
    let here = with_frames("4");
    let text = here.text("walk.ndjson");
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let whole = |lines: usize| &text[..ends[lines - 1]];
    let cut = &text[..ends[50] + 100];
    check_wrong(&here, cut, "line 52: frame 50: the input ends inside this record, after 100 bytes", 50);
    check_wrong(&here, &format!("{}nonsense\n", whole(11)), "line 12: frame 10: \"frame\" is nonsense", 10);
    let twice = format!("{}{}", whole(61), &text[ends[59]..ends[60]]);
    check_wrong(&here, &twice, "line 62: frame 60: the frame number is 59, expected 60", 60);
    let first = format!("{}{{\"frame\":0}}\n", whole(1));
    check_wrong(&here, &first, "line 2: frame 0: \"root\" is missing", 0);
    let unheld = format!("{}{}", whole(1), text[ends[0]..].replacen("\"held\"", "\"hold\"", 1));
    check_wrong(&here, &unheld, "unknown field `hold`", 0);
}

#[test]
fn a_wrong_header_gives_nothing() {
    let here = with_frames("4");
    stream(&here, &[], b"").refused("the input is empty, expected a header");
    stream(&here, &[], &here.bytes("walk.bvh")).refused("surefoot convert walk.bvh - --to ndjson");
    stream(&here, &[], b"{\"surefoot\":\"stream/1\"}\n").refused("\"joints\" is missing");
    let text = here.text("walk.ndjson");
    stream(&here, &[], &text.as_bytes()[..500]).refused("header: the input ends inside this record");
    let one = r#"{"surefoot":"stream/1","fps":30,"joints":[{"name":"a","parent":null,"offset":[0,0,0]}]}"#;
    stream(&here, &[], one.as_bytes()).refused("no legs were found in the skeleton");
    let backwards = text.replacen("\"knee\":\"LeftLeg\"", "\"knee\":\"RightLeg\"", 1);
    stream(&here, &[], backwards.as_bytes()).refused("the knee is not below the hip");
}

#[test]
fn no_frames_are_no_mistake() {
    let here = with_frames("4");
    let text = here.text("walk.ndjson");
    let header = text.lines().next().unwrap();
    let out = lines(&stream(&here, &[], header.as_bytes()).done().stdout);
    assert_eq!(out.len(), 2);
    assert_eq!(out[1]["end"]["frames"], json!(0));
}

#[test]
fn an_end_that_is_said_ends_it_with_the_pipe_still_open() {
    let here = with_frames("4");
    let mut command = here.command(&["stream"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let frames = here.bytes("walk.ndjson");
    // The pipe comes back still open.
    let writer = std::thread::spawn(move || to.write_all(&frames).and_then(|()| to.flush()).map(|()| to));
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(lines(&out).len(), 123);
    drop(writer.join().unwrap());
}

#[test]
fn a_reader_that_goes_away_ends_it_with_a_word() {
    let here = with_frames("20");
    let mut command = here.command(&["stream"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let frames = here.bytes("walk.ndjson");
    // The pipe to it breaks when it ends, before all is written.
    let writer = std::thread::spawn(move || to.write_all(&frames));
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    for _ in 0..3 {
        line.clear();
        from.read_line(&mut line).unwrap();
    }
    drop(from);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    assert!(stderr.starts_with("error: the reader of stdout closed it after frame "), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    let _ = writer.join().unwrap();
}

/// Frames without end, until whoever takes them has had enough; how many bytes it took.
fn pour(command: &mut Command, here: &Here, most: usize) -> (std::process::Child, Arc<AtomicUsize>) {
    let text = here.text("walk.ndjson");
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_owned();
    let frame = lines.next().unwrap().split_once(',').unwrap().1.to_owned();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let count = taken.clone();
    std::thread::spawn(move || {
        writeln!(to, "{header}").unwrap();
        for number in 0..most {
            if writeln!(to, "{{\"frame\":{number},{frame}").is_err() {
                return;
            }
            count.store(number + 1, Ordering::SeqCst);
        }
    });
    (child, taken)
}

/// Whoever reads slowly slows down whoever writes; nothing piles up in between.
#[test]
fn a_slow_reader_stops_the_writer_and_loses_nothing() {
    const FRAMES: usize = 5000;
    let here = with_frames("4");
    let (mut child, taken) = pour(&mut here.command(&["stream"]), &here, FRAMES);
    let mut before = usize::MAX;
    // Until nothing moves any more. Were it to read on for ever, all frames would be taken.
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let now = taken.load(Ordering::SeqCst);
        if now > 0 && now == before {
            break;
        }
        before = now;
    }
    assert!(before < FRAMES / 2, "{before} frames were taken though nobody read");
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        let kilobytes: usize = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert!(kilobytes < 100_000, "{line}");
    }
    let from = BufReader::new(child.stdout.take().unwrap());
    let frames = from.lines().filter(|line| line.as_ref().unwrap().starts_with("{\"frame\"")).count();
    assert_eq!(frames, FRAMES);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The example in the docs runs as it stands there.
#[test]
fn the_example_in_the_docs_works() {
    let docs = include_str!("../../../../book/src/formats/stream.md");
    let example = docs.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let here = with_frames("4");
    here.put("example.py", example);
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_surefoot")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut python = Command::new("python3");
    python.arg("example.py").arg("walk.bvh").current_dir(here.path("")).env("PATH", path);
    match python.output() {
        Err(error) => {
            println!("SKIPPED: the Python example in book/src/formats/stream.md was not run: {error}")
        }
        Ok(output) => {
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{stderr}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("121 frames"), "{output:?}");
        }
    }
}
