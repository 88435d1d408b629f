//! How fast does the ground go by under the feet?
//!
//! Not at all in a good capture. On a treadmill it runs back at the belt's speed, and where a path
//! was stretched, or the body drifts, all planted feet slide alike. So the ground's velocity is
//! the one that most low points share for a second or so, and feet that move with it stand.

use super::track::Tracks;
use surefoot_core::Vec3;

/// Seconds to each side over which low points are asked. A runner's step takes 0.35 s, a stroller's 0.6.
const AROUND: f64 = 0.6;
/// A point is asked while it is this near to its lowest place of that time, in legs.
const LOW: f64 = 0.03;
/// And while it rises or falls more slowly than this, in legs per second.
const LEVEL: f64 = 0.3;
/// Seconds from one asking to the next; between, the answer is interpolated.
const EVERY: f64 = 0.1;
/// Points agree within this speed, in legs per second, or this share of the flow.
const AGREE: f64 = 0.35;
const AGREE_SHARE: f64 = 0.25;
/// The share of the low points that must agree for the ground to be taken as moving.
const MOST: f64 = 0.5;

/// The ground's velocity at each frame, along the floor, in legs per second.
pub(super) fn find(tracks: &Tracks) -> Vec<Vec3> {
    let step = tracks.frames_in(EVERY).max(1);
    let asked: Vec<Vec3> = low_points(tracks, step);
    let at = |frame: usize| {
        let (before, share) = (frame / step, (frame % step) as f64 / step as f64);
        let after = (before + 1).min(asked.len() - 1);
        asked[before].lerp(asked[after], share)
    };
    (0..tracks.frames).map(at).collect()
}

fn low_points(tracks: &Tracks, step: usize) -> Vec<Vec3> {
    let half = tracks.frames_in(AROUND);
    (0..tracks.frames.div_ceil(step))
        .map(|k| {
            let middle = k * step;
            let around = middle.saturating_sub(half)..(middle + half + 1).min(tracks.frames);
            let mut low: Vec<Vec3> = Vec::new();
            for track in &tracks.tracks {
                let lowest = track.heights[around.clone()].iter().copied().fold(f64::INFINITY, f64::min);
                for frame in around.clone() {
                    let climb = track.velocities[frame].dot(tracks.up);
                    if track.heights[frame] < lowest + LOW && climb.abs() < LEVEL {
                        low.push(track.velocities[frame] - tracks.up * climb);
                    }
                }
            }
            shared(&low)
        })
        .collect()
}

/// The velocity that most of these share; zero if there is none.
fn shared(velocities: &[Vec3]) -> Vec3 {
    let middle = |axis: usize| {
        let mut parts: Vec<f64> = velocities.iter().map(|velocity| velocity[axis]).collect();
        let at = parts.len() / 2;
        if parts.is_empty() { 0.0 } else { *parts.select_nth_unstable_by(at, f64::total_cmp).1 }
    };
    let flow = Vec3::new(middle(0), middle(1), middle(2));
    let near = AGREE.max(AGREE_SHARE * flow.length());
    let agree = velocities.iter().filter(|velocity| velocity.distance(flow) < near).count();
    if agree as f64 > MOST * velocities.len() as f64 { flow } else { Vec3::ZERO }
}
