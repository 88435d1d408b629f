//! Toe tips, pivots and strength: from the plants file to the written motion and its figures.

use serde_json::Value;
use surefoot::MotionFile;
use surefoot::core::{Motion, Quat, Vec3, WorldPose};

use super::stream::pipe;
use super::test_folder::TestFolder;

fn sample(kind: &str) -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", kind, "--seconds", "6", "--skate", "drift=0.02"]).expect_success();
    // Spots of the motion without damage would pull the damaged body back.
    edit(&folder, &format!("{kind}.plants.json"), |_, plant| {
        plant.as_object_mut().unwrap().remove("spot");
    });
    folder
}

/// Changes every plant of a plants file.
fn edit(folder: &TestFolder, name: &str, change: impl Fn(usize, &mut Value)) {
    let mut file: Value = serde_json::from_str(&folder.text(name)).unwrap();
    for (n, plant) in file["plants"].as_array_mut().unwrap().iter_mut().enumerate() {
        change(n, plant);
    }
    folder.write(name, &file.to_string());
}

fn after(value: &Value) -> f64 {
    value["after"].as_f64().unwrap_or_else(|| panic!("{value:#}"))
}

/// The arguments of each method.
const METHODS: [&[&str]; 4] =
    [&[], &["--paper"], &["--method", "support"], &["--method", "support", "--paper", "--stretch", "20%"]];

#[test]
fn every_method_holds_toe_tips_and_pivots_in_the_written_file() {
    for kind in ["tiptoe", "pivot"] {
        let folder = sample(kind);
        let (motion, plants) = (format!("{kind}.bvh"), format!("{kind}.plants.json"));
        for method in METHODS {
            let clean = ["clean", &motion, "--plants", &plants, "-o", "out.bvh", "--force", "--json"];
            let json = folder.run(&[&clean[..], method].concat()).expect_success().json();
            assert!(after(&json["drift_max_m"]) < 1e-5, "{kind} {method:?}: {:#}", json["drift_max_m"]);
            assert!(json["drift_max_m"]["before"].as_f64().unwrap() > 0.005, "{kind}: {json:#}");
        }
    }
}

#[test]
fn cleaning_pivots_introduces_no_events() {
    // In the true motion, the toes of a pivoting foot slide further than where it drifts by 4 cm.
    let folder = TestFolder::new();
    folder.run(&["sample", "pivot", "--skate", "drift=0.025"]).expect_success();
    for method in [&[][..], &["--method", "support"]] {
        let clean = ["clean", "pivot.bvh", "--plants", "pivot.plants.json", "--json", "--force"];
        let json = folder.run(&[&clean[..], method].concat()).expect_success().json();
        for events in ["new_slides", "teleports", "knee_pops", "scrapes", "deeper_than_captured"] {
            assert_eq!(json[events], serde_json::json!([]), "{method:?}: {events}");
        }
    }
}

/// Largest angular acceleration of each foot in a written file, in radians per second squared.
fn largest_angular_accelerations(folder: &TestFolder, name: &str) -> Vec<f64> {
    let Motion { skeleton, poses, fps, .. } = MotionFile::load(folder.path(name)).unwrap().clip.motion;
    let worlds: Vec<WorldPose> = poses.iter().map(|pose| pose.world(&skeleton)).collect();
    let largest = |foot: &str| {
        let joint = skeleton.find(foot).unwrap().index();
        let rotations: Vec<Quat> = worlds.iter().map(|world| world.rotations[joint]).collect();
        let turn = |pair: &[Quat]| (pair[1] * pair[0].conjugate()).to_scaled_axis() * fps;
        let rates: Vec<Vec3> = rotations.windows(2).map(turn).collect();
        rates.windows(2).map(|pair| pair[0].distance(pair[1]) * fps).fold(0.0, f64::max)
    };
    ["LeftFoot", "RightFoot"].map(largest).to_vec()
}

#[test]
fn a_foot_turns_about_its_pivot_as_smoothly_as_captured() {
    // Pivots that begin and end with the turn, and 4 frames later. One that ends 6 frames before the turn stops the foot.
    for (late, bar) in [(0, 1.02), (4, 1.2), (-6, 1.8)] {
        let folder = sample("pivot");
        edit(&folder, "pivot.plants.json", |_, plant| {
            let (first, last) = (plant["first"].as_i64().unwrap(), plant["last"].as_i64().unwrap());
            plant["first"] = (if first > 0 { first + late } else { 0 }).into();
            plant["last"] = (if last < 360 { last + late } else { 360 }).into();
        });
        for method in [&[][..], &["--live"], &["--paper"], &["--method", "support"]] {
            let clean = ["clean", "pivot.bvh", "--plants", "pivot.plants.json", "-o", "out.bvh", "--force"];
            let json = folder.run(&[&clean[..], method, &["--json"]].concat()).expect_success().json();
            let drift = after(&json["drift_max_m"]);
            assert!(drift < 1e-5, "{late} {method:?}: {drift}");
            let captured = largest_angular_accelerations(&folder, "pivot.bvh");
            let clean = largest_angular_accelerations(&folder, "out.bvh");
            for (captured, clean) in captured.into_iter().zip(clean) {
                assert!(clean < bar * captured, "{late} {method:?}: {clean} instead of {captured}");
            }
        }
    }
}

#[test]
fn a_plant_is_judged_by_what_it_promises() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--seconds", "4", "--skate", "scale=1.15"]).expect_success();
    let figures = |hold: &str, strength: f64| {
        edit(&folder, "walk.plants.json", |_, plant| {
            plant.as_object_mut().unwrap().remove("spot");
            plant["hold"] = hold.into();
            plant["strength"] = strength.into();
        });
        let clean = ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force"];
        let json = folder.run(&clean).expect_success().json();
        let measure = ["measure", "walk.clean.bvh", "--plants", "walk.plants.json", "--json"];
        let alone = folder.run(&measure).expect_success().json();
        (json, alone)
    };
    let (full, _) = figures("full", 1.0);
    assert!(after(&full["drift_max_m"]) < 1e-5);
    // The feet slide as captured, and that is what the plants promise.
    let (height, alone) = figures("height", 1.0);
    assert!(after(&height["drift_max_m"]) < 1e-5, "{height:#}");
    assert!(alone["drift_max_m"].as_f64().unwrap() < 1e-5);
    assert_eq!(height["plants"][0]["hold"], "height");
    let slide = |json: &Value| after(&json["plants"][2]["slide"]);
    assert!(slide(&height) > 0.05 && slide(&full) < 1e-3, "{} {}", slide(&height), slide(&full));
    // Half of the correction: the second point of a foot is off by what the length of the foot leaves.
    let (half, alone) = figures("full", 0.5);
    assert!(after(&half["drift_max_m"]) < 2e-3, "{half:#}");
    assert!(slide(&half) > 0.3 * slide(&height) && slide(&half) < 0.7 * slide(&height), "{}", slide(&half));
    assert_eq!(half["plants"][0]["strength"], 0.5);
    // Without the captured motion it is not known what half of the correction is.
    assert_eq!(alone["drift_max_m"], Value::Null);
    let limited = ["measure", "walk.clean.bvh", "--plants", "walk.plants.json", "--max-drift", "1cm"];
    assert_eq!(folder.run(&limited).code, Some(1));
}

#[test]
fn streams_hold_like_the_plants_file() {
    for kind in ["tiptoe", "pivot"] {
        let folder = sample(kind);
        let (motion, plants) = (format!("{kind}.bvh"), format!("{kind}.plants.json"));
        edit(&folder, &plants, |n, plant| {
            if n == 1 {
                plant["strength"] = 0.7.into();
            }
        });
        let clean = ["clean", &motion, "--plants", &plants, "-o", "a.bvh", "--live"];
        folder.run(&clean).expect_success();
        for form in ["ndjson", "binary"] {
            let given = pipe(&folder, &["convert", &motion, "-", "--to", form, "--plants", &plants], b"");
            let clean = pipe(&folder, &["stream", "--preset", "live"], &given);
            std::fs::write(folder.path("clean.stream"), clean).unwrap();
            let back = ["convert", "clean.stream", "b.bvh", "--like", &motion, "--force"];
            folder.run(&back).expect_success();
            assert_eq!(folder.bytes("a.bvh"), folder.bytes("b.bvh"), "{kind} {form}");
        }
    }
}
