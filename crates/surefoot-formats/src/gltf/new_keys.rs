//! The keys of a track whose values change.
//!
//! Keys far from every change stay as they are. At each changed frame, and at the frames beside it, there is a key with the
//! new value; in between, keys that are on no frame are dropped. On a line, a step or a spline, a key that is added with
//! the value and slope of the curve leaves the curve as it is.

use super::frame_times::FrameTimes;
use super::track::{Interpolation, Path, Track, Value};

/// The new value of a property at each frame; `None` where it is as captured.
pub(super) type Changes = [Option<Value>];

/// The keys of a track: times in seconds, and all stored numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct NewKeys {
    pub times: Vec<f32>,
    pub values: Vec<f32>,
}

/// Keys of a track that has none: one for each frame.
pub(super) fn keys_at_frames(times: &FrameTimes, path: Path, values: impl Iterator<Item = Value>) -> NewKeys {
    let mut keys = NewKeys::default();
    let mut previous = None;
    for (frame, value) in values.enumerate() {
        let value = near_previous(path, value, previous);
        previous = Some(value);
        keys.times.push(times.time(frame) as f32);
        keys.values.extend(value[..path.components()].iter().map(|&number| number as f32));
    }
    keys
}

/// The key of each changed frame, if the keys of a track can be overwritten: every changed frame and the frames beside it
/// have a key of their own.
pub(super) fn keys_in_place(
    track: &Track,
    times: &FrameTimes,
    changes: &Changes,
) -> Option<Vec<(usize, usize)>> {
    let key = |frame: usize| track.key_at(times.time(frame), times.tolerance());
    let key_of: Vec<Option<usize>> = (0..changes.len()).map(key).collect();
    let last = changes.len() - 1;
    let mut keys = Vec::new();
    for frame in (0..changes.len()).filter(|&frame| changes[frame].is_some()) {
        let own = key_of[frame]?;
        // A key between two frames would stay between new values.
        let is_alone =
            (frame == 0 || key_of[frame - 1]? + 1 == own) && (frame == last || key_of[frame + 1]? == own + 1);
        is_alone.then(|| keys.push((frame, own)))?;
    }
    Some(keys)
}

/// Adds the stored numbers of a key with a new value: of a spline, its tangents too.
pub(super) fn stored_key(
    track: &Track,
    times: &FrameTimes,
    changes: &Changes,
    frame: usize,
    stored: &mut Vec<f32>,
) {
    let components = track.path.components();
    let mut put = |value: &Value| stored.extend(value[..components].iter().map(|&number| number as f32));
    let value = changed_value(track, times, changes, frame);
    if track.interpolation != Interpolation::CubicSpline {
        put(&value);
        return;
    }
    let slope = change_slope(track, times, changes, frame);
    let [before, after] = track.derivatives(times.time(frame), times.tolerance());
    let add = |tangent: Value| core::array::from_fn(|n| tangent[n] + slope[n]);
    [add(before), value, add(after)].iter().for_each(put);
}

/// All keys of a track with changes.
pub(super) fn rebuilt_keys(track: &Track, times: &FrameTimes, changes: &Changes) -> NewKeys {
    let mut keys = NewKeys::default();
    let last = changes.len() - 1;
    let is_near = |frame: usize| {
        (frame.saturating_sub(1)..=(frame + 1).min(last)).any(|frame| changes[frame].is_some())
    };
    let mut key = 0;
    for frame in (0..changes.len()).filter(|&frame| is_near(frame)) {
        let time = times.time(frame);
        let before = changes[frame].is_some() || frame > 0 && changes[frame - 1].is_some();
        while key < track.times.len() && f64::from(track.times[key]) < time - times.tolerance() {
            // A key between this frame and the one before stays only if neither of them changes.
            let is_between =
                frame > 0 && f64::from(track.times[key]) > times.time(frame - 1) + times.tolerance();
            if !(is_between && before) {
                keep_key(track, key, &mut keys);
            }
            key += 1;
        }
        while key < track.times.len() && (f64::from(track.times[key]) - time).abs() <= times.tolerance() {
            key += 1;
        }
        keys.times.push(time as f32);
        stored_key(track, times, changes, frame, &mut keys.values);
    }
    while key < track.times.len() {
        keep_key(track, key, &mut keys);
        key += 1;
    }
    keys
}

fn keep_key(track: &Track, key: usize, keys: &mut NewKeys) {
    let numbers = track.path.components() * track.interpolation.values_per_key();
    // A key at the same time as the one before would have no effect.
    if keys.times.last().is_none_or(|&last| last < track.times[key]) {
        keys.times.push(track.times[key]);
        keys.values.extend(&track.values[key * numbers..(key + 1) * numbers]);
    }
}

/// The value at a frame: the new one, of two equal rotations the one nearer to the captured numbers.
fn changed_value(track: &Track, times: &FrameTimes, changes: &Changes, frame: usize) -> Value {
    let captured = track.value(times.time(frame), times.tolerance());
    changes[frame].map_or(captured, |value| near_previous(track.path, value, Some(captured)))
}

/// The slope of the change at a frame, per second, from the frames beside it. It is zero at a frame that does not change, so
/// that the curve on the other side of that frame stays as it is.
fn change_slope(track: &Track, times: &FrameTimes, changes: &Changes, frame: usize) -> Value {
    if changes[frame].is_none() {
        return Value::default();
    }
    let change = |frame: usize| {
        let captured = track.value(times.time(frame), times.tolerance());
        let value = changed_value(track, times, changes, frame);
        core::array::from_fn(|n| value[n] - captured[n])
    };
    let (from, to) = (frame.saturating_sub(1), (frame + 1).min(changes.len() - 1));
    let (before, after): (Value, Value) = (change(from), change(to));
    let seconds = times.time(to) - times.time(from);
    // A motion of one frame has no slope.
    if seconds <= 0.0 { Value::default() } else { core::array::from_fn(|n| (after[n] - before[n]) / seconds) }
}

/// Of the two quaternions of a rotation, the one nearer to `previous`, so that interpolation takes the short way.
fn near_previous(path: Path, value: Value, previous: Option<Value>) -> Value {
    let dot = |other: Value| (0..4).map(|n| value[n] * other[n]).sum::<f64>();
    let is_opposite = path == Path::Rotation && previous.is_some_and(|other| dot(other) < 0.0);
    if is_opposite { value.map(|number| -number) } else { value }
}
