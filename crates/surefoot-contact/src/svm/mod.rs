//! Support vector machines: five labels, told from how legs stand and move.
//!
//! After Hsu (2009). A frame is of the left foot, the right, both or none, or a foot skates; or
//! two machines tell apart who stands and whether that skates. One model knows locomotion, one
//! all else, and whether the feet take turns says which is asked. `machine.rs` is one machine,
//! `model.rs` the whole and its file.

mod machine;
mod model;

pub use machine::{Decided, Machine};
pub use model::{Model, Part, Told};

use crate::features::Pair;
use crate::settings::Settings;
use crate::speed_height::still::runs_where;
use crate::speed_height::track::Tracks;
use crate::stance::{stances, told};
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion};

/// What a frame is told to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// The left foot is down.
    Left,
    /// The right foot is down.
    Right,
    /// Both are.
    Both,
    /// None is.
    None,
    /// A foot that is down slides.
    Skate,
}

impl Label {
    /// All five, in the order of their numbers.
    pub const ALL: [Self; 5] = [Self::Left, Self::Right, Self::Both, Self::None, Self::Skate];

    /// The label of feet that are down, left first.
    pub fn of([left, right]: [bool; 2]) -> Self {
        match (left, right) {
            (true, true) => Self::Both,
            (true, false) => Self::Left,
            (false, true) => Self::Right,
            (false, false) => Self::None,
        }
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Both => "both",
            Self::None => "none",
            Self::Skate => "skate",
        }
    }

    /// The same in a mirror.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            other => other,
        }
    }

    /// Whether this foot is down, 0 for the left; skate does not say.
    pub(crate) fn has(self, foot: usize) -> Option<bool> {
        match self {
            Self::Skate => None,
            Self::Both => Some(true),
            Self::None => Some(false),
            Self::Left => Some(foot == 0),
            Self::Right => Some(foot == 1),
        }
    }
}

/// Plants, and when the feet in them skate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The plants.
    pub plants: Footplants,
    /// The frames in which some foot that is down slides.
    pub skating: Vec<FrameRange>,
}

/// Finds the plants, and where they skate.
pub fn detect(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    model: &Model,
    settings: &Settings,
) -> Found {
    let first_frame = settings.first_frame;
    let frames = motion.frames().saturating_sub(first_frame);
    let mut found = Vec::new();
    let mut skates = vec![false; frames];
    let mut scratch = Scratch::default();
    // Legs come left, right, left, right; one that is left over is a pair with itself.
    for (number, pair) in legs.chunks(2).enumerate() {
        let seen = Pair::new(motion, &pair[0], &pair[pair.len() - 1], first_frame);
        let mut sure = [0, 1].map(|_| Vec::with_capacity(frames));
        for (frame, skates) in skates.iter_mut().enumerate() {
            let told = model.tell(&seen, frame, &mut scratch);
            *skates |= told.skates;
            sure.iter_mut().zip(told.sure).for_each(|(list, sure)| list.push(sure));
        }
        for (side, sure) in sure.iter().enumerate().take(pair.len()) {
            found.extend(stances(2 * number + side, sure, motion.fps, settings));
        }
    }
    let skating = runs_where(|frame| skates[frame], 0..frames);
    Found {
        plants: told(&found, &Tracks::new(motion, legs, floor, first_frame), first_frame, settings),
        skating: skating.into_iter().map(|run| run.start + first_frame..run.end + first_frame).collect(),
    }
}

/// Room that is used again from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    moment: Vec<f32>,
    distances: Vec<f32>,
}
