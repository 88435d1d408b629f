//! The confidence of plants found by speed: `threshold` and `zero_crossing`.

use crate::settings::Settings;
use crate::signal::{rounded_confidence, shifted};
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{Footplants, FrameRange, Plant};

/// Builds plants with confidences from the planted runs of each track. `speeds` are relative to the
/// ground, in leg lengths per second, by track.
pub(crate) fn plants_with_confidence(
    runs: Vec<Vec<FrameRange>>,
    speeds: &[Vec<f64>],
    tracks: &PointTracks,
    settings: &Settings,
) -> Footplants {
    let mut plants = Footplants::default();
    for ((track, speeds), runs) in tracks.tracks.iter().zip(speeds).zip(runs) {
        let PointTrack { leg, point, .. } = *track;
        plants.plants.extend(runs.into_iter().map(|run| Plant {
            confidence: Some(confidence(&speeds[run.clone()], tracks.fps, settings)),
            ..Plant::new(leg, point, shifted(&run, settings.first_frame))
        }));
    }
    plants.sort();
    plants
}

/// Returns a confidence from 0 to 1, which is higher the slower the point is relative to the exit speed, and the longer
/// the plant relative to the shortest. At half the exit speed, or at the shortest length, it is about 2/3.
///
/// It ranks plants; unlike that of the learned method it is not a calibrated probability.
fn confidence(speeds: &[f64], fps: f64, settings: &Settings) -> f64 {
    let mean = speeds.iter().sum::<f64>() / speeds.len().max(1) as f64;
    let slowness = settings.exit_speed / (settings.exit_speed + mean);
    let seconds = speeds.len() as f64 / fps;
    let length = seconds / (seconds + 0.5 * settings.min_plant);
    // Settings of 0 give 0/0.
    let confidence = if (slowness * length).is_finite() { slowness * length } else { 0.0 };
    rounded_confidence(confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_and_long_plants_have_high_confidence() {
        let constant =
            |speed: f64, frames: usize| confidence(&vec![speed; frames], 100.0, &Settings::default());
        assert!(constant(0.01, 60) > 0.9);
        assert!(constant(0.7, 60) < 0.6);
        assert!(constant(0.01, 7) < 0.75);
        assert_eq!(confidence(&[], 100.0, &Settings::default()), 0.0);
    }
}
