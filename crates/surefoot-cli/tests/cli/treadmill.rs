//! Ground that moves: a walk on a treadmill is noticed, found and cleaned as one over ground.

use super::here::Here;

/// A folder with `belt.bvh`: the middle of a made walk, on a belt of this speed, in m/s.
fn with_belt(speed: f64) -> Here {
    let here = Here::new();
    here.run(&["sample", "walk", "--seconds", "10", "--skate", "noise"]).done();
    let text = here.text("walk.bvh");
    let (head, rows) = text.split_once("Frame Time:").unwrap();
    let (time, rows) = rows.split_once('\n').unwrap();
    let seconds: f64 = time.trim().parse().unwrap();
    let rows: Vec<&str> = rows.lines().skip(180).take(240).collect();
    let unit = here.run(&["inspect", "walk.bvh", "--json"]).done().json()["unit_m"].as_f64().unwrap();
    let move_back = |(frame, row): (usize, &&str)| {
        let mut cells: Vec<String> = row.split_whitespace().map(str::to_owned).collect();
        let z: f64 = cells[2].parse().unwrap();
        cells[2] = format!("{:.6}", z - speed * frame as f64 * seconds / unit);
        cells.join(" ")
    };
    let rows: Vec<String> = rows.iter().enumerate().map(move_back).collect();
    let frames = head.rfind("Frames:").unwrap();
    let head = format!("{}Frames: {}\n", &head[..frames], rows.len());
    here.put("belt.bvh", &format!("{head}Frame Time:{time}\n{}\n", rows.join("\n")));
    here
}

#[test]
fn a_treadmill_is_noticed_and_its_plants_are_held_to_the_belt() {
    let here = with_belt(1.2);
    let found = here.run(&["inspect", "belt.bvh", "--json"]).done().json();
    let ground: Vec<f64> =
        found["ground_m_per_s"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert!((ground[2] + 1.2).abs() < 0.1 && ground[0].abs() < 0.1, "{ground:?}");
    assert!(here.run(&["inspect", "belt.bvh"]).done().stdout.contains("ground"));
    let cleaned = here.run(&["clean", "belt.bvh", "--plants-out", "held.json", "--json"]).done().json();
    assert!(cleaned["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{cleaned}");
    assert!(cleaned["drift_max_m"]["before"].as_f64().unwrap() < 0.1, "{cleaned}");
    let plants: serde_json::Value = serde_json::from_str(&here.text("held.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    // Measured anew, from the file alone, with the plants that were held.
    let args = ["measure", "belt.clean.bvh", "--before", "belt.bvh", "--plants", "held.json", "--json"];
    let measured = here.run(&args).done().json();
    assert!(measured["drift_max_m"]["after"].as_f64().unwrap() < 1e-5, "{measured}");
}

#[test]
fn curves_of_a_treadmill_are_drawn_as_the_belt_sees_them() {
    let belt = with_belt(1.2);
    belt.run(&["detect", "belt.bvh", "-o", "plants.json"]).done();
    let mut plants: serde_json::Value = serde_json::from_str(&belt.text("plants.json")).unwrap();
    assert!(plants["ground_m_per_s"].is_array(), "{plants}");
    let over_ground = with_belt(0.0);
    plants.as_object_mut().unwrap().remove("ground_m_per_s");
    over_ground.put("plants.json", &plants.to_string());
    // What is written at the axes: how fast the feet are, where they stand and where the root goes.
    let axes = |here: &Here| -> Vec<String> {
        let args = ["plot", "belt.bvh", "--plants", "plants.json", "--show", "speeds,ground", "-o", "-"];
        let svg = here.run(&args).done().stdout;
        let texts = svg.split("<text").skip(1).filter_map(|text| text.split(['>', '<']).nth(1));
        texts.map(str::to_owned).collect()
    };
    assert_eq!(axes(&belt), axes(&over_ground));
}

#[test]
fn a_walk_over_ground_has_none() {
    let here = Here::new();
    here.run(&["sample", "walk", "--skate", "scale"]).done();
    assert_eq!(
        here.run(&["inspect", "walk.bvh", "--json"]).done().json()["ground_m_per_s"],
        serde_json::Value::Null
    );
    assert!(!here.run(&["inspect", "walk.bvh"]).done().stdout.contains("treadmill"));
}
