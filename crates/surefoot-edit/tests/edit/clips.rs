//! Captures as clips, for the tests and benches of every edit.

use std::path::Path;

use surefoot_contact::detect;
use surefoot_core::{Clip, Floor};
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};

/// A capture with inferred legs and floor and detected plants.
pub fn read(path: &Path) -> (Bvh, Space, Clip) {
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let inference = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: inference.unit_m.value, up: inference.up.value };
    let legs = inference.legs.map_or_else(|_| Vec::new(), |legs| space.legs_from_file(&legs.value));
    let floor = inference.floor.map(|floor| Floor::from(space.plane_from_file(floor.value)));
    let first_frame = usize::from(inference.inserted_t_pose.value);
    let motion = bvh.motion(&space);
    // With the same detector settings as the command line.
    let settings = surefoot_contact::Settings { first_frame, ..Default::default() };
    let plants = detect(&motion, &legs, floor.as_ref(), &settings);
    let clip = Clip { motion, legs, plants, floor, first_frame, ..Clip::default() };
    (bvh, space, clip)
}
