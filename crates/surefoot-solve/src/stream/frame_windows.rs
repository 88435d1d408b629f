//! The windows of the settings in frames.

use crate::settings::{Form, Settings};
use crate::setup::SetupError;

/// Window over which the root eases into a correction that smoothing left out, as a fraction of the root
/// window. A shorter one moves the root more abruptly; a longer one adds latency.
const ROOT_EASE: f64 = 0.5;

/// Half width of the filter that steadies the ankle, in seconds: it removes shaking above about 10 Hz and
/// leaves the roll of a step alone.
const ANKLE_STEADY: f64 = 0.05;

/// Time before and after a lift over which a foot rises and comes down again, in seconds.
///
/// At 0.05 the knee of a kick that lands on a straight leg still accelerates by more than 3° per frame; above 0.08
/// feet that land gently are held back.
const LIFT_TIME: f64 = 0.07;

/// Half width of the filter that smooths the swivel of a leg, in seconds. A shorter one lets the leg shake with its foot.
const SWIVEL_TIME: f64 = 0.15;

/// Longest window, in seconds. Longer ones are mistakes, and would need gigabytes of buffers.
pub(crate) const LONGEST_WINDOW: f64 = 10.0;

/// Highest frame rate, in frames per second. No capture has more, and windows would need gigabytes.
pub(crate) const MOST_FPS: f64 = 10_000.0;

/// The windows of the phases.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Windows {
    /// Number of frames from the start of a plant over which its spot is averaged.
    pub spots: usize,
    pub ankles: FrameWindow,
    pub ankle_steady: FrameWindow,
    pub root: FrameWindow,
    pub root_ease: FrameWindow,
    pub knee: FrameWindow,
    /// Phase 6: the smoothing of the swivel, no longer than the knee window.
    pub swivel: FrameWindow,
    /// Phase 3, in the improved form.
    pub swing: FrameWindow,
    /// Phase 4, in the improved form.
    pub lift: FrameWindow,
    /// The published form.
    pub blend: FrameWindow,
}

/// A window on either side of a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameWindow {
    /// Distance at which the weight is 0, in frames. Not rounded, so that every frame rate covers the same
    /// time.
    pub length: f64,
    /// Number of frames nearer than that, on either side.
    pub frames: usize,
}

impl FrameWindow {
    pub fn new(length: f64) -> Self {
        // 0.15 s are 18 frames at 120 fps, in spite of rounding.
        let frames = (length - 1e-9).ceil().max(1.0) as usize - 1;
        // A window of length 0 contains the frame itself, at distance 0.
        Self { length: length.max(1e-9), frames }
    }

    /// Number of frames on both sides, the frame in the middle included.
    pub fn width(&self) -> usize {
        2 * self.frames + 1
    }
}

impl Windows {
    /// Converts the windows of the settings to frames. `longest_plant`, in frames, bounds a spot window that covers
    /// whole plants.
    pub fn new(fps: f64, longest_plant: usize, settings: &Settings) -> Result<Self, SetupError> {
        if !(fps > 0.0 && fps <= MOST_FPS) {
            return Err(SetupError::FrameRate(fps));
        }
        check_settings(settings)?;
        let window = |seconds: f64| FrameWindow::new(seconds * fps);
        let is_limited = settings.stretch.is_none_or(f64::is_finite);
        // Each form waits only for the windows that it uses.
        let window_of = |form: Form, seconds: f64| window(if settings.form == form { seconds } else { 0.0 });
        Ok(Self {
            spots: spot_frames(settings.spot_window, fps, longest_plant),
            ankles: window(settings.ankle_window),
            ankle_steady: window(ANKLE_STEADY.min(settings.ankle_window)),
            root: window(settings.root_window),
            root_ease: window(match settings.form == Form::Paper && !is_limited {
                true => 0.0,
                false => ROOT_EASE * settings.root_window,
            }),
            knee: window_of(Form::Improved, settings.knee_window),
            swivel: window_of(Form::Improved, SWIVEL_TIME.min(settings.knee_window)),
            swing: window_of(Form::Improved, settings.blend_window),
            lift: window_of(Form::Improved, LIFT_TIME.min(settings.blend_window)),
            blend: window_of(Form::Paper, settings.blend_window),
        })
    }

    /// The windows that reach as far back as ahead, in the order of their phases.
    pub fn on_either_side(&self) -> [FrameWindow; 7] {
        let Self { ankles, swing, lift, root, root_ease, knee, blend, .. } = *self;
        [ankles, swing, lift, root, root_ease, knee, blend]
    }

    /// Number of frames over which a free foot returns to its captured path, in either form.
    pub fn fade_frames(&self) -> usize {
        self.swing.frames.max(self.blend.frames)
    }

    /// Total look-ahead of the phases, in frames: the latency of the stream.
    pub fn lookahead(&self) -> usize {
        self.spots + self.on_either_side().iter().map(|window| window.frames).sum::<usize>()
    }

    /// Most frames that any phase reads behind its own.
    pub fn longest(&self) -> usize {
        self.on_either_side().iter().map(|window| window.frames).max().unwrap_or(0)
    }
}

/// The spot window in frames. A window of at most [`LONGEST_WINDOW`] is used as it is, so that a stream does not need
/// the length of its longest plant; a longer window covers whole plants.
fn spot_frames(seconds: f64, fps: f64, longest_plant: usize) -> usize {
    // The conversion saturates for an infinite window.
    let frames = (seconds * fps).round() as usize;
    if seconds <= LONGEST_WINDOW { frames } else { frames.min(longest_plant) }
}

fn check_settings(settings: &Settings) -> Result<(), SetupError> {
    // Infinity is allowed.
    let amounts = [
        ("spot_window", settings.spot_window),
        ("stretch", settings.stretch.unwrap_or(0.0)),
        ("snap_distance", settings.snap_distance.unwrap_or(0.0)),
        ("skate_speed", settings.skate_speed),
        ("knee_damping_angle", settings.knee_damping_angle),
        ("root_weight", settings.root_weight),
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
    match times.iter().find(|(_, value)| !(0.0..=LONGEST_WINDOW).contains(value)) {
        Some(&(name, value)) => Err(SetupError::InvalidWindow(name, value)),
        None => Ok(()),
    }
}
