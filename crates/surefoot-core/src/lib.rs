//! What surefoot works on: a skeleton, its poses, a motion, the legs, who is planted when, and
//! the floor.
//!
//! Metres, seconds, radians; right-handed, Y up; `f64` throughout. Positions and rotations are
//! in world space unless the name says whose: `heel_in_ankle`. Nothing here opens a file, asks
//! the time, starts a thread or draws a random number.

pub mod math;
pub mod skeleton;
pub mod up_axis;
pub mod pose;
pub mod motion;
pub mod leg;
pub mod footplants;
pub mod floor;
pub mod rigid_transform;
pub mod clip;

/// The version of glam whose vectors, quaternions and matrices this crate uses.
pub use glam;

pub use clip::{Clip, Loop};
pub use floor::{Floor, Plane};
pub use footplants::{FootPoint, Footplants, FrameRange, Plant};
pub use leg::{JointPoint, Leg};
pub use math::{Quat, Vec3};
pub use motion::Motion;
pub use pose::{Pose, WorldPose};
pub use rigid_transform::RigidTransform;
pub use skeleton::{Joint, JointId, Skeleton, SkeletonError};
pub use up_axis::UpAxis;
