//! Motion + Footplants to clean Motion: moves feet, never decides when.
//!
//! [`Cleaner`] takes one pose at a time and gives clean ones back, a fixed number of frames
//! later. [`clean`] is the same stream, fed from memory. The method is five phases, a file each,
//! in `phases`. [`rectify`] is another method, by who carries the body, in `support`.

mod cleaner;
mod kinematics;
mod phases;
mod report;
mod settings;
mod setup;
mod stream;
mod support;
mod validation;

pub use cleaner::{Cleaner, Held, Hold, Last, clean, held_by_frame};
pub use report::stream::{Tally, Total};
pub use report::{Note, PlantReport, Report};
pub use settings::{FootRoll, Form, Settings};
pub use setup::{LegShape, Scene, SetupError, leg_shapes};
pub use stream::incremental::Again;
pub use support::{Label, Legs, rectify, support_labels};
pub use validation::PoseError;
