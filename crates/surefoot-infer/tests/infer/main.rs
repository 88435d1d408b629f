//! Tests of inference, linked into one binary.

mod bodies;
mod inference;
mod odd_skeletons;
mod soles;
