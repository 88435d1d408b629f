//! Any bytes as a rig file are refused, or read to joints of the skeleton and finite numbers.

use surefoot_core::{Joint, JointId, Skeleton, Vec3};
use surefoot_formats::rig;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let skeleton = skeleton();
    let Ok(overrides) = rig::read(&String::from_utf8_lossy(bytes), &skeleton) else { return };
    assert!(overrides.unit_m.is_none_or(|unit| unit.is_finite() && unit > 0.0));
    for leg in overrides.legs.iter().flatten() {
        assert!([leg.hip, leg.knee, leg.ankle].iter().all(|joint| joint.index() < skeleton.len()));
        assert!(leg.hip != leg.knee && leg.knee != leg.ankle && leg.hip != leg.ankle);
    }
}

fn skeleton() -> Skeleton {
    let leg = |side: &str, hips: u32, first: u32| {
        let names = ["UpLeg", "Leg", "Foot", "ToeBase"];
        let parents = [hips, first, first + 1, first + 2];
        let side = side.to_owned();
        names.into_iter().zip(parents).map(move |(name, parent)| (format!("{side}{name}"), Some(parent)))
    };
    let joints = [("Hips".to_owned(), None)].into_iter().chain(leg("Left", 0, 1)).chain(leg("Right", 0, 5));
    let joint = |(name, parent): (String, Option<u32>)| Joint {
        name,
        parent: parent.map(JointId),
        offset: Vec3::NEG_Y,
        end: None,
    };
    Skeleton::new(joints.map(joint).collect()).expect("parents come first")
}
