//! Who carries the body, frame by frame?
//!
//! A foot carries while it is planted. A planted foot that slides along the floor faster than a speed
//! skates, and with it the frame: then nobody is trusted to carry.

use core::ops::BitOr;

use surefoot_core::Leg;

use super::body::Body;

/// What a frame is, by who carries the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SupportLabel {
    /// No foot is planted.
    None,
    /// These legs carry.
    Support(LegSet),
    /// A planted foot slides.
    Skate,
}

impl SupportLabel {
    /// `none`, `skate`, `both` where two legs or more are all there are, else the legs' names.
    pub fn as_str(&self, legs: &[Leg]) -> String {
        match self {
            Self::None => "none".into(),
            Self::Skate => "skate".into(),
            Self::Support(on) => {
                let on: Vec<usize> = (0..legs.len()).filter(|&leg| on.contains(leg)).collect();
                match (on.len(), legs.len()) {
                    (2, 2) => "both".into(),
                    (on, all) if on == all && all > 2 => "all".into(),
                    _ => on.iter().map(|&leg| legs[leg].side.as_str()).collect::<Vec<_>>().join(", "),
                }
            }
        }
    }
}

/// A set of legs, by their places in the list. Has room for 64, and the rest never count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LegSet(u64);

impl LegSet {
    /// Whether a leg is one of them.
    pub fn contains(self, leg: usize) -> bool {
        leg < 64 && self.0 >> leg & 1 == 1
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether all of them are in another set.
    pub(super) fn are_in(self, other: Self) -> bool {
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
pub(super) fn labels(body: &Body) -> Vec<SupportLabel> {
    let label = |frame: usize| {
        let planted = planted(body, frame);
        let slides =
            |leg: usize| planted.contains(leg) && slide(body, frame, leg) > body.setup.settings.skate_speed;
        if planted.is_empty() {
            SupportLabel::None
        } else if (0..body.setup.legs.len()).any(slides) {
            SupportLabel::Skate
        } else {
            SupportLabel::Support(planted)
        }
    };
    (0..body.frames).map(label).collect()
}

/// The legs that are planted at a frame, whether they slide or not.
pub(super) fn planted(body: &Body, frame: usize) -> LegSet {
    (0..body.setup.legs.len()).filter(|&leg| body.is_planted(frame, leg)).collect()
}

/// The speed at which the captured foot slides along the floor, in metres a second: that of its
/// fastest held point, over the frames next to this one in which the same plant holds it.
fn slide(body: &Body, frame: usize, leg: usize) -> f64 {
    let speed = |(point, plant): (usize, Option<u32>)| {
        let plant = plant?;
        let held = |frame: &usize| *frame < body.frames && body.is_held_by(*frame, leg, point, plant);
        let first = frame.checked_sub(1).filter(held).unwrap_or(frame);
        let last = Some(frame + 1).filter(held).unwrap_or(frame);
        // A plant of one frame has no speed.
        let seconds = (last - first).max(1) as f64 / body.setup.fps;
        let way = body.seen(last, leg).points[point] - body.seen(first, leg).points[point];
        Some(body.level(way).length() / seconds)
    };
    body.held(frame, leg).plants().into_iter().enumerate().filter_map(speed).fold(0.0, f64::max)
}
