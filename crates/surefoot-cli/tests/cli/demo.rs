//! `demo`: what a newcomer runs first.

use super::here::{Here, names_in};

#[test]
fn a_demo_needs_nothing_and_can_be_run_again() {
    let here = Here::new();
    let first = here.run(&["demo"]).done();
    assert_eq!(here.names(), ["surefoot-demo"]);
    assert_eq!(
        names_in(&here.path("surefoot-demo")),
        ["walk.bvh", "walk.clean.bvh", "walk.plants.json", "walk.report.html"]
    );
    assert!(first.stdout.contains("surefoot-demo/walk.bvh"), "{first:#?}");
    let second = here.run(&["demo"]).done();
    assert_eq!(here.names(), ["surefoot-demo", "surefoot-demo-2"]);
    assert!(second.stdout.contains("surefoot-demo-2/walk.bvh"));
    here.run(&["demo", "--force"]).done();
    assert_eq!(here.names(), ["surefoot-demo", "surefoot-demo-2"]);
}

#[test]
fn a_demo_elsewhere_overwrites_only_with_force() {
    let here = Here::new();
    here.run(&["demo", "-o", "a/b"]).done();
    here.run(&["demo", "-o", "a/b"]).refused("a/b/walk.bvh exists already");
    here.run(&["demo", "-o", "a/b", "--force"]).done();
    here.put("file", "");
    here.run(&["demo", "-o", "file"]).refused("cannot make the folder file");
}

#[test]
fn the_demos_feet_slide_by_centimetres_and_are_held() {
    let here = Here::new();
    let json = here.run(&["demo", "--json"]).done().json();
    let drift = |when: &str| json["drift_max_m"][when].as_f64().unwrap();
    assert!(drift("before") > 0.02 && drift("before") < 0.3, "{json:#}");
    assert!(drift("after") < 1e-5, "{json:#}");
    let plants = json["plants"].as_array().unwrap();
    assert!(plants.len() > 8, "{json:#}");
    let page = here.text("surefoot-demo/walk.report.html");
    assert!(page.contains("plants held"));
    let clean = ["measure", "surefoot-demo/walk.clean.bvh", "--before", "surefoot-demo/walk.bvh"];
    here.run(
        &[&clean[..], &["--plants", "surefoot-demo/walk.plants.json", "--max-drift", "0.01mm"]].concat(),
    )
    .done();
}

#[test]
fn a_demo_reads_well_in_a_hundred_columns() {
    let ended = Here::new().run(&["demo"]).done();
    for line in ended.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
    }
}
