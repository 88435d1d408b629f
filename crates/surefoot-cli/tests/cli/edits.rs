//! `retarget`, `follow`, loops and root motion.

use super::test_folder::TestFolder;

/// A folder with a generated walk, `steps.bvh`.
fn with_steps() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "steps.bvh"]).expect_success();
    folder
}

#[test]
fn retargeting_to_the_same_skeleton_or_path_changes_no_byte() {
    let folder = with_steps();
    folder.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--no-clean", "-o", "a.bvh"]).expect_success();
    folder
        .run(&["follow", "steps.bvh", "--no-clean", "--path-out", "own.json", "-o", "b.bvh"])
        .expect_success();
    folder.run(&["follow", "steps.bvh", "--no-clean", "--path", "own.json", "-o", "c.bvh"]).expect_success();
    for name in ["a.bvh", "b.bvh", "c.bvh"] {
        assert!(folder.bytes(name) == folder.bytes("steps.bvh"), "{name}");
    }
}

#[test]
fn edits_hold_their_plants_and_report_the_edit() {
    let folder = with_steps();
    let outcome = folder
        .run(&["follow", "steps.bvh", "--turn", "90deg", "--json", "--report", "r.html"])
        .expect_success();
    let json = outcome.json();
    assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.01);
    assert!(json["source_figures"][0]["drift_max_m"].as_f64().is_some(), "{}", json["source_figures"]);
    assert!(folder.text("r.html").contains("edited"));
    let outcome = folder.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--json"]).expect_success();
    assert_eq!(outcome.json()["edit"]["left_in_target"].as_array().unwrap().len(), 0);
}

#[test]
fn flags_may_follow_the_points_of_a_path() {
    let folder = with_steps();
    let path = |points: &str, name: &str| {
        folder.run(&["follow", "steps.bvh", "--through", points, "-o", name]).expect_success();
        folder.bytes(name)
    };
    assert!(path("-1,2 0,4", "a.bvh") == path("-100cm,2m 0m,4m", "b.bvh"));
    assert!(path("-1,2 0,4", "c.bvh") != path("1,2 0,4", "d.bvh"));
    for points in ["", "1", "1,2 x"] {
        folder
            .run(&["follow", "steps.bvh", "--through", points, "-o", "e.bvh"])
            .expect_error("expected points on the ground, as 1,2 or");
    }
}

#[test]
fn a_rig_file_may_name_the_skeleton() {
    let folder = with_steps();
    folder.write("body.toml", "skeleton = \"steps.bvh\"\nunit_m = 0.01\n");
    folder.run(&["retarget", "steps.bvh", "--to", "body.toml", "--no-clean", "-o", "a.bvh"]).expect_success();
    assert!(folder.bytes("a.bvh") == folder.bytes("steps.bvh"));
}

#[test]
fn a_motion_on_another_body_has_the_format_of_that_body_or_of_the_output() {
    let folder = with_steps();
    folder.run(&["sample", "stand", "--skeleton", "bent", "-o", "body.glb"]).expect_success();
    folder.run(&["retarget", "steps.bvh", "--to", "body.glb"]).expect_success();
    assert!(folder.bytes("steps.retarget.glb").starts_with(b"glTF"));
    folder.run(&["retarget", "steps.bvh", "--to", "body.glb", "-o", "a.bvh"]).expect_success();
    assert!(folder.text("a.bvh").starts_with("HIERARCHY"));
    folder.run(&["retarget", "a.bvh", "--to", "steps.bvh", "-o", "b.usda"]).expect_success();
    assert!(folder.text("b.usda").starts_with("#usda"));
    // On its own body a motion becomes another file only where the output has another ending.
    folder.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "-o", "c.glb"]).expect_success();
    assert!(folder.bytes("c.glb").starts_with(b"glTF"));
}

#[test]
fn a_motion_on_an_fbx_character_becomes_a_gltf_file() {
    let Some(character) = surefoot_testdata::path("fbx/rocketbox/m_walk_neutral.max.fbx") else { return };
    let folder = with_steps();
    let to = character.to_str().unwrap();
    let outcome = folder.run(&["retarget", "steps.bvh", "--to", to, "--json"]).expect_success();
    assert!(folder.bytes("steps.retarget.glb").starts_with(b"glTF"));
    let json = outcome.json();
    assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
    // Bones that keep their length have no translation track in a new file.
    assert!(json["channels_changed"].as_array().unwrap().len() <= 2, "{}", json["channels_changed"]);
    assert_eq!(json["stretch_max"]["after"], 0.0);
    let segments = json["edit"]["segments"].as_array().unwrap();
    assert!(segments.iter().all(|one| one["deviates"] == false), "{segments:?}");
    folder
        .run(&["retarget", "steps.bvh", "--to", to, "-o", "a.fbx"])
        .expect_error("surefoot changes keys only: write it as .glb or .bvh");
}

#[test]
fn a_motion_that_does_not_repeat_itself_is_no_loop_unless_a_cycle_is_chosen() {
    let Some(capture) = surefoot_testdata::path("bvh/cmu/102_03.bvh") else { return };
    let folder = TestFolder::new();
    let capture = capture.to_str().unwrap();
    folder.run(&["loop", capture, "-o", "a.bvh"]).expect_error("expected at most 15 cm");
    folder.run(&["loop", capture, "--pick", "1", "-o", "a.bvh"]).expect_success();
}

#[test]
fn a_motion_in_place_and_back_is_measured_on_moving_ground() {
    let folder = with_steps();
    folder.run(&["follow", "steps.bvh", "--in-place", "-o", "still.bvh"]).expect_success();
    let outcome = folder
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
        .expect_success();
    assert!(outcome.json()["drift_max_m"]["after"].as_f64().unwrap() < 1e-5);
}

/// A folder with `cycle.bvh`, a walk that loops: its last pose is its first pose, one stride further.
fn with_cycle() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "6", "--fps", "60", "-o", "walk.bvh"]).expect_success();
    folder
        .run(&["loop", "walk.bvh", "-o", "cycle.bvh", "--plants-out", "cycle.plants.json"])
        .expect_success();
    folder
}

/// The rows of a file's table.
fn rows(folder: &TestFolder, name: &str) -> Vec<Vec<f64>> {
    let text = folder.text(name);
    let numbers = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    numbers.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}

/// Checks that a file loops: its last row equals its first row, except for the root position and heading.
#[track_caller]
fn check_loops(folder: &TestFolder, name: &str) {
    let rows = rows(folder, name);
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    for (column, (a, b)) in first.iter().zip(last).enumerate().skip(6) {
        assert!((a - b).abs() < 1e-3, "{name}: column {column} begins with {a} and ends with {b}");
    }
}

#[test]
fn a_loop_stays_a_loop_through_every_edit() {
    let folder = with_cycle();
    check_loops(&folder, "cycle.bvh");
    folder
        .run(&["retarget", "cycle.bvh", "--to", "walk.bvh", "--loop", "-o", "a.bvh", "--json"])
        .expect_success();
    folder.run(&["follow", "cycle.bvh", "--turn", "40deg", "--loop", "-o", "b.bvh"]).expect_success();
    folder.run(&["clean", "cycle.bvh", "--loop", "-o", "c.bvh"]).expect_success();
    // With --loop, an edit turns a motion that does not loop into a loop.
    folder.run(&["follow", "walk.bvh", "--turn", "40deg", "--loop", "-o", "d.bvh"]).expect_success();
    folder.run(&["retarget", "walk.bvh", "--to", "walk.bvh", "--loop", "-o", "e.bvh"]).expect_success();
    folder.run(&["join", "walk.bvh", "cycle.bvh", "--loop", "-o", "f.bvh"]).expect_success();
    folder
        .run(&["blend", "walk.bvh", "cycle.bvh", "--weight", "0.3", "--loop", "-o", "g.bvh"])
        .expect_success();
    for name in ["a.bvh", "b.bvh", "c.bvh", "d.bvh", "e.bvh", "f.bvh", "g.bvh"] {
        check_loops(&folder, name);
    }
}

#[test]
fn edits_use_the_chosen_method_and_loops_refuse_the_published_form_of_support() {
    let folder = with_cycle();
    let json = folder
        .run(&["follow", "walk.bvh", "--turn", "40deg", "--method", "support", "--json"])
        .expect_success()
        .json();
    assert!(json["notes"].to_string().contains("support phases: "), "{json}");
    for command in ["clean", "follow"] {
        folder
            .run(&[command, "cycle.bvh", "--loop", "--method", "support", "--paper", "-o", "x.bvh"])
            .expect_error("loops cannot be cleaned with the method `support` in its published form");
    }
    assert!(!folder.path("x.bvh").exists());
    folder.run(&["clean", "cycle.bvh", "--loop", "--method", "support", "-o", "x.bvh"]).expect_success();
    check_loops(&folder, "x.bvh");
}

#[test]
fn loops_in_place_end_at_the_position_of_their_start() {
    let folder = with_cycle();
    for (args, name) in [
        (vec!["clean", "cycle.bvh", "--loop", "--in-place"], "cycle.clean.bvh"),
        (vec!["loop", "walk.bvh", "--in-place"], "walk.loop.bvh"),
        (vec!["retarget", "cycle.bvh", "--to", "walk.bvh", "--loop", "--in-place"], "cycle.retarget.bvh"),
    ] {
        let json = folder.run(&[args.as_slice(), &["--json"]].concat()).expect_success().json();
        assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
        check_loops(&folder, name);
        let rows = rows(&folder, name);
        for (a, b) in rows[0].iter().zip(&rows[rows.len() - 1]).take(3) {
            assert!((a - b).abs() < 1e-3, "{name}: the root begins at {a} and ends at {b}");
        }
    }
}

#[test]
fn clean_removes_and_restores_root_motion() {
    let folder = with_steps();
    let still = folder.run(&[
        "clean",
        "steps.bvh",
        "--plants",
        "steps.plants.json",
        "--in-place",
        "--plants-out",
        "belt.json",
        "-o",
        "still.bvh",
        "--json",
    ]);
    assert!(still.expect_success().json()["notes"].to_string().contains("in place: the ground moves at"));
    let distance = |name: &str| {
        let rows = rows(&folder, name);
        (rows[rows.len() - 1][2] - rows[0][2]).abs()
    };
    // The character stands at the start and the end, and moves back with the ground there.
    assert!(
        distance("still.bvh") < 0.7 * distance("steps.bvh"),
        "{} {}",
        distance("still.bvh"),
        distance("steps.bvh")
    );
    // The plants file states the ground velocity, which `measure` and `--root-motion` use.
    let plants: serde_json::Value = serde_json::from_str(&folder.text("belt.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    let measured =
        folder.run(&["measure", "still.bvh", "--plants", "belt.json", "--json"]).expect_success().json();
    assert!(measured["drift_max_m"].as_f64().unwrap() < 1e-5, "{measured}");
    let back =
        ["clean", "still.bvh", "--plants", "belt.json", "--root-motion", "--no-clean", "-o", "back.bvh"];
    folder.run(&back).expect_success();
    folder.run(&["clean", "steps.bvh", "--plants", "steps.plants.json", "-o", "clean.bvh"]).expect_success();
    for (a, b) in rows(&folder, "back.bvh").iter().flatten().zip(rows(&folder, "clean.bvh").iter().flatten())
    {
        assert!((a - b).abs() < 2e-3, "{a} {b}");
    }
    let mut none: serde_json::Value = serde_json::from_str(&folder.text("steps.plants.json")).unwrap();
    none["plants"] = serde_json::json!([]);
    folder.write("none.json", &none.to_string());
    folder
        .run(&["clean", "steps.bvh", "--plants", "none.json", "--in-place", "-o", "x.bvh"])
        .expect_error("--in-place needs planted feet to measure the speed over the ground");
    assert!(!folder.path("x.bvh").exists());
}

/// The position of the root and of the hips in the first and the last frame of a file with two moving joints first.
fn roots(folder: &TestFolder, name: &str) -> [Vec<f64>; 2] {
    let text = folder.text(name);
    let frames = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    let lines: Vec<&str> = frames.collect();
    [lines[0], lines[lines.len() - 1]]
        .map(|line| line.split_whitespace().take(12).map(|number| number.parse().unwrap()).collect())
}

#[test]
fn the_root_bone_follows_the_convention_of_an_engine() {
    let folder = TestFolder::new();
    for rig in ["ground-root", "root-pelvis"] {
        let name = format!("{rig}.bvh");
        folder.run(&["sample", "walk", "--skeleton", rig, "--fps", "30", "-o", &name]).expect_success();
        for (flag, travels) in [
            ("--root-motion=unreal", true),
            ("--root-motion=godot", true),
            ("--root-motion=unity", false),
            ("--in-place=unreal", false),
            ("--in-place=unity", false),
        ] {
            let json = folder
                .run(&["clean", &name, flag, "-o", "out.bvh", "--json", "--force"])
                .expect_success()
                .json();
            assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{rig} {flag} {json}");
            let [first, last] = roots(&folder, "out.bvh");
            // Centimetres: x and z of the root, and its height.
            assert_eq!((last[2] - first[2]).abs() > 100.0, travels, "{rig} {flag}");
            assert!(first[1].abs() < 0.1 && last[1].abs() < 0.1, "{rig} {flag}: the root is on the ground");
        }
    }
    folder.run(&["sample", "walk", "-o", "plain.bvh"]).expect_success();
    folder.run(&["clean", "plain.bvh", "--in-place=unity"]).expect_success();
    folder
        .run(&["clean", "plain.bvh", "--root-motion=unreal", "--force"])
        .expect_error("unreal needs a root bone above the hips")
        .expect_error("surefoot retarget --to RIG.bvh");
    folder.run(&["clean", "plain.bvh", "--in-place=maya", "--force"]).expect_error("unity, unreal, godot");
}

#[test]
fn paths_times_and_windows_beyond_sense_are_refused_with_their_limit() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "-o", "walk.bvh", "--fps", "30"]).expect_success();
    let goals = r#"{ "surefoot": "goals/1", "goals": [{ "frame": 60, "joint": "LeftHand", "shift": [0, 0.05, 0] }] }"#;
    folder.write("g.json", goals);
    let cases: [(&[&str], &str); 8] = [
        (&["follow", "walk.bvh", "--path", "M 0 0 L 0 1e5"], "the path is 100000.0 m long, expected 0."),
        (
            &["follow", "walk.bvh", "--path", "M 0 0 L 0 640", "--keep", "speed"],
            "the path is 640.0 m long, expected",
        ),
        (&["follow", "walk.bvh", "--through", "0,50000"], "m long, expected"),
        (
            &["join", "walk.bvh", "walk.bvh", "--window=1e5s"],
            "the window is 100000 s, expected more than 0 s and at most 60 s",
        ),
        (&["join", "walk.bvh", "walk.bvh", "--fade=1e9"], "the cross-fade is 1000000000 s, expected"),
        (&["blend", "walk.bvh", "walk.bvh", "--weight", "0.5", "--window=1e5s"], "at most 60 s"),
        (&["loop", "walk.bvh", "--ease=1e7"], "the blend window is 10000000 s, expected"),
        (&["reach", "walk.bvh", "--goals", "g.json", "--fade=18446744073709551615"], "up to 3600 s"),
    ];
    for (args, message) in cases {
        folder.run(args).expect_error(message);
    }
    assert_eq!(folder.names(), ["g.json", "walk.bvh", "walk.plants.json"]);
}
