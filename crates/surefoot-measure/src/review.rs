//! One list of everything that a viewer or an editor could object to in a result, the most visible first.
//!
//! Three points of a foot that slide together are three events but one thing to look at, so events of one kind and foot
//! that follow each other closely become one item. After the events come plants that slide, the plants with the lowest
//! confidence, then the notes, merged.

use crate::events::{Event, EventKind};
use crate::figures::{Figures, HELD};
use crate::merged_notes::merge_notes;
use crate::unit::Unit;
use surefoot_core::{Clip, Plant};

/// Longest pause between two events that are one item, in seconds. Shorter than a step.
const PAUSE_SECONDS: f64 = 0.25;
/// Plants with a lower confidence are listed.
const UNSURE_BELOW: f64 = 0.7;
/// Largest number of uncertain plants that are listed: those with the lowest confidence.
const MOST_UNSURE: usize = 20;

/// What an item of a review is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewKind {
    /// An event that the capture does not have.
    Introduced,
    /// A plant that slides.
    Slides,
    /// A plant with a low confidence.
    Unsure,
    /// A note.
    Note,
}

impl ReviewKind {
    /// All kinds, in the order of the list.
    pub const ALL: [Self; 4] = [Self::Introduced, Self::Slides, Self::Unsure, Self::Note];

    /// The heading above the items of a kind.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Introduced => "Introduced by cleaning",
            Self::Slides => "Plants that slide",
            Self::Unsure => "Plants to check",
            Self::Note => "Notes",
        }
    }
}

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ReviewItem {
    /// What the item is about.
    pub kind: ReviewKind,
    /// The frame to look at; `None` for a note about the whole motion.
    pub frame: Option<usize>,
    /// The foot, the frames and the amount, in words.
    pub text: String,
}

/// Lists what could be objected to. `notes` come with the frame that each is about.
pub fn review(clip: &Clip, figures: &Figures, notes: &[(Option<usize>, String)]) -> Vec<ReviewItem> {
    let mut items = introduced(figures, (PAUSE_SECONDS * clip.motion.fps) as usize);
    items.extend(sliding(figures));
    items.extend(unsure(clip));
    items.extend(noted(notes));
    items
}

/// The introduced events, the most visible first.
fn introduced(figures: &Figures, pause: usize) -> Vec<ReviewItem> {
    let mut found: Vec<(f64, ReviewItem)> = Vec::new();
    for kind in EventKind::ALL.into_iter().filter(|kind| *kind != EventKind::BelowFloor) {
        let mut events: Vec<&Event> = kind.list(&figures.events).unwrap_or_default().iter().collect();
        events.sort_by(|a, b| (&a.foot, a.first).cmp(&(&b.foot, b.first)));
        let belong = |a: &&Event, b: &&Event| a.foot == b.foot && b.first <= a.last + pause;
        for group in events.chunk_by(belong) {
            let worst = group.iter().max_by(|a, b| a.amount.total_cmp(&b.amount)).unwrap_or(&group[0]);
            let (first, last) =
                (group[0].first, group.iter().map(|event| event.last).max().unwrap_or(worst.last));
            let whole = Event { first, last, ..(*worst).clone() };
            let item = ReviewItem {
                kind: ReviewKind::Introduced,
                frame: Some(worst.first.midpoint(worst.last)),
                text: whole.sentence_with_cause(kind),
            };
            found.push((kind.visibility(worst), item));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found.into_iter().map(|(_, item)| item).collect()
}

/// The plants that slide, the farthest first.
fn sliding(figures: &Figures) -> Vec<ReviewItem> {
    let drift = |plant: &&crate::PlantFigures| plant.after.drift.unwrap_or(0.0);
    let mut plants: Vec<_> = figures.plants.iter().filter(|plant| drift(plant) > HELD).collect();
    plants.sort_by(|a, b| drift(b).total_cmp(&drift(a)));
    let item = |plant: &crate::PlantFigures| ReviewItem {
        kind: ReviewKind::Slides,
        frame: Some(plant.first.midpoint(plant.last)),
        text: format!(
            "plant slides: {} {}, frames {}–{}, {}",
            plant.foot,
            plant.point.as_str(),
            plant.first,
            plant.last,
            Unit::Metres.format_or_dash(plant.after.drift)
        ),
    };
    plants.into_iter().map(item).collect()
}

/// The plants with a low confidence, the lowest first.
fn unsure(clip: &Clip) -> Vec<ReviewItem> {
    let is_unsure = |plant: &Plant| plant.confidence.filter(|confidence| *confidence < UNSURE_BELOW);
    let mut plants: Vec<(f64, &Plant)> =
        clip.plants.plants.iter().filter_map(|plant| Some((is_unsure(plant)?, plant))).collect();
    plants.sort_by(|a, b| a.0.total_cmp(&b.0));
    let item = |(confidence, plant): (f64, &Plant)| ReviewItem {
        kind: ReviewKind::Unsure,
        frame: Some(plant.frames.start),
        text: format!(
            "uncertain plant: {} {}, frames {}–{}, {:.0} %",
            clip.legs.get(plant.leg).map_or("missing", |leg| leg.side.as_str()),
            plant.point.as_str(),
            plant.frames.start,
            plant.frames.end.saturating_sub(1),
            100.0 * confidence
        ),
    };
    plants.into_iter().take(MOST_UNSURE).map(item).collect()
}

/// The notes; those of one kind are one item.
fn noted(notes: &[(Option<usize>, String)]) -> Vec<ReviewItem> {
    let texts: Vec<String> = notes.iter().map(|(_, text)| text.clone()).collect();
    let frame_of =
        |part: &str| notes.iter().find(|(_, text)| text.starts_with(part)).and_then(|(frame, _)| *frame);
    let item = |note: crate::MergedNote| ReviewItem {
        kind: ReviewKind::Note,
        frame: frame_of(note.places.first().unwrap_or(&note.text)),
        text: note.sentence(),
    };
    merge_notes(&texts).into_iter().map(item).collect()
}
