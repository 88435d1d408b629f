//! The end of a `stream`: complete, truncated or invalid input, and slow or closed readers.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use super::stream::{lines, stream, with_frames};
use super::test_folder::TestFolder;

/// Streams invalid input and checks exit code, message, and that all frames before the error are written.
#[track_caller]
fn check_invalid(folder: &TestFolder, stdin: &str, message: &str, frames: usize) {
    let outcome = stream(folder, &[], stdin.as_bytes());
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    assert!(outcome.stderr.starts_with("error: stdin: "), "{}", outcome.stderr);
    assert!(outcome.stderr.contains(message), "expected {message:?} in {}", outcome.stderr);
    let out = lines(&outcome.stdout);
    assert_eq!(out.len(), 1 + frames);
    for (n, frame) in out[1..].iter().enumerate() {
        assert_eq!(frame["frame"], json!(n));
    }
    // The frames are those of a stream that ends before the error.
    let whole: String = stdin.lines().take(1 + frames).map(|line| format!("{line}\n")).collect();
    let alone = lines(&stream(folder, &[], whole.as_bytes()).expect_success().stdout);
    assert_eq!(alone[..1 + frames], out[..]);
    assert_eq!(alone[1 + frames]["end"]["frames"], json!(frames));
}

#[test]
fn truncated_or_invalid_input_gives_all_frames_before_the_error_and_no_end_record() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let whole = |lines: usize| &text[..ends[lines - 1]];
    let cut = &text[..ends[50] + 100];
    check_invalid(&folder, cut, "line 52: frame 50: the input ends inside this record, after 100 bytes", 50);
    check_invalid(
        &folder,
        &format!("{}nonsense\n", whole(11)),
        "line 12: frame 10: \"frame\" is nonsense",
        10,
    );
    let twice = format!("{}{}", whole(61), &text[ends[59]..ends[60]]);
    check_invalid(&folder, &twice, "line 62: frame 60: the frame number is 59, expected 60", 60);
    let first = format!("{}{{\"frame\":0}}\n", whole(1));
    check_invalid(&folder, &first, "line 2: frame 0: \"root\" is missing", 0);
    let unheld = format!("{}{}", whole(1), text[ends[0]..].replacen("\"held\"", "\"hold\"", 1));
    check_invalid(&folder, &unheld, "unknown field `hold`", 0);
}

#[test]
fn an_invalid_header_gives_no_output() {
    let folder = with_frames("4");
    stream(&folder, &[], b"").expect_error("the input is empty, expected a header");
    stream(&folder, &[], &folder.bytes("walk.bvh")).expect_error("surefoot convert walk.bvh - --to ndjson");
    stream(&folder, &[], b"{\"surefoot\":\"stream/1\"}\n").expect_error("\"joints\" is missing");
    let text = folder.text("walk.ndjson");
    stream(&folder, &[], &text.as_bytes()[..500]).expect_error("header: the input ends inside this record");
    let one = r#"{"surefoot":"stream/1","fps":30,"joints":[{"name":"a","parent":null,"offset":[0,0,0]}]}"#;
    stream(&folder, &[], one.as_bytes()).expect_error("no legs were found in the skeleton");
    let backwards = text.replacen("\"knee\":\"LeftLeg\"", "\"knee\":\"RightLeg\"", 1);
    stream(&folder, &[], backwards.as_bytes()).expect_error("the knee is not below the hip");
}

#[test]
fn a_stream_without_frames_is_valid() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let header = text.lines().next().unwrap();
    let out = lines(&stream(&folder, &[], header.as_bytes()).expect_success().stdout);
    assert_eq!(out.len(), 2);
    assert_eq!(out[1]["end"]["frames"], json!(0));
}

#[test]
fn an_end_record_ends_the_stream_while_the_pipe_is_open() {
    let folder = with_frames("4");
    let mut command = folder.command(&["stream"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let frames = folder.bytes("walk.ndjson");
    // The thread returns the pipe, so that it stays open.
    let writer =
        std::thread::spawn(move || input.write_all(&frames).and_then(|()| input.flush()).map(|()| input));
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(lines(&out).len(), 123);
    drop(writer.join().unwrap());
}

#[test]
fn a_closed_output_ends_the_stream_with_an_error() {
    let folder = with_frames("20");
    let mut command = folder.command(&["stream"]);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let frames = folder.bytes("walk.ndjson");
    // The write fails when the command ends before it has read all its input.
    let writer = std::thread::spawn(move || input.write_all(&frames));
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

/// Starts a command and sends it up to `most` frames. Also returns the number of frames sent so far.
fn send_frames(
    command: &mut Command,
    folder: &TestFolder,
    most: usize,
) -> (std::process::Child, Arc<AtomicUsize>) {
    let text = folder.text("walk.ndjson");
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_owned();
    let frame = lines.next().unwrap().split_once(',').unwrap().1.to_owned();
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    std::thread::spawn(move || {
        writeln!(input, "{header}").unwrap();
        for number in 0..most {
            if writeln!(input, "{{\"frame\":{number},{frame}").is_err() {
                return;
            }
            count.store(number + 1, Ordering::SeqCst);
        }
    });
    (child, sent)
}

/// The command does not buffer more than its windows while its output is not read.
#[test]
fn a_slow_reader_blocks_the_writer_and_no_frame_is_lost() {
    const FRAMES: usize = 5000;
    let folder = with_frames("4");
    let (mut child, sent) = send_frames(&mut folder.command(&["stream"]), &folder, FRAMES);
    let mut before = usize::MAX;
    // Waits until the command stops reading. Without back pressure it would read all frames.
    loop {
        std::thread::sleep(Duration::from_millis(300));
        let now = sent.load(Ordering::SeqCst);
        if now > 0 && now == before {
            break;
        }
        before = now;
    }
    assert!(before < FRAMES / 2, "{before} frames were read while the output was not");
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

#[test]
fn the_example_in_the_docs_works() {
    let docs = include_str!("../../../../book/src/formats/stream.md");
    let example = docs.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = with_frames("4");
    folder.write("example.py", example);
    let built = std::path::Path::new(env!("CARGO_BIN_EXE_surefoot")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path =
        std::env::join_paths([built.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let mut python = Command::new("python3");
    python.arg("example.py").arg("walk.bvh").current_dir(folder.path("")).env("PATH", path);
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
