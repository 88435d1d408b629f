//! `sample`: generated motions.

use super::test_folder::TestFolder;

#[test]
fn a_sample_is_written_with_its_plants() {
    let folder = TestFolder::new();
    let outcome = folder.run(&["sample", "walk"]).expect_success();
    assert_eq!(outcome.stdout, "");
    assert_eq!(folder.names(), ["walk.bvh", "walk.plants.json"]);
    let plants: serde_json::Value = serde_json::from_str(&folder.text("walk.plants.json")).unwrap();
    assert_eq!(plants["surefoot"], "plants/1");
    let json = folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json();
    assert_eq!(plants["motion"]["frames"], json["frames"]);
    assert_eq!(plants["motion"]["fps"], json["fps"]);
    assert!(plants["plants"].as_array().unwrap().len() > 8);
}

#[test]
fn the_same_flags_give_the_same_bytes() {
    let folder = TestFolder::new();
    let flags = ["--skate", "drift", "--seed", "7", "--seconds", "5", "--fps", "30"];
    folder.run(&[&["sample", "turn", "-o", "a.bvh"], &flags[..]].concat()).expect_success();
    folder.run(&[&["sample", "turn", "-o", "b.bvh"], &flags[..]].concat()).expect_success();
    assert_eq!(folder.bytes("a.bvh"), folder.bytes("b.bvh"));
    assert_eq!(folder.bytes("a.plants.json"), folder.bytes("b.plants.json"));
    folder.run(&["sample", "turn", "-o", "c.bvh", "--skate", "drift", "--seed", "8"]).expect_success();
    assert_ne!(folder.bytes("a.bvh"), folder.bytes("c.bvh"));
}

#[test]
fn both_files_are_written_or_none_and_existing_files_stay() {
    let folder = TestFolder::new();
    folder.write("walk.plants.json", "mine");
    folder.run(&["sample", "walk"]).expect_error("walk.plants.json exists already");
    assert_eq!(folder.names(), ["walk.plants.json"]);
    assert_eq!(folder.text("walk.plants.json"), "mine");
    folder.run(&["sample", "walk", "--force"]).expect_success();
    assert_ne!(folder.text("walk.plants.json"), "mine");
}

#[test]
fn a_sample_on_stdout_has_no_plants() {
    let folder = TestFolder::new();
    let outcome = folder.run(&["sample", "stand", "-o", "-"]).expect_success();
    assert!(outcome.stdout.starts_with("HIERARCHY"));
    assert!(folder.names().is_empty());
    let json = folder.run_with_stdin(&["inspect", "-", "--json"], outcome.stdout.as_bytes());
    assert_eq!(json.expect_success().json()["frames"], 361);
}

#[test]
fn invalid_values_are_refused_with_the_valid_ones() {
    let folder = TestFolder::new();
    folder.run(&["sample", "hop"]).expect_error("walk");
    folder.run(&["sample", "walk", "--skate", "slide"]).expect_error("expected scale, drift, noise or blend");
    folder.run(&["sample", "walk", "--skate", "scale=lots"]).expect_error("expected a number after scale=");
    folder.run(&["sample", "walk", "--skeleton", "cat"]).expect_error("four-legs");
    folder.run(&["sample", "walk", "--fps", "0"]).expect_error("found 0 frames per second");
    assert!(folder.names().is_empty());
}
