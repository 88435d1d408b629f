//! The contacts of every foot point as bars on a time line, which also is the time line of the player.

use super::player::Player;
use super::{Report, plain};
use crate::events::EventKind;
use crate::figures::{HELD, PlantFigures};
use crate::plot::escape;
use crate::unit::Unit;
use core::fmt::Write;

/// Most events that are marked; all of them are in the table below.
const MOST_MARKS: usize = 400;

/// One row for each foot point with plants, and one for the introduced events.
pub(super) fn contacts(report: &Report, player: &Player) -> String {
    let (first, last) = player.shown_file_frames();
    let place = |frame: usize| 100.0 * (frame as f64 - first as f64) / (last as f64 - first as f64).max(1.0);
    let is_shown = |from: usize, to: usize| to >= first && from <= last;
    let mut feet: Vec<(&str, &str)> = Vec::new();
    for plant in &report.figures.plants {
        let foot = (plant.foot.as_str(), plant.point.as_str());
        if !feet.contains(&foot) {
            feet.push(foot);
        }
    }
    let mut rows = String::new();
    for (foot, point) in feet {
        let own = |plant: &&PlantFigures| {
            plant.foot == foot && plant.point.as_str() == point && is_shown(plant.first, plant.last)
        };
        let mut bars = String::new();
        for plant in report.figures.plants.iter().filter(own) {
            let from = place(plant.first).max(0.0);
            let width = place(plant.last + 1).min(100.0) - from;
            let drift = plant.after.drift.unwrap_or(0.0);
            let class = if drift <= HELD { "held" } else { "slid" };
            let hint = format!("frames {}–{}, {}", plant.first, plant.last, drift_text(plant));
            push(&mut bars, class, from, width, &hint);
        }
        rows += &format!(
            "<div class=\"row\"><span class=\"name\">{} {point}</span><div class=\"track\">{bars}</div></div>\n",
            escape(foot)
        );
    }
    rows += &events(report, &place, &is_shown);
    if rows.is_empty() {
        return rows;
    }
    let fps = report.clip.motion.fps;
    format!(
        "<div class=\"contacts\">\n{rows}<div class=\"row\"><span class=\"name\"></span><div class=\"times\">\
         <span>{} s</span><span>{} s</span></div></div>\n</div>\n",
        plain(first as f64 / fps),
        plain(last as f64 / fps)
    )
}

fn drift_text(plant: &PlantFigures) -> String {
    let after = Unit::Metres.format_or_dash(plant.after.drift);
    match plant.before.and_then(|before| before.drift) {
        Some(before) => format!("drift {} → {after}", Unit::Metres.format(before)),
        None => format!("drift {after}"),
    }
}

fn events(report: &Report, place: &dyn Fn(usize) -> f64, is_shown: &dyn Fn(usize, usize) -> bool) -> String {
    let mut marks = String::new();
    let of_kind = |kind: EventKind| {
        let list = kind.list(&report.figures.events).unwrap_or_default();
        list.iter().map(move |event| (kind, event))
    };
    let introduced =
        EventKind::ALL.into_iter().filter(|kind| *kind != EventKind::BelowFloor).flat_map(of_kind);
    for (kind, event) in introduced.filter(|(_, event)| is_shown(event.first, event.last)).take(MOST_MARKS) {
        let from = place(event.first).max(0.0);
        let width = (place(event.last + 1).min(100.0) - from).max(0.4);
        push(&mut marks, "event", from, width, &event.sentence(kind));
    }
    if marks.is_empty() {
        return marks;
    }
    format!(
        "<div class=\"row\"><span class=\"name\">introduced</span><div class=\"track\">{marks}</div></div>\n"
    )
}

fn push(bars: &mut String, class: &str, from: f64, width: f64, hint: &str) {
    let hint = escape(hint);
    write!(bars, "<i class=\"{class}\" style=\"left:{from:.2}%;width:{width:.2}%\" title=\"{hint}\"></i>")
        .expect("writing to a string cannot fail");
}
