//! Every setting can be reached by its name: as a flag, in `surefoot.toml`, in the header of a stream and in the studio,
//! and the book describes each.

use std::fmt::Write;

use serde_json::{Value as Json, json};
use surefoot::Preset;
use surefoot::parameters::{PARAMETERS, Parameter, Quantity, Value};
use surefoot_formats::stream::SettingValue;
use surefoot_studio::Session;

use super::stream::{lines, stream, with_frames};
use super::test_folder::TestFolder;

/// A valid value other than the default.
fn other_value(parameter: &Parameter) -> Value {
    match parameter.value_in(&Preset::Clean.settings()) {
        Value::Number(number) => Value::Number(number * 0.5),
        Value::Word(word) if parameter.quantity == Quantity::Choice => {
            Value::Word(parameter.words.iter().find(|other| **other != word).unwrap())
        }
        Value::Word(_) => Value::Number(0.03),
    }
}

fn flag(parameter: &Parameter) -> String {
    format!("--{}={}", parameter.dashed_name(), parameter.text(other_value(parameter)))
}

/// A walk that skates, shakes, glitches and has joint translations, so that every setting has an effect.
fn shaking_walk() -> TestFolder {
    let folder = TestFolder::new();
    folder.run(&["sample", "walk", "--skate", "noise", "--seconds", "6", "-o", "rigid.bvh"]).expect_success();
    folder.write("rigid.bvh", &with_jump(&folder.text("rigid.bvh"), 100));
    folder.run(&["clean", "rigid.bvh", "--paper", "--no-clean", "-o", "walk.bvh"]).expect_success();
    folder
}

#[test]
fn a_flag_and_the_settings_file_set_every_parameter_alike() {
    let folder = shaking_walk();
    let without = cleaned(&folder, &[]);
    for parameter in PARAMETERS {
        let (flag, value) = (flag(parameter), parameter.text(other_value(parameter)));
        // A setting that only one method or detector uses comes with it.
        let needed: &[&str] = match parameter.name {
            "knee_damping_angle" => &["--paper"],
            "skate_speed" => &["--method", "support"],
            // The plants are farther than the default distance above this floor.
            "snap_distance" => &["--floor", "-2cm"],
            "enter_speed"
            | "exit_speed"
            | "swing_speed_fraction"
            | "min_gap"
            | "min_plant"
            | "max_edge_drift" => &["--detector", "speed-height"],
            _ => &[],
        };
        let by_flag = cleaned(&folder, &[needed, &[&flag]].concat());
        folder.write("surefoot.toml", &format!("{} = \"{value}\"\n", parameter.dashed_name()));
        let by_file = cleaned(&folder, needed);
        std::fs::remove_file(folder.path("surefoot.toml")).unwrap();
        assert!(by_flag == by_file, "{}: flag and file differ", parameter.name);
        let before = if needed.is_empty() { without.clone() } else { cleaned(&folder, needed) };
        // Plants without noise do not depend on every threshold.
        if !parameter.is_detection() {
            assert!(by_flag != before, "{} = {value} changes nothing", parameter.name);
        }
    }
}

/// A BVH text in which the last joint of the file jumps by 60° at one frame.
fn with_jump(text: &str, frame: usize) -> String {
    let first = text.lines().position(|line| line.starts_with("Frame Time")).unwrap() + 1;
    let lines = text.lines().enumerate().map(|(number, line)| {
        if number != first + frame {
            return format!("{line}\n");
        }
        let (start, last) = line.trim_end().rsplit_once(' ').unwrap();
        format!("{start} {}\n", last.parse::<f64>().unwrap() + 60.0)
    });
    lines.collect()
}

fn cleaned(folder: &TestFolder, flags: &[&str]) -> Vec<u8> {
    let args = ["clean", "walk.bvh", "-o", "out.bvh", "--plants-out", "out.json", "--force"];
    folder.run(&[&args, flags].concat()).expect_success();
    [folder.bytes("out.bvh"), folder.bytes("out.json")].concat()
}

#[test]
fn the_header_and_a_flag_set_every_parameter_of_a_stream() {
    let folder = with_frames("4");
    let text = folder.text("walk.ndjson");
    let header = text.lines().next().unwrap();
    for parameter in PARAMETERS {
        let value = json!(SettingValue::from(other_value(parameter)));
        let mut given: Json = serde_json::from_str(header).unwrap();
        given["settings"] = json!({ parameter.name: value });
        let by_header = stream(&folder, &[], format!("{given}\n").as_bytes());
        if !parameter.is_for_streams() {
            by_header.expect_error(&format!("{} cannot be set in a stream", parameter.name));
            continue;
        }
        let stated = |outcome: super::test_folder::Outcome| {
            lines(&outcome.expect_success().stdout)[0]["settings"][parameter.name].clone()
        };
        assert_eq!(stated(by_header), value, "{}", parameter.name);
        let flag = flag(parameter);
        assert_eq!(stated(stream(&folder, &[&flag], format!("{header}\n").as_bytes())), value, "{flag}");
    }
}

#[test]
fn a_request_of_the_studio_sets_every_parameter_and_the_panel_lists_it() {
    let panel = include_str!("../../../../studio/src/panels/settings-list.ts");
    let detection = include_str!("../../../../studio/src/state/work.ts");
    let folder = with_frames("4");
    let walk = folder.bytes("walk.bvh");
    for parameter in PARAMETERS {
        let part = if parameter.is_detection() { "file" } else { "cleaning" };
        let open = json!({
            "kind": "open", "name": "walk.bvh",
            part: { parameter.name: SettingValue::from(other_value(parameter)) },
        });
        let mut session = Session::default();
        let opened = session.call(&[open.to_string().as_bytes(), b"\n", &walk].concat());
        // The studio holds feet only.
        if parameter.name == "hold" {
            assert_eq!(opened.unwrap_err(), "hold cannot be set in the studio");
            continue;
        }
        opened.unwrap();
        assert!(
            panel.contains(&format!("key: '{}'", parameter.name)),
            "{} is not in the panel",
            parameter.name
        );
        if parameter.is_detection() {
            assert!(
                detection.contains(&format!("'{}'", parameter.name)),
                "{} does not detect again",
                parameter.name
            );
        }
    }
    let wrong = json!({ "kind": "open", "name": "walk.bvh", "file": { "methods": 1 } });
    let error = Session::default().call(&[wrong.to_string().as_bytes(), b"\n", &walk].concat()).unwrap_err();
    assert!(error.starts_with("no setting \"methods\", expected one of"), "{error}");
}

/// The tables of the book's page about settings.
fn book_tables() -> String {
    let mut text = String::new();
    for (heading, is_detection) in [("Cleanup", false), ("Detection", true)] {
        let presets = if is_detection { "" } else { " `live` | `paper` |" };
        let line = if is_detection { "" } else { "---|---|" };
        let _ = writeln!(
            text,
            "## {heading}\n\n| setting | unit | default |{presets} effect |\n|---|---|---|{line}---|"
        );
        for parameter in PARAMETERS.iter().filter(|parameter| parameter.is_detection() == is_detection) {
            let value = |preset: Preset| parameter.short_text(parameter.value_in(&preset.settings()));
            let others = match is_detection {
                true => String::new(),
                false => format!(" {} | {} |", value(Preset::Live), value(Preset::Paper)),
            };
            let unit = match parameter.quantity {
                Quantity::Choice => parameter.words.join(", "),
                quantity => [&[quantity.unit()], parameter.words].concat().join(", "),
            };
            let _ = writeln!(
                text,
                "| `{}` | {unit} | {} |{others} {} |",
                parameter.name,
                value(Preset::Clean),
                parameter.effect
            );
        }
        text.push('\n');
    }
    text
}

#[test]
fn the_book_describes_every_parameter() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/settings.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find("## Cleanup").unwrap();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, format!("{}{}\n", &page[..start], book_tables().trim_end())).unwrap();
        return;
    }
    assert_eq!(page[start..].trim_end(), book_tables().trim_end(), "run the test with UPDATE_EXPECT=1");
}

/// Zero and numbers far out of range are refused or used, without a crash.
#[test]
fn extreme_values_are_refused_or_used() {
    let folder = with_frames("4");
    let detectors = ["learned", "speed-height", "zero-crossing"];
    for parameter in PARAMETERS.iter().filter(|parameter| parameter.quantity != Quantity::Choice) {
        for number in [0.0, 1e-300, 1.0, 1e300] {
            let value = format!("--{}={}", parameter.dashed_name(), parameter.text(Value::Number(number)));
            let detectors = if parameter.is_detection() { &detectors[..] } else { &detectors[..1] };
            for detector in detectors {
                let outcome = folder.run(&["clean", "walk.bvh", "--dry-run", "--detector", detector, &value]);
                assert!(matches!(outcome.code, Some(0 | 2)), "{detector} {value}: {outcome:?}");
                assert!(!outcome.stderr.contains("panicked"), "{detector} {value}: {}", outcome.stderr);
            }
        }
    }
}
