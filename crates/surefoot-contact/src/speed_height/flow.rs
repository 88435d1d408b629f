//! How fast does the ground go by under the feet?
//!
//! Not at all in a good capture. On a treadmill it runs back at the belt's speed, and where a path
//! was stretched, or the body drifts, all planted feet slide alike. So the ground's velocity is
//! the one that most low points share for a second or so, and feet that move with it stand.

use super::ranks::{at_share, least};
use super::track::Tracks;
use surefoot_core::Vec3;

/// Seconds to each side in which points are asked. Long enough for a stance of each foot, of a
/// stroller's too; longer, and the ground of a runner who sets out is that of his full speed.
const AROUND: f64 = 0.6;
/// A point is asked while it is this near to its lowest place of that time, in legs: 2.5 cm in an
/// adult. Higher, and swings are asked with the stances; lower, and the jitter of one is left out.
const LOW: f64 = 0.03;
/// And while it rises or falls more slowly than this, in legs per second.
const LEVEL: f64 = 0.3;
/// Seconds from one asking to the next; between, the answer is interpolated.
const EVERY: f64 = 0.1;
/// Points agree that differ by less than this, in legs per second, or by this share of the flow.
const AGREE: f64 = 0.35;
const AGREE_SHARE: f64 = 0.25;
/// The share of the low points that must agree for the ground to be taken as moving. Below, each
/// foot goes its own way, and the ground is taken to stand.
const MOST: f64 = 0.5;

/// The ground's velocity at each frame, along the floor, in legs per second.
pub(crate) fn find(tracks: &Tracks) -> Vec<Vec3> {
    let step = tracks.frames_in(EVERY).max(1);
    let asked: Vec<Vec3> = (0..tracks.frames).step_by(step).map(|middle| at(middle, tracks)).collect();
    let between = |frame: usize| {
        let (before, share) = (frame / step, (frame % step) as f64 / step as f64);
        let after = (before + 1).min(asked.len() - 1);
        asked[before].lerp(asked[after], share)
    };
    (0..tracks.frames).map(between).collect()
}

/// What the low points around a frame say.
fn at(middle: usize, tracks: &Tracks) -> Vec3 {
    let half = tracks.frames_in(AROUND);
    let around = middle.saturating_sub(half)..(middle + half + 1).min(tracks.frames);
    let mut said: Vec<Vec3> = Vec::new();
    for track in &tracks.tracks {
        let low = least(&track.heights[around.clone()]) + LOW;
        for frame in around.clone().filter(|&frame| track.heights[frame] < low) {
            let climb = track.velocities[frame].dot(tracks.up);
            if climb.abs() < LEVEL {
                said.push(track.velocities[frame] - tracks.up * climb);
            }
        }
    }
    shared(&said)
}

/// The velocity that most of these share; zero if there is none.
fn shared(velocities: &[Vec3]) -> Vec3 {
    let middle = |axis: usize| {
        let parts: Vec<f64> = velocities.iter().map(|velocity| velocity[axis]).collect();
        at_share(&parts, 0.5)
    };
    let flow = Vec3::new(middle(0), middle(1), middle(2));
    let near = AGREE.max(AGREE_SHARE * flow.length());
    let agree = velocities.iter().filter(|velocity| velocity.distance(flow) < near).count();
    if agree as f64 > MOST * velocities.len() as f64 { flow } else { Vec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ground_moves_as_most_low_points_do() {
        let belt = Vec3::new(0.0, 0.0, -3.0);
        let swing = Vec3::new(0.0, 0.0, 4.0);
        assert_eq!(shared(&[belt, swing, belt, belt, swing]), belt);
    }

    #[test]
    fn where_points_do_not_agree_the_ground_stands() {
        let all: Vec<Vec3> = (0..9).map(|k| Vec3::new(f64::from(k), 0.0, 1.0)).collect();
        assert_eq!(shared(&all), Vec3::ZERO);
        assert_eq!(shared(&[]), Vec3::ZERO);
    }
}
