//! The published detection methods: detecting with them and fitting their models.

use super::test_folder::TestFolder;

/// A folder with generated motions and their plants.
fn with_samples(kinds: &[&str]) -> TestFolder {
    let folder = TestFolder::new();
    for kind in kinds {
        folder.run(&["sample", kind]).expect_success();
    }
    folder
}

#[test]
fn every_method_detects_the_plants_of_a_walk_to_a_frame() {
    let folder = with_samples(&["walk"]);
    let true_plants: serde_json::Value = serde_json::from_str(&folder.text("walk.plants.json")).unwrap();
    for method in ["speed-height", "zero-crossing", "knn", "svm"] {
        let json =
            folder.run(&["detect", "walk.bvh", "--method", method, "--json", "-o", "p.json", "--force"]);
        let json = json.expect_success().json();
        assert_eq!(json["method"], method);
        let [expected, found] = [&true_plants, &json].map(|value| value["plants"].as_array().unwrap());
        assert_eq!(found.len(), expected.len(), "{method}");
        for (expected, found) in expected.iter().zip(found) {
            let what = format!("{method}: expected {expected}, found {found}");
            assert!(["foot", "point"].iter().all(|key| expected[key] == found[key]), "{what}");
            for edge in ["first", "last"] {
                let [expected, found] = [expected, found].map(|plant| plant[edge].as_u64().unwrap());
                assert!(expected.abs_diff(found) <= 1, "{what}");
            }
        }
    }
}

#[test]
fn detect_uses_a_fitted_model() {
    let folder = with_samples(&["walk", "turn", "jump"]);
    for method in ["knn", "svm"] {
        let fit = |name: &str| {
            let data = ["walk.bvh", "turn.bvh", "jump.bvh"];
            let args =
                ["train", data[0], data[1], data[2], "--method", method, "--max-frames", "150", "-o", name];
            folder.run(&args).expect_success();
            folder.bytes(name)
        };
        let (one, other) = (format!("{method}.model"), format!("{method}2.model"));
        assert_eq!(fit(&one), fit(&other), "the same motions give the same bytes");
        folder
            .run(&["detect", "walk.bvh", "--method", method, "--model", &one, "-o", "p.json", "--force"])
            .expect_success();
        let other = if method == "knn" { "svm" } else { "knn" };
        folder
            .run(&["detect", "walk.bvh", "--method", other, "--model", &one, "-o", "q.json"])
            .expect_error(&format!("{one}: found a model of \"{method}/2\", expected \"{other}/2\""))
            .expect_error(&format!("`surefoot train --method {other}"));
        assert!(!folder.path("q.json").exists());
    }
    folder
        .run(&["detect", "walk.bvh", "--method", "zero-crossing", "--model", "knn.model", "-o", "q.json"])
        .expect_error("--detector zero-crossing takes no model");
    folder
        .run(&["train", "walk.bvh", "--method", "zero-crossing", "-o", "q.model"])
        .expect_error("--method zero-crossing has nothing to fit");
}

#[test]
fn motions_with_a_single_label_are_refused_and_nothing_is_written() {
    let folder = with_samples(&["stand"]);
    let before = folder.names();
    for method in ["knn", "svm"] {
        folder
            .run(&["train", "stand.bvh", "--method", method, "-o", "x.model"])
            .expect_error(&format!("cannot fit {method}: every frame is labelled \"both\""));
    }
    folder
        .run(&["train", "stand.bvh", "--method", "svm", "--features", "b+b-split", "-o", "x.model"])
        .expect_error("expected a, b, b-split, c, d, knee, ankle");
    folder
        .run(&["train", "stand.bvh", "--method", "svm", "--window", "4", "-o", "x.model"])
        .expect_error("expected 1, 3, 5 or 10");
    assert_eq!(folder.names(), before);
}
