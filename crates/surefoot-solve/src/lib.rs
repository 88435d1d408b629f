//! Holds planted feet in place: a clip with its plants in, a clean clip out.
//!
//! The crate never decides when a foot is planted; detection does. [`clean`] cleans a whole clip. [`Cleaner`] does the
//! same as a stream: it takes one pose at a time and returns clean poses with a fixed latency. [`IncrementalCleaner`]
//! cleans a clip again after each edit of its plants.
//!
//! The method is in `phases`, one file for each phase in the order they run. `kinematics` holds the mathematics,
//! `stream` the buffers, `rules` the differences between the published and the improved form. `support` is an
//! alternative method, rectification by support phase.

mod clean;
mod cleaner;
mod foot_points;
mod kinematics;
mod looping;
mod phases;
mod plants;
mod published;
mod report;
mod rigid_foot;
mod rules;
mod settings;
mod setup;
mod stream;
mod support;
mod torso;
mod validation;

pub use clean::{CleanError, CleanResult, clean, into_room, with_performance};
pub use cleaner::{Cleaner, OutputFrame};
pub use looping::{SAME_STANCE_M, SWING_SPEED, join_plants_at_seam};
pub use plants::{ActivePlant, ActivePlants, active_plants};
pub use report::stream::{StreamReport, StreamReporter};
pub use report::{Note, PlantReport, Report};
pub use settings::{FootRoll, Form, Method, Settings};
pub use setup::{LegShape, SetupError, has_joint_translations, leg_shapes};
pub use stream::incremental::IncrementalCleaner;
pub use support::{LegSet, SupportLabel};
pub use validation::PoseError;
