//! The feature vector of one frame.

use super::feature_set::FeatureSet;
use super::leg_pair::{CENTRE_OF_MASS, HEEL, JointAngle, KNEE, LegPair, TOE};
use surefoot_core::Vec3;
use surefoot_core::math::{floor, ln};

/// The times around a frame at which features are sampled: 1, 3, 5 or 10 samples, 1/30 s apart.
///
/// The thesis counts frames of its 30 fps motions. An even number of samples lies symmetrically
/// around the frame, between frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Window {
    samples: u8,
}

impl Window {
    /// The windows of the thesis.
    pub const ALL: [Self; 4] =
        [Self { samples: 1 }, Self { samples: 3 }, Self { samples: 5 }, Self { samples: 10 }];

    /// A window of this many samples; `None` if the thesis does not use that size.
    pub fn of(samples: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|window| window.samples == samples)
    }

    /// Number of samples.
    pub fn samples(self) -> u8 {
        self.samples
    }

    /// The sample times, in seconds from the frame.
    fn times(self) -> impl Iterator<Item = f64> {
        let middle = f64::from(self.samples - 1) / 2.0;
        (0..self.samples).map(move |sample| (f64::from(sample) - middle) / 30.0)
    }
}

/// The features of a classifier: which, and at which times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureSpec {
    /// The features.
    pub set: FeatureSet,
    /// The sample times.
    pub window: Window,
}

/// Numbers in a vector.
const XYZ: usize = 3;
/// Numbers of a joint angle: angle, rate, acceleration.
const ANGLE: usize = 3;
/// Velocity and acceleration.
const RATES: usize = 2;

/// The sets with the positions of heels and toes.
const HEEL_AND_TOE: FeatureSet =
    FeatureSet::A.with(FeatureSet::D).with(FeatureSet::KNEE).with(FeatureSet::ANKLE);

/// The sets with the angle of hip, knee and ankle.
const JOINT_ANGLES: [FeatureSet; 3] =
    [FeatureSet::C, FeatureSet::C.with(FeatureSet::KNEE), FeatureSet::C.with(FeatureSet::ANKLE)];

impl FeatureSpec {
    /// Number of features: the length of a feature vector.
    pub fn count(self) -> usize {
        let each = |needed: FeatureSet, numbers: usize| if self.set.has(needed) { numbers } else { 0 };
        let of_leg = each(FeatureSet::A, XYZ)
            + each(HEEL_AND_TOE, 2 * XYZ)
            + each(FeatureSet::D, XYZ)
            + each(FeatureSet::B, 3 * RATES * XYZ)
            + each(FeatureSet::B_LEVEL, 3 * RATES)
            + each(FeatureSet::B_UP, 3 * RATES)
            + JOINT_ANGLES.iter().map(|&needed| each(needed, ANGLE)).sum::<usize>();
        let of_root = each(FeatureSet::A, XYZ);
        (of_root + 2 * of_leg) * usize::from(self.window.samples())
    }
}

/// Whether a frame is described as it is or mirrored, which doubles the training examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As it is.
    AsIs,
    /// With left and right exchanged.
    Mirrored,
}

impl LegPair {
    /// Replaces `vector` by the feature vector of a frame.
    pub fn feature_vector(&self, frame: usize, spec: FeatureSpec, view: View, vector: &mut Vec<f32>) {
        vector.clear();
        let body = BodyFrame {
            root: self.root[frame],
            forward: self.facing[frame],
            ground: self.ground[frame],
            side_sign: if view == View::Mirrored { -1.0 } else { 1.0 },
        };
        let sides = if view == View::Mirrored { [1, 0] } else { [0, 1] };
        for seconds in spec.window.times() {
            let time = SampleTime::new(frame as f64 + seconds * self.fps, self.frames);
            if spec.set.has(FeatureSet::A) {
                vector.extend(body.position(time.sample(&self.root)));
            }
            sides.into_iter().for_each(|side| self.push_leg_features(side, &time, spec.set, &body, vector));
        }
    }

    fn push_leg_features(
        &self,
        side: usize,
        time: &SampleTime,
        set: FeatureSet,
        body: &BodyFrame,
        vector: &mut Vec<f32>,
    ) {
        let mut push_positions = |needed: FeatureSet, points: &[usize]| {
            if set.has(needed) {
                let position = |&point: &usize| body.position(time.sample(&self.positions[side][point]));
                vector.extend(points.iter().flat_map(position));
            }
        };
        push_positions(FeatureSet::A, &[KNEE]);
        push_positions(HEEL_AND_TOE, &[HEEL, TOE]);
        push_positions(FeatureSet::D, &[CENTRE_OF_MASS]);
        for point in [KNEE, HEEL, TOE] {
            for (rates, small) in
                [(&self.velocities, SMALL_VELOCITY), (&self.accelerations, SMALL_ACCELERATION)]
            {
                body.push_rate(time.sample(&rates[side][point]), small, set, vector);
            }
        }
        for (needed, angles) in JOINT_ANGLES.into_iter().zip(&self.angles[side]) {
            if set.has(needed) {
                vector.extend(time.sample_angle(angles).map(|number| number as f32));
            }
        }
    }
}

/// Velocities are scaled linearly up to about this, in leg lengths per second, and logarithmically
/// beyond. A foot that skates at 0.2 must differ from one at rest, while 5 and 6 are both a swing.
const SMALL_VELOCITY: f64 = 0.1;
/// Accelerations are scaled linearly up to about this, in leg lengths per second², and logarithmically beyond.
const SMALL_ACCELERATION: f64 = 2.0;

/// The coordinate frame of the body at one frame.
struct BodyFrame {
    root: Vec3,
    forward: Vec3,
    ground: f64,
    /// 1, or -1 for a mirrored view.
    side_sign: f64,
}

impl BodyFrame {
    /// A vector's components to the side, up and forward.
    fn direction(&self, vector: Vec3) -> [f32; 3] {
        let side = Vec3::Y.cross(self.forward);
        [self.side_sign * vector.dot(side), vector.y, vector.dot(self.forward)].map(|number| number as f32)
    }

    /// A position relative to the root horizontally and to the ground vertically.
    fn position(&self, position: Vec3) -> [f32; 3] {
        let Vec3 { x, y, z } = position;
        self.direction(Vec3::new(x - self.root.x, y - self.ground, z - self.root.z))
    }

    /// Appends the components of a velocity or an acceleration that the set contains, compressed.
    fn push_rate(&self, rate: Vec3, small: f64, set: FeatureSet, vector: &mut Vec<f32>) {
        if set.has(FeatureSet::B) {
            vector.extend(self.direction(compressed(rate, small)));
        }
        if set.has(FeatureSet::B_LEVEL) {
            vector.push(compressed(Vec3::new(rate.x, 0.0, rate.z), small).length() as f32);
        }
        if set.has(FeatureSet::B_UP) {
            vector.push(compressed(Vec3::new(0.0, rate.y, 0.0), small).y as f32);
        }
    }
}

/// Compresses the length of a vector logarithmically; see [`SMALL_VELOCITY`].
fn compressed(rate: Vec3, small: f64) -> Vec3 {
    let size = rate.length();
    // The zero vector has no direction.
    if size > 0.0 { rate * (ln(1.0 + size / small) / size) } else { Vec3::ZERO }
}

/// A time between two frames, clamped to the motion.
struct SampleTime {
    before: usize,
    after: usize,
    fraction: f64,
}

impl SampleTime {
    fn new(frame: f64, frames: usize) -> Self {
        let last = frames.saturating_sub(1);
        let frame = frame.clamp(0.0, last as f64);
        let before = floor(frame) as usize;
        Self { before, after: (before + 1).min(last), fraction: frame - before as f64 }
    }

    fn sample(&self, values: &[Vec3]) -> Vec3 {
        values[self.before].lerp(values[self.after], self.fraction)
    }

    /// Angle, rate and acceleration.
    fn sample_angle(&self, values: &[JointAngle]) -> [f64; 3] {
        let (before, after) = (values[self.before], values[self.after]);
        let between = |before: f64, after: f64| before + (after - before) * self.fraction;
        [
            between(before.angle, after.angle),
            between(before.rate, after.rate),
            between(before.acceleration, after.acceleration),
        ]
    }
}
