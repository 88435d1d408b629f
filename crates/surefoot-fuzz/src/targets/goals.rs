//! Any bytes as a goals file are refused, or read and resolved for a skeleton.

use surefoot_core::{Joint, JointId, Skeleton, Vec3};
use surefoot_formats::Space;
use surefoot_formats::goals::GoalsFile;

const FRAMES: usize = 30;

/// Checks one input.
pub fn check_bytes(bytes: &[u8]) {
    let file = match GoalsFile::read(bytes) {
        Ok(file) => file,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let joint = |(name, parent): (&str, Option<u32>)| Joint {
        name: name.into(),
        parent: parent.map(JointId),
        offset: Vec3::X,
        end: Some(Vec3::Y),
    };
    let joints = [("Hips", None), ("Spine", Some(0)), ("LeftHand", Some(1)), ("RightHand", Some(1))];
    let skeleton = Skeleton::new(joints.into_iter().map(joint).collect()).expect("parents come first");
    let _ = file.limits(&skeleton, &Space::METRES_Y_UP);
    let Ok(goals) = file.goals(&skeleton, &Space::METRES_Y_UP, FRAMES) else { return };
    for goal in goals {
        assert!(goal.frame < FRAMES && goal.point.offset.is_finite());
        assert!(goal.position.is_none_or(Vec3::is_finite) && goal.shift.is_none_or(Vec3::is_finite));
    }
}
