//! Every command takes at most 12 times the files it reads and writes and 64 MB for each motion, or refuses the file.
//!
//! The shell limits the address space of the command, so that a command that needs more is stopped.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::process::Command;

use super::test_folder::TestFolder;

const MEGABYTE: u64 = 1 << 20;

/// Runs the command with the promised memory for `motions` motions. The files that it reads, and overwrites, exist.
fn run_within_bound(folder: &TestFolder, args: &[&str], motions: u64) -> std::process::Output {
    let program = env!("CARGO_BIN_EXE_surefoot");
    let size = |name: &str| std::fs::metadata(folder.path(name)).map_or(0, |metadata| metadata.len());
    let files: u64 = args.iter().map(|arg| size(arg)).sum();
    // The program itself, its libraries and stacks are mapped as well.
    let mapped = std::fs::metadata(program).unwrap().len() + 24 * MEGABYTE;
    let bound = 12 * files + motions * 64 * MEGABYTE + mapped;
    let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", bound / 1024);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(limit).arg(program).args(args).current_dir(folder.path("."));
    shell.output().unwrap()
}

#[track_caller]
fn check_commands(folder: &TestFolder, file: &str, expected: Option<&str>) {
    for (command, motions) in [
        ("inspect F", 1),
        ("detect F -o out.json", 1),
        ("clean F -o out.bvh --report out.html", 1),
        ("measure F", 1),
        ("plot F -o out.svg", 1),
        ("loop F -o out.bvh", 1),
        ("follow F --turn 90deg -o out.bvh", 1),
        ("convert F out.bvh --to-fps 25", 1),
        ("convert F out.glb", 1),
        ("convert F out.ndjson", 1),
        ("join F F -o out.bvh", 2),
        ("blend F F --weight 0.5 -o out.bvh", 2),
        ("retarget F --to F -o out.bvh", 2),
    ] {
        let force = if command.contains("out.") { " --force" } else { "" };
        let command = format!("{command}{force}");
        let args: Vec<&str> = command.split(' ').map(|word| if word == "F" { file } else { word }).collect();
        // Makes the output files, whose sizes are part of the bound.
        folder.run(&args);
        let output = run_within_bound(folder, &args, motions);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0..=2)), "{args:?}: {:?} {stderr}", output.status);
        if let Some(expected) = expected {
            assert!(output.status.code() == Some(2) && stderr.contains(expected), "{args:?}: {stderr}");
        }
    }
}

/// A body with `extra` joints without channels beside its legs, whose numbers are single digits.
fn body(extra: usize, frames: usize) -> String {
    let walk = super::test_folder::walk();
    let (hierarchy, _) = walk.split_once("MOTION").unwrap();
    let (hierarchy, end) = hierarchy.trim_end().split_at(hierarchy.trim_end().len() - 1);
    let mut text = String::from(hierarchy);
    for n in 0..extra {
        let _ = writeln!(text, "JOINT x{n} {{ OFFSET 0 1 0 }}");
    }
    let _ = write!(text, "{end}\nMOTION\nFrames: {frames}\nFrame Time: 0.0333333\n");
    for frame in 0..frames {
        let numbers: Vec<String> =
            (0..30).map(|n| if n == 1 { 95 } else { (frame * 7 + n * 13) % 10 }.to_string()).collect();
        text += &numbers.join(" ");
        text.push('\n');
    }
    text
}

#[test]
fn joints_without_channels_are_refused_with_the_limit() {
    let folder = TestFolder::new();
    folder.write("amplify.bvh", &body(8000, 3000));
    check_commands(&folder, "amplify.bvh", Some("4 times the size of the file and 12 MB"));
    folder.write("crowd.bvh", &body(100_000, 2));
    check_commands(&folder, "crowd.bvh", Some("found 100009 joints, expected at most 10000"));
}

#[test]
fn the_largest_motions_that_are_accepted_stay_within_the_bound() {
    let folder = TestFolder::new();
    // Poses of 12 MB, of which the file states next to nothing; and a file of the shortest numbers there are.
    folder.write("joints.bvh", &body(2000, 110));
    check_commands(&folder, "joints.bvh", None);
    folder.write("digits.bvh", &body(0, 35_000));
    check_commands(&folder, "digits.bvh", None);
}

#[test]
fn settings_do_not_take_memory_on_their_word() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "4"]).expect_success();
    for args in [
        &["follow", "walk.bvh", "--path", "M 0 0 L 0 1e5", "--keep", "speed", "-o", "out.bvh"][..],
        &["follow", "walk.bvh", "--scale", "49", "--keep", "speed", "-o", "out.bvh", "--force"],
        &["follow", "walk.bvh", "--scale", "1e9", "--keep", "stride", "-o", "out.bvh"],
        &["convert", "walk.bvh", "out.bvh", "--to-fps", "1e6"],
        &["join", "walk.bvh", "walk.bvh", "--window=1e5s", "-o", "out.bvh"],
        &["join", "walk.bvh", "walk.bvh", "--fade=1e5s", "-o", "out.bvh"],
        &["loop", "walk.bvh", "--ease=1e9s", "-o", "out.bvh"],
        &["clean", "walk.bvh", "--floor", "1e15", "-o", "out.bvh"],
        &["detect", "walk.bvh", "--fps", "1e9", "-o", "out.json", "--force"],
    ] {
        let output = run_within_bound(&folder, args, 2);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{args:?}: {:?} {stderr}", output.status);
    }
}

/// Files beside a motion, of a few megabytes, whose values take many times as much in memory.
#[test]
fn long_plants_goals_paths_rigs_and_settings_are_refused_with_the_limit() {
    let folder = TestFolder::with_walk();
    let list = |piece: &str, count: usize| vec![piece; count].join(",");
    let plants = list("{\"foot\":\"left\",\"point\":\"heel\",\"first\":1,\"last\":2}", 40_000);
    let head = "\"surefoot\":\"plants/1\",\"motion\":{\"frames\":40,\"fps\":30.0}";
    folder.write("plants.json", &format!("{{{head},\"plants\":[{plants}]}}"));
    folder
        .write("path.json", &format!("{{\"surefoot\":\"path/1\",\"points\":[{}]}}", list("[1,2]", 500_000)));
    let goal = "{\"frame\":1,\"joint\":\"Hips\",\"position\":[0,1,0]}";
    folder.write("goals.json", &format!("{{\"surefoot\":\"goals/1\",\"goals\":[{}]}}", list(goal, 50_000)));
    folder.write("rig.toml", &format!("a = [{}]", list("1", 1_000_000)));
    folder.write(
        "nodes.gltf",
        &format!("{{\"asset\":{{\"version\":\"2.0\"}},\"nodes\":[{}]}}", list("{}", 500_000)),
    );
    for (args, limit) in [
        (&["clean", "walk.bvh", "--plants", "plants.json", "-o", "out.bvh"][..], "expected at most 1.4 MB"),
        (&["measure", "walk.bvh", "--plants", "plants.json"], "expected at most 1.4 MB"),
        (&["follow", "walk.bvh", "--path", "path.json", "-o", "out.bvh"], "expected at most 1.4 MB"),
        (&["reach", "walk.bvh", "--goals", "goals.json", "-o", "out.bvh"], "expected at most 1.4 MB"),
        (&["clean", "walk.bvh", "--rig", "rig.toml", "-o", "out.bvh"], "expected at most 1.4 MB"),
        (&["inspect", "nodes.gltf"], "500002 objects"),
    ] {
        let output = run_within_bound(&folder, args, 1);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && stderr.contains(limit),
            "{args:?}: {:?} {stderr}",
            output.status
        );
    }
    folder.write("surefoot.toml", &format!("a = [{}]", list("1", 1_000_000)));
    let output = run_within_bound(&folder, &["inspect", "walk.bvh"], 1);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("surefoot.toml: it is larger than 1 MB"), "{stderr}");
}

#[test]
fn a_device_without_an_end_is_refused_before_the_memory_is_gone() {
    let folder = TestFolder::with_walk();
    for args in [&["inspect", "/dev/zero"][..], &["clean", "walk.bvh", "--rig", "/dev/zero"]] {
        let output = run_within_bound(&folder, args, 4);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && stderr.starts_with("error: cannot read /dev/zero"),
            "{stderr}"
        );
    }
}

#[test]
fn a_stderr_that_is_full_does_not_change_the_exit_code() {
    let folder = TestFolder::with_walk();
    for (args, code) in [(&["clean", "none.bvh"][..], 2), (&["plot", "walk.bvh", "-o", "walk.svg"], 0)] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = folder.command(args).stdout(std::process::Stdio::null()).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(code), "{args:?}");
    }
}
