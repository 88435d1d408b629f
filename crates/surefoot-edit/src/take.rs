//! A take: a motion with all that cleaning it needs. What every edit takes and gives back.

use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant};
use surefoot_solve::{Note, Report, Scene, Settings, SetupError, clean};

/// A motion, its legs, when they are planted and what on, in metres, Y up.
#[derive(Clone, Debug)]
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

    /// How every edit ends: planted feet are held. Frames before the performance stay as they are,
    /// and the report speaks of the take's own frames.
    pub fn cleaned(&self, settings: &Settings) -> Result<(Motion, Report), SetupError> {
        let first = self.first_frame.min(self.motion.frames());
        let (before, performed) = self.motion.poses.split_at(first);
        let motion = Motion { poses: performed.to_vec(), ..self.motion.clone() };
        let earlier =
            |frames: &FrameRange| frames.start.saturating_sub(first)..frames.end.saturating_sub(first);
        let plants = self.plants.plants.iter();
        let plants = plants.map(|plant| Plant { frames: earlier(&plant.frames), ..plant.clone() }).collect();
        let (mut clean, mut report) = clean(&motion, &self.scene(), &Footplants { plants }, settings)?;
        clean.poses.splice(0..0, before.iter().cloned());
        report.plants.iter_mut().for_each(|plant| later(&mut plant.frames, first));
        report.notes.iter_mut().for_each(|note| match note {
            Note::OutOfReach { frames, .. }
            | Note::WrongSize { frames, .. }
            | Note::NotHeld { frames, .. } => {
                later(frames, first);
            }
            Note::OffFloor { frame, .. } => *frame += first,
            _ => {}
        });
        Ok((clean, report))
    }

    /// From hip to ankle along the bones at rest, mean of all legs, in metres.
    pub fn leg_length(&self) -> f64 {
        crate::retarget::leg_length(&self.motion.skeleton, &self.legs)
    }
}

fn later(frames: &mut FrameRange, by: usize) {
    *frames = frames.start + by..frames.end + by;
}
