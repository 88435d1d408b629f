//! Tests of the figures, the plots and the report, linked into one binary.

mod bodies;

mod keys;
mod events;
mod exact_values;
mod properties;
mod pages;
mod poses;
mod real_walk;
