//! Thresholds on speed and height: a point is planted while it is low and slow.
//!
//! Called `speed-height` on the command line. The stages run in this order:
//!
//! 1. `tracks`: positions, heights and velocities of each heel and ball;
//! 2. `ground_flow`: the velocity of the ground, which is zero unless all feet skate alike;
//! 3. `slow_runs`: hysteresis on the speed relative to the ground;
//! 4. `gaps`: closes gaps that are too short for a foot to leave and return, drops short plants;
//! 5. `levels`: splits the runs into the heights at which the point rests;
//! 6. `edges`: the exact first and last frame of each plant, from height and position;
//! 7. `lifted`: drops feet that are held still in the air;
//! 8. `travel`: removes frames in which a point is dragged, or carried by ground that moves;
//! 9. `confidence`: the confidence of each plant.

mod edges;
mod gaps;
mod levels;
mod slow_runs;

pub(crate) use edges::{DIP_QUANTILE, REST_QUANTILE, RISE_FACTORS};

use crate::confidence::plants_with_confidence;
use crate::ground_flow;
use crate::lifted::drop_lifted;
use crate::settings::{Edges, Settings};
use crate::tracks::PointTracks;
use crate::travel::{PointTravel, is_on_belt, standing_feet};
use surefoot_core::{Floor, Footplants, FrameRange, Leg, Motion, Vec3};

/// Finds the plants of a motion by thresholds on speed and height.
pub fn detect(motion: &Motion, legs: &[Leg], floor: Option<&Floor>, settings: &Settings) -> Footplants {
    let rests = PointRests::find(PointTracks::new(motion, legs, floor, settings.first_frame), settings);
    plants_with_confidence(rests.on_ground, &rests.speeds, &rests.tracks, settings)
}

/// The frames in which each heel and ball is at rest relative to the ground. Frames are counted from
/// the first frame of the performance.
pub(crate) struct PointRests {
    /// Each leg's heel, followed by its ball.
    pub tracks: PointTracks,
    /// Speed relative to the ground, by track, in leg lengths per second.
    pub speeds: Vec<Vec<f64>>,
    /// Rests on the ground, by track.
    pub on_ground: Vec<Vec<FrameRange>>,
    /// Frames in which a point is on the ground and travels, by track. With [`Edges::Touch`] they are
    /// part of the rests: a dragged foot touches the ground.
    pub travel: Vec<PointTravel>,
    /// All rests, including those of feet held still in the air, by track.
    pub all: Vec<Vec<FrameRange>>,
}

impl PointRests {
    pub fn find(mut tracks: PointTracks, settings: &Settings) -> Self {
        let flow = ground_flow::estimate(&tracks);
        tracks.set_ground_flow(&flow);
        let tracks = tracks;
        let speeds: Vec<Vec<f64>> = tracks.tracks.iter().map(|track| track.ground_speeds(&flow)).collect();
        let slow: Vec<Vec<FrameRange>> = speeds
            .iter()
            .zip(&tracks.tracks)
            .map(|(speeds, track)| {
                let slow = slow_runs::slow_runs(speeds, &tracks, settings);
                gaps::close_gaps(slow, track, &tracks, settings)
            })
            .collect();
        let all: Vec<Vec<FrameRange>> = (0..slow.len())
            .map(|track| rests_of_point(track, &slow[track], &speeds[track], &tracks, settings))
            .collect();
        let mut on_ground = all.clone();
        drop_lifted(&mut on_ground, &tracks);
        let mut travel = vec![PointTravel::default(); on_ground.len()];
        if settings.edges == Edges::Rest {
            travel = cut_travel(&mut on_ground, &slow, &flow, &tracks, settings);
        }
        Self { tracks, speeds, on_ground, travel, all }
    }
}

/// Removes from the rests on the ground the frames in which their points travel, which are returned. Rests
/// and slow runs are given by track.
fn cut_travel(
    on_ground: &mut [Vec<FrameRange>],
    slow: &[Vec<FrameRange>],
    flow: &[Vec3],
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<PointTravel> {
    let shortest = tracks.min_run(settings.min_plant);
    let is_on_belt = is_on_belt(flow, tracks);
    let standing = if is_on_belt { Vec::new() } else { standing_feet(on_ground, tracks) };
    let mut travel = Vec::new();
    for ((track, rests), slow) in tracks.tracks.iter().zip(on_ground).zip(slow) {
        let mut own = PointTravel::default();
        if !is_on_belt {
            own.add_carried(slow, track, tracks);
        }
        // Legs are ordered left, right, left, right.
        let other_stands = standing.get(track.leg ^ 1).map_or(&[][..], Vec::as_slice);
        *rests = own.cut(rests, shortest, track, tracks, other_stands);
        travel.push(own);
    }
    travel
}

/// The rests of one point, on the ground or in the air.
fn rests_of_point(
    track: usize,
    slow: &[FrameRange],
    speeds: &[f64],
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    // Heels have even indices and are followed by the ball of the same foot.
    let (track, other) = (&tracks.tracks[track], &tracks.tracks[track ^ 1]);
    let level = slow.iter().flat_map(|run| levels::split_by_height(run.clone(), track, other, tracks));
    let refine = |run: FrameRange| edges::refine_edges(&run, speeds, track, tracks, settings);
    let mut rests: Vec<FrameRange> = level.map(refine).collect();
    gaps::separate(&mut rests, track, tracks);
    let shortest = tracks.min_run(settings.min_plant);
    rests.retain(|rest| rest.len() >= shortest);
    rests
}
