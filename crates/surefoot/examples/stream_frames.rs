//! Cleans poses one at a time, as a game engine or a live capture would.
//!
//! ```sh
//! cargo run -p surefoot --example stream_frames
//! ```

use std::error::Error;

use surefoot::sample::{Recipe, Skate, make};
use surefoot::solve::{Cleaner, active_plants};
use surefoot::{Pose, Settings};

/// Streams a generated walk through a cleaner.
pub fn main() -> Result<(), Box<dyn Error>> {
    // A walk that skates, with the frames in which each heel and ball is planted. An engine has these
    // frames from its animation graph or from a contact sensor.
    let walk = make(&Recipe { skate: Some(Skate::Scale(1.1)), ..Recipe::default() })?.into_clip();
    let legs = walk.legs.len();
    let planted = active_plants(walk.motion.poses.len(), legs, &walk.plants);

    // Everything is allocated here. `push` allocates nothing.
    let mut cleaner = Cleaner::new(&walk, 0, &Settings::live())?;
    println!("latency: {} frames at {} fps", cleaner.lookahead(), walk.motion.fps);

    let mut shown = 0;
    for (frame, pose) in walk.motion.poses.iter().enumerate() {
        if let Some(clean) = cleaner.push(pose, &planted[frame * legs..][..legs])? {
            show(clean); // the clean pose of frame `frame - cleaner.lookahead()`
            shown += 1;
        }
    }
    while let Some(clean) = cleaner.finish() {
        show(clean);
        shown += 1;
    }
    assert_eq!(shown, walk.motion.poses.len());
    Ok(())
}

/// Stands for the renderer.
fn show(_pose: &Pose) {}
