//! `retarget` and `follow` as a person meets them.

use super::here::Here;

/// A walk of a few steps, made.
fn here() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "-o", "steps.bvh"]).done();
    here
}

#[test]
fn a_motion_on_its_own_body_or_path_keeps_every_byte() {
    let here = here();
    here.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--no-clean", "-o", "a.bvh"]).done();
    here.run(&["follow", "steps.bvh", "--no-clean", "--path-out", "own.json", "-o", "b.bvh"]).done();
    here.run(&["follow", "steps.bvh", "--no-clean", "--path", "own.json", "-o", "c.bvh"]).done();
    for name in ["a.bvh", "b.bvh", "c.bvh"] {
        assert!(here.bytes(name) == here.bytes("steps.bvh"), "{name}");
    }
}

#[test]
fn edits_end_clean_and_say_what_they_did() {
    let here = here();
    let ended = here.run(&["follow", "steps.bvh", "--turn", "90deg", "--json", "--report", "r.html"]).done();
    let json = ended.json();
    assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
    assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.01);
    assert!(json["captured"][0]["drift_max_m"].as_f64().is_some(), "{}", json["captured"]);
    assert!(here.text("r.html").contains("edited"));
    let ended = here.run(&["retarget", "steps.bvh", "--to", "steps.bvh", "--json"]).done();
    assert_eq!(ended.json()["edit"]["left_in_target"].as_array().unwrap().len(), 0);
}

#[test]
fn a_rig_file_may_name_the_skeleton() {
    let here = here();
    here.put("body.toml", "skeleton = \"steps.bvh\"\nunit_m = 0.01\n");
    here.run(&["retarget", "steps.bvh", "--to", "body.toml", "--no-clean", "-o", "a.bvh"]).done();
    assert!(here.bytes("a.bvh") == here.bytes("steps.bvh"));
}

#[test]
fn in_place_and_back_is_measured_on_moving_ground() {
    let here = here();
    here.run(&["follow", "steps.bvh", "--in-place", "-o", "still.bvh"]).done();
    let ended = here
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
        .done();
    assert!(ended.json()["drift_max_m"]["after"].as_f64().unwrap() < 1e-5);
}

/// A walk that loops, made of the samples: its end is its start again, a stride on.
fn with_cycle() -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "6", "--fps", "60", "-o", "walk.bvh"]).done();
    here.run(&["loop", "walk.bvh", "-o", "cycle.bvh", "--plants-out", "cycle.plants.json"]).done();
    here
}

/// The rows of a file's table.
fn rows(here: &Here, name: &str) -> Vec<Vec<f64>> {
    let text = here.text(name);
    let numbers = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
    numbers.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}

/// The end of a file meets its start: but for where the root is, and which way it faces, the last row
/// is the first.
#[track_caller]
fn loops(here: &Here, name: &str) {
    let rows = rows(here, name);
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    for (column, (a, b)) in first.iter().zip(last).enumerate().skip(6) {
        assert!((a - b).abs() < 1e-3, "{name}: column {column} begins with {a} and ends with {b}");
    }
}

#[test]
fn a_loop_stays_a_loop_through_every_edit() {
    let here = with_cycle();
    loops(&here, "cycle.bvh");
    here.run(&["retarget", "cycle.bvh", "--to", "walk.bvh", "--loop", "-o", "a.bvh", "--json"]).done();
    here.run(&["follow", "cycle.bvh", "--turn", "40deg", "--loop", "-o", "b.bvh"]).done();
    here.run(&["clean", "cycle.bvh", "--loop", "-o", "c.bvh"]).done();
    // What is no loop is made one.
    here.run(&["follow", "walk.bvh", "--turn", "40deg", "--loop", "-o", "d.bvh"]).done();
    here.run(&["retarget", "walk.bvh", "--to", "walk.bvh", "--loop", "-o", "e.bvh"]).done();
    here.run(&["join", "walk.bvh", "cycle.bvh", "--loop", "-o", "f.bvh"]).done();
    here.run(&["blend", "walk.bvh", "cycle.bvh", "--weight", "0.3", "--loop", "-o", "g.bvh"]).done();
    for name in ["a.bvh", "b.bvh", "c.bvh", "d.bvh", "e.bvh", "f.bvh", "g.bvh"] {
        loops(&here, name);
    }
}

#[test]
fn edits_heed_the_method_and_a_loop_has_but_one() {
    let here = with_cycle();
    let json =
        here.run(&["follow", "walk.bvh", "--turn", "40deg", "--method", "support", "--json"]).done().json();
    assert!(json["notes"].to_string().contains("support phases: "), "{json}");
    for command in ["clean", "follow"] {
        here.run(&[command, "cycle.bvh", "--loop", "--method", "support", "-o", "x.bvh"])
            .refused("loops can be cleaned with the method `phases` only");
    }
    assert!(!here.path("x.bvh").exists());
}

#[test]
fn loops_in_place_stay_where_they_are() {
    let here = with_cycle();
    for (args, name) in [
        (vec!["clean", "cycle.bvh", "--loop", "--in-place"], "cycle.clean.bvh"),
        (vec!["loop", "walk.bvh", "--in-place"], "walk.loop.bvh"),
        (vec!["retarget", "cycle.bvh", "--to", "walk.bvh", "--loop", "--in-place"], "cycle.retarget.bvh"),
    ] {
        let json = here.run(&[args.as_slice(), &["--json"]].concat()).done().json();
        assert!(json["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{json}");
        loops(&here, name);
        let rows = rows(&here, name);
        for (a, b) in rows[0].iter().zip(&rows[rows.len() - 1]).take(3) {
            assert!((a - b).abs() < 1e-3, "{name}: the root begins at {a} and ends at {b}");
        }
    }
}

#[test]
fn clean_takes_the_way_off_and_gives_it_back() {
    let here = here();
    let still = here.run(&[
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
    assert!(still.done().json()["notes"].to_string().contains("in place: the ground moves at"));
    let way = |name: &str| {
        let rows = rows(&here, name);
        (rows[rows.len() - 1][2] - rows[0][2]).abs()
    };
    // It stands before and after it walks, and then goes back with the ground.
    assert!(way("still.bvh") < 0.7 * way("steps.bvh"), "{} {}", way("still.bvh"), way("steps.bvh"));
    // Its plants say how fast the ground goes, so that it can be measured and given its way back.
    let plants: serde_json::Value = serde_json::from_str(&here.text("belt.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    let measured = here.run(&["measure", "still.bvh", "--plants", "belt.json", "--json"]).done().json();
    assert!(measured["drift_max_m"].as_f64().unwrap() < 1e-5, "{measured}");
    let back =
        ["clean", "still.bvh", "--plants", "belt.json", "--root-motion", "--no-clean", "-o", "back.bvh"];
    here.run(&back).done();
    here.run(&["clean", "steps.bvh", "--plants", "steps.plants.json", "-o", "clean.bvh"]).done();
    for (a, b) in rows(&here, "back.bvh").iter().flatten().zip(rows(&here, "clean.bvh").iter().flatten()) {
        assert!((a - b).abs() < 2e-3, "{a} {b}");
    }
    let mut none: serde_json::Value = serde_json::from_str(&here.text("steps.plants.json")).unwrap();
    none["plants"] = serde_json::json!([]);
    here.put("none.json", &none.to_string());
    here.run(&["clean", "steps.bvh", "--plants", "none.json", "--in-place", "-o", "x.bvh"])
        .refused("--in-place measures the speed over the ground by planted feet");
    assert!(!here.path("x.bvh").exists());
}
