//! The names of the files that an edit writes.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use surefoot::edit_files::WrittenFiles;
use surefoot::text::printable;

use crate::args::Force;
use crate::input::is_dash;
use crate::output::{Output, claim_all, print, shown};
use crate::problem::{CommandError, Problem};
use crate::stderr::write_stderr;

/// The flags for what is written and printed.
#[derive(Args, Debug, Default)]
pub struct OutputOptions {
    /// The file to write; - is stdout
    /// [default: walk.COMMAND.bvh for walk.bvh, such as walk.clean.bvh; stdout for stdin]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    /// Also write a report with figures and curves, as one HTML page; - is stdout
    /// [default: not written]
    #[arg(long, value_name = "REPORT.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Print the result and its figures as one JSON value [default: as text]
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub force: Force,
}

/// The names of all outputs of a command.
pub struct OutputNames {
    pub motion: PathBuf,
    pub plants: Option<PathBuf>,
    pub report: Option<PathBuf>,
    /// A further output of the command, and a description of it.
    pub other: Option<(PathBuf, &'static str)>,
}

impl OutputNames {
    /// The default names for the outputs of a command on `file`.
    pub fn new(file: &Path, word: &str, writes: &OutputOptions) -> Self {
        let ending = file.extension().map_or_else(|| "bvh".into(), |ending| ending.to_string_lossy());
        let default = || match is_dash(file) {
            true => PathBuf::from("-"),
            false => file.with_extension(format!("{word}.{ending}")),
        };
        let motion = writes.output.clone().unwrap_or_else(default);
        Self { motion, plants: None, report: writes.report.clone(), other: None }
    }

    fn all(&self) -> Vec<&Path> {
        let other = self.other.as_ref().map(|(name, _)| name);
        let names = [Some(&self.motion), self.plants.as_ref(), self.report.as_ref(), other];
        names.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// Checks that all outputs can be written, in the order motion, plants, report, other.
    pub fn claim(&self, writes: &OutputOptions) -> Result<Vec<Output>, Problem> {
        let names = self.all();
        if writes.json && names.iter().any(|name| is_dash(name)) {
            let both = "--json and an output named - cannot both go to stdout";
            return Err(Problem::new(both).help("name the file with -o"));
        }
        claim_all(&names, writes.force.existing())
    }

    /// Prints text for a person: to stdout, or to stderr if an output goes to stdout.
    pub fn print_text(&self, text: &str) -> Result<(), CommandError> {
        if self.all().iter().any(|name| is_dash(name)) {
            write_stderr(text);
            return Ok(());
        }
        print(text.as_bytes())
    }

    /// The names of the files that are written, for JSON.
    pub fn written(&self) -> WrittenFiles {
        WrittenFiles {
            output: Some(shown(&self.motion)),
            plants_file: self.plants.as_deref().map(shown),
            report: self.report.as_deref().map(shown),
        }
    }

    /// A line for each file that was written; `what` describes the motion.
    pub fn file_list(&self, what: &str) -> String {
        let written = [
            (Some(&self.motion), what),
            (self.plants.as_ref(), "the plants that were held; this file can be edited"),
            (self.report.as_ref(), "the report; open it in a browser"),
            (self.other.as_ref().map(|(name, _)| name), self.other.as_ref().map_or("", |(_, what)| what)),
        ];
        let line = |(name, what): (Option<&PathBuf>, &str)| {
            name.filter(|name| !is_dash(name)).map(|name| format!("{}: {what}\n", printable(&shown(name))))
        };
        written.into_iter().filter_map(line).collect()
    }
}
