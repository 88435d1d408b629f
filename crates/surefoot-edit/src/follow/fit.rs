//! Which path does a body walk?
//!
//! The pelvis' track over the ground, smoothed so that its sway is no part of the path, but its turns
//! are; then points along it, half a leg apart. A body that stands has none.

use surefoot_core::math::exp;
use surefoot_core::{JointId, Placed, Skeleton};

use super::path::{Path, Place, distance, ground};
use crate::take::Take;

/// Standard deviation of the smoothing, in seconds: a walk's sway, once a stride, keeps a tenth.
const SMOOTHED: f64 = 0.5;

/// How far from its path a body may be because of the smoothing, in legs: a pelvis sways by less. Where
/// it is farther, turns were cut, and half the smoothing is tried: at the turning points of a small
/// figure eight that was made a line, all that is far from it would be swept round.
const OFF_PATH: f64 = 0.12;

/// So often at most.
const HALVED: usize = 3;

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
    let track = path_of(&track(take), take.motion.fps, OFF_PATH * leg);
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

/// The track without sway: smoothed as much as keeps its turns.
fn path_of(track: &[Place], fps: f64, off: f64) -> Vec<Place> {
    let mut spread = SMOOTHED * fps;
    let mut smooth = smoothed(track, spread);
    for _ in 0..HALVED {
        if track.iter().zip(&smooth).all(|(&own, &place)| distance(own, place) <= off) {
            break;
        }
        spread *= 0.5;
        smooth = smoothed(track, spread);
    }
    smooth
}

/// Each place the value of a parabola fitted around it, with weights that spread so many frames. A line
/// would cut corners, and a mean would also shorten the ends.
fn smoothed(track: &[Place], spread: f64) -> Vec<Place> {
    let reach = surefoot_core::math::floor(3.0 * spread) as usize;
    let weights: Vec<f64> =
        (0..=reach).map(|n| exp(-0.5 * (n as f64 / spread) * (n as f64 / spread))).collect();
    let at = |frame: usize| {
        let frames = frame.saturating_sub(reach)..(frame + reach + 1).min(track.len());
        // Moments of time, in units of the spread, and of the places: the normal equations.
        let mut time = [0.0; 5];
        let mut places = [[0.0; 2]; 3];
        for other in frames {
            let t = (other as f64 - frame as f64) / spread;
            let mut power = weights[other.abs_diff(frame)];
            for (n, sum) in time.iter_mut().enumerate() {
                *sum += power;
                if n < 3 {
                    places[n][0] += power * track[other][0];
                    places[n][1] += power * track[other][1];
                }
                power *= t;
            }
        }
        [0, 1].map(|axis| value_at_zero(&time, places.map(|place| place[axis])))
    };
    (0..track.len()).map(at).collect()
}

/// The value at time 0 of the parabola with these moments; of a line, or the mean, where so few frames
/// tell no more.
fn value_at_zero(t: &[f64; 5], p: [f64; 3]) -> f64 {
    // Cramer's rule, along the first column: [t0 t1 t2; t1 t2 t3; t2 t3 t4]·[value, ..] = p.
    let minors = [t[2] * t[4] - t[3] * t[3], t[1] * t[4] - t[2] * t[3], t[1] * t[3] - t[2] * t[2]];
    let whole = t[0] * minors[0] - t[1] * minors[1] + t[2] * minors[2];
    if whole > 1e-9 * t[0] * t[2] * t[4] {
        return (p[0] * minors[0] - p[1] * minors[1] + p[2] * minors[2]) / whole;
    }
    let line = t[0] * t[2] - t[1] * t[1];
    if line > 1e-12 { (t[2] * p[0] - t[1] * p[1]) / line } else { p[0] / t[0] }
}
