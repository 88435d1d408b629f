//! Floors that are no plane, given or made from the plants.

use super::here::Here;
use serde_json::Value;

/// A folder with stairs that shake, when their feet are down, and the stairs themselves.
fn stairs() -> Here {
    let here = Here::new();
    here.run(&["sample", "stairs", "--skate", "noise", "--floor-out", "stairs.obj"]).done();
    here
}

fn clean(here: &Here, more: &[&str]) -> Value {
    let args = ["clean", "stairs.bvh", "--plants", "stairs.plants.json", "--json", "--force"];
    here.run(&[&args[..], more].concat()).done().json()
}

fn after(json: &Value, key: &str) -> f64 {
    json[key]["after"].as_f64().unwrap()
}

#[test]
fn stairs_stand_on_their_mesh_and_on_a_floor_made_from_their_plants() {
    let here = stairs();
    let mesh = clean(&here, &["--floor", "stairs.obj"]);
    assert!(after(&mesh, "drift_max_m") < 1e-5, "{mesh:#}");
    assert!(after(&mesh, "penetration_max_m") < 1e-4 && after(&mesh, "float_max_m") < 1e-4, "{mesh:#}");
    assert!(!mesh["notes"].to_string().contains("off the floor"), "{mesh:#}");
    let made = clean(&here, &["--floor", "plants", "-o", "made.bvh", "--report", "made.html"]);
    assert!(after(&made, "drift_max_m") < 1e-5 && after(&made, "float_max_m") < 1e-4, "{made:#}");
    assert!(made["notes"].to_string().contains("built from the plants"), "{made:#}");
    assert!(here.text("made.html").contains("ground, every"));
    // On one plane most of the steps are off the floor, and a note says what to try.
    let plane = clean(&here, &[]);
    assert!(plane["notes"].to_string().contains("try --floor plants"), "{plane:#}");
    // The same floor is made again to measure with.
    let args = ["measure", "made.bvh", "--before", "stairs.bvh", "--plants", "stairs.plants.json", "--json"];
    let measured = here.run(&[&args[..], &["--floor", "plants"]].concat()).done().json();
    assert_eq!(measured["float_max_m"], made["float_max_m"]);
    here.run(&["plot", "stairs.bvh", "made.bvh", "--floor", "stairs.obj", "--show", "ground,heights"]).done();
    assert!(here.text("made.plot.svg").contains("contour"));
    here.run(&["detect", "stairs.bvh", "--floor", "stairs.obj", "-o", "found.json"]).done();
}

#[test]
fn a_foot_that_stays_in_the_floor_is_named() {
    let here = Here::new();
    here.run(&["sample", "walk"]).done();
    let clean = |floor: &str| {
        let args =
            ["clean", "walk.bvh", "--plants", "walk.plants.json", "--json", "--force", "--floor", floor];
        let json = here.run(&args).done().json();
        (after(&json, "penetration_max_m"), json["notes"].to_string())
    };
    let (depth, notes) = clean("0");
    assert!(depth < 1e-3 && !notes.contains("the deepest point"), "{depth} {notes}");
    // Plants so far below it keep their height.
    let (depth, notes) = clean("5cm");
    let named = format!("{:.1} mm below the floor, the deepest point", depth * 1e3);
    assert!(depth > 0.03 && notes.contains(&named), "{depth} {notes}");
}

#[test]
fn a_mesh_has_its_own_unit_and_axis() {
    let here = stairs();
    let in_cm = clean(&here, &["--floor", "stairs.obj"]);
    let metres: String = here
        .text("stairs.obj")
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            Some(numbers) => {
                let v: Vec<f64> = numbers.split(' ').map(|word| word.parse().unwrap()).collect();
                // Z up: x stays, y goes back, z goes up.
                format!("v {} {} {}\n", v[0] / 100.0, -v[2] / 100.0, v[1] / 100.0)
            }
            None => format!("{line}\n"),
        })
        .collect();
    here.put("metres.obj", &metres);
    let in_metres = clean(&here, &["--floor", "metres.obj", "--floor-unit", "m", "--floor-up", "z"]);
    for key in ["penetration_max_m", "float_max_m", "root_moved_max_m"] {
        assert!((after_or(&in_cm, key) - after_or(&in_metres, key)).abs() < 1e-7, "{key}");
    }
}

fn after_or(json: &Value, key: &str) -> f64 {
    json[key].as_f64().unwrap_or_else(|| after(json, key))
}

#[test]
fn an_image_and_a_table_are_floors_too() {
    let here = Here::new();
    here.run(&["sample", "walk", "--skate", "scale=1.1"]).done();
    here.put("flat.pgm", "P2\n2 2\n255\n51 51 51 51\n");
    let clean = |floor: &[&str]| {
        let args = ["clean", "walk.bvh", "--json", "--force"];
        here.run(&[&args[..], floor].concat()).done().json()
    };
    let scale = ["--floor-cell", "40m", "--floor-height", "-10cm..40cm"];
    let image = clean(&[&["--floor", "flat.pgm"][..], &scale].concat());
    let table = "x,z,height\n-9000,-9000,0\n9000,-9000,0\n-9000,9000,0\n9000,9000,0\n";
    here.put("flat.csv", table);
    let table = clean(&["--floor", "flat.csv"]);
    let plane = clean(&["--floor", "0"]);
    for key in ["drift_max_m", "penetration_max_m", "float_max_m", "root_moved_max_m"] {
        assert!((after_or(&image, key) - after_or(&plane, key)).abs() < 1e-7, "{key}");
        assert!((after_or(&table, key) - after_or(&plane, key)).abs() < 1e-7, "{key}");
    }
    let told = here.run(&["inspect", "walk.bvh", "--floor", "flat.csv"]).done().stdout;
    assert!(told.contains("a height field, 180 by 180 m, from 0 to 0 m high: flat.csv"), "{told}");
    let json = here.run(&["inspect", "walk.bvh", "--floor", "flat.csv", "--json"]).done().json();
    assert_eq!(json["uneven_floor"]["kind"], "field");
    assert_eq!(json["uneven_floor"]["triangles"], 2);
    // A folder's settings name a floor beside them.
    here.put("surefoot.toml", "floor = \"flat.csv\"\n");
    assert_eq!(clean(&[])["penetration_max_m"], table["penetration_max_m"]);
}

#[test]
fn a_floor_that_is_none_is_refused() {
    let here = stairs();
    let clean = |floor: &[&str]| here.run(&[&["clean", "stairs.bvh"][..], floor].concat());
    clean(&["--floor", "lava"]).refused("a file that ends in .obj, .pgm or .csv");
    clean(&["--floor", "nowhere.obj"]).refused("it does not exist");
    here.put("ground.pgm", "P2\n2 2\n9\n0 0 0 x\n");
    clean(&["--floor", "ground.pgm"]).refused("--floor-cell 5cm --floor-height 0..50cm");
    let scale = ["--floor-cell", "5cm", "--floor-height", "0..50cm"];
    let ended = clean(&[&["--floor", "ground.pgm"][..], &scale].concat());
    ended.refused("found \"x\", expected a pixel from 0 to 9").refused("ground.pgm:4");
    here.put("ground.csv", "x,y,height\n");
    clean(&["--floor", "ground.csv"]).refused("expected the header x,z,height");
    here.put("ground.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n");
    clean(&["--floor", "ground.obj"]).refused("expected a vertex from 1 to 2");
    clean(&["--floor", "ground.obj", "--floor-cell", "0"]).refused("more than 0");
    clean(&["--floor", "ground.obj", "--floor-height", "5cm"]).refused("0..50cm");
    clean(&["--floor", "ground.obj", "--floor-origin", "5cm"]).refused("-1.5m,2m");
    assert!(!here.names().contains(&"stairs.clean.bvh".into()));
    here.run(&["sample", "walk", "--floor-out", "walk.obj"]).refused("level, at height 0");
    here.run(&["sample", "stairs", "--floor-out", "a.bvh", "-o", "a.bvh"]).refused("the same name");
    assert!(!here.names().contains(&"a.bvh".into()));
    here.run(&["sample", "stairs", "-o", "b.bvh", "--floor-out", "stairs.obj"]).refused("stairs.obj");
}
