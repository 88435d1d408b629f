//! Notices in a stream that the planted feet move alike, as on a treadmill.
//!
//! The plants of a stream are unknown when it begins, so its header must state the velocity of the ground. If the
//! header does not, holding the plants drags the body along. The monitor compares the velocities of the last plants by
//! the rule of [`ground_velocity`](crate::ground_velocity). Its memory does not grow with the stream.

use std::collections::VecDeque;

use surefoot_core::{Floor, Leg, Pose, Skeleton, Vec3, WorldPose};

use crate::ground_velocity::{MIN_PLANT_TIME, PlantVelocity, common_velocity};
use crate::learned::MotionHeader;
use crate::leg_length::leg_length;

/// Fewest plants from which the velocity of the ground is measured: two steps. With fewer, a single sliding foot would
/// count as a belt.
const FEWEST_PLANTS: usize = 4;

/// Number of plants that are compared: about ten steps. More react more slowly to a belt that starts.
const MOST_PLANTS: usize = 24;

/// Compares the velocities of the plants of a stream.
#[derive(Clone, Debug)]
pub struct GroundMonitor {
    skeleton: Skeleton,
    legs: Vec<Leg>,
    fps: f64,
    up: Vec3,
    /// The plants that have begun and not ended, by leg: heel and ball.
    open: Vec<[Option<OpenPlant>; 2]>,
    /// The plants that ended last.
    recent: VecDeque<PlantVelocity>,
    frame: usize,
    world: WorldPose,
}

/// The paths of a planted point and of its hip, as sums for a line in time.
#[derive(Clone, Copy, Debug)]
struct OpenPlant {
    id: u32,
    start: usize,
    point: PathSums,
    hip: PathSums,
}

/// Sums for the slope of a path: Σ x and Σ t·x, with t in frames and both from the start of the plant.
#[derive(Clone, Copy, Debug)]
struct PathSums {
    first: Vec3,
    sum: Vec3,
    moment: Vec3,
}

impl PathSums {
    fn new(first: Vec3) -> Self {
        Self { first, sum: Vec3::ZERO, moment: Vec3::ZERO }
    }

    fn add(&mut self, time: f64, position: Vec3) {
        self.sum += position - self.first;
        self.moment += (position - self.first) * time;
    }

    /// The slope of the line through `count` positions, per frame.
    fn slope(&self, count: f64) -> Vec3 {
        // Σ (t − t̄)² for t = 0 … count − 1.
        let spread = count * (count * count - 1.0) / 12.0;
        (self.moment - self.sum * ((count - 1.0) / 2.0)) / spread
    }
}

impl GroundMonitor {
    /// A monitor for the body of a stream, before its first frame.
    pub fn new(header: &MotionHeader) -> Self {
        Self {
            skeleton: header.skeleton.clone(),
            legs: header.legs.to_vec(),
            fps: header.fps,
            up: header.floor.map_or(Vec3::Y, Floor::up),
            open: vec![[None; 2]; header.legs.len()],
            recent: VecDeque::with_capacity(MOST_PLANTS),
            frame: 0,
            world: WorldPose::default(),
        }
    }

    /// Adds a captured pose and the numbers of the plants that hold heel and ball of each leg. Returns the velocity of
    /// the ground, in metres per second, if a plant has ended and the last ones move as on a treadmill.
    pub fn push(&mut self, pose: &Pose, plants: impl IntoIterator<Item = [Option<u32>; 2]>) -> Option<Vec3> {
        pose.forward_kinematics(&self.skeleton, &mut self.world);
        let mut has_ended = false;
        for (leg, ids) in plants.into_iter().take(self.legs.len()).enumerate() {
            for (point, id) in ids.into_iter().enumerate() {
                has_ended |= self.push_point(leg, point, id);
            }
        }
        self.frame += 1;
        if !has_ended || self.recent.len() < FEWEST_PLANTS {
            return None;
        }
        let lengths = self.legs.iter().map(|leg| leg_length(&self.world, leg)).sum::<f64>();
        common_velocity(self.recent.make_contiguous(), lengths / self.legs.len().max(1) as f64)
    }

    /// Continues, ends or begins the plant of a point. Returns whether one has ended.
    fn push_point(&mut self, leg: usize, point: usize, id: Option<u32>) -> bool {
        let open = &mut self.open[leg][point];
        let has_ended = open.is_some_and(|open| Some(open.id) != id);
        if let Some(plant) = open.take_if(|open| Some(open.id) != id) {
            let frames = (self.frame - plant.start) as f64;
            let along_floor = |way: Vec3| (way - self.up * way.dot(self.up)) * self.fps;
            if frames >= (MIN_PLANT_TIME * self.fps).max(2.0) {
                if self.recent.len() == MOST_PLANTS {
                    self.recent.pop_front();
                }
                self.recent.push_back(PlantVelocity {
                    frames,
                    seconds: (plant.start as f64 + frames / 2.0) / self.fps,
                    point: along_floor(plant.point.slope(frames)),
                    body: along_floor(plant.hip.slope(frames)),
                });
            }
        }
        if let Some(id) = id {
            let Leg { heel, ball, hip, .. } = &self.legs[leg];
            let position = self.world.point([heel, ball][point]);
            let hip = self.world.joint(*hip);
            let plant = open.get_or_insert(OpenPlant {
                id,
                start: self.frame,
                point: PathSums::new(position),
                hip: PathSums::new(hip),
            });
            let time = (self.frame - plant.start) as f64;
            plant.point.add(time, position);
            plant.hip.add(time, hip);
        }
        has_ended
    }
}
