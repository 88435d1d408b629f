//! Scales root path, floor and plants to the target body.
//!
//! The world is scaled by the ratio of leg lengths about a point of the floor: the floor stays in
//! place, and strides and stairs keep their size relative to the legs. Different ankle heights raise
//! or lower the hips. The remaining height error of planted feet is removed by one constant offset of
//! the whole motion, which adds no jitter.

use surefoot_core::floor::Surface;
use surefoot_core::{Floor, Footplants, FrameRange, JointPoint, Leg, Motion, Plant, Vec3, WorldPose};

use surefoot_core::Clip;

use super::transfer::{Placement, PoseTransfer};

/// Smallest height offset that is applied, in metres. Smaller ones are rounding, and skipping them
/// keeps the motion unchanged for the same body.
const MIN_HEIGHT_OFFSET: f64 = 1e-9;

pub(super) struct Ground {
    /// Centre of the scaling.
    about: Vec3,
    up: Vec3,
    scale: f64,
    /// Height added to the hips for different ankle heights, in metres.
    hip_raise: f64,
    floor: Option<Floor>,
}

impl Ground {
    pub fn new(clip: &Clip, scale: f64, hip_raise: f64) -> Self {
        let about = match &clip.floor {
            Some(Floor::Plane(plane)) => plane.nearest(Vec3::ZERO),
            Some(Floor::Surface(surface)) => Vec3::Y * surface.bounds().0.y,
            None => Vec3::Y * lowest(clip),
        };
        let floor = clip.floor.as_ref().map(|floor| scaled(floor, about, scale));
        Self { about, up: clip.floor.as_ref().map_or(Vec3::Y, Floor::up), scale, hip_raise, floor }
    }

    /// Scales a captured position.
    fn scale_position(&self, position: Vec3) -> Vec3 {
        self.about + (position - self.about) * self.scale
    }

    /// Applies the height offset and scales the plants. Returns the clip and the offset in metres.
    pub fn place_on_floor(
        &self,
        clip: &Clip,
        mut motion: Motion,
        legs: &[Leg],
        transfer: &PoseTransfer,
    ) -> (Clip, f64) {
        let leg_of = |plant: &Plant| {
            let side = &clip.legs.get(plant.leg)?.side;
            legs.iter().position(|leg| leg.side == *side)
        };
        let mut errors: Vec<f64> = clip
            .plants
            .plants
            .iter()
            .filter_map(|plant| {
                let leg = leg_of(plant)?;
                let captured = height(&clip.motion, &clip.legs[plant.leg], plant, clip.floor.as_ref())?;
                let retargeted = height(&motion, &legs[leg], plant, self.floor.as_ref())?;
                Some(self.scaled_height(captured) - retargeted)
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        let offset =
            errors.get(errors.len() / 2).copied().filter(|by| by.abs() > MIN_HEIGHT_OFFSET).unwrap_or(0.0);
        if offset != 0.0 {
            motion.poses.iter_mut().for_each(|pose| transfer.shift(pose, self.up * offset));
        }
        let plant = |plant: &Plant| {
            let leg = leg_of(plant)?;
            let spot = self.spot(clip, plant, &legs[leg], &motion);
            // On legs of other lengths other feet slide.
            Some(Plant { leg, spot, kind: None, ..plant.clone() })
        };
        let mut plants = Footplants { plants: clip.plants.plants.iter().filter_map(plant).collect() };
        plants.sort();
        let ground_velocity = clip.ground_velocity.map(|velocity| velocity * self.scale);
        let (legs, first_frame) = (legs.to_vec(), clip.first_frame);
        let floor = self.floor.clone();
        // The hips of another body travel differently, so `looping` has to be found again.
        (Clip { motion, legs, plants, floor, first_frame, ground_velocity, ..Clip::default() }, offset)
    }

    fn scaled_height(&self, height: f64) -> f64 {
        // Without a floor, heights are world heights, scaled about the lowest foot point.
        if self.floor.is_none() {
            self.about.y + (height - self.about.y) * self.scale
        } else {
            height * self.scale
        }
    }

    /// The scaled spot of a plant, if it has one. Spots of heel and ball of one stance get the distance
    /// of the target's foot.
    fn spot(&self, clip: &Clip, plant: &Plant, leg: &Leg, motion: &Motion) -> Option<Vec3> {
        let spot = plant.spot?;
        let overlaps = |a: &FrameRange, b: &FrameRange| a.start < b.end && b.start < a.end;
        let is_other = |other: &&Plant| {
            other.leg == plant.leg && other.point != plant.point && overlaps(&other.frames, &plant.frames)
        };
        let other = clip.plants.plants.iter().find(is_other).and_then(|other| other.spot);
        let Some(other) = other else { return Some(self.scale_position(spot)) };
        let length = |motion: &Motion, leg: &Leg| {
            let world = motion.poses.get(plant.frames.start)?.world(&motion.skeleton);
            Some(world.point(&leg.heel).distance(world.point(&leg.ball)))
        };
        let (before, after) = (length(&clip.motion, &clip.legs[plant.leg])?, length(motion, leg)?);
        let middle = (spot + other) * 0.5;
        let ratio = if before > 0.0 { after / before } else { self.scale };
        Some(self.scale_position(middle) + (spot - middle) * ratio)
    }
}

impl Placement for Ground {
    fn hips(&self, captured: Vec3) -> Vec3 {
        self.scale_position(captured) + self.up * self.hip_raise
    }

    fn ground_below(&self, position: Vec3) -> Vec3 {
        let below = match &self.floor {
            Some(floor) => position - Vec3::Y * floor.above(position),
            None => position,
        };
        Vec3::new(position.x, if self.floor.is_some() { below.y } else { self.about.y }, position.z)
    }
}

/// Mean height of a planted point above the floor, or in the world without a floor, in metres.
fn height(motion: &Motion, leg: &Leg, plant: &Plant, floor: Option<&Floor>) -> Option<f64> {
    let point: &JointPoint = leg.point(plant.point);
    let poses = motion.poses.get(plant.frames.start..plant.frames.end.min(motion.frames()))?;
    let mut world = WorldPose::default();
    let mut sum = 0.0;
    for pose in poses {
        pose.forward_kinematics(&motion.skeleton, &mut world);
        let position = world.point(point);
        sum += floor.map_or(position.y, |floor| floor.above(position));
    }
    (!poses.is_empty()).then(|| sum / poses.len() as f64)
}

/// Height of the lowest foot point of the performance.
fn lowest(clip: &Clip) -> f64 {
    let mut world = WorldPose::default();
    let mut lowest = f64::INFINITY;
    for pose in clip.motion.poses.iter().skip(clip.first_frame) {
        pose.forward_kinematics(&clip.motion.skeleton, &mut world);
        let points = clip.legs.iter().flat_map(|leg| [&leg.heel, &leg.ball]);
        lowest = points.map(|point| world.point(point).y).fold(lowest, f64::min);
    }
    if lowest.is_finite() { lowest } else { 0.0 }
}

/// Scales a floor about a point; a plane through that point does not change.
fn scaled(floor: &Floor, about: Vec3, scale: f64) -> Floor {
    let Floor::Surface(surface) = floor else { return floor.clone() };
    let corner = |corner: Vec3| about + (corner - about) * scale;
    let triangles = surface.triangles().map(|triangle| triangle.map(corner));
    Surface::from_triangles(triangles).map_or_else(|_| floor.clone(), Floor::from)
}
