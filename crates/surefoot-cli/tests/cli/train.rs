//! `train` and `score`: what they refuse, and what they make. The figures are `surefoot-train`'s to hold.

use super::here::Here;

/// A folder with `walk.bvh` and its true plants.
fn with_walk(args: &[&str]) -> Here {
    let here = Here::new();
    here.run(&[&["sample", "walk"], args].concat()).done();
    here
}

/// As many rows as the motion has frames, both feet alike.
fn labels(here: &Here, row: &str) -> String {
    let frames = here.run(&["inspect", "walk.bvh", "--json"]).done().json()["frames"].as_u64().unwrap();
    format!("left_contact,right_contact\n{}", format!("{row}\n").repeat(frames as usize))
}

#[test]
fn a_folder_without_labels_is_refused() {
    let here = with_walk(&[]);
    std::fs::remove_file(here.path("walk.plants.json")).unwrap();
    here.run(&["score", "."]).refused(". contains no labelled motions");
    here.run(&["score", "walk.bvh"]).refused("has no labels in its folder");
    here.run(&["train", "nowhere", "-o", "m"]).refused("nowhere");
    assert_eq!(here.names(), ["walk.bvh"]);
}

#[test]
fn labels_that_do_not_fit_are_refused_with_their_line() {
    let here = with_walk(&[]);
    here.put("walk.contacts.csv", "left_contact,right_contact\n1,0\n1,0\n");
    here.run(&["score", "walk.bvh"]).refused("the labels are for 2 frames, but the motion has 361");
    here.put("walk.contacts.csv", &labels(&here, "1,7"));
    let ended = here.run(&["train", "walk.bvh", "-o", "own.model"]).refused("right_contact is \"7\"");
    assert!(ended.stderr.contains("walk.contacts.csv:2"), "{ended:#?}");
    here.put("walk.contacts.csv", &labels(&here, "1,0").replace("left", "front_left"));
    here.run(&["score", "walk.bvh"]).refused("the feet of the motion are left, right");
    assert!(!here.names().contains(&"own.model".into()));
}

#[test]
fn one_class_and_three_frames_are_refused_and_nothing_is_written() {
    let here = with_walk(&[]);
    here.put("walk.contacts.csv", &labels(&here, "1,1"));
    here.run(&["train", "walk.bvh", "-o", "own.model"]).refused("every labelled foot is down");
    here.put("walk.contacts.csv", &labels(&here, "-1,-1"));
    here.run(&["train", "walk.bvh", "-o", "own.model"]).refused("found 0 labelled frames");
    let text = here.text("walk.bvh");
    let (head, rows) = text.split_once("Frames:").unwrap();
    let rows: Vec<&str> = rows.lines().skip(1).take(4).collect();
    here.put("short.bvh", &format!("{head}Frames: 3\n{}\n", rows.join("\n")));
    here.put("short.contacts.csv", "left_contact,right_contact\n1,1\n1,0\n1,0\n");
    here.run(&["train", "short.bvh", "-o", "own.model"]).refused("found 6 labelled frames");
    // Inferred plants in it is fine: it says what it can.
    here.run(&["detect", "short.bvh"]).done();
    assert!(!here.names().contains(&"own.model".into()));
}

#[test]
fn a_model_of_another_version_is_refused() {
    let here = with_walk(&[]);
    here.put("old.model", "surefoot/model/0 and more");
    here.put("no.model", "HIERARCHY");
    let detect = |model: &str| here.run(&["detect", "walk.bvh", "-o", "p.json", "--model", model]);
    detect("old.model").refused("another version");
    detect("no.model").refused("not a surefoot model");
    here.run(&["train", "walk.bvh", "--from", "old.model", "-o", "m"]).refused("another version");
    let both = ["detect", "walk.bvh", "-o", "p.json", "--model", "shipped", "--method", "speed-height"];
    here.run(&both).refused("--method speed-height takes no model");
    assert_eq!(here.names(), ["no.model", "old.model", "walk.bvh", "walk.plants.json"]);
}

#[test]
fn corrected_plants_make_a_model_that_detect_asks() {
    let here = with_walk(&["--seconds", "4"]);
    let plants = ["--plants", "walk.plants.json"];
    here.run(&[&["train", "walk.bvh", "--from", "shipped", "-o", "own.model"], &plants[..]].concat()).done();
    here.run(&[&["train", "walk.bvh", "--from", "shipped", "-o", "same.model"], &plants[..]].concat()).done();
    assert_eq!(here.bytes("own.model"), here.bytes("same.model"));
    here.run(&["detect", "walk.bvh", "-o", "p.json", "--model", "own.model"]).done();
    let two = ["train", "walk.bvh", "-o", "m", "--plants", "walk.plants.json", "p.json"];
    here.run(&two).refused("2 plants files given for 1 motions");
}

#[test]
fn score_prints_a_table_of_a_model_as_it_is() {
    let here = with_walk(&["--seconds", "4"]);
    let json = here.run(&["score", "walk.bvh", "--model", "shipped", "--json"]).done().json();
    assert_eq!(json["unseen"], false);
    assert!(json["rows"][0]["f1"].as_f64().unwrap() > 0.97, "{json}");
    assert!(json["rows"][0]["frames"].as_u64().unwrap() > 400);
    let text = here.run(&["score", "walk.bvh", "--method", "speed-height"]).done().stdout;
    assert!(text.contains("root path × 0.85") && text.contains("F1"), "{text}");
}

#[test]
fn the_least_sure_are_asked_first() {
    let here = with_walk(&["--skate", "noise"]);
    let json = here.run(&["detect", "walk.bvh", "-o", "p.json", "--ask", "--json"]).done().json();
    let sure: Vec<f64> = json["plants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|plant| plant["confidence"].as_f64().unwrap())
        .collect();
    assert!(sure.windows(2).all(|pair| pair[0] <= pair[1]), "{sure:?}");
}
