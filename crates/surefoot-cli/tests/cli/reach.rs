//! `reach`: goals, forms, reports and errors.

use super::test_folder::{TestFolder, walk};

/// A goals file for the walk: the left foot a little higher at frame 10 and a little back at 25.
const GOALS: &str = r#"{ "surefoot": "goals/1",
  "goals": [
    { "frame": 10, "joint": "LeftFoot", "shift": [0, 0.05, 0.02] },
    { "frame": 25, "joint": "LeftFoot", "shift": [0.01, 0.04, 0] } ] }"#;

fn with_goals() -> TestFolder {
    let folder = TestFolder::with_walk();
    folder.write("g.json", GOALS);
    folder
}

/// Checks that all goals are met in the file.
#[track_caller]
fn check_goals_are_met(json: &serde_json::Value) {
    for goal in json["goals"].as_array().unwrap() {
        assert_eq!(goal["met"], true, "{goal}");
        assert!(goal["distance_m"].as_f64().unwrap() < 1e-5, "{goal}");
    }
}

#[test]
fn goals_are_met_in_the_written_file() {
    let folder = with_goals();
    let outcome = folder.run(&["reach", "walk.bvh", "--goals", "g.json", "--json"]).expect_success();
    let json = outcome.json();
    assert_eq!(json["output"], "walk.reach.bvh");
    assert_eq!(json["goals"].as_array().unwrap().len(), 2);
    check_goals_are_met(&json);
    assert!(json["goals"][0]["distance_before_m"].as_f64().unwrap() > 0.05);
    assert!(json["slope_step_max_rad_per_s"].as_f64().unwrap() < 1e-9);
    let joints: Vec<&str> =
        json["joints"].as_array().unwrap().iter().map(|joint| joint["joint"].as_str().unwrap()).collect();
    assert!(joints.iter().all(|joint| joint.starts_with("Left")), "{joints:?}");
    let inspected = folder.run(&["inspect", "walk.reach.bvh", "--json"]).expect_success().json();
    assert_eq!(inspected["frames"], 40);
}

#[test]
fn every_option_meets_the_goals() {
    let folder = with_goals();
    for more in [
        &["--form", "paper"][..],
        &["--fade", "0.2s"],
        &["--spacing", "100ms", "--ease", "50ms", "--w", "0.9"],
        &["--chain-from", "Hips"],
        &["--move-root"],
        &["--turns", "free"],
        &["--limits", "40"],
    ] {
        let args = [&["reach", "walk.bvh", "--goals", "g.json", "--json", "--force"][..], more].concat();
        check_goals_are_met(&folder.run(&args).expect_success().json());
    }
}

#[test]
fn frames_outside_the_fade_are_copied_byte_for_byte() {
    let folder = with_goals();
    folder.run(&["reach", "walk.bvh", "--goals", "g.json", "--fade", "0.1s"]).expect_success();
    let (before, after) = (walk(), folder.text("walk.reach.bvh"));
    let rows = |text: &str| text.lines().rev().take(40).map(str::to_owned).collect::<Vec<_>>();
    let (before, after) = (rows(&before), rows(&after));
    for frame in 0..40 {
        let near = [10i32, 25].iter().any(|key| (key - frame).abs() < 3);
        let row = 39 - frame as usize;
        assert_eq!(before[row] == after[row], !near, "{frame}");
    }
}

#[test]
fn without_goals_the_file_is_a_copy() {
    let folder = with_goals();
    folder.write("none.json", r#"{ "surefoot": "goals/1", "goals": [] }"#);
    folder.run(&["reach", "walk.bvh", "--goals", "none.json"]).expect_success();
    assert_eq!(folder.text("walk.reach.bvh"), walk());
    let limited = ["reach", "walk.bvh", "--goals", "none.json", "--max-miss", "1m", "--force"];
    let outcome = folder.run(&limited);
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    assert!(outcome.stderr.contains("could not be measured: no goal has a position"), "{outcome:#?}");
}

#[test]
fn the_published_form_misses_its_goals_and_a_limit_reports_it() {
    let folder = with_goals();
    let args = [
        "reach",
        "walk.bvh",
        "--goals",
        "g.json",
        "--form",
        "paper",
        "--plain",
        "--json",
        "--max-miss",
        "0.01mm",
    ];
    let outcome = folder.run(&args);
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    let distance = outcome.json()["goals"][0]["distance_m"].as_f64().unwrap();
    assert!(distance > 1e-4 && distance < 0.03, "{distance}");
    assert!(outcome.stderr.contains("limit not met: max-miss"), "{outcome:#?}");
}

#[test]
fn a_goal_out_of_reach_is_reported_with_its_distance() {
    let folder = TestFolder::with_walk();
    folder.write("far.json", r#"{ "surefoot": "goals/1", "goals": [ { "frame": 3, "joint": "LeftFoot", "position": [0, 0.5, 5] } ] }"#);
    let outcome = folder.run(&["reach", "walk.bvh", "--goals", "far.json"]).expect_success();
    assert!(outcome.stdout.contains("0 of 1 goals met"), "{outcome:#?}");
    assert!(outcome.stdout.contains("out of reach; the closest pose is"), "{outcome:#?}");
}

#[test]
fn motions_with_different_frame_rates_need_resampling() {
    let folder = TestFolder::with_walk();
    folder.run(&["sample", "walk", "-o", "other.bvh", "--fps", "60"]).expect_success();
    let goal = |joint: &str| {
        format!(
            r#"{{ "surefoot": "goals/1", "goals": [ {{ "frame": 3, "joint": "LeftFoot", "position": [0, 0.1, 0],
               "relative_to": {{ "joint": "{joint}", "motion": "other.bvh" }} }} ] }}"#
        )
    };
    folder.write("g.json", &goal("LeftFoot"));
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json"])
        .expect_error("other.bvh has 60 frames per second, but walk.bvh has 30")
        .expect_error("--resample");
    folder.run(&["reach", "walk.bvh", "--goals", "g.json", "--resample", "--json"]).expect_success();
    folder.write("g.json", &goal("LeftPaw"));
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json", "--resample", "--force"])
        .expect_error("which other.bvh does not have");
    folder.write("g.json", &goal("LeftFoot").replace("other.bvh", "gone.bvh"));
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json", "--force"])
        .expect_error("cannot read gone.bvh: it does not exist");
}

#[test]
fn bad_goals_are_refused_and_nothing_is_written() {
    let folder = TestFolder::with_walk();
    for (text, message) in [
        ("", "not JSON"),
        ("{}", "not a goals file"),
        (
            r#"{ "surefoot": "goals/1", "goals": [ { "frame": 99, "joint": "LeftFoot", "shift": [0, 0, 0] } ] }"#,
            "the frames are 0 to 39",
        ),
        (
            r#"{ "surefoot": "goals/1", "goals": [ { "frame": 9, "joint": "Leftfoot", "shift": [0, 0, 0] } ] }"#,
            "similar: LeftFoot",
        ),
        (
            r#"{ "surefoot": "goals/1", "goals": [ { "frame": 9, "joint": "LeftFoot", "chain_from": "RightLeg", "shift": [0, 0, 0] } ] }"#,
            "is not below it",
        ),
    ] {
        folder.write("g.json", text);
        folder.run(&["reach", "walk.bvh", "--goals", "g.json"]).expect_error(message);
        assert_eq!(folder.names(), ["g.json", "walk.bvh"]);
    }
    folder.write("g.json", GOALS);
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json", "--chain-from", "LeftLge"])
        .expect_error("similar names: LeftLeg");
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json", "--w", "2"])
        .expect_error("expected a number from 0 to 1");
    folder
        .run(&["reach", "walk.bvh", "--goals", "g.json", "--fade", "soon"])
        .expect_error("expected a time above 0");
    folder.run(&["reach", "-", "--goals", "-"]).expect_error("stdin can be read only once");
    assert_eq!(folder.names(), ["g.json", "walk.bvh"]);
}

#[test]
fn the_report_is_one_page_and_the_plot_one_image() {
    let folder = with_goals();
    folder
        .run(&[
            "reach",
            "walk.bvh",
            "--goals",
            "g.json",
            "--report",
            "r.html",
            "--plot",
            "p.svg",
            "--plot-joint",
            "LeftLeg",
        ])
        .expect_success();
    let page = folder.text("r.html");
    for words in ["2 goals met", "published", "LeftUpLeg", "velocity minus captured", "</html>"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("http://localhost"));
    let plot = folder.text("p.svg");
    assert!(plot.starts_with("<svg") && plot.contains("LeftLeg") && plot.contains("angle"));
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let folder = with_goals();
    let outcome =
        folder.run_with_stdin(&["reach", "-", "--goals", "g.json"], walk().as_bytes()).expect_success();
    assert!(outcome.stdout.starts_with("HIERARCHY") && outcome.stderr.contains("2 of 2 goals met"));
}
