//! Speed and height: a point is down while it is low and slow.
//!
//! Each file answers one question, in the order they are asked:
//!
//! - `track`: where is each heel and ball, and how does it move?
//! - `flow`: how fast does the ground go by under the feet? Not at all, unless they skate.
//! - `still`: when does a point stand still on that ground?
//! - `edges`: at which frame does it come to stand, and at which does it leave?
//! - `lifted`: which of these are feet that are held still in the air?
//! - `sure`: how sure is each?

mod track;
mod flow;
mod still;
mod edges;
mod lifted;
mod sure;

use crate::settings::Settings;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant};
use track::Tracks;

/// Finds the plants.
pub(crate) fn detect(
    motion: &Motion,
    legs: &[Leg],
    floor: Option<&Floor>,
    settings: &Settings,
) -> Footplants {
    let tracks = Tracks::new(motion, legs, floor, settings.first_frame);
    let flow = flow::find(&tracks);
    let mut found: Vec<Vec<FrameRange>> = Vec::new();
    for track in &tracks.tracks {
        let speeds = still::speeds(track, &flow, &tracks);
        let runs = still::runs(&speeds, track, &tracks, settings);
        found.push(edges::settle(runs, track, &tracks, settings));
    }
    lifted::drop(&mut found, &tracks);
    let mut plants = Footplants::default();
    for (track, runs) in tracks.tracks.iter().zip(found) {
        plants.plants.extend(runs.into_iter().map(|frames| Plant {
            leg: track.leg,
            point: track.point,
            confidence: Some(sure::of(&frames, track, &flow, &tracks, settings)),
            spot: None,
            frames: frames.start + tracks.first_frame..frames.end + tracks.first_frame,
        }));
    }
    plants.sort();
    plants
}
