//! `surefoot.toml`, and its precedence against flags.

use super::test_folder::{TestFolder, walk};

#[track_caller]
fn unit_and_up(folder: &TestFolder, args: &[&str]) -> (f64, String) {
    let json = folder.run(args).expect_success().json();
    let up = json["up"].as_str().unwrap().to_owned();
    (json["unit_m"].as_f64().unwrap(), up)
}

#[test]
fn settings_are_read_from_the_folder_of_the_file_or_above_it() {
    let folder = TestFolder::new();
    std::fs::create_dir_all(folder.path("clips/day1")).unwrap();
    folder.write("clips/day1/walk.bvh", &walk());
    let inspect = ["inspect", "clips/day1/walk.bvh", "--json"];
    folder.write("clips/surefoot.toml", "unit = \"inch\"\nup = \"z\"\n");
    assert_eq!(unit_and_up(&folder, &inspect), (0.0254, "z".into()));
    // Only the nearest settings file is read.
    folder.write("clips/day1/surefoot.toml", "up = \"-y\"\n");
    assert_eq!(unit_and_up(&folder, &inspect).1, "-y");
    assert_ne!(unit_and_up(&folder, &inspect).0, 0.0254);
}

#[test]
fn settings_for_stdin_are_read_from_the_current_folder() {
    let folder = TestFolder::new();
    folder.write("surefoot.toml", "unit = 0.5\n");
    let outcome = folder.run_with_stdin(&["inspect", "-", "--json"], walk().as_bytes()).expect_success();
    assert_eq!(outcome.json()["unit_m"], 0.5);
}

#[test]
fn flags_win_over_settings() {
    let folder = TestFolder::with_walk();
    folder.write("surefoot.toml", "unit = \"inch\"\nup = \"z\"\nfloor = 0.25\n");
    let inspect = ["inspect", "walk.bvh", "--json", "--unit", "mm"];
    assert_eq!(unit_and_up(&folder, &inspect), (0.001, "z".into()));
    let text = folder.run(&["inspect", "walk.bvh"]).expect_success().stdout;
    assert!(text.contains("surefoot.toml"), "the settings file is named: {text}");
    let json = folder.run(&["inspect", "walk.bvh", "--json", "--floor", "-0.5"]);
    let floor = &json.expect_success().json()["floor"];
    assert_eq!(floor["offset_m"], -0.5);
    assert_eq!(floor["normal"], serde_json::json!([0.0, 0.0, 1.0]));
}

#[test]
fn an_unknown_setting_is_refused_with_a_similar_one() {
    let folder = TestFolder::with_walk();
    folder.write("surefoot.toml", "up = \"y\"\nunits = \"cm\"\n");
    folder
        .run(&["inspect", "walk.bvh"])
        .expect_error("no setting `units`; did you mean `unit`?")
        .expect_error("surefoot.toml:2:1");
}

#[test]
fn a_setting_with_an_invalid_value_is_refused() {
    let folder = TestFolder::with_walk();
    folder.write("surefoot.toml", "unit = \"furlong\"\n");
    folder
        .run(&["inspect", "walk.bvh"])
        .expect_error("`unit`: expected m, cm, mm, inch, ft")
        .expect_error("surefoot.toml:1:8");
    folder.write("surefoot.toml", "unit = \n");
    folder.run(&["inspect", "walk.bvh"]).expect_error("surefoot.toml:1:");
}

#[test]
fn a_rig_path_in_surefoot_toml_is_relative_to_its_folder() {
    let folder = TestFolder::new();
    std::fs::create_dir(folder.path("clips")).unwrap();
    folder.write("clips/walk.bvh", &walk());
    folder.write("surefoot.toml", "rig = \"my.rig.toml\"\n");
    folder.run(&["inspect", "clips/walk.bvh"]).expect_error("my.rig.toml: it does not exist");
    folder
        .run(&["inspect", "clips/walk.bvh", "--unit", "inch", "--rig-out", "my.rig.toml"])
        .expect_error("my.rig.toml: it does not exist");
    folder.write("surefoot.toml", "");
    folder.run(&["inspect", "clips/walk.bvh", "--unit", "inch", "--rig-out", "my.rig.toml"]).expect_success();
    folder.write("surefoot.toml", "rig = \"my.rig.toml\"\n");
    let inspect = ["inspect", "clips/walk.bvh", "--json"];
    assert_eq!(unit_and_up(&folder, &inspect).0, 0.0254);
}

#[test]
fn the_settings_can_state_the_frame_rate() {
    let folder = TestFolder::with_walk();
    folder.write("surefoot.toml", "fps = 60\n");
    let fps = |args: &[&str]| folder.run(args).expect_success().json()["fps"].as_f64();
    assert_eq!(fps(&["inspect", "walk.bvh", "--json"]), Some(60.0));
    assert_eq!(fps(&["inspect", "walk.bvh", "--json", "--fps", "24"]), Some(24.0));
    folder.run(&["inspect", "walk.bvh", "--fps", "0"]).expect_error("more than 0");
}

#[test]
fn the_settings_file_that_applies_is_named() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    folder.write("surefoot.toml", "stretch = \"1%\"\n");
    let text = folder.run(&["clean", "walk.bvh"]).expect_success();
    assert!(text.stderr.contains("surefoot.toml apply"), "{}", text.stderr);
    let json = folder.run(&["clean", "walk.bvh", "--json", "--force"]).expect_success().json();
    let is_named = |json: &serde_json::Value| {
        json["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|warning| warning.as_str().unwrap().contains("surefoot.toml"))
    };
    assert!(is_named(&json), "{json}");
    for args in [
        &["plot", "walk.bvh"][..],
        &["convert", "walk.bvh", "walk.ndjson"],
        &["convert", "walk.bvh", "walk.glb"],
        &["detect", "walk.bvh", "-o", "plants.json"],
        &["measure", "walk.bvh"],
    ] {
        let outcome = folder.run(args).expect_success();
        assert!(outcome.stderr.contains("surefoot.toml apply"), "{args:?}: {}", outcome.stderr);
    }
    // Only the administrator can give a file to someone else.
    #[cfg(target_os = "linux")]
    if std::os::unix::fs::chown(folder.path("surefoot.toml"), Some(12_345), None).is_ok() {
        let json = folder.run(&["clean", "walk.bvh", "--json", "--force"]).expect_success().json();
        assert!(!is_named(&json), "{json}");
    }
}

#[test]
fn outputs_replace_neither_each_other_nor_the_motion() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    let before = folder.bytes("walk.bvh");
    folder
        .run(&["clean", "walk.bvh", "-o", "x.bvh", "--report", "./x.bvh"])
        .expect_error("two outputs are the same file: x.bvh and ./x.bvh");
    folder
        .run(&["detect", "walk.bvh", "-o", "walk.bvh", "--force"])
        .expect_error("cannot write walk.bvh: BVH files cannot hold plants");
    assert!(folder.bytes("walk.bvh") == before);
    let replacing: [&[&str]; 3] = [
        &["clean", "walk.bvh", "--report", "walk.bvh", "--force"],
        &["inspect", "walk.bvh", "--rig-out", "walk.bvh", "--force"],
        &["plot", "walk.bvh", "-o", "walk.bvh", "--force"],
    ];
    for args in replacing {
        folder.run(args).expect_error("walk.bvh is a motion, which this output would replace");
        assert!(folder.bytes("walk.bvh") == before, "{args:?}");
    }
}

#[test]
fn no_input_is_replaced_by_an_output_of_another_kind() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.glb"]).expect_success();
    folder.run(&["convert", "walk.bvh", "walk.ndjson"]).expect_success();
    std::fs::write(folder.path("amc"), ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\n").unwrap();
    std::fs::write(folder.path("gltf"), "{\"asset\":{\"version\":\"2.0\"}}").unwrap();
    for motion in ["walk.glb", "walk.ndjson", "amc", "gltf"] {
        let before = folder.bytes(motion);
        let problem = match motion {
            // A glTF file can hold the plants of its own motion.
            "walk.glb" => "walk.glb would be a glTF file, but the motion is BVH".into(),
            _ => format!("{motion} is a motion, which this output would replace"),
        };
        folder.run(&["detect", "walk.bvh", "-o", motion, "--force"]).expect_error(&problem);
        assert!(folder.bytes(motion) == before, "{motion}");
    }
    let plants = folder.bytes("walk.plants.json");
    folder
        .run(&[
            "clean",
            "walk.bvh",
            "--plants",
            "walk.plants.json",
            "--report",
            "walk.plants.json",
            "--force",
        ])
        .expect_error("walk.plants.json is an input of this command, which this output would replace");
    assert!(folder.bytes("walk.plants.json") == plants);
    // Plants may be replaced by plants, a report by a report.
    let again = ["--plants", "walk.plants.json", "--plants-out", "walk.plants.json", "--force"];
    folder.run(&[&["clean", "walk.bvh", "-o", "out.bvh"], &again[..]].concat()).expect_success();
}
