//! The review: what could be objected to in the result, the most visible first, each with a link to its frame.
//!
//! The same list as in `surefoot measure` and in the studio. Notes are part of the list too; the top of the report has
//! them already.

use super::{Report, section, unbroken};
use crate::review::{ReviewItem, ReviewKind, review};

/// Most items of a kind, so that the page stays readable. JSON has all of them.
const MOST_ITEMS: usize = 100;

/// The section; empty without a motion before, because there is no result to judge.
pub(super) fn review_section(report: &Report) -> String {
    if report.before.is_none() {
        return String::new();
    }
    let items = review(report.clip, report.figures, &[]);
    let lists: String = ReviewKind::ALL.into_iter().map(|kind| list(kind, &items)).collect();
    let nothing =
        "<p class=\"caption\">Nothing to review: every plant is held, and nothing new is visible.</p>\n";
    section("Review", if lists.is_empty() { nothing } else { &lists })
}

fn list(kind: ReviewKind, items: &[ReviewItem]) -> String {
    let own: Vec<&ReviewItem> = items.iter().filter(|item| item.kind == kind).collect();
    if own.is_empty() {
        return String::new();
    }
    let rows: String = own.iter().take(MOST_ITEMS).map(|item| row(item)).collect();
    let more = match own.len().saturating_sub(MOST_ITEMS) {
        0 => String::new(),
        more => format!("<li>{more} more are in the JSON of <code>surefoot measure</code></li>\n"),
    };
    format!("<h3>{}</h3>\n<ul class=\"review\">\n{rows}{more}</ul>\n", kind.heading())
}

fn row(item: &ReviewItem) -> String {
    let text = unbroken(&item.text);
    match item.frame {
        Some(frame) => {
            format!(
                "<li><button type=\"button\" class=\"link\" data-frame=\"{frame}\">{text}</button></li>\n"
            )
        }
        None => format!("<li>{text}</li>\n"),
    }
}
