//! `--hold hands`: hands are found and held, and nothing else changes.

use super::test_folder::TestFolder;

/// The plants of hands in the JSON of `detect`: hand, first and last frame.
fn hands(json: &serde_json::Value) -> Vec<(String, u64, u64)> {
    let plants = json["plants"].as_array().unwrap().iter();
    let hands = plants.filter(|plant| plant["point"] == "palm");
    let hand = |plant: &serde_json::Value| {
        let frame = |key: &str| plant[key].as_u64().unwrap();
        (plant["foot"].as_str().unwrap().to_owned(), frame("first"), frame("last"))
    };
    hands.map(hand).collect()
}

#[test]
fn planted_hands_of_every_sample_are_found_and_held() {
    for kind in ["crawl", "cartwheel", "push", "climb"] {
        for damage in ["scale", "drift", "noise", "blend"] {
            let folder = TestFolder::new();
            folder.run(&["sample", kind, "--skate", damage]).expect_success();
            let file = format!("{kind}.bvh");
            let clean = |args: &[&str]| {
                let args = [&["clean", &file, "--json", "--force"], args].concat();
                folder.run(&args).expect_success().json()
            };
            let found = clean(&["--hold", "feet,hands"]);
            let given = clean(&["--plants", &format!("{kind}.plants.json")]);
            for json in [found, given] {
                let drift = json["drift_max_m"]["after"].as_f64().unwrap();
                assert!(drift < 1e-5, "{kind} {damage}: {drift} m");
                assert!(!hands(&json).is_empty(), "{kind} {damage}");
                assert_eq!(json["knee_pops"], serde_json::json!([]), "{kind} {damage}");
            }
        }
    }
}

#[test]
fn detected_hands_can_be_given_to_clean_as_json_and_as_csv() {
    let folder = TestFolder::new();
    folder.run(&["sample", "push", "--skate", "scale"]).expect_success();
    folder.run(&["clean", "push.bvh", "--hold", "feet,hands", "-o", "own.bvh"]).expect_success();
    for plants in ["plants.json", "plants.csv"] {
        folder.run(&["detect", "push.bvh", "--hold", "feet,hands", "-o", plants]).expect_success();
        // The plants state that hands are held.
        folder.run(&["clean", "push.bvh", "--plants", plants, "-o", "given.bvh", "--force"]).expect_success();
        assert_eq!(folder.bytes("own.bvh"), folder.bytes("given.bvh"), "{plants}");
    }
    assert!(
        folder
            .text("plants.csv")
            .starts_with("left_heel,left_ball,right_heel,right_ball,left_hand_palm,right_hand_palm\n")
    );
}

#[test]
fn a_motion_without_planted_hands_is_the_same_with_and_without_them() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale"]).expect_success();
    folder.run(&["clean", "walk.bvh", "-o", "feet.bvh"]).expect_success();
    folder.run(&["clean", "walk.bvh", "--hold", "feet,hands", "-o", "both.bvh"]).expect_success();
    assert_eq!(folder.bytes("feet.bvh"), folder.bytes("both.bvh"));
    folder.write("surefoot.toml", "hold = \"hands\"\n");
    let json = folder.run(&["detect", "walk.bvh", "--json", "--force"]).expect_success().json();
    assert_eq!(json["plants"], serde_json::json!([]));
}

#[test]
fn nothing_is_said_of_feet_where_only_hands_are_looked_for() {
    let folder = TestFolder::new();
    folder.run(&["sample", "drag", "-o", "drag.bvh"]).expect_success();
    let detect = |hold: &str| folder.run(&["detect", "drag.bvh", "--hold", hold, "--force"]).expect_success();
    let (feet, hands) = (detect("feet"), detect("hands"));
    assert!(feet.stdout.contains("heel") && feet.stderr.contains("foot"), "{feet:#?}");
    assert!(hands.stdout.starts_with("drag.bvh: no contact was detected"), "{hands:#?}");
    assert!(!hands.stderr.contains("foot"), "{hands:#?}");
}

#[test]
fn a_rig_file_states_the_arms() {
    let folder = TestFolder::new();
    folder.run(&["sample", "push"]).expect_success();
    let inspect = |args: &[&str]| {
        folder
            .run(&[&["inspect", "push.bvh", "--hold", "hands", "--json"], args].concat())
            .expect_success()
            .json()
    };
    let inferred = inspect(&["--rig-out", "rig.toml"]);
    assert_eq!(inferred["arms"][1]["wrist"], "RightHand");
    let rig = folder.text("rig.toml");
    assert!(rig.contains("[[arm]]\nside = \"left hand\"\nshoulder = \"LeftArm\"\n"), "{rig}");
    assert_eq!(inspect(&["--rig", "rig.toml"])["arms"], inferred["arms"]);
    folder.write("rig.toml", &rig.replace("\"left hand\"", "\"left paw\""));
    assert_eq!(inspect(&["--rig", "rig.toml"])["arms"][0]["side"], "left paw");
    folder.write("rig.toml", &rig.replace("elbow = \"LeftForeArm\"", "elbow = \"LeftElbow\""));
    folder
        .run(&["inspect", "push.bvh", "--rig", "rig.toml"])
        .expect_error("the skeleton has no joint \"LeftElbow\"");
}

#[test]
fn edits_refuse_hands_and_a_body_without_arms_gets_a_warning() {
    let folder = TestFolder::with_walk();
    folder
        .run(&["retarget", "walk.bvh", "--to", "walk.bvh", "--hold", "hands"])
        .expect_error("--hold hands works with clean, detect, inspect and batch");
    let json = folder.run(&["inspect", "walk.bvh", "--hold", "hands", "--json"]).expect_success().json();
    assert_eq!(json["arms"], serde_json::json!([]));
    assert!(json["warnings"].to_string().contains("no arms were found"), "{json:#}");
}

#[test]
fn hands_of_captures_are_planted_only_where_they_touch_something() {
    let folder = TestFolder::new();
    let detect = |name: &str| {
        let file = surefoot_testdata::path(name)?;
        let args =
            ["detect", file.to_str().unwrap(), "--hold", "hands", "--json", "--force", "-o", "plants.json"];
        Some(hands(&folder.run(&args).expect_success().json()))
    };
    // Hands that swing, box, wave and shake.
    for name in
        ["02_01", "02_03", "13_17", "16_22", "18_01", "36_01", "37_01", "60_01", "75_01", "88_01", "91_10"]
    {
        let Some(found) = detect(&format!("bvh/cmu/{name}.bvh")) else { return };
        assert_eq!(found, [], "{name}");
    }
    // The left hand of the cartwheel is down from frame 386 to 440, the right one from 434 to 480.
    let Some(cartwheel) = detect("bvh/cmu/90_02.bvh") else { return };
    let [(left, from, to), (right, then, end)] = &cartwheel[..] else { panic!("{cartwheel:?}") };
    assert_eq!((left.as_str(), right.as_str()), ("left hand", "right hand"));
    assert!((386..420).contains(from) && (420..441).contains(to), "{cartwheel:?}");
    assert!((434..450).contains(then) && (460..481).contains(end), "{cartwheel:?}");
}
