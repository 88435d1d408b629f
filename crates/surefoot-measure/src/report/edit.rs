//! The HTML report of an edit: source, edited and clean motion side by side.

use super::{Report, footer, header, introduced, meanings, motion, page, plants, plots, section};
use crate::context::MeasureError;
use crate::plot::{Curves, escape};
use crate::table::{SourceFigures, edit_columns, edit_lines};

/// The content of the report of an edit.
#[derive(Clone, Copy, Debug)]
pub struct EditReport<'a> {
    /// The written motion, compared with the edited motion before cleaning.
    pub report: Report<'a>,
    /// Names and figures of the source motions.
    pub sources: &'a SourceFigures<'a>,
    /// Sentences that describe the edit.
    pub about: &'a [String],
    /// Heading and rows of an additional table; the first row is its header.
    pub more: Option<(&'a str, &'a [Vec<String>])>,
}

/// The HTML page.
pub fn edit_report(edited: &EditReport) -> Result<String, MeasureError> {
    let report = &edited.report;
    let curves = Curves::new(report.clip, report.before)?.of_edit();
    let about: String = edited.about.iter().map(|line| format!("<p>{}</p>\n", escape(line))).collect();
    let parts = [
        header(report),
        if about.is_empty() { about } else { section("The edit", &about) },
        motion(report, &curves),
        introduced::introduced(report)?,
        section("Figures", &(figures(edited) + &meanings::meanings(report.figures))),
        plots(&curves, report),
        plants(report),
        more(edited),
        footer(),
    ];
    Ok(page(report.title, &parts))
}

fn figures(edited: &EditReport) -> String {
    let columns = edit_columns(edited.sources, edited.report.figures);
    let head: String =
        columns.iter().map(|name| format!("<th scope=\"col\">{}</th>", escape(name))).collect();
    let mut rows = String::new();
    for (heading, lines) in edit_lines(edited.sources, edited.report.figures) {
        let span = columns.len() + 1;
        rows +=
            &format!("<tr class=\"group\"><th colspan=\"{span}\" scope=\"rowgroup\">{heading}</th></tr>\n");
        for (label, key, cells) in lines {
            let cells: String = cells.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect();
            let label = label.replace(" %", "\u{a0}%");
            rows += &format!("<tr><th scope=\"row\" title=\"{key}\">{label}</th>{cells}</tr>\n");
        }
    }
    format!(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"figures edit\">\n<thead><tr><td></td>{head}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

/// The additional table, collapsed.
fn more(edited: &EditReport) -> String {
    let Some((heading, [head, rows @ ..])) = edited.more else { return String::new() };
    let cells = |row: &Vec<String>, tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell))).collect()
    };
    let rows: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!(
        "<section>\n<details>\n<summary>{}</summary>\n<div class=\"scroll\" tabindex=\"0\"><table class=\"plants\">\n\
         <thead><tr>{}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n</details>\n</section>\n",
        escape(heading),
        cells(head, "th")
    )
}
