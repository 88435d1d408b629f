//! Detects the plants of a stream while it runs, with a quarter of a second of look-ahead.

use surefoot_contact::learned::{LiveDetector, Model, MotionHeader};
use surefoot_core::{Clip, Pose};
use surefoot_solve::{ActivePlant, ActivePlants};

/// Look-ahead in seconds: the longest that the live detector supports.
const LOOKAHEAD: f64 = 0.25;

/// Detects plants, and buffers poses until their plants are known.
pub struct StreamDetector {
    detector: LiveDetector,
    /// Ring buffer of the poses whose plants are not known yet.
    poses: Vec<Pose>,
    /// Number of poses that were pushed.
    pushed: usize,
    /// Number of poses that were returned.
    returned: usize,
    held: Vec<ActivePlants>,
    /// The number of the last plant.
    next: u32,
}

impl StreamDetector {
    /// A detector for the skeleton, legs and floor of a clip.
    pub fn new(clip: &Clip) -> Self {
        let detector = LiveDetector::new(Model::shipped(), &MotionHeader::of_clip(clip), LOOKAHEAD);
        let poses = vec![Pose::rest(&clip.motion.skeleton); detector.lookahead() + 1];
        let held = vec![ActivePlants::default(); clip.legs.len()];
        Self { detector, poses, pushed: 0, returned: 0, held, next: 0 }
    }

    /// The number of poses that must follow a pose before its plants are known.
    pub fn lookahead(&self) -> usize {
        self.detector.lookahead()
    }

    /// Adds a pose. Returns the pose whose plants are known now, if there is one.
    pub fn push(&mut self, pose: &Pose) -> Option<(&Pose, &[ActivePlants])> {
        let at = self.pushed % self.poses.len();
        self.poses[at].copy_from(pose);
        self.pushed += 1;
        let found = self.detector.push(pose)?;
        number_plants(&mut self.held, found, &mut self.next);
        Some(self.next_pose())
    }

    /// After the last pose: the next buffered pose with its plants.
    pub fn finish(&mut self) -> Option<(&Pose, &[ActivePlants])> {
        if self.returned == self.pushed {
            return None;
        }
        let found = self.detector.finish()?;
        number_plants(&mut self.held, found, &mut self.next);
        Some(self.next_pose())
    }

    fn next_pose(&mut self) -> (&Pose, &[ActivePlants]) {
        let at = self.returned % self.poses.len();
        self.returned += 1;
        (&self.poses[at], &self.held)
    }
}

/// Numbers the plants: a point that was planted in the previous frame continues its plant, others start a new one.
fn number_plants(
    held: &mut [ActivePlants],
    found: &[surefoot_contact::learned::FootContact],
    next: &mut u32,
) {
    let mut hold = |is: bool, before: Option<ActivePlant>| match (is, before) {
        (false, _) => None,
        (true, Some(before)) => Some(before),
        (true, None) => {
            *next = next.wrapping_add(1);
            Some(ActivePlant { id: *next, spot: None })
        }
    };
    for (held, found) in held.iter_mut().zip(found) {
        *held = ActivePlants { heel: hold(found.heel, held.heel), ball: hold(found.ball, held.ball) };
    }
}
