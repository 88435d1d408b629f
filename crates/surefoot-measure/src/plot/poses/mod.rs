//! Stick figures seen from the side, before and after, with the soles and the floor.
//!
//! Each figure stands in a cell of its own above the number of its frame: the figure before is light, the one after
//! dark. Events are circled. Around one event a second line of cells shows its foot or knee enlarged, so that
//! millimetres are visible.

mod cells;
mod close_up;
mod figure;

use super::svg::{Anchor, Mark, Svg};
use super::{Plot, WIDTH};
use crate::context::{Context, MeasureError, check};
use crate::events::{Event, EventKind, Events};
use cells::Cells;
use figure::{Actors, Figure};
use surefoot_core::{Clip, FrameRange, Motion};

/// Height of title and legend, in pixels.
const TOP: f64 = 26.0;
/// Height of the sentence about an event, in pixels.
const SENTENCE: f64 = 18.0;
/// Number of poses around an event: enough to see it begin and end, few enough to see its foot.
const AROUND_EVENT: usize = 8;
/// Time that is shown before and after an event, in seconds.
const MARGIN_SECONDS: f64 = 0.06;
/// Number of poses from which the size of a cell is determined.
const SAMPLES: usize = 32;

/// A strip of poses of one motion, or of a motion before and after.
#[derive(Clone, Debug)]
pub struct PoseStrip<'a> {
    /// Title: the file name.
    pub title: &'a str,
    /// The clip with the motion after, or the only one.
    pub clip: &'a Clip,
    /// The motion before.
    pub before: Option<&'a Motion>,
    /// The events of the motion after; they are circled.
    pub events: &'a Events,
    /// The frames that are shown.
    pub frames: PoseFrames<'a>,
}

/// The frames that a strip of poses shows.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseFrames<'a> {
    /// As many frames of a range as fit into one line, evenly spaced.
    OneLine(FrameRange),
    /// Every n-th frame of a range, in as many lines as needed. An interval of 0 counts as 1.
    Every(usize, FrameRange),
    /// One line of frames around an event, and its foot or knee enlarged.
    Around(EventKind, &'a Event),
}

/// Draws a strip of poses. `None` without legs or frames.
pub fn poses(strip: &PoseStrip) -> Result<Option<Plot>, MeasureError> {
    let context = Context::of(strip.clip, strip.before);
    check(&strip.clip.motion, strip.before, &context)?;
    let shown = performance(strip.clip, strip.frames.range(strip.clip));
    if shown.is_empty() || strip.clip.legs.is_empty() {
        return Ok(None);
    }
    let actors = Actors::new(strip.clip, strip.before, &context);
    let samples: Vec<[Option<Figure>; 2]> =
        evenly(&shown, SAMPLES).into_iter().map(|frame| actors.figures(frame)).collect();
    let columns = matches!(strip.frames, PoseFrames::Around(..)).then_some(AROUND_EVENT);
    let cells = Cells::around(&samples, columns);
    let frames = match &strip.frames {
        PoseFrames::OneLine(_) => evenly(&shown, cells.columns),
        PoseFrames::Every(interval, _) => shown.step_by((*interval).max(1)).collect(),
        PoseFrames::Around(..) => evenly(&shown, AROUND_EVENT),
    };
    Ok(Some(draw(strip, &actors, &cells, &frames)))
}

fn draw(strip: &PoseStrip, actors: &Actors, cells: &Cells, frames: &[usize]) -> Plot {
    let event = match strip.frames {
        PoseFrames::Around(kind, event) => Some((kind, event)),
        _ => None,
    };
    let close_up = event.map(|(_, event)| close_up::CloseUp::new(actors, event, frames));
    let top = TOP + event.map_or(0.0, |_| SENTENCE);
    let figures = cells.height() * frames.len().div_ceil(cells.columns) as f64;
    let height = top + figures + close_up.as_ref().map_or(0.0, close_up::CloseUp::height);
    let mut svg = Svg::new(WIDTH, height, strip.title);
    let legend: &[_] = match strip.before {
        Some(_) => &[(Mark::Line("pose-before"), "before"), (Mark::Line("pose-after"), "after")],
        None => &[],
    };
    svg.heading((0.0, 14.0), strip.title, legend);
    if let Some((kind, event)) = event {
        svg.text("tick", (0.0, TOP + 4.0), Anchor::Start, &event.sentence(kind));
    }
    // A figure also stands for the frames around it, up to half of those between two figures.
    let interval = frames.get(1).map_or(0, |second| second - frames[0]);
    let reach = (interval / 2).min((MARGIN_SECONDS * strip.clip.motion.fps) as usize);
    for (index, &frame) in frames.iter().enumerate() {
        let cell = cells.place(index, top);
        cells.draw(&mut svg, &cell, &actors.figures(frame), frame);
        for (kind, event) in circled(strip, frame, reach) {
            let Some(at) = actors.event_point(frame, kind, event) else { continue };
            svg.dot("pose-event", cells.to_pixels(&cell, at), 5.0, &event.sentence(kind));
        }
    }
    if let Some(close_up) = close_up {
        close_up.draw(&mut svg, top + figures);
    }
    Plot { title: strip.title.into(), height, svg: svg.finish() }
}

impl PoseFrames<'_> {
    /// The first to the last frame that can be shown.
    fn range(&self, clip: &Clip) -> FrameRange {
        match self {
            Self::OneLine(range) | Self::Every(_, range) => range.clone(),
            Self::Around(_, event) => around(event, clip.motion.fps),
        }
    }
}

/// Frames from a margin before an event to a margin after it, including the middle frame of the event.
fn around(event: &Event, fps: f64) -> FrameRange {
    let (middle, half) = (event.first.midpoint(event.last), AROUND_EVENT / 2);
    let margin = (MARGIN_SECONDS * fps).ceil() as usize;
    let interval = (event.last - middle + margin).div_ceil(half).max(1);
    middle.saturating_sub(half * interval)..middle + (AROUND_EVENT - half) * interval
}

/// The part of a range that belongs to the performance.
fn performance(clip: &Clip, range: FrameRange) -> FrameRange {
    range.start.max(clip.first_frame)..range.end.min(clip.motion.frames())
}

/// At most `count` frames of a range, evenly spaced from its start.
fn evenly(range: &FrameRange, count: usize) -> Vec<usize> {
    let count = count.min(range.len());
    (0..count).map(|index| range.start + index * range.len() / count).collect()
}

/// The events within `reach` frames of a frame. Points that are below the floor as captured are included only if the
/// strip shows such an event.
fn circled<'a>(strip: &PoseStrip<'a>, frame: usize, reach: usize) -> Vec<(EventKind, &'a Event)> {
    let (events, shown) = (strip.events, &strip.frames);
    let is_shown = |kind: &EventKind| match shown {
        PoseFrames::Around(EventKind::BelowFloor, _) => true,
        _ => *kind != EventKind::BelowFloor,
    };
    let near = move |event: &&Event| event.first <= frame + reach && frame <= event.last + reach;
    let of_kind = |kind: EventKind| {
        kind.list(events).unwrap_or_default().iter().filter(near).map(move |event| (kind, event))
    };
    EventKind::ALL.into_iter().filter(is_shown).flat_map(of_kind).collect()
}
