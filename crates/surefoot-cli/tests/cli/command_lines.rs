//! Random command lines on sound and damaged files of every format, kills and hostile requests, a few of each.
//!
//! The same as `cargo xtask abuse` runs by the thousand. They are the same in every test run; `SUREFOOT_FUZZ_RUNS` and
//! `SUREFOOT_FUZZ_SEED` ask for more and for others.
#![cfg(target_os = "linux")]

use std::path::Path;

use surefoot_fuzz::abuse::{Commands, Inputs, kill_batch, kill_clean, run, send_hostile_requests};
use surefoot_fuzz::mutate::Random;

use super::test_folder::TestFolder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_surefoot");

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seed() -> u64 {
    number("SUREFOOT_FUZZ_SEED").unwrap_or(20_261_118)
}

#[test]
fn no_command_line_ends_in_a_panic_or_takes_more_than_its_memory_and_time() {
    let runs = number("SUREFOOT_FUZZ_RUNS").unwrap_or(250);
    let (folder, scratch) = (TestFolder::new(), TestFolder::new());
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let program = Path::new(PROGRAM);
    let inputs = Inputs::prepare(program, &folder.path("."), &seeds).unwrap();
    let commands = Commands::of_program(program).unwrap();
    let (mut random, mut codes) = (Random::new(seed()), [0; 3]);
    for n in 0..runs {
        let line = commands.line(&inputs, &mut random);
        let outcome = run(program, &inputs, &line, &scratch.path(".")).unwrap();
        let args = &line.args;
        assert_eq!(outcome.fault, None, "run {n}: surefoot {args:?}\n{}", outcome.stderr);
        codes[outcome.code.unwrap_or(0) as usize] += 1;
        inputs.restore().unwrap();
    }
    // Neither are all lines refused, nor do all succeed.
    assert!(codes[0] * 10 > runs && codes[2] * 20 > runs, "{codes:?}");
}

#[test]
fn kills_leave_old_or_new_outputs_and_a_batch_continues() {
    let mut random = Random::new(seed());
    let (cleaned, batch) = (TestFolder::new(), TestFolder::new());
    let counts = kill_clean(Path::new(PROGRAM), &cleaned.path("."), 40, &mut random).unwrap();
    assert!(counts.old > 0, "no run was ended before its outputs were complete");
    let counts = kill_batch(Path::new(PROGRAM), &batch.path("."), 8, &mut random).unwrap();
    assert!(counts.old > 0, "no batch was ended before it was complete");
}

#[test]
fn hostile_requests_neither_stop_the_studio_nor_read_or_change_files() {
    let folder = TestFolder::new();
    let counts =
        send_hostile_requests(Path::new(PROGRAM), &folder.path("."), 60, &mut Random::new(seed())).unwrap();
    assert!(counts.accepted > 0 && counts.refused > counts.accepted, "{counts:?}");
}

/// Command lines that made earlier versions fail.
#[test]
fn kept_command_lines_do_not_end_in_a_panic() {
    let folder = TestFolder::with_walk();
    let walk = folder.text("walk.bvh");
    let (hierarchy, _) = walk.split_once("MOTION").unwrap();
    folder.write("empty.bvh", &format!("{hierarchy}MOTION\nFrames: 0\nFrame Time: 0.0333\n"));
    let frames = folder.run(&["loop", "empty.bvh", "--frames=0-3", "--force"]);
    frames.expect_error("--frames 0-3, but empty.bvh has no frames");
    let unit = folder.run(&["join", "walk.bvh", "walk.bvh", "--unit=1e308", "--force"]);
    unit.expect_error("expected a unit from 1e-30 to 1e30 m");
}
