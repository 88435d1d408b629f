//! One clip: cleaned, with its row and its drawing, or the reason why it could not be.

use core::fmt;

use surefoot::{CleanFile, Error, Limits, LoadOptions, MotionFile, Settings};

use crate::row::Row;
use crate::thumbnail::thumbnail;

/// Whether the report of a clip is needed, which takes longer than cleaning it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// The clean file and its row.
    Motion,
    /// Also the report.
    Report,
}

/// Facts about a clip, in addition to its clean file.
#[derive(Clone, Debug, Default)]
pub struct ClipFacts {
    /// The name of the clip in the corpus.
    pub name: String,
    /// Warnings about the file.
    pub warnings: Vec<String>,
    /// Notes about the file and the result.
    pub notes: Vec<String>,
    /// A line for each limit that is not met.
    pub limits_missed: Vec<String>,
}

/// A clip that was cleaned.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Cleaned {
    /// The bytes of the clean file.
    pub bytes: Vec<u8>,
    /// Its row of the table.
    pub row: Row,
    /// A drawing of a foot, as an `<svg>` element.
    pub thumbnail: String,
    /// The report, if it was wanted.
    pub report: Option<String>,
}

impl Cleaned {
    /// The result of a clip from its clean file.
    pub fn new(facts: &ClipFacts, mut file: CleanFile, want: Want) -> Result<Self, Failure> {
        let (row, thumbnail) = (Row::cleaned(facts, &file), thumbnail(&file));
        let report = (want == Want::Report)
            .then(|| surefoot_measure::report(&file.report_input(&facts.name, &facts.notes)))
            .transpose()
            .map_err(|error| Failure::new(format!("cannot make the report: {error}")))?;
        Ok(Self { bytes: std::mem::take(&mut file.bytes), row, thumbnail, report })
    }
}

/// Why a clip could not be cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The reason, in one line, without the name of the clip.
    pub message: String,
    /// The line of the file, where the text of the file is wrong.
    pub line: Option<usize>,
}

impl Failure {
    /// A failure that is not about a line of the file.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: None }
    }

    /// A failure at a line of the file.
    pub fn at(line: usize, message: impl Into<String>) -> Self {
        Self { message: message.into(), line: Some(line) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Read { error, .. } => match error.position() {
                Some(position) => Self::at(position.line, error.problem()),
                None => Self::new(error.to_string()),
            },
            Error::Io { error, .. } => Self::new(error.to_string()),
            error => Self::new(error.to_string()),
        }
    }
}

/// A file to clean with the library alone: its name in the corpus, its bytes and what is stated about it.
#[derive(Clone, Debug, Default)]
pub struct ClipInput {
    /// The name of the clip in the corpus.
    pub name: String,
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// What is not inferred.
    pub options: LoadOptions,
    /// The solver's settings.
    pub settings: Settings,
    /// Limits on the figures.
    pub limits: Limits,
}

/// Loads, cleans and measures a file, as `surefoot clean` does.
pub fn clean_file(input: ClipInput, want: Want) -> Result<Cleaned, Failure> {
    let ClipInput { name, bytes, options, settings, limits } = input;
    let mut file = MotionFile::from_bytes(name, bytes, &options)?;
    file.require_legs().map_err(Error::NoLegs)?;
    file.ensure_plants()?;
    let (warnings, mut notes, name) = (file.warnings(), file.clip_notes(), file.name.clone());
    let clean = file.clean(&settings)?;
    notes.extend(clean.notes.iter().map(|note| note.text.clone()));
    let limits_missed = limits.missed(&clean.figures);
    Cleaned::new(&ClipFacts { name, warnings, notes, limits_missed }, clean, want)
}
