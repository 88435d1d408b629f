//! Labels every frame with the feet that support the body.
//!
//! A foot supports the body while it is planted. A frame in which a planted foot slides is labelled as skating: no foot
//! counts as supporting the body. A foot slides if its plant is labelled so or, where plants have no labels, if it is
//! faster along the floor than the skate speed.

use core::ops::BitOr;

use surefoot_core::{FootPoint, Leg, PlantKind};

use super::captured_motion::CapturedMotion;
use crate::foot_points::FOOT_POINTS;

/// What supports the body at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SupportLabel {
    /// No foot is planted.
    None,
    /// These legs support the body.
    Support(LegSet),
    /// A planted foot slides.
    Skate,
}

impl SupportLabel {
    /// `none`, `skate`, `both` or `all` where all legs support the body, otherwise the names of the legs.
    pub fn as_str(&self, legs: &[Leg]) -> String {
        match self {
            Self::None => "none".into(),
            Self::Skate => "skate".into(),
            Self::Support(set) => {
                let support: Vec<usize> = (0..legs.len()).filter(|&leg| set.contains(leg)).collect();
                match (support.len(), legs.len()) {
                    (2, 2) => "both".into(),
                    (count, all) if count == all && all > 2 => "all".into(),
                    _ => support.iter().map(|&leg| legs[leg].side.as_str()).collect::<Vec<_>>().join(", "),
                }
            }
        }
    }
}

/// A set of legs, by index. Legs from index 64 on are never contained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegSet(u64);

impl LegSet {
    /// Whether the set contains a leg.
    pub fn contains(self, leg: usize) -> bool {
        leg < 64 && self.0 >> leg & 1 == 1
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn is_subset(self, other: Self) -> bool {
        self | other == other
    }
}

impl BitOr for LegSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromIterator<usize> for LegSet {
    fn from_iter<T: IntoIterator<Item = usize>>(legs: T) -> Self {
        Self(legs.into_iter().filter(|&leg| leg < 64).fold(0, |set, leg| set | 1 << leg))
    }
}

/// The label of every frame.
pub(super) fn label_frames(captured: &CapturedMotion) -> Vec<SupportLabel> {
    let label = |frame: usize| {
        let planted = planted_legs(captured, frame);
        let skates = |leg: usize| {
            planted.contains(leg) && FOOT_POINTS.into_iter().any(|point| skates(captured, frame, leg, point))
        };
        if planted.is_empty() {
            SupportLabel::None
        } else if (0..captured.setup.legs.len()).any(skates) {
            SupportLabel::Skate
        } else {
            SupportLabel::Support(planted)
        }
    };
    (0..captured.frames).map(label).collect()
}

/// The planted legs of a frame, whether they slide or not.
pub(super) fn planted_legs(captured: &CapturedMotion, frame: usize) -> LegSet {
    (0..captured.setup.legs.len()).filter(|&leg| captured.is_planted(frame, leg)).collect()
}

/// Whether a planted point slides: by the label of its plant, otherwise by its speed.
fn skates(captured: &CapturedMotion, frame: usize, leg: usize, point: FootPoint) -> bool {
    let plant = captured.active_plants(frame, leg).points()[point];
    plant.is_some_and(|plant| match plant.kind {
        Some(kind) => kind == PlantKind::Skate,
        None => slide_speed(captured, frame, leg, point, plant.id) > captured.setup.rules.skate_speed,
    })
}

/// The speed at which a captured point slides along the floor, in metres per second, over the neighbouring frames in
/// which the same plant holds it.
fn slide_speed(captured: &CapturedMotion, frame: usize, leg: usize, point: FootPoint, plant: u32) -> f64 {
    let is_held = |frame: &usize| *frame < captured.frames && captured.is_held_by(*frame, leg, point, plant);
    let first = frame.checked_sub(1).filter(is_held).unwrap_or(frame);
    let last = Some(frame + 1).filter(is_held).unwrap_or(frame);
    // A plant of one frame has speed 0.
    let seconds = (last - first).max(1) as f64 / captured.setup.fps;
    let travel = captured.leg(last, leg).points[point] - captured.leg(first, leg).points[point];
    captured.along_floor(travel).length() / seconds
}
