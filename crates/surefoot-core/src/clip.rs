//! A motion with its legs, plants and floor: the data of detection, cleanup, edits and measurement.

use crate::floor::Floor;
use crate::footplants::{Footplants, FrameRange, Plant};
use crate::leg::Leg;
use crate::math::Vec3;
use crate::motion::Motion;
use crate::pose::{Pose, WorldPose};
use crate::rigid_transform::RigidTransform;

/// A motion, its legs, its plants and the ground they stand on, in metres, Y up.
///
/// Every stage of the pipeline takes a clip and returns a clip or fills one in: loading sets motion, legs and
/// floor, detection sets the plants and the ground's velocity, cleanup and edits change the motion.
#[derive(Clone, Debug, Default)]
pub struct Clip {
    /// All frames, including those before the performance.
    pub motion: Motion,
    /// The legs whose feet can be planted.
    pub legs: Vec<Leg>,
    /// When each heel and ball is planted.
    pub plants: Footplants,
    /// The floor. With `None` every plant keeps its captured height.
    pub floor: Option<Floor>,
    /// The first frame of the performance: 1 where an exporter has inserted a T-pose at frame 0, else 0.
    ///
    /// Earlier frames are never changed, planted or measured.
    pub first_frame: usize,
    /// The velocity of the ground under the feet, in metres per second, as on a treadmill. `None` where the
    /// ground is at rest.
    pub ground_velocity: Option<Vec3>,
    /// Period and travel of a loop, relative to the ground. `None` for a motion that is not a loop.
    pub looping: Option<Loop>,
    /// The upward normal of each leg's sole in its ankle's frame, where a retarget has set it. Empty where
    /// the poses show it.
    pub sole_normals: Vec<Vec3>,
}

/// Period and travel of a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    /// The number of frames after which the motion repeats. A motion of one frame more ends with a copy of its
    /// first frame.
    pub period: usize,
    /// The transform from each period to the next: the identity for a loop in place.
    pub travel: RigidTransform,
}

impl Clip {
    /// The poses of the performance: all but an inserted T-pose.
    pub fn performance_poses(&self) -> &[Pose] {
        self.motion.poses.get(self.first_frame..).unwrap_or_default()
    }

    /// The performance alone as a clip of its own, with its plants counted from its first frame.
    pub fn performance(&self) -> Self {
        let first = self.first_frame;
        let earlier =
            |frames: &FrameRange| frames.start.saturating_sub(first)..frames.end.saturating_sub(first);
        let plants = self.plants.plants.iter();
        let plants = plants.map(|plant| Plant { frames: earlier(&plant.frames), ..plant.clone() }).collect();
        self.with_motion(
            Motion {
                poses: self.performance_poses().to_vec(),
                skeleton: self.motion.skeleton.clone(),
                fps: self.motion.fps,
            },
            Footplants { plants },
            0,
        )
    }

    /// This clip with another performance, whose plants count from its first frame. Frames before the performance
    /// are unchanged.
    pub fn with_performance(&self, performance: Motion, plants: &Footplants) -> Self {
        let first = self.first_frame.min(self.motion.frames());
        let inserted = self.motion.poses[..first].iter().cloned();
        let later = |plant: &Plant| Plant {
            frames: plant.frames.start + first..plant.frames.end + first,
            ..plant.clone()
        };
        let poses = inserted.chain(performance.poses).collect();
        self.with_motion(
            Motion { poses, skeleton: self.motion.skeleton.clone(), fps: self.motion.fps },
            Footplants { plants: plants.plants.iter().map(later).collect() },
            self.first_frame,
        )
    }

    fn with_motion(&self, motion: Motion, plants: Footplants, first_frame: usize) -> Self {
        Self {
            motion,
            plants,
            first_frame,
            legs: self.legs.clone(),
            floor: self.floor.clone(),
            ground_velocity: self.ground_velocity,
            looping: self.looping,
            sole_normals: self.sole_normals.clone(),
        }
    }

    /// This clip in the frame of reference of its ground: on a treadmill the body then travels and plants are
    /// at rest.
    pub fn relative_to_ground(&self) -> Self {
        let Some(velocity) = self.ground_velocity else { return self.clone() };
        let motion = self.motion.with_added_velocity(-velocity);
        let clip = self.with_motion(motion, self.plants.clone(), self.first_frame);
        Self { ground_velocity: None, ..clip }
    }

    /// This clip with every plant that spans the seam of its loop split into two, as files store plants.
    pub fn split_plants_at_seam(self) -> Self {
        let Some(looping) = self.looping else { return self };
        let (first, frames) = (self.first_frame, self.motion.frames());
        let seam = first + looping.period;
        let mut split = Footplants::default();
        for plant in &self.plants.plants {
            let mut push = |start: usize, end: usize, spot| {
                if start < end.min(frames) {
                    split.plants.push(Plant { frames: start..end.min(frames), spot, ..plant.clone() });
                }
            };
            push(plant.frames.start, plant.frames.end, plant.spot);
            if plant.frames.end > seam {
                let spot = plant.spot.map(|spot| looping.travel.inverse().point(spot));
                push(first, (plant.frames.end - looping.period).min(plant.frames.start), spot);
            }
        }
        split.sort();
        Self { plants: split, ..self }
    }

    /// The floor of the clip, or else a level one at the lowest height of any foot point.
    pub fn floor_or_lowest_point(&self) -> Floor {
        self.floor_below(&self.motion)
    }

    /// The floor of the clip, or else a level one at the lowest foot point of another motion of the same body.
    pub fn floor_below(&self, motion: &Motion) -> Floor {
        self.floor.clone().unwrap_or_else(|| {
            let lowest = self.lowest_foot_point(motion);
            // A performance without frames has no lowest point.
            Floor::level(if lowest.is_finite() { lowest } else { 0.0 })
        })
    }

    fn lowest_foot_point(&self, motion: &Motion) -> f64 {
        let mut world = WorldPose::default();
        let mut lowest = f64::INFINITY;
        for pose in motion.poses.iter().skip(self.first_frame) {
            pose.forward_kinematics(&motion.skeleton, &mut world);
            for leg in Leg::without_arms(&self.legs) {
                let heights = [leg.heel, leg.ball, leg.toe].map(|point| world.point(&point).y);
                lowest = heights.into_iter().fold(lowest, f64::min);
            }
        }
        lowest
    }
}
