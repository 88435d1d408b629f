//! `sample`: motions from nothing.

use super::here::Here;

#[test]
fn a_sample_comes_with_its_plants() {
    let here = Here::new();
    let ended = here.run(&["sample", "walk"]).done();
    assert_eq!(ended.stdout, "");
    assert_eq!(here.names(), ["walk.bvh", "walk.plants.json"]);
    let plants: serde_json::Value = serde_json::from_str(&here.text("walk.plants.json")).unwrap();
    assert_eq!(plants["surefoot"], "plants/1");
    let json = here.run(&["inspect", "walk.bvh", "--json"]).done().json();
    assert_eq!(plants["motion"]["frames"], json["frames"]);
    assert_eq!(plants["motion"]["fps"], json["fps"]);
    assert!(plants["plants"].as_array().unwrap().len() > 8);
}

#[test]
fn the_same_flags_give_the_same_bytes() {
    let here = Here::new();
    let flags = ["--skate", "drift", "--seed", "7", "--seconds", "5", "--fps", "30"];
    here.run(&[&["sample", "turn", "-o", "a.bvh"], &flags[..]].concat()).done();
    here.run(&[&["sample", "turn", "-o", "b.bvh"], &flags[..]].concat()).done();
    assert_eq!(here.bytes("a.bvh"), here.bytes("b.bvh"));
    assert_eq!(here.bytes("a.plants.json"), here.bytes("b.plants.json"));
    here.run(&["sample", "turn", "-o", "c.bvh", "--skate", "drift", "--seed", "8"]).done();
    assert_ne!(here.bytes("a.bvh"), here.bytes("c.bvh"));
}

#[test]
fn neither_file_is_overwritten_and_neither_is_written_alone() {
    let here = Here::new();
    here.put("walk.plants.json", "mine");
    here.run(&["sample", "walk"]).refused("walk.plants.json exists already");
    assert_eq!(here.names(), ["walk.plants.json"]);
    assert_eq!(here.text("walk.plants.json"), "mine");
    here.run(&["sample", "walk", "--force"]).done();
    assert_ne!(here.text("walk.plants.json"), "mine");
}

#[test]
fn a_sample_on_stdout_is_the_motion_alone() {
    let here = Here::new();
    let ended = here.run(&["sample", "stand", "-o", "-"]).done();
    assert!(ended.stdout.starts_with("HIERARCHY"));
    assert!(here.names().is_empty());
    let json = here.run_with_stdin(&["inspect", "-", "--json"], ended.stdout.as_bytes());
    assert_eq!(json.done().json()["frames"], 361);
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    let here = Here::new();
    here.run(&["sample", "hop"]).refused("walk");
    here.run(&["sample", "walk", "--skate", "slide"]).refused("expected scale, drift, noise or blend");
    here.run(&["sample", "walk", "--skate", "scale=lots"]).refused("expected a number after scale=");
    here.run(&["sample", "walk", "--skeleton", "cat"]).refused("four-legs");
    here.run(&["sample", "walk", "--fps", "0"]).refused("found 0 frames per second");
    assert!(here.names().is_empty());
}
