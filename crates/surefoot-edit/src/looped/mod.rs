//! A motion whose end meets its start.
//!
//! | file | question |
//! |---|---|
//! | `cycle.rs` | from where to where does a motion repeat itself? |
//! | `close.rs` | how are its end and its start made to meet? |
//! | `seam.rs` | how large a step is left there, against the motion's own? |
//! | `plants.rs` | who is held across the seam? |
//! | `clean.rs` | how is it cleaned so that it still loops? |
//! | `meet.rs` | how does a whole clip become a loop? |
//!
//! A loop may travel: each time round it begins where it ended, turned as it was turned there.

mod cycle;
mod close;
mod seam;
mod plants;
mod meet;

pub use close::{Closed, begun_quietly, close};
pub use cycle::{Cycle, cycle_at, cycles, whole};
pub use meet::{IS_NO_LOOP, known_as_loop, meet, settings_of, with_loop};
pub use seam::{Seam, seam};

use crate::distance;

/// How loops are found and closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How poses are compared.
    pub map: distance::Settings,
    /// The shortest and the longest cycle, in seconds. Default 0.4 and without end.
    pub length: (f64, f64),
    /// The most time before and after the seam over which end and start are eased together, in
    /// seconds. Default 1/3.
    pub ease: f64,
    /// Where the loop begins. Default: where it goes on most quietly.
    pub begin: Begin,
}

/// Where a loop begins. It is the same loop wherever it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// At the cycle's first frame.
    First,
    /// Where it goes on most quietly: a seam is seen least there.
    Quietest,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            map: distance::Settings::default(),
            length: (0.4, f64::INFINITY),
            ease: 1.0 / 3.0,
            begin: Begin::Quietest,
        }
    }
}
