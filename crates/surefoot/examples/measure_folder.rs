//! Measures every BVH file of a folder and prints a table as CSV.
//!
//! ```sh
//! cargo run -p surefoot --example measure_folder -- captures > captures.csv
//! ```

use std::error::Error;
use std::path::{Path, PathBuf};

use surefoot::MotionFile;
use surefoot::measure::measure;

/// Reads the name of the folder from the command line.
pub fn main() -> Result<(), Box<dyn Error>> {
    let Some(folder) = std::env::args().nth(1) else {
        return Err("usage: measure_folder FOLDER".into());
    };
    print!("{}", run(Path::new(&folder))?);
    Ok(())
}

/// The table as CSV: one row for each BVH file of the folder.
pub fn run(folder: &Path) -> Result<String, Box<dyn Error>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "bvh"));
    paths.sort();
    let mut table = String::from("file,plants,drift_max_m,slide_mean_m_per_s,penetration_max_m\n");
    for path in paths {
        let mut file = MotionFile::load(&path)?;
        file.detect_plants()?;
        let figures = measure(&file.clip, None)?.after;
        let values = [figures.drift_max_m, figures.slide_mean_m_per_s, figures.penetration_max_m];
        // A file without plants has no drift and no slide.
        let values = values.map(|value| value.map_or_else(String::new, |value| format!("{value:.6}")));
        let plants = file.clip.plants.plants.len();
        table += &format!("{},{plants},{}\n", path.display(), values.join(","));
    }
    Ok(table)
}
