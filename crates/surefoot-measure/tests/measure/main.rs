//! Tests of the figures, the plots and the report, linked into one binary.

mod made;

mod keys;
mod known_by_hand;
mod laws;
mod pages;
mod real_walk;
