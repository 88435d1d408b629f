//! `retarget` and `follow` as a person meets them.

use super::here::Here;

/// A walk of a few steps, made.
fn here() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "-o", "steps.bvh"]).done();
    here
}

#[test]
fn a_motion_on_its_own_body_or_path_keeps_every_byte() {
    let here = here();
    here.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--no-clean", "-o", "a.bvh"]).done();
    here.run(&["follow", "steps.bvh", "--no-clean", "--path-out", "own.json", "-o", "b.bvh"]).done();
    here.run(&["follow", "steps.bvh", "--no-clean", "--path", "own.json", "-o", "c.bvh"]).done();
    for name in ["a.bvh", "b.bvh", "c.bvh"] {
        assert!(here.bytes(name) == here.bytes("steps.bvh"), "{name}");
    }
}

#[test]
fn edits_end_clean_and_say_what_they_did() {
    let here = here();
    let ended = here.run(&["follow", "steps.bvh", "--turn", "90deg", "--json", "--report", "r.html"]).done();
    let json = ended.json();
    assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.01);
    assert!(json["captured"][0]["drift_max_m"].as_f64().is_some(), "{}", json["captured"]);
    assert!(here.text("r.html").contains("edited"));
    let ended = here.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--json"]).done();
    assert_eq!(ended.json()["edit"]["left_in_target"].as_array().unwrap().len(), 0);
}

#[test]
fn a_rig_file_may_name_the_skeleton() {
    let here = here();
    here.put("body.toml", "skeleton = \"steps.bvh\"\nunit_m = 0.01\n");
    here.run(&["retarget", "steps.bvh", "--to", "body.toml", "--no-clean", "-o", "a.bvh"]).done();
    assert!(here.bytes("a.bvh") == here.bytes("steps.bvh"));
}

#[test]
fn in_place_and_back_is_measured_on_moving_ground() {
    let here = here();
    here.run(&["follow", "steps.bvh", "--in-place", "-o", "still.bvh"]).done();
    let ended = here
        .run(&[
            "follow",
            "still.bvh",
            "--root-motion",
            "--plants",
            "steps.plants.json",
            "-o",
            "back.bvh",
            "--json",
        ])
        .done();
    assert!(ended.json()["drift_max_m"]["after"].as_f64().unwrap() < 1e-5);
}
