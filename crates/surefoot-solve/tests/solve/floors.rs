//! Tilted and missing floors.

use surefoot_core::math::PI;
use surefoot_core::{Plane, Vec3};
use surefoot_solve::Settings;

use crate::fixtures::*;

#[test]
fn plants_stand_on_a_tilted_floor() {
    let tilt = pitch(10.0 * PI / 180.0);
    let floor = Plane { normal: tilt * Vec3::Y, offset: 0.0 };
    // The body moves along the slope without leaning: its feet are not flat on it.
    let mut case = by_hand(Build::default(), 60, both_feet(), |frame, pose| {
        slide_in_crouch(frame, pose);
        let root = &mut pose.offsets[0];
        root.y -= root.z * floor.normal.z / floor.normal.y;
    });
    case.clip.floor = Some(floor.into());
    let settings = Settings { snap_distance: Some(0.1), ..Settings::default() };
    let (after, report) = clean_held_or_noted(&case, &settings).unwrap();
    assert_eq!((held_plants(&case, &after, &report), report.notes), (4, vec![]));
    for cost in &report.plants {
        assert!(floor.above(cost.spot.unwrap()).abs() < 1e-12);
    }
}

#[test]
fn without_a_floor_plants_keep_their_height() {
    let mut case = crouch(both_feet());
    case.clip.floor = None;
    let (after, report) = clean_with_all_settings(&case);
    assert_eq!((held_plants(&case, &after, &report), report.notes), (4, vec![]));
}
