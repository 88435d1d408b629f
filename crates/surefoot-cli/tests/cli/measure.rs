//! `measure` and `plot`: figures and curves of files.

use super::test_folder::TestFolder;

fn with_cleaned_walk() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4", "--skate", "drift"]).expect_success();
    folder.run(&["clean", "walk.bvh", "--plants", "walk.plants.json"]).expect_success();
    folder
}

#[test]
fn a_single_file_has_figures_without_before() {
    let folder = with_cleaned_walk();
    let text = folder.run(&["measure", "walk.bvh", "--plants", "walk.plants.json"]).expect_success().stdout;
    assert!(text.contains("drift, largest") && !text.contains("before"), "{text}");
    let json = folder
        .run(&["measure", "walk.bvh", "--plants", "walk.plants.json", "--json"])
        .expect_success()
        .json();
    assert!(json["drift_max_m"].as_f64().unwrap() > 0.001, "{json:#}");
    assert!(json["plants"][0]["drift"].is_number(), "{json:#}");
}

#[test]
fn detected_plants_have_a_note() {
    let folder = with_cleaned_walk();
    let text = folder.run(&["measure", "walk.bvh"]).expect_success().stdout;
    assert!(text.contains("foot contacts were detected"), "{text}");
    let json = folder.run(&["measure", "walk.bvh", "--json"]).expect_success().json();
    assert_eq!(json["plants_detected"], true);
}

#[test]
fn two_files_have_figures_before_and_after() {
    let folder = with_cleaned_walk();
    let measure = ["measure", "walk.clean.bvh", "--before", "walk.bvh", "--plants", "walk.plants.json"];
    let text = folder.run(&measure).expect_success().stdout;
    assert!(text.contains("before         after   ratio"), "{text}");
    folder.run(&[&measure[..], &["--max-drift", "0.01mm"]].concat()).expect_success();
    let swapped = ["measure", "walk.bvh", "--before", "walk.clean.bvh", "--plants", "walk.plants.json"];
    let outcome = folder.run(&[&swapped[..], &["--max-drift", "0.01mm"]].concat());
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.starts_with("limit not met: max-drift"), "{outcome:#?}");
}

#[test]
fn the_review_is_the_same_in_json_in_the_text_and_in_the_report() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale"]).expect_success();
    // A heel that is held for a third of a second too long, while the foot swings.
    let mut plants: serde_json::Value = serde_json::from_str(&folder.text("walk.plants.json")).unwrap();
    let heels = plants["plants"].as_array_mut().unwrap().iter_mut();
    let heel = heels.filter(|plant| plant["foot"] == "left" && plant["point"] == "heel").nth(1).unwrap();
    heel["last"] = (heel["last"].as_u64().unwrap() + 20).into();
    folder.write("long.json", &plants.to_string());
    let clean = ["clean", "walk.bvh", "--plants", "long.json", "-o", "long.bvh", "--report", "r.html"];
    folder.run(&clean).expect_success();
    let measure = ["measure", "long.bvh", "--before", "walk.bvh", "--plants", "long.json"];
    let json = folder.run(&[&measure[..], &["--json"]].concat()).expect_success().json();
    let items = json["review"].as_array().unwrap();
    let of_kind = |kind: &str| items.iter().filter(|item| item["kind"] == kind).count();
    assert!(of_kind("introduced") > 0, "{json:#}");
    let text: String = folder.run(&measure).expect_success().stdout.split_whitespace().collect();
    // In the page numbers and units are joined by a space that does not break.
    let page: String = folder.text("r.html").replace('\u{a0}', " ").replace("&#39;", "'");
    for item in items.iter().filter(|item| item["kind"] != "note").take(10) {
        let sentence = item["text"].as_str().unwrap();
        assert!(page.contains(sentence), "the report lacks {sentence}");
        let letters: String = sentence.split_whitespace().collect();
        assert!(text.contains(&letters), "the text lacks {sentence}");
    }
    // One motion has no result to judge.
    let single = folder.run(&["measure", "walk.bvh", "--json"]).expect_success().json();
    assert!(single.get("review").is_none(), "{single:#}");
}

#[test]
fn events_are_listed_and_limited() {
    let folder = super::poses::walk_with_jump();
    let measure = ["measure", "walk.clean.bvh", "--before", "walk.bvh"];
    let json = folder.run(&[&measure[..], &["--json"]].concat()).expect_success().json();
    let teleports = json["teleports"].as_array().unwrap();
    assert!(teleports.len() > 1, "{json:#}");
    for teleport in teleports {
        assert!(["left", "right"].contains(&teleport["foot"].as_str().unwrap()), "{json:#}");
        assert!(["heel", "ball", "toe"].contains(&teleport["point"].as_str().unwrap()), "{json:#}");
        assert!((99..=101).contains(&teleport["first"].as_u64().unwrap()), "{json:#}");
        // Ten metres within a frame of 1/60 s.
        assert!(teleport["amount"].as_f64().unwrap() > 500.0, "{json:#}");
    }
    assert_eq!(json["channels_changed"], serde_json::json!([]));
    let outcome =
        folder.run(&[&measure[..], &["--max-teleports", "1", "--max-channels-changed", "0"]].concat());
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.stderr.contains("max-teleports: the number of teleports is "), "{outcome:#?}");
    assert!(!outcome.stderr.contains("max-channels-changed"), "{outcome:#?}");
    assert!(outcome.stdout.contains("Introduced: "), "{outcome:#?}");
}

#[test]
fn a_limit_on_what_could_not_be_measured_is_not_met() {
    let folder = with_cleaned_walk();
    let outcome = folder.run(&["measure", "walk.clean.bvh", "--max-new-slides", "0"]);
    assert_eq!(outcome.code, Some(1));
    let line = "limit not met: max-new-slides: the number of new slides could not be measured: \
                there is no motion before to compare with";
    assert!(outcome.stderr.contains(line), "{outcome:#?}");
}

#[test]
fn two_motions_that_do_not_match_are_refused() {
    let folder = with_cleaned_walk();
    folder.run(&["sample", "walk", "-o", "long.bvh", "--seconds", "5"]).expect_success();
    folder
        .run(&["sample", "walk", "-o", "dog.bvh", "--skeleton", "four-legs", "--seconds", "5"])
        .expect_success();
    let measure = |after: &str| folder.run(&["measure", after, "--before", "walk.bvh"]);
    measure("long.bvh").expect_error("the motion before has 241 frames, but the one after has 301");
    measure("dog.bvh").expect_error("the joints of the skeletons before and after have different parents");
    folder.run(&["measure", "-", "--before", "-"]).expect_error("stdin can be read only once");
    folder
        .run(&["plot", "walk.bvh", "dog.bvh"])
        .expect_error("the joints of the skeletons before and after have different parents");
}

#[test]
fn a_plot_is_one_picture() {
    let folder = with_cleaned_walk();
    let plot = ["plot", "walk.bvh", "walk.clean.bvh", "--plants", "walk.plants.json"];
    let outcome = folder.run(&plot).expect_success();
    assert_eq!(outcome.stdout, "");
    assert!(outcome.stderr.contains("walk.clean.plot.svg: "), "{outcome:#?}");
    let svg = folder.text("walk.clean.plot.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("left knee, angle") && svg.contains("after"));
    folder.run(&plot).expect_error("walk.clean.plot.svg exists already");
    let whole = folder.run(&["plot", "walk.bvh", "--show", "knees", "-o", "-"]).expect_success().stdout;
    assert!(whole.contains("knee, angle") && !whole.contains("heel, height"), "{whole}");
    let excerpt =
        folder.run(&["plot", "walk.bvh", "--show", "knees", "--frames", "20-60", "-o", "-"]).expect_success();
    assert_ne!(excerpt.stdout, whole);
}

#[test]
fn a_plot_that_cannot_be_drawn_is_refused() {
    let folder = with_cleaned_walk();
    folder.run(&["plot", "walk.bvh", "--frames", "60-20"]).expect_error("as 100-300");
    folder
        .run(&["plot", "walk.bvh", "--frames", "900-999"])
        .expect_error("starts at frame 900, but the motion has 241");
    folder.run(&["plot", "walk.bvh", "--show", "hands"]).expect_error("heights");
    folder.run(&["plot", "walk.bvh", "--show", "root"]).expect_error("nothing to draw for root");
    folder.run(&["plot", "walk.bvh", "a.bvh", "b.bvh"]).expect_error("");
    assert!(!folder.names().iter().any(|name| name.ends_with("svg")));
}
