//! Who is held in a stream that does not say so? Found as it runs, a quarter of a second late.

use surefoot_contact::learned::{LiveDetector, Model, MotionHeader};
use surefoot_core::{Clip, Motion, Pose};
use surefoot_solve::{ActivePlant, ActivePlants};

/// How far it looks ahead, in seconds: as far as the detector can.
const AHEAD: f64 = 0.25;

/// Finds who is held, and keeps poses until that is known.
pub struct StreamDetector {
    detector: LiveDetector,
    /// The poses that are waiting, in a ring.
    poses: Vec<Pose>,
    /// How many have come, and how many have gone.
    came: usize,
    gone: usize,
    held: Vec<ActivePlants>,
    /// The number of the next plant.
    next: u32,
}

impl StreamDetector {
    /// A finder for the legs of a scene.
    pub fn new(clip: &Clip) -> Self {
        let Clip { motion: Motion { skeleton, fps, .. }, legs, floor, .. } = clip;
        let header = MotionHeader { skeleton, fps: *fps, legs, floor: floor.as_ref() };
        let detector = LiveDetector::new(Model::shipped(), &header, AHEAD);
        let poses = vec![Pose::rest(skeleton); detector.lookahead() + 1];
        let held = vec![ActivePlants::default(); legs.len()];
        Self { detector, poses, came: 0, gone: 0, held, next: 0 }
    }

    /// How many poses must follow one before it is known who is held in it.
    pub fn lookahead(&self) -> usize {
        self.detector.lookahead()
    }

    /// Takes a pose; gives back the one of which it is now known who is held.
    pub fn push(&mut self, pose: &Pose) -> Option<(&Pose, &[ActivePlants])> {
        let at = self.came % self.poses.len();
        self.poses[at].copy_from(pose);
        self.came += 1;
        let found = self.detector.push(pose)?;
        number(&mut self.held, found, &mut self.next);
        Some(self.out())
    }

    /// After the last pose: the next one that waits.
    pub fn finish(&mut self) -> Option<(&Pose, &[ActivePlants])> {
        if self.gone == self.came {
            return None;
        }
        let found = self.detector.finish()?;
        number(&mut self.held, found, &mut self.next);
        Some(self.out())
    }

    fn out(&mut self) -> (&Pose, &[ActivePlants]) {
        let at = self.gone % self.poses.len();
        self.gone += 1;
        (&self.poses[at], &self.held)
    }
}

/// A point that was held in the frame before goes on with its plant, one that was not begins another.
fn number(held: &mut [ActivePlants], found: &[surefoot_contact::learned::FootContact], next: &mut u32) {
    let mut goes_on = |is: bool, before: Option<ActivePlant>| match (is, before) {
        (false, _) => None,
        (true, Some(hold)) => Some(hold),
        (true, None) => {
            *next = next.wrapping_add(1);
            Some(ActivePlant { id: *next, spot: None })
        }
    };
    for (held, found) in held.iter_mut().zip(found) {
        *held = ActivePlants { heel: goes_on(found.heel, held.heel), ball: goes_on(found.ball, held.ball) };
    }
}
