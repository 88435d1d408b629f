//! Motions on a treadmill: the ground velocity is detected, and plants are held relative to the belt.

use super::test_folder::TestFolder;

/// A folder with `belt.bvh`: the middle of a generated walk, on a belt of this speed in m/s.
fn with_belt(speed: f64) -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "10", "--skate", "noise"]).expect_success();
    let text = folder.text("walk.bvh");
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let seconds: f64 = time.trim().parse().unwrap();
    let rows: Vec<&str> = rows.lines().skip(180).take(240).collect();
    let unit =
        folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json()["unit_m"].as_f64().unwrap();
    let move_back = |(frame, row): (usize, &&str)| {
        let mut cells: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
        let z: f64 = cells[2].parse().unwrap();
        cells[2] = format!("{:.6}", z - speed * frame as f64 * seconds / unit);
        cells.join(" ")
    };
    let rows: Vec<String> = rows.iter().enumerate().map(move_back).collect();
    let frames = head.rfind("Frames:").unwrap();
    let head = format!("{}Frames: {}\n", &head[..frames], rows.len());
    folder.write("belt.bvh", &format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")));
    folder
}

#[test]
fn a_treadmill_is_detected_and_plants_are_held_relative_to_the_belt() {
    let folder = with_belt(1.2);
    let inspected = folder.run(&["inspect", "belt.bvh", "--json"]).expect_success().json();
    let ground: Vec<f64> =
        inspected["ground_m_per_s"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert!((ground[2] + 1.2).abs() < 0.1 && ground[0].abs() < 0.1, "{ground:?}");
    assert!(folder.run(&["inspect", "belt.bvh"]).expect_success().stdout.contains("ground"));
    let cleaned =
        folder.run(&["clean", "belt.bvh", "--plants-out", "held.json", "--json"]).expect_success().json();
    assert!(cleaned["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{cleaned}");
    assert!(cleaned["drift_max_m"]["before"].as_f64().unwrap() < 0.1, "{cleaned}");
    let plants: serde_json::Value = serde_json::from_str(&folder.text("held.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    // `measure` reads the written files.
    let args = ["measure", "belt.clean.bvh", "--before", "belt.bvh", "--plants", "held.json", "--json"];
    let measured = folder.run(&args).expect_success().json();
    assert!(measured["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{measured}");
}

#[test]
fn curves_of_a_treadmill_are_drawn_relative_to_the_belt() {
    let belt = with_belt(1.2);
    belt.run(&["detect", "belt.bvh", "-o", "plants.json"]).expect_success();
    let mut plants: serde_json::Value = serde_json::from_str(&belt.text("plants.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    let over_ground = with_belt(0.0);
    plants.as_object_mut().unwrap().remove("ground_m_per_s");
    over_ground.write("plants.json", &plants.to_string());
    // The labels of the axes: speeds of the feet, positions of the plants and of the root.
    let axes = |folder: &TestFolder| -> Vec<String> {
        let args = ["plot", "belt.bvh", "--plants", "plants.json", "--show", "speeds,ground", "-o", "-"];
        let svg = folder.run(&args).expect_success().stdout;
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
        texts.map(str::to_owned).collect()
    };
    assert_eq!(axes(&belt), axes(&over_ground));
}

#[test]
fn a_walk_over_ground_has_no_ground_velocity() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale"]).expect_success();
    assert_eq!(
        folder.run(&["inspect", "walk.bvh", "--json"]).expect_success().json()["ground_m_per_s"],
        serde_json::Value::Null
    );
    assert!(!folder.run(&["inspect", "walk.bvh"]).expect_success().stdout.contains("treadmill"));
}
