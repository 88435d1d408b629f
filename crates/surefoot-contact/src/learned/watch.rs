//! From poses, one at a time, to what a model is shown of each foot.
//!
//! The row of a frame can be made once the frames that follow it within the look-ahead are in
//! view. Batch and stream feed the same watch, so they see the same.

use super::lows::Low;
use super::seen::{Body, POINTS, Seen};
use super::signals::{LOW, Ring, SIGNALS, Signals, Steps, WIDE, signals};
use surefoot_core::math::{ceil as libm_ceil, floor as round_down};
use surefoot_core::{Floor, Leg, Pose, Skeleton};

/// Instants at which a foot's own signals are shown, in seconds from the frame.
pub(super) const OWN: [f64; 13] =
    [-0.25, -0.18, -0.12, -0.08, -0.05, -0.025, 0.0, 0.025, 0.05, 0.08, 0.12, 0.16, 0.2];
/// The same for the other foot's.
pub(super) const OTHERS: [f64; 5] = [-0.2, -0.1, 0.0, 0.1, 0.2];

/// How far a row looks ahead, in seconds: the last instant and the frames its velocities take.
pub const LOOKAHEAD: f64 = 0.25;

/// How many numbers a model is shown of a foot at a frame.
pub const ROW: usize = SIGNALS * (OWN.len() + OTHERS.len());

/// Room for them: a power of two, so that a tree finds a number without asking whether there is one.
pub const ROOM: usize = (WIDE * (OWN.len() + OTHERS.len())).next_power_of_two();

/// What a model is shown: `ROW` numbers, and zeros between. Where each is says [`place`].
pub type Row = [f32; ROOM];

/// Where in a row a number is; numbers are counted without the zeros.
#[inline]
pub const fn place(number: usize) -> usize {
    number / SIGNALS * WIDE + number % SIGNALS
}

/// An instant as seen from any frame: so many frames on to the frame before it, and how far it is from that to the next.
#[derive(Clone, Copy, Debug)]
struct Instant {
    frames: isize,
    share: f32,
}

impl Instant {
    /// An instant that is so many seconds away.
    fn new(seconds: f64, fps: f64) -> Self {
        // What is left of a product that should be a whole number is none of it.
        let at = seconds * fps + 1e-9;
        let frames = round_down(at);
        Self { frames: frames as isize, share: (at - 1e-9 - frames).max(0.0) as f32 }
    }
}

/// An instant: the places of the signals before and after it, and how far it is from the one to the other.
#[derive(Clone, Copy, Debug, Default)]
struct Between {
    before: usize,
    after: usize,
    share: f32,
}

/// Watches a body, a pose at a time.
pub(super) struct Watch {
    skeleton: Skeleton,
    body: Body,
    ring: Ring,
    steps: Steps,
    lows: Vec<Low>,
    /// The height of the ground under each foot's points, by leg, and a zero.
    grounds: Vec<[f32; POINTS + 1]>,
    /// Signals of frames in view, by frame and leg.
    signals: Vec<Signals>,
    /// How many frames there is room for: a power of two, which spares a division for every look.
    room: usize,
    /// Frames whose signals are known.
    known: usize,
    /// Frames whose rows have been given.
    given: usize,
    /// The instants that are shown of a foot's own signals, and of the other's.
    instants: ([Instant; OWN.len()], [Instant; OTHERS.len()]),
    /// What the instants of the frame that is ready are between.
    own: [Between; OWN.len()],
    others: [Between; OTHERS.len()],
    /// Frames after a frame that its row looks at.
    after: usize,
    /// Frames that follow one before its signals are found: as many as they take, or as are allowed.
    ahead: usize,
    ended: bool,
}

impl Watch {
    /// `lookahead` is in seconds; the whole of it takes `LOOKAHEAD`, less leaves the last instants
    /// to be as the last that is known.
    pub fn new(skeleton: &Skeleton, fps: f64, legs: &[Leg], floor: Option<&Floor>, lookahead: f64) -> Self {
        let body = Body::new(skeleton, legs, floor);
        let steps = Steps::new(fps);
        let up_to = |seconds: f64| libm_ceil(seconds * fps - 1e-9) as usize;
        let before = up_to(-OWN[0]);
        let allowed = round_down(lookahead * fps + 1e-9) as usize;
        let ahead = steps.ahead().min(allowed);
        let after = up_to(OWN[OWN.len() - 1]).min(allowed - ahead);
        let frames = |seconds: f64| round_down(seconds * fps + 0.5) as usize;
        let room = (before + after + 4).next_power_of_two();
        let low = || Low::new(frames(LOW) + 1);
        let count = body.legs();
        Self {
            skeleton: skeleton.clone(),
            ring: Ring::new(count, 2 * steps.ahead() + 4),
            steps,
            // Each made anew: a copy would have no room of its own.
            grounds: vec![[0.0; _]; count],
            lows: (0..count * POINTS).map(|_| low()).collect(),
            signals: vec![[0.0; WIDE]; room * count.max(1)],
            room,
            known: 0,
            given: 0,
            instants: (OWN.map(|at| Instant::new(at, fps)), OTHERS.map(|at| Instant::new(at, fps))),
            own: [Between::default(); _],
            others: [Between::default(); _],
            after,
            ahead,
            ended: false,
            body,
        }
    }

    /// How many frames must follow a frame before its row can be made.
    pub fn lookahead(&self) -> usize {
        self.after + self.ahead
    }

    /// Takes the next pose.
    pub fn push(&mut self, pose: &Pose) {
        if self.ring.frames == 0 {
            self.body.measure(pose, &self.skeleton);
        }
        let Self { body, ring, lows, grounds, skeleton, .. } = self;
        let seen: &mut [Seen] = ring.next();
        body.see(pose, skeleton, seen);
        for (leg, seen) in seen.iter().enumerate() {
            for (point, place) in seen.points.iter().enumerate() {
                let low = &mut lows[leg * POINTS + point];
                low.push(place.dot(body.up));
                grounds[leg][point] = low.least() as f32;
            }
        }
        if self.ring.frames > self.ahead {
            self.know();
        }
    }

    /// The legs in the pose that was pushed last.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// No pose follows.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// The number of the next frame whose rows can be made, if there is one by now.
    pub fn ready(&mut self) -> Option<usize> {
        while self.ended && self.known < self.ring.frames && self.known <= self.given + self.after {
            self.know();
        }
        let is_ready =
            if self.ended { self.given < self.ring.frames } else { self.known > self.given + self.after };
        if !is_ready {
            return None;
        }
        self.own = self.instants.0.map(|instant| self.between(instant));
        self.others = self.instants.1.map(|instant| self.between(instant));
        Some(self.given)
    }

    /// Between which frames an instant lies, as seen from the frame that is ready; beyond the ends of the
    /// motion on its first or last frame.
    fn between(&self, Instant { frames, share }: Instant) -> Between {
        let last = self.known - 1;
        let Some(frame) = self.given.checked_add_signed(frames) else {
            return Between { before: self.place(0), after: self.place(0), share: 0.0 };
        };
        if frame >= last {
            return Between { before: self.place(last), after: self.place(last), share: 0.0 };
        }
        Between { before: self.place(frame), after: self.place(frame + 1), share }
    }

    /// Where the signals of a frame are, of all legs.
    fn place(&self, frame: usize) -> usize {
        (frame & (self.room - 1)) * self.body.legs()
    }

    /// The row of a foot at the frame that is ready.
    pub fn row(&self, leg: usize, row: &mut Row) {
        let (parts, _) = row[..WIDE * (OWN.len() + OTHERS.len())].as_chunks_mut();
        let (own, others) = parts.split_at_mut(OWN.len());
        self.fill(leg, &self.own, own);
        self.fill(self.body.other(leg), &self.others, others);
    }

    /// How far heel and ball are above the ground under the foot, at the frame that is ready.
    pub fn heights(&self, leg: usize) -> [f32; 2] {
        let signals = &self.signals[self.place(self.given) + leg];
        [0, 1].map(|point| signals[point] - self.grounds[leg][point])
    }

    /// Goes on to the next frame.
    pub fn pass(&mut self) {
        self.given += 1;
    }

    /// Finds the signals of the next frame.
    fn know(&mut self) {
        let count = self.body.legs();
        for leg in 0..count {
            let signals = signals(&self.ring, leg, self.known, &self.steps, &self.body);
            let at = self.place(self.known) + leg;
            self.signals[at] = signals;
        }
        self.known += 1;
    }

    /// Signals at instants around the frame that is ready, between frames on a straight line.
    fn fill(&self, leg: usize, instants: &[Between], parts: &mut [Signals]) {
        let ground = &self.grounds[leg];
        for (between, part) in instants.iter().zip(parts) {
            let a = &self.signals[between.before + leg];
            let b = &self.signals[between.after + leg];
            for ((value, a), b) in part.iter_mut().zip(a).zip(b) {
                *value = a + (b - a) * between.share;
            }
            for (height, ground) in part.iter_mut().zip(ground) {
                *height -= ground;
            }
        }
    }
}

/// The rows of every foot at every frame, by frame and leg.
pub fn rows(skeleton: &Skeleton, fps: f64, poses: &[Pose], legs: &[Leg], floor: Option<&Floor>) -> Vec<Row> {
    let mut watch = Watch::new(skeleton, fps, legs, floor, LOOKAHEAD);
    let mut rows = Vec::with_capacity(poses.len() * legs.len());
    let mut take = |watch: &mut Watch| {
        while watch.ready().is_some() {
            for leg in 0..legs.len() {
                let mut row = [0.0; ROOM];
                watch.row(leg, &mut row);
                rows.push(row);
            }
            watch.pass();
        }
    };
    for pose in poses {
        watch.push(pose);
        take(&mut watch);
    }
    watch.end();
    take(&mut watch);
    rows
}
