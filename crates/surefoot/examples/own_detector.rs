//! Cleans with plants from a detector of your own: here, a point is planted while it is below 2 cm.
//!
//! ```sh
//! cargo run -p surefoot --example own_detector
//! ```

use std::error::Error;

use surefoot::core::FootPoint;
use surefoot::measure::measure;
use surefoot::sample::{Recipe, Skate, make};
use surefoot::solve::clean;
use surefoot::{Clip, Footplants, Plant, Settings};

/// A point below this height above the floor is planted, in metres.
const LOW: f64 = 0.02;

/// Cleans a generated walk with the plants of `detect_by_height`.
pub fn main() -> Result<(), Box<dyn Error>> {
    let mut walk = make(&Recipe { skate: Some(Skate::Drift(0.04)), ..Recipe::default() })?.into_clip();
    walk.plants = detect_by_height(&walk);

    let result = clean(&walk, &Settings::default())?;
    let figures = measure(&result.clip, Some(&walk.motion))?;
    println!("{}{} notes", figures.table(), result.report.notes.len());
    Ok(())
}

/// One plant for each run of frames in which a point is low.
fn detect_by_height(clip: &Clip) -> Footplants {
    let floor = clip.floor_or_lowest_point();
    let mut plants = Vec::new();
    for (leg, parts) in clip.legs.iter().enumerate() {
        for (point, on_joint) in [(FootPoint::Heel, &parts.heel), (FootPoint::Ball, &parts.ball)] {
            let mut start = None;
            for (frame, pose) in clip.motion.poses.iter().enumerate() {
                let position = pose.world(&clip.motion.skeleton).point(on_joint);
                let is_low = floor.above(position) < LOW;
                match start {
                    None if is_low => start = Some(frame),
                    Some(first) if !is_low => {
                        plants.push(Plant::new(leg, point, first..frame));
                        start = None;
                    }
                    _ => {}
                }
            }
            if let Some(first) = start {
                let frames = first..clip.motion.poses.len();
                plants.push(Plant::new(leg, point, frames));
            }
        }
    }
    Footplants { plants }
}
