//! Motion + Footplants to clean Motion: moves feet, never decides when.
//!
//! [`Cleaner`] takes one pose at a time and gives clean ones back, a fixed number of frames
//! later. [`clean`] is the same stream, fed from memory. The method is five phases, a file each,
//! in `phases`. [`rectify`] is another method, by who carries the body, in `support`.

mod clean;
mod cleaner;
mod kinematics;
mod looping;
mod phases;
mod plants;
mod report;
mod settings;
mod setup;
mod stream;
mod support;
mod validation;

pub use clean::{CleanError, CleanResult, clean, into_room, with_performance};
pub use cleaner::{Cleaner, OutputFrame};
pub use looping::{SAME_STANCE_M, SWING_SPEED, join_plants_at_seam};
pub use plants::{ActivePlant, ActivePlants, active_plants};
pub use report::stream::{StreamReport, StreamReporter};
pub use report::{Note, PlantReport, Report};
pub use settings::{FootRoll, Form, Method, Settings};
pub use setup::{LegShape, SetupError, leg_shapes};
pub use stream::incremental::IncrementalCleaner;
pub use support::{LegSet, SupportLabel};
pub use validation::PoseError;
