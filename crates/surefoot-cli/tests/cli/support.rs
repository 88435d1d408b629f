//! The chain of Hsu's thesis: svm labels plants and skate, `--method support` holds them by the labels.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::stream::pipe;
use super::test_folder::TestFolder;

/// A folder with a walk that skates, and its plants.
fn skating_walk() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4", "--skate", "scale=1.1"]).expect_success();
    folder
}

fn after(json: &Value, key: &str) -> f64 {
    json[key]["after"].as_f64().unwrap_or_else(|| panic!("{key}: {json:#}"))
}

fn ratio(json: &Value, key: &str) -> f64 {
    json[key]["ratio"].as_f64().unwrap_or_else(|| panic!("{key}: {json:#}"))
}

/// Sets the kind of every plant in a plants file.
fn label(folder: &TestFolder, kind: Value) {
    let mut plants: Value = serde_json::from_str(&folder.text("walk.plants.json")).unwrap();
    for plant in plants["plants"].as_array_mut().unwrap() {
        plant["kind"] = kind.clone();
        plant.as_object_mut().unwrap().remove("spot");
    }
    folder.write("labelled.json", &plants.to_string());
}

#[test]
fn planted_feet_are_held_and_knees_stay_smooth() {
    let folder = skating_walk();
    let support = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--method", "support"];
    let json =
        folder.run(&[&support[..], &["--json", "--report", "walk.html"]].concat()).expect_success().json();
    assert_eq!(json["method"], "support");
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.02, "{json:#}");
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    assert_eq!(after(&json, "stretch_max"), 0.0);
    assert!(json["notes"].to_string().contains("a planted foot slides faster than 0.1 m/s"));
    assert!(folder.text("walk.html").contains("support phases"));
    // `measure` gives the same figures for the file.
    let measure =
        ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    assert_eq!(folder.run(&measure).expect_success().json()["drift_max_m"], json["drift_max_m"]);
    // No foot slides at 1 m/s.
    let fast = ["--skate-speed", "1m/s", "-o", "fast.bvh", "--json"];
    let fast = folder.run(&[&support[..], &fast].concat()).expect_success().json();
    assert!(fast["notes"].to_string().contains("in 0 of 241 frames"), "{fast:#}");
    let limit = ["--max-knee", "0.001", "-o", "limit.bvh", "--json"];
    assert_eq!(folder.run(&[&support[..], &limit].concat()).code, Some(1));
}

#[test]
fn in_the_published_form_the_root_stays_and_plants_out_of_reach_are_named() {
    let folder = skating_walk();
    let paper = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--method", "support", "--paper"];
    let json = folder.run(&[&paper[..], &["--json"]].concat()).expect_success().json();
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    assert!(json["root_moved_max_m"].as_f64().unwrap() < 1e-9, "{json:#}");
    let rigid = ["--stretch", "0", "-o", "rigid.bvh", "--json"];
    let json = folder.run(&[&paper[..], &rigid].concat()).expect_success().json();
    assert_eq!(after(&json, "stretch_max"), 0.0);
    let plants = json["plants"].as_array().unwrap();
    let slides: Vec<&Value> = plants.iter().filter(|plant| after(plant, "drift") > 1e-5).collect();
    assert!(!slides.is_empty(), "{json:#}");
    for plant in slides {
        let (foot, first, last) = (plant["foot"].as_str().unwrap(), &plant["first"], &plant["last"]);
        let note = format!("{foot} foot, frames {first}–{last}: out of reach, so it drifts by up to");
        assert!(json["notes"].to_string().contains(&note), "{note}: {}", json["notes"]);
    }
}

#[test]
fn feet_move_between_plants_without_new_slides() {
    let folder = TestFolder::new();
    folder.run(&["sample", "turn", "--skate", "drift", "--seconds", "6"]).expect_success();
    let support = ["clean", "turn.bvh", "--plants", "turn.plants.json", "--method", "support", "--json"];
    let json = folder.run(&support).expect_success().json();
    for events in ["new_slides", "teleports", "knee_pops"] {
        assert_eq!(json[events], json!([]), "{events}");
    }
}

#[test]
fn the_label_in_the_plants_file_decides_where_support_holds_a_plant() {
    let folder = skating_walk();
    let spots = |kind: Value| {
        label(&folder, kind);
        let clean = ["clean", "walk.bvh", "--plants", "labelled.json", "--method", "support"];
        let json = folder.run(&[&clean[..], &["--json", "--force"]].concat()).expect_success().json();
        assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
        (folder.bytes("walk.clean.bvh"), json["notes"].to_string())
    };
    let (by_speed, note) = spots(Value::Null);
    assert!(note.contains("slides faster than 0.1 m/s"), "{note}");
    let (standing, note) = spots("plant".into());
    assert!(note.contains("a planted foot is labelled skate in 0 of 241 frames"), "{note}");
    let (skating, note) = spots("skate".into());
    assert!(!note.contains("labelled skate in 0 of"), "{note}");
    assert!(standing != skating && standing != by_speed);
    // The default method takes no notice of the labels.
    let phases = |name: &str| {
        folder.run(&["clean", "walk.bvh", "--plants", "labelled.json", "-o", name]).expect_success();
        folder.bytes(name)
    };
    let skating = phases("a.bvh");
    label(&folder, "plant".into());
    assert_eq!(phases("b.bvh"), skating);
}

#[test]
fn only_svm_labels_plants_and_its_files_say_so() {
    let folder = skating_walk();
    let detect = |method: &str, file: &str| {
        let args = ["detect", "walk.bvh", "--method", method, "-o", file, "--json", "--force"];
        folder.run(&args).expect_success().json()["plants"].as_array().unwrap().clone()
    };
    for method in ["learned", "speed-height", "zero-crossing", "knn"] {
        assert!(detect(method, "p.json").iter().all(|plant| plant.get("kind").is_none()), "{method}");
        assert!(!folder.text("p.json").contains("kind"));
        detect(method, "p.csv");
        assert!(!folder.text("p.csv").contains("skate"));
    }
    let found = detect("svm", "p.json");
    assert!(found.iter().all(|plant| ["plant", "skate"].contains(&plant["kind"].as_str().unwrap())));
    let file: Value = serde_json::from_str(&folder.text("p.json")).unwrap();
    let kinds = |plants: &[Value]| plants.iter().map(|plant| plant["kind"].clone()).collect::<Vec<_>>();
    assert_eq!(kinds(file["plants"].as_array().unwrap()), kinds(&found));
    detect("svm", "p.csv");
    let clean = |args: &[&str]| {
        let clean = ["clean", "walk.bvh", "--method", "support", "-o", "c.bvh", "--force"];
        folder.run(&[&clean[..], args].concat()).expect_success();
        folder.bytes("c.bvh")
    };
    let in_one = clean(&["--detector", "svm"]);
    assert_eq!(clean(&["--plants", "p.json"]), in_one, "detect and clean give the bytes of clean");
    assert_eq!(clean(&["--plants", "p.csv"]), in_one);
}

#[test]
fn a_blend_of_two_captures_is_labelled_and_rectified() {
    let files = ["16_11", "16_22"].map(|name| surefoot_testdata::path(&format!("bvh/cmu/{name}.bvh")));
    let [Some(one), Some(other)] = files else { return };
    let folder = TestFolder::new();
    let [one, other] = [&one, &other].map(|file| file.to_str().unwrap());
    let blend = ["blend", one, other, "--weight", "0.5", "--no-clean", "-o", "blend.bvh"];
    folder.run(&blend).expect_success();
    let detect = ["detect", "blend.bvh", "--method", "svm", "--json"];
    let plants = folder.run(&detect).expect_success().json()["plants"].to_string();
    assert!(plants.contains("\"skate\"") && plants.contains("\"plant\""), "{plants}");
    let support = ["clean", "blend.bvh", "--detector", "svm", "--method", "support", "--json"];
    let json = folder.run(&support).expect_success().json();
    expect_in_book(&format!("| `support` | {} |", figures(&json)));
    assert!(after(&json, "drift_max_m") < 1e-5, "{}", json["drift_max_m"]);
    assert!(ratio(&json, "knee_acceleration_p99_rad_per_s2") < 1.3);
    assert!(ratio(&json, "knee_acceleration_max_rad_per_s2") < 1.3);
    assert_eq!(json["deeper_than_captured"], json!([]));
    let paper = [&support[..], &["--paper", "--stretch", "0", "-o", "paper.bvh"]].concat();
    let json = folder.run(&paper).expect_success().json();
    expect_in_book(&format!("| `support --paper --stretch 0` | {} |", figures(&json)));
}

/// Drift, knee acceleration and depth as the table of the book has them.
fn figures(json: &Value) -> String {
    let before = json["drift_max_m"]["before"].as_f64().unwrap();
    let deeper = json["deeper_than_captured"].as_array().unwrap().iter();
    let frames: BTreeSet<u64> =
        deeper.flat_map(|event| event["first"].as_u64().unwrap()..=event["last"].as_u64().unwrap()).collect();
    format!(
        "{:.0} → {:.2} mm | {:.2} / {:.2} | {}",
        1e3 * before,
        1e3 * after(json, "drift_max_m"),
        ratio(json, "knee_acceleration_p99_rad_per_s2"),
        ratio(json, "knee_acceleration_max_rad_per_s2"),
        frames.len(),
    )
}

/// Checks that the page on support phases has these figures.
fn expect_in_book(figures: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/method/support.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains(figures), "{figures}: expected in book/src/method/support.md");
}

#[test]
fn a_captured_walk_keeps_its_knees_and_no_toe_goes_deeper() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else { return };
    let folder = TestFolder::new();
    let clean = ["clean", file.to_str().unwrap(), "--method", "support", "-o", "out.bvh", "--json"];
    let json = folder.run(&clean).expect_success().json();
    expect_in_book(&format!("| `02_01`, `support` | {} |", figures(&json)));
    assert!(ratio(&json, "knee_acceleration_p99_rad_per_s2") < 1.2);
    assert_eq!(json["deeper_than_captured"], json!([]));
    assert!(after(&json, "drift_max_m") < 1e-5);
    assert!(after(&json, "penetration_max_m") < 1e-5, "{}", json["penetration_max_m"]);
}

#[test]
fn a_stream_holds_plants_by_their_labels_like_the_plants_file() {
    let folder = skating_walk();
    let cleaned = ["plant", "skate"].map(|kind| {
        label(&folder, kind.into());
        let support =
            ["--method", "support", "--plants", "labelled.json", "--live", "-o", "a.bvh", "--force"];
        folder.run(&[&["clean", "walk.bvh"], &support[..]].concat()).expect_success();
        for form in ["ndjson", "binary"] {
            let convert = ["convert", "walk.bvh", "-", "--to", form, "--plants", "labelled.json"];
            let frames = pipe(&folder, &convert, b"");
            let clean = pipe(&folder, &["stream", "--method", "support"], &frames);
            std::fs::write(folder.path("clean.stream"), clean).unwrap();
            folder
                .run(&["convert", "clean.stream", "b.bvh", "--like", "walk.bvh", "--force"])
                .expect_success();
            assert_eq!(folder.bytes("a.bvh"), folder.bytes("b.bvh"), "{kind} {form}");
        }
        folder.bytes("a.bvh")
    });
    assert_ne!(cleaned[0], cleaned[1]);
}

#[test]
fn a_stream_and_a_live_preset_take_the_method() {
    let folder = skating_walk();
    let live = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--method", "support", "--live"];
    let json = folder.run(&[&live[..], &["--json"]].concat()).expect_success().json();
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    folder.run(&["convert", "walk.bvh", "walk.ndjson"]).expect_success();
    let frames = folder.bytes("walk.ndjson");
    let stream = |args: &[&str]| folder.run_with_stdin(&[&["stream"], args].concat(), &frames);
    let (phases, support) = (stream(&[]), stream(&["--method", "support"]));
    assert_ne!(phases.expect_success().stdout, support.expect_success().stdout);
    stream(&["--method", "support", "--preset", "paper"]).expect_error("needs the whole motion");
}
