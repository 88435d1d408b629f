//! Snapshots of the JSON keys and the text table.

use crate::bodies::*;
use expect_test::{Expect, expect};
use surefoot_core::{Motion, Vec3};

/// A foot that slides and sinks at 10 fps, and the same foot held with a longer thigh.
fn pair() -> (Motion, Motion) {
    let before = motion(5, 10.0, |frame| {
        let mut pose = standing(Vec3::new(0.0, -0.004, 0.008 * (frame * frame) as f64));
        bend_knee(&mut pose, 0.01 * (frame % 2) as f64);
        pose
    });
    let mut after = motion(5, 10.0, |_| standing(Vec3::ZERO));
    after.poses[2].offsets[LEFT_KNEE] *= 1.001;
    after.poses[2].offsets[0].y += 0.0004;
    (before, after)
}

fn check(found: &str, expected: &Expect) {
    expected.assert_eq(found);
}

#[test]
fn the_table_of_two_motions_is_stable() {
    let (before, after) = pair();
    check(
        &left_heel_planted(&after, Some(&before)).table(),
        &expect![[r#"
                                                      before         after   ratio
            Planted feet
              drift, largest                          128 mm       0.00 mm    0.00
              drift, mean                            46.0 mm       0.00 mm    0.00
              slide, mean                          32.0 cm/s     0.00 cm/s    0.00
              frames faster than 10 cm/s              75.0 %        0.00 %    0.00
              below the floor, deepest               5.97 mm       0.00 mm    0.00
              above the floor while planted          0.00 mm       0.00 mm
            Visible events
              new slides                                                 0
              teleports                                                  0
              knee pops                                                  0
              scrapes                                                    0
              frames below the floor                                     0
              frames deeper than before                                  0
              joints with other channels                                 –
            Legs
              stretch, largest                        0.00 %        0.10 %
              frames with stretch                          0             1
              knee acceleration, 99 %               115 °/s²     0.00 °/s²    0.00
              knee acceleration, largest            115 °/s²     0.00 °/s²    0.00
              knee changed, largest                                  0.57°
              leg acceleration, largest            2.40 m/s²     0.08 m/s²    0.03
              added acceleration, largest                        2.40 m/s²
            Body
              root acceleration, 99 %              1.60 m/s²     0.08 m/s²    0.05
              root acceleration, largest           1.60 m/s²     0.08 m/s²    0.05
              root moved, largest                                   128 mm
              frames changed                                             5
            Published skate metrics
              foot skating, MANN 2018              32.0 cm/s     0.00 cm/s    0.00
              foot skating ratio, GMD 2023            0.00 %        0.00 %
              physical foot contact, EDGE 2023          2.01          0.00    0.00
              a walk without skating measures about 2.4 cm/s (MANN) and 34 % (GMD), not 0
        "#]],
    );
}

#[test]
fn the_table_of_one_motion_is_stable() {
    check(
        &left_heel_planted(&pair().0, None).table(),
        &expect![[r#"
            Planted feet
              drift, largest                          128 mm
              drift, mean                            46.0 mm
              slide, mean                          32.0 cm/s
              frames faster than 10 cm/s              75.0 %
              below the floor, deepest               5.97 mm
              above the floor while planted          0.00 mm
            Legs
              stretch, largest                        0.00 %
              frames with stretch                          0
              knee acceleration, 99 %               115 °/s²
              knee acceleration, largest            115 °/s²
              leg acceleration, largest            2.40 m/s²
            Body
              root acceleration, 99 %              1.60 m/s²
              root acceleration, largest           1.60 m/s²
            Published skate metrics
              foot skating, MANN 2018              32.0 cm/s
              foot skating ratio, GMD 2023            0.00 %
              physical foot contact, EDGE 2023          2.01
              a walk without skating measures about 2.4 cm/s (MANN) and 34 % (GMD), not 0
        "#]],
    );
}

#[test]
fn the_json_of_two_motions_is_stable() {
    let (before, after) = pair();
    let mut figures = left_heel_planted(&after, Some(&before));
    figures.plants[0].unmet = Some(0.25);
    check(
        &serde_json::to_string_pretty(&figures).unwrap(),
        &expect![[r#"
            {
              "drift_max_m": {
                "before": 0.128,
                "after": 0.0
              },
              "drift_mean_m": {
                "before": 0.046010554863075225,
                "after": 0.0
              },
              "slide_mean_m_per_s": {
                "before": 0.3201412476551474,
                "after": 0.0
              },
              "skate_ratio": {
                "before": 0.75,
                "after": 0.0
              },
              "penetration_max_m": {
                "before": 0.0059749668751659935,
                "after": 2.7755575615628914e-17
              },
              "float_max_m": {
                "before": 0.0,
                "after": 0.0
              },
              "new_slides": [],
              "teleports": [],
              "knee_pops": [],
              "scrapes": [],
              "below_floor": [],
              "deeper_than_captured": [],
              "channels_changed": null,
              "stretch_max": {
                "before": 0.0,
                "after": 0.0009999999999998899
              },
              "stretch_frames": {
                "before": 0,
                "after": 1
              },
              "knee_acceleration_p99_rad_per_s2": {
                "before": 1.9999999999999574,
                "after": 0.0,
                "ratio": 0.0
              },
              "knee_acceleration_max_rad_per_s2": {
                "before": 1.9999999999999574,
                "after": 0.0,
                "ratio": 0.0
              },
              "knee_changed_max_rad": 0.009999999999999787,
              "leg_acceleration_max_m_per_s2": {
                "before": 2.399990000027315,
                "after": 0.07999999999999119,
                "ratio": 0.03333347222241788
              },
              "added_acceleration_max_m_per_s2": 2.399990000027315,
              "root_acceleration_p99_m_per_s2": {
                "before": 1.6000000000000008,
                "after": 0.07999999999999119,
                "ratio": 0.04999999999999447
              },
              "root_acceleration_max_m_per_s2": {
                "before": 1.6000000000000008,
                "after": 0.07999999999999119,
                "ratio": 0.04999999999999447
              },
              "root_moved_max_m": 0.12806248474865697,
              "frames_changed": 5,
              "skate_mann_m_per_s": {
                "before": 0.32000000000000006,
                "after": 0.0
              },
              "skate_ratio_gmd": {
                "before": 0.0,
                "after": 0.0
              },
              "skate_pfc_edge": {
                "before": 2.0117400009296245,
                "after": 0.0
              },
              "plants": [
                {
                  "foot": "left",
                  "point": "heel",
                  "first": 0,
                  "last": 4,
                  "drift": {
                    "before": 0.128,
                    "after": 0.0
                  },
                  "slide": {
                    "before": 0.3201412476551474,
                    "after": 0.0
                  },
                  "stretch": {
                    "before": 0.0,
                    "after": 0.0009999999999998899
                  },
                  "unmet": 0.25,
                  "paid_by": {
                    "root": 0.12806248474865697,
                    "stretch": 0.0009999999999998899,
                    "drift": 0.0
                  }
                }
              ]
            }"#]],
    );
}

#[test]
fn the_json_of_one_motion_is_stable() {
    check(
        &serde_json::to_string_pretty(&left_heel_planted(&pair().0, None)).unwrap(),
        &expect![[r#"
            {
              "drift_max_m": 0.128,
              "drift_mean_m": 0.046010554863075225,
              "slide_mean_m_per_s": 0.3201412476551474,
              "skate_ratio": 0.75,
              "penetration_max_m": 0.0059749668751659935,
              "float_max_m": 0.0,
              "new_slides": null,
              "teleports": null,
              "knee_pops": null,
              "scrapes": null,
              "below_floor": [
                {
                  "foot": "left",
                  "point": "heel",
                  "first": 0,
                  "last": 4,
                  "amount": 0.004000000000000031
                },
                {
                  "foot": "left",
                  "point": "ball",
                  "first": 0,
                  "last": 4,
                  "amount": 0.005474975208457661
                },
                {
                  "foot": "left",
                  "point": "toe",
                  "first": 0,
                  "last": 4,
                  "amount": 0.0059749668751659935
                },
                {
                  "foot": "right",
                  "point": "heel",
                  "first": 0,
                  "last": 4,
                  "amount": 0.004000000000000031
                },
                {
                  "foot": "right",
                  "point": "ball",
                  "first": 0,
                  "last": 4,
                  "amount": 0.004000000000000031
                },
                {
                  "foot": "right",
                  "point": "toe",
                  "first": 0,
                  "last": 4,
                  "amount": 0.004000000000000031
                }
              ],
              "deeper_than_captured": null,
              "channels_changed": null,
              "stretch_max": 0.0,
              "stretch_frames": 0,
              "knee_acceleration_p99_rad_per_s2": 1.9999999999999574,
              "knee_acceleration_max_rad_per_s2": 1.9999999999999574,
              "knee_changed_max_rad": null,
              "leg_acceleration_max_m_per_s2": 2.399990000027315,
              "added_acceleration_max_m_per_s2": null,
              "root_acceleration_p99_m_per_s2": 1.6000000000000008,
              "root_acceleration_max_m_per_s2": 1.6000000000000008,
              "root_moved_max_m": null,
              "frames_changed": null,
              "skate_mann_m_per_s": 0.32000000000000006,
              "skate_ratio_gmd": 0.0,
              "skate_pfc_edge": 2.0117400009296245,
              "plants": [
                {
                  "foot": "left",
                  "point": "heel",
                  "first": 0,
                  "last": 4,
                  "drift": 0.128,
                  "slide": 0.3201412476551474,
                  "stretch": 0.0
                }
              ]
            }"#]],
    );
}
