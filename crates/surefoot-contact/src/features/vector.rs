//! The numbers of one moment.

use super::pair::{HEEL, KNEE, MASS, Pair, TOE};
use super::set::Features;
use surefoot_core::Vec3;
use surefoot_core::math::{floor, ln};

/// How many instants around a moment are looked at: 1, 3, 5 or 10, a thirtieth of a second apart.
///
/// The thesis counts frames of its motions. An even number lies evenly around the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    instants: u8,
}

impl Window {
    /// The thesis's windows.
    pub const ALL: [Self; 4] =
        [Self { instants: 1 }, Self { instants: 3 }, Self { instants: 5 }, Self { instants: 10 }];

    /// A window of so many instants; `None` where that is not one of the thesis's.
    pub fn of(instants: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|window| window.instants == instants)
    }

    /// How many instants.
    pub fn instants(self) -> u8 {
        self.instants
    }

    /// When each is, in seconds from the moment.
    fn seconds(self) -> impl Iterator<Item = f64> {
        let middle = f64::from(self.instants - 1) / 2.0;
        (0..self.instants).map(move |instant| (f64::from(instant) - middle) / 30.0)
    }
}

/// As it is, or as in a mirror: what is left is then right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As it is.
    AsIs,
    /// Left and right exchanged.
    Mirrored,
}

impl Features {
    /// How many numbers a moment has.
    pub fn len(self, window: Window) -> usize {
        let each = |asked: Features, numbers: usize| if self.has(asked) { numbers } else { 0 };
        let places = Self::A.with(Self::D).with(Self::KNEE);
        let instant = each(Self::A, 6 + 3)
            + each(places, 12)
            + each(Self::D, 6)
            + each(Self::B, 36)
            + each(Self::B_SPLIT.with(Self::B_LEVEL), 12)
            + each(Self::B_SPLIT.with(Self::B_UP), 12)
            + each(Self::C, 12)
            + each(Self::C.with(Self::KNEE), 6);
        instant * usize::from(window.instants())
    }

    /// Never: a set has features.
    pub fn is_empty(self) -> bool {
        false
    }
}

impl Pair {
    /// Puts the numbers of one frame into `numbers`, in place of what was there.
    pub fn vector(
        &self,
        frame: usize,
        features: Features,
        window: Window,
        view: View,
        numbers: &mut Vec<f32>,
    ) {
        numbers.clear();
        let body = Body {
            root: self.root[frame],
            ahead: self.facing[frame],
            ground: self.ground[frame],
            turn: if view == View::Mirrored { -1.0 } else { 1.0 },
        };
        let sides = if view == View::Mirrored { [1, 0] } else { [0, 1] };
        for seconds in window.seconds() {
            let instant = Instant::at(frame as f64 + seconds * self.fps, self.frames);
            self.instant(&instant, features, &body, sides, numbers);
        }
    }

    fn instant(
        &self,
        instant: &Instant,
        features: Features,
        body: &Body,
        sides: [usize; 2],
        numbers: &mut Vec<f32>,
    ) {
        if features.has(Features::A) {
            numbers.extend(body.place(instant.of(&self.root)));
        }
        for side in sides {
            let places = &self.places[side];
            let mut place = |asked: Features, points: &[usize]| {
                if features.has(asked) {
                    numbers.extend(points.iter().flat_map(|&point| body.place(instant.of(&places[point]))));
                }
            };
            place(Features::A, &[KNEE]);
            place(Features::A.with(Features::D).with(Features::KNEE), &[HEEL, TOE]);
            place(Features::D, &[MASS]);
            for point in [KNEE, HEEL, TOE] {
                for (rates, small) in [(&self.velocities, SLOW), (&self.accelerations, GENTLE)] {
                    body.rate(instant.of(&rates[side][point]), small, features, numbers);
                }
            }
            for (joint, bends) in self.bends[side].iter().enumerate() {
                let is_knee = joint == 1 && features.has(Features::KNEE);
                if features.has(Features::C) || is_knee {
                    numbers.extend(instant.between(bends).map(|number| number as f32));
                }
            }
        }
    }
}

/// What is a small velocity, in legs per second, and a small acceleration, in legs per second²: up
/// to about these a number grows with the rate, beyond them with its logarithm. A foot that skates
/// at 0.2 must not look like one that stands, and whether it swings at 5 or 6 does not matter.
const SLOW: f64 = 0.1;
const GENTLE: f64 = 2.0;

/// From where things are seen.
struct Body {
    root: Vec3,
    ahead: Vec3,
    ground: f64,
    /// 1, or -1 in a mirror.
    turn: f64,
}

impl Body {
    /// To the side, up and ahead.
    fn turned(&self, vector: Vec3) -> [f32; 3] {
        let aside = Vec3::Y.cross(self.ahead);
        [self.turn * vector.dot(aside), vector.y, vector.dot(self.ahead)].map(|number| number as f32)
    }

    /// A place, seen from the root along the ground and from the ground upwards.
    fn place(&self, place: Vec3) -> [f32; 3] {
        self.turned(Vec3::new(place.x - self.root.x, place.y - self.ground, place.z - self.root.z))
    }

    /// A velocity or an acceleration, as the features ask for it, squeezed.
    fn rate(&self, rate: Vec3, small: f64, features: Features, numbers: &mut Vec<f32>) {
        let squeezed = |rate: Vec3| {
            let size = rate.length();
            // What does not move has no direction.
            if size > 0.0 { rate * (ln(1.0 + size / small) / size) } else { Vec3::ZERO }
        };
        let (along, up) = (squeezed(Vec3::new(rate.x, 0.0, rate.z)), squeezed(Vec3::new(0.0, rate.y, 0.0)));
        let rate = squeezed(rate);
        if features.has(Features::B) {
            numbers.extend(self.turned(rate));
        }
        if features.has(Features::B_SPLIT.with(Features::B_LEVEL)) {
            numbers.push(along.length() as f32);
        }
        if features.has(Features::B_SPLIT.with(Features::B_UP)) {
            numbers.push(up.y as f32);
        }
    }
}

/// A moment between two frames. Before the first and after the last, time stands still.
struct Instant {
    before: usize,
    after: usize,
    share: f64,
}

impl Instant {
    fn at(frame: f64, frames: usize) -> Self {
        let last = frames.saturating_sub(1);
        let frame = frame.clamp(0.0, last as f64);
        let before = floor(frame) as usize;
        Self { before, after: (before + 1).min(last), share: frame - before as f64 }
    }

    fn of(&self, values: &[Vec3]) -> Vec3 {
        values[self.before].lerp(values[self.after], self.share)
    }

    fn between(&self, values: &[[f64; 3]]) -> [f64; 3] {
        let (before, after) = (values[self.before], values[self.after]);
        core::array::from_fn(|k| before[k] + (after[k] - before[k]) * self.share)
    }
}
