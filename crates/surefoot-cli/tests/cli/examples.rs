//! Every example of every `--help` runs.
//!
//! Each example runs in a shell, in a folder of its own with the files that the example mentions. All files are made
//! by surefoot itself, except the C3D file, which only a lab can make.

#![cfg(unix)]

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::test_folder::TestFolder;

const COMMANDS: [&str; 19] = [
    "demo",
    "inspect",
    "detect",
    "clean",
    "reach",
    "retarget",
    "follow",
    "join",
    "blend",
    "loop",
    "measure",
    "train",
    "score",
    "plot",
    "sample",
    "convert",
    "stream",
    "completions",
    "man",
];

/// Examples that fit models for minutes. They are run without their data, which shows that their flags are accepted.
const SLOW: [&str; 4] = [
    "surefoot train labelled -o own.model",
    "surefoot score labelled",
    "surefoot score labelled --tables",
    "surefoot score walk.bvh run.bvh --json",
];

/// Stubs of external programs in the examples: the source of a stream, its reader, and the viewer of manual pages.
const PROGRAMS: [(&str, &str); 3] = [
    ("capture-program", "#!/bin/sh\nexec cat capture.ndjson\n"),
    ("game-engine", "#!/bin/sh\nexec cat > /dev/null\n"),
    ("man", "#!/bin/sh\nexec cat > /dev/null\n"),
];

#[test]
fn every_example_of_every_help_runs() {
    let files = example_files();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let files = &files;
        let each = |command: &'static str| {
            scope.spawn(move || -> Vec<String> {
                examples(command).iter().filter_map(|example| failure(example, files)).collect()
            })
        };
        let runs: Vec<_> = COMMANDS.into_iter().map(each).collect();
        runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// The lines below `Examples:`, with lines that end in a pipe joined to the next.
fn examples(command: &str) -> Vec<String> {
    let help = TestFolder::new().run(&[command, "--help"]).expect_success().stdout;
    let (_, below) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command} has no examples"));
    let mut examples: Vec<String> = Vec::new();
    for line in below.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match examples.last_mut().filter(|last| last.ends_with('|')) {
            Some(last) => *last += &format!(" {line}"),
            None => examples.push(line.to_owned()),
        }
    }
    assert!(!examples.is_empty(), "{command}");
    examples
}

/// Runs an example, and describes how it failed if it did.
fn failure(example: &str, files: &TestFolder) -> Option<String> {
    let folder = TestFolder::new();
    let is_slow = SLOW.contains(&example);
    if example.contains("trial.c3d") {
        let (motion, c3d) = super::events::trial()?;
        std::fs::copy(motion, folder.path("walk.bvh")).unwrap();
        std::fs::copy(c3d, folder.path("trial.c3d")).unwrap();
    } else if !is_slow {
        copy_mentioned(example, files, &folder);
    }
    let output = Command::new("sh")
        .args(["-c", example])
        .current_dir(folder.path(""))
        .env("HOME", folder.path(""))
        .env("PATH", path_with(&files.path("programs")))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let is_success = match is_slow {
        true => output.status.code() == Some(2) && stderr.contains("it does not exist"),
        false => output.status.success(),
    };
    (!is_success).then(|| format!("{example}\n{stderr}"))
}

/// Copies the files that an example reads: those it mentions, unless it writes them.
fn copy_mentioned(example: &str, files: &TestFolder, folder: &TestFolder) {
    for name in [
        ".local/share/bash-completion/completions",
        ".local/share/man/man1",
        ".zfunc",
        ".config/fish/completions",
    ] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
    }
    let words: Vec<&str> = example.split_whitespace().collect();
    for (n, word) in words.iter().enumerate() {
        let is_output = n > 0 && (["-o", ">"].contains(&words[n - 1]) || words[n - 1].ends_with("-out"));
        if !is_output {
            copy(&files.path(word), &folder.path(word));
        }
    }
    // Files that other files name, and the input of the stubs.
    copy(&files.path("child.bvh"), &folder.path("child.bvh"));
    let capture = if example.contains("--skeleton") { "no-joints.ndjson" } else { "capture.ndjson" };
    copy(&files.path(capture), &folder.path("capture.ndjson"));
}

/// Copies a file or a folder of files, if it exists.
fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        std::fs::create_dir_all(to).unwrap();
        for entry in std::fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else if from.is_file() {
        std::fs::copy(from, to).unwrap();
    }
}

/// The search path with the stubs and the built command first.
fn path_with(programs: &Path) -> OsString {
    let built = Path::new(env!("CARGO_BIN_EXE_surefoot")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [programs.to_owned(), built.to_owned()].into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

/// A stream whose header leaves joints and legs to `--skeleton`.
fn without_joints(stream: &str) -> String {
    let (header, frames) = stream.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    for field in ["joints", "legs"] {
        header.as_object_mut().unwrap().remove(field);
    }
    format!("{header}\n{frames}")
}

/// A folder with all files that the examples read.
fn example_files() -> TestFolder {
    let folder = TestFolder::new();
    let sample = |kind: &str, name: &str, more: &[&str]| {
        folder.run(&[&["sample", kind, "-o", name, "--seconds", "6"], more].concat()).expect_success();
    };
    sample("walk", "walk.bvh", &["--skate", "scale=1.1"]);
    sample("run", "run.bvh", &[]);
    sample("walk", "other.bvh", &[]);
    sample("walk", "child.bvh", &[]);
    sample("stairs", "stairs.bvh", &["--floor-out", "stairs.obj"]);
    folder.run(&["clean", "walk.bvh"]).expect_success();
    folder.run(&["inspect", "walk.bvh", "--rig-out", "walk.rig.toml"]).expect_success();
    folder.run(&["loop", "other.bvh", "-o", "cycle.bvh"]).expect_success();
    folder.run(&["convert", "walk.bvh", "inches.bvh", "--to-unit", "inch"]).expect_success();
    for name in ["take.glb", "character.glb"] {
        folder.run(&["convert", "walk.bvh", name]).expect_success();
    }
    let copies = [
        ("stairs.bvh", "hill.bvh"),
        ("child.bvh", "robot.bvh"),
        ("walk.bvh", "actor.bvh"),
        ("walk.bvh", "boxing.bvh"),
    ];
    for (from, to) in copies {
        std::fs::copy(folder.path(from), folder.path(to)).unwrap();
    }
    let rig = folder.run(&["inspect", "child.bvh", "--rig-out", "-"]).expect_success().stdout;
    folder.write("giant.toml", &format!("skeleton = \"child.bvh\"\n{rig}"));
    let joints = folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json();
    let hand = joints["joints"].as_array().unwrap().iter().filter_map(|joint| joint["name"].as_str());
    let hand = hand.into_iter().find(|name| name.contains("Hand")).expect("a hand").to_owned();
    folder.write(
        "boxing.goals.json",
        &format!(r#"{{ "surefoot": "goals/1", "goals": [ {{ "frame": 60, "joint": "{hand}", "shift": [0, 0.05, 0] }} ] }}"#),
    );
    folder.write("weights.csv", "0,0\n2,1\n");
    folder.write(
        "curve.svg",
        r#"<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0,0 C 0,200 100,300 200,400"/></svg>"#,
    );
    std::fs::create_dir(folder.path("labelled")).unwrap();
    for name in ["walk.bvh", "walk.plants.json", "run.bvh", "run.plants.json"] {
        std::fs::copy(folder.path(name), folder.path("labelled").join(name)).unwrap();
    }
    for (subfolder, name) in [("takes", "walk.bvh"), ("cleaned", "walk.clean.bvh")] {
        std::fs::create_dir(folder.path(subfolder)).unwrap();
        std::fs::copy(folder.path(name), folder.path(subfolder).join(name)).unwrap();
    }
    folder.run(&["train", "labelled", "--method", "svm", "-o", "mine.model"]).expect_success();
    folder.run(&["train", "labelled", "--from", "shipped", "-o", "own.model"]).expect_success();
    folder.run(&["convert", "walk.bvh", "capture.ndjson"]).expect_success();
    folder.write("no-joints.ndjson", &without_joints(&folder.text("capture.ndjson")));
    std::fs::create_dir(folder.path("programs")).unwrap();
    for (name, text) in PROGRAMS {
        use std::os::unix::fs::PermissionsExt;
        let path = folder.path("programs").join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    folder
}
