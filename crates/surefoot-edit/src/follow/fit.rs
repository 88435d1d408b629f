//! Which path does a body walk?
//!
//! The pelvis' track over the ground, smoothed over half a second, so that its sway is no part of
//! the path; then points along it, half a leg apart. A body that stands has none.

use surefoot_core::math::exp;
use surefoot_core::{JointId, Placed, Skeleton};

use super::path::{Path, Place, distance, ground};
use crate::take::Take;

/// Standard deviation of the smoothing, in seconds: a walk's sway, once a stride, keeps a fiftieth.
const SMOOTHED: f64 = 0.5;

/// How far apart the path's points are, in legs.
const APART: f64 = 0.5;

/// A body that gets no farther than this from where it began, in legs, stands.
const STANDS: f64 = 0.75;

/// A body's own path, and where on it each frame of the performance is.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The path.
    pub path: Path,
    /// How far along it each frame is, in metres; one for each frame from the first on.
    pub metres: Vec<f64>,
}

/// How far a body that stands gets from where it began, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stands {
    /// The farthest.
    pub farthest: f64,
}

/// Fits a path to the way a body goes.
pub fn fit(take: &Take) -> Result<Walked, Stands> {
    let leg = take.leg_length();
    let track = smoothed(&track(take), take.motion.fps);
    let from_start = |place: &Place| distance(*place, track[0]);
    let farthest = track.iter().map(from_start).fold(0.0, f64::max);
    let apart = APART * leg;
    let mut points: Vec<Place> = track.first().copied().into_iter().collect();
    for &place in &track {
        if points.last().is_some_and(|&last| distance(last, place) >= apart) {
            points.push(place);
        }
    }
    if let (Some(&end), true) = (track.last(), points.len() > 1) {
        // The end itself, and no point right before it.
        if points.len() > 2 && points.last().is_some_and(|&last| distance(last, end) < 0.5 * apart) {
            points.pop();
        }
        points.push(end);
    }
    let path = Path::through(&points).ok().filter(|_| farthest > STANDS * leg).ok_or(Stands { farthest })?;
    let mut metres = Vec::with_capacity(track.len());
    let mut at = 0.0;
    for (n, &place) in track.iter().enumerate() {
        let step = n.checked_sub(1).map_or(0.0, |before| distance(track[before], place));
        at = path.nearest(place, at, 2.0 * step + 0.05 * leg);
        metres.push(at);
    }
    Ok(Walked { path, metres })
}

/// Where the pelvis is over the ground, frame by frame from the first of the performance.
fn track(take: &Take) -> Vec<Place> {
    let skeleton = &take.motion.skeleton;
    let joints: Vec<JointId> = take.legs.iter().map(|leg| pelvis(skeleton, leg.hip)).collect();
    let mut placed = Placed::default();
    let mut track = Vec::with_capacity(take.motion.frames());
    for pose in take.motion.poses.iter().skip(take.first_frame) {
        pose.place(skeleton, &mut placed);
        let sum = joints.iter().map(|&joint| placed.joint(joint)).sum::<surefoot_core::Vec3>();
        track.push(ground(sum / joints.len().max(1) as f64));
    }
    track
}

/// What a hip hangs from.
fn pelvis(skeleton: &Skeleton, hip: JointId) -> JointId {
    skeleton.parent(hip).unwrap_or(hip)
}

/// Each place the value of a line fitted around it, so that the ends are no shorter than the track.
fn smoothed(track: &[Place], fps: f64) -> Vec<Place> {
    let spread = SMOOTHED * fps;
    let reach = surefoot_core::math::floor(3.0 * spread) as usize;
    let weights: Vec<f64> =
        (0..=reach).map(|n| exp(-0.5 * (n as f64 / spread) * (n as f64 / spread))).collect();
    let at = |frame: usize| {
        let frames = frame.saturating_sub(reach)..(frame + reach + 1).min(track.len());
        let (mut w0, mut w1, mut w2) = (0.0, 0.0, 0.0);
        let (mut p, mut tp) = ([0.0; 2], [0.0; 2]);
        for other in frames {
            let t = other as f64 - frame as f64;
            let weight = weights[other.abs_diff(frame)];
            w0 += weight;
            w1 += weight * t;
            w2 += weight * t * t;
            for axis in 0..2 {
                p[axis] += weight * track[other][axis];
                tp[axis] += weight * t * track[other][axis];
            }
        }
        let size = w0 * w2 - w1 * w1;
        // One frame alone is its own mean.
        let line =
            |axis: usize| if size > 1e-12 { (w2 * p[axis] - w1 * tp[axis]) / size } else { p[axis] / w0 };
        [line(0), line(1)]
    };
    (0..track.len()).map(at).collect()
}
