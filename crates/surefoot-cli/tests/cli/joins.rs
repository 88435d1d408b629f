//! `join`, `blend` and `loop` as a person meets them, and `clean --loop`.

use super::here::Here;

/// A folder with two walks of one body.
fn here() -> Here {
    let here = Here::new();
    for (name, seed) in [("a.bvh", "1"), ("b.bvh", "2")] {
        here.run(&["sample", "walk", "--seconds", "5", "--fps", "30", "--seed", seed, "-o", name]).done();
    }
    here
}

fn number(json: &serde_json::Value, key: &str) -> f64 {
    json[key]["after"].as_f64().or(json[key].as_f64()).unwrap_or_else(|| panic!("{key} in {json}"))
}

#[test]
fn two_walks_are_joined_and_their_feet_stay_put() {
    let here = here();
    let json = here.run(&["join", "a.bvh", "b.bvh", "--json"]).done().json();
    assert_eq!(json["output"], "a.join.bvh");
    assert_eq!(json["cleaned"], true);
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let (from, to) =
        (json["edit"]["taken"]["from"].as_u64().unwrap(), json["edit"]["taken"]["to"].as_u64().unwrap());
    let frames = here.run(&["inspect", "a.join.bvh", "--json"]).done().json()["frames"].as_u64().unwrap();
    let second = here.run(&["inspect", "b.bvh", "--json"]).done().json()["frames"].as_u64().unwrap();
    assert_eq!(frames, from + second - to);
    // As the edit left it, it skates.
    let left = here.run(&["join", "a.bvh", "b.bvh", "--no-clean", "-o", "left.bvh", "--json"]).done().json();
    assert_eq!(left["cleaned"], false);
    here.run(&["join", "a.bvh", "b.bvh"]).refused("a.join.bvh exists already");
}

#[test]
fn crossings_are_listed_drawn_and_chosen() {
    let here = here();
    let ended = here.run(&["join", "a.bvh", "b.bvh", "--list", "--map", "map.svg"]).done();
    assert!(ended.stdout.contains("distance") && ended.stdout.contains(" cm"), "{}", ended.stdout);
    assert!(here.text("map.svg").contains("How far apart poses are"));
    assert!(!here.names().contains(&"a.join.bvh".to_owned()));
    let list = here.run(&["join", "a.bvh", "b.bvh", "--list", "--json"]).done().json();
    let second = &list.as_array().unwrap()[1];
    let taken =
        here.run(&["join", "a.bvh", "b.bvh", "--pick", "2", "--json", "--report", "r.html"]).done().json();
    assert_eq!(&taken["edit"]["taken"], second);
    let page = here.text("r.html");
    for words in ["The edit", ">first<", ">second<", ">edited<", ">clean<"] {
        assert!(page.contains(words), "{words}");
    }
    let taken = here.run(&["join", "a.bvh", "b.bvh", "--at", "60,20", "--json", "--force"]).done().json();
    assert_eq!((&taken["edit"]["taken"]["from"], &taken["edit"]["taken"]["to"]), (&60.into(), &20.into()));
    here.run(&["join", "a.bvh", "b.bvh", "--pick", "99", "--force"]).refused("were found");
    here.run(&["join", "a.bvh", "b.bvh", "--at", "9000,2", "--force"])
        .refused("--at names frame 9000, but a.bvh has frames 0–");
    here.run(&["join", "a.bvh", "b.bvh", "--at", "9"]).refused("as 210,35");
}

#[test]
fn what_does_not_fit_is_refused_with_a_way_out() {
    let here = here();
    here.run(&["sample", "walk", "--skeleton", "no-toe", "--fps", "30", "-o", "other.bvh"]).done();
    here.run(&["join", "a.bvh", "other.bvh"])
        .refused("joints, but the second has")
        .refused("--retarget retargets the second motion");
    let json =
        here.run(&["join", "a.bvh", "other.bvh", "--retarget", "-o", "on.bvh", "--json"]).done().json();
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    assert!(json["notes"].to_string().contains("was retargeted to the body of"), "{json}");
    std::fs::remove_file(here.path("on.bvh")).unwrap();
    here.run(&["sample", "walk", "--fps", "60", "-o", "fast.bvh"]).done();
    here.run(&["blend", "a.bvh", "fast.bvh", "--weight", "0.5"])
        .refused("frames per second, but the second has");

    here.run(&["join", "-", "-"]).refused("stdin can be read only once");
    assert!(
        !here.names().iter().any(|name| name.contains("join") || name.contains("blend")),
        "{:?}",
        here.names()
    );
}

#[test]
fn blends_take_a_number_a_curve_or_a_file() {
    let here = here();
    here.put("w.csv", "# seconds, weight\n0, 0\n3, 1\n");
    for weight in ["0.5", "0:0,3:1", "w.csv"] {
        let json =
            here.run(&["blend", "a.bvh", "b.bvh", "--weight", weight, "--json", "--force"]).done().json();
        assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
        assert!(json["edit"]["slope_max"].as_f64().unwrap() < 3.1);
    }
    for (weight, said) in [
        ("2", "the weight is 2, expected a number from 0 to 1"),
        ("-0.1", "expected a number from 0 to 1"),
        ("0:0,0:1", "expected increasing times"),
        ("0:x", "expected seconds and a weight"),
        ("no.csv", "cannot read no.csv"),
    ] {
        here.run(&["blend", "a.bvh", "b.bvh", "--weight", weight]).refused(said);
    }
    here.put("bad.csv", "0, 0\n1; 1\n");
    here.run(&["blend", "a.bvh", "b.bvh", "--weight", "bad.csv"]).refused("expected seconds and a weight");
}

#[test]
fn weights_0_and_1_give_the_files() {
    let here = here();
    for (weight, file) in [("0", "a.bvh"), ("1", "b.bvh")] {
        here.run(&["blend", "a.bvh", "b.bvh", "--weight", weight, "--no-clean", "-o", "out.bvh", "--force"])
            .done();
        let rows = |name: &str| -> Vec<Vec<f64>> {
            let text = here.text(name);
            let numbers = text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1);
            numbers.map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
        };
        let (out, wanted) = (rows("out.bvh"), rows(file));
        assert_eq!(out.len(), wanted.len());
        for (out, wanted) in out.iter().flatten().zip(wanted.iter().flatten()) {
            let turns = (out - wanted) / 360.0;
            assert!((turns - turns.round()).abs() * 360.0 < 2e-6, "{out} {wanted}");
        }
    }
}

#[test]
fn a_walk_becomes_a_loop_that_can_be_cleaned_as_one() {
    let here = here();
    let json = here.run(&["loop", "a.bvh", "--json"]).done().json();
    assert!(json["edit"]["periodic_m"].as_f64().unwrap() < 1e-9, "{json}");
    let edit = |key: &str| json["edit"][key].as_f64().unwrap();
    assert!(edit("seam_step_m") <= edit("median_step_m") + 1e-6, "{json}");
    assert!(edit("seam_turn_m") <= edit("median_turn_m") + 1e-6, "{json}");
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let again = here.run(&["clean", "a.loop.bvh", "--loop", "--json"]).done().json();
    assert!(number(&again, "drift_max_m") < 1e-5, "{again}");
    assert!(!again["notes"].to_string().contains("no loop"), "{again}");
    let knees = Here::with_walk();
    // Nothing is written of what is none, and it is said what makes one.
    for more in [&[][..], &["--dry-run"]] {
        let words = [&["clean", "walk.bvh", "--loop"], more].concat();
        knees.run(&words).refused("walk.bvh is not a loop: its end is");
        knees.run(&words).refused("`surefoot loop`");
    }
    assert!(!knees.path("walk.clean.bvh").exists());
    assert!(here.run(&["loop", "a.bvh", "--list"]).done().stdout.contains("--pick N"));
    here.run(&["loop", "a.bvh", "--frames", "40-9000", "--force"]).refused("has frames 0–");
    here.run(&["loop", "a.bvh", "--length", "100s..", "--force"]).refused("no cycle was found");
    here.run(&["loop", "a.bvh", "--length", "2s..1s", "--force"]).refused("0.8s..1.5s");
    here.run(&["join", "a.bvh", "b.bvh", "--loop", "--json", "-o", "round.bvh"]).done();
}

#[test]
fn two_frames_go_through_every_edit() {
    let here = here();
    let text = here.text("a.bvh");
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().skip(60).take(2).collect();
    let frames = head.rfind("Frames:").unwrap();
    let head = format!("{}Frames: 2\n", &head[..frames]);
    here.put("two.bvh", &format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")));
    let done = |args: &[&str]| here.run(&[args, &["-o", "out.bvh", "--force"]].concat()).done();
    for flag in ["--loop", "--no-clean", "--report=r.html"] {
        match flag {
            // Two frames of a walk are no loop.
            "--loop" => drop(here.run(&["clean", "two.bvh", flag]).refused("two.bvh is not a loop")),
            _ => drop(done(&["clean", "two.bvh", flag])),
        }
        done(&["retarget", "two.bvh", "--to", "a.bvh", flag]);
        done(&["join", "two.bvh", "two.bvh", flag]);
        done(&["join", "a.bvh", "two.bvh", flag]);
        done(&["blend", "two.bvh", "a.bvh", "--weight", "0.5", flag]);
        done(&["loop", "two.bvh", "--frames", "0-1", flag]);
    }
    here.run(&["loop", "two.bvh"]).refused("no cycle was found in two.bvh");
    here.run(&["follow", "two.bvh", "--turn", "90deg"]).refused("has no path to move");
}

#[test]
fn a_step_makes_a_loop_that_holds_its_foot_across_the_seam() {
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "6", "--fps", "60"]).done();
    let plants: serde_json::Value = serde_json::from_str(&here.text("walk.plants.json")).unwrap();
    let steps: Vec<u64> = (plants["plants"].as_array().unwrap().iter())
        .filter(|plant| plant["foot"] == "left" && plant["point"] == "ball")
        .map(|plant| (plant["first"].as_u64().unwrap() + plant["last"].as_u64().unwrap()) / 2)
        .collect();
    // From the middle of one stance to the middle of the next of that foot.
    let frames = format!("{}-{}", steps[2], steps[3]);
    let args = ["loop", "walk.bvh", "--plants", "walk.plants.json", "--frames", &frames];
    let json = here.run(&[&args[..], &["--plants-out", "held.json", "--json"]].concat()).done().json();
    assert!(number(&json, "drift_max_m") < 1e-5, "{json}");
    let period = json["edit"]["period"].as_u64().unwrap();
    assert_eq!(period, steps[3] - steps[2]);
    let held: serde_json::Value = serde_json::from_str(&here.text("held.json")).unwrap();
    let is_held = |frame: u64| {
        held["plants"].as_array().unwrap().iter().any(|plant| {
            plant["foot"] == "left"
                && plant["point"] == "ball"
                && (plant["first"].as_u64().unwrap()..=plant["last"].as_u64().unwrap()).contains(&frame)
        })
    };
    assert!(is_held(0) && is_held(period), "{held}");
}
