//! A foot that nothing holds does not go into the floor since the body comes down.

use surefoot_core::{Clip, Footplants, Leg, Motion, Vec3};
use surefoot_sample::{Kind, Recipe, make};
use surefoot_solve::{Settings, clean};

/// How far the body has to come down, in metres.
const DOWN: f64 = 0.015;

/// The lowest that heel, ball or toe tip of a foot gets, in metres.
fn lowest(motion: &Motion, leg: &Leg) -> f64 {
    let low = |pose: &surefoot_core::Pose| {
        let placed = pose.world(&motion.skeleton);
        [leg.heel, leg.ball, leg.toe].map(|on| placed.point(&on).y).into_iter().fold(f64::INFINITY, f64::min)
    };
    motion.poses.iter().map(low).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_foot_that_no_plant_holds_stays_out_of_the_floor() {
    for kind in [Kind::Walk, Kind::Run, Kind::Sneak] {
        for fps in [30.0, 120.0] {
            let recipe = Recipe { kind, fps, seconds: 6.0, ..Recipe::default() };
            let Clip { motion, legs, plants, floor, .. } = make(&recipe).unwrap().into_clip();
            // Only the left foot is known to stand, and it is said to stand deeper.
            let mut left: Vec<_> = plants.plants.into_iter().filter(|plant| plant.leg == 0).collect();
            for plant in &mut left {
                let on = [legs[0].heel, legs[0].ball][plant.point as usize];
                let pose = &motion.poses[plant.frames.start];
                plant.spot = Some(pose.world(&motion.skeleton).point(&on) - Vec3::Y * DOWN);
            }
            let plants = Footplants { plants: left };
            let clip = Clip { motion, legs, plants, floor, ..Clip::default() };
            let after = clean(&clip, &Settings::default()).unwrap().clip.motion;
            let Clip { motion, legs, .. } = &clip;
            let deepest = motion.poses.iter().zip(&after.poses);
            let deepest = deepest.map(|(before, after)| before.offsets[0].y - after.offsets[0].y);
            assert!(deepest.fold(0.0, f64::max) > 0.5 * DOWN, "the body did not come down");
            let (was, is) = (lowest(motion, &legs[1]), lowest(&after, &legs[1]));
            // It is slowed before the floor, and less so where it was captured near it.
            assert!(is > was.min(0.0) - 0.0016, "{} at {fps} fps: {was} to {is}", kind.as_str());
        }
    }
}
