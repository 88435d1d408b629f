//! Errors of plants files state where, what was found and what was expected.
//!
//! After a change run with `UPDATE_EXPECT=1` and review the new texts.

use expect_test::{Expect, expect};
use surefoot_core::Leg;
use surefoot_formats::plants::{PlantsFile, read_csv};
use surefoot_sample::{Kind, Recipe, make};

const GOOD: &str = r#"{ "surefoot": "plants/1",
  "motion": { "frames": 40, "fps": 120.0 },
  "plants": [
    { "foot": "left", "point": "heel", "first": 12, "last": 20, "confidence": 0.93 },
    { "foot": "left", "point": "ball", "first": 18, "last": 25, "spot": [0.12, 0.0, 1.40] },
    { "foot": "right", "point": "ball", "first": 30, "last": 39 } ] }
"#;

fn legs() -> Vec<Leg> {
    make(&Recipe { kind: Kind::Stand, ..Recipe::default() }).unwrap().legs
}

fn message(text: &str, frames: usize, fps: f64) -> String {
    let file = PlantsFile::read(text.as_bytes());
    match file.and_then(|file| file.plants(&legs(), frames, fps)) {
        Ok(plants) => format!("{} plants", plants.plants.len()),
        Err(error) => error.to_string(),
    }
}

fn check(before: &str, after: &str, expect: Expect) {
    assert!(GOOD.contains(before), "{before:?}");
    expect.assert_eq(&message(&GOOD.replacen(before, after, 1), 40, 120.0));
}

fn check_csv(text: &str, expect: Expect) {
    expect.assert_eq(&match read_csv(text.as_bytes(), &legs(), 2) {
        Ok((plants, _)) => format!("{} plants", plants.plants.len()),
        Err(error) => error.to_string(),
    });
}

#[test]
fn a_valid_file_has_no_error() {
    check("left", "left", expect!["3 plants"]);
}

#[test]
fn text_that_is_not_json_is_refused() {
    check("\"first\": 30", "\"first\" 30", expect!["line 6, column 49: not JSON: expected `:`"]);
    check(" ] }", "", expect!["line 7, column 0: not JSON: the text ends before it is complete"]);
    check("120.0", "1e999", expect!["line 2, column 40: not JSON: number out of range"]);
}

#[test]
fn a_file_of_another_kind_is_refused() {
    check("plants/1", "plants/2", expect![[r#""surefoot" is "plants/2", expected "plants/1""#]]);
    check(
        "\"surefoot\": \"plants/1\"",
        "\"version\": 1",
        expect![[r#""surefoot" is missing, expected "plants/1": not a plants file"#]],
    );
    expect![[r#""surefoot" is missing, expected "plants/1": not a plants file"#]]
        .assert_eq(&message("[]", 40, 120.0));
}

#[test]
fn plants_of_another_motion_are_refused() {
    expect!["the plants are for 40 frames, but the motion has 41"].assert_eq(&message(GOOD, 41, 120.0));
    expect!["the plants are for 120 frames per second, but the motion has 60"]
        .assert_eq(&message(GOOD, 40, 60.0));
    expect!["the plants are for 120 frames per second, but the motion has NaN"].assert_eq(&message(
        GOOD,
        40,
        f64::NAN,
    ));
    expect!["3 plants"].assert_eq(&message(GOOD, 40, 120.000_48));
}

#[test]
fn unknown_feet_and_points_are_refused() {
    check(
        "\"foot\": \"right\"",
        "\"foot\": \"Right\"",
        expect![[r#"line 6: plant 2 has the foot "Right", expected left or right"#]],
    );
    check(
        "\"point\": \"ball\"",
        "\"point\": \"sole\"",
        expect![[
            r#"line 5: plant 1 has the point "sole", expected heel, ball or toe of a foot, or palm of a hand"#
        ]],
    );
}

#[test]
fn invalid_frames_are_refused() {
    check(
        "\"first\": 30",
        "\"first\": 40",
        expect!["line 6: plant 2 begins at frame 40, expected one up to its last frame, 39"],
    );
    check(
        "\"last\": 39",
        "\"last\": 40",
        expect!["line 6: plant 2 ends at frame 40, but the frames are 0 to 39"],
    );
    check(
        "\"frames\": 40",
        "\"frames\": 0",
        expect!["line 4: plant 0 ends at frame 20, but the motion has no frames"],
    );
    check(
        "\"first\": 30",
        "\"first\": -1",
        expect![[r#"line 6: plant 2: "first" is -1, expected a whole number from 0"#]],
    );
    check(
        "\"first\": 30",
        "\"first\": 30.5",
        expect![[r#"line 6: plant 2: "first" is 30.5, expected a whole number from 0"#]],
    );
    check(
        "\"first\": 30",
        "\"first\": \"30\"",
        expect![[r#"line 6: plant 2: "first" is "30", expected a whole number from 0"#]],
    );
}

#[test]
fn overlapping_plants_are_refused() {
    check(
        "\"point\": \"heel\"",
        "\"point\": \"ball\"",
        expect![
            "line 5: plant 1 and plant 0 on line 4 both hold the left ball at frame 18, expected plants of one point not to overlap"
        ],
    );
}

#[test]
fn invalid_spots_and_confidences_are_refused() {
    check(
        "1.40]",
        "1.40, 2]",
        expect![[r#"line 5: plant 1: "spot" is [0.12,0.0,1.4,2], expected three numbers"#]],
    );
    check(
        "1.40]",
        "null]",
        expect![[r#"line 5: plant 1: "spot" is [0.12,0.0,null], expected three numbers"#]],
    );
    check(
        "[0.12, 0.0, 1.40]",
        "\"here\"",
        expect![[r#"line 5: plant 1: "spot" is "here", expected three numbers"#]],
    );
    check("0.93", "1.5", expect!["line 4: plant 0 has a confidence of 1.5, expected 0 to 1"]);
    check(
        "0.93",
        "\"high\"",
        expect![[r#"line 4: plant 0: "confidence" is "high", expected a number from 0 to 1"#]],
    );
}

#[test]
fn missing_and_wrong_fields_are_refused() {
    check("\"foot\": \"right\", ", "", expect![[r#"line 6: plant 2: "foot" is missing, expected a word"#]]);
    check("\"fps\": 120.0", "\"fps\": 0", expect![[r#"the file: "fps" is 0, expected a number above 0"#]]);
    check(
        "\"motion\": { \"frames\": 40, \"fps\": 120.0 },",
        "",
        expect![[r#"the file: "motion" is missing, expected frames and fps in braces"#]],
    );
    check(
        "{ \"foot\": \"right\", \"point\": \"ball\", \"first\": 30, \"last\": 39 }",
        "7",
        expect!["line 6: plant 2 is 7, expected fields in braces"],
    );
    check(
        "\"plants\": [",
        "\"plants\": 5, \"others\": [",
        expect![[r#"the file: "plants" is 5, expected a list of plants"#]],
    );
}

#[test]
fn invalid_tables_are_refused() {
    let names = "left_heel,left_ball,right_heel,right_ball";
    check_csv(
        "",
        expect!["line 1: found no column names, expected left_heel,left_ball,right_heel,right_ball"],
    );
    check_csv(
        "left_heel,left_sole\n",
        expect![[
            r#"line 1: found the column "left_sole", expected left_heel,left_ball,right_heel,right_ball, each once"#
        ]],
    );
    check_csv(
        "left_heel,left_heel\n",
        expect![[
            r#"line 1: found the column "left_heel", expected left_heel,left_ball,right_heel,right_ball, each once"#
        ]],
    );
    check_csv("left_heel,left_ball,right_ball\n", expect!["line 1: the column right_heel is missing"]);
    check_csv(
        &format!("{names}\n1,1,0,0\n1,0,0\n"),
        expect!["line 3: found 3 cells, expected 4, one per column"],
    );
    check_csv(
        &format!("{names}\n1,1,0,0\n1,yes,0,0\n"),
        expect![[r#"line 3: left_ball is "yes", expected a number from 0 to 1"#]],
    );
    check_csv(
        &format!("{names}\n1,1,0,0\n1,nan,0,0\n"),
        expect![[r#"line 3: left_ball is "nan", expected a number from 0 to 1"#]],
    );
    let ground = "ground_x_m_per_s,ground_y_m_per_s,ground_z_m_per_s";
    let on_belt = |rows: &str| format!("{names},{ground}\n{rows}");
    check_csv(&on_belt("1,1,0,0,0,0,-1\n1,0,0,0,0,0,-1\n"), expect!["2 plants"]);
    check_csv(
        &on_belt("1,1,0,0,0,0,-1\n1,0,0,0,0,0,-2\n"),
        expect!["line 3: ground_z_m_per_s is -2, expected -1 as in the first row"],
    );
    check_csv(
        &on_belt("1,1,0,0,0,0,NaN\n"),
        expect![[r#"line 2: ground_z_m_per_s is "NaN", expected metres per second within 1000"#]],
    );
    check_csv(
        &on_belt("1,1,0,0,0,-1001,0\n"),
        expect![[r#"line 2: ground_y_m_per_s is "-1001", expected metres per second within 1000"#]],
    );
    check_csv(
        &format!("{names},ground_x_m_per_s\n1,1,0,0,1\n"),
        expect!["line 1: the column ground_y_m_per_s is missing"],
    );
    check_csv(&format!("{names}\n1,1,0,0\n"), expect!["the plants are for 1 frames, but the motion has 2"]);
}
