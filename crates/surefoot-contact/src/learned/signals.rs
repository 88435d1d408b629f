//! The signals of one foot at one frame: heights, speeds and leg extension.
//!
//! Signals do not depend on the unit, position, facing, frame rate or size of the body.

use super::body::{Body, LegFrame, POINTS};
use crate::signal::min_run;
use surefoot_core::Vec3;

/// Number of signals.
pub(super) const SIGNALS: usize = 22;
/// Length of a signal array: padded with zeros to a multiple of the four lanes of a SIMD register.
pub(super) const PADDED_SIGNALS: usize = SIGNALS.next_multiple_of(4);

/// All signals of one foot at one frame, by the indices below, followed by zeros.
pub(super) type Signals = [f32; PADDED_SIGNALS];

// The order of the signals is part of the model's format. The first five come once per foot point:
// heel, ball, toe tip.

/// Height; the reader subtracts the height of the ground under the foot.
const HEIGHT: usize = 0;
/// Vertical speed.
const VERTICAL_SPEED: usize = 3;
/// Speed along the floor.
const HORIZONTAL_SPEED: usize = 6;
/// Speed relative to the pelvis in the direction the body faces. Damage to the root's path does not
/// change it, and on a treadmill it is the only horizontal speed there is.
const FORWARD_SPEED_TO_PELVIS: usize = 9;
/// Speed relative to the pelvis along the floor.
const HORIZONTAL_SPEED_TO_PELVIS: usize = 12;
/// Distance from hip to ankle.
const LEG_EXTENSION: usize = 15;
/// Rate of the leg extension.
const LEG_EXTENSION_RATE: usize = 16;
/// Position of the ankle in front of the hip.
const ANKLE_FORWARD: usize = 17;
/// Vertical speed of the pelvis.
const PELVIS_VERTICAL_SPEED: usize = 18;
/// Vertical acceleration of the pelvis, which separates flight from support.
const PELVIS_VERTICAL_ACCELERATION: usize = 19;
/// Height of the foot's lowest point above that of the other foot.
const HEIGHT_ABOVE_OTHER_FOOT: usize = 20;
/// Height of the hip above the foot's lowest point.
const HIP_HEIGHT: usize = 21;

/// Half-width of the window of a velocity, in seconds. Shorter passes jitter on; longer blurs heel
/// strike and toe off.
const VELOCITY_HALF_WINDOW: f64 = 0.022;
/// Half-width of the window of the pelvis's acceleration, in seconds.
const ACCELERATION_HALF_WINDOW: f64 = 0.045;
/// Time over which the lowest position of a point is the ground under it, in seconds. Long enough to
/// include a runner's last stance; short enough that the ground follows a stair.
pub(super) const GROUND_WINDOW: f64 = 0.9;

/// A ring buffer of the legs in the last frames, addressed by frame number.
pub(super) struct LegRing {
    legs: Vec<LegFrame>,
    leg_count: usize,
    /// Capacity in frames: a power of two, so that the position is found without a division.
    capacity: usize,
    /// Frames pushed so far.
    pub frames: usize,
}

impl LegRing {
    pub fn new(leg_count: usize, min_capacity: usize) -> Self {
        let capacity = min_capacity.next_power_of_two();
        Self { legs: vec![LegFrame::default(); leg_count * capacity], leg_count, capacity, frames: 0 }
    }

    /// Adds a frame and returns its legs, to be filled in.
    pub fn push(&mut self) -> &mut [LegFrame] {
        let at = (self.frames & (self.capacity - 1)) * self.leg_count;
        self.frames += 1;
        &mut self.legs[at..at + self.leg_count]
    }

    pub fn get(&self, leg: usize, frame: usize) -> &LegFrame {
        &self.legs[(frame & (self.capacity - 1)) * self.leg_count + leg]
    }
}

/// Half-widths of the difference windows, in frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct DifferenceWindows {
    velocity: usize,
    acceleration: usize,
    fps: f64,
}

impl DifferenceWindows {
    pub fn new(fps: f64) -> Self {
        let frames = |seconds: f64| min_run(seconds, fps);
        Self { velocity: frames(VELOCITY_HALF_WINDOW), acceleration: frames(ACCELERATION_HALF_WINDOW), fps }
    }

    /// Frames after a frame that its signals depend on.
    pub fn lookahead(&self) -> usize {
        self.velocity.max(self.acceleration)
    }
}

/// Computes the signals of one foot at a frame whose neighbours are in the ring. At the ends of the
/// motion, where a window is cut off, differences are one-sided.
pub(super) fn signals(
    ring: &LegRing,
    leg: usize,
    frame: usize,
    windows: &DifferenceWindows,
    body: &Body,
) -> Signals {
    let DifferenceWindows { velocity, acceleration, fps } = *windows;
    let last = ring.frames - 1;
    let window = |half: usize| (frame.saturating_sub(half), (frame + half).min(last));
    let (before, after) = window(velocity);
    let time = (after - before).max(1) as f64 / fps;
    let [a, b, now] = [before, after, frame].map(|frame| ring.get(leg, frame));
    let up = body.up;
    let pelvis = (b.pelvis - a.pelvis) / time;
    let horizontal = |v: Vec3| v - up * v.dot(up);
    let other = ring.get(body.other(leg), frame);
    let mut s = [0.0; PADDED_SIGNALS];
    for point in 0..POINTS {
        let v = (b.points[point] - a.points[point]) / time;
        s[HEIGHT + point] = now.points[point].dot(up);
        s[VERTICAL_SPEED + point] = v.dot(up);
        s[HORIZONTAL_SPEED + point] = horizontal(v).length();
        s[FORWARD_SPEED_TO_PELVIS + point] = (v - pelvis).dot(now.forward);
        s[HORIZONTAL_SPEED_TO_PELVIS + point] = horizontal(v - pelvis).length();
    }
    s[LEG_EXTENSION] = now.hip.distance(now.ankle);
    s[LEG_EXTENSION_RATE] = (b.hip.distance(b.ankle) - a.hip.distance(a.ankle)) / time;
    s[ANKLE_FORWARD] = (now.ankle - now.hip).dot(now.forward);
    s[PELVIS_VERTICAL_SPEED] = pelvis.dot(up);
    let (before, after) = window(acceleration);
    let half_time = ((after - before) as f64 / 2.0).max(0.5) / fps;
    let height = |frame: usize| ring.get(leg, frame).pelvis.dot(up);
    s[PELVIS_VERTICAL_ACCELERATION] =
        (height(before) + height(after) - 2.0 * height(frame)) / (half_time * half_time);
    let lowest = |leg: &LegFrame| leg.points.iter().map(|point| point.dot(up)).fold(f64::INFINITY, f64::min);
    s[HEIGHT_ABOVE_OTHER_FOOT] = lowest(now) - lowest(other);
    s[HIP_HEIGHT] = now.hip.dot(up) - lowest(now);
    // Broken skeletons give infinite or undefined values; the trees compare numbers only.
    s.map(|value| if value.is_finite() { value as f32 } else { 0.0 })
}
