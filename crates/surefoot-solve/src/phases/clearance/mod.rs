//! Floor clearance: raises free feet and toes that a correction has pushed below the floor.

pub(crate) mod landing;
pub(crate) mod lift;
pub(crate) mod toes;
