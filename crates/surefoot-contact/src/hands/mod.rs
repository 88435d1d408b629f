//! Finds when palms are planted: on the floor, on a wall, on anything that stands still.
//!
//! A hand may be planted at any height, so height alone is weak evidence. Three things together show that a palm rests
//! on something: the palm is at rest; it stays at rest for a while; and either it is at the height of the floor, or the
//! shoulder moves past it while the hand does not turn. A hand that swings beside a walking body is at rest in the room
//! for a moment too, but it turns with the arm. A hand that hangs beside a standing body is at rest because the body
//! is.
//!
//! 1. `palm_track`: the positions of palm and shoulder, the rotation of the hand, and the speed of the palm;
//! 2. `rests`: the runs of frames in which the palm is at rest, with their edges;
//! 3. `evidence`: which of them are plants, with their confidence.

mod evidence;
mod palm_track;
mod rests;

use crate::settings::Settings;
use crate::signal::shifted;
use palm_track::PalmTrack;
use surefoot_core::{Floor, FootPoint, Footplants, Leg, Motion, Plant};

/// Finds the plants of the arms among `legs`; none where there are no arms.
///
/// The motion and the points of the arms are in metres, Y up.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let tracks = PalmTrack::of_arms(motion, legs, floor, settings.first_frame);
    let mut plants = Footplants::default();
    for track in &tracks {
        for frames in rests::find(track, settings) {
            if let Some(confidence) = evidence::confidence(track, &frames) {
                let frames = shifted(&frames, settings.first_frame);
                let plant = Plant::new(track.leg, FootPoint::Ball, frames);
                plants.plants.push(Plant { confidence: Some(confidence), ..plant });
            }
        }
    }
    plants
}
