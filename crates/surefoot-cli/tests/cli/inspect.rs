//! `inspect`: content and inferences of a file, as text, JSON and rig file.

use super::test_folder::{TestFolder, walk};

#[test]
fn json_is_the_only_output_on_stdout() {
    let folder = TestFolder::with_walk();
    let json = folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json();
    assert_eq!(json["frames"], 40);
    assert_eq!(json["fps"], 30.0);
    assert_eq!(json["up"], "y");
    let unit = json["unit_m"].as_f64().unwrap();
    assert!((unit - 0.01).abs() < 1e-9, "{unit}");
    let left = &json["legs"][0];
    assert_eq!(left["side"], "left");
    assert_eq!(left["hip"], "LeftUpLeg");
    assert_eq!(left["knee"], "LeftLeg");
    assert_eq!(left["ankle"], "LeftFoot");
    assert_eq!(left["ball"]["joint"], "LeftToeBase");
    for point in ["heel", "ball", "toe"] {
        assert_eq!(left[point]["offset"].as_array().unwrap().len(), 3);
    }
    assert!(json["warnings"].is_array());
    assert_eq!(json["floor"]["normal"].as_array().unwrap().len(), 3);
    assert_eq!(json["joints"].as_array().unwrap().len(), 9);
    assert_eq!(json["how"]["up"]["reason"].as_str().map(str::is_empty), Some(false));
}

#[test]
fn the_text_fits_100_columns_and_lists_the_inferences() {
    let folder = TestFolder::with_walk();
    let text = folder.run(&["inspect", "walk.bvh"]).expect_success().stdout;
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
        assert_eq!(line.trim_end(), line);
    }
    for word in ["9 joints", "40 frames", "30 frames per second", "LeftUpLeg", "cm", "% sure"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_file_without_legs_is_inspected_with_a_warning() {
    let folder = TestFolder::new();
    let text = "HIERARCHY\nROOT Box\n{\nOFFSET 0 0 0\n\
                CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
                End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0\n0 0 1 0 0 0\n";
    folder.write("box.bvh", text);
    let json = folder.run(&["inspect", "box.bvh", "--json"]).expect_success().json();
    assert_eq!(json["legs"], serde_json::json!([]));
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("no legs were found"), "{warnings}");
    let text = folder.run(&["inspect", "box.bvh"]).expect_success().stdout;
    assert!(text.contains("none found"), "{text}");
}

#[test]
fn every_irregularity_has_a_warning() {
    let folder = TestFolder::new();
    folder.write(
        "odd.bvh",
        &walk()
            .replace("Frames: 40", "Frames: 50")
            .replace("JOINT RightLeg", "ROOT RightLeg")
            .replace("Frame Time: 0.0333333", "Frame Time: 30"),
    );
    let json = folder.run(&["inspect", "odd.bvh", "--json"]).expect_success().json();
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("Frames states 50"), "{warnings}");
    assert!(warnings.contains("found ROOT, expected JOINT"), "{warnings}");
    assert!(warnings.contains("the frame rate is doubtful (60 %)"), "{warnings}");
    assert_eq!(json["fps"], 30.0);
    let text = folder.run(&["inspect", "odd.bvh"]).expect_success().stdout;
    assert!(text.contains("Frames states 50") && text.contains("found ROOT, expected JOINT"), "{text}");
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let folder = TestFolder::new();
    folder.write("evil.bvh", &walk().replace("LeftLeg", "Left\x1b[2JLeg"));
    let text = folder.run(&["inspect", "evil.bvh"]).expect_success().stdout;
    assert!(!text.contains('\x1b'), "{text}");
    // JSON contains the unchanged name.
    let json = folder.run(&["inspect", "evil.bvh", "--json"]).expect_success().json();
    assert_eq!(json["joints"][2]["name"], "Left\x1b[2JLeg");
}

#[test]
fn a_written_rig_gives_the_same_inferences() {
    let folder = TestFolder::with_walk();
    let overrides = ["--unit", "inch", "--floor", "0,1,0.1,0.5"];
    let write = ["inspect", "walk.bvh", "--json", "--rig-out", "walk.rig.toml"];
    let first = folder.run(&[&write[..], &overrides].concat()).expect_success().json();
    assert_eq!(first["unit_m"], 0.0254);
    let again = folder.run(&["inspect", "walk.bvh", "--json", "--rig", "walk.rig.toml"]);
    let again = again.expect_success().json();
    for key in ["unit_m", "up", "floor", "legs"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    folder.run(&write).expect_error("walk.rig.toml exists already");
}

#[test]
fn a_rig_of_another_body_is_refused() {
    let folder = TestFolder::with_walk();
    folder.run(&["inspect", "walk.bvh", "--rig-out", "walk.rig.toml"]).expect_success();
    folder.write("other.bvh", &walk().replace("LeftLeg", "LeftShin"));
    folder
        .run(&["inspect", "other.bvh", "--rig", "walk.rig.toml"])
        .expect_error("LeftLeg")
        .expect_error("walk.rig.toml");
}

#[test]
fn a_rig_on_stdout_is_the_only_output_there() {
    let folder = TestFolder::with_walk();
    let outcome = folder.run(&["inspect", "walk.bvh", "--rig-out", "-"]).expect_success();
    assert!(outcome.stdout.parse::<toml::Table>().is_ok(), "{outcome:#?}");
    assert!(outcome.stderr.contains("9 joints"));
    folder.run(&["inspect", "walk.bvh", "--rig-out", "-", "--json"]).expect_error("cannot both go to stdout");
}

#[test]
fn a_rig_is_read_from_stdin() {
    let folder = TestFolder::with_walk();
    let rig =
        folder.run(&["inspect", "walk.bvh", "--unit", "inch", "--rig-out", "-"]).expect_success().stdout;
    let outcome = folder.run_with_stdin(&["inspect", "walk.bvh", "--json", "--rig", "-"], rig.as_bytes());
    assert_eq!(outcome.expect_success().json()["unit_m"], 0.0254);
    folder.run(&["inspect", "-", "--rig", "-"]).expect_error("stdin can be read only once");
}

#[test]
fn an_invalid_rig_is_reported_with_its_line() {
    let folder = TestFolder::with_walk();
    folder.write("r.toml", "up = \"y\"\nunit = 3\n");
    folder
        .run(&["inspect", "walk.bvh", "--rig", "r.toml"])
        .expect_error("--> r.toml:2:1")
        .expect_error("unit_m");
}

#[test]
fn a_captured_walk_is_inferred_correctly() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let folder = TestFolder::new();
    let file = file.to_str().unwrap();
    let json = folder.run(&["inspect", file, "--json"]).expect_success().json();
    assert_eq!(json["frames"], 344);
    assert_eq!(json["fps"], 120.0);
    assert_eq!(json["up"], "y");
    assert_eq!(json["legs"][0]["ankle"], "LeftFoot");
}

#[test]
fn every_captured_file_has_two_legs_and_fits_100_columns() {
    let folder = TestFolder::new();
    for file in surefoot_testdata::files("bvh", ".bvh") {
        let file = file.to_str().unwrap();
        let json = folder.run(&["inspect", file, "--json"]).expect_success().json();
        assert_eq!(json["legs"].as_array().unwrap().len(), 2, "{file}");
        let text = folder.run(&["inspect", file]).expect_success().stdout;
        for line in text.lines().skip(1) {
            assert!(line.chars().count() <= 100, "{file}: {line:?}");
        }
    }
}
