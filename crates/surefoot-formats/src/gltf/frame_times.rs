//! The frames of an animation whose tracks have keys at times of their own.
//!
//! The rate is that of the keys, where they are as far apart as frames, or else the lowest common rate at which every
//! key falls on a frame. The first frame is at the first key, which need not be at time 0.

use surefoot_infer::Inferred;

use super::track::Track;

/// Rates at which animations are made, in frames per second, lowest first.
const RATES: [f64; 12] = [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 144.0, 240.0];
/// Lowest rate at which feet can be cleaned, in frames per second. Keys further apart are not frames.
const LOWEST: f64 = 12.0;
/// Rate of an animation whose keys fall on no common frames.
const ASSUMED: f64 = 30.0;
/// Distance of a key from a frame, in frames, that is rounding of the key's time.
pub(super) const ON_FRAME: f64 = 0.02;
/// Relative distance of a rate from a common one that is rounding of the keys' times.
const NEAR_RATE: f64 = 2e-3;

/// The frames of an animation.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameTimes {
    /// The time of frame 0, in seconds.
    pub start: f64,
    /// The time of the last key, in seconds.
    pub end: f64,
    /// Frames per second.
    pub rate: Inferred<f64>,
}

impl FrameTimes {
    /// The frames of these tracks; one frame if there are none.
    pub fn new(tracks: &[Track]) -> Self {
        let times = || tracks.iter().map(|track| &track.times);
        let first = times().filter_map(|times| times.first()).copied().reduce(f32::min).unwrap_or(0.0);
        let last = times().filter_map(|times| times.last()).copied().reduce(f32::max).unwrap_or(first);
        let (start, end) = (f64::from(first), f64::from(last));
        Self { start, end, rate: infer_rate(tracks, start) }
    }

    /// Frames of another number and rate that start at the same time.
    pub fn with_frames(&self, frames: usize, fps: f64) -> Self {
        let end = self.start + frames.saturating_sub(1) as f64 / fps;
        Self { start: self.start, end, rate: Inferred { value: fps, ..self.rate.clone() } }
    }

    /// The number of frames. Beyond 2³² it is a guard against keys that are years apart.
    pub fn frames(&self) -> usize {
        ((self.end - self.start) * self.rate.value - ON_FRAME).ceil().clamp(0.0, 4e9) as usize + 1
    }

    /// The time of a frame. The last frame is at the last key, also where that is between two frames.
    pub fn time(&self, frame: usize) -> f64 {
        (self.start + frame as f64 / self.rate.value).min(self.end)
    }

    /// The distance in seconds at which a key is on a frame.
    pub fn tolerance(&self) -> f64 {
        ON_FRAME / self.rate.value
    }
}

fn infer_rate(tracks: &[Track], start: f64) -> Inferred<f64> {
    // Tracks mostly share their times; each set is looked at once.
    let mut sets: Vec<&[f32]> = tracks.iter().map(|track| &track.times[..]).collect();
    sets.sort_by_key(|times| times.as_ptr());
    sets.dedup_by_key(|times| times.as_ptr());
    let inferred = |value: f64, confidence: f64, reason: String| Inferred { value, confidence, reason };
    let Some(densest) = sets.iter().max_by_key(|times| times.len()).filter(|times| times.len() > 1) else {
        return inferred(ASSUMED, 0.5, "the animation has no keys to tell it from".into());
    };
    let spacing = median_spacing(densest);
    let own =
        Some(near_common(1.0 / spacing)).filter(|rate| rate.is_finite() && *rate >= LOWEST && *rate <= 1e4);
    if let Some(rate) = own.filter(|&rate| all_on_frames(&sets, start, rate)) {
        return inferred(rate, 0.95, format!("the keys are {:.2} ms apart", 1e3 * spacing));
    }
    match RATES.into_iter().find(|&rate| all_on_frames(&sets, start, rate)) {
        Some(rate) => inferred(rate, 0.8, "the lowest common rate at which every key is on a frame".into()),
        None => {
            let rate = own.unwrap_or(ASSUMED).clamp(ASSUMED, 240.0);
            inferred(
                rate,
                0.5,
                "the keys fall on no common frames, so that they are sampled at this rate".into(),
            )
        }
    }
}

fn median_spacing(times: &[f32]) -> f64 {
    let mut spacings: Vec<f64> =
        times.windows(2).map(|pair| f64::from(pair[1]) - f64::from(pair[0])).collect();
    spacings.sort_by(f64::total_cmp);
    spacings[spacings.len() / 2]
}

/// The common rate that is nearly the same, or else this one.
fn near_common(rate: f64) -> f64 {
    let common = RATES.into_iter().chain([12.0, 15.0, 20.0, 29.97, 59.94]);
    let distance = |common: &f64| (rate / common - 1.0).abs();
    let nearest = common.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.filter(|nearest| distance(nearest) < NEAR_RATE).unwrap_or(rate)
}

fn all_on_frames(sets: &[&[f32]], start: f64, rate: f64) -> bool {
    let is_on_frame = |&time: &f32| {
        let frame = (f64::from(time) - start) * rate;
        (frame - frame.round()).abs() <= ON_FRAME
    };
    sets.iter().all(|times| times.iter().all(is_on_frame))
}
