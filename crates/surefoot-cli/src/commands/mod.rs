//! One file per command.

pub mod demo;
pub mod inspect;
pub mod detect;
pub mod clean;
mod clean_all;
pub mod reach;
pub mod retarget;
pub mod follow;
pub mod join;
pub mod batch;
pub mod blend;
pub mod loop_command;
pub mod measure;
pub mod train;
pub mod score;
pub mod plot;
pub mod sample;
pub mod convert;
pub mod stream;
pub mod studio;
mod studio_link;
pub mod completions;
