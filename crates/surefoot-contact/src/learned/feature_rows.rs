//! From poses, one at a time, to the feature rows that the model classifies.
//!
//! A row holds the signals of a foot and of the other foot at fixed times around a frame, so it can
//! be built once the poses within the look-ahead have arrived. Batch and stream use the same
//! [`FeatureExtractor`], so they classify the same rows.

use super::MotionHeader;
use super::body::{Body, POINTS};
use super::signals::{DifferenceWindows, GROUND_WINDOW, LegRing, PADDED_SIGNALS, SIGNALS, Signals, signals};
use crate::signal::{SlidingMin, frames_in};
use surefoot_core::math::{ceil as round_up, floor as round_down};
use surefoot_core::{Pose, Skeleton};

/// Times at which a foot's own signals are sampled, in seconds from the frame.
const OWN_TIMES: [f64; 13] =
    [-0.25, -0.18, -0.12, -0.08, -0.05, -0.025, 0.0, 0.025, 0.05, 0.08, 0.12, 0.16, 0.2];
/// Times at which the other foot's signals are sampled, in seconds from the frame.
const OTHER_TIMES: [f64; 5] = [-0.2, -0.1, 0.0, 0.1, 0.2];
const SAMPLES: usize = OWN_TIMES.len() + OTHER_TIMES.len();

/// Look-ahead of a row, in seconds: the last sample time and the window of its velocities.
pub const LOOKAHEAD: f64 = 0.25;

/// Number of features of a foot at a frame.
pub const FEATURES: usize = SIGNALS * SAMPLES;

/// Length of a row: a power of two, so that a tree can read any feature without a bounds check.
pub const ROW_LENGTH: usize = (PADDED_SIGNALS * SAMPLES).next_power_of_two();

/// The features of a foot at a frame, with zeros between; [`row_index`] finds a feature.
pub type FeatureRow = [f32; ROW_LENGTH];

/// Returns the index in a row of a feature, which is numbered without the padding.
#[inline]
pub const fn row_index(feature: usize) -> usize {
    feature / SIGNALS * PADDED_SIGNALS + feature % SIGNALS
}

/// A sample time relative to a frame, as a whole number of frames and a fraction.
#[derive(Clone, Copy, Debug)]
struct TimeOffset {
    frames: isize,
    fraction: f32,
}

impl TimeOffset {
    fn new(seconds: f64, fps: f64) -> Self {
        // Rounding errors must not turn a whole number of frames into the frame before.
        let at = seconds * fps + 1e-9;
        let frames = round_down(at);
        Self { frames: frames as isize, fraction: (at - 1e-9 - frames).max(0.0) as f32 }
    }
}

/// Two neighbouring entries of the signal buffer, to be interpolated.
#[derive(Clone, Copy, Debug, Default)]
struct Interpolation {
    before: usize,
    after: usize,
    fraction: f32,
}

/// Builds the feature rows of a stream of poses.
pub(super) struct FeatureExtractor {
    skeleton: Skeleton,
    body: Body,
    ring: LegRing,
    windows: DifferenceWindows,
    /// The lowest recent height of each foot point, by leg and point.
    lowest: Vec<SlidingMin>,
    /// The height of the ground under each foot's points, by leg. The fourth entry stays 0 and fills a SIMD register.
    ground: Vec<[f32; POINTS + 1]>,
    /// A ring buffer of signals, by frame and leg.
    signals: Vec<Signals>,
    /// Capacity of `signals` in frames: a power of two, so that the position is found without a division.
    capacity: usize,
    /// Frames whose signals have been computed.
    signal_frames: usize,
    /// Frames whose rows have been consumed.
    consumed: usize,
    own_times: [TimeOffset; OWN_TIMES.len()],
    other_times: [TimeOffset; OTHER_TIMES.len()],
    /// The samples of the prepared frame.
    own_samples: [Interpolation; OWN_TIMES.len()],
    other_samples: [Interpolation; OTHER_TIMES.len()],
    /// Frames of signals after a frame that its row reads.
    row_lookahead: usize,
    /// Frames of poses after a frame that its signals read.
    signal_lookahead: usize,
    is_ended: bool,
}

impl FeatureExtractor {
    /// `lookahead` is in seconds, at most [`LOOKAHEAD`]. With less, samples beyond it repeat the last known signals.
    pub fn new(header: &MotionHeader, lookahead: f64) -> Self {
        let fps = header.fps;
        let body = Body::new(header);
        let windows = DifferenceWindows::new(fps);
        let frames_up_to = |seconds: f64| round_up(seconds * fps - 1e-9) as usize;
        let before = frames_up_to(-OWN_TIMES[0]);
        let allowed = round_down(lookahead * fps + 1e-9) as usize;
        let signal_lookahead = windows.lookahead().min(allowed);
        let row_lookahead = frames_up_to(OWN_TIMES[OWN_TIMES.len() - 1]).min(allowed - signal_lookahead);
        let capacity = (before + row_lookahead + 4).next_power_of_two();
        let lowest = || SlidingMin::new(frames_in(GROUND_WINDOW, fps) + 1);
        let legs = body.leg_count();
        Self {
            skeleton: header.skeleton.clone(),
            ring: LegRing::new(legs, 2 * windows.lookahead() + 4),
            windows,
            // `vec![value; n]` would clone the queue without its capacity.
            lowest: (0..legs * POINTS).map(|_| lowest()).collect(),
            ground: vec![[0.0; _]; legs],
            signals: vec![[0.0; PADDED_SIGNALS]; capacity * legs.max(1)],
            capacity,
            signal_frames: 0,
            consumed: 0,
            own_times: OWN_TIMES.map(|time| TimeOffset::new(time, fps)),
            other_times: OTHER_TIMES.map(|time| TimeOffset::new(time, fps)),
            own_samples: [Interpolation::default(); _],
            other_samples: [Interpolation::default(); _],
            row_lookahead,
            signal_lookahead,
            is_ended: false,
            body,
        }
    }

    /// Number of frames that must follow a frame before its rows can be built.
    pub fn lookahead(&self) -> usize {
        self.row_lookahead + self.signal_lookahead
    }

    /// Adds the next pose.
    pub fn push(&mut self, pose: &Pose) {
        if self.ring.frames == 0 {
            self.body.measure_legs(pose, &self.skeleton);
        }
        let Self { body, ring, lowest, ground, skeleton, .. } = self;
        let legs = ring.push();
        body.pose_legs(pose, skeleton, legs);
        for (leg, frame) in legs.iter().enumerate() {
            for (point, position) in frame.points.iter().enumerate() {
                let lowest = &mut lowest[leg * POINTS + point];
                lowest.push(position.dot(body.up));
                ground[leg][point] = lowest.get() as f32;
            }
        }
        if self.ring.frames > self.signal_lookahead {
            self.compute_signals();
        }
    }

    /// The legs in the last pose.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Marks the end of the motion: the remaining rows are built without look-ahead.
    pub fn end(&mut self) {
        self.is_ended = true;
    }

    /// Prepares the next frame for [`row`](Self::row); returns false if more poses are needed.
    pub fn prepare(&mut self) -> bool {
        let needed = self.consumed + self.row_lookahead;
        while self.is_ended && self.signal_frames < self.ring.frames && self.signal_frames <= needed {
            self.compute_signals();
        }
        let is_ready =
            if self.is_ended { self.consumed < self.ring.frames } else { self.signal_frames > needed };
        if is_ready {
            self.own_samples = self.own_times.map(|time| self.sample(time));
            self.other_samples = self.other_times.map(|time| self.sample(time));
        }
        is_ready
    }

    /// Finds the entries around a sample time of the prepared frame. Beyond the ends of the motion,
    /// or of the look-ahead, it is the first or the last known frame.
    fn sample(&self, TimeOffset { frames, fraction }: TimeOffset) -> Interpolation {
        let only = |frame: usize| {
            let at = self.buffer_index(frame);
            Interpolation { before: at, after: at, fraction: 0.0 }
        };
        let last = self.signal_frames - 1;
        match self.consumed.checked_add_signed(frames) {
            None => only(0),
            Some(frame) if frame >= last => only(last),
            Some(frame) => Interpolation {
                before: self.buffer_index(frame),
                after: self.buffer_index(frame + 1),
                fraction,
            },
        }
    }

    /// The index in `signals` of a frame's first leg.
    fn buffer_index(&self, frame: usize) -> usize {
        (frame & (self.capacity - 1)) * self.body.leg_count()
    }

    /// Writes the row of a foot at the prepared frame.
    pub fn row(&self, leg: usize, row: &mut FeatureRow) {
        let (parts, _) = row[..PADDED_SIGNALS * SAMPLES].as_chunks_mut();
        let (own, other) = parts.split_at_mut(OWN_TIMES.len());
        self.write_samples(leg, &self.own_samples, own);
        self.write_samples(self.body.other(leg), &self.other_samples, other);
    }

    /// Heights of heel and ball above the ground under the foot at the prepared frame, in leg lengths.
    pub fn heights(&self, leg: usize) -> [f32; 2] {
        let signals = &self.signals[self.buffer_index(self.consumed) + leg];
        [0, 1].map(|point| signals[point] - self.ground[leg][point])
    }

    /// Moves on to the next frame.
    pub fn consume(&mut self) {
        self.consumed += 1;
    }

    fn compute_signals(&mut self) {
        for leg in 0..self.body.leg_count() {
            let signals = signals(&self.ring, leg, self.signal_frames, &self.windows, &self.body);
            let at = self.buffer_index(self.signal_frames) + leg;
            self.signals[at] = signals;
        }
        self.signal_frames += 1;
    }

    /// Writes linearly interpolated signals, with heights above the ground under the foot.
    fn write_samples(&self, leg: usize, samples: &[Interpolation], parts: &mut [Signals]) {
        let ground = &self.ground[leg];
        for (sample, part) in samples.iter().zip(parts) {
            let a = &self.signals[sample.before + leg];
            let b = &self.signals[sample.after + leg];
            for ((value, a), b) in part.iter_mut().zip(a).zip(b) {
                *value = a + (b - a) * sample.fraction;
            }
            for (height, ground) in part.iter_mut().zip(ground) {
                *height -= ground;
            }
        }
    }
}

/// Runs an extractor over all poses. `on_pose` is called after each pose with the legs in it,
/// `on_frame` for each frame in order, when its rows can be read.
pub(super) fn extract(
    header: &MotionHeader,
    poses: &[Pose],
    mut on_pose: impl FnMut(&Body),
    mut on_frame: impl FnMut(&FeatureExtractor),
) {
    let mut extractor = FeatureExtractor::new(header, LOOKAHEAD);
    let mut consume_ready = |extractor: &mut FeatureExtractor| {
        while extractor.prepare() {
            on_frame(extractor);
            extractor.consume();
        }
    };
    for pose in poses {
        extractor.push(pose);
        on_pose(extractor.body());
        consume_ready(&mut extractor);
    }
    extractor.end();
    consume_ready(&mut extractor);
}

/// Returns the rows of every foot at every frame, ordered by frame, then leg.
pub fn feature_rows(header: &MotionHeader, poses: &[Pose]) -> Vec<FeatureRow> {
    let mut rows = Vec::with_capacity(poses.len() * header.legs.len());
    let add_rows = |extractor: &FeatureExtractor| {
        for leg in 0..header.legs.len() {
            let mut row = [0.0; ROW_LENGTH];
            extractor.row(leg, &mut row);
            rows.push(row);
        }
    };
    extract(header, poses, |_| {}, add_rows);
    rows
}
