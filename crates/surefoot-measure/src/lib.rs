//! Figures, plots and reports of a motion, alone or compared with the motion before cleaning.
//!
//! Pass motions read back from their written files, so that the figures include the rounding of the
//! file. Units are metres, seconds and radians; Y is up. This crate neither opens files nor reads the
//! clock: the same motions give the same report, byte for byte.
//!
//! ```
//! use surefoot_measure::measure;
//! use surefoot_sample::{Recipe, make};
//!
//! let clip = make(&Recipe::default())?.into_clip();
//! let figures = measure(&clip, None)?;
//! println!("{}", figures.table());
//! # assert!(figures.after.drift_max_m.unwrap() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod context;
mod paths;
mod statistics;
mod promise;
mod slide;
mod published;
pub mod body;
mod stances;
mod worst_moment;
mod merged_notes;
mod depth;
mod stretch;
mod acceleration;
mod change;
mod events;
mod motion_pair;
mod figures;
mod rows;
mod json;
mod columns;
mod unit;
mod table;
mod review;
pub mod plot;
mod report;

pub use change::Change;
pub use columns::{Column, columns};
pub use context::MeasureError;
pub use depth::DeepestPoint;
pub use events::{Event, EventKind, EventPoint, Events};
pub use figures::{CorrectionCost, Figures, MotionFigures, PlantFigures, PlantMotion, measure};
pub use merged_notes::{MergedNote, merge_notes};
pub use report::{
    EditReport, GoalRow, JointRow, ReachReport, Report, cost, edit_report, headline, reach_curves,
    reach_report, report,
};
pub use review::{ReviewItem, ReviewKind, review};
pub use table::{SourceFigures, table_of_edit};
pub use unit::Unit;
