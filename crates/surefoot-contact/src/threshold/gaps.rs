//! Gaps between rests that are too short: closed where the point stays, widened where it moves.

use crate::settings::Settings;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::FrameRange;

/// Joins runs across gaps shorter than [`Settings::min_gap`] during which the point stays near.
pub(super) fn close_gaps(
    runs: Vec<FrameRange>,
    track: &PointTrack,
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    let max_gap = tracks.frames_in(settings.min_gap);
    let mut closed: Vec<FrameRange> = Vec::new();
    for run in runs {
        match closed.last_mut() {
            Some(last)
                if run.start <= last.end + max_gap && stays(last.end - 1, run.start, track, settings) =>
            {
                last.end = run.end;
            }
            _ => closed.push(run),
        }
    }
    closed
}

/// Returns whether a point moves little and nearly in a straight line from one frame to another.
fn stays(first: usize, last: usize, track: &PointTrack, settings: &Settings) -> bool {
    let positions = &track.ground_positions;
    let (from, to) = (positions[first], positions[last]);
    let on_line = |frame: usize| from.lerp(to, (frame - first) as f64 / (last - first) as f64);
    let is_near = |frame: usize| positions[frame].distance(on_line(frame)) < 2.0 * settings.max_edge_drift;
    from.distance(to) < 3.0 * settings.max_edge_drift && (first..last).all(is_near)
}

/// Squared time of a move divided by its length, in s² per leg length, at the least: an adult needs
/// 0.07 s to move a point by 4 cm, at 50 m/s² at both ends. With less time between two plants the
/// held point would jump.
const MIN_MOVE_TIME_SQUARED: f64 = 0.1;
/// Length of a move beyond which it is a step with a swing of its own, in leg lengths: 7 cm.
const MAX_MOVE: f64 = 0.08;
/// Distance between a plant's spot and its captured point, in leg lengths: 1.3 cm, because the
/// cleanup projects spots onto the floor.
const SPOT_OFFSET: f64 = 0.015;

/// Trims consecutive plants until the point has time to move from one to the next. The frame that
/// is farther from its plant's mean position is trimmed first.
pub(super) fn separate(plants: &mut [FrameRange], track: &PointTrack, tracks: &PointTracks) {
    for k in 1..plants.len() {
        let (before, after) = plants.split_at_mut(k);
        let (last, next) = (&mut before[k - 1], &mut after[0]);
        next.start = next.start.max(last.end);
        next.end = next.end.max(next.start);
        if last.len().min(next.len()) == 0 {
            continue;
        }
        let (from, to) = (track.mean_ground_position(last.clone()), track.mean_ground_position(next.clone()));
        let length = from.distance(to).min(MAX_MOVE) + SPOT_OFFSET;
        let min_gap = tracks.frames_in((MIN_MOVE_TIME_SQUARED * length).sqrt());
        while next.start - last.end < min_gap && last.len() > 1 && next.len() > 1 {
            let drift_at_end = track.ground_positions[last.end - 1].distance(from);
            let drift_at_start = track.ground_positions[next.start].distance(to);
            if drift_at_end > drift_at_start { last.end -= 1 } else { next.start += 1 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot_core::{FootPoint, Vec3};

    /// A point at the origin until frame 50 and `distance` leg lengths away from frame 60 on, at 100 fps.
    fn moving_track(distance: f64) -> (PointTrack, PointTracks) {
        let position = |frame: usize| Vec3::X * distance * ((frame as f64 - 50.0) / 10.0).clamp(0.0, 1.0);
        let track = PointTrack {
            leg: 0,
            point: FootPoint::Heel,
            positions: (0..120).map(position).collect(),
            ground_positions: (0..120).map(position).collect(),
            heights: vec![0.0; 120],
            velocities: vec![Vec3::ZERO; 120],
            hip_heights: vec![1.0; 120],
        };
        (track, PointTracks::without_points(120, 100.0))
    }

    fn separated(distance: f64, mut plants: [FrameRange; 2]) -> [FrameRange; 2] {
        let (track, tracks) = moving_track(distance);
        separate(&mut plants, &track, &tracks);
        plants
    }

    #[test]
    fn touching_plants_are_trimmed_until_the_point_has_time_to_move() {
        let [last, next] = separated(0.05, [20..55, 55..90]);
        // √(0.1 · 0.065) s at 100 fps.
        assert_eq!(next.start - last.end, 8);
        // Both plants lose frames in which the point moves.
        assert!((50..55).contains(&last.end) && (56..=60).contains(&next.start), "{last:?} {next:?}");
    }

    #[test]
    fn plants_with_enough_time_between_are_unchanged() {
        assert_eq!(separated(0.05, [20..50, 60..90]), [20..50, 60..90]);
        // A step takes no longer than the longest move.
        assert_eq!(separated(2.0, [20..49, 61..90]), [20..49, 61..90]);
    }

    #[test]
    fn overlapping_plants_are_separated_and_none_becomes_empty() {
        let [last, next] = separated(0.05, [20..60, 52..53]);
        assert!(last.end <= next.start && last.start < last.end);
    }
}
