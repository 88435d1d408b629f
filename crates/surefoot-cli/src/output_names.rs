//! Where do things go? What is written by a command, and how that is told.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::args::Force;
use crate::input::is_dash;
use crate::output::{Existing, Output, beside, claim_all, print};
use crate::problem::{CommandError, Problem};

/// What is written, and how it is told.
#[derive(Args, Debug, Default)]
pub struct OutputOptions {
    /// The file to write; - is stdout
    /// [default: walk.COMMAND.bvh for walk.bvh, as walk.clean.bvh; stdout for stdin]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Write a report with figures and curves, one HTML page; - is stdout
    /// [default: none is written]
    #[arg(long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Print what was done and the figures as one JSON value [default: as text]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub force: Force,
}

/// The names of all that is written.
pub struct OutputNames {
    pub motion: PathBuf,
    pub plants: Option<PathBuf>,
    pub report: Option<PathBuf>,
    /// One more, and what it is.
    pub other: Option<(PathBuf, &'static str)>,
}

impl OutputNames {
    /// What a command that is called `word` writes of `file`.
    pub fn new(file: &Path, word: &str, writes: &OutputOptions) -> Self {
        let default =
            || if is_dash(file) { PathBuf::from("-") } else { beside(file, &format!("{word}.bvh")) };
        let motion = writes.output.clone().unwrap_or_else(default);
        Self { motion, plants: None, report: writes.report.clone(), other: None }
    }

    fn all(&self) -> Vec<&Path> {
        let other = self.other.as_ref().map(|(name, _)| name);
        let names = [Some(&self.motion), self.plants.as_ref(), self.report.as_ref(), other];
        names.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Their places, found good, in the order motion, plants, report, other.
    pub fn claim(&self, writes: &OutputOptions) -> Result<Vec<Output>, Problem> {
        let names = self.all();
        if writes.json && names.iter().any(|name| is_dash(name)) {
            let both = "--json and an output named - both want stdout";
            return Err(Problem::new(both).help("name the file with -o"));
        }
        claim_all(&names, Existing::from_force(writes.force.force))
    }

    /// Words for a person, on stdout unless that is an output.
    pub fn say(&self, text: &str) -> Result<(), CommandError> {
        if self.all().iter().any(|name| is_dash(name)) {
            eprint!("{text}");
            return Ok(());
        }
        print(text.as_bytes())
    }

    /// A line for each file that was written; the motion is `what`.
    pub fn listed(&self, what: &str) -> String {
        let written = [
            (Some(&self.motion), what),
            (self.plants.as_ref(), "the plants that were held, to edit"),
            (self.report.as_ref(), "the report, for a browser"),
            (self.other.as_ref().map(|(name, _)| name), self.other.as_ref().map_or("", |(_, what)| what)),
        ];
        let line = |(name, what): (Option<&PathBuf>, &str)| {
            name.filter(|name| !is_dash(name)).map(|name| format!("{}: {what}\n", name.display()))
        };
        written.into_iter().filter_map(line).collect()
    }
}
