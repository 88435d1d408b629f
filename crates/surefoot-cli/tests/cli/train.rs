//! `train` and `score`: errors, models and tables. The accuracy is tested in `surefoot-train`.

use std::path::Path;

use super::test_folder::TestFolder;

/// A folder with `walk.bvh` and its true plants.
fn with_walk(args: &[&str]) -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&[&["sample", "walk"], args].concat()).expect_success();
    folder
}

/// A table of labels that repeats `row` for each frame of the motion.
fn labels(folder: &TestFolder, row: &str) -> String {
    let frames =
        folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json()["frames"].as_u64().unwrap();
    format!("left_contact,right_contact\n{}", format!("{row}\n").repeat(frames as usize))
}

#[test]
fn a_folder_without_labels_is_refused() {
    let folder = with_walk(&[]);
    std::fs::remove_file(folder.path("walk.plants.json")).unwrap();
    folder.run(&["score", "."]).expect_error(". contains no labelled motions");
    folder.run(&["score", "walk.bvh"]).expect_error("has no labels in its folder");
    folder.run(&["train", "nowhere", "-o", "m"]).expect_error("nowhere");
    assert_eq!(folder.names(), ["walk.bvh"]);
}

#[test]
fn labels_may_be_in_another_folder() {
    let folder = with_walk(&[]);
    std::fs::create_dir_all(folder.path("labels/walks")).unwrap();
    std::fs::rename(folder.path("walk.plants.json"), folder.path("labels/walks/walk.plants.json")).unwrap();
    let score = |args: &[&str]| folder.run(&[&["score", ".", "--method", "speed-height"], args].concat());
    score(&[]).expect_error(". contains no labelled motions");
    assert!(score(&["--labels-from", "labels"]).expect_success().stdout.contains("1 motions"));
    score(&["--labels-from", "nowhere"]).expect_error("nowhere");
}

#[test]
fn labels_that_do_not_fit_are_refused_with_their_line() {
    let folder = with_walk(&[]);
    folder.write("walk.contacts.csv", "left_contact,right_contact\n1,0\n1,0\n");
    folder.run(&["score", "walk.bvh"]).expect_error("the labels are for 2 frames, but the motion has 361");
    folder.write("walk.contacts.csv", &labels(&folder, "1,7"));
    let outcome =
        folder.run(&["train", "walk.bvh", "-o", "own.model"]).expect_error("right_contact is \"7\"");
    assert!(outcome.stderr.contains("walk.contacts.csv:2"), "{outcome:#?}");
    folder.write("walk.contacts.csv", &labels(&folder, "1,0").replace("left", "front_left"));
    folder.run(&["score", "walk.bvh"]).expect_error("the feet of the motion are left, right");
    assert!(!folder.names().contains(&"own.model".into()));
}

#[test]
fn labels_of_one_class_and_too_few_frames_are_refused() {
    let folder = with_walk(&[]);
    folder.write("walk.contacts.csv", &labels(&folder, "1,1"));
    folder.run(&["train", "walk.bvh", "-o", "own.model"]).expect_error("every labelled foot is down");
    folder.write("walk.contacts.csv", &labels(&folder, "-1,-1"));
    folder.run(&["train", "walk.bvh", "-o", "own.model"]).expect_error("found 0 labelled frames");
    let text = folder.text("walk.bvh");
    let (head, rows) = text.split_once("Frames:").unwrap();
    let rows: Vec<&str> = rows.lines().skip(1).take(4).collect();
    folder.write("short.bvh", &format!("{head}Frames: 3\n{}\n", rows.join("\n")));
    folder.write("short.contacts.csv", "left_contact,right_contact\n1,1\n1,0\n1,0\n");
    folder.run(&["train", "short.bvh", "-o", "own.model"]).expect_error("found 6 labelled frames");
    // `detect` accepts such a short motion.
    folder.run(&["detect", "short.bvh"]).expect_success();
    assert!(!folder.names().contains(&"own.model".into()));
}

#[test]
fn a_model_of_another_version_is_refused() {
    let folder = with_walk(&[]);
    folder.write("old.model", "surefoot/model/0 and more");
    folder.write("no.model", "HIERARCHY");
    let detect = |model: &str| folder.run(&["detect", "walk.bvh", "-o", "p.json", "--model", model]);
    detect("old.model").expect_error("another version");
    detect("no.model").expect_error("not a surefoot model");
    folder.run(&["train", "walk.bvh", "--from", "old.model", "-o", "m"]).expect_error("another version");
    let both = ["detect", "walk.bvh", "-o", "p.json", "--model", "shipped", "--method", "speed-height"];
    folder.run(&both).expect_error("--detector speed-height takes no model");
    assert_eq!(folder.names(), ["no.model", "old.model", "walk.bvh", "walk.plants.json"]);
}

#[test]
fn detect_uses_a_model_trained_on_corrected_plants() {
    let folder = with_walk(&["--seconds", "4"]);
    let plants = ["--plants", "walk.plants.json"];
    folder
        .run(&[&["train", "walk.bvh", "--from", "shipped", "-o", "own.model"], &plants[..]].concat())
        .expect_success();
    folder
        .run(&[&["train", "walk.bvh", "--from", "shipped", "-o", "same.model"], &plants[..]].concat())
        .expect_success();
    assert_eq!(folder.bytes("own.model"), folder.bytes("same.model"));
    folder.run(&["detect", "walk.bvh", "-o", "p.json", "--model", "own.model"]).expect_success();
    let two = ["train", "walk.bvh", "-o", "m", "--plants", "walk.plants.json", "p.json"];
    folder.run(&two).expect_error("2 plants files given for 1 motions");
}

#[test]
fn score_prints_a_table_for_a_given_model() {
    let folder = with_walk(&["--seconds", "4"]);
    let json = folder.run(&["score", "walk.bvh", "--model", "shipped", "--json"]).expect_success().json();
    assert_eq!(json["cross_validated"], false);
    assert!(json["rows"][0]["f1"].as_f64().unwrap() > 0.97, "{json}");
    assert!(json["rows"][0]["frames"].as_u64().unwrap() > 400);
    let text = folder.run(&["score", "walk.bvh", "--method", "speed-height"]).expect_success().stdout;
    assert!(text.contains("root path × 0.85") && text.contains("F1"), "{text}");
}

#[test]
fn uncertain_plants_can_be_listed_first() {
    let folder = with_walk(&["--skate", "noise"]);
    let json = folder
        .run(&["detect", "walk.bvh", "-o", "p.json", "--uncertain-first", "--json"])
        .expect_success()
        .json();
    let confidences: Vec<f64> = json["plants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|plant| plant["confidence"].as_f64().unwrap())
        .collect();
    assert!(confidences.windows(2).all(|pair| pair[0] <= pair[1]), "{confidences:?}");
}

/// The captures of the tables of the thesis, as the book names them; `None` without them.
fn labelled_captures() -> Option<Vec<String>> {
    let takes = ["02_05", "17_10", "74_04", "79_08", "86_01"].map(|take| format!("bvh/cmu/{take}.bvh"));
    let files = takes.iter().map(|take| surefoot_testdata::path(take)).collect::<Option<Vec<_>>>()?;
    let folder = surefoot_testdata::path("labelled/camargo")?;
    let files = core::iter::once(folder.parent()?.to_path_buf()).chain(files);
    Some(files.map(|path| path.to_str().unwrap().to_owned()).collect())
}

#[test]
fn the_tables_of_the_thesis_are_current_in_the_book() {
    let Some(data) = labelled_captures() else { return };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(crates.join("../book/src/method/published-detectors.md")).unwrap();
    let labels = crates.join("surefoot-train/labels");
    let folder = TestFolder::new();
    // The most accurate sets of tables 2 and 4; all 25 would take many minutes.
    for features in ["a+b-split", "b-split"] {
        let data: Vec<&str> = data.iter().map(String::as_str).collect();
        let flags = ["--labels-from", labels.to_str().unwrap(), "--tables", "--features", features];
        let printed = folder.run(&[&["score"], &data[..], &flags].concat()).expect_success().stdout;
        let is_current = |line: &&str| page.lines().any(|of_page| of_page == *line);
        // Table 4 of the book does not have all sets.
        let in_table_4 = printed.find("table 4").unwrap();
        let compared = if features == "b-split" { &printed[..] } else { &printed[..in_table_4] };
        let stale: Vec<&str> = compared.lines().filter(|line| !is_current(line)).collect();
        let help = "copy the output of the command in the page";
        assert!(stale.is_empty(), "{help}:\n{}", stale.join("\n"));
    }
}
