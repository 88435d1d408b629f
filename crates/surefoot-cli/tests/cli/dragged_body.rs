//! Plants for which the root would have to move further than a body can: the result says so.

use super::test_folder::TestFolder;

const NOTE: &str = "further than a body would";

/// Cleans with plants that hold both heels for the whole clip, or one heel at a given spot.
fn check(folder: &TestFolder, file: &str, plants: &str) {
    folder.write("given.json", plants);
    let args = ["clean", file, "--plants", "given.json", "--report", "report.html", "--force"];
    let text = folder.run(&args).expect_success().stdout;
    // Long notes are broken into lines.
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(NOTE), "{text}");
    assert!(folder.text("report.html").contains(NOTE));
    let json = folder.run(&[&args[..], &["--json"]].concat()).expect_success().json();
    let notes: Vec<&str> =
        json["notes"].as_array().unwrap().iter().filter_map(|note| note.as_str()).collect();
    assert_eq!(notes.iter().filter(|note| note.contains(NOTE)).count(), 1, "{notes:?}");
}

#[test]
fn a_body_dragged_by_its_plants_on_a_platform_is_noted() {
    let folder = TestFolder::new();
    folder.run(&["sample", "platform"]).expect_success();
    let frames = folder.run(&["inspect", "platform.bvh", "--json"]).expect_success().json()["frames"].clone();
    let last = frames.as_u64().unwrap() - 1;
    let plant = |foot: &str, point: &str| {
        format!("{{\"foot\":\"{foot}\",\"point\":\"{point}\",\"first\":0,\"last\":{last}}}")
    };
    let plants =
        [plant("left", "heel"), plant("left", "ball"), plant("right", "heel"), plant("right", "ball")];
    check(
        &folder,
        "platform.bvh",
        &format!(
            "{{\"surefoot\":\"plants/1\",\"motion\":{{\"frames\":{frames},\"fps\":60}},\"plants\":[{}]}}",
            plants.join(",")
        ),
    );
}

#[test]
fn a_body_dragged_to_a_spot_far_away_is_noted() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    let plants = |spot: &str| {
        format!(
            "{{\"surefoot\":\"plants/1\",\"motion\":{{\"frames\":361,\"fps\":60}},\"plants\":[\
             {{\"foot\":\"left\",\"point\":\"heel\",\"first\":10,\"last\":20,\"spot\":{spot}}}]}}"
        )
    };
    check(&folder, "walk.bvh", &plants("[1000000.0, 0, 0]"));
    folder.write("given.json", &plants("[1e308, 0, 0]"));
    for flags in [&[][..], &["--floor", "plants"]] {
        let outcome =
            folder.run(&[&["clean", "walk.bvh", "--plants", "given.json", "--force"], flags].concat());
        assert!(
            !outcome.stderr.contains("panicked") && !outcome.stderr.contains("bug"),
            "{}",
            outcome.stderr
        );
        assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    }
}
