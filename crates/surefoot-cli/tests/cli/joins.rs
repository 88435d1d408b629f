//! `join`, `blend`, `loop` and `clean --loop`.

use super::test_folder::TestFolder;

/// A folder with two walks of the same skeleton.
fn with_two_walks() -> TestFolder {
    let folder = TestFolder::new();
    for (name, seed) in [("a.bvh", "1"), ("b.bvh", "2")] {
        folder
            .run(&["sample", "walk", "--seconds", "5", "--fps", "30", "--seed", seed, "-o", name])
            .expect_success();
    }
    folder
}

fn number(json: &serde_json::Value, key: &str) -> f64 {
    json[key]["after"].as_f64().or(json[key].as_f64()).unwrap_or_else(|| panic!("{key} in {json}"))
}

#[test]
fn the_plants_of_two_joined_walks_are_held() {
    let folder = with_two_walks();
    let json = folder.run(&["join", "a.bvh", "b.bvh", "--json"]).expect_success().json();
    assert_eq!(json["output"], "a.join.bvh");
    assert_eq!(json["cleaned"], true);
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let (from, to) = (
        json["edit"]["transition"]["from"].as_u64().unwrap(),
        json["edit"]["transition"]["to"].as_u64().unwrap(),
    );
    let frames =
        folder.run(&["inspect", "a.join.bvh", "--json"]).expect_success().json()["frames"].as_u64().unwrap();
    let second =
        folder.run(&["inspect", "b.bvh", "--json"]).expect_success().json()["frames"].as_u64().unwrap();
    assert_eq!(frames, from + second - to);
    // Without the cleanup.
    let uncleaned = folder
        .run(&["join", "a.bvh", "b.bvh", "--no-clean", "-o", "uncleaned.bvh", "--json"])
        .expect_success()
        .json();
    assert_eq!(uncleaned["cleaned"], false);
    folder.run(&["join", "a.bvh", "b.bvh"]).expect_error("a.join.bvh exists already");
}

#[test]
fn crossings_are_listed_drawn_and_chosen() {
    let folder = with_two_walks();
    let outcome = folder.run(&["join", "a.bvh", "b.bvh", "--list", "--map", "map.svg"]).expect_success();
    assert!(outcome.stdout.contains("distance") && outcome.stdout.contains(" cm"), "{}", outcome.stdout);
    assert!(folder.text("map.svg").contains("Distance between poses"));
    assert!(!folder.names().contains(&"a.join.bvh".to_owned()));
    let list = folder.run(&["join", "a.bvh", "b.bvh", "--list", "--json"]).expect_success().json();
    let second = &list.as_array().unwrap()[1];
    let joined = folder
        .run(&["join", "a.bvh", "b.bvh", "--pick", "2", "--json", "--report", "r.html"])
        .expect_success()
        .json();
    assert_eq!(&joined["edit"]["transition"], second);
    let page = folder.text("r.html");
    for words in ["The edit", ">first<", ">second<", ">edited<", ">clean<"] {
        assert!(page.contains(words), "{words}");
    }
    let joined =
        folder.run(&["join", "a.bvh", "b.bvh", "--at", "60,20", "--json", "--force"]).expect_success().json();
    assert_eq!(
        (&joined["edit"]["transition"]["from"], &joined["edit"]["transition"]["to"]),
        (&60.into(), &20.into())
    );
    folder.run(&["join", "a.bvh", "b.bvh", "--pick", "99", "--force"]).expect_error("were found");
    folder
        .run(&["join", "a.bvh", "b.bvh", "--at", "9000,2", "--force"])
        .expect_error("--at names frame 9000, but a.bvh has frames 0–");
    folder.run(&["join", "a.bvh", "b.bvh", "--at", "9"]).expect_error("as 210,35");
}

#[test]
fn motions_that_do_not_match_are_refused_with_a_suggestion() {
    let folder = with_two_walks();
    folder
        .run(&["sample", "walk", "--skeleton", "no-toe", "--fps", "30", "-o", "other.bvh"])
        .expect_success();
    folder
        .run(&["join", "a.bvh", "other.bvh"])
        .expect_error("joints, but the second has")
        .expect_error("--retarget retargets the second motion");
    let json = folder
        .run(&["join", "a.bvh", "other.bvh", "--retarget", "-o", "on.bvh", "--json"])
        .expect_success()
        .json();
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    assert!(json["notes"].to_string().contains("was retargeted to the body of"), "{json}");
    std::fs::remove_file(folder.path("on.bvh")).unwrap();
    folder.run(&["join", "-", "-"]).expect_error("stdin can be read only once");
    assert!(
        !folder.names().iter().any(|name| name.contains("join") || name.contains("blend")),
        "{:?}",
        folder.names()
    );
}

#[test]
fn a_second_file_at_another_rate_is_resampled() {
    let folder = with_two_walks();
    folder.run(&["sample", "walk", "--fps", "120", "--seed", "3", "-o", "fast.bvh"]).expect_success();
    let edits: [&[&str]; 2] =
        [&["join", "a.bvh", "fast.bvh"], &["blend", "a.bvh", "fast.bvh", "--weight", "0.5"]];
    for edit in edits {
        let json = folder.run(&[edit, &["--json", "--force"]].concat()).expect_success().json();
        assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
        assert!(json["notes"].to_string().contains("fast.bvh was resampled from 120 to 30 frames"), "{json}");
    }
}

#[test]
fn two_takes_with_the_hips_at_other_offsets_are_one_body() {
    let folder = TestFolder::new();
    for (seed, kind, name) in [("1", "walk", "one.bvh"), ("2", "run", "two.bvh")] {
        let rig = ["--skeleton", "ground-root", "--fps", "30", "--seed", seed, "-o", name];
        folder.run(&[&["sample", kind][..], &rig].concat()).expect_success();
    }
    let edits: [&[&str]; 3] = [
        &["join", "one.bvh", "two.bvh"],
        &["blend", "one.bvh", "two.bvh", "--weight", "0.5"],
        &["blend", "one.bvh", "two.bvh", "--weight", "0.5", "--steps", "paired"],
    ];
    for edit in edits {
        let json =
            folder.run(&[edit, &["--json", "--force", "-o", "out.bvh"]].concat()).expect_success().json();
        assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
        // The root stays at the origin.
        let text = folder.text("out.bvh");
        let frames = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
        let still = "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 ";
        assert!(
            frames.clone().count() > 20 && frames.clone().all(|line| line.starts_with(still)),
            "{edit:?}"
        );
    }
}

#[test]
fn motions_with_other_steps_are_named_before_they_are_blended() {
    let folder = TestFolder::new();
    for (kind, name) in [("walk", "walk.bvh"), ("run", "run.bvh")] {
        folder.run(&["sample", kind, "--fps", "30", "-o", name]).expect_success();
    }
    let blend = ["blend", "walk.bvh", "run.bvh", "--weight", "0.5", "--json", "--force"];
    let all = folder.run(&blend).expect_success();
    assert!(all.stderr.contains("the steps do not pair up: walk.bvh takes"), "{}", all.stderr);
    let paired = folder.run(&[&blend[..], &["--steps", "paired"]].concat()).expect_success();
    assert_eq!(paired.stderr, "");
    let json = paired.json();
    assert_eq!(json["edit"]["paired_by_steps"], true);
    // No foot is held in the air.
    assert!(json["float_max_m"]["after"].as_f64().unwrap() < 1e-3, "{json}");
}

#[test]
fn blends_take_a_number_a_curve_or_a_file() {
    let folder = with_two_walks();
    folder.write("w.csv", "# seconds, weight\n0, 0\n3, 1\n");
    for weight in ["0.5", "0:0,3:1", "w.csv"] {
        let json = folder
            .run(&["blend", "a.bvh", "b.bvh", "--weight", weight, "--json", "--force"])
            .expect_success()
            .json();
        assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
        assert!(json["edit"]["slope_max"].as_f64().unwrap() < 3.1);
    }
    for (weight, message) in [
        ("2", "the weight is 2, expected a number from 0 to 1"),
        ("-0.1", "expected a number from 0 to 1"),
        ("0:0,0:1", "expected increasing times"),
        ("0:x", "expected seconds and a weight"),
        ("no.csv", "cannot read no.csv"),
    ] {
        folder.run(&["blend", "a.bvh", "b.bvh", "--weight", weight]).expect_error(message);
    }
    folder.write("bad.csv", "0, 0\n1; 1\n");
    folder
        .run(&["blend", "a.bvh", "b.bvh", "--weight", "bad.csv"])
        .expect_error("expected seconds and a weight");
}

#[test]
fn weights_0_and_1_give_the_files() {
    let folder = with_two_walks();
    for (weight, file) in [("0", "a.bvh"), ("1", "b.bvh")] {
        folder
            .run(&["blend", "a.bvh", "b.bvh", "--weight", weight, "--no-clean", "-o", "out.bvh", "--force"])
            .expect_success();
        let rows = |name: &str| -> Vec<Vec<f64>> {
            let text = folder.text(name);
            let numbers = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
            numbers.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
        };
        let (out, expected) = (rows("out.bvh"), rows(file));
        assert_eq!(out.len(), expected.len());
        for (out, expected) in out.iter().flatten().zip(expected.iter().flatten()) {
            let turns = (out - expected) / 360.0;
            assert!((turns - turns.round()).abs() * 360.0 < 2e-6, "{out} {expected}");
        }
    }
}

#[test]
fn a_walk_becomes_a_loop_that_clean_accepts() {
    let folder = with_two_walks();
    let json = folder.run(&["loop", "a.bvh", "--json"]).expect_success().json();
    assert!(json["edit"]["periodic_m"].as_f64().unwrap() < 1e-9, "{json}");
    let edit = |key: &str| json["edit"][key].as_f64().unwrap();
    assert!(edit("seam_step_m") <= edit("median_step_m") + 1e-6, "{json}");
    assert!(edit("seam_turn_m") <= edit("median_turn_m") + 1e-6, "{json}");
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let again = folder.run(&["clean", "a.loop.bvh", "--loop", "--json"]).expect_success().json();
    assert!(number(&again, "drift_max_m") < 1e-5, "{again}");
    assert!(!again["notes"].to_string().contains("no loop"), "{again}");
    let other = TestFolder::with_walk();
    // A motion that does not loop is refused with a suggestion, and nothing is written.
    for more in [&[][..], &["--dry-run"]] {
        let args = [&["clean", "walk.bvh", "--loop"], more].concat();
        other.run(&args).expect_error("walk.bvh is not a loop: its end is");
        other.run(&args).expect_error("`surefoot loop`");
    }
    assert!(!other.path("walk.clean.bvh").exists());
    assert!(folder.run(&["loop", "a.bvh", "--list"]).expect_success().stdout.contains("--pick N"));
    folder.run(&["loop", "a.bvh", "--frames", "40-9000", "--force"]).expect_error("has frames 0–");
    folder.run(&["loop", "a.bvh", "--length", "100s..", "--force"]).expect_error("no cycle was found");
    folder.run(&["loop", "a.bvh", "--length", "2s..1s", "--force"]).expect_error("0.8s..1.5s");
    folder.run(&["join", "a.bvh", "b.bvh", "--loop", "--json", "-o", "round.bvh"]).expect_success();
}

#[test]
fn every_edit_accepts_two_frames() {
    let folder = with_two_walks();
    let text = folder.text("a.bvh");
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().skip(60).take(2).collect();
    let frames = head.rfind("Frames:").unwrap();
    let head = format!("{}Frames: 2\n", &head[..frames]);
    folder.write("two.bvh", &format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")));
    let run = |args: &[&str]| folder.run(&[args, &["-o", "out.bvh", "--force"]].concat()).expect_success();
    for flag in ["--loop", "--no-clean", "--report=r.html"] {
        match flag {
            // Two frames of a walk do not loop.
            "--loop" => drop(folder.run(&["clean", "two.bvh", flag]).expect_error("two.bvh is not a loop")),
            _ => drop(run(&["clean", "two.bvh", flag])),
        }
        run(&["retarget", "two.bvh", "--to", "a.bvh", flag]);
        run(&["join", "two.bvh", "two.bvh", flag]);
        run(&["join", "a.bvh", "two.bvh", flag]);
        run(&["blend", "two.bvh", "a.bvh", "--weight", "0.5", flag]);
        run(&["loop", "two.bvh", "--frames", "0-1", flag]);
    }
    folder.run(&["loop", "two.bvh"]).expect_error("no cycle was found in two.bvh");
    folder.run(&["follow", "two.bvh", "--turn", "90deg"]).expect_error("has no path to move");
}

#[test]
fn a_step_makes_a_loop_that_holds_its_foot_across_the_seam() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "6", "--fps", "60"]).expect_success();
    let plants: serde_json::Value = serde_json::from_str(&folder.text("walk.plants.json")).unwrap();
    let steps: Vec<u64> = (plants["plants"].as_array().unwrap().iter())
        .filter(|plant| plant["foot"] == "left" && plant["point"] == "ball")
        .map(|plant| (plant["first"].as_u64().unwrap() + plant["last"].as_u64().unwrap()) / 2)
        .collect();
    // From the middle of one stance to the middle of the next stance of the same foot.
    let frames = format!("{}-{}", steps[2], steps[3]);
    let args = ["loop", "walk.bvh", "--plants", "walk.plants.json", "--frames", &frames];
    let json =
        folder.run(&[&args[..], &["--plants-out", "held.json", "--json"]].concat()).expect_success().json();
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let period = json["edit"]["period"].as_u64().unwrap();
    assert_eq!(period, steps[3] - steps[2]);
    let plants: serde_json::Value = serde_json::from_str(&folder.text("held.json")).unwrap();
    let is_held = |frame: u64| {
        plants["plants"].as_array().unwrap().iter().any(|plant| {
            plant["foot"] == "left"
                && plant["point"] == "ball"
                && (plant["first"].as_u64().unwrap()..=plant["last"].as_u64().unwrap()).contains(&frame)
        })
    };
    assert!(is_held(0) && is_held(period), "{plants}");
}

/// A drawing on stdout leaves no room for JSON there, and text for a person goes to stderr.
#[test]
fn a_map_on_stdout_is_alone_there() {
    let folder = with_two_walks();
    for args in [&["join", "a.bvh", "b.bvh", "--list"][..], &["loop", "a.bvh", "--list"]] {
        let with = |flags: &[&str]| folder.run(&[args, flags].concat());
        with(&["--json", "--map", "-"]).expect_error("--json and --map - cannot both go to stdout");
        let drawn = with(&["--map", "-"]).expect_success();
        assert!(drawn.stdout.starts_with("<svg") && drawn.stdout.trim_end().ends_with("</svg>"));
        assert!(drawn.stderr.contains("--pick"), "{}", drawn.stderr);
    }
    let scored = folder.run(&["score", "a.bvh", "b.bvh", "--json", "--plot", "-"]);
    scored.expect_error("--json and --plot - cannot both go to stdout");
}

#[test]
fn motions_with_other_joints_are_not_blended_or_joined() {
    let folder = with_two_walks();
    folder.write("small.bvh", &super::test_folder::walk());
    for pair in [["a.bvh", "small.bvh"], ["small.bvh", "a.bvh"]] {
        folder.run(&["blend", pair[0], pair[1], "--weight", "0.5"]).expect_error("joints");
        folder.run(&["join", pair[0], pair[1]]).expect_error("joints");
    }
}
