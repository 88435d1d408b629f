//! Where are the legs of one pair, and how do they move?

use crate::speed_height::still::fastest_around;
use surefoot_core::math::{acos, floor as round_down};
use surefoot_core::{Leg, Motion, Pose, Vec3, WorldPose};

/// What is followed of each leg. Their order is that of the lists below.
pub(super) const KNEE: usize = 0;
pub(super) const HEEL: usize = 1;
pub(super) const TOE: usize = 2;
pub(super) const MASS: usize = 3;
const POINTS: usize = 4;
/// The joints whose bend is followed: hip, knee, ankle.
const BENDS: usize = 3;

/// Seconds to each side over which a velocity is taken, and an acceleration from velocities: as
/// long as `speed_height`'s, for the same reason.
const AROUND: f64 = 0.03;
/// Seconds to each side in which the lowest place of either foot is the ground. Long enough for a
/// jump; a stair's steps come faster, and each is the ground of its stance.
const UNDER: f64 = 0.5;
/// Seconds to each side over which it is asked whether the feet go their own ways.
const STRIDES: f64 = 1.0;

/// A pair of legs through a motion, from its first frame on. Lengths in legs.
pub struct Pair {
    pub(super) fps: f64,
    pub(super) frames: usize,
    /// Left leg first: by point, then frame.
    pub(super) places: [[Vec<Vec3>; POINTS]; 2],
    pub(super) velocities: [[Vec<Vec3>; POINTS]; 2],
    pub(super) accelerations: [[Vec<Vec3>; POINTS]; 2],
    /// Bends in radians, with their rate and its rate: by joint, then frame.
    pub(super) bends: [[Vec<[f64; 3]>; BENDS]; 2],
    /// Midway between the hips.
    pub(super) root: Vec<Vec3>,
    /// Which way the body faces, along the ground; unit length.
    pub(super) facing: Vec<Vec3>,
    /// The height of the ground.
    pub(super) ground: Vec<f64>,
    strides: Vec<f64>,
}

impl Pair {
    /// The pair of legs number `left` and `right`, from `first_frame` of the motion on.
    ///
    /// One leg alone is a pair with itself.
    pub fn new(motion: &Motion, left: &Leg, right: &Leg, first_frame: usize) -> Self {
        let poses = motion.poses.get(first_frame..).unwrap_or_default();
        let unit = 1.0 / length(motion, poses, left, right);
        let mut pair = Self::empty(motion.fps, poses.len());
        let mut placed = WorldPose::default();
        let mut ahead = Vec3::Z;
        for pose in poses {
            pose.forward_kinematics(&motion.skeleton, &mut placed);
            let hips = [left, right].map(|leg| placed.joint(leg.hip) * unit);
            ahead = facing(hips).unwrap_or(ahead);
            pair.facing.push(ahead);
            pair.root.push((hips[0] + hips[1]) / 2.0);
            for (side, leg) in [left, right].into_iter().enumerate() {
                pair.add_leg(side, leg, &placed, unit);
            }
        }
        pair.finish();
        pair
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// How many frames these seconds are, to the nearest.
    pub(crate) fn frames_in(&self, seconds: f64) -> usize {
        round_down(seconds * self.fps + 0.5) as usize
    }

    /// How much the feet go their own ways around a frame: the mean difference of their velocities
    /// within a second to each side, in legs per second. Much in locomotion, where feet take
    /// turns; little where both stay, or jump together.
    pub fn strides(&self, frame: usize) -> f64 {
        self.strides[frame]
    }

    /// How fast each foot moves along the ground, in legs per second: its heel or toe, whichever
    /// is slower. Left first.
    pub fn slides(&self, frame: usize) -> [f64; 2] {
        [0, 1].map(|side| {
            let along = |point: usize| {
                let velocity: Vec3 = self.velocities[side][point][frame];
                Vec3::new(velocity.x, 0.0, velocity.z).length()
            };
            along(HEEL).min(along(TOE))
        })
    }

    fn empty(fps: f64, frames: usize) -> Self {
        let lists = || core::array::from_fn(|_| core::array::from_fn(|_| Vec::with_capacity(frames)));
        Self {
            fps,
            frames,
            places: lists(),
            velocities: lists(),
            accelerations: lists(),
            bends: core::array::from_fn(|_| core::array::from_fn(|_| Vec::with_capacity(frames))),
            root: Vec::with_capacity(frames),
            facing: Vec::with_capacity(frames),
            ground: Vec::new(),
            strides: Vec::new(),
        }
    }

    fn add_leg(&mut self, side: usize, leg: &Leg, placed: &WorldPose, unit: f64) {
        let joint = |joint| placed.joint(joint) * unit;
        let (hip, knee, ankle) = (joint(leg.hip), joint(leg.knee), joint(leg.ankle));
        let [heel, ball, toe] = [leg.heel, leg.ball, leg.toe].map(|point| placed.point(&point) * unit);
        let points = [knee, heel, toe, mass(hip, knee, ankle, ball)];
        for (list, point) in self.places[side].iter_mut().zip(points) {
            list.push(point);
        }
        let bends =
            [angle(hip - knee, Vec3::Y), angle(hip - knee, ankle - knee), angle(knee - ankle, ball - ankle)];
        for (list, bend) in self.bends[side].iter_mut().zip(bends) {
            list.push([bend, 0.0, 0.0]);
        }
    }

    /// Fills in all that follows from the places.
    fn finish(&mut self) {
        let half = self.frames_in(AROUND).max(1);
        let fps = self.fps;
        for side in 0..2 {
            for point in 0..POINTS {
                self.velocities[side][point] = rates(&self.places[side][point], half, fps);
                self.accelerations[side][point] = rates(&self.velocities[side][point], half, fps);
            }
            for bends in &mut self.bends[side] {
                let angles: Vec<f64> = bends.iter().map(|bend| bend[0]).collect();
                let speeds = rates(&angles, half, fps);
                for (frame, rate) in rates(&speeds, half, fps).into_iter().enumerate() {
                    (bends[frame][1], bends[frame][2]) = (speeds[frame], rate);
                }
            }
        }
        let lowest = |frame: usize| {
            let low = |side: usize, point: usize| self.places[side][point][frame].y;
            low(0, HEEL).min(low(0, TOE)).min(low(1, HEEL)).min(low(1, TOE))
        };
        let deep: Vec<f64> = (0..self.frames).map(|frame| -lowest(frame)).collect();
        self.ground = fastest_around(&deep, self.frames_in(UNDER)).iter().map(|deep| -deep).collect();
        let apart = |frame: usize| {
            let [left, right] = &self.velocities;
            left[HEEL][frame].distance(right[HEEL][frame])
        };
        let apart: Vec<f64> = (0..self.frames).map(apart).collect();
        self.strides = means(&apart, self.frames_in(STRIDES));
    }
}

/// Thigh and shin together, the mean of both legs, in metres.
fn length(motion: &Motion, poses: &[Pose], left: &Leg, right: &Leg) -> f64 {
    let Some(pose) = poses.first() else {
        return 1.0;
    };
    let placed = pose.world(&motion.skeleton);
    let bone = |from, to| placed.joint(from).distance(placed.joint(to));
    let of = |leg: &Leg| bone(leg.hip, leg.knee) + bone(leg.knee, leg.ankle);
    let length = 0.5 * (of(left) + of(right));
    // Legs without length have no plants that make sense; a metre keeps their figures finite.
    if length > 0.0 { length } else { 1.0 }
}

/// Ahead is square to the line from hip to hip. A body that lies on its side, and a single leg,
/// have none.
fn facing([left, right]: [Vec3; 2]) -> Option<Vec3> {
    let ahead = (left - right).cross(Vec3::Y);
    let length = ahead.length();
    (length > 1e-6).then(|| ahead / length)
}

/// The weights of thigh, shin and foot, in percent of the body's, and how far down each its own
/// centre is (Winter, Biomechanics and Motor Control of Human Movement).
const WEIGHTS: [f64; 3] = [10.0, 4.65, 1.45];
const CENTRES: [f64; 3] = [0.433, 0.433, 0.5];

fn mass(hip: Vec3, knee: Vec3, ankle: Vec3, ball: Vec3) -> Vec3 {
    let parts = [(hip, knee), (knee, ankle), (ankle, ball)];
    let weighed = |part: usize| parts[part].0.lerp(parts[part].1, CENTRES[part]) * WEIGHTS[part];
    (weighed(0) + weighed(1) + weighed(2)) / WEIGHTS.iter().sum::<f64>()
}

/// The angle between two bones; none has no length but in a broken skeleton, and then it is 0.
fn angle(a: Vec3, b: Vec3) -> f64 {
    let lengths = a.length() * b.length();
    if lengths > 0.0 { acos((a.dot(b) / lengths).clamp(-1.0, 1.0)) } else { 0.0 }
}

/// The slope from `half` frames before to `half` after, at each frame.
fn rates<T>(values: &[T], half: usize, fps: f64) -> Vec<T>
where
    T: Copy + Default + core::ops::Sub<Output = T> + core::ops::Mul<f64, Output = T>,
{
    let rate = |frame: usize| {
        let (before, after) = (frame.saturating_sub(half), (frame + half).min(values.len() - 1));
        // A single frame does not move.
        if after == before {
            return T::default();
        }
        (values[after] - values[before]) * (fps / (after - before) as f64)
    };
    (0..values.len()).map(rate).collect()
}

/// The mean within `half` frames of each frame.
fn means(values: &[f64], half: usize) -> Vec<f64> {
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
