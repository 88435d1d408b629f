//! A foot planted at heel and ball keeps its roll, or is laid flat, depending on the settings.

use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Leg, Vec3};
use surefoot_sample::{Kind, Recipe, make};
use surefoot_solve::{FootRoll, Settings, clean};

/// The angle between sole normal and floor normal, in radians, of planted feet that were captured with a roll of 0.2 rad.
fn sole_angle(foot_roll: FootRoll) -> f64 {
    let stand = make(&Recipe { kind: Kind::Stand, ..Recipe::default() }).unwrap();
    let mut clip = stand.clip();
    let legs = &stand.legs;
    // The feet roll in the last 20 frames only.
    let rolled = clip.motion.frames() - 20;
    for pose in &mut clip.motion.poses[rolled..] {
        for leg in legs {
            pose.rotations[leg.ankle.index()] *= axis_rotation(2, 0.2);
        }
    }
    let settings = Settings { roll: foot_roll, ..Settings::default() };
    let after = clean(&clip, &settings).unwrap().clip.motion;
    let flat = stand.motion.poses[rolled].world(&clip.motion.skeleton);
    let now = after.poses[rolled + 10].world(&clip.motion.skeleton);
    let angle = |leg: &Leg| {
        let ankle = leg.ankle.index();
        let sole_normal = flat.rotations[ankle].conjugate() * Vec3::Y;
        (now.rotations[ankle] * sole_normal).angle_between(Vec3::Y)
    };
    assert!(stand.plants.is_planted(0, FootPoint::Heel, rolled + 10));
    legs.iter().map(angle).fold(0.0, f64::max)
}

#[test]
fn a_rolled_foot_is_laid_flat_or_keeps_its_roll() {
    let (flat, kept) = (sole_angle(FootRoll::Flat), sole_angle(FootRoll::Keep));
    // An arccosine is exact to half its digits near 0.
    assert!(flat < 1e-7, "{flat}");
    assert!((kept - 0.2).abs() < 1e-7, "{kept}");
}
