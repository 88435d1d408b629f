//! Laws of plants files: they read back as written, and unknown fields are kept.

use expect_test::expect;
use proptest::prelude::*;
use surefoot_core::{FootPoint, Footplants, Hold, HoldKind, Leg, Plant, PlantKind, Vec3};
use surefoot_formats::plants::{PlantsFile, read_csv, write_csv};
use surefoot_sample::{Body, Kind, Recipe, make};

const FRAMES: usize = 40;
const FPS: f64 = 120.0;

fn legs() -> Vec<Leg> {
    make(&Recipe { kind: Kind::Stand, ..Recipe::default() }).unwrap().legs
}

fn plant(leg: usize, point: FootPoint, frames: core::ops::Range<usize>) -> Plant {
    Plant::new(leg, point, frames)
}

#[test]
fn plants_of_every_sample_read_back_as_written() {
    for kind in Kind::ALL {
        for body in Body::ALL {
            let sample = make(&Recipe { kind, body, ..Recipe::default() }).unwrap();
            let (frames, fps) = (sample.motion.frames(), sample.motion.fps);
            let text = PlantsFile::new(&sample.plants, &sample.legs, frames, fps).write();
            let file = PlantsFile::read(text.as_bytes()).unwrap();
            assert_eq!(file.plants(&sample.legs, frames, fps).unwrap(), sample.plants);
            assert_eq!(file.write(), text);

            let ground = (kind == Kind::Walk).then_some(Vec3::new(0.1, -0.0, -1.0 / 3.0));
            let table = write_csv(&sample.plants, &sample.legs, frames, ground);
            let mut without_spots = sample.plants.clone();
            without_spots.plants.iter_mut().for_each(|plant| plant.spot = None);
            assert_eq!(read_csv(table.as_bytes(), &sample.legs, frames).unwrap(), (without_spots, ground));
        }
    }
}

const EDITED: &str = r#"{ "surefoot": "plants/1",
  "by": "Ann",
  "motion": { "file": "walk.bvh", "frames": 40, "fps": 120 },
  "plants": [
    { "note": "slips?", "foot": "left", "point": "heel", "first": 2.0, "last": 9, "confidence": 0.93 },
    { "foot": "left", "point": "ball", "first": 4, "last": 12, "spot": [0.1, 0, 1.40], "colour": { "r": 1 } },
    { "foot": "right", "point": "ball", "first": 20, "last": 30 } ],
  "seen": [1, 2.50, "x"] }
"#;

#[test]
fn unknown_fields_keep_their_value_and_position() {
    let file = PlantsFile::read(EDITED.as_bytes()).unwrap();
    assert_eq!(file.write(), EDITED.replace("1.40", "1.4").replace("2.50", "2.5"));
    assert_eq!(file.feet(), ["left", "right"]);
}

#[test]
fn an_edited_plant_inherits_unknown_fields() {
    let mut file = PlantsFile::read(EDITED.as_bytes()).unwrap();
    let mut plants = file.plants(&legs(), FRAMES, FPS).unwrap();
    plants.plants[0].frames = 3..12;
    plants.plants[0].confidence = None;
    plants.plants.push(plant(0, FootPoint::Heel, 30..31));
    plants.sort();
    file.set(&plants, &legs());
    expect![[r#"
        { "surefoot": "plants/1",
          "by": "Ann",
          "motion": { "file": "walk.bvh", "frames": 40, "fps": 120 },
          "plants": [
            { "note": "slips?", "foot": "left", "point": "heel", "first": 3, "last": 11 },
            { "foot": "left", "point": "heel", "first": 30, "last": 30 },
            { "foot": "left", "point": "ball", "first": 4, "last": 12, "spot": [0.1, 0, 1.4], "colour": { "r": 1 } },
            { "foot": "right", "point": "ball", "first": 20, "last": 30 } ],
          "seen": [1, 2.5, "x"] }
    "#]]
    .assert_eq(&file.write());
}

#[test]
fn a_new_file_has_one_plant_per_line() {
    let mut ball = plant(0, FootPoint::Ball, 18..56);
    ball.spot = Some(Vec3::new(0.12, 0.0, 1.4));
    let mut heel = plant(0, FootPoint::Heel, 12..41);
    heel.confidence = Some(0.93);
    let plants = Footplants { plants: vec![heel, ball] };
    expect![[r#"
        { "surefoot": "plants/1",
          "motion": { "frames": 343, "fps": 120.0 },
          "plants": [
            { "foot": "left", "point": "heel", "first": 12, "last": 40, "confidence": 0.93 },
            { "foot": "left", "point": "ball", "first": 18, "last": 55, "spot": [0.12, 0.0, 1.4] } ] }
    "#]]
    .assert_eq(&PlantsFile::new(&plants, &legs(), 343, 120.0).write());
}

#[test]
fn a_file_may_have_no_plants() {
    let file = PlantsFile::new(&Footplants::default(), &legs(), 3, 24.0);
    let again = PlantsFile::read(file.write().as_bytes()).unwrap();
    assert_eq!(again.plants(&legs(), 3, 24.0).unwrap(), Footplants::default());
}

#[test]
fn a_table_has_a_column_for_each_point_and_a_row_for_each_frame() {
    let mut heel = plant(0, FootPoint::Heel, 1..3);
    heel.confidence = Some(0.75);
    let plants = Footplants { plants: vec![heel, plant(1, FootPoint::Ball, 0..2)] };
    let text = write_csv(&plants, &legs(), 3, None);
    expect![[r#"
        left_heel,left_ball,right_heel,right_ball
        0,0,0,1
        0.75,0,0,1
        0.75,0,0,0
    "#]]
    .assert_eq(&text);
    assert_eq!(read_csv(text.as_bytes(), &legs(), 3).unwrap(), (plants, None));
}

#[test]
fn a_plant_that_slides_is_labelled_skate() {
    let plants = Footplants {
        plants: vec![
            Plant { kind: Some(PlantKind::Skate), ..plant(0, FootPoint::Heel, 1..3) },
            Plant { kind: Some(PlantKind::Plant), ..plant(0, FootPoint::Ball, 1..3) },
            plant(1, FootPoint::Ball, 0..2),
        ],
    };
    let json = PlantsFile::new(&plants, &legs(), 3, 24.0).write();
    assert!(json.contains(r#""first": 1, "last": 2, "kind": "skate" }"#), "{json}");
    let read = PlantsFile::read(json.as_bytes()).unwrap().plants(&legs(), 3, 24.0).unwrap();
    assert_eq!(read, plants);
    let table = write_csv(&plants, &legs(), 3, None);
    expect![[r#"
        left_heel,left_ball,right_heel,right_ball,left_heel_skate,left_ball_skate,right_heel_skate,right_ball_skate
        0,0,0,1,0,0,0,-1
        1,1,0,1,1,0,0,-1
        1,1,0,0,1,0,0,0
    "#]]
    .assert_eq(&table);
    assert_eq!(read_csv(table.as_bytes(), &legs(), 3).unwrap(), (plants, None));
}

#[test]
fn a_kind_other_than_plant_or_skate_is_refused() {
    let json = |kind: &str| {
        format!(
            r#"{{ "surefoot": "plants/1", "motion": {{ "frames": 3, "fps": 24 }}, "plants": [
                {{ "foot": "left", "point": "heel", "first": 0, "last": 1, "kind": {kind} }} ] }}"#
        )
    };
    let error = |kind: &str| PlantsFile::read(json(kind).as_bytes()).unwrap_err().to_string();
    assert_eq!(error("\"slide\""), "line 2: plant 0: \"kind\" is \"slide\", expected plant or skate");
    assert_eq!(error("1"), "line 2: plant 0: \"kind\" is 1, expected plant or skate");
    assert!(PlantsFile::read(json("null").as_bytes()).is_ok());
}

#[test]
fn a_table_may_label_the_skate_of_some_points_only() {
    let table =
        "left_heel,left_ball,right_heel,right_ball,left_ball_skate\n1,1,0,0,1\n1,1,0,0,0.9\n1,0,0,0,0\n";
    let plants = read_csv(table.as_bytes(), &legs(), 3).unwrap().0.plants;
    assert_eq!(plants.iter().map(|plant| plant.kind).collect::<Vec<_>>(), [None, Some(PlantKind::Skate)]);
    let wrong = table.replace("0.9", "-0.5");
    assert_eq!(
        read_csv(wrong.as_bytes(), &legs(), 3).unwrap_err().to_string(),
        "line 3: left_ball_skate is \"-0.5\", expected a number from 0 to 1, or -1"
    );
}

#[test]
fn a_table_of_a_treadmill_has_the_velocity_of_the_ground_in_every_row() {
    let plants = Footplants { plants: vec![plant(1, FootPoint::Ball, 0..1)] };
    let text = write_csv(&plants, &legs(), 2, Some(Vec3::new(0.0, 0.0, -1.25)));
    expect![[r#"
        left_heel,left_ball,right_heel,right_ball,ground_x_m_per_s,ground_y_m_per_s,ground_z_m_per_s
        0,0,0,1,0,0,-1.25
        0,0,0,0,0,0,-1.25
    "#]]
    .assert_eq(&text);
    let read = read_csv(text.as_bytes(), &legs(), 2).unwrap();
    assert_eq!(read, (plants, Some(Vec3::new(0.0, 0.0, -1.25))));
}

#[test]
fn a_table_may_have_any_column_order_and_line_ends() {
    let text = "\u{feff}\"right_ball\", left_ball,right_heel,left_heel\r\n1,0,0,0.2\r\n0,0,0,0.9\r\n\r\n";
    let plants = read_csv(text.as_bytes(), &legs(), 2).unwrap().0.plants;
    assert_eq!(plants.len(), 2);
    assert_eq!(plants[0].frames, 1..2);
    assert_eq!(plants[0].confidence, Some(0.9));
    assert_eq!((plants[1].leg, plants[1].frames.clone()), (1, 0..1));
}

#[test]
fn the_columns_of_a_quadruped_are_named_front_and_hind() {
    let dog = make(&Recipe { kind: Kind::Stand, body: Body::FourLegs, ..Recipe::default() }).unwrap();
    let text = write_csv(&Footplants::default(), &dog.legs, 1, None);
    assert!(text.starts_with("front_left_heel,front_left_ball,front_right_heel,"), "{text}");
}

/// Plants of two feet that never hold one point twice.
fn footplants() -> impl Strategy<Value = Footplants> {
    let spot = prop::option::of(prop::array::uniform3(-1e3f64..1e3).prop_map(Vec3::from_array));
    let confidence = prop::option::of(0.0f64..=1.0);
    let kind = prop::option::of(prop::sample::select(PlantKind::ALL.to_vec()));
    let hold =
        (prop::sample::select(HoldKind::ALL.to_vec()), prop::sample::select(vec![0.0, 0.25, 0.8, 1.0]));
    let hold = hold.prop_map(|(kind, strength)| Hold { kind, strength });
    let one = (0usize..3, 1usize..6, spot, confidence, kind, hold);
    prop::collection::vec(prop::collection::vec(one, 0..5), 6).prop_map(|columns| {
        let mut plants = Footplants::default();
        for (column, column_plants) in columns.into_iter().enumerate() {
            let point = FootPoint::ALL[column % 3];
            let mut at = 0;
            for (gap, length, spot, confidence, kind, hold) in column_plants {
                let frames = at + gap..at + gap + length;
                at = frames.end;
                plants.plants.push(Plant { leg: column / 3, point, frames, spot, confidence, kind, hold });
            }
        }
        plants
    })
}

const HOLDS: &str = r#"{ "surefoot": "plants/1",
  "motion": { "frames": 40, "fps": 60.0 },
  "plants": [
    { "foot": "left", "point": "heel", "first": 0, "last": 3, "hold": "height" },
    { "foot": "left", "point": "ball", "first": 0, "last": 3, "hold": "pivot" },
    { "foot": "left", "point": "ball", "first": 4, "last": 7, "strength": 0.8 },
    { "foot": "left", "point": "toe", "first": 8, "last": 9, "hold": "ground", "strength": 0.5 } ] }
"#;

#[test]
fn toe_tips_holds_and_strengths_are_read_and_written() {
    let file = PlantsFile::read(HOLDS.as_bytes()).unwrap();
    let plants = file.plants(&legs(), 40, 60.0).unwrap();
    let holds: Vec<_> =
        plants.plants.iter().map(|plant| (plant.point, plant.hold.kind, plant.hold.strength)).collect();
    assert_eq!(
        holds,
        [
            (FootPoint::Heel, HoldKind::Height, 1.0),
            (FootPoint::Ball, HoldKind::Pivot, 1.0),
            (FootPoint::Ball, HoldKind::Full, 0.8),
            (FootPoint::Toe, HoldKind::Ground, 0.5),
        ]
    );
    assert_eq!(file.write(), HOLDS);
    assert_eq!(PlantsFile::new(&plants, &legs(), 40, 60.0).write(), HOLDS);
    // A plant that is held fully again has the field still, if the file had it.
    let mut full = plants.clone();
    full.plants.iter_mut().for_each(|plant| plant.hold = Hold::default());
    let mut edited = file.clone();
    edited.set(&full, &legs());
    assert!(edited.write().contains(r#""last": 7, "strength": 1.0"#), "{}", edited.write());
    assert!(!PlantsFile::new(&full, &legs(), 40, 60.0).write().contains("strength"));
}

#[test]
fn a_table_has_columns_for_toe_tips_holds_and_strengths_only_where_they_are_needed() {
    let plants = PlantsFile::read(HOLDS.as_bytes()).unwrap().plants(&legs(), 40, 60.0).unwrap();
    let table = write_csv(&plants, &legs(), 40, None);
    let header = table.lines().next().unwrap();
    assert!(
        header.starts_with("left_heel,left_ball,left_toe,right_heel,right_ball,right_toe,left_heel_hold")
    );
    assert!(header.ends_with("left_toe_strength,right_heel_strength,right_ball_strength,right_toe_strength"));
    assert_eq!(read_csv(table.as_bytes(), &legs(), 40).unwrap().0, plants);
    let plain = Footplants { plants: vec![plant(0, FootPoint::Heel, 1..3)] };
    assert_eq!(
        write_csv(&plain, &legs(), 40, None).lines().next(),
        Some("left_heel,left_ball,right_heel,right_ball")
    );
    let word = "left_heel,left_ball,right_heel,right_ball,left_heel_hold\n1,0,0,0,tight\n";
    let error = read_csv(word.as_bytes(), &legs(), 1).unwrap_err().to_string();
    assert_eq!(error, "line 2: left_heel_hold is \"tight\", expected full, pivot, height or ground");
}

#[test]
fn unknown_holds_and_strengths_out_of_range_are_refused() {
    let error =
        |from: &str, to: &str| PlantsFile::read(HOLDS.replace(from, to).as_bytes()).unwrap_err().to_string();
    assert_eq!(
        error("\"pivot\"", "\"tight\""),
        "line 5: plant 1: \"hold\" is \"tight\", expected full, pivot, height or ground"
    );
    assert_eq!(error("0.8", "1.8"), "line 6: plant 2: \"strength\" is 1.8, expected a number from 0 to 1");
}

proptest! {
    #[test]
    fn any_plants_read_back_exactly(plants in footplants()) {
        let text = PlantsFile::new(&plants, &legs(), FRAMES, FPS).write();
        let file = PlantsFile::read(text.as_bytes()).unwrap();
        prop_assert_eq!(file.plants(&legs(), FRAMES, FPS).unwrap(), plants);
    }

    #[test]
    fn no_bytes_cause_a_panic(bytes: Vec<u8>) {
        let _ = PlantsFile::read(&bytes);
        let _ = read_csv(&bytes, &legs(), 3);
    }

    #[test]
    fn no_damage_to_a_file_causes_a_panic(at: prop::sample::Index, bytes in prop::collection::vec(any::<u8>(), 0..4), cut: prop::sample::Index) {
        let mut damaged = EDITED.as_bytes().to_vec();
        let at = at.index(damaged.len());
        let end = (at + cut.index(6)).min(damaged.len());
        damaged.splice(at..end, bytes);
        if let Ok(file) = PlantsFile::read(&damaged) {
            let _ = file.plants(&legs(), FRAMES, FPS);
            let again = PlantsFile::read(file.write().as_bytes()).unwrap();
            prop_assert_eq!(again.write(), file.write());
        }
    }

    #[test]
    fn no_json_with_known_words_causes_a_panic(text in r#"[{}\[\]":, \n0-9.eE-]{0,12}("(plants|first|last|foot|point|spot|motion|frames|fps|surefoot|plants/1)"[{}\[\]:,]{1,3}){0,12}"#) {
        let _ = PlantsFile::read(text.as_bytes());
    }

    #[test]
    fn no_table_causes_a_panic(text in "left_heel,left_ball,right_heel,right_ball\n[0-9.,\n\"-]{0,60}") {
        let _ = read_csv(text.as_bytes(), &legs(), 3);
    }
}
