//! Tests of every edit, linked into one binary.

mod bodies;
mod takes;

mod blend_and_loop;
mod captures;
mod follow;
mod join;
mod knees;
mod reach;
mod retarget;
