//! A foot held at heel and ball is laid flat where that is asked, and keeps its roll where not.

use surefoot_core::math::axis_rotation;
use surefoot_core::{FootPoint, Vec3};
use surefoot_sample::{Kind, Recipe, make};
use surefoot_solve::{FootRoll, Settings, clean};

/// How far up from the sole leans from the floor's up at most, in radians, while both points of a
/// foot that was captured rolled to its side are held.
fn lean(roll: FootRoll) -> f64 {
    let stand = make(&Recipe { kind: Kind::Stand, ..Recipe::default() }).unwrap();
    let mut clip = stand.clip();
    let legs = &stand.legs;
    // At the end of the clip both feet are rolled by 0.2 rad about their own length.
    let late = clip.motion.frames() - 20;
    for pose in &mut clip.motion.poses[late..] {
        for leg in legs {
            pose.rotations[leg.ankle.index()] *= axis_rotation(2, 0.2);
        }
    }
    let settings = Settings { foot_roll: roll, ..Settings::default() };
    let after = clean(&clip, &settings).unwrap().clip.motion;
    let flat = stand.motion.poses[late].world(&clip.motion.skeleton);
    let now = after.poses[late + 10].world(&clip.motion.skeleton);
    let lean = |leg: &surefoot_core::Leg| {
        let ankle = leg.ankle.index();
        let sole = flat.rotations[ankle].conjugate() * Vec3::Y;
        (now.rotations[ankle] * sole).angle_between(Vec3::Y)
    };
    assert!(stand.plants.is_planted(0, FootPoint::Heel, late + 10));
    legs.iter().map(lean).fold(0.0, f64::max)
}

#[test]
fn a_rolled_foot_is_laid_flat_where_asked() {
    // The sole is the mean of the lowest poses, a few of which are rolled.
    assert!(lean(FootRoll::Flat) < 0.05, "{}", lean(FootRoll::Flat));
    assert!(lean(FootRoll::Keep) > 0.15, "{}", lean(FootRoll::Keep));
}
