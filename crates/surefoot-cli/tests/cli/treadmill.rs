//! Motions on a treadmill: the ground velocity is detected, and plants are held relative to the belt.

use serde_json::{Value, json};
use surefoot::stream::{StreamMotion, StreamSetup};
use surefoot_contact::learned::{Model, MotionHeader, detect_live};
use surefoot_core::Clip;
use surefoot_formats::stream::Reader;
use surefoot_solve::{Settings, clean};

use super::stream::{check_file, lines, pipe, stream};
use super::test_folder::TestFolder;

/// A folder with `belt.bvh`: the middle of a generated walk, on a belt of this speed in m/s.
fn with_belt(speed: f64) -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "10", "--skate", "noise"]).expect_success();
    let text = folder.text("walk.bvh");
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let seconds: f64 = time.trim().parse().unwrap();
    let rows: Vec<&str> = rows.lines().skip(180).take(240).collect();
    let unit =
        folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json()["unit_m"].as_f64().unwrap();
    let move_back = |(frame, row): (usize, &&str)| {
        let mut cells: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
        let z: f64 = cells[2].parse().unwrap();
        cells[2] = format!("{:.6}", z - speed * frame as f64 * seconds / unit);
        cells.join(" ")
    };
    let rows: Vec<String> = rows.iter().enumerate().map(move_back).collect();
    let frames = head.rfind("Frames:").unwrap();
    let head = format!("{}Frames: {}\n", &head[..frames], rows.len());
    folder.write("belt.bvh", &format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")));
    folder
}

#[test]
fn a_treadmill_is_detected_and_plants_are_held_relative_to_the_belt() {
    let folder = with_belt(1.2);
    let inspected = folder.run(&["inspect", "belt.bvh", "--json"]).expect_success().json();
    let ground: Vec<f64> =
        inspected["ground_m_per_s"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert!((ground[2] + 1.2).abs() < 0.1 && ground[0].abs() < 0.1, "{ground:?}");
    assert!(folder.run(&["inspect", "belt.bvh"]).expect_success().stdout.contains("ground"));
    let cleaned =
        folder.run(&["clean", "belt.bvh", "--plants-out", "held.json", "--json"]).expect_success().json();
    assert!(cleaned["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{cleaned}");
    assert!(cleaned["drift_max_m"]["before"].as_f64().unwrap() < 0.1, "{cleaned}");
    let plants: serde_json::Value = serde_json::from_str(&folder.text("held.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    // `measure` reads the written files.
    let args = ["measure", "belt.clean.bvh", "--before", "belt.bvh", "--plants", "held.json", "--json"];
    let measured = folder.run(&args).expect_success().json();
    assert!(measured["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{measured}");
}

#[test]
fn curves_of_a_treadmill_are_drawn_relative_to_the_belt() {
    let belt = with_belt(1.2);
    belt.run(&["detect", "belt.bvh", "-o", "plants.json"]).expect_success();
    let mut plants: serde_json::Value = serde_json::from_str(&belt.text("plants.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    let over_ground = with_belt(0.0);
    plants.as_object_mut().unwrap().remove("ground_m_per_s");
    over_ground.write("plants.json", &plants.to_string());
    // The labels of the axes: speeds of the feet, positions of the plants and of the root.
    let axes = |folder: &TestFolder| -> Vec<String> {
        let args = ["plot", "belt.bvh", "--plants", "plants.json", "--show", "speeds,ground", "-o", "-"];
        let svg = folder.run(&args).expect_success().stdout;
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
        texts.map(str::to_owned).collect()
    };
    assert_eq!(axes(&belt), axes(&over_ground));
}

#[test]
fn a_walk_over_ground_has_no_ground_velocity() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale"]).expect_success();
    assert_eq!(
        folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json()["ground_m_per_s"],
        serde_json::Value::Null
    );
    assert!(!folder.run(&["inspect", "walk.bvh"]).expect_success().stdout.contains("treadmill"));
}

#[test]
fn a_streamed_treadmill_walk_equals_the_cleaned_one() {
    let folder = with_belt(1.2);
    check_file(&folder, "belt.bvh", "live", &["--live"], "ndjson");
    check_file(&folder, "belt.bvh", "clean", &[], "binary");
    check_file(&folder, "belt.bvh", "paper", &["--paper"], "ndjson");
}

#[test]
fn a_streamed_treadmill_run_equals_the_cleaned_one() {
    for name in ["hamner_treadmill", "hamner04_treadmill"] {
        for file in surefoot_testdata::files(&format!("labelled/{name}"), "bvh") {
            let file = file.to_str().unwrap();
            let folder = TestFolder::new();
            let inspected = folder.run(&["inspect", file, "--json"]).expect_success().json();
            assert!(inspected["ground_m_per_s"].is_array(), "{file}");
            check_file(&folder, file, "live", &["--live"], "binary");
            check_file(&folder, file, "clean", &[], "ndjson");
        }
    }
}

/// The frames of the belt, and the same with another header.
fn belt_frames(folder: &TestFolder, change: impl Fn(&mut serde_json::Map<String, Value>)) -> String {
    let text = folder.run(&["convert", "belt.bvh", "-", "--to", "ndjson"]).expect_success().stdout;
    let (header, rest) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(header).unwrap();
    change(header.as_object_mut().unwrap());
    format!("{header}\n{rest}")
}

#[test]
fn a_stream_without_ground_velocity_notes_that_the_feet_move_as_on_a_belt() {
    let folder = with_belt(1.2);
    let stated = stream(&folder, &[], belt_frames(&folder, |_| {}).as_bytes()).expect_success();
    assert_eq!(stated.stderr, "");
    assert!((lines(&stated.stdout)[0]["ground_m_per_s"][2].as_f64().unwrap() + 1.2).abs() < 0.1);

    let text = belt_frames(&folder, |header| drop(header.remove("ground_m_per_s")));
    let unstated = stream(&folder, &[], text.as_bytes()).expect_success();
    assert!(
        unstated.stderr.contains("as on a treadmill, but the ground is said to be at rest"),
        "{}",
        unstated.stderr
    );
    let records = lines(&unstated.stdout);
    let notes = records.last().unwrap()["end"]["notes"].as_array().unwrap();
    let about_ground: Vec<&Value> = notes.iter().filter(|note| note["kind"] == "moving_ground").collect();
    assert_eq!(about_ground.len(), 1, "{notes:?}");
    assert!(about_ground[0]["text"].as_str().unwrap().contains("\"ground_m_per_s\":["));

    let text =
        belt_frames(&folder, |header| drop(header.insert("ground_m_per_s".into(), json!([0, 0, 9e9]))));
    stream(&folder, &[], text.as_bytes()).expect_error("\"ground_m_per_s\" is [0.0, 0.0, 9000000000.0]");
    let far = belt_frames(&folder, |_| {}).replacen("{\"frame\":0,", "{\"frame\":9000000000000000,", 1);
    let outcome = stream(&folder, &[], far.as_bytes());
    assert!(outcome.stderr.contains("the ground has moved by more than 1e9 metres"), "{}", outcome.stderr);
    assert_eq!((outcome.code, lines(&outcome.stdout).len()), (Some(2), 1));
}

#[test]
fn plants_of_a_treadmill_are_detected_while_the_stream_runs() {
    let folder = with_belt(1.2);
    let given = belt_frames(&folder, |_| {});
    let (_, header) = Reader::begin(given.as_bytes()).unwrap();
    let motion = StreamMotion::read(given.as_bytes()).unwrap().motion;
    let clip = Clip { motion, ..StreamSetup::from_header(&header).unwrap().clip };
    let header = MotionHeader::of_clip(&clip);
    let plants = detect_live(&Model::shipped(), &clip.motion, &header, 0, 0.25);
    assert!(plants.plants.len() > 8);
    let batch = clean(&Clip { plants, ..clip }, &Settings::live()).unwrap().clip.motion;
    let streamed =
        StreamMotion::read(&pipe(&folder, &["stream", "--detect"], given.as_bytes())).unwrap().motion;
    assert!(batch == streamed);
}

#[test]
fn plants_in_a_table_carry_the_ground_velocity() {
    let folder = with_belt(1.2);
    folder.run(&["clean", "belt.bvh", "-o", "clean.bvh"]).expect_success();
    folder.run(&["detect", "belt.bvh", "-o", "plants.csv"]).expect_success();
    folder.run(&["clean", "belt.bvh", "--plants", "plants.csv", "-o", "by-table.bvh"]).expect_success();
    assert!(folder.bytes("clean.bvh") == folder.bytes("by-table.bvh"));
}
