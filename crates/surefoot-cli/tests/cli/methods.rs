//! The methods of the literature: asked, fitted, and refused.

use super::here::Here;

/// A folder with labelled motions made from nothing.
fn with_samples(kinds: &[&str]) -> Here {
    let here = Here::new();
    for kind in kinds {
        here.run(&["sample", kind]).done();
    }
    here
}

#[test]
fn every_method_finds_the_plants_of_a_walk() {
    let here = with_samples(&["walk"]);
    for method in ["speed-height", "zero-crossing", "knn", "svm"] {
        let json = here.run(&["detect", "walk.bvh", "--method", method, "--json", "-o", "p.json", "--force"]);
        let json = json.done().json();
        assert_eq!(json["method"], method);
        let plants = json["plants"].as_array().unwrap().len();
        assert!((15..=50).contains(&plants), "{method}: {plants}");
    }
}

#[test]
fn a_model_that_was_fitted_is_asked() {
    let here = with_samples(&["walk", "turn", "jump"]);
    for method in ["knn", "svm"] {
        let fit = |name: &str| {
            let data = ["walk.bvh", "turn.bvh", "jump.bvh"];
            let args =
                ["train", data[0], data[1], data[2], "--method", method, "--moments", "150", "-o", name];
            here.run(&args).done();
            here.bytes(name)
        };
        let (one, other) = (format!("{method}.model"), format!("{method}2.model"));
        assert_eq!(fit(&one), fit(&other), "the same motions give the same bytes");
        here.run(&["detect", "walk.bvh", "--method", method, "--model", &one, "-o", "p.json", "--force"])
            .done();
        let other = if method == "knn" { "svm" } else { "knn" };
        here.run(&["detect", "walk.bvh", "--method", other, "--model", &one, "-o", "q.json"])
            .refused(&format!("{one}: found a model of \"{method}/1\", expected \"{other}/1\""))
            .refused(&format!("`surefoot train --method {other}"));
        assert!(!here.path("q.json").exists());
    }
    here.run(&["detect", "walk.bvh", "--method", "zero-crossing", "--model", "knn.model", "-o", "q.json"])
        .refused("--method zero-crossing takes no model");
    here.run(&["train", "walk.bvh", "--method", "zero-crossing", "-o", "q.model"])
        .refused("--method zero-crossing has nothing to fit");
}

#[test]
fn one_label_only_is_refused_and_nothing_is_written() {
    let here = with_samples(&["stand"]);
    let before = here.names();
    for method in ["knn", "svm"] {
        here.run(&["train", "stand.bvh", "--method", method, "-o", "x.model"])
            .refused(&format!("cannot fit {method}: every frame is labelled \"both\""));
    }
    here.run(&["train", "stand.bvh", "--method", "svm", "--features", "b+b-split", "-o", "x.model"])
        .refused("expected a, b, b-split, c, d, knee");
    here.run(&["train", "stand.bvh", "--method", "svm", "--window", "4", "-o", "x.model"])
        .refused("expected 1, 3, 5 or 10");
    assert_eq!(here.names(), before);
}
