//! The captured legs and the plants of every frame.

use surefoot_core::{FootPoint, Footplants, FrameRange, JointId, Pose, Quat, Vec3, WorldPose};

use crate::foot_points::FootPoints;
use crate::plants::{ActivePlants, active_plants};
use crate::setup::{LegSetup, Setup};
use crate::validation::{PoseError, check_spots};

/// A captured leg at one frame, in world space.
#[derive(Clone, Copy, Debug)]
pub(super) struct LegPose {
    pub hip: Vec3,
    pub knee: Vec3,
    pub ankle: Vec3,
    pub points: FootPoints<Vec3>,
    /// Hinge axis of the knee.
    pub knee_axis: Vec3,
    pub hip_parent: Quat,
    pub hip_rotation: Quat,
    pub ankle_parent: Quat,
    pub ankle_rotation: Quat,
}

impl LegPose {
    fn new(world: &WorldPose, setup: &Setup, leg: &LegSetup, plants: &ActivePlants) -> Self {
        let rotation = |joint: JointId| world.rotations[joint.index()];
        let parent = |joint: JointId| setup.skeleton.parent(joint).map_or(Quat::IDENTITY, rotation);
        let LegSetup { leg, hinge, .. } = leg;
        Self {
            hip: world.joint(leg.hip),
            knee: world.joint(leg.knee),
            ankle: world.joint(leg.ankle),
            points: FootPoints {
                heel: world.point(&leg.heel),
                ball: world.point(if plants.stands_on_toe() { &leg.toe } else { &leg.ball }),
            },
            knee_axis: parent(leg.knee) * hinge.axis,
            hip_parent: parent(leg.hip),
            hip_rotation: rotation(leg.hip),
            ankle_parent: parent(leg.ankle),
            ankle_rotation: rotation(leg.ankle),
        }
    }

    pub fn heel_to_ball(&self) -> Vec3 {
        self.points.ball - self.points.heel
    }
}

/// Every captured leg of a motion, and its plants.
pub(super) struct CapturedMotion<'a> {
    pub setup: &'a Setup,
    pub frames: usize,
    plants: &'a Footplants,
    legs: Vec<LegPose>,
    active: Vec<ActivePlants>,
}

impl<'a> CapturedMotion<'a> {
    /// Computes the legs of all poses, which [`check_pose`](crate::validation::check_pose) must have accepted.
    pub fn new(poses: &[Pose], setup: &'a Setup, plants: &'a Footplants) -> Result<Self, PoseError> {
        let (frames, leg_count) = (poses.len(), setup.legs.len());
        let active = active_plants(frames, leg_count, plants);
        let mut legs = Vec::with_capacity(frames * leg_count);
        let mut world = WorldPose::default();
        for (frame, pose) in poses.iter().enumerate() {
            let plants = &active[frame * leg_count..(frame + 1) * leg_count];
            check_spots(plants, frame)?;
            pose.forward_kinematics(&setup.skeleton, &mut world);
            let feet = setup.legs.iter().zip(plants);
            legs.extend(feet.map(|(leg, plants)| LegPose::new(&world, setup, leg, plants)));
        }
        Ok(Self { setup, frames, plants, legs, active })
    }

    pub fn leg(&self, frame: usize, leg: usize) -> &LegPose {
        &self.legs[frame * self.setup.legs.len() + leg]
    }

    pub fn active_plants(&self, frame: usize, leg: usize) -> &ActivePlants {
        &self.active[frame * self.setup.legs.len() + leg]
    }

    pub fn is_planted(&self, frame: usize, leg: usize) -> bool {
        self.active_plants(frame, leg).ids().count() > 0
    }

    /// Whether a plant holds a point.
    pub fn is_held_by(&self, frame: usize, leg: usize, point: FootPoint, plant: u32) -> bool {
        self.active_plants(frame, leg).ids()[point] == Some(plant)
    }

    /// The last frame of a plant.
    pub fn last_frame_of(&self, plant: u32) -> usize {
        let end = self.plants.plants.get(plant as usize).map_or(0, |plant| plant.frames.end);
        end.min(self.frames).saturating_sub(1)
    }

    /// The runs of frames in which a leg is planted.
    pub fn stances(&self, leg: usize) -> Vec<FrameRange> {
        let mut stances: Vec<FrameRange> = Vec::new();
        for frame in (0..self.frames).filter(|&frame| self.is_planted(frame, leg)) {
            match stances.last_mut() {
                Some(stance) if stance.end == frame => stance.end += 1,
                _ => stances.push(frame..frame + 1),
            }
        }
        stances
    }

    /// The component of a displacement along the floor; all of it without a floor.
    pub fn along_floor(&self, displacement: Vec3) -> Vec3 {
        let up = self.setup.floor.as_ref().map_or(Vec3::ZERO, |floor| floor.up());
        displacement - up * displacement.dot(up)
    }

    /// Height above the floor, or along Y without one, in metres.
    pub fn height(&self, position: Vec3) -> f64 {
        self.setup.floor.as_ref().map_or(position.y, |floor| floor.above(position))
    }
}
