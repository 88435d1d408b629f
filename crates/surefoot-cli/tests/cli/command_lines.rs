//! Random command lines: every command with flags from its help and odd values, on sound and damaged files.
//!
//! A run ends with one of the exit codes 0, 1 and 2, without a panic, within the memory and time of any other run. The
//! lines are the same in every test run; `SUREFOOT_FUZZ_RUNS` and `SUREFOOT_FUZZ_SEED` ask for more and for others.
#![cfg(target_os = "linux")]

use std::process::Command;
use std::time::{Duration, Instant};

use super::test_folder::TestFolder;

/// Commands that end by themselves and write into the folder, with their inputs.
const COMMANDS: [&[&str]; 15] = [
    &["inspect", "F"],
    &["detect", "F"],
    &["clean", "F"],
    &["measure", "F"],
    &["plot", "F"],
    &["reach", "F", "--goals", "goals.json"],
    &["retarget", "F", "--to", "F"],
    &["follow", "F"],
    &["join", "F", "F"],
    &["blend", "F", "F"],
    &["loop", "F"],
    &["convert", "F", "out.bvh"],
    &["sample", "walk"],
    &["batch", "corpus", "-o", "batch"],
    &["stream"],
];

const VALUES: [&str; 40] = [
    "0",
    "1",
    "-1",
    "1e9",
    "-1e9",
    "1e-9",
    "1e308",
    "nan",
    "inf",
    "18446744073709551615",
    "3%",
    "1000000%",
    "2cm",
    "-2cm",
    "1e6m",
    "0.5s",
    "1e5s",
    "90deg",
    "1e9deg",
    "auto",
    "none",
    "level",
    "plants",
    "whole",
    "unlimited",
    "x",
    "-y",
    "cm",
    "left",
    "0..10cm",
    "0-3",
    "3-1",
    "walk.bvh",
    "floor.obj",
    "rig.toml",
    "goals.json",
    "",
    "-",
    "é\u{301}",
    "M 0 0 L 0 9",
];

const FILES: [&str; 7] =
    ["walk.bvh", "tiny.bvh", "empty.bvh", "cut.bvh", "noise.bvh", "still.bvh", "walk.glb"];

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % count
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

/// The flags of a command, each with whether it takes a value.
fn flags(folder: &TestFolder, command: &str) -> Vec<(String, bool)> {
    let help = folder.run(&[command, "--help"]).expect_success().stdout;
    let lines = help.lines().map(str::trim_start).filter_map(|line| line.split_once("--"));
    let lines = lines.filter(|(before, _)| before.is_empty() || before.starts_with('-'));
    let flag = |(_, text): (&str, &str)| {
        let name = text.split([' ', '[', '=', ',']).next().unwrap_or_default();
        (format!("--{name}"), text.contains('<'))
    };
    lines.map(flag).filter(|(name, _)| !["--help", "--version", "--"].contains(&name.as_str())).collect()
}

fn prepare() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "4", "--fps", "30"]).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.glb"]).expect_success();
    let walk = folder.text("walk.bvh");
    let (hierarchy, motion) = walk.split_once("MOTION").unwrap();
    let rows: Vec<&str> = motion.lines().skip(3).collect();
    let with_rows = |rows: &[&str]| {
        format!("{hierarchy}MOTION\nFrames: {}\nFrame Time: 0.0333\n{}\n", rows.len(), rows.join("\n"))
    };
    folder.write("tiny.bvh", &with_rows(&rows[..1]));
    folder.write("empty.bvh", &with_rows(&[]));
    folder.write("cut.bvh", &walk[..walk.len() / 2]);
    folder.write("still.bvh", &with_rows(&[rows[0]; 90]));
    folder.write("noise.bvh", &with_rows(&rows[..60]).replace(" 0.", " 170."));
    folder.write("floor.obj", "v -9 0 -9\nv -9 0 9\nv 9 0.2 9\nv 9 0 -9\nf 1 2 3 4\n");
    folder.run(&["inspect", "walk.bvh", "--rig-out", "rig.toml"]).expect_success();
    let goal = "{\"frame\": 13, \"joint\": \"LeftHand\", \"position\": [0.41, 1.32, 0.55]}";
    folder.write("goals.json", &format!("{{\"surefoot\": \"goals/1\", \"goals\": [{goal}]}}"));
    std::fs::create_dir(folder.path("corpus")).unwrap();
    for name in ["walk.bvh", "cut.bvh"] {
        std::fs::copy(folder.path(name), folder.path("corpus").join(name)).unwrap();
    }
    folder
}

fn command_line(random: &mut Random, flags: &[Vec<(String, bool)>]) -> Vec<String> {
    let at = random.below(COMMANDS.len());
    let mut args: Vec<String> = COMMANDS[at]
        .iter()
        .map(|word| if *word == "F" { random.pick(&FILES).to_owned() } else { (*word).to_owned() })
        .collect();
    for _ in 0..random.below(5) {
        let (flag, takes_value) = &flags[at][random.below(flags[at].len())];
        match takes_value {
            true => args.push(format!("{flag}={}", random.pick(&VALUES))),
            false => args.push(flag.clone()),
        }
    }
    args.push("--force".into());
    args
}

#[test]
fn no_command_line_ends_in_a_panic_or_takes_more_than_its_memory_and_time() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let runs: usize = number("SUREFOOT_FUZZ_RUNS").map_or(250, |runs: u64| runs as usize);
    let mut random = Random(number("SUREFOOT_FUZZ_SEED").unwrap_or(20_261_118) | 1);
    let program =
        std::env::var("SUREFOOT_FUZZ_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_surefoot").into());
    let folder = prepare();
    let flags: Vec<Vec<(String, bool)>> = COMMANDS.iter().map(|command| flags(&folder, command[0])).collect();
    assert!(flags.iter().all(|flags| flags.len() > 2), "{flags:?}");
    let mut codes = [0; 3];
    for n in 0..runs {
        let args = command_line(&mut random, &flags);
        let started = Instant::now();
        // Far below a gigabyte of memory and 20 s of processor time, whatever the values are.
        let limits = "ulimit -v 1500000; ulimit -t 20; exec \"$0\" \"$@\"";
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(limits).arg(&program).args(&args).current_dir(folder.path("."));
        let output = shell.stdin(std::process::Stdio::null()).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().filter(|code| (0..3).contains(code));
        let is_fine = code.is_some() && !stderr.contains("panicked") && !stderr.contains("bug in surefoot");
        assert!(is_fine, "run {n}: surefoot {args:?}: {:?}\n{stderr}", output.status);
        assert!(started.elapsed() < Duration::from_secs(120), "run {n}: surefoot {args:?}");
        codes[code.unwrap_or(0) as usize] += 1;
    }
    // Neither are all lines refused, nor do all succeed.
    assert!(codes[0] * 20 > runs && codes[2] * 20 > runs, "{codes:?}");
}

/// Command lines that made earlier versions fail.
#[test]
fn kept_command_lines_do_not_end_in_a_panic() {
    let folder = prepare();
    let frames = folder.run(&["loop", "empty.bvh", "--frames=0-3", "--force"]);
    frames.expect_error("--frames 0-3, but empty.bvh has no frames");
    let unit = folder.run(&["join", "walk.bvh", "noise.bvh", "--unit=1e308", "--force"]);
    unit.expect_error("expected a unit from 1e-30 to 1e30 m");
}
