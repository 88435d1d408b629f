//! Runs of frames in which a point does not move at all.
//!
//! Generated motions and motions that were cleaned before hold their planted points to the last
//! digit that the file keeps. There an exact rest gives the edges of a plant more precisely than
//! any speed threshold. Captured points never rest exactly.

use crate::settings::Settings;
use crate::signal::{quantile, runs_where};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::FrameRange;

/// Largest step from frame to frame of a point at exact rest, in leg lengths: 10 µm, the rounding
/// of files with few decimals. Larger would accept slow drift of a capture.
pub(crate) const FILE_ROUNDING: f64 = 1e-5;
/// Smallest step that can be distinguished from zero, in leg lengths: rounding of forward kinematics in memory.
pub(crate) const MEMORY_ROUNDING: f64 = 1e-10;
/// The threshold adapts to the file's precision: this many times the step of the stillest frames.
const STILLEST_STEP_FACTOR: f64 = 8.0;
/// The quantile of all steps that is taken for the stillest. A foot is planted for longer than this
/// fraction of any motion.
const STILLEST_QUANTILE: f64 = 0.1;

/// Returns the runs of frames in which a point rests exactly, in world space.
pub(crate) fn exact_rests(track: &PointTrack, tracks: &PointTracks, settings: &Settings) -> Vec<FrameRange> {
    let steps: Vec<f64> = track.positions.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    let still =
        (STILLEST_STEP_FACTOR * quantile(&steps, STILLEST_QUANTILE)).clamp(MEMORY_ROUNDING, FILE_ROUNDING);
    let mut rests = runs_where(|step| steps[step] < still, 0..steps.len());
    // A run of n steps spans n + 1 frames.
    rests.iter_mut().for_each(|rest| rest.end += 1);
    let shortest = tracks.min_run(settings.min_plant);
    // The ends of the motion may cut a rest short.
    rests.retain(|rest| rest.len() >= shortest || rest.start == 0 || rest.end == tracks.frames);
    rests
}
