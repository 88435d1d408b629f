//! `batch`: whole corpora.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::test_folder::{TestFolder, walk};

/// A corpus of clips of different lengths, with a file that cannot be read.
fn corpus(clips: usize) -> TestFolder {
    let folder = TestFolder::new();
    for clip in 0..clips {
        let path = folder.path(&format!("corpus/part{}/{clip:02}.bvh", clip % 3));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, walk_of(10 + (clip * 7) % 30)).unwrap();
    }
    fs::write(folder.path("corpus/part0/bad.bvh"), "HIERARCHY\nROOT Hips\n{\n").unwrap();
    folder
}

/// The first frames of the test walk.
fn walk_of(frames: usize) -> String {
    let text = walk().replace("Frames: 40", &format!("Frames: {frames}"));
    let lines = text.lines().count() - 40 + frames;
    text.lines().take(lines).map(|line| format!("{line}\n")).collect()
}

/// Every file below a folder, with its content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

fn rows(folder: &TestFolder, name: &str) -> Vec<serde_json::Value> {
    folder.text(name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_clip_has_the_bytes_of_clean_and_a_bad_file_stops_nothing() {
    let folder = corpus(4);
    let run = folder.run(&["batch", "corpus", "-o", "out", "--reports", "1"]);
    assert_eq!(run.code, Some(2), "{run:#?}");
    assert!(run.stdout.starts_with("4 of 5 clips cleaned: "), "{run:#?}");
    assert!(run.stderr.contains("1 of 5 files could not be cleaned"), "{run:#?}");
    for clip in ["part0/00.bvh", "part1/01.bvh", "part2/02.bvh", "part0/03.bvh"] {
        let clean = folder.run(&["clean", &format!("corpus/{clip}"), "-o", "-"]).expect_success();
        assert_eq!(folder.text(&format!("out/{clip}")), clean.stdout, "{clip}");
    }
    let rows = rows(&folder, "out/figures.jsonl");
    let clips: Vec<&str> = rows.iter().map(|row| row["clip"].as_str().unwrap()).collect();
    assert_eq!(clips, ["part0/00.bvh", "part0/03.bvh", "part0/bad.bvh", "part1/01.bvh", "part2/02.bvh"]);
    assert_eq!((rows[2]["status"].as_str(), rows[2]["error_line"].as_u64()), (Some("failed"), Some(3)));
    assert!(!folder.path("out/part0/bad.bvh").exists());
    let page = folder.text("out/index.html");
    assert!(page.contains("line 3: ") && page.contains("href=\"./reports/"), "{page}");
    assert!(page.contains("<svg class=\"foot\""), "a clip with plants has a drawing of a foot: {page}");
    assert_eq!(contents(&folder.path("out/reports")).len(), 1);
}

#[test]
fn the_row_of_a_clip_has_the_figures_of_clean() {
    let folder = TestFolder::with_walk();
    folder.run(&["batch", "walk.bvh", "-o", "out", "--reports", "0"]).expect_success();
    let value = folder.run(&["clean", "walk.bvh", "-o", "clean.bvh", "--json"]).expect_success().json();
    let row = &rows(&folder, "out/figures.jsonl")[0];
    for key in ["drift_max_m", "slide_mean_m_per_s", "skate_ratio_gmd", "knee_acceleration_max_rad_per_s2"] {
        for time in ["before", "after"] {
            assert_eq!(row[format!("{key}_{time}")], value[key][time], "{key} {time}");
        }
    }
    assert_eq!(row["new_slides"].as_u64(), value["new_slides"].as_array().map(|list| list.len() as u64));
    assert_eq!(row["frames"], 40);
}

#[test]
fn shards_together_are_the_whole_corpus() {
    let folder = corpus(7);
    folder.run(&["batch", "corpus", "-o", "whole"]);
    for shard in ["1/3", "3/3", "2/3"] {
        folder.run(&["batch", "corpus", "-o", "out", "--resume", "--shard", shard]);
    }
    let clips: usize = (1..=3).map(|k| rows(&folder, &format!("out/figures-{k}-of-3.jsonl")).len()).sum();
    assert_eq!(clips, 8);
    let joined = folder.run(&["batch", "corpus", "-o", "out", "--resume", "--json"]);
    // The bad file is tried again, the others are not.
    assert_eq!((joined.json()["resumed"].as_u64(), joined.json()["failed"].as_u64()), (Some(7), Some(1)));
    let (whole, out) = (contents(&folder.path("whole")), contents(&folder.path("out")));
    for (name, content) in whole {
        assert!(out.get(&name) == Some(&content), "{name}");
    }
}

#[test]
fn a_changed_source_and_a_lost_output_are_cleaned_again() {
    let folder = corpus(4);
    folder.run(&["batch", "corpus", "-o", "out"]);
    folder.write("corpus/part0/bad.bvh", &walk());
    folder.write("corpus/part1/01.bvh", &walk_of(25));
    fs::remove_file(folder.path("out/part2/02.bvh")).unwrap();
    let run = folder.run(&["batch", "corpus", "-o", "out", "--resume", "--json"]).expect_success();
    assert_eq!((run.json()["resumed"].as_u64(), run.json()["cleaned"].as_u64()), (Some(2), Some(5)));
    folder.run(&["batch", "corpus", "-o", "fresh"]).expect_success();
    let (out, fresh) = (contents(&folder.path("out")), contents(&folder.path("fresh")));
    assert!(
        fresh.iter().filter(|(name, _)| !name.starts_with("reports")).all(|(name, text)| out[name] == *text)
    );
}

#[test]
fn a_run_is_continued_only_where_that_is_wanted_and_possible() {
    let folder = corpus(2);
    folder.run(&["batch", "corpus", "-o", "corpus"]).expect_error("is the folder of the corpus");
    folder.run(&["batch", "none", "-o", "out"]).expect_error("cannot read none: it does not exist");
    folder.run(&["batch", "corpus/part0/*.txt", "-o", "out"]).expect_error("found no motion file");
    fs::create_dir(folder.path("full")).unwrap();
    folder.write("full/mine.txt", "mine");
    folder.run(&["batch", "corpus", "-o", "full"]).expect_error("full is not empty");
    folder.run(&["batch", "corpus", "-o", "out"]);
    folder.run(&["batch", "corpus", "-o", "out"]).expect_error("out holds a run already");
    folder
        .run(&["batch", "corpus", "-o", "out", "--resume", "--stretch", "3%"])
        .expect_error("the run in out has other settings");
    assert_eq!(folder.run(&["batch", "corpus", "-o", "out", "--force", "--stretch", "3%"]).code, Some(2));
    folder.run(&["batch", "corpus", "-o", "out", "--shard", "4/3"]).expect_error("as 3/8, counted from 1");
    folder
        .run(&["batch", "corpus", "-o", "out", "--table", "t.csv"])
        .expect_error("ends in .parquet or .jsonl");
    folder.run(&["batch", "corpus", "-o", "out", "--jobs", "0"]).expect_error("a number from 1 to");
    folder.run(&["batch", "-o", "out"]).expect_error("<DIR>");
}

#[test]
fn lists_patterns_and_limits() {
    let folder = corpus(6);
    let list = "corpus/part1/01.bvh\n\ncorpus/part2/02.bvh\ncorpus/part2/gone.bvh\n";
    let run = folder.run_with_stdin(&["batch", "--list", "-", "-o", "listed", "--json"], list.as_bytes());
    assert_eq!((run.code, run.json()["cleaned"].as_u64()), (Some(2), Some(2)));
    let error = rows(&folder, "listed/figures.jsonl")[2]["error"].to_string();
    assert!(error.ends_with("part2/gone.bvh: it does not exist\""), "{error}");
    let limited = ["batch", "corpus/**/0?.bvh", "-o", "out", "--table", "t.parquet", "--max-drift", "0mm"];
    let run = folder.run(&limited);
    assert_eq!(run.code, Some(1), "{run:#?}");
    assert!(run.stderr.contains("of 6 clips miss a limit"), "{run:#?}");
    assert!(folder.bytes("t.parquet").starts_with(b"PAR1") && folder.path("t.jsonl").exists());
    assert!(!folder.path("out/figures.parquet").exists());
}

/// Kills a run at random points and continues it, again and again, and compares every file with those of an
/// undisturbed run. `SUREFOOT_KILLS` sets the number of kills; the book states the result for 100.
#[test]
fn a_run_that_was_killed_anywhere_and_resumed_equals_an_undisturbed_run() {
    let kills: usize = std::env::var("SUREFOOT_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let folder = corpus(36);
    let command = |out: &str| folder.command(&["batch", "corpus", "-o", out, "--resume", "--reports", "3"]);
    let started = Instant::now();
    command("undisturbed").output().unwrap();
    let (duration, undisturbed) = (started.elapsed(), contents(&folder.path("undisturbed")));
    let mut random = surefoot_testdata::Random(20);
    let (mut killed, mut partial) = (0, 0);
    while killed < kills {
        let out = folder.path("out");
        let _ = fs::remove_dir_all(&out);
        // Each run is killed up to three times before it may finish.
        for _ in 0..3 {
            let mut child = command("out")
                .stdout(std::process::Stdio::null())
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            let share = random.below(1000) as f64 / 1000.0;
            std::thread::sleep(duration.mul_f64(share).max(Duration::from_millis(1)));
            let was_running = child.try_wait().unwrap().is_none();
            child.kill().unwrap();
            child.wait().unwrap();
            killed += usize::from(was_running);
            let files = fs::read_dir(&out).map_or(0, |_| contents(&out).len());
            partial += usize::from(was_running && (2..undisturbed.len()).contains(&files));
        }
        assert_eq!(command("out").output().unwrap().status.code(), Some(2));
        let resumed = contents(&out);
        assert_eq!(resumed.keys().collect::<Vec<_>>(), undisturbed.keys().collect::<Vec<_>>());
        for (name, content) in &undisturbed {
            assert!(resumed[name] == *content, "{name} differs after {killed} kills");
        }
    }
    println!("{killed} kills, {partial} of them in the middle of a run: all files equal");
    assert!(partial > 0, "no kill hit the middle of a run");
}
