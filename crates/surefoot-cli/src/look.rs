//! Reading a motion file and finding out what it is about.

use std::path::Path;

use surefoot_core::understand::{Given, Understanding, understand};
use surefoot_formats::Space;
use surefoot_formats::bvh::{Bvh, BvhError};

use crate::args::Told;
use crate::input::{self, Input};
use crate::problem::{Place, Problem};
use crate::settings::settings_for;
use crate::words::FloorWord;

/// A file, and what it is about.
pub struct Looked {
    /// The file's name, to show.
    pub name: String,
    /// What is in it.
    pub bvh: Bvh,
    /// What that means.
    pub understanding: Understanding,
}

impl Looked {
    /// The file's unit and up axis.
    pub fn space(&self) -> Space {
        Space {
            unit_m: self.understanding.unit_m.value,
            up: self.understanding.up.value,
        }
    }
}

/// Reads a motion file and finds out what it is about, but for what the user says.
pub fn look(file: &Path, told: &Told) -> Result<Looked, Problem> {
    let (path, name, bvh) = open(file)?;
    todo!()
}

/// Reads a motion file, and nothing more.
pub fn open(file: &Path) -> Result<(Option<PathBuf>, String, Bvh), Problem> {
    let Input { name, path, bytes } = input::read(file)?;
    todo!()
}

/// Reads the bytes of a motion file.
pub fn parse(name: &str, bytes: Vec<u8>) -> Result<Bvh, Problem> {
    Bvh::read(bytes).map_err(|error| problem_of(name, error))
}

fn problem_of(name: &str, error: BvhError) -> Problem {
    Problem::new(error.problem.to_string()).at(Place {
        file: name.to_owned(),
        line: error.place.line,
        column: error.place.column,
        text_column: error.place.text_column,
        text: error.place.text,
        length: 1,
    })
}
