//! `reach` as a person meets it.

use super::here::{Here, walk};

/// A goals file for the walk: the left foot a little higher at frame 10 and a little back at 25.
const GOALS: &str = r#"{ "surefoot": "goals/1",
  "goals": [
    { "frame": 10, "joint": "LeftFoot", "shift": [0, 0.05, 0.02] },
    { "frame": 25, "joint": "LeftFoot", "shift": [0.01, 0.04, 0] } ] }"#;

fn here() -> Here {
    let here = Here::with_walk();
    here.put("g.json", GOALS);
    here
}

/// All goals of a `--json` are met in the file.
#[track_caller]
fn all_met(json: &serde_json::Value) {
    for goal in json["goals"].as_array().unwrap() {
        assert_eq!(goal["met"], true, "{goal}");
        assert!(goal["distance_m"].as_f64().unwrap() < 1e-5, "{goal}");
    }
}

#[test]
fn goals_are_met_in_the_written_file() {
    let here = here();
    let ended = here.run(&["reach", "walk.bvh", "--goals", "g.json", "--json"]).done();
    let json = ended.json();
    assert_eq!(json["output"], "walk.reach.bvh");
    assert_eq!(json["goals"].as_array().unwrap().len(), 2);
    all_met(&json);
    assert!(json["goals"][0]["distance_before_m"].as_f64().unwrap() > 0.05);
    assert!(json["slope_step_max_rad_per_s"].as_f64().unwrap() < 1e-9);
    let joints: Vec<&str> =
        json["joints"].as_array().unwrap().iter().map(|joint| joint["joint"].as_str().unwrap()).collect();
    assert!(joints.iter().all(|joint| joint.starts_with("Left")), "{joints:?}");
    // The file knows nothing of how it was made: asked again, nothing is left to do but rounding.
    let again = here.run(&["inspect", "walk.reach.bvh", "--json"]).done().json();
    assert_eq!(again["frames"], 40);
}

#[test]
fn every_way_of_doing_it_does_it() {
    let here = here();
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
        all_met(&here.run(&args).done().json());
    }
}

#[test]
fn frames_out_of_a_fades_reach_keep_their_bytes() {
    let here = here();
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--fade", "0.1s"]).done();
    let (before, after) = (walk(), here.text("walk.reach.bvh"));
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
    let here = here();
    here.put("none.json", r#"{ "surefoot": "goals/1", "goals": [] }"#);
    here.run(&["reach", "walk.bvh", "--goals", "none.json"]).done();
    assert_eq!(here.text("walk.reach.bvh"), walk());
}

#[test]
fn the_published_result_leaves_a_residue_and_a_limit_says_so() {
    let here = here();
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
    let ended = here.run(&args);
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    let missed = ended.json()["goals"][0]["distance_m"].as_f64().unwrap();
    assert!(missed > 1e-4 && missed < 0.03, "{missed}");
    assert!(ended.stderr.contains("limit not met: --max-miss"), "{ended:#?}");
}

#[test]
fn a_goal_out_of_reach_is_said_with_its_distance() {
    let here = Here::with_walk();
    here.put("far.json", r#"{ "surefoot": "goals/1", "goals": [ { "frame": 3, "joint": "LeftFoot", "position": [0, 0.5, 5] } ] }"#);
    let ended = here.run(&["reach", "walk.bvh", "--goals", "far.json"]).done();
    assert!(ended.stdout.contains("0 of 1 goals met"), "{ended:#?}");
    assert!(ended.stdout.contains("out of reach; the closest pose is"), "{ended:#?}");
}

#[test]
fn two_motions_and_two_frame_rates() {
    let here = Here::with_walk();
    here.run(&["sample", "walk", "-o", "other.bvh", "--fps", "60"]).done();
    let goal = |joint: &str| {
        format!(
            r#"{{ "surefoot": "goals/1", "goals": [ {{ "frame": 3, "joint": "LeftFoot", "position": [0, 0.1, 0],
               "relative_to": {{ "joint": "{joint}", "motion": "other.bvh" }} }} ] }}"#
        )
    };
    here.put("g.json", &goal("LeftFoot"));
    here.run(&["reach", "walk.bvh", "--goals", "g.json"])
        .refused("other.bvh has 60 frames per second, but walk.bvh has 30")
        .refused("--resample");
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--resample", "--json"]).done();
    here.put("g.json", &goal("LeftPaw"));
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--resample", "--force"])
        .refused("which other.bvh does not have");
    here.put("g.json", &goal("LeftFoot").replace("other.bvh", "gone.bvh"));
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--force"])
        .refused("cannot read gone.bvh: it does not exist");
}

#[test]
fn bad_goals_are_refused_and_nothing_is_written() {
    let here = Here::with_walk();
    for (text, said) in [
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
        here.put("g.json", text);
        here.run(&["reach", "walk.bvh", "--goals", "g.json"]).refused(said);
        assert_eq!(here.names(), ["g.json", "walk.bvh"]);
    }
    here.put("g.json", GOALS);
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--chain-from", "LeftLge"])
        .refused("similar names: LeftLeg");
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--w", "2"])
        .refused("expected a number from 0 to 1");
    here.run(&["reach", "walk.bvh", "--goals", "g.json", "--fade", "soon"])
        .refused("expected a time above 0");
    here.run(&["reach", "-", "--goals", "-"]).refused("stdin can be read only once");
    assert_eq!(here.names(), ["g.json", "walk.bvh"]);
}

#[test]
fn the_report_is_one_page_and_the_plot_one_picture() {
    let here = here();
    here.run(&[
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
    .done();
    let page = here.text("r.html");
    for words in ["2 goals met", "published", "LeftUpLeg", "velocity less captured", "</html>"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("http://localhost"));
    let plot = here.text("p.svg");
    assert!(plot.starts_with("<svg") && plot.contains("LeftLeg") && plot.contains("angle"));
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let here = here();
    let ended = here.run_with_stdin(&["reach", "-", "--goals", "g.json"], walk().as_bytes()).done();
    assert!(ended.stdout.starts_with("HIERARCHY") && ended.stderr.contains("2 of 2 goals met"));
}
