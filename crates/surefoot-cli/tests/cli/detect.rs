//! `detect`: when each heel and ball is down.

use super::test_folder::{TestFolder, walk};

/// A folder with a sample as `walk.bvh` and its true plants as `true.json`.
fn with_sample() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    std::fs::rename(folder.path("walk.plants.json"), folder.path("true.json")).unwrap();
    folder
}

fn plants(text: &str) -> Vec<serde_json::Value> {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(file["surefoot"], "plants/1");
    file["plants"].as_array().unwrap().clone()
}

#[test]
fn plants_are_detected_and_written_beside_the_motion() {
    let folder = with_sample();
    let outcome = folder.run(&["detect", "walk.bvh"]).expect_success();
    assert_eq!(outcome.stderr, "");
    assert!(
        outcome.stdout.ends_with("walk.plants.json: the plants; this file can be edited\n"),
        "{outcome:#?}"
    );
    assert_eq!(folder.names(), ["true.json", "walk.bvh", "walk.plants.json"]);
    let (detected, truth) = (plants(&folder.text("walk.plants.json")), plants(&folder.text("true.json")));
    assert_eq!(detected.len(), truth.len());
    for (detected, truth) in detected.iter().zip(&truth) {
        assert_eq!((&detected["foot"], &detected["point"]), (&truth["foot"], &truth["point"]));
        for edge in ["first", "last"] {
            let delay = detected[edge].as_i64().unwrap() - truth[edge].as_i64().unwrap();
            assert!((-2..=5).contains(&delay), "{detected} {truth}");
        }
        assert!((0.0..=1.0).contains(&detected["confidence"].as_f64().unwrap()));
    }
}

#[test]
fn the_table_has_a_line_for_each_plant_and_fits_100_columns() {
    let folder = with_sample();
    let text = folder.run(&["detect", "walk.bvh"]).expect_success().stdout;
    let rows = text.lines().filter(|line| line.contains(" s ") && line.ends_with(" %")).count();
    assert_eq!(rows, plants(&folder.text("walk.plants.json")).len());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn cleaning_with_the_detected_plants_gives_the_bytes_of_clean() {
    let folder = with_sample();
    folder.run(&["sample", "walk", "--skate", "scale", "-o", "skate.bvh"]).expect_success();
    for name in ["walk.bvh", "skate.bvh"] {
        folder.run(&["detect", name, "-o", "p.json", "--force"]).expect_success();
        folder.run(&["clean", name, "--plants", "p.json", "-o", "given.bvh", "--force"]).expect_success();
        folder.run(&["clean", name, "-o", "found.bvh", "--force"]).expect_success();
        assert!(folder.bytes("given.bvh") == folder.bytes("found.bvh"), "{name}");
    }
}

#[test]
fn json_is_one_value_and_the_file_is_written_too() {
    let folder = with_sample();
    let json = folder.run(&["detect", "walk.bvh", "-o", "p.json", "--json"]).expect_success().json();
    assert_eq!(json["plants_file"], "p.json");
    assert_eq!(json["method"], "learned");
    assert_eq!(json["ground_m_per_s"], serde_json::Value::Null);
    let file = plants(&folder.text("p.json"));
    assert_eq!(json["plants"].as_array().unwrap().len(), file.len());
    assert_eq!(json["plants"][0]["first"], file[0]["first"]);
    assert!(json["plants"][0]["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn plants_are_written_as_csv_on_request() {
    let folder = with_sample();
    folder.run(&["detect", "walk.bvh", "-o", "p.csv"]).expect_success();
    folder.run(&["detect", "walk.bvh", "--csv"]).expect_success();
    assert_eq!(folder.text("p.csv"), folder.text("walk.plants.csv"));
    let text = folder.text("p.csv");
    assert!(text.starts_with("left_heel,left_ball,right_heel,right_ball\n"));
    assert_eq!(text.lines().count(), 1 + 361);
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let folder = with_sample();
    folder.run(&["detect", "walk.bvh"]).expect_success();
    let piped = folder.run_with_stdin(&["detect", "-"], &folder.bytes("walk.bvh")).expect_success();
    assert_eq!(piped.stdout, folder.text("walk.plants.json"));
    assert!(piped.stderr.contains("left"), "{piped:#?}");
    let out = folder.run(&["detect", "walk.bvh", "-o", "-"]).expect_success();
    assert_eq!(out.stdout, folder.text("walk.plants.json"));
    folder.run(&["detect", "walk.bvh", "-o", "-", "--json"]).expect_error("cannot both go to stdout");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = with_sample();
    folder.write("walk.plants.json", "mine");
    folder.run(&["detect", "walk.bvh"]).expect_error("walk.plants.json exists already");
    assert_eq!(folder.text("walk.plants.json"), "mine");
    folder.run(&["detect", "walk.bvh", "--force"]).expect_success();
    assert!(!plants(&folder.text("walk.plants.json")).is_empty());
}

#[test]
fn unit_and_axis_do_not_change_the_plants() {
    let folder = with_sample();
    folder.run(&["sample", "walk", "--skate", "noise", "-o", "shaken.bvh"]).expect_success();
    std::fs::remove_file(folder.path("shaken.plants.json")).unwrap();
    let differences = |name: &str| -> Vec<[i64; 2]> {
        let inch = format!("{name}.inch.bvh");
        folder
            .run(&["convert", &format!("{name}.bvh"), &inch, "--to-unit", "inch", "--to-up", "z"])
            .expect_success();
        let edges = |file: &str| -> Vec<[i64; 2]> {
            folder.run(&["detect", file, "--force"]).expect_success();
            let plants = plants(&folder.text(&file.replace(".bvh", ".plants.json")));
            plants.iter().map(|p| ["first", "last"].map(|edge| p[edge].as_i64().unwrap())).collect()
        };
        let (metres, inches) = (edges(&format!("{name}.bvh")), edges(&inch));
        assert_eq!(metres.len(), inches.len(), "{name}");
        metres.iter().zip(inches).map(|(one, other)| [0, 1].map(|edge| one[edge] - other[edge])).collect()
    };
    assert!(differences("shaken").iter().all(|difference| *difference == [0, 0]));
    // In a motion without noise a planted point is exactly at rest, so the edges of a plant depend on the rounding
    // of the file, which differs between inches and centimetres.
    assert!(
        differences("walk").iter().flatten().all(|difference| difference.abs() <= 1),
        "{:?}",
        differences("walk")
    );
}

#[test]
fn a_skating_walk_has_as_many_plants_as_a_clean_one() {
    let folder = with_sample();
    folder.run(&["sample", "walk", "-o", "skates.bvh", "--skate", "scale=1.15"]).expect_success();
    folder.run(&["detect", "skates.bvh", "--force"]).expect_success();
    assert_eq!(plants(&folder.text("skates.plants.json")).len(), plants(&folder.text("true.json")).len());
}

#[test]
fn an_inserted_t_pose_is_part_of_no_plant() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let folder = TestFolder::new();
    folder.run(&["detect", file.to_str().unwrap(), "-o", "p.json"]).expect_success();
    let plants = plants(&folder.text("p.json"));
    assert!(plants.iter().all(|plant| plant["first"].as_u64() >= Some(1)), "{plants:#?}");
}

#[test]
fn a_body_without_legs_is_refused() {
    let folder = TestFolder::new();
    let text = walk();
    let (skeleton, _) = text.split_once("  JOINT LeftUpLeg").unwrap();
    let stick =
        "  End Site\n  {\n    OFFSET 0 10 0\n  }\n}\nMOTION\nFrames: 1\nFrame Time: 0.033\n0 0 0 0 0 0\n";
    folder.write("stick.bvh", &format!("{skeleton}{stick}"));
    folder
        .run(&["detect", "stick.bvh"])
        .expect_error("no legs were found in stick.bvh")
        .expect_error("--rig");
    assert_eq!(folder.names(), ["stick.bvh"]);
    folder.run(&["detect", "stick.bvh", "--method", "guess"]).expect_error("speed-height");
}
