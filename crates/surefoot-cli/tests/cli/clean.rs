//! `clean`: planted feet, unchanged frames, notes and limits.

use serde_json::Value;

use super::test_folder::{TestFolder, names_in};

/// A folder with a walk that skates, and its plants.
fn skating_walk() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4", "--skate", "scale=1.1"]).expect_success();
    folder
}

fn after(json: &Value, key: &str) -> f64 {
    json[key]["after"].as_f64().unwrap_or_else(|| panic!("{key}: {json:#}"))
}

/// The text of each row of numbers in a BVH file.
fn rows(text: &str) -> Vec<&str> {
    let table = text.split_once("Frame Time").unwrap().1;
    table.lines().skip(1).filter(|line| !line.trim().is_empty()).collect()
}

/// Whether the words of `part` occur in `row` in the same order, possibly with other words between them.
fn is_subsequence(part: &str, row: &str) -> bool {
    let mut words = row.split_whitespace();
    part.split_whitespace().all(|expected| words.any(|word| word == expected))
}

#[test]
fn planted_feet_are_held_in_the_written_file() {
    let folder = skating_walk();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    let outcome = folder.run(&clean).expect_success();
    assert_eq!(outcome.stderr, "");
    let json = outcome.json();
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.02, "{json:#}");
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    assert!(after(&json, "stretch_max") <= 0.03);
    assert_eq!((&json["output"], &json["plants_detected"]), (&"walk.clean.bvh".into(), &false.into()));
    // `measure` reads both files and comes to the same figures.
    let measure =
        ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    let measured = folder.run(&measure).expect_success().json();
    for key in ["drift_max_m", "penetration_max_m", "stretch_max", "knee_acceleration_max_rad_per_s2"] {
        assert_eq!(measured[key], json[key], "{key}");
    }
}

#[test]
fn outputs_are_named_after_the_input_and_not_overwritten() {
    let folder = skating_walk();
    let clean = ["clean", "walk.bvh", "--report", "walk.report.html", "--plants-out", "found.csv"];
    let text = folder.run(&clean).expect_success().stdout;
    for name in ["walk.clean.bvh: ", "walk.report.html: ", "found.csv: "] {
        assert!(text.contains(&format!("\n{name}")), "{text}");
    }
    let all = ["found.csv", "walk.bvh", "walk.clean.bvh", "walk.plants.json", "walk.report.html"];
    assert_eq!(folder.names(), all);
    folder.run(&["clean", "walk.bvh"]).expect_error("walk.clean.bvh exists already");
    folder
        .run(&["clean", "walk.bvh", "-o", "other.bvh", "--report", "walk.report.html"])
        .expect_error("walk.report.html exists already");
    assert_eq!(folder.names(), all);
    folder.run(&[&clean[..], &["--force"]].concat()).expect_success();
    assert!(folder.text("walk.report.html").contains("<title>walk.clean.bvh</title>"));
}

#[test]
fn all_outputs_appear_or_none() {
    let folder = skating_walk();
    let before = folder.names();
    folder
        .run(&["clean", "walk.bvh", "--report", "no/report.html"])
        .expect_error("the folder no does not exist");
    folder
        .run(&["clean", "walk.bvh", "--report", "walk.clean.bvh"])
        .expect_error("two outputs have the same name: walk.clean.bvh");
    folder.run(&["clean", "walk.bvh", "--plants", "walk.bvh"]).expect_error("walk.bvh");
    assert_eq!(folder.names(), before);
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let folder = skating_walk();
    folder.run(&["clean", "walk.bvh", "--plants", "walk.plants.json"]).expect_success();
    let piped = folder
        .run_with_stdin(&["clean", "-", "--plants", "walk.plants.json"], &folder.bytes("walk.bvh"))
        .expect_success();
    assert_eq!(piped.stdout, folder.text("walk.clean.bvh"));
    assert!(piped.stderr.contains("plants held"), "messages go to stderr: {}", piped.stderr);
    let plants = folder.bytes("walk.plants.json");
    let piped =
        folder.run_with_stdin(&["clean", "walk.bvh", "--plants", "-", "-o", "-"], &plants).expect_success();
    assert_eq!(piped.stdout, folder.text("walk.clean.bvh"));
    folder.run(&["clean", "-", "--plants", "-"]).expect_error("stdin can be read only once");
    folder.run(&["clean", "walk.bvh", "-o", "-", "--json"]).expect_error("cannot both go to stdout");
    folder
        .run(&["clean", "walk.bvh", "-o", "-", "--report", "-"])
        .expect_error("two outputs have the same name: stdout");
}

#[test]
fn missing_plants_are_detected_with_a_note() {
    let folder = skating_walk();
    let text = folder.run(&["clean", "walk.bvh", "--plants-out", "found.json"]).expect_success().stdout;
    assert!(text.contains("foot contacts were detected"), "{text}");
    // The detected plants, given as a file, lead to the same bytes.
    folder.run(&["clean", "walk.bvh", "--plants", "found.json", "-o", "again.bvh"]).expect_success();
    assert_eq!(folder.bytes("again.bvh"), folder.bytes("walk.clean.bvh"));
}

#[test]
fn plants_are_read_from_a_csv_table() {
    let folder = skating_walk();
    folder.run(&["clean", "walk.bvh", "--plants-out", "found.csv"]).expect_success();
    folder.run(&["clean", "walk.bvh", "--plants", "found.csv", "-o", "again.bvh"]).expect_success();
    assert_eq!(folder.bytes("again.bvh"), folder.bytes("walk.clean.bvh"));
}

#[test]
fn a_limit_that_is_not_met_is_exit_code_1() {
    let folder = skating_walk();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--force"];
    folder.run(&[&clean[..], &["--max-drift", "0.01mm", "--max-stretch", "3%"]].concat()).expect_success();
    // The published method stretches bones.
    let outcome =
        folder.run(&[&clean[..], &["--paper", "--max-stretch", "0.0001%", "-o", "out.bvh"]].concat());
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    let line = "limit not met: max-stretch: the largest stretch is ";
    assert!(
        outcome.stderr.contains(line) && outcome.stderr.contains("more than the limit of 0.0001 %"),
        "{outcome:#?}"
    );
    assert!(
        folder.names().contains(&"out.bvh".into()),
        "the output is written although the limit is not met"
    );
    let outcome = folder.run(&[&clean[..], &["--max-knee", "0.1", "--json"]].concat());
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    assert_eq!(outcome.json()["limits_missed"].as_array().unwrap().len(), 1);
    for (flag, wrong) in [("--max-drift", "1"), ("--max-stretch", "3"), ("--stretch", "-1%")] {
        folder.run(&["clean", "walk.bvh", &format!("{flag}={wrong}")]).expect_error("expected a");
    }
}

#[test]
fn a_limit_on_what_could_not_be_measured_is_exit_code_1() {
    let folder = skating_walk();
    folder.write(
        "none.json",
        r#"{ "surefoot": "plants/1", "motion": { "frames": 241, "fps": 60 }, "plants": [] }"#,
    );
    let check = |args: &[&str], line: &str| {
        let outcome = folder.run(args);
        assert_eq!(outcome.code, Some(1), "{outcome:#?}");
        assert!(outcome.stderr.contains(&format!("limit not met: {line}\n")), "{outcome:#?}");
    };
    let drift = "max-drift: the largest drift could not be measured: no point is planted";
    let depth = "max-penetration: the largest depth below the floor could not be measured: there is no floor";
    let knee =
        "max-knee: the knee acceleration could not be measured: there is no motion before to compare with";
    for command in ["clean", "measure"] {
        check(&[command, "walk.bvh", "--plants", "none.json", "--max-drift", "1m"], drift);
        let no_floor = [command, "walk.bvh", "--plants", "walk.plants.json", "--floor", "none"];
        let force: &[&str] = if command == "clean" { &["--force"] } else { &[] };
        check(&[&no_floor, force, &["--max-penetration", "1m"]].concat(), depth);
    }
    check(&["measure", "walk.bvh", "--plants", "walk.plants.json", "--max-knee", "100"], knee);
    // The settings file sets limits by the same rule, and JSON lists them.
    folder.write("surefoot.toml", "max-knee = 100\n");
    let outcome = folder.run(&["measure", "walk.bvh", "--json"]);
    assert_eq!((outcome.code, &outcome.json()["limits_missed"][0]), (Some(1), &knee.into()));
}

#[test]
fn frames_away_from_plants_keep_their_bytes() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale"]).expect_success();
    folder.write(
        "few.json",
        r#"{ "surefoot": "plants/1", "motion": { "frames": 361, "fps": 60.0 },
             "plants": [ { "foot": "left", "point": "ball", "first": 126, "last": 159 } ] }"#,
    );
    folder.run(&["clean", "walk.bvh", "--plants", "few.json"]).expect_success();
    folder.run(&["clean", "walk.bvh", "--plants", "few.json", "--paper", "-o", "paper.bvh"]).expect_success();
    let [walk, clean, paper] = ["walk.bvh", "walk.clean.bvh", "paper.bvh"].map(|name| folder.text(name));
    let [walk, clean, paper] = [&walk, &clean, &paper].map(|text| rows(text));
    assert_ne!(walk[142], clean[142]);
    // The sum of all windows is less than 93 frames at 60 frames per second.
    let far = (0..126 - 93).chain(160 + 93..361);
    for frame in far {
        assert_eq!(walk[frame], clean[frame], "frame {frame}");
        // In the published form other frames stretch, so the file has new columns between the old ones.
        assert!(is_subsequence(walk[frame], paper[frame]), "frame {frame}");
    }
}

#[test]
fn bones_keep_their_length_and_their_channels() {
    let folder = skating_walk();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    let json = folder.run(&clean).expect_success().json();
    assert_eq!(json["stretch_max"]["after"], 0.0);
    assert_eq!(json["stretch_frames"]["after"], 0);
    let [walk, clean] = ["walk.bvh", "walk.clean.bvh"].map(|name| folder.text(name));
    let head = |text: &str| text.split_once("Frame Time").unwrap().0.to_owned();
    assert_eq!(head(&clean), head(&walk));
}

#[test]
fn a_dry_run_lists_the_cost_of_each_plant_and_writes_nothing() {
    let folder = skating_walk();
    let before = folder.names();
    let dry = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--dry-run"];
    let text = folder.run(&[&dry[..], &["--report", "r.html"]].concat()).expect_success().stdout;
    assert!(text.contains("nothing was written") && text.contains("out of reach"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let json = folder.run(&[&dry[..], &["--json"]].concat()).expect_success().json();
    assert_eq!(json["output"], Value::Null);
    let budget = json["budget"].as_array().unwrap();
    assert_eq!(budget.len(), json["plants"].as_array().unwrap().len());
    for key in ["moved_m", "out_of_reach_m", "root_m", "stretch", "drift_m"] {
        assert!(budget.iter().all(|plant| plant[key].as_f64().unwrap() >= 0.0), "{key}");
    }
    assert!(budget.iter().any(|plant| plant["moved_m"].as_f64().unwrap() > 0.005), "{json:#}");
    assert_eq!(folder.run(&[&dry[..], &["--max-knee", "0.001"]].concat()).code, Some(1));
    assert_eq!(folder.names(), before);
}

#[test]
fn a_spot_out_of_reach_leaves_drift_and_a_note() {
    let folder = skating_walk();
    let clean = |spot: &str| {
        let plants = folder.text("walk.plants.json");
        folder.write("far.json", &plants.replacen("\"last\":", &format!("\"spot\": {spot}, \"last\":"), 1));
        let args = ["clean", "walk.bvh", "--plants", "far.json", "--stretch", "0", "--json", "--force"];
        folder.run(&args).expect_success().json()
    };
    let json = clean("[0.1, 0.0, 3.5]");
    assert!(json["notes"].to_string().contains("out of reach"), "{json:#}");
    let plants = json["plants"].as_array().unwrap();
    let unmet = plants.iter().filter_map(|plant| plant["unmet"].as_f64());
    let unmet = unmet.fold(0.0, f64::max);
    assert!(unmet > 0.001, "{json:#}");
    // The drift in the file is the distance from the given spot, so the limit on it is not met.
    let drift = json["drift_max_m"]["after"].as_f64().unwrap();
    assert!((drift - unmet).abs() < 1e-5, "{drift} {json:#}");
    let measure = ["measure", "walk.clean.bvh", "--plants", "far.json", "--max-drift", "1mm"];
    let outcome = folder.run(&measure);
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("max-drift: the largest drift is "), "{outcome:#?}");
    // A heel a metre up contradicts the ball on the floor: one of them stays off its spot.
    let json = clean("[0.1, 1.0, 0.5]");
    assert!(json["notes"].to_string().contains("do not fit the size of the foot"), "{json:#}");
}

#[test]
fn plants_that_do_not_fit_are_refused_with_the_reason() {
    let folder = skating_walk();
    let check = |from: &str, to: &str, message: &str| {
        let plants = folder.text("walk.plants.json");
        assert!(plants.contains(from), "{from}");
        folder.write("wrong.json", &plants.replacen(from, to, 1));
        folder.run(&["clean", "walk.bvh", "--plants", "wrong.json"]).expect_error(message);
        folder.run(&["measure", "walk.bvh", "--plants", "wrong.json"]).expect_error(message);
        folder.run(&["plot", "walk.bvh", "--plants", "wrong.json"]).expect_error(message);
    };
    check("\"frames\": 241", "\"frames\": 999", "the plants are for 999 frames, but the motion has 241");
    check("\"fps\": 60.0", "\"fps\": 24.0", "the plants are for 24 frames per second");
    check("\"left\"", "\"tail\"", "has the foot \"tail\", expected left or right");
    check("\"heel\"", "\"elbow\"", "expected heel, ball or toe of a foot, or palm of a hand");
    check("{", "[", "not JSON");
    folder.run(&["clean", "walk.bvh", "--plants", "nowhere.json"]).expect_error("it does not exist");
    assert!(!folder.names().contains(&"walk.clean.bvh".into()));
}

#[test]
fn a_floor_is_inferred_level_given_or_none() {
    let folder = skating_walk();
    let clean = |floor: &[&str]| {
        let args = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force"];
        folder.run(&[&args[..], floor].concat()).expect_success().json()
    };
    let inferred = clean(&[]);
    assert!(inferred["penetration_max_m"]["after"].is_number());
    assert!(after(&clean(&["--floor", "level"]), "drift_max_m") < 1e-5);
    // Half a centimetre is within the snap distance, so the plants are moved onto the floor.
    let raised = clean(&["--floor", "0.005"]);
    assert!(after(&raised, "float_max_m") < 1e-5, "{raised:#}");
    let none = clean(&["--floor", "none"]);
    assert_eq!(none["penetration_max_m"]["after"], Value::Null);
    assert!(after(&none, "drift_max_m") < 1e-5);
    assert!(none["notes"].to_string().contains("there is no floor"), "{none:#}");
    folder.run(&["clean", "walk.bvh", "--floor", "lava"]).expect_error("level or none");
}

/// Writes `short.bvh`, the first frames of a walk.
fn write_short_walk(folder: &TestFolder, frames: usize) {
    folder.run(&["sample", "walk", "-o", "long.bvh", "--skate", "scale", "--force"]).expect_success();
    let long = folder.text("long.bvh");
    let head = long.split_once("Frame Time").unwrap().0.replace("Frames: 361", &format!("Frames: {frames}"));
    let rows = rows(&long)[..frames].iter().map(|row| format!("{row}\n")).collect::<String>();
    folder.write("short.bvh", &format!("{head}Frame Time: 0.016666667\n{rows}"));
}

#[test]
fn short_and_empty_motions_are_written_unchanged() {
    let folder = TestFolder::new();
    for frames in [0, 1, 2, 3] {
        write_short_walk(&folder, frames);
        let outcome = folder.run(&["clean", "short.bvh", "--report", "r.html", "--force"]).expect_success();
        assert!(outcome.stdout.contains("No foot contacts."), "{outcome:#?}");
        assert_eq!(folder.bytes("short.clean.bvh"), folder.bytes("short.bvh"), "{frames} frames");
        folder.run(&["measure", "short.bvh"]).expect_success();
        folder.run(&["plot", "short.bvh", "--force"]).expect_success();
    }
    write_short_walk(&folder, 3);
    let plants = r#"{ "surefoot": "plants/1", "motion": { "frames": 3, "fps": 60.0 },
        "plants": [ { "foot": "left", "point": "ball", "first": 0, "last": 2 },
                    { "foot": "right", "point": "heel", "first": 1, "last": 1 } ] }"#;
    folder.write("short.json", plants);
    let clean = ["clean", "short.bvh", "--plants", "short.json", "--json", "--force"];
    assert!(after(&folder.run(&clean).expect_success().json(), "drift_max_m") < 1e-5);
}

#[test]
fn a_motion_without_legs_is_refused() {
    let folder = TestFolder::new();
    folder.write(
        "box.bvh",
        "HIERARCHY\nROOT box\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Xposition Yposition Zposition\n  End Site\n  {\n    \
         OFFSET 0 1 0\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n",
    );
    for command in ["clean", "measure", "plot"] {
        folder.run(&[command, "box.bvh"]).expect_error("no legs were found in box.bvh").expect_error("--rig");
    }
    assert_eq!(folder.names(), ["box.bvh"]);
}

#[test]
fn settings_apply_where_no_flag_is_given() {
    let folder = skating_walk();
    // Only the published method stretches the bones of a file without joint translations by default.
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force", "--paper"];
    let stretch_with = |flags: &[&str]| {
        after(&folder.run(&[&clean[..], flags].concat()).expect_success().json(), "stretch_max")
    };
    assert!(stretch_with(&[]) > 0.0);
    folder.write("surefoot.toml", "stretch = 0\n");
    assert_eq!(stretch_with(&[]), 0.0);
    assert!(stretch_with(&["--stretch", "3%"]) > 0.0);
    folder.write("surefoot.toml", "stretch = \"auto\"\n");
    assert_eq!(stretch_with(&[]), 0.0);
    folder.write("surefoot.toml", "stretch = \"3%\"\n");
    assert!(stretch_with(&[]) > 0.0);
    assert_eq!(stretch_with(&["--stretch", "auto"]), 0.0);
    folder.write("surefoot.toml", "max-stretch = \"0.0001%\"\n");
    assert_eq!(folder.run(&clean).code, Some(1));
    folder.run(&[&clean[..], &["--max-stretch", "5%"]].concat()).expect_success();
    folder.write("surefoot.toml", "strech = 0\n");
    folder.run(&clean).expect_error("did you mean `stretch`?");
}

#[test]
fn the_published_and_the_live_preset_hold_planted_feet() {
    let folder = skating_walk();
    for how in ["--paper", "--live", "--roll=flat"] {
        let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force", how];
        let json = folder.run(&clean).expect_success().json();
        assert!(after(&json, "drift_max_m") < 1e-5, "{how}: {json:#}");
    }
    folder.run(&["clean", "walk.bvh", "--paper", "--live"]).expect_error("cannot be used with");
}

#[test]
fn the_plants_of_a_captured_walk_are_held_and_its_t_pose_is_unchanged() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let folder = TestFolder::new();
    std::fs::copy(file, folder.path("02_01.bvh")).unwrap();
    let clean = ["clean", "02_01.bvh", "--json", "--max-drift", "0.01mm", "--report", "r.html"];
    let json = folder.run(&clean).expect_success().json();
    assert!(after(&json, "drift_max_m") <= 1e-5, "{json:#}");
    assert!(json["notes"].to_string().contains("T-pose"), "{json:#}");
    assert!(json["plants"].as_array().unwrap().iter().all(|plant| plant["first"].as_u64().unwrap() > 0));
    folder.run(&["clean", "02_01.bvh", "--paper", "-o", "paper.bvh"]).expect_success();
    let [walk, clean, paper] = ["02_01.bvh", "02_01.clean.bvh", "paper.bvh"].map(|name| folder.text(name));
    assert_eq!(rows(&walk)[0], rows(&clean)[0]);
    assert!(is_subsequence(rows(&walk)[0], rows(&paper)[0]));
    // A plant that includes the T-pose is shortened, with a note.
    folder.run(&["detect", "02_01.bvh", "-o", "p.json"]).expect_success();
    folder.write("t.json", &folder.text("p.json").replacen("\"first\": 1,", "\"first\": 0,", 1));
    let json = folder
        .run(&["clean", "02_01.bvh", "--plants", "t.json", "-o", "t.bvh", "--json"])
        .expect_success()
        .json();
    assert!(json["notes"].to_string().contains("not held in frame 0"), "{json:#}");
    assert!(after(&json, "drift_max_m") <= 1e-5);
    assert_eq!(names_in(&folder.path(".")).len(), 7);
}

#[test]
fn the_method_comes_from_the_flag_or_from_the_settings() {
    let folder = skating_walk();
    let method = |args: &[&str]| {
        let dry = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--dry-run", "--json"];
        folder.run(&[&dry, args].concat()).expect_success().json()["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(method(&[]), "phases");
    folder.write("surefoot.toml", "method = \"support\"\n");
    assert_eq!(method(&[]), "support");
    assert_eq!(method(&["--method", "phases"]), "phases");
    assert_eq!(method(&["--paper", "--roll", "flat", "--stretch", "0"]), "support");
}

#[test]
fn flags_of_the_other_method_are_refused() {
    let folder = skating_walk();
    let before = folder.names();
    let clean = |args: &[&str]| folder.run(&[&["clean", "walk.bvh"], args].concat());
    clean(&["--skate-speed", "0.2"]).expect_error("--skate-speed needs --method support");
    clean(&["--method", "hope"]).expect_error("expected phases or support");
    clean(&["--method", "support", "--skate-speed=-1"]).expect_error("expected a speed in metres per second");
    clean(&["--method", "support", "--skate-speed", "fast"])
        .expect_error("expected a speed in metres per second");
    assert_eq!(folder.names(), before);
}
