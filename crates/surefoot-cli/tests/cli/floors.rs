//! Uneven floors, given as a file or built from the plants.

use super::test_folder::TestFolder;
use serde_json::Value;

/// A folder with a noisy walk up stairs, its plants, and the stairs as a mesh.
fn stairs() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "stairs", "--skate", "noise", "--floor-out", "stairs.obj"]).expect_success();
    folder
}

fn clean(folder: &TestFolder, more: &[&str]) -> Value {
    let args = ["clean", "stairs.bvh", "--plants", "stairs.plants.json", "--json", "--force"];
    folder.run(&[&args[..], more].concat()).expect_success().json()
}

fn after(json: &Value, key: &str) -> f64 {
    json[key]["after"].as_f64().unwrap()
}

#[test]
fn plants_on_stairs_are_held_on_the_mesh_and_on_a_floor_built_from_the_plants() {
    let folder = stairs();
    let mesh = clean(&folder, &["--floor", "stairs.obj"]);
    assert!(after(&mesh, "drift_max_m") < 1e-5, "{mesh:#}");
    assert!(after(&mesh, "penetration_max_m") < 1e-4 && after(&mesh, "float_max_m") < 1e-4, "{mesh:#}");
    assert!(!mesh["notes"].to_string().contains("off the floor"), "{mesh:#}");
    let built = clean(&folder, &["--floor", "plants", "-o", "made.bvh", "--report", "made.html"]);
    assert!(after(&built, "drift_max_m") < 1e-5 && after(&built, "float_max_m") < 1e-4, "{built:#}");
    assert!(built["notes"].to_string().contains("built from the plants"), "{built:#}");
    assert!(folder.text("made.html").contains("ground, every"));
    // Most steps are above a single plane, and a note suggests `--floor plants`.
    let plane = clean(&folder, &[]);
    assert!(plane["notes"].to_string().contains("set the floor to"), "{plane:#}");
    // `measure` builds the same floor.
    let args = ["measure", "made.bvh", "--before", "stairs.bvh", "--plants", "stairs.plants.json", "--json"];
    let measured = folder.run(&[&args[..], &["--floor", "plants"]].concat()).expect_success().json();
    assert_eq!(measured["float_max_m"], built["float_max_m"]);
    folder
        .run(&["plot", "stairs.bvh", "made.bvh", "--floor", "stairs.obj", "--show", "ground,heights"])
        .expect_success();
    assert!(folder.text("made.plot.svg").contains("contour"));
    folder.run(&["detect", "stairs.bvh", "--floor", "stairs.obj", "-o", "found.json"]).expect_success();
}

#[test]
fn a_foot_that_stays_below_the_floor_has_a_note() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk"]).expect_success();
    let clean = |floor: &str| {
        let args =
            ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force", "--floor", floor];
        let json = folder.run(&args).expect_success().json();
        (after(&json, "penetration_max_m"), json["notes"].to_string())
    };
    let (depth, notes) = clean("0");
    assert!(depth < 1e-3 && !notes.contains("the deepest point"), "{depth} {notes}");
    // The plants file gives spots, which are used as given, here 5 cm below the floor.
    let (depth, notes) = clean("5cm");
    let note = format!("{:.1} mm below the floor, the deepest point", depth * 1e3);
    assert!(depth > 0.03 && notes.contains(&note), "{depth} {notes}");
}

#[test]
fn a_mesh_has_its_own_unit_and_axis() {
    let folder = stairs();
    let in_cm = clean(&folder, &["--floor", "stairs.obj"]);
    let metres: String = folder
        .text("stairs.obj")
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(numbers) => {
                let v: Vec<f64> = numbers.split(' ').map(|word| word.parse().unwrap()).collect();
                // From Y up to Z up.
                format!("v {} {} {}\n", v[0] / 100.0, -v[2] / 100.0, v[1] / 100.0)
            }
            None => format!("{line}\n"),
        })
        .collect();
    folder.write("metres.obj", &metres);
    let in_metres = clean(&folder, &["--floor", "metres.obj", "--floor-unit", "m", "--floor-up", "z"]);
    for key in ["penetration_max_m", "float_max_m", "root_moved_max_m"] {
        assert!((after_or_only(&in_cm, key) - after_or_only(&in_metres, key)).abs() < 1e-7, "{key}");
    }
}

fn after_or_only(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| after(json, key))
}

#[test]
fn a_flat_image_and_a_flat_table_equal_a_plane() {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "scale=1.1"]).expect_success();
    folder.write("flat.pgm", "P2\n2 2\n255\n51 51 51 51\n");
    let clean = |floor: &[&str]| {
        let args = ["clean", "walk.bvh", "--json", "--force"];
        folder.run(&[&args[..], floor].concat()).expect_success().json()
    };
    let scale = ["--floor-cell", "40m", "--floor-height", "-10cm..40cm"];
    let image = clean(&[&["--floor", "flat.pgm"][..], &scale].concat());
    let table = "x,z,height\n-9000,-9000,0\n9000,-9000,0\n-9000,9000,0\n9000,9000,0\n";
    folder.write("flat.csv", table);
    let table = clean(&["--floor", "flat.csv"]);
    let plane = clean(&["--floor", "0"]);
    for key in ["drift_max_m", "penetration_max_m", "float_max_m", "root_moved_max_m"] {
        assert!((after_or_only(&image, key) - after_or_only(&plane, key)).abs() < 1e-7, "{key}");
        assert!((after_or_only(&table, key) - after_or_only(&plane, key)).abs() < 1e-7, "{key}");
    }
    let text = folder.run(&["inspect", "walk.bvh", "--floor", "flat.csv"]).expect_success().stdout;
    assert!(text.contains("a height field, 180 by 180 m, from 0 to 0 m high: flat.csv"), "{text}");
    let json = folder.run(&["inspect", "walk.bvh", "--floor", "flat.csv", "--json"]).expect_success().json();
    assert_eq!(json["uneven_floor"]["kind"], "field");
    assert_eq!(json["uneven_floor"]["triangles"], 2);
    // A floor path in surefoot.toml is relative to surefoot.toml.
    folder.write("surefoot.toml", "floor = \"flat.csv\"\n");
    assert_eq!(clean(&[])["penetration_max_m"], table["penetration_max_m"]);
}

#[test]
fn an_invalid_floor_is_refused() {
    let folder = stairs();
    let clean = |floor: &[&str]| folder.run(&[&["clean", "stairs.bvh"][..], floor].concat());
    clean(&["--floor", "lava"]).expect_error("a file that ends in .obj, .pgm or .csv");
    clean(&["--floor", "nowhere.obj"]).expect_error("it does not exist");
    folder.write("ground.pgm", "P2\n2 2\n9\n0 0 0 x\n");
    clean(&["--floor", "ground.pgm"]).expect_error("--floor-cell 5cm --floor-height 0..50cm");
    let scale = ["--floor-cell", "5cm", "--floor-height", "0..50cm"];
    let outcome = clean(&[&["--floor", "ground.pgm"][..], &scale].concat());
    outcome.expect_error("found \"x\", expected a pixel from 0 to 9").expect_error("ground.pgm:4");
    folder.write("ground.csv", "x,y,height\n");
    clean(&["--floor", "ground.csv"]).expect_error("expected the header x,z,height");
    folder.write("ground.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    clean(&["--floor", "ground.obj"]).expect_error("expected a vertex from 1 to 2");
    clean(&["--floor", "ground.obj", "--floor-cell", "0"]).expect_error("more than 0");
    clean(&["--floor", "ground.obj", "--floor-height", "5cm"]).expect_error("0..50cm");
    clean(&["--floor", "ground.obj", "--floor-origin", "5cm"]).expect_error("-1.5m,2m");
    assert!(!folder.names().contains(&"stairs.clean.bvh".into()));
    folder.run(&["sample", "walk", "--floor-out", "walk.obj"]).expect_error("level, at height 0");
    folder.run(&["sample", "stairs", "--floor-out", "a.bvh", "-o", "a.bvh"]).expect_error("the same name");
    folder
        .run(&["sample", "stairs", "--floor-out", "./a.plants.json", "-o", "a.bvh"])
        .expect_error("the same file");
    assert!(!folder.names().contains(&"a.bvh".into()));
    folder.run(&["sample", "stairs", "-o", "b.bvh", "--floor-out", "stairs.obj"]).expect_error("stairs.obj");
}
