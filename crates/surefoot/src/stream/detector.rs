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
    /// The plants of the last returned pose, by leg.
    active: Vec<ActivePlants>,
    /// The number of the last plant that began.
    last_plant: u32,
}

impl StreamDetector {
    /// A detector for the skeleton, legs and floor of a clip.
    pub fn new(clip: &Clip) -> Self {
        let detector = LiveDetector::new(Model::shipped(), &MotionHeader::of_clip(clip), LOOKAHEAD);
        let poses = vec![Pose::rest(&clip.motion.skeleton); detector.lookahead() + 1];
        let active = vec![ActivePlants::default(); clip.legs.len()];
        Self { detector, poses, pushed: 0, returned: 0, active, last_plant: 0 }
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
        number_plants(&mut self.active, found, &mut self.last_plant);
        Some(self.next_pose())
    }

    /// After the last pose: the next buffered pose with its plants.
    pub fn finish(&mut self) -> Option<(&Pose, &[ActivePlants])> {
        if self.returned == self.pushed {
            return None;
        }
        let found = self.detector.finish()?;
        number_plants(&mut self.active, found, &mut self.last_plant);
        Some(self.next_pose())
    }

    fn next_pose(&mut self) -> (&Pose, &[ActivePlants]) {
        let at = self.returned % self.poses.len();
        self.returned += 1;
        (&self.poses[at], &self.active)
    }
}

/// Numbers the plants: a point that was planted in the previous frame continues its plant, others start a new one.
fn number_plants(
    active: &mut [ActivePlants],
    contacts: &[surefoot_contact::learned::FootContact],
    last_plant: &mut u32,
) {
    let mut continue_or_begin = |is_planted: bool, before: Option<ActivePlant>| match (is_planted, before) {
        (false, _) => None,
        (true, Some(before)) => Some(before),
        (true, None) => {
            *last_plant = last_plant.wrapping_add(1);
            Some(ActivePlant { id: *last_plant, ..ActivePlant::default() })
        }
    };
    for (plants, contact) in active.iter_mut().zip(contacts) {
        *plants = ActivePlants {
            heel: continue_or_begin(contact.heel, plants.heel),
            ball: continue_or_begin(contact.ball, plants.ball),
            toe: None,
        };
    }
}
