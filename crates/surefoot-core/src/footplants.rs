//! Plants: intervals during which a foot point is held in place.

use crate::hold::{Hold, HoldKind};
use crate::leg::{JointPoint, Leg};
use crate::math::Vec3;
use crate::motion::Motion;
use crate::pose::WorldPose;

/// Frames from `start` up to but not including `end`.
pub type FrameRange = core::ops::Range<usize>;

/// The part of a foot that a plant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FootPoint {
    /// The heel.
    Heel,
    /// The ball.
    Ball,
    /// The tip of the toes, as in ballet, on tiptoe or at the end of a sprinter's stance.
    Toe,
}

impl FootPoint {
    /// All points.
    pub const ALL: [Self; 3] = [Self::Heel, Self::Ball, Self::Toe];

    /// The name in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heel => "heel",
            Self::Ball => "ball",
            Self::Toe => "toe",
        }
    }
}

/// Whether a planted foot stands still as captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlantKind {
    /// The foot stands still.
    Plant,
    /// The foot slides although it is on the ground: footskate.
    Skate,
}

impl PlantKind {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Plant, Self::Skate];

    /// The name in files and messages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Plant => "plant",
            Self::Skate => "skate",
        }
    }

    /// The kind of this name; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// An interval during which one foot point is held in place.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// The index of the leg.
    pub leg: usize,
    /// The foot point.
    pub point: FootPoint,
    /// The frames during which the point is held.
    pub frames: FrameRange,
    /// The world position at which the point is held, in metres; with `None` the solver computes it.
    pub spot: Option<Vec3>,
    /// The confidence of the detector from 0 to 1; `None` for a plant set by a person.
    pub confidence: Option<f64>,
    /// Whether the foot stands or slides as captured, if a person or a detector has labelled it. The solver holds both;
    /// the method by support phase chooses the spot by it, and detectors can be trained on it.
    pub kind: Option<PlantKind>,
    /// Which coordinates of the point are held, and how strongly.
    pub hold: Hold,
}

impl Plant {
    /// A plant of which only the frames are known.
    pub fn new(leg: usize, point: FootPoint, frames: FrameRange) -> Self {
        Self { leg, point, frames, spot: None, confidence: None, kind: None, hold: Hold::default() }
    }

    /// The foot point that this plant holds, or `None` if its leg does not exist.
    pub fn foot_point(&self, legs: &[Leg]) -> Option<JointPoint> {
        let leg = legs.get(self.leg)?;
        Some(match self.point {
            FootPoint::Heel => leg.heel,
            FootPoint::Ball => leg.ball,
            FootPoint::Toe => leg.toe,
        })
    }

    /// The mean position of the point while it is planted, or `None` if the motion contains none of its frames.
    pub fn mean_position(&self, motion: &Motion, legs: &[Leg]) -> Option<Vec3> {
        let point = self.foot_point(legs)?;
        let frames = self.frames.start.min(motion.frames())..self.frames.end.min(motion.frames());
        let count = frames.len() as f64;
        let mut world = WorldPose::default();
        let sum: Vec3 = motion.poses[frames]
            .iter()
            .map(|pose| {
                pose.forward_kinematics(&motion.skeleton, &mut world);
                world.point(&point)
            })
            .sum();
        (count > 0.0).then(|| sum / count)
    }
}

/// All plants of a motion, sorted by leg, point and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footplants {
    /// The plants.
    pub plants: Vec<Plant>,
}

impl Footplants {
    /// Whether a plant holds `point` of leg `leg` at `frame`.
    pub fn is_planted(&self, leg: usize, point: FootPoint, frame: usize) -> bool {
        self.plants
            .iter()
            .any(|plant| plant.leg == leg && plant.point == point && plant.frames.contains(&frame))
    }

    /// What a plant holds at a frame: while another point of the same foot is a pivot, a plant holds only its height, since
    /// the foot turns about the pivot.
    pub fn hold_at(&self, plant: &Plant, frame: usize) -> Hold {
        let is_pivot = |other: &Plant| {
            other.leg == plant.leg
                && other.point != plant.point
                && other.hold.kind == HoldKind::Pivot
                && other.frames.contains(&frame)
        };
        match plant.hold.kind != HoldKind::Pivot && self.plants.iter().any(is_pivot) {
            true => Hold { kind: HoldKind::Height, ..plant.hold },
            false => plant.hold,
        }
    }

    /// Sorts the plants by leg, point and time.
    pub fn sort(&mut self) {
        self.plants.sort_by_key(|plant| (plant.leg, plant.point, plant.frames.start));
    }
}
