//! Who is held, and when. What a user edits.

use crate::math::Vec3;

/// Frames from `start` up to but not including `end`.
pub type FrameRange = core::ops::Range<usize>;

/// The part of a foot that a plant holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FootPoint {
    /// The heel.
    Heel,
    /// The ball.
    Ball,
}

impl FootPoint {
    /// The word for it in files and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Heel => "heel",
            Self::Ball => "ball",
        }
    }
}

/// One point of one foot held for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    /// Which leg: its place in the list of legs.
    pub leg: usize,
    /// Heel or ball.
    pub point: FootPoint,
    /// The frames it is held for.
    pub frames: FrameRange,
    /// Where it stands, if that is given rather than found.
    pub spot: Option<Vec3>,
    /// How sure the detector is, from 0 to 1; `None` where a person said so.
    pub confidence: Option<f64>,
}

/// All plants of a motion, by leg, then point, then time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footplants {
    /// The plants.
    pub plants: Vec<Plant>,
}

impl Footplants {
    /// Whether `point` of leg number `leg` is held at `frame`.
    pub fn is_planted(&self, leg: usize, point: FootPoint, frame: usize) -> bool {
        self.plants
            .iter()
            .any(|plant| plant.leg == leg && plant.point == point && plant.frames.contains(&frame))
    }

    /// Puts the plants in order: by leg, then point, then time.
    pub fn sort(&mut self) {
        self.plants.sort_by_key(|plant| (plant.leg, plant.point, plant.frames.start));
    }
}
