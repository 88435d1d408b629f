//! A take: a motion with all that cleaning it needs. What every edit takes and gives back.

use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant, Vec3};
use surefoot_solve::Scene;

use crate::looped::Loop;

/// A motion, its legs, when they are planted and what on, in metres, Y up.
#[derive(Clone, Debug, Default)]
pub struct Take {
    /// All frames.
    pub motion: Motion,
    /// The legs.
    pub legs: Vec<Leg>,
    /// Who is planted when.
    pub plants: Footplants,
    /// The floor; `None` where plants stand at whatever height they have.
    pub floor: Option<Floor>,
    /// The first frame of the performance: 1 after a T-pose that a program put at frame 0.
    pub first_frame: usize,
    /// How fast the ground goes that plants stand on, as on a treadmill, in metres a second; `None`
    /// where it stands.
    pub ground: Option<Vec3>,
    /// What makes the performance a loop, seen from the ground; `None` where its end and its start
    /// are apart.
    pub looped: Option<Loop>,
    /// Up from the sole of each leg's foot, seen from its ankle, where that is known, as after a
    /// retarget; empty where poses must show it.
    pub soles: Vec<Vec3>,
}

impl Take {
    /// The scene as the cleaner takes it.
    pub fn scene(&self) -> Scene {
        Scene {
            skeleton: self.motion.skeleton.clone(),
            fps: self.motion.fps,
            legs: self.legs.clone(),
            floor: self.floor.clone(),
        }
    }

    /// What is performed, and its plants, in its own frames.
    pub fn performed(&self) -> (Motion, Footplants) {
        let first = self.first_frame.min(self.motion.frames());
        let motion = Motion { poses: self.motion.poses[first..].to_vec(), ..self.motion.clone() };
        let earlier =
            |frames: &FrameRange| frames.start.saturating_sub(first)..frames.end.saturating_sub(first);
        let plants = self.plants.plants.iter();
        let plants = plants.map(|plant| Plant { frames: earlier(&plant.frames), ..plant.clone() }).collect();
        (motion, Footplants { plants })
    }

    /// The same take with another performance; frames before it stay as they are.
    pub fn performing(&self, performed: Motion, plants: &Footplants) -> Self {
        let first = self.first_frame.min(self.motion.frames());
        let before = self.motion.poses[..first].iter().cloned();
        let later = |plant: &Plant| Plant {
            frames: plant.frames.start + first..plant.frames.end + first,
            ..plant.clone()
        };
        Self {
            motion: Motion { poses: before.chain(performed.poses).collect(), ..self.motion.clone() },
            plants: Footplants { plants: plants.plants.iter().map(later).collect() },
            ..self.clone()
        }
    }

    /// The same as one who stands on the ground sees it.
    pub fn from_ground(&self) -> Self {
        let Some(ground) = self.ground else { return self.clone() };
        Self { motion: self.motion.with_added_velocity(-ground), ground: None, ..self.clone() }
    }

    /// The same with plants as a file has them: one that is held across a loop's seam is two.
    pub fn cut_at_seam(self) -> Self {
        let Some(looped) = self.looped else { return self };
        let (first, frames) = (self.first_frame, self.motion.frames());
        let seam = first + looped.period;
        let mut all = Footplants::default();
        for plant in &self.plants.plants {
            let mut put = |from: usize, to: usize, spot| {
                if from < to.min(frames) {
                    all.plants.push(Plant { frames: from..to.min(frames), spot, ..plant.clone() });
                }
            };
            put(plant.frames.start, plant.frames.end, plant.spot);
            if plant.frames.end > seam {
                let spot = plant.spot.map(|spot| looped.travel.inverse().place(spot));
                put(first, (plant.frames.end - looped.period).min(plant.frames.start), spot);
            }
        }
        all.sort();
        Self { plants: all, ..self }
    }

    /// From hip to ankle along the bones at rest, mean of all legs, in metres.
    pub fn leg_length(&self) -> f64 {
        crate::retarget::leg_length(&self.motion.skeleton, &self.legs)
    }
}
