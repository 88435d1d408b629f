//! Long runs: a stream of many frames, a batch of many files and a studio session of many edits, with their memory over
//! time.
//!
//! Memory has to stay flat, and the results have to be those of a short run. The sizes are moderate by default; with
//! `SUREFOOT_LONG_FRAMES=10000000 SUREFOOT_LONG_FILES=10000 SUREFOOT_LONG_EDITS=100000` the runs take an hour. 0 leaves
//! one of them out.

use std::fs;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use surefoot_fuzz::mutate::Random;
use surefoot_fuzz::plant_edits::edits;
use surefoot_fuzz::targets::session::clean_request;
use surefoot_sample::{Recipe, Skate, make};
use surefoot_studio::Session;

const PROGRAM: &str = env!("CARGO_BIN_EXE_surefoot");

/// Frames of the walk that is repeated: a multiple of the cells of frames in which a stream solves for the root.
const PERIOD: usize = 360;

/// Memory readings over a run.
const READINGS: usize = 10;

fn main() {
    let number =
        |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let folder = std::env::temp_dir().join(format!("surefoot-long-runs-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    let unless_0 = |number: usize, run: &dyn Fn(usize)| {
        if number > 0 {
            run(number)
        }
    };
    unless_0(number("SUREFOOT_LONG_EDITS", 2000), &|edits| session(edits.max(READINGS)));
    unless_0(number("SUREFOOT_LONG_FRAMES", 100_000), &|frames| stream(&folder, frames.max(4 * PERIOD)));
    unless_0(number("SUREFOOT_LONG_FILES", 200), &|files| batch(&folder, files));
    let _ = fs::remove_dir_all(&folder);
}

fn surefoot(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(args).current_dir(folder).stderr(Stdio::null());
    command
}

fn run(folder: &Path, args: &[&str]) {
    let status = surefoot(folder, args).stdout(Stdio::null()).status().expect("the command starts");
    assert!(status.success(), "{args:?}");
}

/// The memory that a process has now, and the most it had, in megabytes; 0 where the system does not tell.
fn memory(process: u32, key: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Cleans a walk that is repeated without end, and compares an early repetition with the last.
fn stream(folder: &Path, frames: usize) {
    run(folder, &["sample", "walk", "-o", "walk.bvh", "--seconds", "6", "--fps", "60", "--force"]);
    run(folder, &["convert", "walk.bvh", "walk.ndjson", "--force"]);
    let text = fs::read_to_string(folder.join("walk.ndjson")).expect("the stream");
    let (header, rest) = text.split_once('\n').expect("a header");
    let period: Vec<String> = rest.lines().take(PERIOD).map(without_number).collect();
    assert_eq!(period.len(), PERIOD);
    let mut child = surefoot(folder, &["stream"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let (stdin, stdout) = (child.stdin.take().expect("stdin"), child.stdout.take().expect("stdout"));
    let started = Instant::now();
    let reader = std::thread::spawn(move || read_periods(BufReader::new(stdout), frames));
    let mut writer = BufWriter::new(stdin);
    writeln!(writer, "{header}").expect("a header is written");
    let mut readings = Vec::new();
    for frame in 0..frames {
        let body = with_plant_numbers(&period[frame % PERIOD], frame / PERIOD);
        writeln!(writer, "{{\"frame\":{frame}{body}").expect("a frame is written");
        if frame % (frames / READINGS) == frames / READINGS - 1 {
            readings.push(memory(child.id(), "VmRSS"));
        }
    }
    drop(writer);
    let (count, is_same) = reader.join().expect("frames are read");
    assert!(child.wait().expect("the command ends").success());
    println!("stream of {frames} frames: {:.0} s, {count} frames out", started.elapsed().as_secs_f64());
    println!(
        "  memory over time, MB: {readings:?}; the last repetition is the second, bit for bit: {is_same}"
    );
}

/// A frame without its number.
fn without_number(line: &str) -> String {
    line.split_once(',').map_or(String::new(), |(_, rest)| format!(",{rest}"))
}

/// A frame whose plants have the numbers of a repetition of their own.
fn with_plant_numbers(line: &str, repetition: usize) -> String {
    let Some((before, held)) = line.split_once("\"held\":") else { return line.to_owned() };
    let mut parts = held.split_inclusive("\":").map(str::to_owned).collect::<Vec<String>>();
    for part in &mut parts {
        let digits = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
        if let Ok(number) = part[..digits].parse::<usize>() {
            *part = format!("{}{}", number + 1000 * repetition, &part[digits..]);
        }
    }
    format!("{before}\"held\":{}", parts.concat())
}

/// The number of frames, and whether the second repetition equals the last complete one but one.
fn read_periods(reader: impl BufRead, frames: usize) -> (usize, bool) {
    let last = frames / PERIOD - 2;
    let (mut second, mut late, mut count) = (Vec::new(), Vec::new(), 0);
    for line in reader.lines().map_while(Result::ok).filter(|line| line.starts_with("{\"frame\"")) {
        let pose = || without_number(line.split("\"held\"").next().unwrap_or(&line));
        match count / PERIOD {
            1 => second.push(pose()),
            repetition if repetition == last => late.push(pose()),
            _ => {}
        }
        count += 1;
    }
    let poses = |list: &[String]| list.iter().map(|pose| without_number(pose)).collect::<Vec<_>>();
    (count, poses(&second) == poses(&late))
}

/// Edits the plants of the sample walk in a studio session, and compares the result with that of a new session.
fn session(count: usize) {
    let mut open = b"{\"kind\":\"open\",\"name\":\"walk.bvh\"}\n".to_vec();
    open.extend(Session::default().call(b"{\"kind\":\"sample\"}\n").expect("the sample walk"));
    let call = |session: &mut Session, request: &[u8]| session.call(request).expect("an answer");
    let mut session = Session::default();
    let about: serde_json::Value = serde_json::from_slice(&call(&mut session, &open)).expect("JSON");
    let frames = about["frames"].as_u64().expect("a number of frames") as usize;
    let recipe = Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() };
    let stated = make(&recipe).expect("the sample walk").plants;
    let (mut plants, mut random, mut readings) = (stated.clone(), Random::new(24), Vec::new());
    let started = Instant::now();
    for n in 0..count {
        let bytes: Vec<u8> = (0..6).map(|_| random.below(256) as u8).collect();
        edits(&bytes).into_iter().for_each(|edit| edit.apply(&mut plants, 2, frames));
        call(&mut session, &clean_request(&plants));
        if plants.plants.len() < stated.plants.len() / 2 {
            plants = stated.clone();
        }
        if n % 100 == 0 {
            call(&mut session, b"{\"kind\":\"figures\"}\n");
        }
        if n % 1000 == 999 {
            call(&mut session, &open);
        }
        if n % (count / READINGS) == count / READINGS - 1 {
            readings.push(memory(std::process::id(), "VmRSS"));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let mut fresh = Session::default();
    call(&mut fresh, &open);
    let write = |session: &mut Session| {
        call(session, &clean_request(&plants));
        call(session, b"{\"kind\":\"write\",\"output\":\"motion\"}\n")
    };
    let is_same = write(&mut session) == write(&mut fresh);
    println!("studio session of {count} edits: {seconds:.0} s, {} plants at the end", plants.plants.len());
    println!(
        "  memory over time, MB: {readings:?}; the motion is that of a new session, byte for byte: {is_same}"
    );
}

/// Cleans many copies of a file, and compares all results.
fn batch(folder: &Path, files: usize) {
    let corpus = folder.join("corpus");
    fs::create_dir_all(&corpus).expect("a folder");
    run(folder, &["sample", "walk", "-o", "small.bvh", "--seconds", "4", "--fps", "15", "--force"]);
    let walk = fs::read(folder.join("small.bvh")).expect("the walk");
    for n in 0..files {
        fs::write(corpus.join(format!("{n}.bvh")), &walk).expect("a copy");
    }
    let started = Instant::now();
    let mut child = surefoot(folder, &["batch", "corpus", "-o", "out", "--jobs", "2"])
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let mut readings = Vec::new();
    while child.try_wait().expect("the command runs").is_none() {
        readings.push(memory(child.id(), "VmRSS"));
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    let step = readings.len().div_ceil(READINGS).max(1);
    let readings: Vec<u64> = readings.into_iter().step_by(step).collect();
    println!("batch of {files} files: {:.0} s", started.elapsed().as_secs_f64());
    run(folder, &["clean", "small.bvh", "-o", "alone.bvh", "--force"]);
    let alone = fs::read(folder.join("alone.bvh")).expect("the file cleaned alone");
    let cleaned = |n: usize| ["clean.bvh", "bvh"].map(|ending| folder.join(format!("out/{n}.{ending}")));
    let is_same =
        |n: usize| cleaned(n).iter().find_map(|path| fs::read(path).ok()).is_some_and(|bytes| bytes == alone);
    let same = (0..files).filter(|&n| is_same(n)).count();
    println!("  memory over time, MB: {readings:?}; {same} results equal that of a single run");
}
