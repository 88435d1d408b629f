//! The keys of one animated property of a node, and their interpolation.

use std::collections::BTreeMap;
use std::sync::Arc;

use surefoot_core::math::slerp;
use surefoot_core::{Quat, Vec3};

use super::accessor::Accessors;
use super::document::{Animation, Document, Sampler};
use super::error::{GltfError, quoted};

/// An animated property of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
}

impl Path {
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Translation, Self::Rotation, Self::Scale].into_iter().find(|path| path.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        }
    }

    /// The numbers of one value.
    pub fn components(self) -> usize {
        if self == Self::Rotation { 4 } else { 3 }
    }
}

/// How values between keys are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Linear,
    Step,
    CubicSpline,
}

impl Interpolation {
    /// The values stored for each key: a spline has a tangent before and after each.
    pub fn values_per_key(self) -> usize {
        if self == Self::CubicSpline { 3 } else { 1 }
    }
}

/// A value of a track: up to four numbers, the rest zero.
pub(super) type Value = [f64; 4];

/// The keys of one animated property of a node.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub node: usize,
    pub path: Path,
    pub interpolation: Interpolation,
    /// The time of each key in seconds, rising.
    pub times: Arc<[f32]>,
    /// The numbers of all keys.
    pub values: Arc<[f32]>,
    /// The index of the channel in its animation.
    pub channel: usize,
    /// The index of the sampler in its animation.
    pub sampler: usize,
}

/// Where a time is among the keys of a track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Position {
    /// At a key, or beyond the first or last one.
    Key(usize),
    /// Between a key and the next, at this share of the way.
    Between(usize, f64),
}

/// A time, which is found once among keys that several tracks share.
pub(super) struct Moment<'t> {
    time: f64,
    tolerance: f64,
    last: Option<(&'t Arc<[f32]>, Position)>,
}

impl<'t> Moment<'t> {
    /// Times nearer to a key than `tolerance` seconds are at the key.
    pub fn new(time: f64, tolerance: f64) -> Self {
        Self { time, tolerance, last: None }
    }

    /// Where the time is among the keys of a track.
    pub fn position(&mut self, track: &'t Track) -> Position {
        match self.last {
            Some((times, position)) if Arc::ptr_eq(times, &track.times) => position,
            _ => {
                let position = track.position(self.time, self.tolerance);
                self.last = Some((&track.times, position));
                position
            }
        }
    }
}

impl Track {
    /// Where a time is. Times nearer to a key than `tolerance` seconds are at the key.
    pub fn position(&self, time: f64, tolerance: f64) -> Position {
        if let Some(key) = self.even_key(time, tolerance) {
            return Position::Key(key);
        }
        let after = self.times.partition_point(|&key| f64::from(key) < time);
        let last = self.times.len() - 1;
        let gap = |key: usize| (f64::from(self.times[key]) - time).abs();
        if after <= last && gap(after) <= tolerance {
            return Position::Key(after);
        }
        match after {
            0 => Position::Key(0),
            after if gap(after - 1) <= tolerance || after > last => Position::Key(after - 1),
            after => {
                let [from, to] = [after - 1, after].map(|key| f64::from(self.times[key]));
                Position::Between(after - 1, (time - from) / (to - from))
            }
        }
    }

    /// The only key nearer to a time than `tolerance`, if keys are about as far apart as if they were even: most tracks
    /// have a key for each frame, and need no search.
    fn even_key(&self, time: f64, tolerance: f64) -> Option<usize> {
        let last = self.times.len() - 1;
        let [start, end] = [0, last].map(|key| f64::from(self.times[key]));
        // A single key has no distance; a share outside of 0 to 1 is clamped to the ends.
        let key = ((time - start) / (end - start) * last as f64).round();
        let key = if key.is_finite() { key.clamp(0.0, last as f64) as usize } else { return None };
        let is_at = |key: usize| (f64::from(self.times[key]) - time).abs() <= tolerance;
        let is_only = is_at(key) && !(key > 0 && is_at(key - 1)) && !(key < last && is_at(key + 1));
        is_only.then_some(key)
    }

    /// The key nearer to a time than `tolerance` seconds.
    pub fn key_at(&self, time: f64, tolerance: f64) -> Option<usize> {
        match self.position(time, tolerance) {
            Position::Key(key) if (f64::from(self.times[key]) - time).abs() <= tolerance => Some(key),
            _ => None,
        }
    }

    /// Stored numbers of a key: of a spline, `part` 0 and 2 are the tangents before and after it, 1 is its value.
    pub fn stored(&self, key: usize, part: usize) -> Value {
        let components = self.path.components();
        let at = (key * self.interpolation.values_per_key() + part) * components;
        let mut value = Value::default();
        value.iter_mut().zip(&self.values[at..at + components]).for_each(|(v, &n)| *v = f64::from(n));
        value
    }

    /// The value of a key.
    pub fn key_value(&self, key: usize) -> Value {
        self.stored(key, usize::from(self.interpolation == Interpolation::CubicSpline))
    }

    /// The value at a time. A rotation is not normalised, so that a key inserted there leaves the curve as it is.
    pub fn value(&self, time: f64, tolerance: f64) -> Value {
        self.value_at(self.position(time, tolerance))
    }

    /// The value at a position among the keys.
    pub fn value_at(&self, position: Position) -> Value {
        match position {
            Position::Key(key) => self.key_value(key),
            Position::Between(key, share) => self.between(key, share),
        }
    }

    fn between(&self, key: usize, share: f64) -> Value {
        let (from, to) = (self.key_value(key), self.key_value(key + 1));
        match self.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear if self.path == Path::Rotation => {
                slerp(rotation(from), rotation(to), share).to_array()
            }
            Interpolation::Linear => combine([(1.0 - share, from), (share, to)]),
            Interpolation::CubicSpline => self.hermite(key, hermite_weights(share)),
        }
    }

    /// The derivative at a time, per second; before and after a key of a spline they can differ.
    pub fn derivatives(&self, time: f64, tolerance: f64) -> [Value; 2] {
        match self.position(time, tolerance) {
            Position::Key(key) => [self.stored(key, 0), self.stored(key, 2)],
            Position::Between(key, share) => {
                let seconds = self.seconds(key);
                let slope = self.hermite(key, hermite_slopes(share)).map(|number| number / seconds);
                [slope, slope]
            }
        }
    }

    fn hermite(&self, key: usize, [p0, m0, p1, m1]: [f64; 4]) -> Value {
        let seconds = self.seconds(key);
        combine([
            (p0, self.stored(key, 1)),
            (m0 * seconds, self.stored(key, 2)),
            (p1, self.stored(key + 1, 1)),
            (m1 * seconds, self.stored(key + 1, 0)),
        ])
    }

    fn seconds(&self, key: usize) -> f64 {
        f64::from(self.times[key + 1]) - f64::from(self.times[key])
    }
}

/// A value as a vector.
pub(super) fn vector(value: Value) -> Vec3 {
    Vec3::new(value[0], value[1], value[2])
}

/// A value as a rotation.
pub(super) fn rotation(value: Value) -> Quat {
    Quat::from_array(value).normalize()
}

fn combine<const N: usize>(parts: [(f64, Value); N]) -> Value {
    core::array::from_fn(|n| parts.iter().map(|(weight, value)| weight * value[n]).sum())
}

/// Weights of the value and tangent of a key and of the next, for a cubic Hermite spline at `t` from 0 to 1.
fn hermite_weights(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t, -2.0 * t3 + 3.0 * t2, t3 - t2]
}

/// The derivatives of [`hermite_weights`].
fn hermite_slopes(t: f64) -> [f64; 4] {
    let t2 = t * t;
    [6.0 * t2 - 6.0 * t, 3.0 * t2 - 4.0 * t + 1.0, -6.0 * t2 + 6.0 * t, 3.0 * t2 - 2.0 * t]
}

/// Reads the tracks of an animation that move nodes. Accessors that several tracks share are read once.
pub(super) struct TrackReader<'a> {
    accessors: Accessors<'a>,
    read: BTreeMap<(usize, usize), Arc<[f32]>>,
}

impl<'a> TrackReader<'a> {
    pub fn new(accessors: Accessors<'a>) -> Self {
        Self { accessors, read: BTreeMap::new() }
    }

    /// The tracks of an animation.
    pub fn tracks(&mut self, index: usize) -> Result<Vec<Track>, GltfError> {
        let document = self.accessors.document;
        let animation = &document.animations[index];
        let mut tracks = Vec::new();
        for (channel, ends) in animation.channels.iter().enumerate() {
            let (Some(node), Some(path)) = (ends.target.node, Path::from_name(&ends.target.path)) else {
                // Weights of blend shapes and properties of extensions do not move joints.
                continue;
            };
            let at = track_place(document, index, channel);
            if node >= document.nodes.len() {
                let nodes = document.nodes.len();
                return Err(GltfError::new(at, format!("node {node}"), format!("one of {nodes} nodes")));
            }
            let sampler = animation.samplers.get(ends.sampler).ok_or_else(|| {
                let samplers = animation.samplers.len();
                GltfError::new(
                    &at,
                    format!("sampler {}", ends.sampler),
                    format!("one of {samplers} samplers"),
                )
            })?;
            let track = self.track(&at, node, path, sampler)?;
            tracks.extend(track.map(|track| Track { channel, sampler: ends.sampler, ..track }));
        }
        Ok(tracks)
    }

    fn track(
        &mut self,
        at: &str,
        node: usize,
        path: Path,
        sampler: &Sampler,
    ) -> Result<Option<Track>, GltfError> {
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                let found = format!("interpolation {:?}", crate::json::shorten(other));
                return Err(GltfError::new(at, found, "LINEAR, STEP or CUBICSPLINE"));
            }
        };
        let name = |error: GltfError| GltfError { at: format!("{at}, {}", error.at), ..error };
        let times = self.floats(sampler.input, 1).map_err(name)?;
        let values = self.floats(sampler.output, path.components()).map_err(name)?;
        let (found, expected) =
            (values.len() / path.components(), times.len() * interpolation.values_per_key());
        if found != expected {
            return Err(GltfError::new(
                at,
                format!("{found} values"),
                format!("{expected} for {} keys", times.len()),
            ));
        }
        check_times(at, &times)?;
        let track = Track { node, path, interpolation, times, values, channel: 0, sampler: 0 };
        check_values(at, &track)?;
        Ok((!track.times.is_empty()).then_some(track))
    }

    fn floats(&mut self, accessor: usize, components: usize) -> Result<Arc<[f32]>, GltfError> {
        if let Some(read) = self.read.get(&(accessor, components)) {
            return Ok(read.clone());
        }
        let read = self.accessors.floats(accessor, components)?;
        self.read.insert((accessor, components), read.clone());
        Ok(read)
    }
}

/// The place of a track in an error: animation, node and property.
fn track_place(document: &Document, animation: usize, channel: usize) -> String {
    let Animation { name, channels, .. } = &document.animations[animation];
    let target = &channels[channel].target;
    let node = target.node.map_or_else(String::new, |node| {
        let name = document.nodes.get(node).map_or_else(String::new, |node| quoted(&node.name));
        format!(", node {node}{name}")
    });
    format!("animation {animation}{}, channel {channel}{node}, {}", quoted(name), target.path)
}

fn check_times(at: &str, times: &[f32]) -> Result<(), GltfError> {
    if let Some(key) = times.iter().position(|time| !time.is_finite()) {
        return Err(GltfError::new(format!("{at}, key {key}"), format!("time {}", times[key]), "a number"));
    }
    match times.windows(2).position(|pair| pair[1] < pair[0]) {
        None => Ok(()),
        Some(key) => {
            let (found, expected) =
                (format!("time {} s", times[key + 1]), format!("{} s or later", times[key]));
            Err(GltfError::new(format!("{at}, key {}", key + 1), found, expected))
        }
    }
}

fn check_values(at: &str, track: &Track) -> Result<(), GltfError> {
    let per_key = track.path.components() * track.interpolation.values_per_key();
    if let Some(bad) = track.values.iter().position(|value| !value.is_finite()) {
        let place = format!("{at}, key {}", bad / per_key);
        return Err(GltfError::new(place, track.values[bad], "a number"));
    }
    if track.path != Path::Rotation {
        return Ok(());
    }
    /// Length of a quaternion below which its direction is lost in rounding.
    const SHORTEST: f64 = 1e-3;
    let length = |key: usize| Quat::from_array(track.key_value(key)).length();
    match (0..track.times.len()).find(|&key| length(key) < SHORTEST) {
        None => Ok(()),
        Some(key) => {
            let found = format!("a quaternion of length {}", length(key));
            Err(GltfError::new(format!("{at}, key {key}"), found, "length 1"))
        }
    }
}
