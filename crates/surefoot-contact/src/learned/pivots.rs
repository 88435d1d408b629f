//! Removes pivots: frames in which a foot turns on one of its points, or on its toe tip, while the point moves.
//!
//! A person turning on the ball of a foot moves the heel slowly enough to look like a rest. It is
//! not one: afterwards the heel is elsewhere and the ball is not. Where both points move, the foot
//! skates, which the cleanup corrects.

use crate::settings::Settings;
use crate::signal::runs_where;
use crate::threshold::PointRests;
use crate::tracks::{PointTrack, PointTracks};
use surefoot_core::{FootPoint, FrameRange, Vec3};

/// Speed above which a point moves in a pivot, in leg lengths per second: 10 cm/s in an adult.
const MIN_PIVOT_SPEED: f64 = 0.12;
/// Distance that the point moves in one pivot, at the least, in leg lengths: 4 cm in an adult.
const MIN_PIVOT_DISTANCE: f64 = 0.05;
/// Distance that the other point moves meanwhile, at the most, in leg lengths: 1.5 cm in an adult.
const MAX_CENTRE_DISTANCE: f64 = 0.018;
/// Half-width of the window in which a turn about the toe tip is looked for, in seconds: shorter ones mistake jitter
/// for turns.
const TOE_PIVOT_HALF_WINDOW: f64 = 0.1;
/// Speed of a ball above which the foot may turn about its toe tip, in leg lengths per second: 5 cm/s in an adult.
const MIN_TOE_PIVOT_SPEED: f64 = 0.06;
/// Distance that the ball moves in one such turn, at the least, in leg lengths: 1.5 cm in an adult. A viewer notices a
/// toe tip that slides by 1.2 cm.
const MIN_TOE_PIVOT_DISTANCE: f64 = 0.018;
/// Distance that the toe tip moves meanwhile, at the most, as a fraction of that of the ball.
const MAX_TOE_SHARE: f64 = 0.6;

/// Returns the rests of a point on the ground without the frames in which the foot pivots on its other
/// point. `track` is the index of the point's track.
///
/// Pivots are looked for both in world space and relative to the ground: where one foot pivots and
/// the other slides around it, most points move and the estimated ground moves with them.
pub(super) fn rests_without_pivots(track: usize, rests: &PointRests, settings: &Settings) -> Vec<FrameRange> {
    let PointRests { tracks, speeds, on_ground, .. } = rests;
    let speeds = &speeds[track];
    let cut = |rest: &FrameRange| cut_pivots(rest, track, speeds, tracks, settings);
    on_ground[track].iter().flat_map(cut).collect()
}

fn cut_pivots(
    rest: &FrameRange,
    track: usize,
    ground_speeds: &[f64],
    tracks: &PointTracks,
    settings: &Settings,
) -> Vec<FrameRange> {
    // Heels have even indices and are followed by the ball of the same foot.
    let [own, other] = [track, track ^ 1].map(|track| &tracks.tracks[track]);
    let world_speeds: Vec<f64> =
        own.velocities[rest.clone()].iter().map(|velocity| velocity.length()).collect();
    let parts = split_at_pivots(rest, &world_speeds, [&own.positions, &other.positions]);
    let on_ground = |part: FrameRange| {
        let positions: [&[Vec3]; 2] = [&own.ground_positions, &other.ground_positions];
        split_at_pivots(&part, &ground_speeds[part.clone()], positions)
    };
    let off_toe = |part: FrameRange| match own.point {
        FootPoint::Ball => split_at_toe_pivots(&part, own, &tracks.toes[own.leg], tracks),
        FootPoint::Heel | FootPoint::Toe => vec![part],
    };
    let shortest = tracks.min_run(settings.min_plant);
    let parts = parts.into_iter().flat_map(on_ground).flat_map(off_toe);
    parts.filter(|part| part.len() >= shortest).collect()
}

/// The parts of a rest of a ball between the frames in which the foot turns about its toe tip.
///
/// Held at one position, such a ball would make the resting tip slide around it.
fn split_at_toe_pivots(
    rest: &FrameRange,
    ball: &PointTrack,
    toe: &[Vec3],
    tracks: &PointTracks,
) -> Vec<FrameRange> {
    let half = tracks.min_run(TOE_PIVOT_HALF_WINDOW);
    let turns_about_toe = |from: usize, to: usize, distance: f64| {
        let moved = |positions: &[Vec3]| {
            let moved = positions[to] - positions[from];
            (moved - tracks.up * moved.dot(tracks.up)).length()
        };
        let ball = moved(&ball.positions);
        ball > distance && moved(toe) < MAX_TOE_SHARE * ball
    };
    let is_in_turn = |frame: usize| {
        let (from, to) = (rest.start.max(frame.saturating_sub(half)), (rest.end - 1).min(frame + half));
        turns_about_toe(from, to, MIN_TOE_PIVOT_SPEED * (to - from) as f64 / tracks.fps)
    };
    let mut parts = Vec::new();
    let mut start = rest.start;
    for turn in runs_where(is_in_turn, rest.clone()) {
        if turns_about_toe(turn.start, turn.end - 1, MIN_TOE_PIVOT_DISTANCE) {
            parts.push(start..turn.start);
            start = turn.end;
        }
    }
    parts.push(start..rest.end);
    parts.retain(|part| !part.is_empty());
    parts
}

/// The parts of a rest between pivots. `speeds` are those of the rest's frames.
fn split_at_pivots(rest: &FrameRange, speeds: &[f64], [own, other]: [&[Vec3]; 2]) -> Vec<FrameRange> {
    let mut parts = Vec::new();
    let mut part_start = rest.start;
    let mut run_start = rest.start;
    for run in speeds.chunk_by(|a, b| (*a > MIN_PIVOT_SPEED) == (*b > MIN_PIVOT_SPEED)) {
        let frames = run_start..run_start + run.len();
        run_start = frames.end;
        let moved = |positions: &[Vec3]| positions[frames.start].distance(positions[frames.end - 1]);
        let is_fast = run[0] > MIN_PIVOT_SPEED;
        if is_fast && moved(own) > MIN_PIVOT_DISTANCE && moved(other) < MAX_CENTRE_DISTANCE {
            parts.push(part_start..frames.start);
            part_start = frames.end;
        }
    }
    parts.push(part_start..rest.end);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One second at 100 fps of a ball that moves by `ball` from 0.4 s to 0.6 s and a toe tip that moves by `toe`; the parts
    /// in which the ball rests.
    fn parts(ball: Vec3, toe: Vec3) -> Vec<FrameRange> {
        let path = |displacement: Vec3| -> Vec<Vec3> {
            (0..100).map(|frame| displacement * ((f64::from(frame) - 40.0) / 20.0).clamp(0.0, 1.0)).collect()
        };
        let ball = PointTrack {
            leg: 0,
            point: FootPoint::Ball,
            positions: path(ball),
            ground_positions: path(ball),
            heights: vec![0.0; 100],
            velocities: vec![Vec3::ZERO; 100],
            hip_heights: vec![1.0; 100],
        };
        split_at_toe_pivots(&(0..100), &ball, &path(toe), &PointTracks::without_points(100, 100.0))
    }

    #[test]
    fn a_ball_is_not_planted_while_the_foot_turns_about_its_toe_tip() {
        let found = parts(Vec3::X * 0.03, Vec3::X * 0.005);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].end <= 40 && found[1].start >= 60, "{found:?}");
    }

    #[test]
    fn a_ball_that_moves_with_its_toes_or_hardly_stays_planted() {
        // The last is a ball that rises onto its toes.
        for (ball, toe) in
            [(Vec3::X * 0.03, Vec3::X * 0.03), (Vec3::X * 0.015, Vec3::ZERO), (Vec3::Y * 0.03, Vec3::ZERO)]
        {
            assert_eq!(parts(ball, toe), std::slice::from_ref(&(0..100)));
        }
    }
}
