//! Captures and samples as clips.

use std::path::Path;

use surefoot_contact::detect;
use surefoot_core::{Clip, Floor, Leg, Motion, Pose};
use surefoot_edit::retarget::TargetBody;
use surefoot_formats::Space;
use surefoot_formats::bvh::Bvh;
use surefoot_infer::{Overrides, infer};
use surefoot_sample::{Recipe, make};

/// A capture with inferred legs and floor and detected plants.
#[allow(dead_code)]
pub fn read(path: &Path) -> (Bvh, Space, Clip) {
    let bvh = Bvh::read(std::fs::read(path).unwrap()).unwrap();
    let found = infer(&bvh.excerpt(), &Overrides::default());
    let space = Space { unit_m: found.unit_m.value, up: found.up.value };
    let legs = found.legs.map_or_else(|_| Vec::new(), |legs| space.legs_from_file(&legs.value));
    let floor = found.floor.map(|floor| Floor::from(space.plane_from_file(floor.value)));
    let first_frame = usize::from(found.inserted_t_pose.value);
    let motion = bvh.motion(&space);
    // With the same detector settings as the command line.
    let edges = surefoot_contact::Edges::Rest;
    let settings = surefoot_contact::Settings { first_frame, edges, ..Default::default() };
    let plants = detect(&motion, &legs, floor.as_ref(), &settings);
    let clip = Clip { motion, legs, plants, floor, first_frame, ..Clip::default() };
    (bvh, space, clip)
}

/// The body of a clip as a target.
#[allow(dead_code)]
pub fn body(clip: &Clip) -> TargetBody {
    TargetBody {
        skeleton: clip.motion.skeleton.clone(),
        legs: clip.legs.clone(),
        poses: clip.motion.poses[clip.first_frame..].to_vec(),
        floor: clip.floor.clone(),
    }
}

/// A generated motion.
#[allow(dead_code)]
pub fn sample(recipe: &Recipe) -> Clip {
    make(recipe).unwrap().into_clip()
}

/// The largest increase of any knee's angular speed by cleaning, in radians per second.
///
/// Unlike [`knee_speed_added`](surefoot_edit::knee_speed_added) this ignores knees that become slower,
/// as where a captured knee snaps.
pub fn knee_speed_increase(before: &Motion, after: &Motion, legs: &[Leg], first_frame: usize) -> f64 {
    let bent = |motion: &Motion| bent(motion, before, legs, first_frame);
    let (before, after_bent) = (bent(before), bent(after));
    let speeds = |bends: &[f64]| bends.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect::<Vec<_>>();
    let faster = |(before, after): (&Vec<f64>, &Vec<f64>)| {
        speeds(before).iter().zip(speeds(after)).map(|(before, after)| after - before).fold(0.0, f64::max)
    };
    before.iter().zip(&after_bent).map(faster).fold(0.0, f64::max) * after.fps
}

/// The hinge angle of each knee in each frame, in radians; negative if bent backwards. The hinge axis
/// is taken from the motion `of` the same body.
pub fn bent(motion: &Motion, of: &Motion, legs: &[Leg], first_frame: usize) -> Vec<Vec<f64>> {
    let clip = Clip { motion: of.clone(), legs: legs.to_vec(), first_frame, ..Clip::default() };
    let shapes = surefoot_solve::leg_shapes(&clip).unwrap();
    let knee = |(leg, shape): (&Leg, &surefoot_solve::LegShape)| {
        let bent = |pose: &Pose| {
            let placed = pose.world(&motion.skeleton);
            let knee = placed.joint(leg.knee);
            let (thigh, shin) = (knee - placed.joint(leg.hip), placed.joint(leg.ankle) - knee);
            let parent = motion.skeleton.parent(leg.knee).unwrap_or(leg.hip);
            let axis = placed.rotations[parent.index()] * shape.knee_axis;
            surefoot_core::math::atan2(thigh.cross(shin).dot(axis), thigh.dot(shin))
        };
        motion.poses[first_frame..].iter().map(bent).collect()
    };
    legs.iter().zip(&shapes).map(knee).collect()
}
