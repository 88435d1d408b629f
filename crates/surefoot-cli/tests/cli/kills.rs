//! Outputs after Ctrl-C, SIGTERM and kills: no temporary files, and a set is old or new as a whole.
#![cfg(unix)]

use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::test_folder::TestFolder;

const OUTPUTS: [&str; 3] = ["out.bvh", "out.plants.json", "out.html"];

fn start(folder: &TestFolder) -> Child {
    let outputs = ["-o", "out.bvh", "--plants-out", "out.plants.json", "--report", "out.html", "--force"];
    let args = [&["clean", "walk.bvh"], &outputs[..]].concat();
    folder.command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Ends runs at times spread over their duration, and checks the outputs after the next run has looked at the folder.
fn end_at_all_times(signal_name: &str, runs: u32) {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "8"]).expect_success();
    let old = ["HIERARCHY of an old motion", "old plants", "old page"].map(|text| text.as_bytes().to_vec());
    let started = Instant::now();
    assert!(start(&folder).wait().unwrap().success());
    let duration = started.elapsed();
    let new = OUTPUTS.map(|name| folder.bytes(name));
    let mut changed = 0;
    for n in 0..runs {
        for (name, bytes) in OUTPUTS.iter().zip(&old) {
            std::fs::write(folder.path(name), bytes).unwrap();
        }
        let mut child = start(&folder);
        // Most of the time is spent before the files are written, so that most runs end in the last third.
        std::thread::sleep(duration.mul_f64(0.6 + 0.6 * f64::from(n) / f64::from(runs)));
        signal(&child, signal_name);
        child.wait().unwrap();
        if signal_name != "KILL" {
            let parts: Vec<String> =
                folder.names().into_iter().filter(|name| name.starts_with(".surefoot")).collect();
            assert!(parts.is_empty(), "{parts:?}");
        }
        // Any later command that writes into the folder completes the set and removes what is left.
        folder.run(&["detect", "walk.bvh", "-o", "other.json", "--force"]).expect_success();
        let now = OUTPUTS.map(|name| folder.bytes(name));
        assert!(now == old || now == new, "run {n}: a mix of old and new");
        changed += u32::from(now == new);
        let left: Vec<String> = folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
        assert!(left.is_empty(), "run {n}: {left:?}");
    }
    assert!(changed < runs, "no run was ended before its outputs were complete");
}

#[test]
fn kills_leave_no_mix_of_old_and_new_outputs() {
    end_at_all_times("KILL", 25);
}

#[test]
fn signals_leave_no_temporary_files() {
    end_at_all_times("TERM", 15);
    end_at_all_times("INT", 10);
}
