//! The positions of a pair of legs through a motion, and their derivatives.

use crate::leg_length::mean_leg_length;
use crate::signal::{frames_in, min_run, sliding_max};
use surefoot_core::math::acos;
use surefoot_core::{Leg, Motion, Vec3, WorldPose};

/// Indices of the tracked points of a leg.
pub(super) const KNEE: usize = 0;
pub(super) const HEEL: usize = 1;
pub(super) const TOE: usize = 2;
pub(super) const CENTRE_OF_MASS: usize = 3;
const POINTS: usize = 4;
/// Number of joints whose angle is tracked: hip, knee, ankle.
const JOINTS: usize = 3;

/// Half-width of the window of a derivative, in seconds, as in `tracks` and for the same reason.
const DERIVATIVE_HALF_WINDOW: f64 = 0.03;
/// Half-width of the window in which the lowest position of either foot is the ground, in seconds.
/// Long enough for a jump; on a stair each step is the ground of its own stance.
const GROUND_HALF_WINDOW: f64 = 0.5;
/// Half-width of the window of [`LegPair::stride_speed`], in seconds.
const STRIDE_HALF_WINDOW: f64 = 1.0;

/// A joint angle in radians with its first and second derivative in time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JointAngle {
    pub angle: f64,
    pub rate: f64,
    pub acceleration: f64,
}

/// A pair of legs through a motion, in leg lengths. Lists are by frame of the performance.
pub struct LegPair {
    pub(super) fps: f64,
    pub(super) frames: usize,
    /// By side (left first), then point.
    pub(super) positions: [[Vec<Vec3>; POINTS]; 2],
    pub(super) velocities: [[Vec<Vec3>; POINTS]; 2],
    pub(super) accelerations: [[Vec<Vec3>; POINTS]; 2],
    /// By side, then joint.
    pub(super) angles: [[Vec<JointAngle>; JOINTS]; 2],
    /// The midpoint of the hips.
    pub(super) root: Vec<Vec3>,
    /// The direction the body faces, along the ground; unit length.
    pub(super) facing: Vec<Vec3>,
    /// The height of the ground.
    pub(super) ground: Vec<f64>,
    stride_speeds: Vec<f64>,
}

impl LegPair {
    /// Tracks a pair of legs from `first_frame` of the motion on. A single leg is a pair with itself.
    pub fn new(motion: &Motion, left: &Leg, right: &Leg, first_frame: usize) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let first_pose = poses.first().map(|pose| pose.world(&motion.skeleton));
        let unit = 1.0 / first_pose.map_or(1.0, |pose| mean_leg_length(&pose, [left, right]));
        let mut pair = Self::with_capacity(motion.fps, poses.len());
        let mut world = WorldPose::default();
        let mut forward = Vec3::Z;
        for pose in poses {
            pose.forward_kinematics(&motion.skeleton, &mut world);
            let hips = [left, right].map(|leg| world.joint(leg.hip) * unit);
            forward = facing(hips).unwrap_or(forward);
            pair.facing.push(forward);
            pair.root.push((hips[0] + hips[1]) / 2.0);
            for (side, leg) in [left, right].into_iter().enumerate() {
                pair.push_leg(side, leg, &world, unit);
            }
        }
        pair.differentiate();
        pair.find_ground();
        pair.find_stride_speeds();
        pair
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Returns the mean difference of the feet's velocities within a second to each side of a frame,
    /// in leg lengths per second. It is large in locomotion, where feet alternate, and small where
    /// both feet stand or jump together.
    pub fn stride_speed(&self, frame: usize) -> f64 {
        self.stride_speeds[frame]
    }

    /// Returns how fast each foot moves along the ground, left first, in leg lengths per second: the
    /// slower of its heel and toe.
    pub fn slide_speeds(&self, frame: usize) -> [f64; 2] {
        [0, 1].map(|side| {
            let horizontal = |point: usize| {
                let velocity: Vec3 = self.velocities[side][point][frame];
                Vec3::new(velocity.x, 0.0, velocity.z).length()
            };
            horizontal(HEEL).min(horizontal(TOE))
        })
    }

    fn with_capacity(fps: f64, frames: usize) -> Self {
        let lists = || core::array::from_fn(|_| core::array::from_fn(|_| Vec::with_capacity(frames)));
        Self {
            fps,
            frames,
            positions: lists(),
            velocities: lists(),
            accelerations: lists(),
            angles: core::array::from_fn(|_| core::array::from_fn(|_| Vec::with_capacity(frames))),
            root: Vec::with_capacity(frames),
            facing: Vec::with_capacity(frames),
            ground: Vec::new(),
            stride_speeds: Vec::new(),
        }
    }

    fn push_leg(&mut self, side: usize, leg: &Leg, world: &WorldPose, unit: f64) {
        let joint = |joint| world.joint(joint) * unit;
        let (hip, knee, ankle) = (joint(leg.hip), joint(leg.knee), joint(leg.ankle));
        let [heel, ball, toe] = [leg.heel, leg.ball, leg.toe].map(|point| world.point(&point) * unit);
        let points = [knee, heel, toe, centre_of_mass(hip, knee, ankle, ball)];
        for (list, point) in self.positions[side].iter_mut().zip(points) {
            list.push(point);
        }
        let angles =
            [angle(hip - knee, Vec3::Y), angle(hip - knee, ankle - knee), angle(knee - ankle, ball - ankle)];
        for (list, angle) in self.angles[side].iter_mut().zip(angles) {
            list.push(JointAngle { angle, ..JointAngle::default() });
        }
    }

    /// Fills in velocities, accelerations and the rates of the angles.
    fn differentiate(&mut self) {
        let half = min_run(DERIVATIVE_HALF_WINDOW, self.fps);
        let fps = self.fps;
        for side in 0..2 {
            for point in 0..POINTS {
                self.velocities[side][point] = derivative(&self.positions[side][point], half, fps);
                self.accelerations[side][point] = derivative(&self.velocities[side][point], half, fps);
            }
            for joint in &mut self.angles[side] {
                let angles: Vec<f64> = joint.iter().map(|joint| joint.angle).collect();
                let rates = derivative(&angles, half, fps);
                let accelerations = derivative(&rates, half, fps);
                for ((joint, rate), acceleration) in joint.iter_mut().zip(rates).zip(accelerations) {
                    (joint.rate, joint.acceleration) = (rate, acceleration);
                }
            }
        }
    }

    fn find_ground(&mut self) {
        let height = |side: usize, point: usize, frame: usize| self.positions[side][point][frame].y;
        let lowest = |frame: usize| {
            let of_foot = |side: usize| height(side, HEEL, frame).min(height(side, TOE, frame));
            of_foot(0).min(of_foot(1))
        };
        let depths: Vec<f64> = (0..self.frames).map(|frame| -lowest(frame)).collect();
        let deepest = sliding_max(&depths, frames_in(GROUND_HALF_WINDOW, self.fps));
        self.ground = deepest.iter().map(|depth| -depth).collect();
    }

    fn find_stride_speeds(&mut self) {
        let [left, right] = &self.velocities;
        let difference = |frame: usize| left[HEEL][frame].distance(right[HEEL][frame]);
        let differences: Vec<f64> = (0..self.frames).map(difference).collect();
        self.stride_speeds = sliding_mean(&differences, frames_in(STRIDE_HALF_WINDOW, self.fps));
    }
}

/// The direction perpendicular to the line from hip to hip. `None` for a body lying on its side and
/// for a single leg.
fn facing([left, right]: [Vec3; 2]) -> Option<Vec3> {
    let forward = (left - right).cross(Vec3::Y);
    let length = forward.length();
    (length > 1e-6).then(|| forward / length)
}

/// Masses of thigh, shin and foot, in percent of the body's mass (Winter, Biomechanics and Motor
/// Control of Human Movement).
const SEGMENT_MASSES: [f64; 3] = [10.0, 4.65, 1.45];
/// Centres of mass of thigh, shin and foot, as a fraction of the segment from its upper end (Winter).
const SEGMENT_CENTRES: [f64; 3] = [0.433, 0.433, 0.5];

fn centre_of_mass(hip: Vec3, knee: Vec3, ankle: Vec3, ball: Vec3) -> Vec3 {
    let segments = [(hip, knee), (knee, ankle), (ankle, ball)];
    let weighted =
        |part: usize| segments[part].0.lerp(segments[part].1, SEGMENT_CENTRES[part]) * SEGMENT_MASSES[part];
    (weighted(0) + weighted(1) + weighted(2)) / SEGMENT_MASSES.iter().sum::<f64>()
}

/// The angle between two bones, in radians; 0 where a broken skeleton has a bone without length.
fn angle(a: Vec3, b: Vec3) -> f64 {
    let lengths = a.length() * b.length();
    if lengths > 0.0 { acos((a.dot(b) / lengths).clamp(-1.0, 1.0)) } else { 0.0 }
}

/// The central difference over `half` frames to each side, at each frame.
fn derivative<T>(values: &[T], half: usize, fps: f64) -> Vec<T>
where
    T: Copy + Default + core::ops::Sub<Output = T> + core::ops::Mul<f64, Output = T>,
{
    let difference = |frame: usize| {
        let (before, after) = (frame.saturating_sub(half), (frame + half).min(values.len() - 1));
        // A motion of one frame does not move.
        if after == before {
            return T::default();
        }
        (values[after] - values[before]) * (fps / (after - before) as f64)
    };
    (0..values.len()).map(difference).collect()
}

/// The mean within `half` frames of each frame.
fn sliding_mean(values: &[f64], half: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    let mean = |frame: usize| {
        let (start, end) = (frame.saturating_sub(half), (frame + half + 1).min(values.len()));
        (sums[end] - sums[start]) / (end - start) as f64
    };
    (0..values.len()).map(mean).collect()
}
