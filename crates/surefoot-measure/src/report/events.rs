//! The events of a report: pictures of the worst, and a table of all.

use super::{Report, drawn};
use crate::context::MeasureError;
use crate::events::{Event, EventKind};
use crate::plot::{Plot, PoseFrames, PoseStrip, escape, poses};

/// Number of rows above which the table is collapsed.
const FOLDED_FROM: usize = 12;
/// Most rows, so that the page stays readable. JSON has all events.
const MOST_ROWS: usize = 300;

/// The kinds of which the worst event is drawn.
const DRAWN: [EventKind; 5] =
    [EventKind::NewSlide, EventKind::Teleport, EventKind::KneePop, EventKind::Scrape, EventKind::Deeper];

/// The events of the motion after, found without the plants; empty without events.
pub(super) fn events(report: &Report) -> Result<String, MeasureError> {
    let events = &report.figures.events;
    let of_kind =
        |kind: EventKind| kind.list(events).unwrap_or_default().iter().map(move |event| (kind, event));
    let all: Vec<(EventKind, &Event)> = EventKind::ALL.into_iter().flat_map(of_kind).collect();
    if all.is_empty() {
        return Ok(String::new());
    }
    let caption =
        "Each picture shows the most visible event of its kind, with the foot or knee enlarged below.";
    let pictures = pictures(report)?;
    Ok(format!("{}<p class=\"caption\">{caption}</p>\n{}", table(&all), drawn(&pictures)))
}

/// A strip of poses around the worst event of each kind.
fn pictures(report: &Report) -> Result<Vec<Plot>, MeasureError> {
    let mut plots = Vec::new();
    for kind in DRAWN {
        let Some((kind, event)) = report.figures.events.worst(&[kind]) else { continue };
        plots.extend(poses(&PoseStrip {
            title: kind.as_str(),
            clip: report.clip,
            before: report.before,
            events: &report.figures.events,
            frames: PoseFrames::Around(kind, event),
        })?);
    }
    Ok(plots)
}

fn table(all: &[(EventKind, &Event)]) -> String {
    let rows: String = all.iter().take(MOST_ROWS).map(|(kind, event)| row(*kind, event)).collect();
    let left_out = match all.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        more => format!(
            "<p class=\"caption\">{more} more are in the JSON of <code>surefoot measure</code>.</p>\n"
        ),
    };
    let columns =
        ["event", "foot", "frames", "size", "because"].map(|name| format!("<th scope=\"col\">{name}</th>"));
    let table = format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"plants\">\n<thead><tr>{}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n{left_out}",
        columns.concat()
    );
    if all.len() <= FOLDED_FROM {
        return table;
    }
    format!("<details>\n<summary>All {} events</summary>\n{table}</details>\n", all.len())
}

fn row(kind: EventKind, event: &Event) -> String {
    let foot = format!("{} {}", event.foot, event.point.as_str());
    let middle = event.first.midpoint(event.last);
    let frames = format!(
        "<button type=\"button\" class=\"link\" data-frame=\"{middle}\">{}</button>",
        event.frames_text()
    );
    let cause = event.cause.as_deref().unwrap_or_default();
    let [foot, amount, cause] =
        [&foot, &kind.format(event.amount), cause].map(|text| format!("<td>{}</td>", escape(text)));
    format!("<tr><th scope=\"row\">{}</th>{foot}<td>{frames}</td>{amount}{cause}</tr>\n", kind.as_str())
}
