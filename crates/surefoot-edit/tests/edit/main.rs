//! Tests of every edit, linked into one binary.

mod bodies;
mod clips;
mod knee_angles;

mod blend_and_loop;
mod book_tables;
mod captures;
mod follow;
mod glitches;
mod join;
mod knees;
mod loops_on_rigs;
mod reach;
mod reach_with_plants;
mod resample;
mod retarget;
mod rig_pairs;
