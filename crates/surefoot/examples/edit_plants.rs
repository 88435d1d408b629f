//! Detects plants, edits them, and cleans with the edited plants.
//!
//! ```sh
//! cargo run -p surefoot --example edit_plants -- walk.bvh walk.clean.bvh
//! ```

use std::error::Error;
use std::path::Path;

use surefoot::core::FootPoint;
use surefoot::{MotionFile, Settings};

/// Reads the names of the two files from the command line.
pub fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = arguments.as_slice() else {
        return Err("usage: edit_plants IN.bvh OUT.bvh".into());
    };
    run(Path::new(input), Path::new(output))
}

/// Cleans a file with edited plants.
pub fn run(input: &Path, output: &Path) -> Result<(), Box<dyn Error>> {
    let mut walk = MotionFile::load(input)?;
    walk.detect_plants()?;
    let mut plants = walk.clip.plants.clone();
    let ground_velocity = walk.clip.ground_velocity;

    // Drop plants of low confidence, and release every heel one frame earlier.
    plants.plants.retain(|plant| plant.confidence.is_none_or(|confidence| confidence > 0.6));
    for plant in plants.plants.iter_mut().filter(|plant| plant.point == FootPoint::Heel) {
        if plant.frames.len() > 1 {
            plant.frames.end -= 1;
        }
    }
    for plant in &plants.plants {
        let side = &walk.clip.legs[plant.leg].side;
        println!("{side} {}: frames {:?}", plant.point.as_str(), plant.frames);
    }

    walk.set_plants(plants, ground_velocity);
    walk.clean(&Settings::default())?.save(output)?;
    Ok(())
}
