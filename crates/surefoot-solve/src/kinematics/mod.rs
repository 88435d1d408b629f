//! The mathematics of legs: rotations, forward and inverse kinematics, reach, filters and weights.
//!
//! Nothing here depends on the order of the phases; `phases` decides when each function runs.

pub(crate) mod block_system;
pub(crate) mod blend_weights;
pub(crate) mod filter_weights;
pub(crate) mod knee_damping;
pub(crate) mod knee_hinge;
pub(crate) mod leg;
pub(crate) mod leg_fk;
pub(crate) mod leg_ik;
pub(crate) mod reach_spheres;
pub(crate) mod rotation;
pub(crate) mod sole_normal;
pub(crate) mod toe_axis;
mod two_lane;
