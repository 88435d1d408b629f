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
    folder.run(&["reach", "walk.bvh", "--goals", "g.json", "--fade", "0.1s", "--no-clean"]).expect_success();
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
fn without_goals_the_file_is_a_copy_or_the_cleaned_file() {
    let folder = with_goals();
    folder.write("none.json", r#"{ "surefoot": "goals/1", "goals": [] }"#);
    folder.run(&["reach", "walk.bvh", "--goals", "none.json", "--no-clean"]).expect_success();
    assert_eq!(folder.text("walk.reach.bvh"), walk());
    folder.run(&["reach", "walk.bvh", "--goals", "none.json", "-o", "held.bvh"]).expect_success();
    folder.run(&["clean", "walk.bvh"]).expect_success();
    assert_eq!(folder.text("held.bvh"), folder.text("walk.clean.bvh"));
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
        "--no-clean",
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
    assert!(unwrapped(&outcome.stdout).contains("with `move_root` the body moves as well"), "{outcome:#?}");
    assert!(
        outcome.stdout.ends_with("walk.reach.bvh: the edited motion, which misses 1 of 1 goals\n"),
        "{outcome:#?}"
    );
}

/// A text with single spaces instead of line breaks.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A walk of four seconds that skates, and a goals file for it.
fn skating_walk(goals: &str) -> TestFolder {
    let folder = TestFolder::new();
    folder
        .run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "4", "--skate", "scale=1.1"])
        .expect_success();
    folder.write("g.json", &format!(r#"{{ "surefoot": "goals/1", "goals": [ {goals} ] }}"#));
    folder
}

#[test]
fn planted_feet_are_held_in_the_written_file() {
    let folder = skating_walk(r#"{ "frame": 120, "joint": "RightHand", "shift": [0.20, 0.25, 0.20] }"#);
    let limits =
        ["--max-drift", "0.01mm", "--max-miss", "0.01mm", "--max-knee-pops", "0", "--max-new-slides", "0"];
    for more in
        [&[][..], &["--move-root"], &["--chain-from", "Hips"], &["--chain-from", "Hips", "--move-root"]]
    {
        let args =
            [&["reach", "walk.bvh", "--goals", "g.json", "--json", "--force"][..], &limits, more].concat();
        let json = folder.run(&args).expect_success().json();
        check_goals_are_met(&json);
        assert_eq!(json["cleaned"], true);
        let [before, after] = ["before", "after"].map(|when| json["drift_max_m"][when].as_f64().unwrap());
        assert!(before > 0.02 && after < 1e-5, "{before} {after}");
        // The written file, measured by the command that knows nothing of goals.
        folder.run(&["detect", "walk.bvh", "-o", "p.json", "--force"]).expect_success();
        let measured = ["measure", "walk.reach.bvh", "--plants", "p.json", "--max-drift", "0.01mm"];
        folder.run(&measured).expect_success();
    }
    // Without the cleanup the feet move along with the root, and a limit says so.
    let outcome = folder.run(&[
        "reach",
        "walk.bvh",
        "--goals",
        "g.json",
        "--move-root",
        "--no-clean",
        "--force",
        "--max-drift",
        "1cm",
    ]);
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
}

#[test]
fn a_goal_that_the_feet_prevent_states_both_costs() {
    let folder = skating_walk(r#"{ "frame": 120, "joint": "RightHand", "shift": [0.2, 1.5, 0.2] }"#);
    let outcome = folder.run(&["reach", "walk.bvh", "--goals", "g.json", "--move-root"]).expect_success();
    let text = unwrapped(&outcome.stdout);
    assert!(text.contains("0 of 1 goals met"), "{text}");
    assert!(
        text.contains("goals and plants cannot both be met: with the feet held a goal is missed by"),
        "{text}"
    );
    assert!(text.contains("a planted foot would leave its spot by"), "{text}");
    assert!(text.contains("the edited motion, which misses 1 of 1 goals"), "{text}");
}

#[test]
fn a_goal_for_a_planted_foot_moves_its_stance() {
    let folder = skating_walk(r#"{ "frame": 90, "joint": "LeftFoot", "shift": [0.04, 0, 0.03] }"#);
    let args = ["reach", "walk.bvh", "--goals", "g.json", "--max-drift", "0.01mm", "--plants-out", "p.json"];
    let outcome = folder.run(&args).expect_success();
    assert!(outcome.stdout.contains("1 of 1 goals met"), "{outcome:#?}");
    let moved = "mm from where it would be held without this goal";
    assert!(unwrapped(&outcome.stdout).contains(moved), "{outcome:#?}");
    assert!(folder.text("p.json").contains("\"spot\""));
}

/// A prop: one joint that flies along a parabola.
fn ball() -> String {
    let header = "HIERARCHY\nROOT Ball\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  End Site\n  {\n    OFFSET 0 1 0\n  }\n}\nMOTION\n";
    let row = |frame: i32| {
        let t = f64::from(frame - 100) / 60.0;
        let [x, y, z] = ball_at(t).map(|metres| metres * 100.0);
        format!("{x} {y} {z} 0 0 0\n")
    };
    let rows: String = (0..241).map(row).collect();
    format!("{header}Frames: 241\nFrame Time: 0.0166667\n{rows}")
}

/// Where the ball is, in metres, `t` seconds after frame 100 of the walk.
fn ball_at(t: f64) -> [f64; 3] {
    [-0.35, 1.0 + 0.6 * t - 0.9 * t * t, 1.35 + 1.2 * t]
}

#[test]
fn a_hand_follows_a_moving_object() {
    let folder = skating_walk("");
    folder
        .run(&["sample", "walk", "-o", "walk.bvh", "--seconds", "4", "--fps", "60", "--force"])
        .expect_success();
    folder.write("ball.bvh", &ball());
    let rows = |times: &[f64]| -> String {
        let row = |t: &f64| ball_at(*t).map(|metres| metres.to_string()).join(",");
        times.iter().map(|t| format!("{},{}\n", 100.0 / 60.0 + t, row(t))).collect()
    };
    let times: Vec<f64> = (0..=40).map(|n| f64::from(n) / 60.0).collect();
    folder.write("ball.csv", &format!("time,x,y,z\n{}", rows(&times)));
    let table = |n: i32| {
        format!("{},RightHand,{}\n", 100 + n, {
            ball_at(f64::from(n) / 60.0).map(|metres| metres.to_string()).join(",")
        })
    };
    folder.write("goals.csv", &format!("frame,joint,x,y,z\n{}", (0..40).map(table).collect::<String>()));
    let entry = |text: &str| {
        format!(r#"{{ "surefoot": "goals/1", "goals": [ {{ "joint": "RightHand", {text} }} ] }}"#)
    };
    let points: Vec<String> = [0, 10, 20, 30, 40]
        .map(|n| {
            let [x, y, z] = ball_at(f64::from(n) / 60.0);
            format!("[{}, {x}, {y}, {z}]", 100 + n)
        })
        .into();
    folder.write("points.json", &entry(&format!(r#""path": [{}]"#, points.join(", "))));
    folder.write("table.json", &entry(r#""frames": [100, 139], "path": "ball.csv""#));
    let other = r#""frames": [100, 139], "position": [0, 0, 0], "relative_to": { "joint": "Ball", "motion": "ball.bvh" }"#;
    folder.write("other.json", &entry(other));
    for goals in ["points.json", "table.json", "other.json", "goals.csv"] {
        let args = ["reach", "walk.bvh", "--goals", goals, "--json", "--force", "--unit", "cm"];
        let json = folder
            .run(&[&args[..], &["--max-miss", "0.01mm", "--max-drift", "0.01mm"]].concat())
            .expect_success()
            .json();
        check_goals_are_met(&json);
        let [goal] = &json["goals"].as_array().unwrap()[..] else { panic!("{goals}: {json}") };
        assert_eq!((goal["frame"].as_u64(), goal["frames_missed"].as_u64()), (Some(100), Some(0)));
        assert!(
            goal["last_frame"].as_u64().unwrap() >= 139 && goal["distance_before_m"].as_f64().unwrap() > 0.1
        );
        // The largest change of velocity is that of the hand which leaves its swing for the ball, within 0.1 s. A pose
        // that jumps from frame to frame would change it by tens of radians per second.
        for joint in json["joints"].as_array().unwrap() {
            assert!(joint["velocity_step_added_max_rad_per_s"].as_f64().unwrap() < 1.5, "{goals} {joint}");
        }
    }
    folder.write("bad.csv", "time,x,y,z\n0,1,2\n");
    folder.write("bad.json", &entry(r#""path": "bad.csv""#));
    folder
        .run(&["reach", "walk.bvh", "--goals", "bad.json", "--force"])
        .expect_error("bad.csv")
        .expect_error("found 0,1,2, expected 4 cells");
    folder.write("gone.json", &entry(r#""path": "gone.csv""#));
    folder
        .run(&["reach", "walk.bvh", "--goals", "gone.json", "--force"])
        .expect_error("cannot read gone.csv");
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

/// The right hand of a rig, by its name.
fn right_hand(folder: &TestFolder, file: &str) -> String {
    let json = folder.run(&["inspect", file, "--json"]).expect_success().json();
    let names = json["joints"].as_array().unwrap().iter().filter_map(|joint| joint["name"].as_str());
    let is_hand = |name: &&str| {
        let name = name.to_lowercase();
        name.contains("hand") && (name.contains("right") || name.ends_with("_r"))
    };
    names.into_iter().find(is_hand).unwrap_or_else(|| panic!("{file}: no right hand")).to_owned()
}

#[test]
fn a_hand_and_a_moving_root_reach_on_every_made_rig() {
    let folder = TestFolder::new();
    for rig in surefoot_sample::Body::RIGS {
        let (rig, size) = (rig.as_str(), if rig == surefoot_sample::Body::Child { 0.6 } else { 1.0 });
        let file = format!("{rig}.bvh");
        let sample =
            ["sample", "walk", "-o", &file, "--seconds", "4", "--skeleton", rig, "--skate", "scale=1.1"];
        folder.run(&sample).expect_success();
        let cleaned = folder.run(&["clean", &file, "--json"]).expect_success().json();
        // In a file with Z up, the third axis is up.
        let shift =
            if rig == "z-up" { [0.2, -0.2, 0.25] } else { [0.2, 0.25, 0.2] }.map(|x| (x * size).to_string());
        let goal = format!(
            r#"{{ "surefoot": "goals/1", "goals": [ {{ "frame": 120, "joint": "{}", "shift": [{}] }} ] }}"#,
            right_hand(&folder, &file),
            shift.join(", ")
        );
        folder.write("g.json", &goal);
        for more in [&[][..], &["--move-root"]] {
            let limits = [
                "--max-miss",
                "0.01mm",
                "--max-drift",
                "0.01mm",
                "--max-new-slides",
                "0",
                "--max-teleports",
                "0",
            ];
            let args = [&["reach", &file, "--goals", "g.json", "--json", "--force"][..], &limits, more];
            let json = folder.run(&args.concat()).expect_success().json();
            assert_eq!(json["goals"][0]["met"], true, "{rig} {more:?}");
            let [pops, pops_of_cleanup] =
                [&json, &cleaned].map(|json| json["knee_pops"].as_array().unwrap().len());
            assert!(pops <= pops_of_cleanup, "{rig} {more:?} {pops} {pops_of_cleanup}");
            let is_body = |joint: &&str| ["root", "hips", "pelvis"].contains(&joint.to_lowercase().as_str());
            let turned: Vec<&str> = json["joints"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|joint| joint["joint"].as_str())
                .collect();
            assert!(!turned.iter().any(is_body), "{rig} {turned:?}");
        }
    }
}
