//! The index page: the clips that a person should look at, ranked, as one HTML file.

use surefoot_measure::Unit;
use surefoot_measure::plot::{STYLE, escape};

use crate::batch::Summary;
use crate::row::Row;
use crate::work_list::Clip;

/// A clip on the page.
pub(crate) struct Listed<'a> {
    pub clip: &'a Clip,
    pub row: Row,
    pub thumbnail: String,
    /// The path of its report below the output folder.
    pub report: Option<String>,
}

/// The page. `table` is the name of the table with all clips.
pub(crate) fn index_page(summary: &Summary, ranked: &[Listed], failed: &[Listed], table: &str) -> String {
    let clips: String = ranked.iter().enumerate().map(|(index, clip)| ranked_row(index + 1, clip)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{title}</h1>\n{}</header>\n\
         {}<section>\n<h2>What to look at first</h2>\n<p class=\"caption\">{}</p>\n\
         <ol class=\"clips\">\n{clips}</ol>\n</section>\n</main>\n<script>\n{}</script>\n</body>\n</html>\n",
        include_str!("index_page.css"),
        totals(summary, table),
        failures(summary, failed),
        order(summary, ranked.len()),
        include_str!("index_page.js"),
        title = "Cleaned corpus",
    )
}

fn totals(summary: &Summary, table: &str) -> String {
    let Summary { clips, failed, limits_missed, with_events, frames, .. } = summary;
    let cell = |count: String, label: &str| format!("<li><b>{count}</b> {label}</li>\n");
    format!(
        "<ul class=\"totals\">\n{}{}{}{}{}</ul>\n<p class=\"caption\">Every figure of every clip: \
         <a href=\"{table}\">{table}</a></p>\n",
        cell(thousands((clips - failed) as u64), "clips cleaned"),
        cell(thousands(*frames), "frames"),
        cell(thousands(*with_events as u64), "clips with visible events"),
        cell(thousands(*limits_missed as u64), "clips miss a limit"),
        cell(thousands(*failed as u64), "files could not be cleaned"),
        table = escape(table),
    )
}

fn order(summary: &Summary, listed: usize) -> String {
    let left_out = (summary.clips - summary.failed).saturating_sub(listed);
    let left_out = match left_out {
        0 => String::new(),
        count => format!(" {} further clips are in the table only.", thousands(count as u64)),
    };
    format!(
        "Ranked by the number of visible events, then by missed limits, then by the confidence \
         of the least certain plant. Each drawing shows a foot at its worst moment from the side: orange before, blue \
         after.{left_out}"
    )
}

fn ranked_row(rank: usize, listed: &Listed) -> String {
    let Listed { clip, row, thumbnail, report } = listed;
    let report = report.as_ref().map_or(String::new(), |report| link(report, "report"));
    format!(
        "<li><span class=\"rank\">{rank}</span><div class=\"drawing\">{thumbnail}</div><div>\
         <h3>{}</h3>\n<p>{}</p>\n<p class=\"actions\">{report}{}</p></div></li>\n",
        link(&clip.name, &clip.name),
        reasons(row).join("<br>"),
        studio(clip),
    )
}

/// The reasons to look at a clip, most important first.
fn reasons(row: &Row) -> Vec<String> {
    let mut reasons = Vec::new();
    let events = row.number("events").unwrap_or(0.0) as u64;
    if events > 0 {
        let more = if events > 1 { format!(", and {} more", thousands(events - 1)) } else { String::new() };
        reasons.push(format!("<strong>{}{more}</strong>", escape(row.text("worst_event"))));
    }
    reasons.extend(row.text("limits_missed").lines().map(|line| format!("limit not met: {}", escape(line))));
    let [frames, plants] = ["frames", "plants"].map(|name| row.number(name).unwrap_or(0.0) as u64);
    let sure = row
        .number("confidence_min")
        .map_or(String::new(), |least| format!(", least confidence {:.0} %", 100.0 * least));
    reasons.push(format!("{} frames, {} plants{sure}", thousands(frames), thousands(plants)));
    let drift = |name| row.number(name).map(|drift| Unit::Metres.format(drift));
    if let Some((before, after)) = drift("drift_max_m_before").zip(drift("drift_max_m_after")) {
        reasons.push(format!("largest drift {before} → {after}"));
    }
    reasons
}

/// A page in a browser cannot start a program, so that the command is copied.
fn studio(clip: &Clip) -> String {
    let path = clip.path.display().to_string();
    let command = format!("surefoot studio '{}'", path.replace('\'', "'\\''"));
    format!("<button data-command=\"{}\">copy the studio command</button>", escape(&command))
}

fn failures(summary: &Summary, failed: &[Listed]) -> String {
    if failed.is_empty() {
        return String::new();
    }
    let line = |listed: &Listed| {
        let row = &listed.row;
        let place = row.number("error_line").map_or(String::new(), |line| format!("line {line}: "));
        format!("<li><b>{}</b>: {place}{}</li>\n", escape(&listed.clip.name), escape(row.text("error")))
    };
    let lines: String = failed.iter().map(line).collect();
    let more = match summary.failed - failed.len() {
        0 => String::new(),
        count => format!("<p class=\"caption\">{} more are in the table.</p>\n", thousands(count as u64)),
    };
    format!("<section>\n<h2>Could not be cleaned</h2>\n<ul>\n{lines}</ul>\n{more}</section>\n")
}

/// A link to a path below the page.
fn link(path: &str, text: &str) -> String {
    // Characters that end a path or start an escape in an address.
    let address = path.replace('%', "%25").replace('#', "%23").replace('?', "%3F");
    format!("<a href=\"./{}\">{}</a> ", escape(&address), escape(text))
}

/// A number with commas between thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(
            ["0", "999", "1,000", "1,234,567"],
            [0, 999, 1000, 1_234_567].map(thousands).each_ref().map(|t| t.as_str())
        );
    }

    #[test]
    fn names_cannot_break_the_page() {
        let clip = Clip { name: "a\"#<b>?.bvh".into(), path: "/x/it's.bvh".into() };
        assert_eq!(link(&clip.name, "t"), "<a href=\"./a&quot;%23&lt;b&gt;%3F.bvh\">t</a> ");
        assert!(studio(&clip).contains("surefoot studio &#39;/x/it&#39;\\&#39;&#39;s.bvh&#39;"));
    }
}
