//! What is checked of damaged inputs, and random changes of sound ones.
//!
//! `targets` has one function for each kind of input. The fuzz targets below `fuzz/` call them with the inputs of
//! libFuzzer, and the tests of this crate with the kept inputs below `fuzz/seeds` and with random changes of them
//! (`mutate.rs`), in every test run. `abuse` runs the command itself, with random command lines and damaged files.

pub mod abuse;
pub mod mutate;
pub mod plant_edits;
mod round_trip;
pub mod targets;
