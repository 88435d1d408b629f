//! What is performed in a file: its motion without the T-pose before it, as the ground sees it.

use surefoot_contact::over_ground;
use surefoot_core::{Footplants, Motion, Plant, Vec3};
use surefoot_solve::{Note, Report};

use crate::scene::Scene;

/// A file's motion without the T-pose before it, and its plants, as the cleaner takes them.
pub struct Performance {
    /// What is performed.
    pub motion: Motion,
    /// Its body, legs and floor.
    pub scene: surefoot_solve::Scene,
    /// Its plants, in its own frames.
    pub plants: Footplants,
    /// The file's number of its first frame.
    pub first: usize,
}

impl Performance {
    /// What is performed in a file.
    pub fn of(scene: &Scene, plants: &Footplants) -> Self {
        let Scene { motion, legs, floor, first_frame, .. } = scene;
        let first = (*first_frame).min(motion.frames());
        let solved = surefoot_solve::Scene {
            skeleton: motion.skeleton.clone(),
            fps: motion.fps,
            legs: legs.clone(),
            floor: floor.clone(),
        };
        let motion = Motion { poses: motion.poses[first..].to_vec(), ..motion.clone() };
        Self { motion, scene: solved, plants: Self::earlier(plants, first), first }
    }

    /// Plants that begin and end so many frames earlier.
    pub fn earlier(plants: &Footplants, by: usize) -> Footplants {
        let moved = |plant: &Plant| Plant {
            frames: plant.frames.start.saturating_sub(by)..plant.frames.end.saturating_sub(by),
            ..plant.clone()
        };
        Footplants { plants: plants.plants.iter().map(moved).collect() }
    }

    /// The whole file's motion and report: with the T-pose before what was performed, in the file's frames.
    pub fn put_back(scene: &Scene, clean: Motion, mut report: Report) -> (Motion, Report) {
        let first = scene.first_frame.min(scene.motion.frames());
        for plant in &mut report.plants {
            plant.frames = plant.frames.start + first..plant.frames.end + first;
        }
        report.notes.iter_mut().for_each(|note| later(note, first));
        let poses = scene.motion.poses[..first].iter().cloned().chain(clean.poses).collect();
        (Motion { poses, ..clean }, report)
    }
}

/// Makes a note speak of frames that are so many later.
pub fn later(note: &mut Note, by: usize) {
    match note {
        Note::OutOfReach { frames, .. } | Note::WrongSize { frames, .. } | Note::NotHeld { frames, .. } => {
            *frames = frames.start + by..frames.end + by;
        }
        Note::OffFloor { frame, .. } => *frame += by,
        _ => {}
    }
}

/// The same scene as one who stands on its ground sees it.
pub fn seen_from_ground(scene: Scene, ground: Option<Vec3>) -> Scene {
    match ground {
        Some(ground) => Scene { motion: over_ground(&scene.motion, ground), ..scene },
        None => scene,
    }
}

/// A clean motion as the room sees it; poses that were left alone come back to the last bit.
pub(crate) fn back_in_room(clean: &Motion, from_ground: &Motion, captured: &Motion, ground: Vec3) -> Motion {
    let mut motion = over_ground(clean, -ground);
    let each = clean.poses.iter().zip(&from_ground.poses).zip(&captured.poses);
    for (pose, ((clean, before), captured)) in motion.poses.iter_mut().zip(each) {
        if clean == before {
            pose.clone_from(captured);
        }
    }
    motion
}
