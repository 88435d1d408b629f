//! The figures as a text table.

use crate::figures::{Figures, ratio};
use crate::rows::{Group, ROWS, Row};
use crate::unit::digits;

/// One row of the table, formatted as text.
pub(crate) struct Line {
    /// The label of the figure.
    pub label: &'static str,
    /// The key of the figure in JSON.
    pub key: &'static str,
    /// The value before, if there is a motion before.
    pub before: String,
    /// The value after, or of the only motion.
    pub after: String,
    /// After ÷ before, if before is not 0.
    pub ratio: String,
}

/// The motions before an edit: a name and the figures of each.
pub type SourceFigures<'a> = [(&'a str, &'a Figures)];

/// An edit's figures as a text table: the motions before it, edited, and clean.
///
/// In `edited`, the motion before is the edited one and the motion after is the clean one. An edit that was not
/// cleaned has no motion before.
pub fn table_of_edit(sources: &SourceFigures, edited: &Figures) -> String {
    let mut text = format!("{:34}", "");
    edit_columns(sources, edited).iter().for_each(|column| text += &format!("{column:>14}"));
    text.push('\n');
    for (heading, lines) in edit_lines(sources, edited) {
        text += &format!("{heading}\n");
        for (label, _, cells) in lines {
            let cells: String = cells.iter().map(|cell| format!("{cell:>14}")).collect();
            text += &format!("{}\n", format!("  {label:32}{cells}").trim_end());
        }
        text += &remark(heading);
    }
    text
}

/// The column headings of the table of an edit.
pub(crate) fn edit_columns<'a>(sources: &SourceFigures<'a>, edited: &Figures) -> Vec<&'a str> {
    let clean = edited.before.is_some().then_some("clean");
    sources.iter().map(|(name, _)| *name).chain(["edited"]).chain(clean).collect()
}

/// A label, its key, and a cell for each column.
type EditLine = (&'static str, &'static str, Vec<String>);

/// The lines of an edit's table under their headings.
pub(crate) fn edit_lines(sources: &SourceFigures, edited: &Figures) -> Vec<(&'static str, Vec<EditLine>)> {
    let lines_of = |(_, figures): &(&str, &Figures)| -> Vec<Line> {
        figures.lines().into_iter().flat_map(|(_, lines)| lines).collect()
    };
    let first: Vec<Vec<Line>> = sources.iter().map(lines_of).collect();
    let line = |line: Line| {
        let before = |lines: &Vec<Line>| {
            lines
                .iter()
                .find(|other| other.key == line.key)
                .map_or_else(String::new, |line| line.after.clone())
        };
        let mut cells: Vec<String> = first.iter().map(before).collect();
        cells.extend(edited.before.is_some().then_some(line.before));
        cells.push(line.after);
        (line.label, line.key, cells)
    };
    let group =
        |(heading, lines): (&'static str, Vec<Line>)| (heading, lines.into_iter().map(line).collect());
    edited.lines().into_iter().map(group).collect()
}

impl Figures {
    /// The figures as a text table: name, before, after, and after ÷ before.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let paired = self.before.is_some();
        if paired {
            text += &format!("{:34}{:>14}{:>14}{:>8}\n", "", "before", "after", "ratio");
        }
        for (heading, lines) in self.lines() {
            text += &format!("{heading}\n");
            for line in lines {
                let label = format!("  {}", line.label);
                let row = if paired {
                    format!("{label:34}{:>14}{:>14}{:>8}", line.before, line.after, line.ratio)
                } else {
                    format!("{label:34}{:>14}", line.after)
                };
                text += &format!("{}\n", row.trim_end());
            }
            text += &remark(heading);
        }
        text
    }

    /// The lines of the table under their headings.
    ///
    /// Without a motion before, figures that compare two motions are left out.
    pub(crate) fn lines(&self) -> Vec<(&'static str, Vec<Line>)> {
        let mut groups: Vec<(&'static str, Vec<Line>)> = Vec::new();
        for row in ROWS.iter().filter(|row| self.before.is_some() || !row.is_change()) {
            let heading = row.group.heading();
            match groups.last_mut().filter(|group| group.0 == heading) {
                Some(group) => group.1.push(self.line(row)),
                None => groups.push((heading, vec![self.line(row)])),
            }
        }
        groups
    }

    fn line(&self, row: &Row) -> Line {
        let (before, after) = row.values(self);
        // A ratio to a value that is shown as 0 would look like a mistake.
        let shown = before.flatten().is_some_and(|before| row.unit.shows(before));
        let share = before.and_then(|before| ratio(before, after)).filter(|_| shown);
        Line {
            label: row.label,
            key: row.key,
            before: before.map_or_else(String::new, |before| row.unit.format_or_dash(before)),
            after: row.unit.format_or_dash(after),
            ratio: share.map_or_else(String::new, format_ratio),
        }
    }
}

/// The remark below a group of figures, as a line of the table.
fn remark(heading: &str) -> String {
    Group::remark(heading).map_or_else(String::new, |remark| format!("  {remark}\n"))
}

/// The text of a ratio. Above a thousand its digits carry no information.
fn format_ratio(ratio: f64) -> String {
    if ratio < 999.5 { digits(ratio) } else { "> 999".into() }
}
