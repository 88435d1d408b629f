//! One file's whole way: what it is about, its plants, its clean text, figures and notes.
//!
//! What `surefoot clean` and the studio both do with a file stands here once, so that what one writes is
//! what the other writes, to the byte. It is given bytes and gives bytes back; it opens nothing.

pub mod words;
mod understood;
mod ground;
mod scene;
mod plants;
mod finish;
mod notes;

pub use finish::{Finished, Work, figures, finish, measure_scene, page};
pub use ground::{FloorFile, FloorProblem, floor_from};
pub use notes::{Said, changing_ground, note_words, scene_notes};
pub use plants::{
    Known, called, is_table, read_plants, standing, standing_settings, without_t_pose, written,
};
pub use scene::{NoLegs, Scene, scene, seen_from_ground};
pub use understood::{prefer, understood};

/// Text from a file, with control characters made harmless to a terminal.
pub fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
