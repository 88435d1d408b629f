//! Where is every leg, frame by frame, as captured, and who is held?

use surefoot_core::{Footplants, FrameRange, JointId, Pose, Quat, Vec3, WorldPose};

use crate::plants::{ActivePlants, active_plants};
use crate::setup::{LegSetup, Setup};
use crate::validation::{PoseError, check_spots};

/// A leg as captured at one frame, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub hip: Vec3,
    pub knee: Vec3,
    pub ankle: Vec3,
    /// Heel and ball.
    pub points: [Vec3; 2],
    /// The axis that the knee turns about.
    pub axis: Vec3,
    /// How the joints that hip and ankle hang from are turned, and they themselves.
    pub hip_holder: Quat,
    pub hip_turn: Quat,
    pub ankle_holder: Quat,
    pub ankle_turn: Quat,
}

impl Seen {
    fn new(placed: &WorldPose, setup: &Setup, leg: &LegSetup) -> Self {
        let turn = |joint: JointId| placed.rotations[joint.index()];
        let holder = |joint: JointId| setup.skeleton.parent(joint).map_or(Quat::IDENTITY, turn);
        let LegSetup { leg, hinge, .. } = leg;
        Self {
            hip: placed.joint(leg.hip),
            knee: placed.joint(leg.knee),
            ankle: placed.joint(leg.ankle),
            points: [placed.point(&leg.heel), placed.point(&leg.ball)],
            axis: holder(leg.knee) * hinge.axis,
            hip_holder: holder(leg.hip),
            hip_turn: turn(leg.hip),
            ankle_holder: holder(leg.ankle),
            ankle_turn: turn(leg.ankle),
        }
    }

    /// From heel to ball.
    pub fn along(&self) -> Vec3 {
        self.points[1] - self.points[0]
    }
}

/// Every leg of a motion as captured, and its plants.
pub(super) struct Body<'a> {
    pub setup: &'a Setup,
    pub frames: usize,
    plants: &'a Footplants,
    seen: Vec<Seen>,
    held: Vec<ActivePlants>,
}

impl<'a> Body<'a> {
    /// The poses have been checked.
    pub fn new(poses: &[Pose], setup: &'a Setup, plants: &'a Footplants) -> Result<Self, PoseError> {
        let (frames, legs) = (poses.len(), setup.legs.len());
        let held = active_plants(frames, legs, plants);
        let mut seen = Vec::with_capacity(frames * legs);
        let mut placed = WorldPose::default();
        for (frame, pose) in poses.iter().enumerate() {
            check_spots(&held[frame * legs..(frame + 1) * legs], frame)?;
            pose.forward_kinematics(&setup.skeleton, &mut placed);
            seen.extend(setup.legs.iter().map(|leg| Seen::new(&placed, setup, leg)));
        }
        Ok(Self { setup, frames, plants, seen, held })
    }

    pub fn seen(&self, frame: usize, leg: usize) -> &Seen {
        &self.seen[frame * self.setup.legs.len() + leg]
    }

    pub fn held(&self, frame: usize, leg: usize) -> &ActivePlants {
        &self.held[frame * self.setup.legs.len() + leg]
    }

    pub fn is_planted(&self, frame: usize, leg: usize) -> bool {
        self.held(frame, leg).plants() != [None; 2]
    }

    /// Whether a point (0 heel, 1 ball) is held by this plant.
    pub fn is_held_by(&self, frame: usize, leg: usize, point: usize, plant: u32) -> bool {
        self.held(frame, leg).plants()[point] == Some(plant)
    }

    /// The last frame of a plant.
    pub fn last_of(&self, plant: u32) -> usize {
        let last = self.plants.plants.get(plant as usize).map_or(0, |plant| plant.frames.end);
        last.min(self.frames).saturating_sub(1)
    }

    /// The runs of frames for which a leg is planted.
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

    /// A way along the floor; without a floor, all of it.
    pub fn level(&self, way: Vec3) -> Vec3 {
        let up = self.setup.floor.as_ref().map_or(Vec3::ZERO, |floor| floor.up());
        way - up * way.dot(up)
    }

    /// How high a place is, above the floor where there is one; else Y is up.
    pub fn height(&self, place: Vec3) -> f64 {
        self.setup.floor.as_ref().map_or(place.y, |floor| floor.above(place))
    }
}
