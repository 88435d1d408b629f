//! What was done, and what could not be.

pub(crate) mod cost;
pub(crate) mod stream;

use surefoot_core::{FootPoint, FrameRange, Vec3};

/// The work in figures, and what could not be done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What each plant took.
    pub plants: Vec<PlantReport>,
    /// What a person should know.
    pub notes: Vec<Note>,
}

/// What one plant took, in metres and fractions.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantReport {
    /// Which leg, by its place in the list.
    pub leg: usize,
    /// Heel or ball.
    pub point: FootPoint,
    /// When.
    pub frames: FrameRange,
    /// Where its point should stand, given or found; `None` where it holds nothing.
    pub spot: Option<Vec3>,
    /// The furthest its point was moved.
    pub moved_m: f64,
    /// How far its ankle would be out of reach of the straight leg, were the root left alone.
    pub out_of_reach_m: f64,
    /// The furthest the root was moved meanwhile.
    pub root_m: f64,
    /// The most that the leg's bones were stretched or shrunk, as a fraction.
    pub stretch: f64,
    /// How far the point is from its spot all the same.
    pub slide_m: f64,
}

/// Something that a person should know.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A plant out of reach, so that its point slides.
    OutOfReach {
        /// Which leg.
        leg: usize,
        /// When.
        frames: FrameRange,
        /// How far at most, in metres.
        by_m: f64,
    },
    /// A plant whose spot is nearer to the other point's, or further from it, than the foot is
    /// long.
    WrongSize {
        /// Which leg.
        leg: usize,
        /// Heel or ball.
        point: FootPoint,
        /// When.
        frames: FrameRange,
        /// How far the point is from its spot at most, in metres.
        by_m: f64,
    },
    /// A plant that is not held for all of its frames: its leg does not exist, the motion ends
    /// before it does, or a later one of the same point holds instead.
    NotHeld {
        /// Which leg.
        leg: usize,
        /// Heel or ball.
        point: FootPoint,
        /// When.
        frames: FrameRange,
        /// For how many of its frames it is held.
        held: usize,
    },
    /// A plant that stands off the floor and keeps its height.
    OffFloor {
        /// Which leg.
        leg: usize,
        /// Heel or ball.
        point: FootPoint,
        /// The first frame.
        frame: usize,
        /// How far above the floor, in metres.
        above_m: f64,
    },
}
