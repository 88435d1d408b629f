//! The options of the benchmark.

use std::path::PathBuf;

use surefoot::Settings;
use surefoot::contact::{Edges, Method};

/// The folders of the captures.
pub const FOLDERS: [&str; 2] = ["bvh", "labelled"];

/// Captures and settings of a run.
pub struct Options {
    /// The captures.
    pub files: Vec<PathBuf>,
    /// Factors of the horizontal root path: other than 1, they make the feet skate.
    pub scales: Vec<f64>,
    /// The forms of the method.
    pub forms: Vec<(&'static str, Settings)>,
    /// Where plants start and end.
    pub edges: Edges,
    /// The detection method.
    pub method: Method,
    /// Whether every capture has a row of its own, not only those named in `main.rs`.
    pub every_clip: bool,
    /// Whether to print every event.
    pub every_event: bool,
    /// Whether to measure only the time per frame.
    pub only_cost: bool,
}

impl Options {
    /// The default options for these captures.
    pub fn of(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            scales: vec![1.0, 1.1],
            forms: vec![("paper", Settings::paper()), ("ours", Settings::default())],
            edges: Edges::Rest,
            method: Method::default(),
            every_clip: false,
            every_event: false,
            only_cost: false,
        }
    }

    /// Reads the arguments after `--`.
    pub fn from_args() -> Result<Self, String> {
        let mut options = Self::of(Vec::new());
        let mut folders = Vec::new();
        let (mut stretch, mut words) = (None, std::env::args().skip(1));
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} has no value"));
            let number = |text: String| text.parse::<f64>().map_err(|_| format!("{text} is not a number"));
            match word.as_str() {
                // Cargo adds this one.
                "--bench" => {}
                "cost" => options.only_cost = true,
                "--clips" => options.every_clip = true,
                "--events" => options.every_event = true,
                "--scale" => options.scales = vec![number(value()?)?],
                "--stretch" => stretch = Some(number(value()?)?),
                "--form" => {
                    let name = value()?;
                    options.forms.retain(|(form, _)| *form == name);
                }
                "--edges" => options.edges = if value()? == "touch" { Edges::Touch } else { Edges::Rest },
                "--method" => {
                    let name = value()?;
                    options.method = Method::from_name(&name).ok_or(format!("no method {name}"))?;
                }
                word if word.starts_with('-') => return Err(format!("unknown option {word}")),
                folder => folders.push(folder.to_owned()),
            }
        }
        if let Some(stretch) = stretch {
            options.forms.iter_mut().for_each(|(_, settings)| settings.stretch = Some(stretch));
        }
        if folders.is_empty() {
            folders = FOLDERS.map(String::from).into();
        }
        options.files = folders.iter().flat_map(|folder| surefoot_testdata::files(folder, ".bvh")).collect();
        Ok(options)
    }
}
