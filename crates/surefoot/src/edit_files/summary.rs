//! The summary of an edit: figures, text and report.

use surefoot_measure::{
    EditReport, Figures, MeasureError, SourceFigures, cost, edit_report, headline, measure, table_of_edit,
};

use super::finish::EditedFile;
use crate::MotionFile;
use crate::text::{bullets, columns, printable, wrapped};

/// A description of an edit.
#[derive(Clone, Debug)]
pub struct EditDescription<'a, D> {
    /// The name of the edit.
    pub command: &'static str,
    /// Sentences that describe the edit.
    pub about: Vec<String>,
    /// The details of the edit, for JSON.
    pub details: D,
    /// A further table: its heading and its rows, of which the first is the header.
    pub table: Option<(&'a str, Vec<Vec<String>>)>,
}

/// An edit of one or two files, and their figures before it.
#[derive(Clone, Debug)]
pub struct EditSummary<'a, D> {
    pub(super) sources: &'a [&'a MotionFile],
    pub(super) edited: &'a EditedFile<'a>,
    pub(super) description: &'a EditDescription<'a, D>,
    /// The figures of the files as they were captured.
    pub source_figures: Vec<Figures>,
}

impl<'a, D> EditSummary<'a, D> {
    /// Measures the files as they were captured. An error comes with the name of its file.
    pub fn new(
        sources: &'a [&'a MotionFile],
        edited: &'a EditedFile<'a>,
        description: &'a EditDescription<'a, D>,
    ) -> Result<Self, (String, MeasureError)> {
        let figures = |file: &&MotionFile| {
            measure(&file.clip.relative_to_ground(), None).map_err(|error| (file.name.clone(), error))
        };
        let source_figures = sources.iter().map(figures).collect::<Result<_, _>>()?;
        Ok(Self { sources, edited, description, source_figures })
    }

    fn labelled(&self) -> Vec<(&str, &Figures)> {
        let labels: &[&str] = if self.sources.len() > 1 { &["first", "second"] } else { &["before"] };
        labels.iter().copied().zip(&self.source_figures).collect()
    }

    /// The report as one HTML page.
    pub fn report_page(&self, title: &str) -> Result<String, MeasureError> {
        let more = self.description.table.as_ref().map(|(heading, rows)| (*heading, rows.as_slice()));
        let sources: &SourceFigures = &self.labelled();
        let report = self.edited.file.report_input(title, &self.edited.notes);
        edit_report(&EditReport { report, sources, about: &self.description.about, more })
    }

    /// The figures before and after, and the notes, as text.
    pub fn text(&self) -> String {
        let EditedFile { file, knee_speed_added, notes, .. } = self.edited;
        let names: Vec<&str> = self.sources.iter().map(|source| source.name.as_str()).collect();
        let about = self.description.about.iter().map(|line| wrapped(&printable(line), 0, ""));
        let mut text = format!("{}\n{}", printable(&names.join(" and ")), about.collect::<String>());
        text += &wrapped(&headline(&file.figures), 0, "");
        text += &cost(&file.figures).map_or_else(String::new, |cost| wrapped(&cost, 0, ""));
        if let Some(speed) = knee_speed_added {
            let degrees = (speed / file.clip.motion.fps).to_degrees();
            text += &format!(
                "Cleaning changed the angular speed of the knees by up to {degrees:.2}° per frame.\n"
            );
        }
        text.push('\n');
        text += &table_of_edit(&self.labelled(), &file.figures);
        if let Some((heading, rows)) = &self.description.table {
            text += &format!("\n{heading}\n{}", columns(rows));
        }
        text + &bullets("Notes", notes)
    }
}
