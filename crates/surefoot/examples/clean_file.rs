//! Cleans a motion file, as `surefoot clean` does.
//!
//! ```sh
//! cargo run -p surefoot --example clean_file -- walk.bvh walk.clean.bvh
//! ```

use std::error::Error;
use std::path::Path;

use surefoot::{MotionFile, Settings};

/// Reads the names of the two files from the command line.
pub fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("usage: clean_file IN.bvh OUT.bvh".into());
    };
    run(Path::new(input), Path::new(output))
}

/// Cleans one file, prints its figures and notes, and saves it.
pub fn run(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let mut walk = MotionFile::load(input)?;
    let clean = walk.clean(&Settings::default())?;
    println!("{}", clean.figures.table());
    for note in &clean.notes {
        println!("{}", note.text);
    }
    clean.save(output)?;
    Ok(())
}
