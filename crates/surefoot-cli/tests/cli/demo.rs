//! `demo`: a walk that skates, cleaned, without any input.

use super::test_folder::{TestFolder, names_in};

#[test]
fn a_demo_needs_no_input_and_can_be_repeated() {
    let folder = TestFolder::new();
    let first = folder.run(&["demo"]).expect_success();
    assert_eq!(folder.names(), ["surefoot-demo"]);
    assert_eq!(
        names_in(&folder.path("surefoot-demo")),
        ["walk.bvh", "walk.clean.bvh", "walk.plants.json", "walk.report.html"]
    );
    assert!(first.stdout.contains("surefoot-demo/walk.bvh"), "{first:#?}");
    let second = folder.run(&["demo"]).expect_success();
    assert_eq!(folder.names(), ["surefoot-demo", "surefoot-demo-2"]);
    assert!(second.stdout.contains("surefoot-demo-2/walk.bvh"));
    folder.run(&["demo", "--force"]).expect_success();
    assert_eq!(folder.names(), ["surefoot-demo", "surefoot-demo-2"]);
}

#[test]
fn a_demo_in_a_given_folder_overwrites_only_with_force() {
    let folder = TestFolder::new();
    folder.run(&["demo", "-o", "a/b"]).expect_success();
    folder.run(&["demo", "-o", "a/b"]).expect_error("a/b/walk.bvh exists already");
    folder.run(&["demo", "-o", "a/b", "--force"]).expect_success();
    folder.write("file", "");
    folder.run(&["demo", "-o", "file"]).expect_error("cannot make the folder file");
}

#[test]
fn the_demos_feet_slide_by_centimetres_and_are_held() {
    let folder = TestFolder::new();
    let json = folder.run(&["demo", "--json"]).expect_success().json();
    let drift = |when: &str| json["drift_max_m"][when].as_f64().unwrap();
    assert!(drift("before") > 0.02 && drift("before") < 0.3, "{json:#}");
    assert!(drift("after") < 1e-5, "{json:#}");
    let plants = json["plants"].as_array().unwrap();
    assert!(plants.len() > 8, "{json:#}");
    let page = folder.text("surefoot-demo/walk.report.html");
    assert!(page.contains("plants held"));
    let clean = ["measure", "surefoot-demo/walk.clean.bvh", "--before", "surefoot-demo/walk.bvh"];
    folder
        .run(&[&clean[..], &["--plants", "surefoot-demo/walk.plants.json", "--max-drift", "0.01mm"]].concat())
        .expect_success();
}

#[test]
fn the_output_of_demo_fits_100_columns() {
    let outcome = TestFolder::new().run(&["demo"]).expect_success();
    for line in outcome.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
    }
}
