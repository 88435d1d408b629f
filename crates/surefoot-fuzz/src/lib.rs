//! What is checked of damaged inputs, and random changes of sound ones.
//!
//! `targets` has one function for each kind of input. The fuzz targets below `fuzz/` call them with the inputs of
//! libFuzzer, and the tests of this crate with the kept inputs below `fuzz/seeds` and with random changes of them
//! (`mutate.rs`), in every test run.

pub mod mutate;
pub mod targets;
