//! `inspect`: what is in a file, for people and for programs.

use super::here::{Here, walk};

#[test]
fn json_is_all_that_is_on_stdout() {
    let here = Here::with_walk();
    let json = here.run(&["inspect", "walk.bvh", "--json"]).done().json();
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
fn text_fits_a_terminal_and_names_what_was_found() {
    let here = Here::with_walk();
    let text = here.run(&["inspect", "walk.bvh"]).done().stdout;
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line:?}");
        assert_eq!(line.trim_end(), line);
    }
    for word in ["9 joints", "40 frames", "30 frames per second", "LeftUpLeg", "cm", "% sure"] {
        assert!(text.contains(word), "{word} in {text}");
    }
}

#[test]
fn a_file_without_legs_is_still_told_about() {
    let here = Here::new();
    let text = "HIERARCHY\nROOT Box\n{\nOFFSET 0 0 0\n\
                CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
                End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0\n0 0 1 0 0 0\n";
    here.put("box.bvh", text);
    let json = here.run(&["inspect", "box.bvh", "--json"]).done().json();
    assert_eq!(json["legs"], serde_json::json!([]));
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("no legs were found"), "{warnings}");
    let text = here.run(&["inspect", "box.bvh"]).done().stdout;
    assert!(text.contains("none found"), "{text}");
}

#[test]
fn every_oddity_is_said() {
    let here = Here::new();
    here.put(
        "odd.bvh",
        &walk()
            .replace("Frames: 40", "Frames: 50")
            .replace("JOINT RightLeg", "ROOT RightLeg")
            .replace("Frame Time: 0.0333333", "Frame Time: 30"),
    );
    let json = here.run(&["inspect", "odd.bvh", "--json"]).done().json();
    let warnings = json["warnings"].to_string();
    assert!(warnings.contains("Frames states 50"), "{warnings}");
    assert!(warnings.contains("found ROOT, expected JOINT"), "{warnings}");
    assert!(warnings.contains("the frame rate is doubtful (60 %)"), "{warnings}");
    assert_eq!(json["fps"], 30.0);
    let text = here.run(&["inspect", "odd.bvh"]).done().stdout;
    assert!(text.contains("Frames states 50") && text.contains("found ROOT, expected JOINT"), "{text}");
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let here = Here::new();
    here.put("evil.bvh", &walk().replace("LeftLeg", "Left\x1b[2JLeg"));
    let text = here.run(&["inspect", "evil.bvh"]).done().stdout;
    assert!(!text.contains('\x1b'), "{text}");
    // A program gets the name as it is.
    let json = here.run(&["inspect", "evil.bvh", "--json"]).done().json();
    assert_eq!(json["joints"][2]["name"], "Left\x1b[2JLeg");
}

#[test]
fn a_rig_goes_round() {
    let here = Here::with_walk();
    let said = ["--unit", "inch", "--floor", "0,1,0.1,0.5"];
    let write = ["inspect", "walk.bvh", "--json", "--rig-out", "walk.rig.toml"];
    let first = here.run(&[&write[..], &said].concat()).done().json();
    assert_eq!(first["unit_m"], 0.0254);
    let again = here.run(&["inspect", "walk.bvh", "--json", "--rig", "walk.rig.toml"]);
    let again = again.done().json();
    for key in ["unit_m", "up", "floor", "legs"] {
        assert_eq!(first[key], again[key], "{key}");
    }
    here.run(&write).refused("walk.rig.toml exists already");
}

#[test]
fn a_rig_of_another_body_is_refused() {
    let here = Here::with_walk();
    here.run(&["inspect", "walk.bvh", "--rig-out", "walk.rig.toml"]).done();
    here.put("other.bvh", &walk().replace("LeftLeg", "LeftShin"));
    here.run(&["inspect", "other.bvh", "--rig", "walk.rig.toml"]).refused("LeftLeg").refused("walk.rig.toml");
}

#[test]
fn a_rig_on_stdout_is_alone_there() {
    let here = Here::with_walk();
    let ended = here.run(&["inspect", "walk.bvh", "--rig-out", "-"]).done();
    assert!(ended.stdout.parse::<toml::Table>().is_ok(), "{ended:#?}");
    assert!(ended.stderr.contains("9 joints"));
    here.run(&["inspect", "walk.bvh", "--rig-out", "-", "--json"]).refused("cannot both go to stdout");
}

#[test]
fn a_rig_comes_from_stdin_too() {
    let here = Here::with_walk();
    let rig = here.run(&["inspect", "walk.bvh", "--unit", "inch", "--rig-out", "-"]).done().stdout;
    let ended = here.run_with_stdin(&["inspect", "walk.bvh", "--json", "--rig", "-"], rig.as_bytes());
    assert_eq!(ended.done().json()["unit_m"], 0.0254);
    here.run(&["inspect", "-", "--rig", "-"]).refused("stdin can be read only once");
}

#[test]
fn a_wrong_rig_shows_its_line() {
    let here = Here::with_walk();
    here.put("r.toml", "up = \"y\"\nunit = 3\n");
    here.run(&["inspect", "walk.bvh", "--rig", "r.toml"]).refused("--> r.toml:2:1").refused("unit_m");
}

#[test]
fn a_captured_walk_is_understood() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let here = Here::new();
    let file = file.to_str().unwrap();
    let json = here.run(&["inspect", file, "--json"]).done().json();
    assert_eq!(json["frames"], 344);
    assert_eq!(json["fps"], 120.0);
    assert_eq!(json["up"], "y");
    assert_eq!(json["legs"][0]["ankle"], "LeftFoot");
}

#[test]
fn every_captured_file_is_told_about() {
    let here = Here::new();
    for file in surefoot_testdata::files("bvh", ".bvh") {
        let file = file.to_str().unwrap();
        let json = here.run(&["inspect", file, "--json"]).done().json();
        assert_eq!(json["legs"].as_array().unwrap().len(), 2, "{file}");
        let text = here.run(&["inspect", file]).done().stdout;
        for line in text.lines().skip(1) {
            assert!(line.chars().count() <= 100, "{file}: {line:?}");
        }
    }
}
