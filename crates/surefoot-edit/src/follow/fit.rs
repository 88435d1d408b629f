//! Fits a path to the track of a body over the ground.
//!
//! The track of the pelvis is smoothed enough to remove its sway but to keep turns. A spline through
//! points of the smoothed track, half a leg length apart, is the path. A body that stands has no path.

use surefoot_core::math::exp;
use surefoot_core::{JointId, Skeleton, WorldPose};

use super::path::{GroundPosition, Path, distance, ground};
use surefoot_core::Clip;

/// Standard deviation of the smoothing, in seconds. It reduces the sway of a walk, one cycle per
/// stride, to a tenth; less leaves sway in the path, more cuts corners.
const SMOOTHING: f64 = 0.5;

/// Largest distance of the pelvis from the smoothed track, in leg lengths. Sway is smaller.
///
/// A larger distance means that turns were cut off, so the smoothing is halved. Otherwise a small
/// figure eight would become a line, and the body would swing round at its ends.
const MAX_SWAY: f64 = 0.12;

/// Number of times the smoothing may be halved.
const MAX_HALVINGS: usize = 3;

/// Spacing of the points of the path, in leg lengths.
const POINT_SPACING: f64 = 0.5;

/// Smallest spacing of points where the path bends, in leg lengths.
const MIN_POINT_SPACING: f64 = 0.1;

/// Excess of arc length over chord that counts as a bend, in leg lengths.
const BEND_EXCESS: f64 = 0.05;

/// Smallest distance from the start that a body has to reach to have a path, in leg lengths. Below it
/// the body stands.
const MIN_PATH_EXTENT: f64 = 0.75;

/// The path of a body and the arc length of each frame of the performance.
#[derive(Clone, Debug)]
pub struct FittedPath {
    /// The path.
    pub path: Path,
    /// Arc length of each frame of the performance, in metres.
    pub metres: Vec<f64>,
}

/// The body stands, so that it has no path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoPath {
    /// Largest distance from the start, in metres.
    pub farthest: f64,
}

/// Fits a path to the track of a body.
pub fn fit(clip: &Clip) -> Result<FittedPath, NoPath> {
    let leg = crate::retarget::leg_length(&clip.motion.skeleton, &clip.legs);
    let track = path_of(&track(clip), clip.motion.fps, MAX_SWAY * leg);
    let from_start = |position: &GroundPosition| distance(*position, track[0]);
    let farthest = track.iter().map(from_start).fold(0.0, f64::max);
    let points = points(&track, leg);
    let positions: Vec<GroundPosition> = points.iter().map(|&frame| track[frame]).collect();
    let path = Path::through(&positions)
        .ok()
        .filter(|_| farthest > MIN_PATH_EXTENT * leg)
        .ok_or(NoPath { farthest })?;
    let metres = metres(&track, &points, &path);
    Ok(FittedPath { path, metres })
}

/// The arc length of each position of a track, which never decreases.
///
/// Between two points of the path, positions are projected onto the chord. The nearest point of the
/// whole path would not do, since it may be on another branch.
fn metres(track: &[GroundPosition], points: &[usize], path: &Path) -> Vec<f64> {
    let mut metres = vec![0.0; track.len()];
    for (span, ends) in points.windows(2).enumerate() {
        let [from, to] = [ends[0], ends[1]].map(|frame| track[frame]);
        let [low, high] = [span, span + 1].map(|point| path.length_to(point));
        let chord = [to[0] - from[0], to[1] - from[1]];
        let size = chord[0] * chord[0] + chord[1] * chord[1];
        let mut part = 0.0_f64;
        for frame in ends[0]..=ends[1] {
            let offset = [track[frame][0] - from[0], track[frame][1] - from[1]];
            // Equal points have no chord.
            let along = if size > 0.0 { (offset[0] * chord[0] + offset[1] * chord[1]) / size } else { 1.0 };
            part = part.max(along.min(1.0));
            metres[frame] = low + (high - low) * part;
        }
    }
    metres
}

/// The frames at which the path has its points.
///
/// Points are closer together where the track turns sharply, so that a path that reverses extends to
/// its turning point.
fn points(track: &[GroundPosition], leg: f64) -> Vec<usize> {
    let mut points: Vec<usize> = (0..track.len().min(1)).collect();
    let (mut arc, mut farthest) = (0.0, 0.0_f64);
    for frame in 1..track.len() {
        arc += distance(track[frame - 1], track[frame]);
        let chord = distance(track[points[points.len() - 1]], track[frame]);
        farthest = farthest.max(chord);
        if farthest <= MIN_POINT_SPACING * leg {
            // Swaying on the spot does not count as arc length.
            arc = chord;
        }
        // An arc longer than its chord has a bend.
        if chord >= POINT_SPACING * leg || arc - chord > BEND_EXCESS * leg {
            points.push(frame);
            (arc, farthest) = (0.0, 0.0);
        }
    }
    // Always include the last frame, without another point right before it.
    if points.len() > 2 && farthest < 0.5 * POINT_SPACING * leg {
        points.pop();
    }
    points.extend(track.len().checked_sub(1).filter(|last| !points.contains(last)));
    points
}

/// The ground position of the pelvis in each frame of the performance.
fn track(clip: &Clip) -> Vec<GroundPosition> {
    let skeleton = &clip.motion.skeleton;
    let joints: Vec<JointId> = clip.legs.iter().map(|leg| pelvis(skeleton, leg.hip)).collect();
    let mut world = WorldPose::default();
    let mut track = Vec::with_capacity(clip.motion.frames());
    for pose in clip.motion.poses.iter().skip(clip.first_frame) {
        pose.forward_kinematics(skeleton, &mut world);
        let sum = joints.iter().map(|&joint| world.joint(joint)).sum::<surefoot_core::Vec3>();
        track.push(ground(sum / joints.len().max(1) as f64));
    }
    track
}

/// The parent of a hip.
fn pelvis(skeleton: &Skeleton, hip: JointId) -> JointId {
    skeleton.parent(hip).unwrap_or(hip)
}

/// The track without sway, with as much smoothing as preserves its turns.
fn path_of(track: &[GroundPosition], fps: f64, off: f64) -> Vec<GroundPosition> {
    let mut spread = SMOOTHING * fps;
    let mut smooth = smoothed(track, spread);
    for _ in 0..MAX_HALVINGS {
        if track.iter().zip(&smooth).all(|(&own, &position)| distance(own, position) <= off) {
            break;
        }
        spread *= 0.5;
        smooth = smoothed(track, spread);
    }
    smooth
}

/// Smooths a track with local quadratic fits under Gaussian weights; `spread` is the standard
/// deviation in frames. Linear fits would cut corners, and means would also shorten the ends.
fn smoothed(track: &[GroundPosition], spread: f64) -> Vec<GroundPosition> {
    let reach = surefoot_core::math::floor(3.0 * spread) as usize;
    let weights: Vec<f64> =
        (0..=reach).map(|n| exp(-0.5 * (n as f64 / spread) * (n as f64 / spread))).collect();
    let at = |frame: usize| {
        let frames = frame.saturating_sub(reach)..(frame + reach + 1).min(track.len());
        // Moments of time, in units of the spread, and of the positions: the normal equations.
        let mut time = [0.0; 5];
        let mut positions = [[0.0; 2]; 3];
        for other in frames {
            let t = (other as f64 - frame as f64) / spread;
            let mut power = weights[other.abs_diff(frame)];
            for (n, sum) in time.iter_mut().enumerate() {
                *sum += power;
                if n < 3 {
                    positions[n][0] += power * track[other][0];
                    positions[n][1] += power * track[other][1];
                }
                power *= t;
            }
        }
        [0, 1].map(|axis| value_at_zero(&time, positions.map(|position| position[axis])))
    };
    (0..track.len()).map(at).collect()
}

/// The value at time 0 of the parabola with these moments. With too few frames for a parabola it is
/// that of a line or the mean.
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
