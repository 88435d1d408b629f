//! Speed and height: a point is down while it is low and slow.
//!
//! Each file answers one question, in the order they are asked:
//!
//! 1. `track`: where is each heel and ball, and how does it move?
//! 2. `flow`: how fast does the ground go by under the feet? Not at all, unless they skate.
//! 3. `still`: when does a point stand still on that ground?
//! 4. `gaps`: which gaps, and which plants, are too short for a foot to make?
//! 5. `edges`: at which frame does it come to stand, and at which does it leave?
//! 6. `lifted`: which of these feet are held still in the air?
//! 7. `sure`: how sure is each?

pub(crate) mod track;
pub(crate) mod flow;
pub(crate) mod still;
pub(crate) mod gaps;
mod edges;
pub(crate) mod lifted;
pub(crate) mod sure;
pub(crate) mod ranks;

use crate::settings::Settings;
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Plant};
pub(crate) use track::{Places, Track, Tracks};

/// Finds the plants.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let rests = Rests::find(Tracks::new(motion, legs, floor, settings.first_frame), settings);
    let mut plants = Footplants::default();
    for ((track, speeds), frames) in rests.tracks.tracks.iter().zip(&rests.speeds).zip(rests.found) {
        let plant = |frames: FrameRange| Plant {
            leg: track.leg,
            point: track.point,
            confidence: Some(sure::of(&speeds[frames.clone()], motion.fps, settings)),
            spot: None,
            frames: frames.start + settings.first_frame..frames.end + settings.first_frame,
        };
        plants.plants.extend(frames.into_iter().map(plant));
    }
    plants.sort();
    plants
}

/// When each heel and ball rests. Frames are counted from the first of the performance.
pub(crate) struct Rests {
    /// Where the points are; each leg's heel, then its ball.
    pub tracks: Tracks,
    /// How fast each is over the ground, in legs per second.
    pub speeds: Vec<Vec<f64>>,
    /// When each rests.
    pub found: Vec<Vec<FrameRange>>,
    /// The same with feet that are held still in the air.
    pub with_lifted: Vec<Vec<FrameRange>>,
}

impl Rests {
    pub fn find(mut tracks: Tracks, settings: &Settings) -> Self {
        let flow = flow::find(&tracks);
        tracks.put_on_ground(&flow);
        let tracks = tracks;
        let speeds: Vec<Vec<f64>> = tracks.tracks.iter().map(|track| still::speeds(track, &flow)).collect();
        let with_lifted: Vec<Vec<FrameRange>> = speeds
            .iter()
            .enumerate()
            .map(|(track, speeds)| stands(track, speeds, &tracks, settings))
            .collect();
        let mut found = with_lifted.clone();
        lifted::drop(&mut found, &tracks);
        Self { tracks, speeds, found, with_lifted }
    }
}

/// The frames in which one point stands, on the floor or in the air.
fn stands(track: usize, speeds: &[f64], tracks: &Tracks, settings: &Settings) -> Vec<FrameRange> {
    // Each leg's heel is followed by its ball.
    let (track, other) = (&tracks.tracks[track], &tracks.tracks[track ^ 1]);
    let slow = still::runs(speeds, tracks, settings);
    let slow = gaps::close(slow, track, tracks, settings);
    let runs: Vec<FrameRange> =
        slow.into_iter().flat_map(|run| still::level(run, track, other, tracks)).collect();
    let settle = |run: &FrameRange| edges::settle(run, speeds, track, tracks, settings);
    let mut plants: Vec<FrameRange> = runs.iter().map(settle).collect();
    gaps::keep_apart(&mut plants, track, tracks);
    gaps::drop_short(&mut plants, tracks, settings);
    plants
}
