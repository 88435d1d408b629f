//! How far does each phase look around, in frames, and how much does each frame count?

use surefoot_core::math;
use wide::f64x2;

use crate::settings::Settings;
use crate::setup::SetupError;

/// The time over which the root eases into what it must pay, as a share of the time over which its
/// moves are smoothed.
const EASE: f64 = 0.5;

/// The time to either side over which a foot that shakes about its ankle is steadied, in seconds.
const STEADY: f64 = 0.05;

/// The longest time to look around, in seconds: more is a slip, and would be all memory.
pub(crate) const LONGEST_WINDOW: f64 = 10.0;

/// The highest frame rate, in frames per second: no camera has more, and windows would be all
/// memory.
pub(crate) const MOST_FPS: f64 = 10_000.0;

/// The weights of the frames around one, from the first in the window to the last, when a line is
/// fitted to them.
#[derive(Clone, Debug)]
pub(crate) struct KneeWeights {
    /// The weight, and the weight times how many frames on it is; for bend and twist alike.
    pub weights: Vec<[f64x2; 2]>,
    /// The weights of all frames before each, summed: alone, times the distance, times its square.
    pub sums: Vec<[f64; 3]>,
}

impl KneeWeights {
    pub fn new(window: Reach) -> Self {
        let mut knee = Self { weights: Vec::new(), sums: vec![[0.0; 3]] };
        let mut sums = [0.0; 3];
        for at in 0..=2 * window.frames {
            let on = at as f64 - window.frames as f64;
            let away = on / window.length;
            let weight = (1.0 - away * away) * (1.0 - away * away);
            sums = [sums[0] + weight, sums[1] + weight * on, sums[2] + weight * on * on];
            knee.weights.push([weight, weight * on].map(f64x2::splat));
            knee.sums.push(sums);
        }
        knee
    }
}

/// The weights of the frames around one, as many on either side, when a foot is steadied by them: of so many each,
/// from none up to `most`. They add up to 1.
pub(crate) fn steady_weights(most: usize) -> Vec<Vec<f64>> {
    let weights = |within: usize| {
        let away = |n: usize| (n as f64 - within as f64) / (within + 1) as f64;
        let weights = (0..=2 * within).map(|n| (1.0 - away(n) * away(n)) * (1.0 - away(n) * away(n)));
        let total: f64 = weights.clone().sum();
        weights.map(|weight| weight / total).collect()
    };
    (0..=most).map(weights).collect()
}

/// The settings' times in frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    pub spots: usize,
    pub ankles: Reach,
    pub steady: Reach,
    pub root: Reach,
    pub ease: Reach,
    pub knee: Reach,
    pub blend: Reach,
}

/// How far a phase looks around.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The distance, in frames, at which nothing counts any more: seldom a whole number, so that
    /// every frame rate has the same seconds.
    pub length: f64,
    /// How many frames are nearer than that, on either side.
    pub frames: usize,
}

impl Reach {
    pub fn new(length: f64) -> Self {
        // 0.15 s are 18 frames at 120 a second, whatever rounding makes of it.
        let frames = (length - 1e-9).ceil().max(1.0) as usize - 1;
        // A window of nothing has only the frame itself, which is at no distance.
        Self { length: length.max(1e-9), frames }
    }

    /// How many frames that is in all, the one in the middle included.
    pub fn around(&self) -> usize {
        2 * self.frames + 1
    }
}

pub(crate) fn windows(fps: f64, longest_plant: usize, settings: &Settings) -> Result<Windows, SetupError> {
    if !(fps > 0.0 && fps <= MOST_FPS) {
        return Err(SetupError::FrameRate(fps));
    }
    // Any number from 0 up, infinity included.
    let amounts = [
        ("spot_window", settings.spot_window),
        ("stretch_limit", settings.stretch_limit),
        ("snap_distance", settings.snap_distance),
        ("skate_speed", settings.skate_speed),
    ];
    if let Some(&(name, value)) = amounts.iter().find(|(_, value)| value.is_nan() || *value < 0.0) {
        return Err(SetupError::InvalidSetting(name, value));
    }
    let times = [
        ("ankle_window", settings.ankle_window),
        ("root_window", settings.root_window),
        ("knee_window", settings.knee_window),
        ("blend_window", settings.blend_window),
        ("root_cell", settings.root_cell),
    ];
    if let Some(&(name, value)) = times.iter().find(|(_, value)| !(0.0..=LONGEST_WINDOW).contains(value)) {
        return Err(SetupError::InvalidWindow(name, value));
    }
    let frames = |seconds: f64| (seconds * fps).round() as usize;
    let reach = |seconds: f64| Reach::new(seconds * fps);
    Ok(Windows {
        // A number too large for a frame is as good as infinity.
        spots: frames(settings.spot_window).min(longest_plant),
        ankles: reach(settings.ankle_window),
        steady: reach(STEADY.min(settings.ankle_window)),
        root: reach(settings.root_window),
        ease: reach(EASE * settings.root_window),
        knee: reach(settings.knee_window),
        blend: reach(settings.blend_window),
    })
}

/// The weights of the cells around frame `at` of a cell, from the first in the window to the last;
/// as many before its own as after. A cell counts by its middle, and not once any of it is out of the
/// window.
pub(crate) fn cell_weights(window: Reach, cell: usize, at: usize) -> Vec<f64x2> {
    let half = (cell as f64 - 1.0) / 2.0;
    let length = window.length - half;
    let beyond = (window.length / cell as f64).ceil() as isize;
    let away = |n: isize| (n as f64 * cell as f64 + half - at as f64).abs();
    (-beyond..=beyond).map(|n| f64x2::splat(math::fade(away(n) / length))).collect()
}
