//! Where do path, floor and plants go?
//!
//! The world is scaled about a point of the floor by the length of the legs: the floor stays where
//! it is, steps keep their share of the leg, and so do stairs. A higher or lower ankle raises or
//! lowers the hips. What proportions still leave between planted feet and their height is taken
//! off the whole motion at once, so that nothing shakes.

use surefoot_core::floor::Surface;
use surefoot_core::{
    Floor, FootPoint, Footplants, FrameRange, JointId, JointPoint, Leg, Motion, Plant, Vec3, WorldPose,
};

use surefoot_core::Clip;

/// A body that need be raised by less than this, in metres, is not.
const NOT_RAISED: f64 = 1e-9;

pub(super) struct Ground {
    /// What stays where it is.
    about: Vec3,
    up: Vec3,
    scale: f64,
    /// How much higher the hips are, because of the ankles, in metres.
    higher: f64,
    floor: Option<Floor>,
}

impl Ground {
    pub fn new(clip: &Clip, scale: f64, higher: f64) -> Self {
        let about = match &clip.floor {
            Some(Floor::Plane(plane)) => plane.nearest(Vec3::ZERO),
            Some(Floor::Surface(surface)) => Vec3::Y * surface.bounds().0.y,
            None => Vec3::Y * lowest(clip),
        };
        let floor = clip.floor.as_ref().map(|floor| scaled(floor, about, scale));
        Self { about, up: clip.floor.as_ref().map_or(Vec3::Y, Floor::up), scale, higher, floor }
    }

    /// Where a place of the captured world comes to lie.
    fn place(&self, place: Vec3) -> Vec3 {
        self.about + (place - self.about) * self.scale
    }

    /// Where hips come to lie.
    pub fn hips(&self, place: Vec3) -> Vec3 {
        self.place(place) + self.up * self.higher
    }

    /// The motion as a clip, its planted feet at their height, and by how much it was raised.
    pub fn stand(&self, clip: &Clip, mut motion: Motion, legs: &[Leg], root: JointId) -> (Clip, f64) {
        let leg_of = |plant: &Plant| {
            let side = &clip.legs.get(plant.leg)?.side;
            legs.iter().position(|leg| leg.side == *side)
        };
        let mut missed: Vec<f64> = clip
            .plants
            .plants
            .iter()
            .filter_map(|plant| {
                let leg = leg_of(plant)?;
                let captured = height(&clip.motion, &clip.legs[plant.leg], plant, clip.floor.as_ref())?;
                let now = height(&motion, &legs[leg], plant, self.floor.as_ref())?;
                Some(self.scaled_height(captured) - now)
            })
            .collect();
        missed.sort_by(f64::total_cmp);
        let raised = missed.get(missed.len() / 2).copied().filter(|by| by.abs() > NOT_RAISED).unwrap_or(0.0);
        if raised != 0.0 {
            motion.poses.iter_mut().for_each(|pose| pose.offsets[root.index()] += self.up * raised);
        }
        let plant = |plant: &Plant| {
            let leg = leg_of(plant)?;
            Some(Plant { leg, spot: self.spot(clip, plant, &legs[leg], &motion), ..plant.clone() })
        };
        let mut plants = Footplants { plants: clip.plants.plants.iter().filter_map(plant).collect() };
        plants.sort();
        let ground_velocity = clip.ground_velocity.map(|velocity| velocity * self.scale);
        let (legs, first_frame) = (legs.to_vec(), clip.first_frame);
        let floor = self.floor.clone();
        // The hips of another body travel differently, so `looping` has to be found again.
        (Clip { motion, legs, plants, floor, first_frame, ground_velocity, ..Clip::default() }, raised)
    }

    fn scaled_height(&self, height: f64) -> f64 {
        // Without a floor heights are of the world, which is scaled about the lowest foot.
        if self.floor.is_none() {
            self.about.y + (height - self.about.y) * self.scale
        } else {
            height * self.scale
        }
    }

    /// Where a plant stands, if it was said where. Two points of one foot that are given together
    /// are set as far apart as the foot is long.
    fn spot(&self, clip: &Clip, plant: &Plant, leg: &Leg, motion: &Motion) -> Option<Vec3> {
        let spot = plant.spot?;
        let overlaps = |a: &FrameRange, b: &FrameRange| a.start < b.end && b.start < a.end;
        let is_other = |other: &&Plant| {
            other.leg == plant.leg && other.point != plant.point && overlaps(&other.frames, &plant.frames)
        };
        let other = clip.plants.plants.iter().find(is_other).and_then(|other| other.spot);
        let Some(other) = other else { return Some(self.place(spot)) };
        let length = |motion: &Motion, leg: &Leg| {
            let placed = motion.poses.get(plant.frames.start)?.world(&motion.skeleton);
            Some(placed.point(&leg.heel).distance(placed.point(&leg.ball)))
        };
        let (before, after) = (length(&clip.motion, &clip.legs[plant.leg])?, length(motion, leg)?);
        let middle = (spot + other) * 0.5;
        let ratio = if before > 0.0 { after / before } else { self.scale };
        Some(self.place(middle) + (spot - middle) * ratio)
    }
}

/// How high a planted point is over the floor, or in the world without one: mean of its plant.
fn height(motion: &Motion, leg: &Leg, plant: &Plant, floor: Option<&Floor>) -> Option<f64> {
    let point: &JointPoint = match plant.point {
        FootPoint::Heel => &leg.heel,
        FootPoint::Ball => &leg.ball,
    };
    let poses = motion.poses.get(plant.frames.start..plant.frames.end.min(motion.frames()))?;
    let mut placed = WorldPose::default();
    let mut sum = 0.0;
    for pose in poses {
        pose.forward_kinematics(&motion.skeleton, &mut placed);
        let place = placed.point(point);
        sum += floor.map_or(place.y, |floor| floor.above(place));
    }
    (!poses.is_empty()).then(|| sum / poses.len() as f64)
}

/// The lowest any foot gets.
fn lowest(clip: &Clip) -> f64 {
    let mut placed = WorldPose::default();
    let mut lowest = f64::INFINITY;
    for pose in clip.motion.poses.iter().skip(clip.first_frame) {
        pose.forward_kinematics(&clip.motion.skeleton, &mut placed);
        let points = clip.legs.iter().flat_map(|leg| [&leg.heel, &leg.ball]);
        lowest = points.map(|point| placed.point(point).y).fold(lowest, f64::min);
    }
    if lowest.is_finite() { lowest } else { 0.0 }
}

/// A floor scaled about a point: a plane through that point stays as it is.
fn scaled(floor: &Floor, about: Vec3, scale: f64) -> Floor {
    let Floor::Surface(surface) = floor else { return floor.clone() };
    let corner = |corner: Vec3| about + (corner - about) * scale;
    let triangles = surface.triangles().map(|triangle| triangle.map(corner));
    Surface::from_triangles(triangles).map_or_else(|_| floor.clone(), Floor::from)
}
