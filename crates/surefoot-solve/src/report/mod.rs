//! What the cleaner corrected, at what cost, and what it could not do.

pub(crate) mod cost;
pub(crate) mod stream;

use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Cost of every plant, and notes about what could not be done.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The cost of each plant, in the order of the plants.
    pub plants: Vec<PlantReport>,
    /// Notes for the user, such as plants that are out of reach.
    pub notes: Vec<Note>,
}

/// What holding one plant cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlantReport {
    /// Index of the leg.
    pub leg: usize,
    /// Heel, ball or toe tip.
    pub point: FootPoint,
    /// The frames of the plant.
    pub frames: FrameRange,
    /// The spot, given or computed; `None` where no frame of the plant was held.
    pub spot: Option<Vec3>,
    /// Largest distance from the captured point to where its plant holds it, in metres.
    pub correction_m: f64,
    /// Largest distance by which the ankle target is beyond the straight leg while the root stays as
    /// captured, in metres.
    pub out_of_reach_m: f64,
    /// Largest root correction during the plant, in metres.
    pub root_correction_m: f64,
    /// Largest stretch or shrinkage of thigh and shin, as a fraction of their length.
    pub stretch: f64,
    /// Largest distance from the cleaned point to where its plant holds it, in metres: its spot, if it is held fully.
    pub drift_m: f64,
}

/// A note for the user about a plant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// The leg cannot reach the spot, so the point drifts.
    OutOfReach {
        /// Index of the leg.
        leg: usize,
        /// The frames of the plant.
        frames: FrameRange,
        /// Largest distance from the point to its spot, in metres.
        drift_m: f64,
    },
    /// The distance between the spots of heel and ball differs from the length of the foot.
    FootLengthMismatch {
        /// Index of the leg.
        leg: usize,
        /// Heel, ball or toe tip.
        point: FootPoint,
        /// The frames of the plant.
        frames: FrameRange,
        /// Largest distance from the point to its spot, in metres.
        drift_m: f64,
    },
    /// The plant is not held in all of its frames: its leg does not exist, the motion ends first, or
    /// a later plant of the same point takes precedence.
    NotHeld {
        /// Index of the leg.
        leg: usize,
        /// Heel, ball or toe tip.
        point: FootPoint,
        /// The frames of the plant.
        frames: FrameRange,
        /// Number of frames in which the plant is held.
        held_frames: usize,
    },
    /// The plant is too far from the floor to be snapped onto it and keeps its height.
    OffFloor {
        /// Index of the leg.
        leg: usize,
        /// Heel, ball or toe tip.
        point: FootPoint,
        /// First frame of the plant.
        frame: usize,
        /// Height above the floor, in metres; negative below it.
        height_m: f64,
    },
}
