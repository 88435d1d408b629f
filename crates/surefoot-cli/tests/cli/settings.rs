//! `surefoot.toml`, and who wins.

use super::here::{Here, walk};

#[track_caller]
fn unit_and_up(here: &Here, args: &[&str]) -> (f64, String) {
    let json = here.run(args).done().json();
    let up = json["up"].as_str().unwrap().to_owned();
    (json["unit_m"].as_f64().unwrap(), up)
}

#[test]
fn settings_come_from_beside_the_file_or_above_it() {
    let here = Here::new();
    std::fs::create_dir_all(here.path("clips/day1")).unwrap();
    here.put("clips/day1/walk.bvh", &walk());
    let inspect = ["inspect", "clips/day1/walk.bvh", "--json"];
    here.put("clips/surefoot.toml", "unit = \"inch\"\nup = \"z\"\n");
    assert_eq!(unit_and_up(&here, &inspect), (0.0254, "z".into()));
    // The nearest one counts, alone.
    here.put("clips/day1/surefoot.toml", "up = \"-y\"\n");
    assert_eq!(unit_and_up(&here, &inspect).1, "-y");
    assert_ne!(unit_and_up(&here, &inspect).0, 0.0254);
}

#[test]
fn for_stdin_settings_come_from_where_one_is() {
    let here = Here::new();
    here.put("surefoot.toml", "unit = 0.5\n");
    let ended = here.run_with_stdin(&["inspect", "-", "--json"], walk().as_bytes()).done();
    assert_eq!(ended.json()["unit_m"], 0.5);
}

#[test]
fn flags_win_over_settings() {
    let here = Here::with_walk();
    here.put("surefoot.toml", "unit = \"inch\"\nup = \"z\"\nfloor = 0.25\n");
    let inspect = ["inspect", "walk.bvh", "--json", "--unit", "mm"];
    assert_eq!(unit_and_up(&here, &inspect), (0.001, "z".into()));
    let text = here.run(&["inspect", "walk.bvh"]).done().stdout;
    assert!(text.contains("surefoot.toml"), "the settings file is named: {text}");
    let json = here.run(&["inspect", "walk.bvh", "--json", "--floor", "-0.5"]);
    let floor = &json.done().json()["floor"];
    assert_eq!(floor["offset_m"], -0.5);
    assert_eq!(floor["normal"], serde_json::json!([0.0, 0.0, 1.0]));
}

#[test]
fn a_setting_that_does_not_exist_is_refused_with_the_one_meant() {
    let here = Here::with_walk();
    here.put("surefoot.toml", "up = \"y\"\nunits = \"cm\"\n");
    here.run(&["inspect", "walk.bvh"])
        .refused("no setting `units`; did you mean `unit`?")
        .refused("surefoot.toml:2:1");
}

#[test]
fn a_setting_with_a_wrong_value_is_refused() {
    let here = Here::with_walk();
    here.put("surefoot.toml", "unit = \"furlong\"\n");
    here.run(&["inspect", "walk.bvh"])
        .refused("`unit`: expected m, cm, mm, inch, ft")
        .refused("surefoot.toml:1:8");
    here.put("surefoot.toml", "unit = \n");
    here.run(&["inspect", "walk.bvh"]).refused("surefoot.toml:1:");
}

#[test]
fn a_rig_in_the_settings_is_found_beside_them() {
    let here = Here::new();
    std::fs::create_dir(here.path("clips")).unwrap();
    here.put("clips/walk.bvh", &walk());
    here.put("surefoot.toml", "rig = \"my.rig.toml\"\n");
    here.run(&["inspect", "clips/walk.bvh"]).refused("my.rig.toml: it does not exist");
    here.run(&["inspect", "clips/walk.bvh", "--unit", "inch", "--rig-out", "my.rig.toml"])
        .refused("my.rig.toml: it does not exist");
    here.put("surefoot.toml", "");
    here.run(&["inspect", "clips/walk.bvh", "--unit", "inch", "--rig-out", "my.rig.toml"]).done();
    here.put("surefoot.toml", "rig = \"my.rig.toml\"\n");
    let inspect = ["inspect", "clips/walk.bvh", "--json"];
    assert_eq!(unit_and_up(&here, &inspect).0, 0.0254);
}

#[test]
fn a_rate_can_be_said_too() {
    let here = Here::with_walk();
    here.put("surefoot.toml", "fps = 60\n");
    let fps = |args: &[&str]| here.run(args).done().json()["fps"].as_f64();
    assert_eq!(fps(&["inspect", "walk.bvh", "--json"]), Some(60.0));
    assert_eq!(fps(&["inspect", "walk.bvh", "--json", "--fps", "24"]), Some(24.0));
    here.run(&["inspect", "walk.bvh", "--fps", "0"]).refused("more than 0");
}
