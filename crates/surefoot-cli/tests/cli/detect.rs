//! `detect`: when each heel and ball is down.

use super::here::{Here, walk};

/// A folder with `walk.bvh`, made from nothing, and its true plants as `true.json`.
fn with_sample() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk"]).done();
    std::fs::rename(here.path("walk.plants.json"), here.path("true.json")).unwrap();
    here
}

fn plants(text: &str) -> Vec<serde_json::Value> {
    let file: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(file["surefoot"], "plants/1");
    file["plants"].as_array().unwrap().clone()
}

#[test]
fn plants_are_found_and_written_beside_the_motion() {
    let here = with_sample();
    let ended = here.run(&["detect", "walk.bvh"]).done();
    assert_eq!(ended.stderr, "");
    assert!(ended.stdout.ends_with("walk.plants.json: the plants; this file can be edited\n"), "{ended:#?}");
    assert_eq!(here.names(), ["true.json", "walk.bvh", "walk.plants.json"]);
    let (found, truth) = (plants(&here.text("walk.plants.json")), plants(&here.text("true.json")));
    assert_eq!(found.len(), truth.len());
    for (found, truth) in found.iter().zip(&truth) {
        assert_eq!((&found["foot"], &found["point"]), (&truth["foot"], &truth["point"]));
        for edge in ["first", "last"] {
            let late = found[edge].as_i64().unwrap() - truth[edge].as_i64().unwrap();
            assert!((-2..=5).contains(&late), "{found} {truth}");
        }
        assert!((0.0..=1.0).contains(&found["confidence"].as_f64().unwrap()));
    }
}

#[test]
fn the_table_has_a_line_for_each_plant_and_fits() {
    let here = with_sample();
    let text = here.run(&["detect", "walk.bvh"]).done().stdout;
    let rows = text.lines().filter(|line| line.contains(" s ") && line.ends_with(" %")).count();
    assert_eq!(rows, plants(&here.text("walk.plants.json")).len());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn json_is_one_value_and_the_file_is_written_too() {
    let here = with_sample();
    let json = here.run(&["detect", "walk.bvh", "-o", "p.json", "--json"]).done().json();
    assert_eq!(json["plants_file"], "p.json");
    assert_eq!(json["method"], "learned");
    assert_eq!(json["ground_m_per_s"], serde_json::Value::Null);
    let file = plants(&here.text("p.json"));
    assert_eq!(json["plants"].as_array().unwrap().len(), file.len());
    assert_eq!(json["plants"][0]["first"], file[0]["first"]);
    assert!(json["plants"][0]["seconds"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_table_is_written_where_it_is_asked_for() {
    let here = with_sample();
    here.run(&["detect", "walk.bvh", "-o", "p.csv"]).done();
    here.run(&["detect", "walk.bvh", "--csv"]).done();
    assert_eq!(here.text("p.csv"), here.text("walk.plants.csv"));
    let text = here.text("p.csv");
    assert!(text.starts_with("left_heel,left_ball,right_heel,right_ball\n"));
    assert_eq!(text.lines().count(), 1 + 361);
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let here = with_sample();
    here.run(&["detect", "walk.bvh"]).done();
    let piped = here.run_with_stdin(&["detect", "-"], &here.bytes("walk.bvh")).done();
    assert_eq!(piped.stdout, here.text("walk.plants.json"));
    assert!(piped.stderr.contains("left"), "{piped:#?}");
    let out = here.run(&["detect", "walk.bvh", "-o", "-"]).done();
    assert_eq!(out.stdout, here.text("walk.plants.json"));
    here.run(&["detect", "walk.bvh", "-o", "-", "--json"]).refused("cannot both go to stdout");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let here = with_sample();
    here.put("walk.plants.json", "mine");
    here.run(&["detect", "walk.bvh"]).refused("walk.plants.json exists already");
    assert_eq!(here.text("walk.plants.json"), "mine");
    here.run(&["detect", "walk.bvh", "--force"]).done();
    assert!(!plants(&here.text("walk.plants.json")).is_empty());
}

#[test]
fn unit_and_axis_make_no_difference() {
    let here = with_sample();
    here.run(&["sample", "walk", "--skate", "noise", "-o", "shaken.bvh"]).done();
    std::fs::remove_file(here.path("shaken.plants.json")).unwrap();
    let frames = |name: &str| -> Vec<[i64; 2]> {
        let inch = format!("{name}.inch.bvh");
        here.run(&["convert", &format!("{name}.bvh"), &inch, "--to-unit", "inch", "--to-up", "z"]).done();
        let found = |file: &str| -> Vec<[i64; 2]> {
            here.run(&["detect", file, "--force"]).done();
            let plants = plants(&here.text(&file.replace(".bvh", ".plants.json")));
            plants.iter().map(|p| ["first", "last"].map(|edge| p[edge].as_i64().unwrap())).collect()
        };
        let (here, there) = (found(&format!("{name}.bvh")), found(&inch));
        assert_eq!(here.len(), there.len(), "{name}");
        here.iter().zip(there).map(|(one, other)| [0, 1].map(|edge| one[edge] - other[edge])).collect()
    };
    assert!(frames("shaken").iter().all(|apart| *apart == [0, 0]));
    // Of a clean one every frame counts in which a point has not left its place by what files round away, and the
    // last digit of an inch is another than that of a centimetre.
    assert!(frames("walk").iter().flatten().all(|apart| apart.abs() <= 1), "{:?}", frames("walk"));
}

#[test]
fn a_skating_walk_has_the_plants_of_a_good_one() {
    let here = with_sample();
    here.run(&["sample", "walk", "-o", "skates.bvh", "--skate", "scale=1.15"]).done();
    here.run(&["detect", "skates.bvh", "--force"]).done();
    assert_eq!(plants(&here.text("skates.plants.json")).len(), plants(&here.text("true.json")).len());
}

#[test]
fn an_inserted_t_pose_is_part_of_no_plant() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let here = Here::new();
    here.run(&["detect", file.to_str().unwrap(), "-o", "p.json"]).done();
    let plants = plants(&here.text("p.json"));
    assert!(plants.iter().all(|plant| plant["first"].as_u64() >= Some(1)), "{plants:#?}");
}

#[test]
fn a_body_without_legs_is_refused_with_what_was_weighed() {
    let here = Here::new();
    let text = walk();
    let (skeleton, _) = text.split_once("  JOINT LeftUpLeg").unwrap();
    let stick =
        "  End Site\n  {\n    OFFSET 0 10 0\n  }\n}\nMOTION\nFrames: 1\nFrame Time: 0.033\n0 0 0 0 0 0\n";
    here.put("stick.bvh", &format!("{skeleton}{stick}"));
    here.run(&["detect", "stick.bvh"]).refused("no legs were found in stick.bvh").refused("--rig");
    assert_eq!(here.names(), ["stick.bvh"]);
    here.run(&["detect", "stick.bvh", "--method", "guess"]).refused("speed-height");
}
