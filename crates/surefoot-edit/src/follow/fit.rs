//! Which path does a body walk?
//!
//! The pelvis' track over the ground, smoothed so that its sway is no part of the path, but its turns
//! are; then points along it, half a leg apart. A body that stands has none.

use surefoot_core::math::exp;
use surefoot_core::{JointId, Skeleton, WorldPose};

use super::path::{Path, Place, distance, ground};
use surefoot_core::Clip;

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

/// How near to each other they may be where the path bends, in legs.
const DENSE: f64 = 0.1;

/// A path bends where the way is longer than its chord by this, in legs.
const BENT: f64 = 0.05;

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
pub fn fit(clip: &Clip) -> Result<Walked, Stands> {
    let leg = crate::retarget::leg_length(&clip.motion.skeleton, &clip.legs);
    let track = path_of(&track(clip), clip.motion.fps, OFF_PATH * leg);
    let from_start = |place: &Place| distance(*place, track[0]);
    let farthest = track.iter().map(from_start).fold(0.0, f64::max);
    let points = points(&track, leg);
    let places: Vec<Place> = points.iter().map(|&frame| track[frame]).collect();
    let path = Path::through(&places).ok().filter(|_| farthest > STANDS * leg).ok_or(Stands { farthest })?;
    let metres = metres(&track, &points, &path);
    Ok(Walked { path, metres })
}

/// How far along its path each place of a track is: between two points of the path as far as it is
/// along their chord, and never back. (The nearest place of the path may be on another branch of it.)
fn metres(track: &[Place], points: &[usize], path: &Path) -> Vec<f64> {
    let mut metres = vec![0.0; track.len()];
    for (span, ends) in points.windows(2).enumerate() {
        let [from, to] = [ends[0], ends[1]].map(|frame| track[frame]);
        let [low, high] = [span, span + 1].map(|point| path.length_to(point));
        let chord = [to[0] - from[0], to[1] - from[1]];
        let size = chord[0] * chord[0] + chord[1] * chord[1];
        let mut part = 0.0_f64;
        for frame in ends[0]..=ends[1] {
            let gone = [track[frame][0] - from[0], track[frame][1] - from[1]];
            // Two points that are one have no chord.
            let along = if size > 0.0 { (gone[0] * chord[0] + gone[1] * chord[1]) / size } else { 1.0 };
            part = part.max(along.min(1.0));
            metres[frame] = low + (high - low) * part;
        }
    }
    metres
}

/// The frames in which a track is at the path's points, where it turns sharply nearer to each other: one
/// that goes back the way it came is followed to where it turns.
fn points(track: &[Place], leg: f64) -> Vec<usize> {
    let mut points: Vec<usize> = (0..track.len().min(1)).collect();
    let (mut walked, mut farthest) = (0.0, 0.0_f64);
    for frame in 1..track.len() {
        walked += distance(track[frame - 1], track[frame]);
        let far = distance(track[points[points.len() - 1]], track[frame]);
        farthest = farthest.max(far);
        if farthest <= DENSE * leg {
            // To sway on the spot is not to walk.
            walked = far;
        }
        // Less far from the last point than was walked: there is a bend between.
        if far >= APART * leg || walked - far > BENT * leg {
            points.push(frame);
            (walked, farthest) = (0.0, 0.0);
        }
    }
    // The end itself, and no point right before it.
    if points.len() > 2 && farthest < 0.5 * APART * leg {
        points.pop();
    }
    points.extend(track.len().checked_sub(1).filter(|last| !points.contains(last)));
    points
}

/// Where the pelvis is over the ground, frame by frame from the first of the performance.
fn track(clip: &Clip) -> Vec<Place> {
    let skeleton = &clip.motion.skeleton;
    let joints: Vec<JointId> = clip.legs.iter().map(|leg| pelvis(skeleton, leg.hip)).collect();
    let mut placed = WorldPose::default();
    let mut track = Vec::with_capacity(clip.motion.frames());
    for pose in clip.motion.poses.iter().skip(clip.first_frame) {
        pose.forward_kinematics(skeleton, &mut placed);
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
