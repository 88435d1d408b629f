//! What a foot does at one frame, in numbers that unit, place, facing, frame rate and size of
//! body leave alone.

use super::seen::{Body, POINTS, Seen};
use surefoot_core::Vec3;
use surefoot_core::math::floor as round_down;

/// How many numbers there are. The first `POINTS` are heights of the points; whoever reads them takes
/// off the ground under the foot.
pub(super) const SIGNALS: usize = 22;
/// Room for them: a multiple of four, which is how many a processor takes at a time.
pub(super) const WIDE: usize = SIGNALS.next_multiple_of(4);

/// All signals of one foot at one frame, and zeros.
pub(super) type Signals = [f32; WIDE];

/// Seconds to each side over which a velocity is taken. Shorter hands jitter on; longer blurs the
/// moment at which a foot lands.
const AROUND: f64 = 0.022;
/// The same for an acceleration of the pelvis, which tells flight from support.
const AROUND_FALL: f64 = 0.045;
/// The lowest place of a point in so many seconds is the ground under it. Long enough that a
/// runner's foot was down in it; short enough that a stair ends.
pub(super) const LOW: f64 = 0.9;

/// The frames of a motion that are in view, by their number.
pub(super) struct Ring {
    seen: Vec<Seen>,
    legs: usize,
    /// How many frames there is room for: a power of two, which spares a division for every look.
    room: usize,
    /// Frames pushed so far.
    pub frames: usize,
}

impl Ring {
    pub fn new(legs: usize, room: usize) -> Self {
        let room = room.next_power_of_two();
        Self { seen: vec![Seen::default(); legs * room], legs, room, frames: 0 }
    }

    /// Room for the next frame.
    pub fn next(&mut self) -> &mut [Seen] {
        let at = (self.frames & (self.room - 1)) * self.legs;
        self.frames += 1;
        &mut self.seen[at..at + self.legs]
    }

    pub fn at(&self, leg: usize, frame: usize) -> &Seen {
        &self.seen[(frame & (self.room - 1)) * self.legs + leg]
    }
}

/// How many frames to each side a velocity and an acceleration take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub velocity: usize,
    pub fall: usize,
    pub fps: f64,
}

impl Steps {
    pub fn new(fps: f64) -> Self {
        let frames = |seconds: f64| (round_down(seconds * fps + 0.5) as usize).max(1);
        Self { velocity: frames(AROUND), fall: frames(AROUND_FALL), fps }
    }

    /// How many frames after a frame its signals need.
    pub fn ahead(&self) -> usize {
        self.velocity.max(self.fall)
    }
}

/// The signals of one foot at a frame whose neighbours are in view; beyond the ends of the motion
/// there is nothing, and differences are taken on one side.
pub(super) fn signals(ring: &Ring, leg: usize, frame: usize, steps: &Steps, body: &Body) -> Signals {
    let Steps { velocity, fall, fps } = *steps;
    let last = ring.frames - 1;
    let around = |half: usize| (frame.saturating_sub(half), (frame + half).min(last));
    let (before, after) = around(velocity);
    let time = (after - before).max(1) as f64 / fps;
    let [a, b, now] = [before, after, frame].map(|frame| ring.at(leg, frame));
    let up = body.up;
    let pelvis = (b.pelvis - a.pelvis) / time;
    let moves = |point: usize| (b.points[point] - a.points[point]) / time;
    let along = |v: Vec3| v - up * v.dot(up);
    let other = ring.at(body.other(leg), frame);
    let mut s = [0.0; WIDE];
    for point in 0..POINTS {
        let v = moves(point);
        s[point] = now.points[point].dot(up);
        s[3 + point] = v.dot(up);
        s[6 + point] = along(v).length();
        s[9 + point] = (v - pelvis).dot(now.forward);
        s[12 + point] = along(v - pelvis).length();
    }
    s[15] = now.hip.distance(now.ankle);
    s[16] = (b.hip.distance(b.ankle) - a.hip.distance(a.ankle)) / time;
    s[17] = (now.ankle - now.hip).dot(now.forward);
    s[18] = pelvis.dot(up);
    let (before, after) = around(fall);
    let half = ((after - before) as f64 / 2.0).max(0.5) / fps;
    let height = |frame: usize| ring.at(leg, frame).pelvis.dot(up);
    s[19] = (height(before) + height(after) - 2.0 * height(frame)) / (half * half);
    let lowest = |seen: &Seen| seen.points.iter().map(|point| point.dot(up)).fold(f64::INFINITY, f64::min);
    s[20] = lowest(now) - lowest(other);
    s[21] = now.hip.dot(up) - lowest(now);
    s.map(|value| if value.is_finite() { value as f32 } else { 0.0 })
}
