//! Abuse of the command as a whole: random command lines on damaged files, kills, and hostile requests to the studio.
//!
//! [`Inputs`] makes a folder with a sound file of every kind. [`Commands`] reads the flags of every command from its
//! help text, and makes random command lines of them: odd values, files of the wrong kind, damaged files
//! (`damage.rs`). [`run`] runs one line with limits of memory and time, and returns what is wrong with its result.
//! [`kill_clean`] and [`kill_batch`] end runs at random times, [`send_hostile_requests`] attacks the studio's server. The
//! program `abuse` runs many of them, `cargo xtask abuse` builds and starts it, and tests of `surefoot-cli` run a few in
//! every test run.

mod command_lines;
mod damage;
mod inputs;
mod kills;
mod limited_run;
mod requests;

pub use command_lines::{Commands, Line};
pub use damage::damage;
pub use inputs::{Inputs, Kind};
pub use kills::{KillCounts, kill_batch, kill_clean};
pub use limited_run::{Fault, Outcome, run};
pub use requests::{RequestCounts, send_hostile_requests};
