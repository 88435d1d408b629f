//! What cleaning introduced: the number of visible events of each kind, zero included, then each event.

use super::events;
use super::{Report, section};
use crate::context::MeasureError;
use crate::events::EventKind;
use crate::plot::escape;
use crate::unit::count;

/// The appearance of each kind of event, for readers who are new to the term.
const KINDS: [(EventKind, &str, &str); 4] = [
    (EventKind::NewSlide, "new slides", "a foot that stands in the capture slides"),
    (EventKind::Teleport, "teleports", "a foot near the ground jumps"),
    (EventKind::KneePop, "knee pops", "a knee jerks"),
    (EventKind::Scrape, "scrapes", "a swinging foot comes too close to the ground"),
];

/// The section about introduced events. Without a motion before, only the events of the floor.
pub(super) fn introduced(report: &Report) -> Result<String, MeasureError> {
    let figures = &report.figures.events;
    let mut rows = String::new();
    for (kind, name, meaning) in KINDS {
        if let Some(list) = kind.list(figures) {
            rows += &row(name, meaning, list.len(), "");
        }
    }
    if let Some(frames) = figures.deeper_frames() {
        rows += &row("deeper below the floor", "a foot is deeper than captured", frames, "frame");
    }
    if let Some(frames) = figures.below_floor_frames() {
        rows += &row("below the floor", "a foot is below the floor, captured or not", frames, "frame");
    }
    if let Some(joints) = &figures.channels_changed {
        rows += &row(
            "other channels",
            "a joint has other channels than in the file before",
            joints.len(),
            "joint",
        );
    }
    if rows.is_empty() {
        return Ok(String::new());
    }
    let heading = if report.before.is_some() { "What was introduced" } else { "Visible events" };
    let table = format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"counts\">\n<tbody>\n{rows}</tbody>\n</table></div>\n{}",
        events::events(report)?
    );
    Ok(section(heading, &table))
}

fn row(name: &str, meaning: &str, number: usize, noun: &str) -> String {
    let shown = if noun.is_empty() { number.to_string() } else { count(number, noun) };
    let class = if number > 0 { " class=\"found\"" } else { "" };
    format!(
        "<tr{class}><td>{shown}</td><th scope=\"row\">{} <span>{}</span></th></tr>\n",
        escape(name),
        escape(meaning)
    )
}
