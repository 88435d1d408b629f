//! The top of the report: the verdict, warnings, cost, facts and notes.
//!
//! The verdict leads with what went wrong. It is good only where every plant is held, nothing that a viewer notices was
//! introduced and every limit is met.

use super::{Report, plain, unbroken};
use crate::figures::Figures;
use crate::merged_notes::merge_notes;
use crate::plot::escape;
use crate::report::headline::{cost, introduced_list};
use crate::unit::{Unit, count};

/// How the result is judged, as a CSS class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    Bad,
    /// There is nothing to judge: a single motion, or no plants.
    Neutral,
}

/// The top of the report.
pub(super) fn header(report: &Report) -> String {
    let (verdict, sentences) = verdict(report);
    let class = match verdict {
        Verdict::Good => "good",
        Verdict::Bad => "bad",
        Verdict::Neutral => "neutral",
    };
    let paragraph = |class: &str, text: &str| match text {
        "" => String::new(),
        text => format!("<p class=\"{class}\">{}</p>\n", unbroken(text)),
    };
    let (headline, rest) = sentences.split_at(1);
    let cost = cost(report.figures).unwrap_or_default();
    format!(
        "<header>\n<h1>{}</h1>\n{}{}{}{}{}</header>\n",
        escape(report.title),
        paragraph(&format!("headline {class}"), &headline.concat()),
        paragraph("introduced", &rest.join(" ")),
        warnings(report),
        paragraph("facts", &format!("{cost} {}", facts(report))),
        notes(report.notes)
    )
}

fn facts(report: &Report) -> String {
    let motion = &report.clip.motion;
    [
        format!("{} at {} fps", count(motion.frames(), "frame"), plain(motion.fps)),
        format!("{} s", plain(motion.seconds())),
        count(report.clip.legs.len(), "leg"),
        count(report.figures.plants.len(), "plant"),
    ]
    .join(" · ")
}

/// The verdict and its sentences, of which what went wrong is the first.
fn verdict(report: &Report) -> (Verdict, Vec<String>) {
    let figures = report.figures;
    let unjudged = |text: String| {
        let mut bad = vec![missed_sentence(report), introduced_sentence(figures)];
        bad.retain(|(is_bad, _)| *is_bad);
        let verdict = if bad.is_empty() { Verdict::Neutral } else { Verdict::Bad };
        (verdict, bad.into_iter().map(|(_, text)| text).chain([text]).collect())
    };
    let Some(after) = figures.after.drift_max_m else {
        let result =
            if report.before.is_some() { "No foot contacts: no foot was held." } else { "No foot contacts." };
        return unjudged(result.into());
    };
    let Some(before) = figures.before.as_ref().and_then(|before| before.drift_max_m) else {
        let largest = Unit::Metres.format(after);
        return unjudged(format!("{}; largest drift {largest}.", count(figures.plants.len(), "plant")));
    };
    let mut sentences =
        vec![held_sentence(figures, before, after), introduced_sentence(figures), missed_sentence(report)];
    sentences.retain(|(_, text)| !text.is_empty());
    // A stable sort: what went wrong comes first, otherwise the order stays.
    sentences.sort_by_key(|(is_bad, _)| !is_bad);
    let is_bad = sentences.iter().any(|(is_bad, _)| *is_bad);
    let verdict = if is_bad { Verdict::Bad } else { Verdict::Good };
    (verdict, sentences.into_iter().map(|(_, text)| text).collect())
}

/// Whether plants slide, and how many.
fn held_sentence(figures: &Figures, before: f64, after: f64) -> (bool, String) {
    let (held, all) = figures.plants_held();
    let [before, after] = [before, after].map(|drift| Unit::Metres.format(drift));
    if held == all {
        return (false, format!("{} held; largest drift {before} → {after}.", count(all, "plant")));
    }
    let slide = if all - held == 1 { "still slides" } else { "still slide" };
    let text =
        format!("{} of {} {slide}, by up to {after} (before {before}).", all - held, count(all, "plant"));
    (true, text)
}

fn introduced_sentence(figures: &Figures) -> (bool, String) {
    match introduced_list(figures) {
        Some(found) if !found.is_empty() => (true, format!("Introduced: {}.", found.join(", "))),
        _ => (false, "Nothing visible was introduced.".into()),
    }
}

fn missed_sentence(report: &Report) -> (bool, String) {
    match report.missed_limits.len() {
        0 => (false, String::new()),
        1 => (true, "A limit was not met.".into()),
        missed => (true, format!("{missed} limits were not met.")),
    }
}

/// The limits that were not met and the warnings about the file.
fn warnings(report: &Report) -> String {
    let limits = report.missed_limits.iter().map(|text| format!("not met: {text}"));
    let all: Vec<String> = limits.chain(report.warnings.iter().cloned()).collect();
    if all.is_empty() {
        return String::new();
    }
    let items: String = all.iter().map(|text| format!("<li>{}</li>\n", escape(text))).collect();
    format!("<ul class=\"warnings\" aria-label=\"warnings\">\n{items}</ul>\n")
}

/// The notes, folded away.
pub(super) fn notes(notes: &[String]) -> String {
    let merged = merge_notes(notes);
    if merged.is_empty() {
        return String::new();
    }
    let items: String =
        merged.iter().map(|note| format!("<li>{}</li>\n", escape(&note.sentence()))).collect();
    let heading = count(merged.len(), "note");
    format!("<details class=\"notes\">\n<summary>{heading}</summary>\n<ul>\n{items}</ul>\n</details>\n")
}
