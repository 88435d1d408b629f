//! The data that surefoot works on: skeletons, poses, motions, clips, legs, plants and floors.
//!
//! Metres, seconds, radians; right-handed, Y up; `f64`. Positions and rotations are in world space
//! unless the name states otherwise: `heel_in_ankle`. Nothing here opens files, reads the clock,
//! starts threads or draws random numbers, so results are reproducible.

pub mod math;
pub mod skeleton;
pub mod up_axis;
pub mod pose;
pub mod motion;
pub mod leg;
pub mod hold;
pub mod footplants;
pub mod floor;
pub mod rigid_transform;
pub mod clip;

/// The version of glam whose vectors, quaternions and matrices this crate uses.
pub use glam;

pub use clip::{Clip, Loop};
pub use floor::{Floor, Plane};
pub use footplants::{FootPoint, Footplants, FrameRange, Plant, PlantKind};
pub use hold::{Hold, HoldKind};
pub use leg::{JointPoint, Leg, Limb};
pub use math::{Quat, Vec3};
pub use motion::Motion;
pub use pose::{Pose, WorldPose};
pub use rigid_transform::RigidTransform;
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError};
pub use up_axis::UpAxis;
