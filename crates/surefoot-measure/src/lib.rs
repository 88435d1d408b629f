//! A motion, alone or before and after, to figures, plots and a report.
//!
//! Everything is measured of the motion as read back from its written file, never of what a
//! cleaner has in memory. Metres, seconds, radians, Y up. Nothing here opens a file or asks the
//! time: the same motions give the same report, to the last byte.
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
mod rank;
mod slide;
mod published;
mod depth;
mod stretch;
mod jolt;
mod change;
mod seen;
mod figures;
mod rows;
mod json;
mod words;
mod table;
pub mod plot;
mod report;

pub use change::Change;
pub use context::MeasureError;
pub use depth::Deepest;
pub use figures::{Figures, HeldFigures, Measured, PaidBy, PlantFigures, measure};
pub use report::{
    Edited, GoalRow, JointRow, Reached, Report, edited, headline, price, reached, reached_curves, report,
};
pub use table::{Captured, table_of_edit};
pub use words::Unit;
