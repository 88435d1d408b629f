//! `clean`: what it holds, what it leaves alone, and what it says.

use serde_json::Value;

use super::here::{Here, names_in};

/// A folder with a walk that skates, and its plants.
fn skating() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "4", "--skate", "scale=1.1"]).done();
    here
}

fn after(json: &Value, key: &str) -> f64 {
    json[key]["after"].as_f64().unwrap_or_else(|| panic!("{key}: {json:#}"))
}

/// The rows of numbers of a BVH file, as they are spelled.
fn rows(text: &str) -> Vec<&str> {
    let table = text.split_once("Frame Time").unwrap().1;
    table.lines().skip(1).filter(|line| !line.trim().is_empty()).collect()
}

/// Whether `wanted` are words of `row`, in their order, among others.
fn has_in_order(row: &str, wanted: &str) -> bool {
    let mut words = row.split_whitespace();
    wanted.split_whitespace().all(|wanted| words.any(|word| word == wanted))
}

#[test]
fn planted_feet_stay_put_in_the_file_as_written() {
    let here = skating();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    let ended = here.run(&clean).done();
    assert_eq!(ended.stderr, "");
    let json = ended.json();
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.02, "{json:#}");
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    assert!(after(&json, "stretch_max") <= 0.03);
    assert_eq!((&json["output"], &json["plants_found"]), (&"walk.clean.bvh".into(), &false.into()));
    // `measure` reads both files and comes to the same figures.
    let measure =
        ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    let measured = here.run(&measure).done().json();
    for key in ["drift_max_m", "penetration_max_m", "stretch_max", "knee_acceleration_max_rad_per_s2"] {
        assert_eq!(measured[key], json[key], "{key}");
    }
}

#[test]
fn outputs_are_named_after_the_input_and_not_overwritten() {
    let here = skating();
    let clean = ["clean", "walk.bvh", "--report", "walk.report.html", "--plants-out", "found.csv"];
    let text = here.run(&clean).done().stdout;
    for name in ["walk.clean.bvh: ", "walk.report.html: ", "found.csv: "] {
        assert!(text.contains(&format!("\n{name}")), "{text}");
    }
    let all = ["found.csv", "walk.bvh", "walk.clean.bvh", "walk.plants.json", "walk.report.html"];
    assert_eq!(here.names(), all);
    here.run(&["clean", "walk.bvh"]).refused("walk.clean.bvh exists already");
    here.run(&["clean", "walk.bvh", "-o", "other.bvh", "--report", "walk.report.html"])
        .refused("walk.report.html exists already");
    assert_eq!(here.names(), all);
    here.run(&[&clean[..], &["--force"]].concat()).done();
    assert!(here.text("walk.report.html").contains("<title>walk.clean.bvh</title>"));
}

#[test]
fn all_outputs_appear_or_none() {
    let here = skating();
    let before = here.names();
    here.run(&["clean", "walk.bvh", "--report", "no/report.html"]).refused("the folder no does not exist");
    here.run(&["clean", "walk.bvh", "--report", "walk.clean.bvh"])
        .refused("two outputs have the same name: walk.clean.bvh");
    here.run(&["clean", "walk.bvh", "--plants", "walk.bvh"]).refused("walk.bvh");
    assert_eq!(here.names(), before);
}

#[test]
fn a_dash_is_stdin_and_stdout() {
    let here = skating();
    here.run(&["clean", "walk.bvh", "--plants", "walk.plants.json"]).done();
    let piped =
        here.run_with_stdin(&["clean", "-", "--plants", "walk.plants.json"], &here.bytes("walk.bvh")).done();
    assert_eq!(piped.stdout, here.text("walk.clean.bvh"));
    assert!(piped.stderr.contains("plants held"), "words go to stderr: {}", piped.stderr);
    let plants = here.bytes("walk.plants.json");
    let piped = here.run_with_stdin(&["clean", "walk.bvh", "--plants", "-", "-o", "-"], &plants).done();
    assert_eq!(piped.stdout, here.text("walk.clean.bvh"));
    here.run(&["clean", "-", "--plants", "-"]).refused("stdin can be read only once");
    here.run(&["clean", "walk.bvh", "-o", "-", "--json"]).refused("cannot both go to stdout");
    here.run(&["clean", "walk.bvh", "-o", "-", "--report", "-"])
        .refused("two outputs have the same name: stdout");
}

#[test]
fn plants_that_are_not_given_are_found_and_said_to_be() {
    let here = skating();
    let text = here.run(&["clean", "walk.bvh", "--plants-out", "found.json"]).done().stdout;
    assert!(text.contains("foot contacts were detected"), "{text}");
    // Given back, they lead to the same bytes.
    here.run(&["clean", "walk.bvh", "--plants", "found.json", "-o", "again.bvh"]).done();
    assert_eq!(here.bytes("again.bvh"), here.bytes("walk.clean.bvh"));
}

#[test]
fn a_table_of_plants_does_as_well() {
    let here = skating();
    here.run(&["clean", "walk.bvh", "--plants-out", "found.csv"]).done();
    here.run(&["clean", "walk.bvh", "--plants", "found.csv", "-o", "again.bvh"]).done();
    assert_eq!(here.bytes("again.bvh"), here.bytes("walk.clean.bvh"));
}

#[test]
fn a_limit_that_is_not_met_is_exit_code_1() {
    let here = skating();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--force"];
    here.run(&[&clean[..], &["--max-drift", "0.01mm", "--max-stretch", "3%"]].concat()).done();
    let ended = here.run(&[&clean[..], &["--max-stretch", "0.0001%", "-o", "out.bvh"]].concat());
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    let line = "limit not met: --max-stretch: the largest stretch is ";
    assert!(
        ended.stderr.contains(line) && ended.stderr.contains("more than the limit of 0.0001 %"),
        "{ended:#?}"
    );
    assert!(here.names().contains(&"out.bvh".into()), "the work is done all the same");
    let ended = here.run(&[&clean[..], &["--max-knee", "0.1", "--json"]].concat());
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert_eq!(ended.json()["limits_missed"].as_array().unwrap().len(), 1);
    for (flag, wrong) in [("--max-drift", "1"), ("--max-stretch", "3"), ("--stretch", "-1%")] {
        here.run(&["clean", "walk.bvh", &format!("{flag}={wrong}")]).refused("expected a");
    }
}

#[test]
fn frames_away_from_plants_keep_their_bytes() {
    let here = Here::new();
    here.run(&["sample", "walk", "--skate", "scale"]).done();
    here.put(
        "few.json",
        r#"{ "surefoot": "plants/1", "motion": { "frames": 361, "fps": 60.0 },
             "plants": [ { "foot": "left", "point": "ball", "first": 62, "last": 94 } ] }"#,
    );
    let rigid = ["clean", "walk.bvh", "--plants", "few.json", "--stretch", "0", "-o", "rigid.bvh"];
    here.run(&rigid).done();
    here.run(&["clean", "walk.bvh", "--plants", "few.json"]).done();
    let [walk, rigid, soft] = ["walk.bvh", "rigid.bvh", "walk.clean.bvh"].map(|name| here.text(name));
    let [walk, rigid, soft] = [&walk, &rigid, &soft].map(|text| rows(text));
    assert_ne!(walk[78], rigid[78]);
    // All windows together, at 60 frames a second, with room to spare.
    let far = (0..2).chain(94 + 80..361);
    for frame in far {
        assert_eq!(walk[frame], rigid[frame], "frame {frame}");
        // New columns for bones that stretch elsewhere stand among digits that are as they were.
        assert!(has_in_order(soft[frame], walk[frame]), "frame {frame}");
    }
}

#[test]
fn rigid_bones_keep_their_length_and_their_channels() {
    let here = skating();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--stretch", "0", "--json"];
    let json = here.run(&clean).done().json();
    assert_eq!(json["stretch_max"]["after"], 0.0);
    assert_eq!(json["stretch_frames"]["after"], 0);
    let [walk, clean] = ["walk.bvh", "walk.clean.bvh"].map(|name| here.text(name));
    let head = |text: &str| text.split_once("Frame Time").unwrap().0.to_owned();
    assert_eq!(head(&clean), head(&walk));
}

#[test]
fn a_dry_run_tells_what_it_would_take_and_writes_nothing() {
    let here = skating();
    let before = here.names();
    let dry = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--dry-run"];
    let text = here.run(&[&dry[..], &["--report", "r.html"]].concat()).done().stdout;
    assert!(text.contains("nothing was written") && text.contains("out of reach"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let json = here.run(&[&dry[..], &["--json"]].concat()).done().json();
    assert_eq!(json["output"], Value::Null);
    let budget = json["budget"].as_array().unwrap();
    assert_eq!(budget.len(), json["plants"].as_array().unwrap().len());
    for key in ["moved_m", "out_of_reach_m", "root_m", "stretch", "slide_m"] {
        assert!(budget.iter().all(|plant| plant[key].as_f64().unwrap() >= 0.0), "{key}");
    }
    assert!(budget.iter().any(|plant| plant["moved_m"].as_f64().unwrap() > 0.005), "{json:#}");
    assert_eq!(here.run(&[&dry[..], &["--max-stretch", "0"]].concat()).code, Some(1));
    assert_eq!(here.names(), before);
}

#[test]
fn what_is_out_of_reach_slides_and_is_told() {
    let here = skating();
    let clean = |spot: &str| {
        let plants = here.text("walk.plants.json");
        here.put("far.json", &plants.replacen("\"last\":", &format!("\"spot\": {spot}, \"last\":"), 1));
        let args = ["clean", "walk.bvh", "--plants", "far.json", "--stretch", "0", "--json", "--force"];
        here.run(&args).done().json()
    };
    let json = clean("[0.1, 0.0, 3.5]");
    assert!(json["notes"].to_string().contains("out of reach"), "{json:#}");
    let plants = json["plants"].as_array().unwrap();
    let unmet = plants.iter().filter_map(|plant| plant["unmet"].as_f64());
    assert!(unmet.fold(0.0, f64::max) > 0.001, "{json:#}");
    // A heel a metre up contradicts the ball on the floor: one of them stays off its spot.
    let json = clean("[0.1, 1.0, 0.5]");
    assert!(json["notes"].to_string().contains("do not fit the size of the foot"), "{json:#}");
}

#[test]
fn plants_that_do_not_fit_are_refused_with_the_reason() {
    let here = skating();
    let check = |from: &str, to: &str, says: &str| {
        let plants = here.text("walk.plants.json");
        assert!(plants.contains(from), "{from}");
        here.put("wrong.json", &plants.replacen(from, to, 1));
        here.run(&["clean", "walk.bvh", "--plants", "wrong.json"]).refused(says);
        here.run(&["measure", "walk.bvh", "--plants", "wrong.json"]).refused(says);
        here.run(&["plot", "walk.bvh", "--plants", "wrong.json"]).refused(says);
    };
    check("\"frames\": 241", "\"frames\": 999", "the plants are for 999 frames, but the motion has 241");
    check("\"fps\": 60.0", "\"fps\": 24.0", "the plants are for 24 frames per second");
    check("\"left\"", "\"tail\"", "has the foot \"tail\", expected left or right");
    check("\"heel\"", "\"elbow\"", "expected heel or ball");
    check("{", "[", "not JSON");
    here.run(&["clean", "walk.bvh", "--plants", "nowhere.json"]).refused("it does not exist");
    assert!(!here.names().contains(&"walk.clean.bvh".into()));
}

#[test]
fn a_floor_can_be_found_level_given_or_none() {
    let here = skating();
    let clean = |floor: &[&str]| {
        let args = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force"];
        here.run(&[&args[..], floor].concat()).done().json()
    };
    let found = clean(&[]);
    assert!(found["penetration_max_m"]["after"].is_number());
    assert!(after(&clean(&["--floor", "level"]), "drift_max_m") < 1e-5);
    // Half a centimetre is within what is put on the floor.
    let raised = clean(&["--floor", "0.005"]);
    assert!(after(&raised, "float_max_m") < 1e-5, "{raised:#}");
    let none = clean(&["--floor", "none"]);
    assert_eq!(none["penetration_max_m"]["after"], Value::Null);
    assert!(after(&none, "drift_max_m") < 1e-5);
    assert!(none["notes"].to_string().contains("there is no floor"), "{none:#}");
    here.run(&["clean", "walk.bvh", "--floor", "lava"]).refused("level or none");
}

/// A walk with this many frames left of it.
fn cut(here: &Here, frames: usize) {
    here.run(&["sample", "walk", "-o", "long.bvh", "--skate", "scale", "--force"]).done();
    let long = here.text("long.bvh");
    let head = long.split_once("Frame Time").unwrap().0.replace("Frames: 361", &format!("Frames: {frames}"));
    let rows = rows(&long)[..frames].iter().map(|row| format!("{row}\n")).collect::<String>();
    here.put("short.bvh", &format!("{head}Frame Time: 0.016666667\n{rows}"));
}

#[test]
fn short_and_empty_motions_come_back() {
    let here = Here::new();
    for frames in [0, 1, 2, 3] {
        cut(&here, frames);
        let ended = here.run(&["clean", "short.bvh", "--report", "r.html", "--force"]).done();
        assert!(ended.stdout.contains("No foot contacts."), "{ended:#?}");
        assert_eq!(here.bytes("short.clean.bvh"), here.bytes("short.bvh"), "{frames} frames");
        here.run(&["measure", "short.bvh"]).done();
        here.run(&["plot", "short.bvh", "--force"]).done();
    }
    cut(&here, 3);
    let plants = r#"{ "surefoot": "plants/1", "motion": { "frames": 3, "fps": 60.0 },
        "plants": [ { "foot": "left", "point": "ball", "first": 0, "last": 2 },
                    { "foot": "right", "point": "heel", "first": 1, "last": 1 } ] }"#;
    here.put("short.json", plants);
    let clean = ["clean", "short.bvh", "--plants", "short.json", "--json", "--force"];
    assert!(after(&here.run(&clean).done().json(), "drift_max_m") < 1e-5);
}

#[test]
fn a_motion_without_legs_is_refused() {
    let here = Here::new();
    here.put(
        "box.bvh",
        "HIERARCHY\nROOT box\n{\n  OFFSET 0 0 0\n  CHANNELS 3 Xposition Yposition Zposition\n  End Site\n  {\n    \
         OFFSET 0 1 0\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n1 0 0\n",
    );
    for command in ["clean", "measure", "plot"] {
        here.run(&[command, "box.bvh"]).refused("no legs were found in box.bvh").refused("--rig");
    }
    assert_eq!(here.names(), ["box.bvh"]);
}

#[test]
fn settings_hold_where_no_flag_is_given() {
    let here = skating();
    let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force"];
    here.put("surefoot.toml", "stretch = 0\n");
    assert_eq!(after(&here.run(&clean).done().json(), "stretch_max"), 0.0);
    assert!(
        after(&here.run(&[&clean[..], &["--stretch", "3%"]].concat()).done().json(), "stretch_max") > 0.0
    );
    here.put("surefoot.toml", "max-stretch = \"0.0001%\"\n");
    assert_eq!(here.run(&clean).code, Some(1));
    here.run(&[&clean[..], &["--max-stretch", "3%"]].concat()).done();
    here.put("surefoot.toml", "strech = 0\n");
    here.run(&clean).refused("did you mean `stretch`?");
}

#[test]
fn the_published_method_and_the_live_one_hold_feet_too() {
    let here = skating();
    for how in ["--paper", "--live", "--roll=flat"] {
        let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force", how];
        let json = here.run(&clean).done().json();
        assert!(after(&json, "drift_max_m") < 1e-5, "{how}: {json:#}");
    }
    here.run(&["clean", "walk.bvh", "--paper", "--live"]).refused("cannot be used with");
}

#[test]
fn a_captured_walk_is_held_and_its_t_pose_left_alone() {
    let Some(file) = surefoot_testdata::path("bvh/cmu/02_01.bvh") else {
        return;
    };
    let here = Here::new();
    std::fs::copy(file, here.path("02_01.bvh")).unwrap();
    let clean = ["clean", "02_01.bvh", "--json", "--max-drift", "0.01mm", "--report", "r.html"];
    let json = here.run(&clean).done().json();
    assert!(after(&json, "drift_max_m") <= 1e-5, "{json:#}");
    assert!(json["notes"].to_string().contains("T-pose"), "{json:#}");
    assert!(json["plants"].as_array().unwrap().iter().all(|plant| plant["first"].as_u64().unwrap() > 0));
    here.run(&["clean", "02_01.bvh", "--stretch", "0", "-o", "rigid.bvh"]).done();
    let [walk, soft, rigid] = ["02_01.bvh", "02_01.clean.bvh", "rigid.bvh"].map(|name| here.text(name));
    assert_eq!(rows(&walk)[0], rows(&rigid)[0]);
    assert!(has_in_order(rows(&soft)[0], rows(&walk)[0]));
    // A plant given for the T-pose is cut, and that is said.
    here.run(&["detect", "02_01.bvh", "-o", "p.json"]).done();
    here.put("t.json", &here.text("p.json").replacen("\"first\": 1,", "\"first\": 0,", 1));
    let json = here.run(&["clean", "02_01.bvh", "--plants", "t.json", "-o", "t.bvh", "--json"]).done().json();
    assert!(json["notes"].to_string().contains("not held in frame 0"), "{json:#}");
    assert!(after(&json, "drift_max_m") <= 1e-5);
    assert_eq!(names_in(&here.path(".")).len(), 7);
}

#[test]
fn by_support_planted_feet_stay_put_in_the_file_and_the_root_where_it_was() {
    let here = skating();
    let plants = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--method", "support"];
    let json = here.run(&[&plants[..], &["--json", "--report", "walk.html"]].concat()).done().json();
    assert_eq!(json["method"], "support");
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.02, "{json:#}");
    assert!(after(&json, "drift_max_m") < 1e-5, "{json:#}");
    assert!(json["root_moved_max_m"].as_f64().unwrap() < 1e-9, "{json:#}");
    assert!(json["notes"].to_string().contains("a planted foot slides faster than 0.1 m/s"));
    assert!(here.text("walk.html").contains("support phases"));
    // What is printed of it is what is in the file.
    let measure =
        ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json", "--json"];
    assert_eq!(here.run(&measure).done().json()["drift_max_m"], json["drift_max_m"]);
    // Nothing slides at a metre a second; a limit that is not met is said.
    let calm = ["--skate-speed", "1m/s", "-o", "calm.bvh", "--json"];
    let calm = here.run(&[&plants[..], &calm].concat()).done().json();
    assert!(calm["notes"].to_string().contains("in 0 of 241 frames"), "{calm:#}");
    let limit = ["--max-knee", "0.001", "-o", "limit.bvh", "--json"];
    let limit = here.run(&[&plants[..], &limit].concat());
    assert_eq!(limit.code, Some(1));
}

#[test]
fn the_method_comes_from_the_flag_or_from_the_settings() {
    let here = skating();
    let method = |args: &[&str]| {
        let dry = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--dry-run", "--json"];
        here.run(&[&dry, args].concat()).done().json()["method"].as_str().unwrap().to_owned()
    };
    assert_eq!(method(&[]), "phases");
    here.put("surefoot.toml", "method = \"support\"\n");
    assert_eq!(method(&[]), "support");
    assert_eq!(method(&["--method", "phases"]), "phases");
    assert_eq!(method(&["--paper", "--roll", "flat", "--stretch", "0"]), "support");
}

#[test]
fn flags_of_the_other_method_are_refused() {
    let here = skating();
    let before = here.names();
    let clean = |args: &[&str]| here.run(&[&["clean", "walk.bvh"], args].concat());
    clean(&["--method", "support", "--live"]).refused("--live needs --method phases");
    clean(&["--skate-speed", "0.2"]).refused("--skate-speed needs --method support");
    clean(&["--method", "hope"]).refused("expected phases or support");
    clean(&["--method", "support", "--skate-speed=-1"]).refused("expected a speed in metres per second");
    clean(&["--method", "support", "--skate-speed", "fast"]).refused("expected a speed in metres per second");
    assert_eq!(here.names(), before);
}
